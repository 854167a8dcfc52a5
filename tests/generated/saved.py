"""An executor that saves the game after each event and loads it before each question; it must play the same game.

`Saved` has the methods by which `lockstep.py` plays. A game in progress is its record alone, in a list of one.
"""

from __future__ import annotations

from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.machine.reference.stops import Stop

Kept = list[bytes]


class Saved:
    """The reference executor, with nothing kept between two calls but the record; where scratch was is rubbish."""

    def __init__(self, executor: Executor) -> None:
        self.machine = executor.machine
        self._executor = executor

    def _load(self, kept: Kept) -> list[int]:
        cells = self._executor.unpack(kept[0])
        for local, slot in self.machine.layout.scratch.items():
            cells[slot] = (1 << local.bits) - 1 if local.bits else 77_777
        return cells

    def _ended(self, kept: Kept, cells: list[int], stop: Stop) -> Stop:
        kept[0] = self._executor.pack(cells)
        return stop

    def fresh(self, seed: int = 0, game: int = 0) -> Kept:
        return [self._executor.pack(self._executor.fresh(seed, game))]

    def enter(self, kept: Kept) -> Stop:
        cells = self._load(kept)
        return self._ended(kept, cells, self._executor.enter(cells))

    def choose(self, kept: Kept, option: int) -> Stop:
        cells = self._load(kept)
        return self._ended(kept, cells, self._executor.choose(cells, option))

    def happen(self, kept: Kept, value: int) -> Stop:
        cells = self._load(kept)
        return self._ended(kept, cells, self._executor.happen(cells, value))

    def pick(self, kept: Kept, seat: int) -> int:
        cells = self._load(kept)
        option = self._executor.pick(cells, seat)
        kept[0] = self._executor.pack(cells)
        return option

    def draw(self, kept: Kept) -> int:
        cells = self._load(kept)
        value = self._executor.draw(cells)
        kept[0] = self._executor.pack(cells)
        return value

    def options(self, kept: Kept) -> list[int]:
        return self._executor.options(self._load(kept))

    def outcomes(self, kept: Kept) -> list[tuple[int, int]]:
        return self._executor.outcomes(self._load(kept))

    def player(self, kept: Kept) -> int:
        return self._executor.player(self._load(kept))

    def digest(self, kept: Kept, seat: int) -> int:
        return self._executor.digest(self._load(kept), seat)

    def evaluate(self, kept: Kept, function: str, *arguments: int) -> int:
        return self._executor.evaluate(self._load(kept), function, *arguments)

    def pack(self, kept: Kept) -> bytes:
        return kept[0]
