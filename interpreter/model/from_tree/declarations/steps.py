"""Binds steps, phases, the setup and triggers."""

from __future__ import annotations

from attrs import evolve

from ....common.nouns import with_article
from ....syntax import tree
from ... import model
from ...model import BOX, PLAYER, TRUTH, Const, Expr, Type, Var
from ..expressions.selecting import passes
from ..names.scope import Scope, variable
from ..names.types import noun_is
from ..statements import body
from .defines import parameter_type


def step_head(line: tree.Setup | tree.Phase | tree.Step, scope: Scope) -> model.Step:
    """A step, phase or setup with its parameters and an empty body."""
    match line:
        case tree.Setup():
            return model.Step("setup", "setup", (), (), span=line.span)
        case tree.Phase(name=name):
            return model.Step(name.text, "phase", (), (), span=name.span)
        case tree.Step(name=name, of=of, key=key):
            parameters = []
            for noun in (of, key):
                if noun is not None:
                    parameters.append(Var(noun.text, parameter_type(noun, scope)))
            return model.Step(name.text, "step", tuple(parameters), (), span=name.span)


def step_with_body(head: model.Step, line: tree.Setup | tree.Phase | tree.Step, scope: Scope) -> model.Step:
    inner = scope.inner()
    inner.locals = {}
    inner.around = (head.name,) if head.form != "setup" else ()
    for var in head.parameters:
        inner.bind(var.name, variable(var, head.span), head.span)
    if head.form != "setup":
        scope.places[head.name] = inner.place()
    return evolve(head, body=body(line.body, inner))


def trigger(line: tree.Whenever, scope: Scope) -> model.Trigger | None:
    """``whenever ... enters ZONE``; None after a finding about the zone."""
    zone = scope.symbol(line.zone.text)
    if not isinstance(zone, model.Zone):
        if line.zone.text == BOX:
            scope.complain(
                "R204", "nothing can be said of what enters the box", line.zone.span,
                help="the box is out of the game; declare a zone for what is to be noticed",
            )  # fmt: skip
        elif zone is None:
            scope.unknown(line.zone.text, line.zone.span, "zone", scope.names_of(model.Zone))
        else:
            what = "a grid: what comes there is put or placed, and enters no zone" if isinstance(zone, model.Grid) else "no zone"
            scope.complain("R204", f"`{line.zone.text}` is {what}", line.zone.span)
        return None
    if zone.owned != (line.owner is not None):
        message = f"every player has a `{zone.name}`" if zone.owned else f"there is only one `{zone.name}`"
        of = " of player" if zone.owned else ""
        declared = scope.where_declared(zone.name)
        scope.complain("R206", message, (line.owner or line.zone).span, *declared, help=f"write `enters {zone.name}{of}`")
        return None
    inner = scope.inner()
    inner.locals = {}
    inner.around = ()
    type = Type("component", zone.kind)
    noun = line.noun.text if noun_is(line.noun, type.set, scope) else type.noun
    component = Var(noun, type)
    inner.bind(noun, variable(component, line.noun.span), line.noun.span)
    owner: Var | None = None
    if line.owner is not None:
        if line.owner.text != "player":
            scope.complain("R204", f"a zone belongs to a player, not to {with_article(line.owner.text)}", line.owner.span)
        owner = Var("player", PLAYER)
        inner.bind("player", variable(owner, line.owner.span), line.owner.span)
    condition: Expr = Const(1, type=TRUTH, span=line.span)
    for index, each in enumerate(line.filters):
        passing = passes(each, component, inner)
        condition = model.Logic("and", condition, passing, type=TRUTH, span=each.span) if index else passing
    name = scope.faults.fresh(f"whenever {component.type} enters {zone.name}")
    return model.Trigger(name, component, zone.name, owner, condition, body(line.body, inner), span=line.span)
