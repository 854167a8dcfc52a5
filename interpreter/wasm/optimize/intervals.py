"""Recognises sets that surely are intervals, without a gap: the member of a rank is their lowest member plus the rank.

Examples are the possible bids, the numbers up to what somebody has, everything and nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from ...machine.machine import Const, Expr, Lookup, Op


def is_interval(expr: Expr, known: Callable[[Expr], Expr]) -> bool:
    """Whether a set has no gap, whatever it is. ``known``: a constant or lookup that is the same as an expression, or itself."""
    match known(expr):
        case Const(value=value):
            return _is_run(value)
        case Lookup(table=table):
            return all(map(_is_run, table.values))
        case Op(name="intersect", args=args):
            return all(is_interval(part, known) for part in args)
        case Op(name="if", args=(_, then, otherwise)):
            return is_interval(then, known) and is_interval(otherwise, known)
        case Op(name="union", args=(Op(name="if", args=(_, Const(value=everything), Const(value=0))), some)):
            at_most = _at_most(known(some))
            return _is_run(everything) and at_most is not None and not at_most & ~everything and is_interval(some, known)
        case _:
            return False


def _is_run(members: int) -> bool:
    """Whether the bits of a set stand side by side."""
    lowest = members & -members
    return not members + lowest & members


def _at_most(expr: Expr) -> int | None:
    """All that can be in a set; None where that is not seen at once."""
    match expr:
        case Const(value=value):
            return value
        case Lookup(table=table):
            found = 0
            for value in table.values:
                found |= value
            return found
        case _:
            return None
