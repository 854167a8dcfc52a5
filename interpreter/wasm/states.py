"""How are many games stepped side by side from Python? As records in a module's memory, all in one call (`batches.py`)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

import wasmtime
from attrs import frozen

from ..machine.bitsets import members
from .compiled import Compiled
from .instance import Instance

DECISION, OVER, FAULT, ILLEGAL = 1, 3, 5, -1  # kinds of stops


@frozen
class Stopped:
    """Where a state stands. ``kind``: DECISION, OVER, FAULT, or ILLEGAL (its option was not legal, and it stands as before).

    ``player``: the seat that decides, from 0 (-1: nobody). ``legal``: a bit for each legal option. ``scores``: at the end, by
    seat; else zeros.
    """

    kind: int
    player: int
    legal: int
    scores: tuple[int, ...]

    @property
    def options(self) -> list[int]:
        return members(self.legal)


class States:
    """So many games of one table. ``records``: their bytes, one behind the other, which may be changed and copied."""

    def __init__(self, compiled: Compiled, count: int) -> None:
        told, memory = compiled.description["batches"], compiled.memory
        self.count = count
        self._memory, self._seats = memory, int(compiled.description["seats"])
        self._instance = Instance(compiled.module)
        self._size, self._result, self._scores = memory.record_size, told["result_size"], told["scores"]
        self._states = memory.heap
        self._options = self._states + self._size * count
        self._results = (self._options + 4 * count + 7) // 8 * 8
        if self._results + self._result * count > memory.heap + memory.heap_size:
            raise ValueError(f"there is no room for {count} states in the memory of one module")
        self.records = self._instance.memory[self._states : self._options]

    def start(self, seed: int, first: int = 0) -> list[Stopped]:
        """Let all states be games of a seed, from number ``first`` on, at their first decision."""

        def begin(at: int) -> None:
            states, results = self._states + self._size * at, self._results + self._result * at
            self._instance.export("start_many")(self.count - at, states, seed, first + at, results)

        return self._all(begin)

    def step(self, options: Sequence[int] | None = None) -> list[Stopped]:
        """Let each state take its option; -1, or no options at all: the one of its seat's random bot."""
        chosen = array("i", [-1] * self.count if options is None else options)
        if len(chosen) != self.count:
            raise ValueError(f"{self.count} states need as many options, not {len(chosen)}")
        self._instance.memory[self._options : self._options + 4 * self.count] = chosen.tobytes()

        def go_on(at: int) -> None:
            states, results = self._states + self._size * at, self._results + self._result * at
            self._instance.export("step_many")(self.count - at, states, self._options + 4 * at, results)

        return self._all(go_on)

    def _all(self, run: Callable[[int], None]) -> list[Stopped]:
        """Run until every state has stopped: a fault ends a call, and the next begins behind that state."""
        instance, memory = self._instance, self._memory
        at, faults = 0, set()
        while at < self.count:
            try:
                run(at)
                break
            except wasmtime.Trap:
                at += instance.number(memory.done)
                faults.add(at)
                record = instance.memory[memory.record : memory.record + self._size]
                self.records[self._size * at : self._size * (at + 1)] = record
                at += 1
        return [Stopped(FAULT, -1, 0, (0,) * self._seats) if at in faults else self._stopped(at) for at in range(self.count)]

    def _stopped(self, number: int) -> Stopped:
        at = self._results + self._result * number
        content = self._instance.memory[at : at + self._result].tobytes()
        kind, player = array("i", content[:8])
        legal = int.from_bytes(content[8 : self._scores], "little")
        return Stopped(kind, player, legal, tuple(array("i", content[self._scores : self._scores + 4 * self._seats])))
