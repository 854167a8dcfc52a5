"""Table -> machine: zones become sets of bits, rules become small code, acts get their numbers.

A question about many members at once becomes a few operations on whole sets wherever it can be taken apart:

- printed values, places, conditions that hold for all alike: `expressions/filters.py`;
- counters and markers, and what is printed on cells, as sets for binary digits: `building/digits.py`, `expressions/markers.py`,
  `grids/printed.py`;
- the best by some key: `expressions/rankings.py`;
- neighbours and shifts: `components/cells.py`; lines and paths: `grids/lines.py`; regions: `grids/regions.py`;
- ways to lay and to step: `statements/legal_placements.py`, `statements/steps.py`.

The rest is asked member by member, and ``rulesrun show --stage machine`` lists these lines (``scalar loop``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from ...common.diagnostics import Diagnostic
from ...common.giving_up import giving_up, keeping
from ...model import model
from ...model.visitor import walk_statements
from ...table.table import Kind, Table
from ...words.words import ENGLISH, Words
from ..analysis.layout import allocate
from ..machine import EARLIER, Function, Knowledge, Machine, RankKey, Return, Term
from ..traverse import stopping, stops_within
from .building import storage
from .building.builder import SITES_LIMIT, Builder, Components
from .building.lowering import lower as lower_expression
from .building.marks import Marks
from .building.sharing import called
from .building.values import Bits
from .building.views import variable_views, zone_views
from .components import boards, knowledge
from .components.words import domain_of, names_of
from .expressions import markers, numbers, sets  # noqa: F401 - numbers and sets register how they are lowered
from .expressions.ranges import given
from .games import scoring
from .games.beginning import BACK, begin
from .games.match import add_match
from .statements import choices, flow, trying


@frozen
class Lowered:
    """A machine (None when there are errors), what was found, and the filters that still run member by member."""

    machine: Machine | None
    diagnostics: tuple[Diagnostic, ...]
    scalar_loops: tuple[str, ...]


@giving_up(lambda found: Lowered(None, found, ()))
def lower(
    table: Table,
    seats: Iterable[str] = (),
    extra: Mapping[str, model.Expr] | None = None,
    ordered: Iterable[str] = (),
    careful: bool = False,
    marks: Marks | None = None,
    words: Words = ENGLISH,
) -> Lowered:
    """The machine of a table.

    ``seats``: names of the players ("player 1", ... where none are given). For tests: ``extra`` expressions become functions
    of these names; piles in ``ordered`` can be laid in an order; ``careful`` asks every marker whether it has been set.
    ``marks``: to be filled with those that the machine gets (None: it gets none). ``words``: of the language in which the machine
    can speak, beside the words of the rules. They change nothing else.
    """
    b = _builder(table, ordered, careful, marks, words)
    with keeping(b.found):
        code = _code(b, seats, extra or {})
    if code is None:
        return Lowered(None, tuple(b.found), ())
    routines = stopping(markers.followed(b.routines, ("begin", BACK), b))
    made = trying.restoring(markers.followed(b.functions, (), b))
    functions = called(made, routines, (*_asked(code, b), *(extra or ())))
    layout, clear = allocate(tuple(b.fields.values()), functions, routines, code.main, table.players)
    machine = Machine(
        game=table.game,
        seats=table.players,
        seat_names=b.seat_names,
        groups=tuple(b.group_list),
        functions=functions,
        routines=routines,
        main=code.main,
        steps={step.name: flow.name_of(step) for step in code.steps},
        layout=layout,
        zones=zone_views(b),
        variables=variable_views(b),
        teams=tuple(table.team(seat) for seat in range(table.players)),
        terms=code.terms,
        winner=code.winner,
        keys=code.keys,
        knowledge=code.tracked,
        kinds={name: c.domain for name, c in b.components.items()},
        lists=table.lists,
        clear=clear,
        grids=boards.views(b),
        returns=code.returns,
    )
    scalar_loops = dict.fromkeys(line for function, line in b.scalar_loops if function in functions)
    return Lowered(machine, tuple(b.found), tuple(scalar_loops))


@giving_up(lambda found: found)
def faults(
    table: Table,
    extra: Mapping[str, model.Expr] | None = None,
    ordered: Iterable[str] = (),
    careful: bool = False,
    only: Iterable[str] | None = None,
) -> tuple[Diagnostic, ...]:
    """What `lower` finds, of the same arguments. A machine is made of a table just where none of it is an error.

    ``only``: steps; the others and the ranking have been found sound, and are not looked at again, unless one of these does them.
    """
    b = _builder(table, ordered, careful)
    with keeping(b.found):
        _code(b, (), extra or {}, only)
    return tuple(b.found)


@giving_up(lambda found: found)
def faults_of_score(table: Table) -> tuple[Diagnostic, ...]:
    """The faults of lowering the score and the ranking of a table, the rest of which has been found sound at another."""
    b = _builder(table, (), False)
    with keeping(b.found):
        _prepare(b, (), {})
        if not b.found:
            _score(b)
    return tuple(b.found)


@frozen
class _Code:
    """What the machine of a table takes besides what its `Builder` holds. ``steps``: those that are routines."""

    main: tuple[str, ...]
    steps: tuple[model.Step, ...]
    terms: tuple[Term, ...]
    winner: str
    keys: tuple[RankKey, ...]
    returns: str
    tracked: tuple[Knowledge, ...]


def _builder(table: Table, ordered: Iterable[str], careful: bool, marks: Marks | None = None, words: Words = ENGLISH) -> Builder:
    return Builder(table, careful, set(ordered) | storage.ordered_piles(table), marks=marks, words=words)


def _code(b: Builder, seats: Iterable[str], extra: Mapping[str, model.Expr], only: Iterable[str] | None = None) -> _Code | None:
    """Make the routines and functions of a table; None when there are errors. ``only``: as in `faults`."""
    table = b.table
    tracked = _prepare(b, seats, extra)
    asked_for = None if only is None else _done_by(only, b)
    steps = [
        step
        for step in table.all_steps
        if (asked_for is None or step.name in asked_for) and not flow.only_written_out(step, b) and flow.is_done(step, b)
    ]
    options = [node for node in table.statements if isinstance(node, model.Option)]
    if b.found:
        return None
    terms, winner, keys, returns = _score(b) if only is None else (scoring.terms(b), "", (), "")
    said = len(b.found)
    choices.number_groups(options, b)
    if b.found[said:]:
        return None
    b.routines["begin"] = begin(b)
    beginning = flow.of_setup(table)
    made = {step.name: flow.routine(step, b) for step in steps if step.name in beginning}
    b.settled_markers = storage.always_set(table)  # but not what is done before, and scores, which are asked at any time
    made |= {step.name: flow.routine(step, b) for step in steps if step.name not in beginning}
    b.routines |= {made[step.name].name: made[step.name] for step in steps}
    if stops_within(b.routines) > SITES_LIMIT:
        b.complain(
            "R216",
            f"steps in which players choose, or chance decides, are done at more than {SITES_LIMIT} places",
            table.span,
            help="do what comes again and again in a `repeat`, or let fewer steps do it",
        )
    for name, expr in extra.items():
        value = lower_expression(expr, b, {})
        width = b.width(expr.type) if isinstance(value, Bits) else 0
        b.functions[name] = Function(name, (), width, (Return(value.expr),))
    main: tuple[str, ...] = ("begin", *(flow.name_of(step) for step in table.flow))
    if table.match is not None and table.match.goes_on:
        main = add_match(table.match, main[1:], b)
    b.check_length()
    if any(diagnostic.severity == "error" for diagnostic in b.found):
        return None
    return _Code(main, tuple(steps), terms, winner, keys, returns, tracked)


def _prepare(b: Builder, seats: Iterable[str], extra: Mapping[str, model.Expr]) -> tuple[Knowledge, ...]:
    """Allot all that code can store and ask for; what is known of each kind."""
    table = b.table
    names = b.seat_names = tuple(seats) or tuple(f"player {n + 1}" for n in range(table.players))
    numbered = (b.words.phrase("player {number}", number=n + 1) for n in range(table.players))
    b.seats_said = tuple(seats) or tuple(numbered)
    for kind in table.kinds.values():
        domain = b.in_words(domain_of(kind, names), names_of(kind, b.seats_said, b.words))
        b.components[kind.name] = Components(kind, domain, _starts(kind))
    boards.domains(b)
    storage.fields(b)
    asked = (*_everything(table), *extra.values())
    boards.fields(asked, b)
    markers.fields(asked, b)
    b.places, tracked = knowledge.allot(b)
    b.knowledge = {k.kind: k for k in tracked}
    b.fields |= {field.name: field for each in tracked for field in (each.may, each.certain) if field is not None}
    b.given = given(asked, table)
    _circles(table.all_steps, b)
    return tracked


def _score(b: Builder) -> tuple[tuple[Term, ...], str, tuple[RankKey, ...], str]:
    """What the score sheet, the ranking and the returns are: see `_Code`."""
    return scoring.terms(b), *scoring.winner(b), scoring.returns(b)


def _done_by(names: Iterable[str], b: Builder) -> set[str]:
    """Some steps, with those that they do."""
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += b.done_by[name]
    return found


def _asked(code: _Code, b: Builder) -> tuple[str, ...]:
    """The functions that those who drive a machine ask for."""
    earlier = (EARLIER,) if EARLIER in b.functions else ()
    terms, keys = (t.function for t in code.terms), (k.function for k in code.keys)
    return (*terms, *earlier, "score", "score of team", code.winner, *keys, code.returns)


def _everything(table: Table) -> tuple[model.Node, ...]:
    """All that a table asks and does."""
    return (*table.flow, *table.steps.values(), *table.defines.values(), *table.terms, table.winner)


def _starts(kind: Kind) -> tuple[int, ...]:
    at = 0
    starts: list[int] = []
    for face in kind.faces:
        starts.append(at)
        at += face.copies
    return tuple(starts)


def _circles(steps: Iterable[model.Step], b: Builder) -> None:
    """Which steps a step does; those that do each other in a circle could run for ever: they are refused."""
    calls = {s.name: [n for n in walk_statements(s.body) if isinstance(n, model.Do)] for s in steps}
    b.done_by = {name: {node.step for node in nodes} for name, nodes in calls.items()}
    for name, callees in b.done_by.items():
        for callee in callees:
            b.done_from.setdefault(callee, set()).add(name)
    done: set[str] = set()
    for root in calls:
        path = {root: iter(calls[root])}
        while path:
            name = next(reversed(path))
            for node in path[name]:
                callee = node.step
                if callee in path:
                    names = list(path)
                    circle = " -> ".join((*names[names.index(callee) :], callee))
                    b.complain(
                        "R228",
                        f"the step `{callee}` does itself again",
                        node.span,
                        help=f"the circle is {circle}; use `repeat until`",
                    )
                elif callee not in done:
                    path[callee] = iter(calls.get(callee, []))
                    break
            else:
                done.add(name)
                del path[name]
