"""The parts of a set: which of its members lie in which place."""

from __future__ import annotations

from attrs import frozen

from ....model import model
from ...machine import Const, Expr
from ..building import defines
from ..building.builder import Builder
from ..building.lowering import scalar_of
from ..building.values import Env, op
from ..components.contents import told_which
from ..components.places import Place, all_places, content
from . import filters


@frozen
class Part:
    """Some components in one place, as a set; ``whole``: all that is there."""

    place: Place
    bits: Expr
    whole: bool


def parts_of(node: model.Typed, b: Builder, env: Env) -> list[Part] | None:
    """A set split by the places where its members are; None when that cannot be told from how it is written."""
    match node:
        case model.ZoneContent(zone=zone_name, owner=owner, every=every):
            told_which(node, b)
            zone = b.table.zones[zone_name]
            whose = None if owner is None else scalar_of(owner, b, env)
            if whose is not None and whose.low < 0:
                return None  # it may be nobody's
            owners: list[Expr | None] = [None if whose is None else whose.expr]
            if every:
                owners = [Const(p) for p in range(b.players)]
            return [Part(p, content(p, b), True) for p in (Place(zone, zone.kind, o) for o in owners)]
        case model.SetOf(members=members) if all(isinstance(m, model.ZoneContent) for m in members):  # slots
            return [part for member in members for part in parts_of(member, b, env) or ()]
        case model.Join(left=left, right=right):
            one, other = parts_of(left, b, env), parts_of(right, b, env)
            return None if one is None or other is None else one + other
        case model.AllOf():
            return _everything(node.type.of, b)
        case model.Const() if node.type.is_set and node.value == b.components[node.type.of].all:
            return _everything(node.type.of, b)
        case model.Filter(of=of, var=var, condition=condition):
            parts = parts_of(of, b, env)
            everything = b.components[node.type.of].all
            mask = filters.mask_of(condition, var, everything, b, env) if parts is not None else None
            if parts is None or mask is None:
                return None
            return [Part(p.place, op("intersect", p.bits, mask.expr), False) for p in parts]
        case model.Apply(define=define, args=args) if all(isinstance(a, model.VarValue | model.Const) for a in args):
            return parts_of(defines.at(b.table.defines[define], args), b, env)
        case _:
            return None


def _everything(kind: str, b: Builder) -> list[Part]:
    return [Part(p, content(p, b), True) for p in all_places(kind, b)]
