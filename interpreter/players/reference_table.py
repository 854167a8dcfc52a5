"""A game on the reference executor that can be stepped, saved and restored, as a thinking bot needs it (`search.Searched`)."""

from __future__ import annotations

from collections.abc import Sequence

from ..machine.bitsets import select, trailing_ones
from ..machine.machine import Machine
from ..machine.operators import Cells
from ..machine.reference.executor import Executor, FunctionFault
from ..machine.reference.outcome import outcome_of
from ..machine.reference.stops import Stop
from .bots import Bot
from .dialect import Word, Words
from .ramps import LEAST
from .rollouts import think
from .search import conclude, ponder, search
from .thoughts import Thought, thought_from
from .workspace import EDGE_SIZE, workspace_for
from .worlds import CHANCE_EVENT, DECISION, remember

_KINDS = {"decision": DECISION, "chance": CHANCE_EVENT, "over": 3, "halt": 4}


class _Fault(Exception):
    """What is imagined was stopped by a fault."""


class OnCells(Words):
    """See `search.Searched`, and `thoughts.Thinker`. ``cells``: the game that is stepped."""

    def __init__(self, machine: Machine) -> None:
        self.at, _ = workspace_for(machine, 0, 0)
        _, tables = workspace_for(machine, self.at.end, 0)
        self.at, _ = workspace_for(machine, self.at.end, 0)
        super().__init__(self.at.end + len(tables))
        self.bytes[self.at.end :] = tables
        self.executor = Executor(machine)  # of its own: what is imagined is not counted as played
        self._numbers = frozenset(group.base for group in machine.groups if group.of_numbers)
        self.cells: Cells = []
        self._decides = False  # whether the game stands at a decision
        self._lived: list[int] | None = []  # the options and outcomes that are remembered
        self._now = self.executor.fresh()
        self._stop = self.executor.enter(self._now)
        self._asked: tuple[int, Word] = 0, 0  # the seat and the seed of a thought, and the iterations that it has
        self._done = 0

    def option(self, cells: Cells, history: Sequence[int], seat: int, bot: Bot, seed: Word) -> int:
        """The option that a bot that thinks takes for a seat in a game with that history."""
        choose = search if bot.kind == "search" else think
        self.store32(self.at.only, 0)
        self._live(history)
        self.cells = self.executor.unpack(self.executor.pack(cells))
        self.executor.stop(self.cells)
        while True:
            try:
                return choose(self, self.at, seat, bot.playouts, seed)
            except (_Fault, FunctionFault):
                pass  # it goes on behind what failed

    def begin(self, history: Sequence[int], seat: int, seed: Word, only: int | None = None) -> None:
        """See `Thinker`. ValueError for a history that does not lead to a decision of the seat."""
        self._live(history)
        self.cells = self.executor.unpack(self.executor.pack(self._now))
        if self._came_to(self.executor.stop(self.cells)) != DECISION or self.player() != seat:
            raise ValueError(f"this history does not lead to a decision of seat {seat}")
        self.store32(self.at.thinking, 0)
        self.store32(self.at.only, 0 if only is None else only + 1)
        self._asked, self._done = (seat, seed), 0

    def ponder(self, iterations: int) -> int:
        """See `Thinker`."""
        seat, seed = self._asked
        while True:
            try:
                self._done = ponder(self, self.at, seat, iterations, seed)
                return self._done
            except (_Fault, FunctionFault):
                pass  # it goes on behind what failed

    def conclude(self) -> Thought:
        """See `Thinker`."""
        at = self.at
        count = 1 if self.load32(at.only) else len(self.executor.options(self.cells))
        choice = conclude(self, at)
        edges, shares = self.bytes[at.edges : at.edges + EDGE_SIZE * count], self.bytes[at.shares : at.shares + 8 * count]
        found, seat = self.load32(at.found), self._asked[0]
        return thought_from(seat, count, bytes(edges), bytes(shares), choice, self._done, found, at.alone, at.lowest)

    def _live(self, history: Sequence[int]) -> None:
        """Remember what happened since the last time, or all of it in another game."""
        lived: list[int] | None = self._lived
        self._lived = None  # so that nobody relies on it if this is interrupted
        if lived is None or list(history[: len(lived)]) != lived:
            lived = []
            self.store32(self.at.moments, 0)
            self._now = self.executor.fresh()
            self._stop = self.executor.enter(self._now)
        for value in history[len(lived) :]:
            self.cells = self._now
            remember(self, self.at, value)
            go_on = self.executor.choose if self._stop.kind == "decision" else self.executor.happen
            self._stop = go_on(self._now, value)
        self._lived = list(history)

    # ---- What a thought asks for

    def save(self, address: int) -> None:
        record = self.executor.pack(self.cells)
        self.bytes[address : address + len(record)] = record

    def restore(self, address: int) -> int:
        self.cells = self.executor.unpack(bytes(self.bytes[address : address + self.at.record_size]))
        return self._came_to(self.executor.stop(self.cells))

    def offered_to(self, address: int) -> None:
        offered = sum(1 << option for option in self.executor.options(self.cells))
        size = (self.at.options + 63) // 64 * 8
        self.bytes[address : address + size] = offered.to_bytes(size, "little")

    def player(self) -> int:
        return self.executor.player(self.cells) if self._decides else -1

    def sees(self, value: int, seat: int) -> int:
        return self.executor.seen(self.cells, value) >> seat & 1

    def seen(self, seat: int) -> Word:
        return self.executor.digest(self.cells, seat)

    def draw(self) -> int:
        return self.executor.draw(self.cells)

    def play_on(self) -> None:
        stop = DECISION
        while stop in (DECISION, CHANCE_EVENT):
            if self.load32(self.at.flag):
                self.leave_off()
            stop = self.step()

    def step(self) -> int:
        """A seat chooses as in `rollouts.py`, or chance happens."""
        executor, cells = self.executor, self.cells
        if self._decides:
            return self._came_to(executor.choose(cells, self._pick(cells, executor.player(cells))))
        return self._came_to(executor.happen(cells, executor.draw(cells)))

    def _pick(self, cells: Cells, seat: int) -> int:
        executor = self.executor
        groups = executor.legal_by_group(cells)
        low = self._numbers if len(groups) > 1 else frozenset()
        weights = [min(legal.bit_count(), 1) if base in low else legal.bit_count() for base, legal in groups]
        index = executor.draw_below(cells, seat, sum(weights))
        for (base, legal), weight in zip(groups, weights, strict=True):
            if index < weight:
                if base in low:
                    index = min(trailing_ones(executor.draw_below(cells, seat, LEAST)), legal.bit_count() - 1)
                return base + select(legal, index)
            index -= weight
        raise AssertionError("the index is below the sum of the weights")

    def choose(self, option: int) -> int:
        try:
            return self._came_to(self.executor.choose(self.cells, option))
        except ValueError:
            return -1

    def happen(self, value: int) -> int:
        try:
            return self._came_to(self.executor.happen(self.cells, value))
        except ValueError:
            return -1

    def outcome(self) -> None:
        found = outcome_of(self.executor, self.cells)
        for seat, (win, score) in enumerate(zip(found.wins, found.team_scores, strict=True)):
            self.store32(self.at.wins + 4 * seat, win)
            self.store32(self.at.scores + 4 * seat, score)

    def leave_off(self) -> None:
        raise AssertionError("nobody asks for it here")

    def _came_to(self, stop: Stop) -> int:
        if stop.kind == "fault":
            raise _Fault
        self._decides = stop.kind == "decision"
        return _KINDS[stop.kind]
