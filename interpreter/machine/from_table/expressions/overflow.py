"""Finds numbers that can leave 32 bits. Their ranges are known before the game, so this is a finding.

Both executors compute with whole numbers. One of them has signed 32 bits for each, so it would compute another value for a number
that leaves them. Only results that can be larger than their parts are tested: sums, differences, products, totals, scores. The
finding is at the expression that first leaves 32 bits; what is computed from it is not reported, so that one mistake is one
message.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....common.source import Span
from ..building.builder import Builder
from ..building.values import LEAST, MOST

Range = tuple[int, int]


def fits(low: int, high: int) -> bool:
    return low >= LEAST and high <= MOST


def report_too_large(
    low: int,
    high: int,
    parts: Iterable[Range],
    b: Builder,
    span: Span,
    *others: tuple[Span, str],
    what: str = "this",
    help: str = "narrow the range of what is counted",
) -> None:
    """A finding where ``what`` can come to ``low`` or ``high``, and all that it is made of still fits; one for each place."""
    said = any(d.code == "R306" and d.span == span for d in b.found)
    if said or fits(low, high) or not all(fits(*part) for part in parts):
        return
    end, limit, way = (high, MOST, "up") if high > MOST else (low, LEAST, "down")
    b.complain("R306", f"{what} can come to {end:,}, and numbers go {way} to {limit:,}", span, *others, help=help)
