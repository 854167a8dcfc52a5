"""Register promotion: the fields that a loop reads, where all stores to them are written in the same function."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.machine.machine import Assign, Call, Const, Domain, Field, If, Load, Machine, Stmt, While
from rulesrun.interpreter.wasm.optimize.promotion import promoted

from ..machine.tables import LOOP, Build, op
from .test_by_hand import alike

POT, ROUND = Field("pot", "game", high=99), Field("round", "game", high=9)


def rounds(*body: Stmt) -> Machine:
    """Four rounds in each of which chance adds to the pot, and so does a routine that is called."""
    build = Build()
    for field in (POT, ROUND):
        build.field(field.name, high=field.high)
    drawn = build.local("drawn")
    build.routine("adds", [], Assign(POT, op("+", Load(POT), Load(ROUND))), stops=False)
    build.routine("calls it", [], Call("adds"), stops=False)
    lucky = If(op("<", Load(POT), op("*", 3, Load(drawn))), (Assign(POT, op("+", Load(POT), 2)),))
    event = build.draw(drawn, 0b111, Domain(("zero", "one", "two")))
    loop = (Assign(ROUND, op("+", Load(ROUND), 1)), event, lucky, *body)
    build.routine("main", [], Assign(ROUND, Const(0)), While(op("<", Load(ROUND), 4), loop, LOOP))
    for name in ("score", "score of team"):
        build.function(name, [build.local("player")], Load(POT))
    return build.machine("main", score="score")


@pytest.mark.parametrize(
    ("once", "found"),
    [({"adds", "calls it"}, {(POT, 0), (ROUND, 0)}), ({"calls it"}, {(ROUND, 0)}), (set(), {(ROUND, 0)})],
)
def test_what_is_written_here_may_store_to_it(once: set[str], found: set[tuple[Field, int]]) -> None:
    machine = rounds(Call("calls it"))
    assert set(promoted(machine.routines["main"], machine.functions, machine.routines, once)) == found


@pytest.mark.parametrize("calls", [("calls it",), ("calls it", "calls it"), ("adds", "calls it")])
def test_it_is_the_same_game(calls: tuple[str, ...]) -> None:
    alike(rounds(*map(Call, calls)))
