"""Removes guards around moving an empty set: to move nothing changes nothing.

    moving = {} if (played[0] < 0) else bit(played[0])
    if not (moving = {})
        played[0] = -1
        won[leader] = won[leader] union moving

The processor often cannot predict such a condition, and a wrong prediction costs more than these assignments.
"""

from __future__ import annotations

from collections.abc import Callable

from ...machine.machine import Assign, Const, Expr, Field, If, Load, Op, Stmt

EMPTY = Const(0)


def is_idle(before: Stmt | None, stmt: If, cheap: Callable[[Expr], bool]) -> bool:
    """Whether what is done where a set is not empty would change nothing were it empty, and costs little.

    ``before``: the statement before, which may say what is in the set. ``cheap``: whether an expression may be evaluated unasked.
    """
    match before, stmt:
        case Assign(variable=moving, index=None, value=moved), If(condition=condition, otherwise=()) if condition == Op(
            "not", (Op("=", (Load(moving), EMPTY)),)
        ):
            return all(_does_nothing(each, Load(moving), moved, cheap) for each in stmt.then)
        case _:
            return False


def _does_nothing(stmt: Stmt, moving: Expr, moved: Expr, cheap: Callable[[Expr], bool]) -> bool:
    """Whether an assignment leaves everything as it is where ``moving``, which is ``moved``, is empty."""
    match stmt:
        case Assign(variable=variable, index=index, value=value) if index is None or cheap(index):
            here = Load(variable, index)
            if value == EMPTY:
                return moved == here
            if value in (Op("union", (here, moving)), Op("minus", (here, moving))):
                return True
            return isinstance(variable, Field) and _slot(moved) == here and value == Const(variable.low)
        case _:
            return False


def _slot(moved: Expr) -> Expr | None:
    """The slot of one, none or something, whose content this is."""
    match moved:
        case Op(name="if", args=(Op(name="<", args=(slot, Const(value=0))), Const(value=0), Op(name="bit", args=(same,)))) if (
            slot == same
        ):
            return slot
        case _:
            return None
