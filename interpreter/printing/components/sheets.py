"""Sheets: where components lie on paper, where it is cut, and how backs meet fronts. All lengths are millimetres.

Sheets are upright. Components that fill a sheet better when they lie on their side are turned by a quarter. A sheet is turned
over along its long edge, so the back of what lies at the left is printed at the right::

    front            back
    +-----------+    +-----------+
    | a b c     |    |     c b a |
    | d         |    |         d |
    +-----------+    +-----------+
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen

MARGIN: Final = 5.0  # at each edge, where many printers print nothing
MARKS: Final = 2.5  # the room for cut marks inside of it
OVERLAP: Final = 10.0  # of two pages of one board
_NOTHING: Final = 1e-6  # of lengths that are added up


@frozen
class Paper:
    """A format of paper, upright."""

    name: str
    width: float
    height: float


PAPERS: Final = {"A4": Paper("A4", 210.0, 297.0), "Letter": Paper("Letter", 215.9, 279.4)}


@frozen
class Place:
    """Where a component lies: its box after cutting, from the upper left of the sheet. ``turned``: by a quarter, to the right on
    a front and to the left on a back; ``width`` and ``height`` are those of the box, turned already."""

    x: float
    y: float
    width: float
    height: float
    turned: bool = False


@frozen
class Arrangement:
    """How components of one size lie on a sheet: in ``columns`` and ``rows`` of boxes that are ``width`` wide and ``height`` high
    with ``bleed`` around each."""

    paper: Paper
    columns: int
    rows: int
    width: float
    height: float
    bleed: float
    turned: bool

    @property
    def places(self) -> tuple[Place, ...]:
        """All places, row by row."""
        left, top = self._start
        return tuple(
            Place(left + column * self._across, top + row * self._down, self.width, self.height, self.turned)
            for row in range(self.rows)
            for column in range(self.columns)
        )

    def cuts(self, number: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Where to cut the first ``number`` components: from the left edge, and from the upper one; each once."""
        left, top = self._start
        columns, rows = min(number, self.columns), -(-number // self.columns)
        across = {round(left + n * self._across + side, 4) for n in range(columns) for side in (0, self.width)}
        down = {round(top + n * self._down + side, 4) for n in range(rows) for side in (0, self.height)}
        return tuple(sorted(across)), tuple(sorted(down))

    @property
    def _across(self) -> float:
        return self.width + 2 * self.bleed

    @property
    def _down(self) -> float:
        return self.height + 2 * self.bleed

    @property
    def _start(self) -> tuple[float, float]:
        """The upper left corner of the first box: all of them lie in the middle of the sheet."""
        left = (self.paper.width - self.columns * self._across) / 2 + self.bleed
        return left, (self.paper.height - self.rows * self._down) / 2 + self.bleed


def arranged(width: float, height: float, paper: Paper, bleed: float) -> Arrangement | None:
    """The arrangement with the most components on a sheet; None where not even one has room."""

    def turned(turn: bool) -> Arrangement:
        wide, high = (height, width) if turn else (width, height)
        columns = _times(paper.width, wide + 2 * bleed)
        return Arrangement(paper, columns, _times(paper.height, high + 2 * bleed), wide, high, bleed, turn)

    upright, lying = turned(False), turned(True)
    best = lying if lying.columns * lying.rows > upright.columns * upright.rows else upright
    return best if best.columns * best.rows > 0 else None


def _times(room: float, size: float) -> int:
    return int((room - 2 * (MARGIN + MARKS) + _NOTHING) / size)


def mirrored(place: Place, paper: Paper) -> Place:
    """Where the back of a component lies, on the other side of its sheet."""
    return Place(paper.width - place.x - place.width, place.y, place.width, place.height, place.turned)


@frozen
class Window:
    """A part of a board on a page of its own: what lies right of and below ``x`` and ``y`` of the board, as large as the page
    allows. ``column``, ``row``: which page of it, from 0."""

    x: float
    y: float
    width: float
    height: float
    column: int
    row: int


def windows(width: float, height: float, paper: Paper) -> tuple[Window, ...]:
    """The pages of a board, row by row: one where it has room, else several that overlap."""
    across = _cut_up(width, paper.width - 2 * (MARGIN + MARKS))
    down = _cut_up(height, paper.height - 2 * (MARGIN + MARKS))
    return tuple(
        Window(x, y, wide, high, column, row) for row, (y, high) in enumerate(down) for column, (x, wide) in enumerate(across)
    )


def _cut_up(length: float, room: float) -> Sequence[tuple[float, float]]:
    """The starts and lengths of equal pieces that overlap, as few as can be."""
    if length <= room + _NOTHING:
        return [(0.0, length)]
    pieces = 2
    while (length + (pieces - 1) * OVERLAP) / pieces > room + _NOTHING:
        pieces += 1
    each = (length + (pieces - 1) * OVERLAP) / pieces
    return [(n * (each - OVERLAP), each) for n in range(pieces)]


__all__ = ["MARGIN", "MARKS", "OVERLAP", "PAPERS", "Arrangement", "Paper", "Place", "Window", "arranged", "mirrored", "windows"]
