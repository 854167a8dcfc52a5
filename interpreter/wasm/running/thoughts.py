"""Searches inside a module about games that are played elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from ...players.dialect import Word
from ...players.thoughts import Thought, thought_from
from ..emission.lowering.flow import DECISION
from .compiled import Compiled
from .instance import Instance, Trap


class Thoughts:
    """A `players.thoughts.Thinker` that thinks what `players.reference_table.OnCells` thinks, only faster."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled, self._memory = compiled, compiled.memory
        self._instance = Instance(compiled)
        self._lived: list[int] | None = None  # the options and outcomes that are remembered; None: nothing is sure
        self._record = b""  # where they lead
        self._stop = 0
        self._asked: tuple[int, Word] = 0, 0  # the seat and the seed of a search, and the iterations that it has
        self._done = 0

    def begin(self, history: Sequence[int], seat: int, seed: Word, only: int | None = None) -> None:
        """See `Thinker`. ValueError for a history that does not lead to a decision of the seat."""
        self._live(history)
        self._stand()
        if self._stop != DECISION or self._instance.export("player")() != seat:
            raise ValueError(f"this history does not lead to a decision of seat {seat}")
        self._instance.put(self._memory.thinking, 0)
        self._instance.put(self._memory.only, 0 if only is None else only + 1)
        self._asked, self._done = (seat, seed), 0

    def ponder(self, iterations: int) -> int:
        """See `Thinker`. Raises `RulesError` (R820) where one step takes too long."""
        self._done = self._run("ponder", self._asked[0], iterations, self._asked[1])
        return self._done

    def conclude(self) -> Thought:
        """See `Thinker`."""
        choice = self._run("conclude")
        memory, at = self._instance.memory, self._memory
        offered = int.from_bytes(memory[at.offered : at.offered + 8 * at.option_words], "little")
        count = 1 if self._instance.number(at.only) else offered.bit_count()
        edges, shares = memory[at.edges : at.edges_end].tobytes(), memory[at.shares : at.shares_end].tobytes()
        found, seat = self._instance.number(at.found), self._asked[0]
        return thought_from(seat, count, edges, shares, choice, self._done, found, at.alone, at.lowest)

    def leave_off(self) -> None:
        """See `common.deadline.Player`. What is thought about is given up."""
        self._instance.leave_off()

    def go_on(self) -> None:
        """See `common.deadline.Player`."""
        self._instance.go_on()

    def _run(self, name: str, *arguments: int) -> int:
        """Think on until the call is over, where what was imagined was stopped."""
        while True:
            try:
                return self._instance.export(name)(*arguments)
            except Trap:
                instance, memory = self._instance, self._memory
                if instance.number(memory.flag) or not instance.number(memory.thinking):
                    self._instance, self._lived = Instance(self._compiled), None
                    instance.in_time(self._compiled.left_off)
                    raise

    def _stand(self) -> None:
        """Let the module stand where the history leads."""
        memory = self._memory
        self._instance.memory[memory.record : memory.record + memory.record_size] = self._record
        self._stop = self._instance.export("stop")()

    def _live(self, history: Sequence[int]) -> None:
        """Remember what happened since the last time, or all of it in another game."""
        instance, memory = self._instance, self._memory
        lived: list[int] | None = self._lived
        self._lived = None  # nobody relies on it if this is interrupted
        if lived is None or list(history[: len(lived)]) != lived:
            lived = []
            instance.put(memory.moments, 0)
            instance.export("reset")(0, 0)
            self._stop = instance.export("begin")(0)
        else:
            self._stand()
        for value in history[len(lived) :]:
            self._stop = instance.export("live")(self._stop, value)
        self._record = instance.memory[memory.record : memory.record + memory.record_size].tobytes()
        self._lived = list(history)
