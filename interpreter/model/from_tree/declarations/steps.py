"""Binds steps, phases, the setup and triggers."""

from __future__ import annotations

from attrs import evolve

from ....syntax import tree
from ... import model
from ...model import BOX, PLAYER, TRUTH, Const, Expr, Var
from ..expressions.selecting import passes
from ..names.scope import Scope, variable
from ..names.types import noun_is
from ..statements import body
from .parameters import bound, given


def step_head(line: tree.Setup | tree.Phase | tree.Step, scope: Scope) -> model.Step:
    """A step, phase or setup with its parameters and an empty body."""
    match line:
        case tree.Setup():
            return model.Step("setup", "setup", (), (), span=line.span)
        case tree.Phase(name=name):
            return model.Step(name.text, "phase", (), (), span=name.span)
        case tree.Step(name=name, parameters=lines):
            types = [parameter.type for parameter in given(lines, scope)]
            names = tuple(Var(each.called.text, type) for each, type in zip(lines, types, strict=True))
            return model.Step(name.text, "step", names, (), tuple(each.place for each in lines), span=name.span)


def step_with_body(head: model.Step, line: tree.Setup | tree.Phase | tree.Step, scope: Scope) -> model.Step:
    inner = scope.inner()
    inner.locals = {}
    inner.around = (head.name,) if head.form != "setup" else ()
    for var in head.parameters:
        inner.bind(var.name, variable(var, head.span), head.span)
    if head.form != "setup":
        scope.places[head.name] = inner.place()
    return evolve(head, body=body(line.body, inner))


def trigger(line: tree.Whenever, scope: Scope) -> model.Step | None:
    """``whenever ... enters ZONE``: a step that is done when something has come there; None after a finding about the zone."""
    zone = scope.symbol(line.zone.text)
    if not isinstance(zone, model.Zone):
        if line.zone.text == BOX:
            scope.complain(
                "R204",
                "nothing can be said of what enters the box",
                line.zone.span,
                help="the box is out of the game; declare a zone for what is to be noticed",
            )
        elif zone is None:
            scope.unknown(line.zone.text, line.zone.span, "zone", scope.names_of(model.Zone))
        else:
            what = "a grid: what comes there is put or placed, and enters no zone" if isinstance(zone, model.Grid) else "no zone"
            scope.complain("R204", f"`{line.zone.text}` is {what}", line.zone.span)
        return None
    of = given(line.parameters, scope)
    if of != zone.parameters:
        each = "every player" if zone.owner == PLAYER else f"every {zone.owner.noun}" if zone.owner else ""
        message = f"{each} has a `{zone.name}`" if each else f"there is only one `{zone.name}`"
        declared = scope.where_declared(zone.name)
        written = " ".join([zone.name, *map(str, zone.parameters)])
        at = line.parameters[0].span if line.parameters else line.zone.span
        scope.complain("R206", message, at, *declared, help=f"write `enters {written}`")
        return None
    inner = scope.inner()
    inner.locals = {}
    inner.around = ()
    of_one_kind = len(zone.kinds) > 1 and line.noun.text in zone.kinds
    type = scope.component(line.noun.text) if of_one_kind else zone.type
    noun = line.noun.text if noun_is(line.noun, type.set, scope) else type.noun
    component = Var(noun, type)
    inner.bind(noun, variable(component, line.noun.span), line.noun.span)
    owners = bound(line.parameters, of, inner)
    condition: Expr = Const(1, type=TRUTH, span=line.span)
    tests = [(passes(test, component, inner), test.span) for test in line.filters]
    if of_one_kind:
        is_one = model.AttributeOf(noun, variable(component, line.noun.span), type=TRUTH, span=line.noun.span)
        tests.insert(0, (is_one, line.noun.span))
    for index, (passing, span) in enumerate(tests):
        condition = model.Logic("and", condition, passing, type=TRUTH, span=span) if index else passing
    name = scope.faults.fresh(f"whenever {component.type} enters {zone.name}")
    owner = model.index_of(tuple(model.VarValue(var, type=var.type, span=line.span) for var in owners), line.span)
    return model.Step(
        name,
        "step",
        (component, *owners),
        body(line.body, inner),
        entered=model.Spot(zone.name, owner, span=line.span),
        fitting=condition,
        span=line.span,
    )
