"""How is a set computed? Zones, unions, single things, teams."""

from __future__ import annotations

from ....model import model
from ....model.model import Expr as ModelExpr
from ...machine import NONE, Assign, Const, Constants, Expr, Function, Invoke, Load, Lookup, Return, While
from ..builder import Builder
from ..components.copies import join, put, single, without
from ..grids import lying, ways
from ..values import Bits, Env, Scalar, bits_of, op
from . import defines, filters, numbers, rankings


def holds(zone: model.Zone, owner: Expr | None, face: Expr, b: Builder) -> Expr:
    """Whether a component lies in a zone (of an owner)."""
    if zone.shape == "slot":
        return op("=", Load(b.fields[zone.name], owner), face)
    kind = b.components[zone.kind]
    bit = face if kind.distinct else Lookup(Constants(f"first copy of {zone.kind}", kind.starts), face)
    return op("has", content_of(zone, owner, b), bit)


def bits_of_set(node: ModelExpr, b: Builder, env: Env) -> Bits:
    """The code of a set."""
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
            own = tuple(components.block(face) for face in range(len(components.starts)))
            seat = numbers.scalar_of(whose, b, env)
            found = Lookup(Constants(f"{node.type.of}s of player", own, components.bits), seat.expr)
            return Bits(_empty_of_none(seat, found), components.all, max(each.bit_count() for each in own))
        case model.Regions():
            b.complain(
                "R204", "regions can be counted, gone through one by one, and asked for totals, the highest and the lowest",
                node.span, help="`for each region in regions of ...`, `highest size among regions of ...`",
            )  # fmt: skip
            return bits_of(0)
        case model.ZoneContent(zone=zone, owner=owner, every=every):
            told_which(node, b)
            return zone_bits(b.table.zones[zone], owner, every, b, env)
        case model.Join(left=left, right=right):
            return join(
                bits_of_set(left, b, env), bits_of_set(right, b, env), node.type.kind, b
            )
        case model.Without(left=left, right=right):
            whole, part = bits_of_set(left, b, env), bits_of_set(right, b, env)
            kind = node.type.kind
            return Bits(without(whole.expr, part.expr, kind, b), whole.bound, whole.most)
        case model.SetOf(members=members):
            result = bits_of(0)
            for member in members:
                one = single(numbers.scalar_of(member, b, env), member.type, b)
                result = join(result, one, member.type.kind, b)
            return result
        case model.Filter():
            return filters.filtered(node, b, env)
        case model.Best():
            return rankings.all_best(node, b, env)
        case model.TeamOf(of=of):
            player = numbers.scalar_of(of, b, env)
            if b.alone:
                return single(player, node.type.member, b)
            teams = tuple(b.table.team(seat) for seat in range(b.players))
            team = Lookup(Constants("team", teams, b.players), player.expr)
            return Bits(_empty_of_none(player, team), b.everybody, max(t.bit_count() for t in teams))
        case model.Opponents(of=of):
            player = numbers.scalar_of(of, b, env)
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
                chosen = op("if", numbers.scalar_of(condition, b, env).expr, then, result.expr)
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


def content_of(zone: model.Zone, owner: Expr | None, b: Builder) -> Expr:
    """The set of what lies in a zone of shape set or pile (of a pile with an ordered top: with that top)."""
    if zone.name in b.ordered:
        return Invoke(whole_pile(zone, b), () if owner is None else (owner,))
    return Load(b.fields[zone.name], owner)


def left_in(node: ModelExpr, b: Builder, env: Env) -> Scalar | None:
    """How many can still be drawn of piles; None for any other set, and where it is a set that is counted."""
    if not isinstance(node, model.ZoneContent) or (node.zone not in b.held and node.zone not in b.ordered):
        return None
    zone, owner = b.table.zones[node.zone], node.owner
    most = b.components[zone.kind].bits
    if node.every:
        total: Expr = Const(0)
        for player in range(b.players):
            total = op("+", total, _all_drawable(zone, Const(player), b))
        return Scalar(total, 0, most)
    whose = None if owner is None else numbers.scalar_of(owner, b, env)
    index = None if whose is None else whose.expr
    found = _all_drawable(zone, index, b)
    if whose is not None and whose.low < 0:
        found = op("if", op("<", whose.expr, Const(0)), Const(0), found)
    return Scalar(found, 0, most)


def _all_drawable(zone: model.Zone, owner: Expr | None, b: Builder) -> Expr:
    """How many of a whole pile can be drawn: those of its ordered top are counted already."""
    rest = drawable(zone, owner, Load(b.fields[zone.name], owner), b)
    return op("+", rest, Load(b.fields[f"size of top of {zone.name}"], owner)) if zone.name in b.ordered else rest


def drawable(zone: model.Zone, owner: Expr | None, part: Expr, b: Builder) -> Expr:
    """How many of a part of a pile that has all its unordered rest can be drawn: those that are held back cannot."""
    held = b.held.get(zone.name)
    return op("count", part) if held is None else op("-", op("count", part), Load(held, owner))


def told_which(node: model.ZoneContent, b: Builder) -> None:
    """A finding where it is asked which components are in a pile of which some are held back: nobody can know."""
    if node.zone in b.held:
        b.complain(
            "R253", f"some of `{node.zone}` are removed unseen, so nobody can say which are left", node.span,
            help=f"what can be asked: `{node.zone} is empty`, `count of {node.zone}`; what can be done: draw from it, shuffle it",
        )  # fmt: skip


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


def zone_bits(zone: model.Zone, owner: ModelExpr | None, every: bool, b: Builder, env: Env) -> Bits:
    kind = b.components[zone.kind]
    if every:
        result = bits_of(0)
        for player in range(b.players):
            result = join(
                result, zone_bits(zone, model.Const(player, type=model.PLAYER, span=zone.span), False, b, env), zone.kind, b
            )
        most = b.players if zone.shape == "slot" else kind.bits
        return Bits(result.expr, kind.all, most)
    whose = None if owner is None else numbers.scalar_of(owner, b, env)
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
