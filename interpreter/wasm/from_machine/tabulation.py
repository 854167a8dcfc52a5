"""Which expressions depend on one small number only? They become a lookup in a table of all that they can be.

What is printed on the card that the leader has played, or -1 where there is none, plus 1, and then the cards on which the same is
printed: all that follows from one number of 53, and so it is one load. (Partial evaluation: the values are worked out by
what the operators mean to the reference executor.)
"""

from __future__ import annotations

from collections.abc import Callable

from ...machine.machine import Const, Constants, Expr, Load, Lookup, Op, OpName
from ...machine.ranges import Ranges
from .places import WORD

MOST = 512  # values of the number
LEAST = 3  # operations and lookups that a table is worth
WORTH = frozenset(("bit", "*", "div", "div up", "mod"))  # worth it; a few comparisons and sums are not, for a load takes as long

Compute = Callable[[OpName, list[int]], int | None]  # what an operator makes of numbers, None where it makes nothing
Static = Callable[[Expr], int | None]


def tabulated(expr: Expr, words: int, ranges: Ranges, static: Static, compute: Compute) -> Expr | None:
    """The lookup that an expression comes to, or a constant where it is always the same; None where it is best left as it is.

    ``words``: of the set that it is, 0 for a number. ``static``: what an expression surely is.
    """
    shape = _Shape(static)
    shape.look_at(expr)
    if shape.variable is None or shape.size < LEAST or not shape.worth:
        return None
    low, high = ranges.known(shape.variable)
    if high - low >= MOST:
        return None
    values = tuple(_value(expr, shape.variable, value, static, compute) or 0 for value in range(low, high + 1))
    if len(set(values)) == 1:
        return Const(values[0])
    return Lookup(Constants("", values, WORD * words), Op("-", (shape.variable, Const(low))) if low else shape.variable)


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
            raise AssertionError("only what has a shape is worked out")


class _Shape:
    """``variable``: the only number in it, None where there are others. ``size``: operations and lookups."""

    def __init__(self, static: Callable[[Expr], int | None]) -> None:
        self._static = static
        self.variable: Load | None = None
        self.size = 0
        self.worth = False

    def look_at(self, expr: Expr) -> bool:
        """Go through an expression; False where it is of no use to go on."""
        match expr:
            case Const():
                return True
            case Load(variable=variable):
                if self._static(expr) is not None:
                    return True
                if variable.bits or self.variable not in (None, expr):
                    self.variable = None
                    return False
                self.variable = expr
                return True
            case Lookup(index=index):
                self.size += 1
                self.worth = True
                return self.look_at(index)
            case Op(name=name, args=args) if name not in ("left", "right"):
                self.size += 1
                self.worth |= name in WORTH
                return all(self.look_at(part) for part in args)
            case _:
                self.variable = None
                return False
