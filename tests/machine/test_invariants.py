"""A machine that breaks a promise is noticed, and one that keeps them is left alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.machine import (
    Assign,
    Block,
    Call,
    Const,
    Constants,
    Domain,
    Expr,
    Field,
    Finish,
    If,
    Invoke,
    Layout,
    Leave,
    Load,
    Local,
    Lookup,
    Machine,
    Op,
    Return,
    Show,
    While,
)

from .tables import LOOP, Build, card_game, fail, op, say


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_card_game_keeps_its_promises(seats: int) -> None:
    assert violations(card_game(seats)) == []


def test_every_path_of_a_function_may_end_in_its_own_way() -> None:
    build = Build()
    x = build.local("x")
    build.function("either", [x], If(Load(x), (Return(Const(1)),), (fail(),)))
    build.function("loop", [], While(Const(1), (Return(Const(1)),), LOOP))
    build.function("block", [], Block("b", (Leave("b"),)), Const(1))
    assert violations(build.machine()) == []


def _function(*body: object, parameters: int = 0) -> Callable[[Build], None]:
    def add(build: Build) -> None:
        build.function("it", [build.local(f"p{i}") for i in range(parameters)], *body)  # type: ignore[arg-type]

    return add


def _value(expr: Expr) -> Callable[[Build], None]:
    return _function(expr)


def _recursion(build: Build) -> None:
    build.routine("a", [], Call("b"), stops=False)
    build.routine("b", [], Call("a"), stops=False)


def _wrong_stops(build: Build) -> None:
    build.routine("a", [], build.decide(0, build.verb("go")), stops=False)


def _stops_of_a_callee(build: Build) -> None:
    build.routine("a", [], build.decide(0, build.verb("go")))
    build.routine("b", [], Call("a"), stops=False)


def _same_label(build: Build) -> None:
    build.routine("a", [], Block("x", ()), Block("x", ()), stops=False)


def _same_site(build: Build) -> None:
    build.routine("a", [], Show(3, Const(1), Const(1), say()), Show(3, Const(1), Const(1), say()), stops=False)


def _foreign_local(build: Build) -> None:
    local = build.local("mine")
    build.routine("a", [local], stops=False)
    build.routine("b", [], Assign(local, Const(1)), stops=False)


def _same_number(build: Build) -> None:
    build.routine("a", [Local(70, "x"), Local(70, "y")], stops=False)


def _unassigned(build: Build) -> None:
    build.routine("a", [], If(Load(build.local("x")), ()), stops=False)


def _unassigned_behind_a_stop(build: Build) -> None:
    x = build.local("x")
    build.routine("a", [], build.decide(0, build.verb("go", Assign(x, Const(1))), build.verb("stay")), If(Load(x), ()))


def _no_such_bit(build: Build) -> None:
    hand = build.field("hand", bits=70)
    build.routine("a", [], Assign(hand, op("minus", Load(hand), op("bit", 70))), stops=False)


def _unknown_field(build: Build) -> None:
    build.routine("a", [], Assign(Field("nowhere", "game"), Const(1)), stops=False)


def _value_of_a_routine(build: Build) -> None:
    build.routine("a", [], Return(Const(1)), stops=False)


def _arguments(build: Build) -> None:
    group = build.group("two", Domain(("a",)), Domain(("b",)))
    build.routine("a", [], build.decide(0, evolve(build.verb("one"), group=group)))


def _no_such_group(build: Build) -> None:
    build.routine("a", [], build.decide(0, evolve(build.verb("one"), group=9)))


def _part_with_parameters(build: Build) -> None:
    build.routine("main", [build.local("x")], stops=False)


BROKEN: list[tuple[Callable[[Build], None], str]] = [
    (_value(Invoke("nobody", ())), "which is no function"),
    (_value(Invoke("nothing", ())), "invokes nothing with 0 arguments"),
    (_value(Invoke("it", ())), "function it uses function it"),
    (_recursion, "routine a uses routine b uses routine a"),
    (_function(Finish(), Const(1)), "does more than compute: Finish"),
    (_function(Return()), "returns nothing"),
    (_function(If(Const(1), (Return(Const(1)),))), "can end without a value"),
    (_function(Block("x", (If(Const(1), (Leave("x"),)), Return(Const(1))))), "can end without a value"),
    (_function(Assign(Field("f", "game"), Const(1)), Const(1)), "stores to f"),
    (_value(Op("not", (Const(1), Const(1)))), "`not` with 2 operands"),
    (_value(Op("+", (Const(1),))), "`\\+` with 1 operands"),
    (_value(op("left", op("bit", 1), 1)), "`left` of a set without a width"),
    (_value(op("right", op("bit", 1), op("+", 1, 1))), "`right` by something that is no constant"),
    (_value(Lookup(Constants("t", (1, 2)), Const(2))), "t has no element 2"),
    (_wrong_stops, "a stops, and says otherwise"),
    (_stops_of_a_callee, "b stops, and says otherwise"),
    (_same_label, "label x is not unique"),
    (_function(Leave("x"), Const(1)), "leaves x from outside"),
    (_same_site, "site 3 is not unique"),
    (_foreign_local, "mine is used in a and in b"),
    (_same_number, "x and y have the same number"),
    (_unassigned, "a may read x before it has a value"),
    (_unassigned_behind_a_stop, "a may read x before it has a value"),
    (_no_such_bit, "hand cannot have the bit 70"),
    (_unknown_field, "nowhere, used in a, has no place"),
    (_value_of_a_routine, "a returns a value"),
    (_arguments, "0 arguments are not those of group 0"),
    (_no_such_group, "there is no group 9"),
    (_part_with_parameters, "main is part of the main flow and has parameters"),
]


@pytest.mark.parametrize(("breaks", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_a_broken_promise_is_noticed(breaks: Callable[[Build], None], message: str) -> None:
    build = Build()
    breaks(build)
    if "main" not in build.routines:
        build.routine("main", [], stops=False)
    machine = _machine(build)
    assert any(_matches(message, violation) for violation in violations(machine)), violations(machine)


def _machine(build: Build) -> Machine:
    """The machine, with a layout of an empty one where the code cannot be laid out."""
    try:
        return build.machine("main")
    except (AssertionError, KeyError):
        empty = Build().machine()
        return evolve(empty, functions=build.functions, routines=build.routines)


def _matches(message: str, violation: str) -> bool:
    return message.replace("\\", "") in violation


CHANGED: list[tuple[Callable[[Machine], Machine], str]] = [
    (lambda machine: evolve(machine, winner="nobody"), "nobody is no function"),
    (lambda machine: evolve(machine, main=("setup", "nowhere")), "nowhere is no routine"),
    (lambda machine: evolve(machine, teams=(1,)), "teams for 1 of 2 seats"),
    (lambda machine: evolve(machine, groups=machine.groups[::-1]), "begin at"),
    (
        lambda machine: evolve(machine, groups=(evolve(machine.groups[0], size=7), *machine.groups[1:])),
        "product of its arguments",
    ),
    (lambda machine: evolve(machine, clear={}), "what to clear"),
    (lambda machine: _with_layout(machine, evolve(machine.layout, size=8)), "the record has 8 bytes"),
    (lambda machine: _with_layout(machine, evolve(machine.layout, scratch={})), "has no place"),
    (lambda machine: _with_layout(machine, _shifted(machine.layout)), "is not aligned"),
    (
        lambda machine: evolve(machine, zones=(evolve(machine.zones[0], content=Field("x", "game")),)),
        "shows x, which has no place",
    ),
]


def _with_layout(machine: Machine, layout: Layout) -> Machine:
    return evolve(machine, layout=layout)


def _shifted(layout: Layout) -> Layout:
    return evolve(layout, record={variable: evolve(place, offset=place.offset + 1) for variable, place in layout.record.items()})


@pytest.mark.parametrize(("change", "message"), CHANGED, ids=[message for _, message in CHANGED])
def test_a_machine_that_does_not_fit_together_is_noticed(change: Callable[[Machine], Machine], message: str) -> None:
    assert any(message in violation for violation in violations(change(card_game())))
