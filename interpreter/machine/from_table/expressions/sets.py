"""Lowers sets: zones, unions, single members, teams."""

from __future__ import annotations

from functools import reduce
from operator import or_

from ....model import model
from ....model.model import Expr as ModelExpr
from ...machine import NONE, Const, Constants, Expr, Invoke, Load, Lookup
from ..building import defines
from ..building.builder import Builder
from ..building.lowering import bits_of_set, scalar_of
from ..building.values import Bits, Env, Scalar, bits_of, op
from ..components.contents import check_members_known, content_of
from ..components.copies import join, single, together, without
from ..components.places import Place
from ..grids import lying, ways
from . import filters, rankings
from .parts import split


@bits_of_set.register(ModelExpr)
def _bits_of_set(node: ModelExpr, b: Builder, env: Env) -> Bits:
    b.work(node.span)
    match node:
        case model.Const(value=value):
            return bits_of(value)
        case model.VarValue(var=var):
            value_of = env[var].value
            assert isinstance(value_of, Bits)
            return value_of
        case model.CoveredBy():
            return lying.covered_by(node, b, env)
        case model.CellsOf() | model.NextTo() | model.Shifted() | model.LinesFrom() | model.CellsOfWay():
            return lying.bits_of_cells(node, b, env)
        case model.ZoneContent(zone=zone) if zone in b.table.grids:
            return lying.bits_of_cells(node, b, env)
        case model.Ways():
            return ways.candidates(node, b, env)
        case model.OwnedBy(player=whose):
            components = b.components[node.type.of]
            own = tuple(components.mask(faces) for faces in components.kind.by_owner)
            seat = scalar_of(whose, b, env)
            found = Lookup(Constants(f"{node.type.of}s of player", own, components.bits), seat.expr)
            return Bits(_empty_of_none(seat, found), components.all, max(each.bit_count() for each in own))
        case model.Regions():
            b.complain(
                "R204",
                "regions can be counted, gone through one by one, and asked for totals, the highest and the lowest",
                node.span,
                help="`for each region in regions of ...`, `highest size among regions of ...`",
            )
            return bits_of(0)
        case model.ZoneContent(zone=zone, owner=owner, every=every):
            check_members_known(node, b)
            return zone_bits(b.table.zones[zone], owner, every, b, env)
        case model.Join(left=left, right=right):
            return join(bits_of_set(left, b, env), bits_of_set(right, b, env), node.type.kind, b)
        case model.Union():
            return _union(node, b, env)
        case model.Without(left=left, right=right):
            whole, part = bits_of_set(left, b, env), bits_of_set(right, b, env)
            kind = node.type.kind
            return Bits(without(whole.expr, part.expr, kind, b), whole.bound, whole.most)
        case model.SetOf(members=members):
            result = bits_of(0)
            for member in members:
                one = single(scalar_of(member, b, env), member.type, b)
                result = join(result, one, member.type.kind, b)
            return result
        case model.Filter():
            return filters.filtered(node, b, env)
        case model.Best():
            return rankings.all_best(node, b, env)
        case model.TeamOf(of=of):
            player = scalar_of(of, b, env)
            if b.alone:
                return single(player, node.type.member, b)
            teams = tuple(b.table.team(seat) for seat in range(b.players))
            team = Lookup(Constants("team", teams, b.players), player.expr)
            return Bits(_empty_of_none(player, team), b.everybody, max(t.bit_count() for t in teams))
        case model.Opponents(of=of):
            player = scalar_of(of, b, env)
            others = tuple(b.everybody & ~b.table.team(seat) for seat in range(b.players))
            opponents = Lookup(Constants("opponents", others, b.players), player.expr)
            return Bits(_empty_of_none(player, opponents), b.everybody, b.players - 1)
        case model.Winners():
            return Bits(Invoke("winner", (Const(b.everybody),)), b.everybody, b.players)
        case model.Cases(cases=cases, otherwise=otherwise):
            width = b.width(node.type)
            result = bits_of_set(otherwise, b, env)
            result = Bits(b.marked(result.expr, "case", otherwise.span, width), result.bound, result.most)
            for condition, value_node in reversed(cases):
                here = bits_of_set(value_node, b, env)
                then = b.marked(here.expr, "case", value_node.span, width)
                chosen = op("if", scalar_of(condition, b, env).expr, then, result.expr)
                result = Bits(chosen, here.bound | result.bound, max(here.most, result.most))
            return result
        case model.Apply():
            value_of = defines.apply(node, b, env)
            assert isinstance(value_of, Bits)
            return value_of
        case _:
            raise AssertionError(f"{type(node).__name__} is no set")


def _empty_of_none(thing: Scalar, bits: Expr) -> Expr:
    """A set that belongs to nobody is empty."""
    return bits if thing.low >= 0 else op("if", op("<", thing.expr, Const(0)), Const(0), bits)


def _union(node: model.Union, b: Builder, env: Env) -> Bits:
    """Several sets as one: of equal components as many as lie in each place, and no more than that in any of the sets."""
    sets = [bits_of_set(each, b, env) for each in node.sets]
    kind = node.type.kind
    bound, most = reduce(or_, (each.bound for each in sets)), sum(each.most for each in sets)
    if not kind or b.components[kind].distinct:
        return Bits(reduce(lambda one, more: op("union", one, more), (each.expr for each in sets)), bound, most)
    components = b.components[kind]
    there: dict[Place, Expr] = {}
    for each in node.sets:
        for part in split(each, b, env):
            there[part.place] = op("union", there.get(part.place, Const(0)), part.bits)  # copies fill a run from one end
    return Bits(reduce(lambda one, more: together(one, more, components, b), there.values()), components.all, components.bits)


def zone_bits(zone: model.Zone, owner: ModelExpr | None, every: bool, b: Builder, env: Env) -> Bits:
    kind = b.components[zone.kind]
    if every and zone.owner is not None:
        result = bits_of(0)
        count = b.table.size(zone.owner)
        for each in range(count):
            instance = model.Const(each, type=zone.owner, span=zone.span)
            result = join(result, zone_bits(zone, instance, False, b, env), zone.kind, b)
        most = count if zone.shape == "slot" else kind.bits
        return Bits(result.expr, kind.all, most)
    whose = None if owner is None else scalar_of(owner, b, env)
    index = None if whose is None else whose.expr
    if zone.shape == "slot":
        high = len(kind.kind.faces) - 1
        one = single(Scalar(Load(b.fields[zone.name], index), NONE, high), model.Type("component", zone.kind, optional=True), b)
        content = one.expr
    else:
        content = content_of(zone, index, b)
    if whose is not None:
        content = _empty_of_none(whose, content)
    return Bits(content, kind.all, 1 if zone.shape == "slot" else kind.bits)
