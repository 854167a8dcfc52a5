"""The random files of rules lead to every kind of node that a machine can have.

A fixed number of files is generated, the same ones each time, and the content of their machines is gathered as short sentences
(`contents`). Whatever the machine's own types name must come up, unless `UNREACHABLE` says why it cannot.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from rulesrun.interpreter.machine.analysis import derived
from rulesrun.interpreter.machine.analysis.widths import bits_of
from rulesrun.interpreter.machine.blocks import End
from rulesrun.interpreter.machine.machine import (
    Assign,
    Call,
    Chance,
    Choose,
    Expr,
    Fail,
    Field,
    Function,
    Load,
    Machine,
    Op,
    OpName,
    Return,
    Routine,
    Show,
    Stmt,
    While,
    ZoneView,
)
from rulesrun.interpreter.machine.traverse import every_statement, expressions_within

from ..pipeline import stages
from .machines import machines
from .programs import player_counts, programs

FILES, MACHINES = 160, 40
WORDS = (8, 16, 32, 64, 128)  # sets of at most so many bits are of one class each, and all wider ones of another
CODES = sorted(page.stem for page in (Path(__file__).parents[2] / "docs" / "codes").glob("R6*.md"))

UNREACHABLE = {
    "fault R606": "each loop has it of itself; no statement fails with it",
    "fault R607": "each decision has it of itself; no statement fails with it",
    "fault R699": "a machine that keeps its promises never stops with it",
}


def contents(machine: Machine) -> Iterator[str]:
    """What a machine is made of."""
    definitions: list[Function | Routine] = [*machine.functions.values(), *machine.routines.values()]
    for definition in definitions:
        where = "function" if isinstance(definition, Function) else "routine that stops" if definition.stops else "routine"
        for stmt in every_statement(definition.body):
            yield f"statement {type(stmt).__name__}"
            yield from _statement(stmt, where, machine)
        for expr in expressions_within(definition.body):
            yield from _expression(expr, machine)
    for block in derived.flow(machine).blocks:
        yield f"end {type(block.end).__name__}"
    for variable, place in machine.layout.record.items():
        if isinstance(variable, Field):
            yield f"set field of {_words(variable.bits)}" if variable.bits else f"number field of {place.width} bytes"
    for zone in machine.zones:
        yield _zone(zone)
        if zone.held is not None:
            yield "pile of which some are held back"
    for group in machine.groups:
        yield f"group with {len(group.arguments)} arguments"
        yield f"group of {_words(group.size)}"
    yield "more than one player" if machine.seats > 1 else "one player"
    if any(team.bit_count() > 1 for team in machine.teams):
        yield "teams"
    if any(term.game for term in machine.terms):
        yield "match"


def _statement(stmt: Stmt, where: str, machine: Machine) -> Iterator[str]:
    match stmt:
        case Fail(fault=fault):
            yield f"fault {fault.code}"
            yield f"fault in a {where}"
        case While():
            yield f"loop in a {where}"
        case Assign(variable=Field(), index=index) if index is not None:
            yield "store to an element"
        case Call(args=args) if args:
            yield "call with arguments"
        case Return(value=None):
            yield "return from a routine"
        case Show(value=value):
            yield f"show of a {'set' if bits_of(value, machine.functions) else 'number'}"
        case Chance(domain=domain, pool=pool):
            yield "chance with copies" if domain.copies else "chance without copies"
            yield f"pool of {_words(bits_of(pool, machine.functions))}"
        case Choose(alternatives=alternatives, impossible=impossible, so_far=so_far):
            yield "decision with an otherwise" if impossible else "decision without an otherwise"
            yield "decision that goes on" if so_far is not None else "decision at once"
            if len({alternative.group for alternative in alternatives}) < len(alternatives):
                yield "decision with a group twice"
            for alternative in alternatives:
                yield "option seen by nobody else" if alternative.secret else "option seen"
                yield "option that lays" if alternative.piece is not None else "option that does not lay"
                yield "option with conditions" if alternative.conditions else "option without conditions"
        case _:
            pass


def _expression(expr: Expr, machine: Machine) -> Iterator[str]:
    yield f"operator {expr.name}" if isinstance(expr, Op) else f"expression {type(expr).__name__}"
    if isinstance(expr, Load) and expr.index is not None:
        yield "load of an element"
    if bits := bits_of(expr, machine.functions):
        yield f"set of {_words(bits)}"


def _words(bits: int) -> str:
    return next((f"at most {most} bits" for most in WORDS if bits <= most), f"more than {WORDS[-1]} bits")


def _zone(zone: ZoneView) -> str:
    if zone.grid:
        return f"grid {'of a player' if zone.owned else 'of the table'}"
    return f"{zone.shape} {'of a player' if zone.owned else 'of the table'}, {zone.visibility}"


def kinds() -> set[str]:
    """Every kind of statement, expression, operator and end there is."""
    found = {f"statement {kind.__name__}" for kind in get_args(Stmt)} | {f"end {kind.__name__}" for kind in get_args(End)}
    found |= {f"expression {kind.__name__}" for kind in get_args(Expr) if kind is not Op}
    return found | {f"operator {name}" for name in get_args(OpName)}


def named() -> set[str]:
    """What must come up beside these."""
    classes = [_words(bits) for bits in (*WORDS, 1_000)]
    places = product(("set", "pile", "slot"), ("of a player", "of the table"), ("open", "hidden"))
    return {
        *(f"fault {code}" for code in CODES),
        *(f"{what} of {bits}" for what in ("set", "set field", "group", "pool") for bits in classes),
        *(f"number field of {width} bytes" for width in (1, 2, 4, 8)),
        *(f"{shape} {owner}, {visibility}" for shape, owner, visibility in places),
        *(f"{shape} of a player, private" for shape in ("set", "pile", "slot")),
        *("grid of a player", "grid of the table", "pile of which some are held back", "teams", "match"),
        *(f"group with {number} arguments" for number in range(3)),
        *("one player", "more than one player", "load of an element", "store to an element", "call with arguments"),
        *("loop in a function", "loop in a routine", "loop in a routine that stops", "return from a routine"),
        *("fault in a function", "fault in a routine", "fault in a routine that stops"),
        *("show of a set", "chance with copies", "chance without copies"),
        *("decision with an otherwise", "decision at once", "decision that goes on"),
        *("option seen by nobody else", "option that lays", "option with conditions", "option without conditions"),
    }


class _All(Exception):
    """All has come up: no more files are needed."""


@pytest.mark.slow
def test_every_kind_of_node_comes_from_some_file() -> None:
    found: set[str] = set()
    wanted = (kinds() | named()) - set(UNREACHABLE)

    @seed(1)
    @settings(max_examples=FILES, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(programs())
    def gather(text: str) -> None:
        counts = player_counts(text)
        made = stages(text, counts[len(text) % len(counts)])
        if made.machine is not None:
            found.update(contents(made.machine))
            if wanted <= found:
                raise _All

    with suppress(_All):
        gather()
    assert (kinds() | named()) - found == set(UNREACHABLE)


@pytest.mark.slow
def test_every_kind_of_node_is_in_some_machine() -> None:
    found: set[str] = set()

    @seed(1)
    @settings(max_examples=MACHINES, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(machines())
    def gather(machine: Machine) -> None:
        found.update(contents(machine))

    gather()
    assert kinds() - found == set()
