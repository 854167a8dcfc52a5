"""The parts of a set: which of its members lie in which place, and whether a seat is certain of that."""

from __future__ import annotations

from attrs import frozen

from ....model import model
from ....model.model import BOX
from ...machine import Const, Expr
from ..building import defines
from ..building.builder import Builder, Components
from ..building.lowering import bits_of_set, scalar_of
from ..building.values import Env, Scalar, Spot, is_empty, op
from ..components import knowledge
from ..components.contents import check_members_known
from ..components.copies import together
from ..components.places import Place, all_places, content, number_of, spots_of, viewers
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
            check_members_known(node, b)
            zone = b.table.zones[zone_name]
            whose = None if owner is None else scalar_of(owner, b, env)
            if whose is not None and whose.low < 0:
                return None  # it may be nobody's
            owners: list[Expr | None] = [None if whose is None else whose.expr]
            if every:
                owners = [Const(index) for index in range(b.table.size(zone.owner))]
            return [Part(p, content(p, b), True) for p in (Place(zone, zone.kind, o) for o in owners)]
        case model.SetOf(members=members) if all(isinstance(m, model.ZoneContent) for m in members):  # slots
            slots = [parts_of(member, b, env) for member in members]
            return None if None in slots else [part for slot in slots for part in slot or ()]
        case model.Join(left=left, right=right):
            one, other = parts_of(left, b, env), parts_of(right, b, env)
            return None if one is None or other is None else one + other
        case model.AllOf():
            return _everything(node.type.of, b)
        case model.Const() if node.type.is_set and node.value == b.components[node.type.of].all:
            return _everything(node.type.of, b)
        case model.Const(value=value) if node.type.is_set and _of_whole_faces(value, b.components[node.type.of]):
            places = _everything(node.type.of, b)
            return [Part(p.place, op("intersect", p.bits, Const(value)), False) for p in places]
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


def _of_whole_faces(bits: int, components: Components) -> bool:
    """Whether a set has all copies of every face that is in it."""
    return all(bits & block in (0, block) for block in components.blocks)


def _everything(kind: str, b: Builder) -> list[Part]:
    return [Part(p, content(p, b), True) for p in all_places(kind, b)]


def split(node: model.Expr, b: Builder, env: Env) -> list[Part]:
    """A set by the places where its members may lie: where that is open, of equal components more than there are."""
    match node:
        case model.Cases(cases=cases, otherwise=otherwise):
            chosen = {part.place: part.bits for part in split(otherwise, b, env)}
            for condition, value in reversed(cases):
                test, here = scalar_of(condition, b, env).expr, {part.place: part.bits for part in split(value, b, env)}
                chosen = {at: op("if", test, here.get(at, Const(0)), chosen.get(at, Const(0))) for at in {**chosen, **here}}
            return [Part(at, bits, False) for at, bits in chosen.items()]
        case model.Apply(define=define, args=args) if all(isinstance(a, model.VarValue | model.Const) for a in args):
            return split(defines.at(b.table.defines[define], args), b, env)
    spots = spots_of(node, b, env)
    these = bits_of_set(node, b, env).expr
    found = (there(place, spots, these, b) for place in all_places(node.type.kind, b))
    return [part for part in found if part.bits != Const(0)]


def there(place: Place, spots: tuple[Spot, ...] | None, these: Expr, b: Builder) -> Part:
    """Those of some components that lie in a place, if it is one where they may be; ``spots`` None: they may be anywhere."""
    name = BOX if place.zone is None else place.zone.name
    may_be: Expr = Const(1 if spots is None else 0)
    for spot in spots or ():
        if spot.zone == name:
            here: Expr = Const(1)
            if spot.owner is not None and place.owner is not None:
                here = op("=", spot.owner, place.owner)
            if spot.when is not None:
                here = op("and", spot.when, here)
            may_be = op("or", may_be, here)
    if may_be == Const(0):
        return Part(place, Const(0), False)
    lying = op("intersect", these, content(place, b))
    return Part(place, lying if may_be == Const(1) else op("if", may_be, lying, Const(0)), False)


def knows(seat: Expr, of: model.Expr, b: Builder, env: Env) -> Scalar:
    """Whether a seat is certain where all members of a set are: each in its place, or where no place is named, anywhere."""
    kind = of.type.of
    parts = parts_of(of, b, env)
    if parts is None:
        these = bits_of_set(of, b, env).expr
        anywhere: Expr = Const(0)
        for place in all_places(kind, b):
            anywhere = together(anywhere, _certain(seat, place, b), b.components[kind], b)
        return Scalar(is_empty(op("minus", these, anywhere)), 0, 1)
    found: Expr = Const(1)
    for part in parts:
        found = op("and", found, is_empty(op("minus", part.bits, _certain(seat, part.place, b))))
    return Scalar(found, 0, 1)


def _certain(seat: Expr, place: Place, b: Builder) -> Expr:
    """What a seat is certain lies in a place."""
    number, there = number_of(place, b), content(place, b)
    if number is None:
        return there
    return op("if", op("has", viewers(place, b), seat), there, knowledge.certain_in(seat, number, there, place.kind, b))
