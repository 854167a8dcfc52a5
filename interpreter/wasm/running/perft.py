"""Counts sequences of acts inside a module, in calls short enough that Ctrl-C is obeyed.

`emission/exports/perft.py` says how the tree is walked, and where the state of the walk lies.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..emission.exports.perft import ENDED, FRAMES, LEVEL, MASK, SEQUENCES
from ..emission.lowering.flow import DECISION
from .compiled import Compiled
from .instance import Instance, Trap

STEPS = 200_000  # acts in a call; at some hundred nanoseconds each


class Stuck(Exception):
    """A fault stopped the game. ``acts``: the options by which it came about, the last one included."""

    def __init__(self, acts: tuple[int, ...]) -> None:
        super().__init__()
        self.acts = acts


class SequenceCounter:
    """Walks the tree of one game without chance."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled, self._memory = compiled, compiled.memory
        self._instance = Instance(compiled)
        self._size, self._stop = compiled.description["walk"]["frame_size"], compiled.description["walk"]["stop_size"]
        self.deepest = (self._memory.heap_size - FRAMES) // self._size  # acts for which there is room

    def walk(self, depth: int) -> Iterator[tuple[int, int]]:
        """How many sequences of ``depth`` acts (1 or more) there are, and how many of them end the game: so far, again and
        again, at last all. Raises `Stuck`."""
        instance, base = self._instance, self._memory.heap
        begun = False
        try:
            begun = self._begin()
            while begun and instance.export("walk")(base, depth, STEPS, self.deepest):
                yield self._counted()
        except Trap:
            instance.in_time(self._compiled.left_off)
            levels = range(min(instance.number(base + LEVEL) + 1, self.deepest)) if begun else ()
            raise Stuck(tuple(instance.number(base + FRAMES + self._size * level) for level in levels)) from None
        yield self._counted() if begun else (0, 0)

    def _begin(self) -> bool:
        """Put the first frame there; False where the game is over before anybody acts."""
        instance, memory = self._instance, self._memory
        base = memory.heap
        instance.memory[base : base + FRAMES + MASK] = bytes(FRAMES + MASK)
        instance.export("reset")(0, 0)
        if instance.export("begin")(0) != DECISION:
            return False
        for at, come, size in (
            (base + FRAMES + MASK, memory.offered, 8 * memory.option_words),
            (base + FRAMES + MASK + 8 * memory.option_words, memory.record, self._stop),
        ):
            instance.memory[at : at + size] = instance.memory[come : come + size]
        return True

    def _counted(self) -> tuple[int, int]:
        base = self._memory.heap
        return self._instance.number(base + SEQUENCES, 8), self._instance.number(base + ENDED, 8)
