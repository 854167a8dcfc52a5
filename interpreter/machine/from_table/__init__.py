"""Table -> machine: zones become sets of bits, rules become small code, acts get their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from ...diagnostics import Diagnostic
from ...model import model
from ...model.model import BOX
from ...model.rebuild import walk
from ...table.table import Kind, Table
from ..layout import allocate
from ..machine import (
    NONE,
    Domain,
    Function,
    Machine,
    Return,
    Term,
    VariableView,
    ZoneView,
)
from . import scoring
from .beginning import begin
from .builder import Builder, Components
from .components import knowledge
from .expressions.numbers import lower as lower_expression
from .grids import boards
from .matches import add_match
from .statements import choices, flow
from .stopping import stopping
from .values import Bits


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
) -> Lowered:
    """The machine of a table.

    ``seats``: names of the players ("player 1", ... where none are given). For tests: ``extra`` expressions become functions
    of these names; piles in ``ordered`` can be laid in an order; ``careful`` asks every marker whether it has been set.
    """
    names = tuple(seats) or tuple(f"player {n + 1}" for n in range(table.players))
    b = Builder(table, careful, set(ordered) | ordered_piles(table))
    b.seat_names = names
    for kind in table.kinds.values():
        b.components[kind.name] = Components(kind, domain_of(kind, names), _starts(kind))
    b.settled_markers = _always_set(table)
    boards.domains(b)
    _fields(b)
    boards.fields((*_everything(table), *(extra or {}).values()), b)
    b.places, tracked = knowledge.allot(b)
    b.knowledge = {k.kind: k for k in tracked}
    for each in tracked:
        b.fields[each.known.name], b.fields[each.may.name] = each.known, each.may
    all_steps = table.all_steps
    steps = [step for step in all_steps if not flow.only_written_out(step, b)]
    _circles(all_steps, b)
    options = [node for step in all_steps for node in walk(step.body) if isinstance(node, model.Option)]
    lets = [node for step in all_steps for node in walk(step.body) if isinstance(node, model.Let)]
    b.lets = {let.var: let.value for let in lets if let.value.type.base == "number"}
    choices.number_groups(options, b)
    found_terms: tuple[Term, ...] = ()
    main: tuple[str, ...] = ("begin", *(flow.name_of(step) for step in table.flow))
    if not b.found:
        found_terms = scoring.terms(b)
        winner, keys = scoring.winner(b)
        b.routines["begin"] = begin(b)
        for step in steps:
            made = flow.routine(step, b)
            b.routines[made.name] = made
        for name, expr in (extra or {}).items():
            value = lower_expression(expr, b, {})
            width = b.width(expr.type) if isinstance(value, Bits) else 0
            b.functions[name] = Function(name, (), width, (Return(value.expr),))
        if table.match is not None and table.match.goes_on:
            main = add_match(table.match, main[1:], b)
    errors = [d for d in b.found if d.severity == "error"]
    if errors:
        return Lowered(None, tuple(b.found), tuple(b.scalar_loops))
    routines = stopping(b.routines)
    layout, clear = allocate(tuple(b.fields.values()), b.functions, routines, main, table.players)
    machine = Machine(
        game=table.game,
        seats=table.players,
        seat_names=names,
        groups=tuple(b.group_list),
        functions=b.functions,
        routines=routines,
        main=main,
        steps={step.name: flow.name_of(step) for step in steps},
        layout=layout,
        zones=_zone_views(b),
        variables=_variable_views(b),
        teams=tuple(sum(1 << o for o in range(table.players) if table.teams[o] == t) for t in table.teams),
        terms=found_terms,
        winner=winner,
        keys=keys,
        knowledge=tracked,
        kinds={name: c.domain for name, c in b.components.items()},
        lists=table.lists,
        clear=clear,
        grids=boards.views(b),
    )
    return Lowered(machine, tuple(b.found), tuple(dict.fromkeys(b.scalar_loops)))


def _everything(table: Table) -> tuple[model.Node, ...]:
    """All that a table asks and does."""
    return (*table.flow, *table.steps.values(), *table.defines.values(), *table.terms, table.winner)


# ---- Components in words


def domain_of(kind: Kind, seats: tuple[str, ...]) -> Domain:
    """The faces of a kind, named: the first attributes that tell them apart, the others in brackets; or whose they are."""
    if kind.owned:
        each = kind.faces[0].copies
        copies_of_all = tuple(f for f in range(len(seats)) for _ in range(each)) if each > 1 else ()
        return Domain(tuple(f"{kind.name} of {seat}" for seat in seats), 0, copies_of_all)
    said = [tuple(_said(kind, face.values, i) for i in range(len(kind.attributes))) for face in kind.faces]
    needed = next(
        (n for n in range(len(kind.attributes) + 1) if len({s[:n] for s in said}) == len(said)), len(kind.attributes)
    )
    names = []
    for values in said:
        name = " ".join(v for v in values[:needed] if v)
        name = f"{kind.name} {name}".strip() if not any(ch.isalpha() for ch in name) else name  # 7 alone says too little
        rest = ", ".join(v for v in values[needed:] if v)
        names.append(f"{name} ({rest})" if rest else name)
    copies: tuple[int, ...] = ()
    if any(face.copies > 1 for face in kind.faces):
        copies = tuple(f for f, face in enumerate(kind.faces) for _ in range(face.copies))
    return Domain(tuple(names), 0, copies)


def _said(kind: Kind, values: tuple[int, ...], index: int) -> str:
    """A value on a face in words; "" for none."""
    words = kind.words[index]
    value = values[index]
    if words is None:
        return "" if value == NONE else str(value)
    return "" if value == NONE else words[value]


def _starts(kind: Kind) -> tuple[int, ...]:
    starts, at = [], 0
    for face in kind.faces:
        starts.append(at)
        at += face.copies
    return tuple(starts)


# ---- Storage


def ordered_piles(table: Table) -> set[str]:
    """Piles onto which something is put without shuffling right after: their top has an order."""
    found: set[str] = set()
    for step in table.all_steps:
        for node in (step, *walk(step.body)):
            for name in ("body", "then", "otherwise", "impossible"):
                lines = getattr(node, name, None)
                if not isinstance(lines, tuple):
                    continue
                for index, line in enumerate(lines):
                    following = lines[index + 1] if index + 1 < len(lines) else None
                    mixed_now = following.pile.zone if isinstance(following, model.Mix) else None
                    mixed = isinstance(line, model.Move) and line.to.zone == mixed_now
                    if isinstance(line, model.Move | model.Draw) and not mixed:
                        zone = table.zones.get(line.to.zone)
                        if zone is not None and zone.shape == "pile":
                            found.add(zone.name)
    return found


def _always_set(table: Table) -> set[str]:
    """Markers of the table that the setup sets on every path."""
    setup = next((s for s in table.flow if s.form == "setup"), None)
    if setup is None:
        return set()
    return {line.name for line in setup.body if isinstance(line, model.SetVariable) and line.owner is None}


def held_piles(table: Table) -> set[str]:
    """Piles of which some components may be held back."""
    steps = table.all_steps
    found = (node for step in steps for node in walk(step.body) if isinstance(node, model.HoldBack))
    return {node.pile.zone for node in found if not (isinstance(node.count, model.Const) and node.count.value == 0)}


def _fields(b: Builder) -> None:
    held = held_piles(b.table)
    for kind, components in b.components.items():
        b.boxes[kind] = b.field(f"{BOX} of {kind}", "game", bits=components.bits)
    for zone in b.table.zones.values():
        components = b.components[zone.kind]
        length = b.players if zone.owned else 1
        high = len(components.kind.faces) - 1
        if zone.shape == "slot":
            b.field(zone.name, "game", length, NONE, high)
            continue
        b.field(zone.name, "game", length, bits=components.bits)
        if zone.name in b.ordered:
            b.field(f"top of {zone.name}", "game", length * components.bits, NONE, high)
            b.field(f"size of top of {zone.name}", "game", length, 0, components.bits)
        if zone.name in held:
            b.held[zone.name] = b.field(f"held back of {zone.name}", "game", length, 0, components.bits)
    for variable in b.table.variables.values():
        length = 1 if variable.owner is None else b.size(variable.owner)
        if variable.range is not None:
            low, high = variable.range.low, variable.range.high
        else:
            low, high = 0, b.size(variable.type) - 1
        if variable.type.optional or variable.type.base not in ("number", "truth"):
            low = NONE
        b.field(variable.name, "game", length, low, max(low, high))


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


# ---- Views


def _zone_views(b: Builder) -> tuple[ZoneView, ...]:
    found = []
    for zone in b.table.zones.values():
        ordered = zone.name in b.ordered and zone.shape == "pile"
        found.append(
            ZoneView(
                name=zone.name,
                kind=zone.kind,
                domain=b.components[zone.kind].domain,
                shape=zone.shape,
                visibility=zone.visibility,
                owned=zone.owned,
                content=b.fields[zone.name],
                top=b.fields[f"top of {zone.name}"] if ordered else None,
                size=b.fields[f"size of top of {zone.name}"] if ordered else None,
                place=b.places.get(zone.name),
                held=b.held.get(zone.name),
                grid=zone.grid,
            )
        )
    for kind, box in b.boxes.items():
        domain = b.components[kind].domain
        found.append(ZoneView(f"{BOX} of {kind}", kind, domain, "set", "open", False, box))
    return tuple(found)


def _variable_views(b: Builder) -> tuple[VariableView, ...]:
    return tuple(
        VariableView(
            name=v.name,
            domain=b.domain(v.type),
            owner=None if v.owner is None else b.domain(v.owner),
            owned_by_player=v.owner == model.PLAYER,
            visibility=v.visibility,
            content=b.fields[v.name],
        )
        for v in b.table.variables.values()
        if v.form != "limit"
    )
