"""Many games stepped side by side from Python: records in a module's memory, all in one call (`batches.py`)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence

from attrs import frozen

from ...machine.bitsets import members
from .compiled import Compiled
from .instance import Instance, Trap

DECISION, OVER, FAULT, ILLEGAL = 1, 3, 5, -1  # kinds of stops


@frozen
class Stopped:
    """Where a state stands. ``kind``: DECISION, OVER, FAULT, or ILLEGAL (its option was not legal, and it stands as before).

    ``player``: the seat that decides, from 0 (-1: nobody). ``legal``: a bit for each legal option. ``scores``, ``returns``: at
    the end, by seat; else zeros.
    """

    kind: int
    player: int
    legal: int
    scores: tuple[int, ...]
    returns: tuple[int, ...]

    @property
    def options(self) -> list[int]:
        return members(self.legal)


def room_in(compiled: Compiled) -> int:
    """For how many states there is room in the memory of one module."""
    memory = compiled.memory
    return (memory.heap_size - 8) // (memory.record_size + 4 + int(compiled.description["batches"]["result_size"]))


class States:
    """So many games of one table. ``records``: their bytes, one behind the other, which may be changed and copied.

    ``options``: the option that each is to take, 4 bytes each. ``results``: what was told of each (`batches.py`).
    """

    def __init__(self, compiled: Compiled, count: int) -> None:
        told, memory = compiled.description["batches"], compiled.memory
        self.count = count
        self._memory, self._seats = memory, int(compiled.description["seats"])
        self._compiled, self._instance = compiled, Instance(compiled)
        self._size, self._result = memory.record_size, int(told["result_size"])
        self._scores, self._returns = int(told["scores"]), int(told["returns"])
        self._states = memory.heap
        self._options = self._states + self._size * count
        self._results = (self._options + 4 * count + 7) // 8 * 8
        end = self._results + self._result * count
        if count > room_in(compiled):
            raise ValueError(f"there is no room for {count} states in the memory of one module; there is for {room_in(compiled)}")
        self.records = self._instance.memory[self._states : self._options]
        self.options = self._instance.memory[self._options : self._options + 4 * count]
        self.results = self._instance.memory[self._results : end]
        self._start_many, self._step_many = self._instance.export("start_many"), self._instance.export("step_many")

    def start(self, seed: int, first: int = 0) -> list[Stopped]:
        """Let all states be games of a seed, from number ``first`` on, at their first decision."""
        return self._told(self.begin(seed, first))

    def step(self, options: Sequence[int] | None = None) -> list[Stopped]:
        """Let each state take its option; -1, or no options at all: the one of its seat's random bot."""
        chosen = array("i", [-1] * self.count if options is None else options)
        if len(chosen) != self.count:
            raise ValueError(f"{self.count} states need as many options, not {len(chosen)}")
        self.options[:] = chosen.tobytes()
        return self._told(self.go_on())

    def begin(self, seed: int, first: int = 0, at: int = 0, count: int | None = None) -> dict[int, bytes]:
        """Let the states from number ``at`` on, ``count`` of them (None: all), be games of a seed; faults as of `go_on`."""

        def run(number: int, left: int) -> None:
            self._start_many(left, self._record_of(number), seed, first + number - at, self._result_of(number))

        return self._all(run, at, self.count if count is None else at + count)

    def go_on(self, at: int = 0, count: int | None = None) -> dict[int, bytes]:
        """Let the states from number ``at`` on, ``count`` of them (None: all), take their options.

        Those that a fault stopped, each with the record from which it came there.
        """

        def run(number: int, left: int) -> None:
            self._step_many(left, self._record_of(number), self._options + 4 * number, self._result_of(number))

        return self._all(run, at, self.count if count is None else at + count)

    def _record_of(self, number: int) -> int:
        return self._states + self._size * number

    def _result_of(self, number: int) -> int:
        return self._results + self._result * number

    def _all(self, run: Callable[[int, int], None], at: int, end: int) -> dict[int, bytes]:
        """Run until every state has stopped: a fault ends a call, and the next begins behind that state."""
        faults = {}
        while at < end:
            try:
                run(at, end - at)
                break
            except Trap:
                self._instance.in_time(self._compiled.left_off)
                at += self._instance.number(self._memory.done)
                faults[at] = self.records[self._size * at : self._size * (at + 1)].tobytes()
                record = self._instance.memory[self._memory.record : self._memory.record + self._size]
                self.records[self._size * at : self._size * (at + 1)] = record
                at += 1
        return faults

    def _told(self, faults: Collection[int]) -> list[Stopped]:
        nothing = (0,) * self._seats
        return [Stopped(FAULT, -1, 0, nothing, nothing) if at in faults else self._stopped(at) for at in range(self.count)]

    def _stopped(self, number: int) -> Stopped:
        at = self._result * number
        content = self.results[at : at + self._result].tobytes()
        kind, player = array("i", content[:8])
        legal = int.from_bytes(content[8 : self._scores], "little")
        scores, returns = (tuple(array("i", content[at : at + 4 * self._seats])) for at in (self._scores, self._returns))
        return Stopped(kind, player, legal, scores, returns)
