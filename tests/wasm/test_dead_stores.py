"""Stores that playouts leave out: those to fields of which nothing is asked that could make a difference, and no others."""

from __future__ import annotations

import pytest
import rulesrun
from rulesrun.interpreter.machine.machine import (
    Assign,
    Call,
    Domain,
    Expr,
    Fail,
    Fault,
    Field,
    If,
    Invoke,
    Load,
    Machine,
    Note,
    Stmt,
)
from rulesrun.interpreter.machine.traverse import every_statement
from rulesrun.interpreter.wasm.optimize.dead_stores import without_dead_stores

from ..games.test_every_table import GAMES
from ..machine.tables import LOOP, Build, op, say
from .test_by_hand import alike

ONE, OTHER, FOUND = (Field(name, "game", high=99) for name in ("one", "other", "found"))
STOP, ASKED = (Fault("R699", say(text), LOOP) for text in ("stopped", "asked and stopped"))


def add(to: Field, value: Expr | int = 1) -> Assign:
    return Assign(to, op("min", 99, op("+", Load(to), value)))  # it always fits


ROUTINES = {"counts": (add(ONE),), "counts and scores": (add(ONE), add(FOUND))}
CASES: dict[str, tuple[tuple[Stmt, ...], set[str]]] = {
    "only kept up to date": ((add(ONE),), {"found"}),
    "each for the other": ((add(ONE, Load(OTHER)), add(OTHER, Load(ONE))), {"found"}),
    "for the score": ((add(FOUND, Load(ONE)), add(ONE)), {"found", "one"}),
    "for what the score needs": ((add(ONE, Load(OTHER)), add(OTHER), add(FOUND, Load(ONE))), {"found", "one", "other"}),
    "in a condition": ((add(ONE), If(op("<", Load(ONE), 3), (add(FOUND),))), {"found", "one"}),
    "in the condition of what is left out": ((add(ONE), If(op("<", Load(ONE), 3), (add(OTHER),))), {"found"}),
    "told and nothing else": ((add(ONE), Note(say("now"), Load(ONE))), {"found"}),
    "what could stop the game": ((Assign(ONE, Invoke("checked", (Load(OTHER),))), add(OTHER)), {"found", "one", "other"}),
    "who is stopped": ((add(ONE), If(op("<", 2, Load(ONE)), (Fail(STOP),))), {"found", "one"}),
    "in a routine that does nothing else": ((Call("counts"),), {"found", "one"}),
    "in a routine that does more": ((Call("counts and scores"),), {"found"}),
}


def repeated(*body: Stmt) -> Machine:
    """Three times, chance adds to what is found, and the statements follow."""
    build = Build()
    for field in (ONE, OTHER, FOUND):
        build.field(field.name, high=field.high)
    given = build.local("given")
    build.function("checked", [given], If(op("<", 2, Load(given)), (Fail(ASKED),)), Load(given))
    drawn = build.local("drawn")
    for call in body:
        if isinstance(call, Call):
            build.routine(call.routine, [], *ROUTINES[call.routine], stops=False)
    rounds: list[Stmt] = []
    for _ in range(3):
        rounds += [build.draw(drawn, 0b111, Domain(("zero", "one", "two"))), add(FOUND, Load(drawn)), *body]
    build.routine("main", [], *rounds)
    for name in ("score", "score of team"):
        build.function(name, [build.local("player")], Load(FOUND))
    return build.machine("main", score="score")


def stored(machine: Machine) -> set[str]:
    """The fields that routines store to, as far as they are called."""
    called = set(machine.main)
    while (
        more := {
            stmt.routine for name in called for stmt in every_statement(machine.routines[name].body) if isinstance(stmt, Call)
        }
        - called
    ):
        called |= more
    statements = (stmt for name in called for stmt in every_statement(machine.routines[name].body))
    return {stmt.variable.name for stmt in statements if isinstance(stmt, Assign) and isinstance(stmt.variable, Field)}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_what_is_left_out(case: str) -> None:
    body, kept = CASES[case]
    machine = repeated(*body)
    assert stored(without_dead_stores(machine)) == kept
    alike(machine)


def test_the_pieces_on_a_grid_whose_rules_ask_for_its_cells() -> None:
    machine = rulesrun.load(GAMES / "classics" / "connect_four.rules").machine
    assert stored(machine) - stored(without_dead_stores(machine)) == {"disc on board"}
