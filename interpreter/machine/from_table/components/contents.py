"""The content of a zone: as a set, with the ordered top of a pile, without components that are held back."""

from __future__ import annotations

from ....model import model
from ....model.model import Expr as ModelExpr
from ...machine import Assign, Const, Constants, Expr, Function, Invoke, Load, Lookup, Return, While
from ..building.builder import Builder
from ..building.lowering import scalar_of
from ..building.values import Env, Scalar, op
from .copies import put


def holds(zone: model.Zone, owner: Expr | None, face: Expr, b: Builder) -> Expr:
    """Whether a component lies in a zone (of an owner)."""
    if zone.shape == "slot":
        return op("=", Load(b.fields[zone.name], owner), face)
    kind = b.components[zone.kind]
    bit = face if kind.distinct else Lookup(Constants(f"first copy of {zone.kind}", kind.starts), face)
    return op("has", content_of(zone, owner, b), bit)


def content_of(zone: model.Zone, owner: Expr | None, b: Builder) -> Expr:
    """The set of what lies in a zone of shape set or pile (of a pile with an ordered top: with that top)."""
    if zone.name in b.ordered:
        return Invoke(whole_pile(zone, b), () if owner is None else (owner,))
    return Load(b.fields[zone.name], owner)


def drawable(zone: model.Zone, owner: Expr | None, part: Expr, b: Builder) -> Expr:
    """How many of a part of a pile that has all its unordered rest can be drawn: those that are held back cannot."""
    held = b.held.get(zone.name)
    return op("count", part) if held is None else op("-", op("count", part), Load(held, owner))


def _all_drawable(zone: model.Zone, owner: Expr | None, b: Builder) -> Expr:
    """How many of a whole pile can be drawn: those of its ordered top are counted already."""
    rest = drawable(zone, owner, Load(b.fields[zone.name], owner), b)
    return op("+", rest, Load(b.fields[f"size of top of {zone.name}"], owner)) if zone.name in b.ordered else rest


def left_in(node: ModelExpr, b: Builder, env: Env) -> Scalar | None:
    """How many can still be drawn of piles; None for any other set, and where it is a set that is counted."""
    if not isinstance(node, model.ZoneContent) or (node.zone not in b.held and node.zone not in b.ordered):
        return None
    zone, owner = b.table.zones[node.zone], node.owner
    most = b.components[zone.kind].bits
    if node.every:
        total: Expr = Const(0)
        for each in range(b.table.size(zone.owner)):
            total = op("+", total, _all_drawable(zone, Const(each), b))
        return Scalar(total, 0, most)
    whose = None if owner is None else scalar_of(owner, b, env)
    index = None if whose is None else whose.expr
    found = _all_drawable(zone, index, b)
    if whose is not None and whose.low < 0:
        found = op("if", op("<", whose.expr, Const(0)), Const(0), found)
    return Scalar(found, 0, most)


def check_members_known(node: model.ZoneContent, b: Builder) -> None:
    """A finding where it is asked which components are in a pile of which some are held back: nobody can know."""
    if node.zone in b.held:
        b.complain(
            "R253",
            f"some of `{node.zone}` are removed unseen, so nobody can say which are left",
            node.span,
            help=f"what can be asked: `{node.zone} is empty`, `count of {node.zone}`; what can be done: draw from it, shuffle it",
        )


def whole_pile(zone: model.Zone, b: Builder) -> str:
    """The function that gives all that lies in a pile with an ordered top."""
    name = f"all of {zone.name}"
    if name not in b.functions:
        components = b.components[zone.kind]
        owner = b.local("player") if zone.owned else None
        whose = None if owner is None else Load(owner)
        found, place = b.local("found", components.bits), b.local("place")
        base = Const(0) if whose is None else op("*", whose, Const(components.bits))
        face = Load(b.fields[f"top of {zone.name}"], op("+", base, Load(place)))
        size = Load(b.fields[f"size of top of {zone.name}"], whose)
        step = (Assign(found, put(Load(found), face, components)), Assign(place, op("+", Load(place), Const(1))))
        b.functions[name] = Function(
            name,
            () if owner is None else (owner,),
            components.bits,
            (
                Assign(found, Load(b.fields[zone.name], whose)),
                Assign(place, Const(0)),
                While(op("<", Load(place), size), step, zone.span, components.bits),
                Return(Load(found)),
            ),
        )
    return name
