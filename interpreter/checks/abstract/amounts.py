"""Abstract values: bounds on numbers, on the number and place of components, and on the members of sets.

Numbers, truth values (0 or 1), words and players (from 0; none is -1) are a `Range`, the least and the greatest possible value.
Components are a `Group`; a single component is a group of at most one. Sets of players or words are `Members`: who surely is in
the set, and who may be. For cells of a grid only their number is known (`Cells`).

An abstract value stands for a set of values that always contains the real one, so bounds may be too wide and never too narrow
(interval analysis: Cousot and Cousot, "Abstract interpretation", POPL 1977).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce

from attrs import frozen

Range = tuple[int, int]
Place = tuple[str, int]  # a zone and the seat of its owner (`NOBODY` where it has none)

LEAST, MOST = -(1 << 31), (1 << 31) - 1  # of numbers: those that leave it are a finding of their own
NOBODY = -1
NONE = -1
NUMBER: Range = (LEAST, MOST)
TRUTH: Range = (0, 1)
YES: Range = (1, 1)
NO: Range = (0, 0)


@frozen
class Group:
    """Components of a kind: how many there are, how many of them lie where, and which faces (as bits) they may have.

    ``token``: of one component, a number that all amounts have that are surely this very one; what has the same number below 0 is
    surely without it. 0: nothing of the sort is known.
    """

    kind: str
    count: Range
    parts: dict[Place, Range]
    faces: int
    token: int = 0

    def lying(self, parts: dict[Place, Range]) -> Group:
        """This group with its components in other places."""
        return Group(self.kind, self.count, parts, self.faces, self.token)


@frozen
class Members:
    """Players or words, as bits: those that surely are in the set, and those that may be."""

    surely: int
    maybe: int

    @property
    def count(self) -> Range:
        return self.surely.bit_count(), self.maybe.bit_count()

    @property
    def listed(self) -> Iterator[int]:
        """Those that may be in it, in order."""
        return (member for member in range(self.maybe.bit_length()) if self.maybe >> member & 1)


@frozen
class Cells:
    """So many cells of a grid (or regions of it, which are sets of cells), or ways to lay something there."""

    count: Range
    grid: str


Amount = Range | Group | Members | Cells


# ---- Numbers


def joined(ranges: Iterable[Range]) -> Range:
    """The range of what lies in one of these (at least one)."""
    lows, highs = zip(*ranges, strict=True)
    return min(lows), max(highs)


def either(one: Range, other: Range) -> Range:
    """The range of what lies in one of two."""
    if one == other:
        return one
    return min(one[0], other[0]), max(one[1], other[1])


def or_nothing(one: Range) -> Range:
    """The range of what lies in one, or is none."""
    return one if one[0] == NONE else either(one, (NONE, NONE))


def met(one: Range, other: Range) -> Range | None:
    """What lies in both; None when nothing does."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low <= high else None


def plus(one: Range, other: Range) -> Range:
    low, high = one[0] + other[0], one[1] + other[1]
    return (low, high) if low >= LEAST and high <= MOST else within((low, high), NUMBER)


def minus(one: Range, other: Range) -> Range:
    return plus(one, (-other[1], -other[0]))


def times(one: Range, other: Range) -> Range:
    corners = [a * b for a in one for b in other]
    return within((min(corners), max(corners)), NUMBER)


def divided(one: Range, other: Range, up: bool) -> Range:
    """The quotient, rounded. Who divides by 0 is stopped, so here it is not 0."""
    divisors = [d for d in (*other, 1, -1) if d and other[0] <= d <= other[1]]
    corners = [-(-a // b) if up else a // b for a in one for b in divisors]
    return within((min(corners), max(corners)), NUMBER) if corners else NUMBER


def modulo(one: Range, other: Range) -> Range:
    """The rest, where the divisor is not 0; all numbers where it may be less."""
    if other[0] < 0 or other[1] == 0:
        return NUMBER
    if one[0] == one[1] and other[0] == other[1]:
        return one[0] % other[0], one[0] % other[0]
    return (0, min(one[1], other[1] - 1)) if one[0] >= 0 else (0, other[1] - 1)


def within(value: Range, bounds: Range) -> Range:
    """A range with its ends moved inside others."""
    low, high = bounds
    if low <= value[0] and value[1] <= high:
        return value
    return min(max(value[0], low), high), min(max(value[1], low), high)


def opposite(truth: Range) -> Range:
    return 1 - truth[1], 1 - truth[0]


def sum_of(values: list[tuple[Range, int]], count: Range) -> Range:
    """The least and the most of a sum over so many of components that have these values (each with its number of copies)."""

    def most(ends: list[tuple[int, int]]) -> int:
        """The largest sum; ``ends``: value and copies."""
        total = taken = 0
        for value, copies in sorted(ends, reverse=True):
            number = min(copies, (count[1] if value > 0 else count[0]) - taken)
            if number > 0:
                total += number * value
                taken += number
        return total

    low = -most([(-low, copies) for (low, _), copies in values])
    return max(-MOST, low), min(MOST, most([(high, copies) for (_, high), copies in values]))


# ---- Sets


def either_group(one: Group, other: Group) -> Group:
    """What is one of two groups, and it is not known which."""
    parts = {place: either(one.parts.get(place, NO), other.parts.get(place, NO)) for place in one.parts | other.parts}
    return Group(one.kind, either(one.count, other.count), parts, one.faces | other.faces)


def one_of(values: list[Amount]) -> Amount:
    """What is one of these values (at least one, all of a sort), and it is not known which."""
    first = values[0]
    if all(value is first or value == first for value in values):
        return first
    match first:
        case Group():
            return reduce(either_group, (value for value in values if isinstance(value, Group)))
        case Members():
            members = [value for value in values if isinstance(value, Members)]
            surely, maybe = ~0, 0
            for each in members:
                surely &= each.surely
                maybe |= each.maybe
            return Members(surely, maybe)
        case Cells(grid=grid):
            return Cells(joined(value.count for value in values if isinstance(value, Cells)), grid)
        case _:
            return joined(value for value in values if isinstance(value, tuple))
