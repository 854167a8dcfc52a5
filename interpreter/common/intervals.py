"""Interval arithmetic: what sums, products and quotients of whole numbers can be, of which only the ends are known.

An interval is a pair of its least and its greatest number, both inside. Results are exact: each of their ends is reached.
Division rounds down, or up where that is said (Moore, "Interval Analysis", 1966).

What may be none as well has none for its low end: -1, or the number below all others where they go below 0. So none is told from
every number, and code that never meets numbers below 0 always has -1 for none.
"""

from __future__ import annotations

from collections.abc import Iterable

Interval = tuple[int, int]

NONE = -1


def or_none(one: Interval | None, optional: bool = False) -> Interval:
    """The interval of what lies in one, or is none; of None: it is none. ``optional``: whether it may be none already."""
    if one is None:
        return NONE, NONE
    return (min(NONE, one[0]) if optional else min(NONE, one[0] - 1)), one[1]


def without_none(one: Interval) -> Interval | None:
    """What is left of an interval that has none for its low end; None where nothing is."""
    low = max(0, one[0]) if one[0] >= NONE else one[0] + 1
    return (low, one[1]) if low <= one[1] else None


def add(one: Interval, other: Interval) -> Interval:
    """The sums."""
    return one[0] + other[0], one[1] + other[1]


def subtract(one: Interval, other: Interval) -> Interval:
    """The differences."""
    return one[0] - other[1], one[1] - other[0]


def multiply(one: Interval, other: Interval) -> Interval:
    """The products."""
    corners = [a * b for a in one for b in other]
    return min(corners), max(corners)


def divide(one: Interval, other: Interval, up: bool = False) -> Interval | None:
    """The quotients by all divisors but 0, rounded; None where 0 is the only divisor."""
    divisors = [d for d in (*other, 1, -1) if d and other[0] <= d <= other[1]]
    corners = [-(-a // b) if up else a // b for a in one for b in divisors]
    return (min(corners), max(corners)) if corners else None


def join(one: Interval, other: Interval) -> Interval:
    """The smallest interval around two."""
    if one == other:
        return one
    return min(one[0], other[0]), max(one[1], other[1])


def join_all(intervals: Iterable[Interval]) -> Interval:
    """The smallest interval around all of these (at least one)."""
    lows, highs = zip(*intervals, strict=True)
    return min(lows), max(highs)


def meet(one: Interval, other: Interval) -> Interval | None:
    """The numbers in both; None where there are none."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low <= high else None


def clamp(value: Interval, bounds: Interval) -> Interval:
    """The interval with its ends moved inside others."""
    low, high = bounds
    if low <= value[0] and value[1] <= high:
        return value
    return min(max(value[0], low), high), min(max(value[1], low), high)


def compare(op: str, one: Interval, other: Interval) -> bool | None:
    """Whether ``=``, ``<`` or ``<=`` holds between any two numbers of these intervals; None where that depends on the numbers."""
    (a, b), (c, d) = one, other
    match op:
        case "=":
            return False if b < c or d < a else True if a == b == c == d else None
        case "<":
            return True if b < c else False if a >= d else None
        case _:
            return True if b <= c else False if a > d else None
