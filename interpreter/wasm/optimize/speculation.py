"""Speculation: computes both values of a choice and selects one, where that costs less than a mispredicted branch.

Expressions that might trap are never computed so. Where an index may be -1, for which the value is not used, element 0 is read in
its place.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ...machine.machine import Const, Expr, Field, Load, Local, Lookup, Op
from ..binary.code import Code, Push
from .known import StaticFacts

CHEAP = 24  # operations that cost less than a branch that is guessed wrongly
DEAR = 1000


class Speculation:
    """Chooses without a jump in one function. ``inside``: whether code is being added for what is perhaps not asked for."""

    def __init__(self, code: Code, known: StaticFacts) -> None:
        self._code = code
        self._known = known
        self.inside = False

    # ---- What it costs

    def cheap(self, expr: Expr) -> bool:
        """Whether an expression may be evaluated where it need not be: it cannot trap, and costs less than a wrong guess."""
        return self._cost(expr) <= CHEAP

    def _cost(self, expr: Expr) -> int:
        """Operations, roughly; more than `CHEAP` where evaluating it might trap."""
        if self._known.value(expr) is not None:
            return 0
        match expr:
            case Const() | Load(variable=Local()) | Load(index=None):
                return 1
            case Load(variable=Field(length=length), index=index) if index is not None:
                return self._cost_of_element(index, length)
            case Lookup(table=table, index=index):
                return self._cost_of_element(index, len(table.values))
            case Op(name="div" | "div up" | "mod", args=(_, divisor)) if not isinstance(divisor, Const):
                return DEAR
            case Op(args=args):
                return 1 + sum(self._cost(part) for part in args)
            case _:
                return DEAR

    def _cost_of_element(self, index: Expr, length: int) -> int:
        low, high = self._known.range(index)
        return 2 + (2 if low < 0 else 0) + self._cost(index) if low >= -1 and high < length else DEAR

    # ---- Choosing

    @contextmanager
    def perhaps(self) -> Generator[None]:
        """What is added inside is evaluated though it is perhaps not asked for."""
        before, self.inside = self.inside, True
        yield
        self.inside = before

    def select(self, then: Push, otherwise: Push, condition: Push) -> None:
        """Leave one of two values on the stack, both evaluated."""
        with self.perhaps():
            then()
            otherwise()
        condition()
        self._code.add("select")


def simple(expr: Expr) -> bool:
    """Whether an expression can be evaluated where it need not be: it cannot stop the game, and costs next to nothing."""
    match expr:
        case Const() | Load(index=None | Const()):
            return True
        case Op(name="=" | "<" | "<=" | "not" | "has" | "union" | "intersect" | "minus" | "count" | "+" | "-", args=args):
            return all(simple(part) for part in args)
        case _:
            return False
