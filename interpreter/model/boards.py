"""Boards that are no rectangle: named points, the lines along which they are joined, and where a picture places them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from math import gcd

from attrs import frozen

Vector = tuple[int, int]
NOWHERE = -1
FIRST_LINES = 2  # lines without a direction run along the axes (1, 2), (1, 3), ..., none of which is a multiple of another


def column_name(column: int) -> str:
    """``a`` to ``z``, then ``aa`` to ``az``, ``ba`` ..."""
    text = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        text = chr(ord("a") + letter) + text
    return text


@frozen
class Board:
    """Points, by number, and their names. ``axes``: the next point of each point along it, or `NOWHERE`; a point has at most one
    next one and one before it. A vector stands for its axis: that of a picture is how far one step leads across and up, and so
    many times that vector are so many steps. ``places``: column and row of each point, from 0 at the lower left; none where
    the board is no picture.
    """

    names: tuple[str, ...]
    axes: tuple[tuple[Vector, tuple[int, ...]], ...]
    places: tuple[tuple[int, int], ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the picture; without one, a single row."""
        return (max(x for x, _ in self.places) + 1, max(y for _, y in self.places) + 1) if self.places else (len(self.names), 1)

    @cached_property
    def _next(self) -> dict[Vector, tuple[int, ...]]:
        found: dict[Vector, tuple[int, ...]] = {}
        for (across, up), following in self.axes:
            before = [NOWHERE] * len(following)
            for point, other in enumerate(following):
                if other != NOWHERE:
                    before[other] = point
            found[across, up], found[-across, -up] = following, tuple(before)
        return found

    def target(self, point: int, across: int, up: int) -> int:
        """The point to which so many steps along an axis lead, or `NOWHERE`."""
        times = gcd(across, up)
        following = self._next.get((across // times, up // times), ()) if times else ()
        for _ in range(times):
            point = following[point] if point != NOWHERE and following else NOWHERE
        return point

    def shifts(self, across: int, up: int) -> list[tuple[int, int]]:
        """How a set of points is moved along an axis: the points that go on, in groups, and by how many numbers."""
        return _grouped((point, self.target(point, across, up)) for point in range(len(self.names)))

    @cached_property
    def links(self) -> list[tuple[int, int]]:
        """All points that are joined, in groups: the lower ones as a set, and by how many numbers the other ones are higher."""
        pairs = ((point, other) for _, following in self.axes for point, other in enumerate(following))
        return _grouped((min(pair), max(pair)) for pair in pairs if NOWHERE not in pair)

    def lines(self, axis: Vector | None = None) -> Iterator[list[int]]:
        """The longest lines along one axis, or along all."""
        for vector, following in self.axes:
            if axis in (None, vector):
                before = self._next[-vector[0], -vector[1]]
                for start, other in enumerate(following):
                    if other != NOWHERE and before[start] == NOWHERE:
                        line = [start]
                        while (further := following[line[-1]]) != NOWHERE:
                            line.append(further)
                        yield line

    def longest(self, axis: Vector | None = None) -> int:
        """How many points the longest line has."""
        return max(map(len, self.lines(axis)), default=1)


def _grouped(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    groups: dict[int, int] = {}
    for point, other in pairs:
        if other != NOWHERE:
            groups[other - point] = groups.get(other - point, 0) | 1 << point
    return [(points, by) for by, points in sorted(groups.items())]


def board(
    names: Sequence[str],
    places: Sequence[tuple[int, int]],
    drawn: Iterable[tuple[int, int, Vector]],
    lines: Iterable[Sequence[int]],
) -> Board:
    """A board of points, of links that have a direction (which is an axis), and of lines that have none.

    Each line is put on the first axis that has none of its points; a point that a line comes back to begins another line.
    """
    axes: dict[Vector, list[int]] = {}
    more = [*lines]
    for point, other, axis in drawn:
        following = axes.setdefault(axis, [NOWHERE] * len(names))
        if following[point] == NOWHERE and other not in following:
            following[point] = other
        else:
            more.append((point, other))
    taken: list[set[int]] = []  # by axis, the points of its lines
    for line in (part for each in more for part in _parts(each)):
        number = next((number for number, points in enumerate(taken) if points.isdisjoint(line)), len(taken))
        if number == len(taken):
            taken.append(set())
        taken[number].update(line)
        following = axes.setdefault((1, FIRST_LINES + number), [NOWHERE] * len(names))
        for point, other in pairwise(line):
            following[point] = other
    return Board(tuple(names), tuple((axis, tuple(following)) for axis, following in axes.items()), tuple(places))


def _parts(line: Sequence[int]) -> Iterator[list[int]]:
    part: list[int] = []
    for point in line:
        if point in part:
            yield part
            part = part[-1:]
        part.append(point)
    yield part
