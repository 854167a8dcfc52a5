"""Lowers a look at the top of a pile: what lies there in a known order is shown, and below it chance says what comes next.

A pile is a top in a known order above a rest in none. What a player looks at must be decided then, since it will be drawn
later. So each component of the rest that the player comes to see is drawn by chance and put under the known top, where it
stays for whoever draws it, until the pile is shuffled. Of each component of the top it is kept who has looked at it: they know
where it is when somebody draws it.
"""

from __future__ import annotations

from ....common.nouns import with_article
from ....model import model
from ...machine import Assign, Chance, Const, If, Load, Message, Note, Say, Show, Stmt, While
from ..building.builder import Builder, kept
from ..building.lowering import required
from ..building.values import Env, element, op, some
from ..components import copies, knowledge, places
from ..components.contents import drawable
from ..components.places import place_of
from .moves import take_unordered


def peek(node: model.Peek, b: Builder, env: Env) -> list[Stmt]:
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
    where = places.zone_text(place, b)
    who = Say(player, b.player_domain)
    text = Message((who, " sees ", Say(Load(face), components.domain), " in ", *where))
    hidden = Message((who, f" sees {with_article(zone.noun)} in ", *where))

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
        *head, *more, *more_still, Assign(seen, Const(0)), Assign(looked, Const(0)),
        While(op("and", wanted, op("<", Load(looked), Load(size, place.owner))), of_top, node.span, components.bits),
        While(op("and", wanted, left), of_rest, node.span, components.bits),
        If(some(Load(seen)), tuple(learned)),
    ]  # fmt: skip
