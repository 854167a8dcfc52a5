"""Table -> machine: zones become sets of bits, rules become small code, acts get their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from ...diagnostics import Diagnostic
from ...model import model
from ...model.rebuild import walk
from ...table.table import Kind, Table
from ..layout import allocate
from ..machine import EARLIER, Function, Machine, RankKey, Return, Term
from . import scoring, storage
from .beginning import BACK, begin
from .builder import Builder, Components
from .components import knowledge
from .components.words import domain_of
from .expressions import markers
from .expressions.numbers import lower as lower_expression
from .expressions.ranges import given
from .grids import boards
from .marks import Marks
from .matches import add_match
from .sharing import called
from .statements import choices, flow
from .stopping import stopping
from .values import Bits
from .views import variable_views, zone_views


@frozen
class Lowered:
    """A machine (None when there are errors), what was found, and the filters that still run member by member."""

    machine: Machine | None
    diagnostics: tuple[Diagnostic, ...]
    scalar_loops: tuple[str, ...]


def lower(
    table: Table,
    seats: Iterable[str] = (),
    extra: Mapping[str, model.Expr] | None = None,
    ordered: Iterable[str] = (),
    careful: bool = False,
    marks: Marks | None = None,
) -> Lowered:
    """The machine of a table.

    ``seats``: names of the players ("player 1", ... where none are given). For tests: ``extra`` expressions become functions
    of these names; piles in ``ordered`` can be laid in an order; ``careful`` asks every marker whether it has been set.
    ``marks``: to be filled with those that the machine gets (None: it gets none).
    """
    names = tuple(seats) or tuple(f"player {n + 1}" for n in range(table.players))
    b = Builder(table, careful, set(ordered) | storage.ordered_piles(table), marks=marks)
    b.seat_names = names
    for kind in table.kinds.values():
        b.components[kind.name] = Components(kind, domain_of(kind, names), _starts(kind))
    boards.domains(b)
    storage.fields(b)
    asked = (*_everything(table), *(extra or {}).values())
    boards.fields(asked, b)
    markers.fields(asked, b)
    b.places, tracked = knowledge.allot(b)
    b.knowledge = {k.kind: k for k in tracked}
    b.fields |= {field.name: field for each in tracked for field in (each.may, each.certain) if field is not None}
    all_steps = table.all_steps
    b.given = given(asked, table)
    steps = [step for step in all_steps if not flow.only_written_out(step, b) and flow.is_done(step, b)]
    _circles(all_steps, b)
    options = [node for step in all_steps for node in walk(step.body) if isinstance(node, model.Option)]
    found_terms: tuple[Term, ...] = ()
    keys: tuple[RankKey, ...] = ()
    main: tuple[str, ...] = ("begin", *(flow.name_of(step) for step in table.flow))
    if not b.found:
        found_terms = scoring.terms(b)
        winner, keys = scoring.winner(b)
        said = len(b.found)
        choices.number_groups(options, b)
        if b.found[said:]:
            return Lowered(None, tuple(b.found), ())
        b.routines["begin"] = begin(b)
        beginning = flow.of_setup(table)
        made = {step.name: flow.routine(step, b) for step in steps if step.name in beginning}
        b.settled_markers = storage.always_set(table)  # but not what is done before, and scores, which are asked at any time
        made |= {step.name: flow.routine(step, b) for step in steps if step.name not in beginning}
        b.routines |= {made[step.name].name: made[step.name] for step in steps}
        for name, expr in (extra or {}).items():
            value = lower_expression(expr, b, {})
            width = b.width(expr.type) if isinstance(value, Bits) else 0
            b.functions[name] = Function(name, (), width, (Return(value.expr),))
        if table.match is not None and table.match.goes_on:
            main = add_match(table.match, main[1:], b)
    errors = [d for d in b.found if d.severity == "error"]
    if errors:
        return Lowered(None, tuple(b.found), ())
    routines = stopping(markers.followed(b.routines, ("begin", BACK), b))
    functions = called(b.functions, routines, (*_asked(found_terms, winner, keys, b), *(extra or ())))
    layout, clear = allocate(tuple(b.fields.values()), functions, routines, main, table.players)
    machine = Machine(
        game=table.game,
        seats=table.players,
        seat_names=names,
        groups=tuple(b.group_list),
        functions=functions,
        routines=routines,
        main=main,
        steps={step.name: flow.name_of(step) for step in steps},
        layout=layout,
        zones=zone_views(b),
        variables=variable_views(b),
        teams=tuple(table.team(seat) for seat in range(table.players)),
        terms=found_terms,
        winner=winner,
        keys=keys,
        knowledge=tracked,
        kinds={name: c.domain for name, c in b.components.items()},
        lists=table.lists,
        clear=clear,
        grids=boards.views(b),
    )
    scalar_loops = dict.fromkeys(line for function, line in b.scalar_loops if function in functions)
    return Lowered(machine, tuple(b.found), tuple(scalar_loops))


def _asked(terms: Iterable[Term], winner: str, keys: Iterable[RankKey], b: Builder) -> tuple[str, ...]:
    """The functions that those who drive a machine ask for."""
    earlier = (EARLIER,) if EARLIER in b.functions else ()
    return (*(t.function for t in terms), *earlier, "score", "score of team", winner, *(k.function for k in keys))


def _everything(table: Table) -> tuple[model.Node, ...]:
    """All that a table asks and does."""
    return (*table.flow, *table.steps.values(), *table.defines.values(), *table.terms, table.winner)


def _starts(kind: Kind) -> tuple[int, ...]:
    starts, at = [], 0
    for face in kind.faces:
        starts.append(at)
        at += face.copies
    return tuple(starts)


def _circles(steps: Iterable[model.Step], b: Builder) -> None:
    """Steps that do each other in a circle could run for ever: they are refused."""
    calls = {s.name: [(n.step, n) for n in walk(s.body) if isinstance(n, model.Do)] for s in steps}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        for callee, node in calls.get(name, []):
            if callee in path:
                circle = " -> ".join((*path[path.index(callee) :], callee))
                b.complain(
                    "R228",
                    f"the step `{callee}` does itself again",
                    node.span,
                    help=f"the circle is {circle}; use `repeat until`",
                )
            elif callee not in done:
                visit(callee, (*path, callee))
        done.add(name)

    for name in calls:
        visit(name, (name,))
