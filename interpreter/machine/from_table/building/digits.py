"""Values of members, stored as binary digits: for each digit, the set of the members whose value has it.

Values are written as *codes*, from 0. Codes below 16 have four digits, so four sets tell all of them apart: members with code 5
are in the first and the third set and in no other. All questions about codes are set algebra, without a loop, and take as many
operations as there are digits. The content of cells (`components/boards.py`) and the values of markers (`expressions/markers.py`)
are kept this way.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...machine import Const, Constants, Expr, Lookup
from .values import op


def count_of(highest: int) -> int:
    """How many digits codes up to this one have."""
    return highest.bit_length()


def with_any(digits: Sequence[Expr]) -> Expr:
    """The members with any code but 0."""
    found: Expr = Const(0)
    for these in digits:
        found = op("union", found, these)
    return found


def with_code(digits: Sequence[Expr], code: int, everything: int) -> Expr:
    """The members that have a code."""
    if not 0 <= code < 1 << len(digits):
        return Const(0)
    if code == 0:
        return op("minus", Const(everything), with_any(digits))
    first, *others = sorted(range(len(digits)), key=lambda digit: not code >> digit & 1)
    found = digits[first]
    for digit in others:
        found = op("intersect" if code >> digit & 1 else "minus", found, digits[digit])
    return found


def below(digits: Sequence[Expr], among: Expr, code: int) -> Expr:
    """The members of ``among`` whose code is less than a number."""
    if code <= 0:
        return Const(0)
    if code >= 1 << len(digits):
        return among
    if code == 1:
        return op("minus", among, with_any(digits))
    found: Expr = Const(0)
    same = among  # as far as the digits have been compared, from the highest
    for digit in reversed(range(len(digits))):
        these = digits[digit]
        if code >> digit & 1:
            found, same = op("union", found, op("minus", same, these)), op("intersect", same, these)
        else:
            same = op("minus", same, these)
    return found


def from_code(digits: Sequence[Expr], code: int, everything: int) -> Expr:
    """The members whose code is a number or more."""
    return with_any(digits) if code == 1 else op("minus", Const(everything), below(digits, Const(everything), code))


def all_or_none(name: str, digit: int, codes: Sequence[int], everything: int, opposite: bool = False) -> Constants:
    """For each of some codes: everything if it has a digit (``opposite``: if it has not), else nothing."""
    masks = tuple(everything if (code >> digit & 1) != opposite else 0 for code in codes)
    return Constants(f"{name} {'without' if opposite else 'with'} digit {digit}", masks, everything.bit_length())


def agreeing(digits: Sequence[Expr], name: str, codes: Sequence[int], index: Expr, everything: int) -> list[Expr]:
    """For each digit, the members that agree in it with the code at ``index`` of ``codes``: with that code are those in all."""
    return [
        op("flip", these, Lookup(all_or_none(name, digit, codes, everything, opposite=True), index))
        for digit, these in enumerate(digits)
    ]
