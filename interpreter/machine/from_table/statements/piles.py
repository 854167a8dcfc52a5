"""Lowers what is done with the top of a pile: drawing from it, shuffling it, looking at it, and removing some of it unseen.

A pile is a top in a known order above a rest in none, from which chance says what comes next. What a player looks at must be
decided then, since it will be drawn later. So each component of the rest that the player comes to see is drawn by chance and put
under the known top, where it stays for whoever draws it, until the pile is shuffled. Of each component of the top it is kept who
has looked at it: they know where it is when somebody draws it. What is removed unseen stays in the rest, and only its number is
kept.
"""

from __future__ import annotations

from typing import assert_never

from ....common.nouns import plural, spoken
from ....model import model
from ....model.effects import OfPile
from ....table.figures import figures
from ....words.words import marked
from ...machine import NONE, Assign, Call, Chance, Const, Domain, Expr, If, Load, Local, Message, Note, Say, Show, Stmt, While
from ..building.builder import Builder, kept
from ..building.lowering import required
from ..building.saying import one_of
from ..building.values import Binding, Env, Scalar, element, is_empty, op, some
from ..components import copies, knowledge, places
from ..components.contents import drawable
from ..components.places import Place, place_of, zone_text
from .moves import fixed_owner, give_one, melt, shown, take_unordered, taught


def of_pile(node: OfPile, b: Builder, env: Env) -> list[Stmt]:
    match node:
        case model.Draw():
            return _draw(node, b, env)
        case model.HoldBack():
            return _hold_back(node, b, env)
        case model.Mix():
            return _mix(node, b, env)
        case model.Peek():
            return _peek(node, b, env)
        case _:
            assert_never(node)


def _draw(node: model.Draw, b: Builder, env: Env) -> list[Stmt]:
    """Take from the top of a pile, one by one: from its ordered top, else by chance from the unordered rest."""
    zone = b.table.zones[node.source.zone]
    kind = zone.kind
    components = b.components[kind]
    head, come = fixed_owner(place_of(node.source, kind, b, env), b)
    more, to = fixed_owner(place_of(node.to, kind, b, env), b)
    head += more
    field_of = b.fields[zone.name]
    face = b.local(kind)
    if node.moved is not None:
        env[node.moved] = Binding(Scalar(Load(face), 0, len(components.domain.names) - 1), None, Const(0))
    seen = op("union", places.viewers(come, b), places.viewers(to, b))
    text, hidden = _draw_texts(zone.noun, to, face, components.domain, b)
    pool = Load(field_of, come.owner)
    run_out = is_empty(pool) if zone.name not in b.held else op("<=", drawable(zone, come.owner, pool, b), Const(0))
    empty = b.stop(
        "R604",
        node.span,
        *places.zone_text(come, b, spoken),
        " is empty, and a card is to be drawn",
        help="ask first: `if ... is not empty`",
    )
    event = Chance(b.site(), face, pool, components.domain, seen, text, hidden, node.span)
    give = give_one(to, Load(face), b, node.span)
    bit = op("bit", copies.bit_of(Load(face), kind, b))
    saw: Expr = Const(0)  # who has looked at it where it lay
    forget: list[Stmt] = []
    looked_at = b.fields.get(f"seen top of {zone.name}")
    if looked_at is not None:  # above the known top, where it was just now; of what comes by chance, nobody has
        was = element(come.owner, components.bits, Load(b.pile_index(zone, come.owner)[0], come.owner))
        saw = Load(looked_at, was)
        forget = [Assign(looked_at, Const(0), was)]
    learned = [*taught(come, to, bit, op("bit", Load(face)), saw, b), *forget]
    if zone.name in b.ordered:
        size, _ = b.pile_index(zone, come.owner)
        top = b.fields[f"top of {zone.name}"]
        last = op("-", Load(size, come.owner), Const(1))
        base = element(come.owner, components.bits, last)
        story = Note(text, seen, hidden)
        from_top: tuple[Stmt, ...] = (
            Assign(face, Load(top, base)),
            Assign(top, Const(NONE), base),
            Assign(size, last, come.owner),
            *shown(come, to, Load(face), Const(0), b),
            story,
        )
        by_chance: tuple[Stmt, ...] = (If(run_out, (empty,)), event, *take_unordered(come, Load(face), b))
        one: list[Stmt] = [If(op("<", Const(0), Load(size, come.owner)), from_top, by_chance)]
    else:
        one = [If(run_out, (empty,)), event, *take_unordered(come, Load(face), b)]
    one += [*give, *learned]
    count = required(node.count, b, env)
    if count.constant == 1:
        return head + one
    left = b.local("left to draw")
    drawn = (*one, Assign(left, op("-", Load(left), Const(1))))
    loop = While(op("<", Const(0), Load(left)), drawn, node.span, max(0, count.high))
    return [*head, Assign(left, count.expr), loop]


def _draw_texts(noun: str, to: Place, face: Local, domain: Domain, b: Builder) -> tuple[Message, Message]:
    card = Say(Load(face), domain)
    seat = places.whose(to, b)
    if seat is not None:
        who = Say(seat, b.player_domain)
        draws = marked("{player} draws {component}")
        return b.parts(draws, player=who, component=card), b.parts(draws, player=who, component=one_of(b, noun))
    place, drawn = places.place_said(to, b), marked("{component} is drawn to {zone}")
    return b.parts(drawn, component=card, zone=place), b.parts(drawn, component=one_of(b, noun), zone=place)


def _hold_back(node: model.HoldBack, b: Builder, env: Env) -> list[Stmt]:
    """Remove some of a pile unseen: they stay where they are, and only their number is kept."""
    count = required(node.count, b, env)
    zone = b.table.zones.get(node.pile.zone)
    if zone is None or (isinstance(node.count, model.Const) and node.count.value == 0):
        return []
    kind = zone.kind
    most = b.components[kind].bits
    if count.low > most or count.high < 0:
        wanted = count.low if count.low > most else count.high
        b.complain(
            "R301",
            f"{wanted} {plural(kind)} are to be removed, and there are {most}",
            node.span,
            (zone.span, "declared here"),
            *figures([node.span], b.table),
            help=f"remove 0 to {most}, or change a number on which this depends",
        )
        return []
    head, pile = fixed_owner(place_of(node.pile, kind, b, env), b)
    more, number = kept(count.expr, "removed", b)
    held, there = b.held[zone.name], Load(b.fields[zone.name], pile.owner)
    left = drawable(zone, pile.owner, there, b)
    fits = op("and", op("<=", Const(0), number), op("<=", number, left))
    unordered = " that lie in no known order" if zone.name in b.ordered else ""
    too_many = b.stop(
        "R604", node.span, "to be removed from ", *zone_text(pile, b), ": ", Say(number, None), ", and there are ",
        Say(left, None), unordered, help="remove fewer, or shuffle more into it first",
    )  # fmt: skip
    told = b.parts("removed unseen from {zone}: {number}", zone=places.place_said(pile, b), number=Say(number, None))
    told_all = Note(told, Const(b.everybody))
    now = op("+", Load(held, pile.owner), number)
    return [*head, *more, If(fits, (), (too_many,)), Assign(held, now, pile.owner), told_all]


def _mix(node: model.Mix, b: Builder, env: Env) -> list[Stmt]:
    """Forget the order of a pile."""
    zone = b.table.zones.get(node.pile.zone)
    place = place_of(node.pile, "" if zone is None else zone.kind, b, env)
    told = Note(b.parts("{zone} is shuffled", zone=places.place_said(place, b)), Const(b.everybody))
    if place.zone is None or place.zone.name not in b.ordered:
        return [told]
    return [Call(melt(place.zone, b), () if place.owner is None else (place.owner,)), told]


def _peek(node: model.Peek, b: Builder, env: Env) -> list[Stmt]:
    """A player alone sees the first components of a pile, or all where there are fewer."""
    zone = b.table.zones.get(node.pile.zone)
    if zone is None:
        return []
    components, kind = b.components[zone.kind], zone.kind
    place = place_of(node.pile, kind, b, env)
    head: list[Stmt] = []
    if place.owner is not None:
        head, owner = kept(place.owner, "whose", b)
        place = places.Place(zone, kind, owner)
    more, player = kept(required(node.player, b, env).expr, "player", b)
    more_still, count = kept(required(node.count, b, env).expr, "to look at", b)
    size, _ = b.pile_index(zone, place.owner)
    top, middle = b.fields[f"top of {zone.name}"], b.fields[zone.name]
    face, seen, looked = b.local(kind), b.local("seen", components.bits), b.local("looked at")
    sees = op("union", places.viewers(place, b), op("bit", player))
    fresh = op("minus", op("bit", player), places.viewers(place, b))
    where = places.place_said(place, b)
    who, sees_it = Say(player, b.player_domain), marked("{player} sees {component} in {zone}")
    text = b.parts(sees_it, player=who, component=Say(Load(face), components.domain), zone=where)
    hidden = b.parts(sees_it, player=who, component=one_of(b, zone.noun), zone=where)

    known = op("-", op("-", Load(size, place.owner), Const(1)), Load(looked))
    base = element(place.owner, components.bits, Const(0))
    note_it: tuple[Stmt, ...] = (
        Assign(seen, copies.put(Load(seen), Load(face), components)),
        Assign(looked, op("+", Load(looked), Const(1))),
    )
    looked_at = b.fields.get(f"seen top of {zone.name}")
    of_known = element(place.owner, components.bits, known)
    remember: list[Stmt] = []
    if looked_at is not None:
        remember = [Assign(looked_at, op("union", Load(looked_at, of_known), op("bit", player)), of_known)]
    of_top: tuple[Stmt, ...] = (
        Assign(face, Load(top, of_known)),
        *remember,
        Show(b.site(), fresh, Load(face), text),
        Note(text, sees, hidden),
        *note_it,
    )
    wanted = op("<", Load(looked), count)
    spot = b.local("place")
    here, below = (element(place.owner, components.bits, each) for each in (Load(spot), op("-", Load(spot), Const(1))))
    make_room: list[Stmt] = [Assign(top, Load(top, below), here)]
    first: list[Stmt] = [Assign(top, Load(face), base)]
    if looked_at is not None:
        make_room.append(Assign(looked_at, Load(looked_at, below), here))
        first.append(Assign(looked_at, op("bit", player), base))
    make_room.append(Assign(spot, op("-", Load(spot), Const(1))))
    pool = Load(middle, place.owner)
    left = some(pool) if zone.name not in b.held else op("<", Const(0), drawable(zone, place.owner, pool, b))
    of_rest: tuple[Stmt, ...] = (
        Chance(b.site(), face, pool, components.domain, sees, text, hidden, node.span),
        *take_unordered(place, Load(face), b),
        Assign(spot, Load(size, place.owner)),
        While(op("<", Const(0), Load(spot)), tuple(make_room), node.span, components.bits),
        *first,
        Assign(size, op("+", Load(size, place.owner), Const(1)), place.owner),
        *note_it,
    )
    number = places.number_of(place, b)
    there = places.content(place, b)
    learned = [] if number is None else knowledge.learned(kind, number, there, Load(seen), fresh, b)
    return [
        *head,
        *more,
        *more_still,
        Assign(seen, Const(0)),
        Assign(looked, Const(0)),
        While(op("and", wanted, op("<", Load(looked), Load(size, place.owner))), of_top, node.span, components.bits),
        While(op("and", wanted, left), of_rest, node.span, components.bits),
        If(some(Load(seen)), tuple(learned)),
    ]
