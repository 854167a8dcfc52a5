"""The engine that plays on the reference executor: plain Python, slow, and the arbiter of the fast engine's results.

Python runs one thread at a time, so several of these are no faster than one.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from threading import Event, Lock, Thread
from time import perf_counter

from ...common.deadline import AGAIN, OutOfTime, deadline_in_thread
from ...common.platform import HERE
from ...machine.columns import MOST_OPTIONS, Columns
from ...machine.machine import Choose, Machine
from ...machine.operators import Cells
from ...machine.reference.executor import Executor, FunctionFault
from ...machine.reference.outcome import Outcome, outcome_of
from ...machine.reference.stops import Stop
from ...players.bots import Bot
from ...players.policies import Policy, policy_for
from ..statistics.counts import Counts, Place
from ..statistics.tally import Tally
from .interface import PATIENCE, Played, game_too_long


class ReferenceEngine:
    """See `Engine`."""

    def __init__(
        self, machine: Machine, bots: Sequence[Bot], patience: float = PATIENCE, policy: Callable[[Bot], Policy] | None = None
    ) -> None:
        """``policy``: what chooses for a bot (None: only bots of rulesrun play)."""
        self._policy = policy or partial(policy_for, machine=machine)
        self._patience = patience
        self.columns = Columns.of(machine)
        self._executor = Executor(machine)
        self._policies: dict[Bot, Policy] = {}
        self._turn = Lock()
        self._began: float | None = None  # of the game that is played, but for what bots thought; None: a bot thinks
        self.seat(bots)

    def seat(self, bots: Sequence[Bot]) -> None:
        """See `Engine.seat`. ValueError unless there is one for each seat."""
        machine = self._executor.machine
        if len(bots) != machine.seats:
            raise ValueError(f"{machine.seats} seats need as many bots, not {len(bots)}")
        with self._turn:
            for bot in bots:
                if bot not in self._policies:
                    self._policies[bot] = self._policy(bot)
            self._pickers = [self._policies[bot] for bot in bots]

    def play(self, seed: int, first: int, count: int, rows: bool = False, counts: bool = False) -> Played:
        """See `Engine.play`. Counting takes no longer than playing, so it is left out only where nobody asks."""
        with self._turn:
            return self._play(seed, first, count, rows, counts)

    def _play(self, seed: int, first: int, count: int, rows: bool, counts: bool) -> Played:
        found = array("i")
        counter = _Counter(self._executor) if counts else None
        for game in range(first, first + count):
            found.extend(self._in_time(seed, game, counter))
        tally = Tally.of(self.columns, first, found)
        return Played(tally, found if rows else None, counter.counts() if counter else None)

    def _in_time(self, seed: int, game: int, counter: _Counter | None) -> list[int]:
        """One game's row. RulesError where that takes too long."""
        executor, done = self._executor, Event()
        self._began = perf_counter()

        def watch() -> None:
            left = self._patience
            while not done.wait(max(left, AGAIN)):
                began = self._began
                left = self._patience if began is None else began + self._patience - perf_counter()
                if left <= 0:
                    executor.leave_off()
                    return

        guard = Thread(target=watch, daemon=True) if HERE.has_threads else None
        try:
            if guard is None:
                with deadline_in_thread(self._patience):
                    return self._row(seed, game, counter)
            guard.start()
            return self._row(seed, game, counter)
        except OutOfTime as over:
            if guard is not None and not executor.is_to_leave_off:
                raise
            raise game_too_long(seed, game, self._patience, over.where) from None
        finally:
            done.set()
            if guard is not None:
                guard.join()
            executor.go_on()

    def _row(self, seed: int, game: int, counter: _Counter | None) -> list[int]:
        """One game's row."""
        executor = self._executor
        decisions = options = 0
        first = -1
        history: list[int] = []
        cells = executor.fresh(seed, game)
        try:
            stop = executor.enter(cells)
            while stop.node is not None:
                if executor.is_to_leave_off:
                    raise OutOfTime
                if stop.kind == "chance":
                    history.append(executor.draw(cells))
                    stop = executor.happen(cells, history[-1])
                    continue
                player = executor.player(cells)
                legal = sum(positions.bit_count() for _, positions in executor.legal_by_group(cells))
                first = player if first < 0 else first
                decisions += 1
                options = min(options + legal, MOST_OPTIONS)
                history.append(self._thought(cells, player, history))
                if counter is not None:
                    counter.count(stop, cells, legal, history[-1])
                stop = executor.choose(cells, history[-1])
            if stop.kind == "fault":
                return self._stopped(decisions, options, first, stop)
            end = outcome_of(executor, cells)
        except FunctionFault as stopped:
            return self._stopped(decisions, options, first, stopped.stop)
        return row_of(self.columns, decisions, options, first, end)

    def _thought(self, cells: Cells, player: int, history: list[int]) -> int:
        """The option that a seat's bot takes, which may think as long as it likes."""
        spent = perf_counter() - (self._began or 0.0)
        self._began = None
        option = self._pickers[player](self._executor, cells, player, history)
        self._began = perf_counter() - spent
        return option

    def _stopped(self, decisions: int, options: int, first: int, stop: Stop) -> list[int]:
        """The row of a game that a fault stopped."""
        table = self._executor.faults.table
        number = next(number for number, fault in enumerate(table) if fault is stop.fault)
        head = [decisions, options, first, number + 1]
        return head + [0] * (len(self.columns) - len(head))


def row_of(columns: Columns, decisions: int, options: int, first: int, end: Outcome) -> list[int]:
    """The row of a game that came to its end."""
    seats = columns.seats
    turns = [end.wins[(max(first, 0) + turn) % seats] for turn in range(seats)]
    row = [decisions, options, first, 0, *end.scores, *end.wins, *turns, *(v for values in end.terms for v in values)]
    row += end.team_scores if columns.in_teams else ()
    return [*row, *end.returns] if columns.returns else row


class _Counter:
    """Counts what is on offer while games are played."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._before = dict(executor.without_options)
        self._options: Counter[int] = Counter()
        self._offered: Counter[Place] = Counter()
        self._taken: Counter[Place] = Counter()

    def count(self, stop: Stop, cells: Cells, legal: int, option: int) -> None:
        """A decision with so many legal options, before the option is taken."""
        assert isinstance(stop.node, Choose)
        site, taken = stop.node.site, False
        self._options[legal] += 1
        for index, alternative in enumerate(stop.node.alternatives):
            positions = self._executor.legal(cells, index)
            if positions:
                self._offered[site, index] += 1
            group = self._executor.machine.groups[alternative.group]
            position = option - group.base
            if not taken and 0 <= position < group.size and positions >> position & 1:
                self._taken[site, index] += 1
                taken = True

    def counts(self) -> Counts:
        """What was counted since this was made."""
        now = self._executor.without_options
        nothing = {site: count - self._before.get(site, 0) for site, count in now.items()}
        return Counts(dict(self._options), dict(self._offered), dict(self._taken), {site: n for site, n in nothing.items() if n})
