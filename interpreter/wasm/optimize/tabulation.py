"""Replaces expressions that depend on one small number by a lookup in a table of all their values.

An example: what is printed on the card that the leader has played, or -1 where there is none, plus 1, and then the cards on which
the same is printed. All of it follows from one number of 53, and so it is one load. (Partial evaluation: the values are computed
as the reference executor defines the operators.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...machine.analysis.ranges import Ranges
from ...machine.machine import Const, Constants, Expr, Field, Invoke, Load, Lookup, Op, OpName
from ...machine.traverse import operands
from ..layout.storage import WORD

MOST = 512  # values of the number
LEAST = 3  # operations and lookups that a table is worth
WORTH = frozenset(("bit", "*", "div", "div up", "mod"))  # worth it; a few comparisons and sums are not, for a load takes as long

Compute = Callable[[OpName, list[int]], int | None]  # what an operator makes of numbers, None where it makes nothing
Static = Callable[[Expr], int | None]


def tabulated(expr: Expr, words: int, ranges: Ranges, static: Static, compute: Compute) -> Expr | None:
    """The lookup that an expression comes to, or a constant where it is always the same; None where it is best left as it is.

    ``expr``: one that `may_be_tabulated`. ``words``: of the set that it is, 0 for a number. ``static``: what an expression
    surely is.
    """
    variable = _variable(expr, static)
    if variable is None:
        return None
    low, high = ranges.known(variable)
    if high - low >= MOST:
        return None
    values = tuple(_value(expr, variable, value, static, compute) or 0 for value in range(low, high + 1))
    if words:  # a set that would need more is asked for nowhere
        values = tuple(value & ((1 << WORD * words) - 1) for value in values)
    if len(set(values)) == 1:
        return Const(values[0])
    return Lookup(Constants("", values, WORD * words), Op("-", (variable, Const(low))) if low else variable)


def _value(expr: Expr, variable: Load, value: int, static: Static, compute: Compute) -> int | None:
    """What an expression is where its variable has a value; None where it is nothing, since it is not asked for there."""
    match expr:
        case Load():
            return value if expr == variable else static(expr)
        case Const(value=constant):
            return constant
        case Lookup(table=table, index=index):
            at = _value(index, variable, value, static, compute)
            return None if at is None or not 0 <= at < len(table.values) else table.values[at]
        case Op(name="if", args=(condition, then, otherwise)):
            holds = _value(condition, variable, value, static, compute)
            return None if holds is None else _value(then if holds else otherwise, variable, value, static, compute)
        case Op(name="and" | "or" as name, args=args):
            found: int | None = None
            for part in args:
                found = _value(part, variable, value, static, compute)
                if found is None or bool(found) == (name == "or"):
                    break
            return found
        case Op(name=name, args=args):
            parts = [_value(part, variable, value, static, compute) for part in args]
            known = [part for part in parts if part is not None]
            return compute(name, known) if len(known) == len(parts) else None
        case _:
            raise AssertionError("only what may be tabulated is worked out")


def may_be_tabulated(expr: Expr) -> bool:
    """Whether an expression is worth a table and can have one, if it turns out to depend on one number only."""
    size, worth = 0, False
    for part in _parts(expr):
        match part:
            case Invoke() | Op(name="left" | "right"):
                return False
            case Load(variable=Field(bits=bits)) if bits:
                return False
            case Lookup():
                size, worth = size + 1, True
            case Op(name=name):
                size, worth = size + 1, worth or name in WORTH
            case _:
                pass
    return size >= LEAST and worth


def _variable(expr: Expr, static: Static) -> Load | None:
    """The only number in an expression that is not known; None where there are others, or none."""
    loads = [part for part in _parts(expr) if isinstance(part, Load) and static(part) is None]
    if not loads or loads[0].variable.bits or any(load != loads[0] for load in loads):
        return None
    return loads[0]


def _parts(expr: Expr) -> Iterator[Expr]:
    """An expression and what it is made of; of an element of a variable not what says which it is."""
    yield expr
    if not isinstance(expr, Load):
        for operand in operands(expr):
            yield from _parts(operand)
