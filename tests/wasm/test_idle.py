"""Moves of nothing: where they would change nothing they need not be asked for, and any other condition is asked."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.machine.machine import Assign, Const, Domain, Expr, Field, If, Load, Local, Machine, Stmt
from rulesrun.interpreter.wasm.optimize.idle import is_idle

from ..machine.tables import Build, op
from .test_by_hand import alike

MOVING, DRAWN = Local(900, "moving", 6), Local(901, "drawn")
SLOT = Field("slot", "game", low=-1, high=5)
PILE, HAND = Field("pile", "game", bits=6), Field("hand", "game", bits=6)
IN_SLOT = op("if", op("<", Load(SLOT), 0), 0, op("bit", Load(SLOT)))
SOME = op("not", op("=", Load(MOVING), 0))
TO_PILE = Assign(PILE, op("union", Load(PILE), Load(MOVING)))
NONE = Assign(SLOT, Const(-1))

CASES: dict[str, tuple[Expr, If, bool]] = {
    "from a slot": (IN_SLOT, If(SOME, (NONE, TO_PILE)), True),
    "from a set": (Load(HAND), If(SOME, (Assign(HAND, Const(0)), TO_PILE)), True),
    "taken out": (IN_SLOT, If(SOME, (Assign(HAND, op("minus", Load(HAND), Load(MOVING))),)), True),
    "a slot is filled": (IN_SLOT, If(SOME, (Assign(SLOT, Const(0)), TO_PILE)), False),
    "another set is emptied": (IN_SLOT, If(SOME, (Assign(HAND, Const(0)), TO_PILE)), False),
    "a slot is emptied that was not asked": (Load(HAND), If(SOME, (NONE, TO_PILE)), False),
    "something else is added": (IN_SLOT, If(SOME, (NONE, Assign(PILE, op("union", Load(PILE), Load(HAND))))), False),
    "where nothing is": (IN_SLOT, If(op("=", Load(MOVING), 0), (TO_PILE, NONE)), False),
    "or else": (IN_SLOT, If(SOME, (NONE, TO_PILE), (Assign(HAND, Const(0)),)), False),
}


def moving(moved: Expr, stmt: If) -> Machine:
    """Four times, a number or none is put into the slot and a number into the hand, then there is a move."""
    build = Build()
    for field in (SLOT, PILE, HAND):
        build.field(field.name, low=field.low, high=field.high, bits=field.bits)
    numbers = Domain(tuple(f"number {n}" for n in range(-1, 6)), low=-1)
    held = If(op("<=", 0, Load(DRAWN)), (Assign(HAND, op("union", Load(HAND), op("bit", Load(DRAWN)))),))
    body: list[Stmt] = []
    for _ in range(4):
        body += [build.draw(DRAWN, 0b1111111, numbers), Assign(SLOT, Load(DRAWN)), build.draw(DRAWN, 0b11, numbers), held]
        body += [Assign(MOVING, moved), stmt]
    build.routine("main", [], *body)
    seen = op("+", op("count", Load(PILE)), op("*", 10, op("count", Load(HAND))), op("*", 100, op("+", Load(SLOT), 1)))
    for name in ("score", "score of team"):
        build.function(name, [build.local("player")], seen)
    return build.machine("main", score="score")


@pytest.mark.parametrize("case", CASES)
def test_a_move_of_nothing(case: str) -> None:
    moved, stmt, idle = CASES[case]
    assert is_idle(Assign(MOVING, moved), stmt, lambda _: True) == idle
    assert not is_idle(Assign(Local(902, "other", 6), moved), stmt, lambda _: True)
    alike(moving(moved, stmt))
