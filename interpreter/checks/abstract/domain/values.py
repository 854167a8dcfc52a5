"""Abstract values: bounds on numbers, on the number and place of components, and on the members of sets.

Numbers, truth values (0 or 1), words and players (from 0; none is -1) are a `Range`, the least and the greatest possible value.
Components are a `Group`; a single component is a group of at most one. Sets of players or words are `Members`: who surely is in
the set, and who may be. For cells of a grid only their number is known (`Cells`).

An abstract value stands for a set of values that always contains the real one, so bounds may be too wide and never too narrow
(interval analysis: Cousot and Cousot, "Abstract interpretation", POPL 1977).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from attrs import frozen

from ....common.intervals import NONE as NONE
from ....common.intervals import Interval, add, clamp, divide, join, join_all, multiply, subtract
from ....model.model import Type

Place = tuple[str, int]  # a zone and the seat of its owner (`NOBODY` where it has none)

LEAST, MOST = -(1 << 31), (1 << 31) - 1  # of numbers: those that leave it are a finding of their own
NOBODY = -1
NUMBER: Interval = (LEAST, MOST)
TRUTH: Interval = (0, 1)
YES: Interval = (1, 1)
NO: Interval = (0, 0)


@frozen
class Group:
    """Components of a kind: how many there are, how many of them lie where, and which faces (as bits) they may have.

    ``token``: of one component, a number that all amounts have that are surely this very one; what has the same number below 0 is
    surely without it. 0: nothing of the sort is known.
    """

    kind: str
    count: Interval
    parts: dict[Place, Interval]
    faces: int
    token: int = 0

    def lying(self, parts: dict[Place, Interval]) -> Group:
        """This group with its components in other places."""
        return Group(self.kind, self.count, parts, self.faces, self.token)


@frozen
class Members:
    """Players or words, as bits: those that surely are in the set, and those that may be."""

    surely: int
    maybe: int

    @property
    def count(self) -> Interval:
        return self.surely.bit_count(), self.maybe.bit_count()

    @property
    def listed(self) -> Iterator[int]:
        """Those that may be in it, in order."""
        return (member for member in range(self.maybe.bit_length()) if self.maybe >> member & 1)


@frozen
class Cells:
    """So many cells of a grid (or regions of it, which are sets of cells), or ways to lay something there."""

    count: Interval
    grid: str


AbstractValue = Interval | Group | Members | Cells


# ---- Numbers


def plus(one: Interval, other: Interval) -> Interval:
    return clamp(add(one, other), NUMBER)


def minus(one: Interval, other: Interval) -> Interval:
    return clamp(subtract(one, other), NUMBER)


def times(one: Interval, other: Interval) -> Interval:
    return clamp(multiply(one, other), NUMBER)


def divided(one: Interval, other: Interval, up: bool) -> Interval:
    """The quotient, rounded. Who divides by 0 is stopped, so here it is not 0."""
    found = divide(one, other, up)
    return NUMBER if found is None else clamp(found, NUMBER)


def modulo(one: Interval, other: Interval) -> Interval:
    """The rest, where the divisor is not 0; all numbers where it may be less."""
    if other[0] < 0 or other[1] == 0:
        return NUMBER
    if one[0] == one[1] and other[0] == other[1]:
        return one[0] % other[0], one[0] % other[0]
    return (0, min(one[1], other[1] - 1)) if one[0] >= 0 else (0, other[1] - 1)


def opposite(truth: Interval) -> Interval:
    return 1 - truth[1], 1 - truth[0]


def sum_of(values: list[tuple[Interval, int]], count: Interval) -> Interval:
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


def nothing(type: Type) -> AbstractValue:
    """None, or the empty set, or no."""
    match type.base:
        case "component":
            return Group(type.of, NO, {}, 0)
        case "player" | "word" if type.is_set:
            return Members(0, 0)
        case "cell" | "region" | "way" if type.is_set or type.base == "region":
            return Cells(NO, type.of)
        case "truth":
            return NO
        case _:
            return NONE, NONE


def join_groups(one: Group, other: Group) -> Group:
    """What is one of two groups, and it is not known which."""
    parts = {place: join(one.parts.get(place, NO), other.parts.get(place, NO)) for place in one.parts | other.parts}
    return Group(one.kind, join(one.count, other.count), parts, one.faces | other.faces)


def one_of(values: list[AbstractValue]) -> AbstractValue:
    """What is one of these values (at least one, all of a sort), and it is not known which."""
    first = values[0]
    if all(value is first or value == first for value in values):
        return first
    match first:
        case Group():
            return reduce(join_groups, (value for value in values if isinstance(value, Group)))
        case Members():
            members = [value for value in values if isinstance(value, Members)]
            surely, maybe = ~0, 0
            for each in members:
                surely &= each.surely
                maybe |= each.maybe
            return Members(surely, maybe)
        case Cells(grid=grid):
            return Cells(join_all(value.count for value in values if isinstance(value, Cells)), grid)
        case _:
            return join_all(value for value in values if isinstance(value, tuple))
