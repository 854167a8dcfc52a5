"""Expands rolls of dice: a die that shows a face is a component of that face, and a roll replaces it by one drawn by chance.

Of each face there are as many components as there are dice. Those that no die shows lie in a zone that nobody sees (`to_roll`),
where all begin. So a die has a place, an owner and somebody who sees it, as a card has, and dice that show the same are equal.
``roll 2 dice to cup of player`` becomes::

    repeat 2 times
        move random(dice to roll), each face alike to cup[player]

and ``roll cup of player``::

    let rolled = count(cup[player])
    move cup[player] to dice to roll
    repeat rolled times
        move random(dice to roll), each face alike to cup[player]
"""

from __future__ import annotations

from collections.abc import Iterator

from ....common.nouns import plural, with_article
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, PLAYER, Expr, Type, Var, to_roll
from ..expressions import expression, number
from ..names.scope import Scope, variable
from ..names.types import as_set
from .targets import spot


def roll(line: tree.Roll, scope: Scope) -> Iterator[model.Statement]:
    """The statements for which a line with `roll` stands."""
    if line.to is None:
        yield from _where_they_lie(line, scope)
        return
    target, held = spot(line.to, scope)
    if line.noun is None:
        things = as_set(expression(line.what, scope, held), scope)
        kind = _dice(things.type, line.what.span, scope)
        if kind is not None and held is not None and held.of != kind:
            scope.complain("R204", f"`{target.zone}` holds {plural(held.of)}, and this is {things.type}", line.what.span)
        elif kind is not None:
            yield from _again(things, kind, target, line.span)
        return
    kind = None if held is None else _dice(held, line.to.span, scope)
    if kind is None:
        return
    if line.noun.text not in (words := (kind, plural(kind), "die", "dice")):
        scope.complain("R204", f"`{target.zone}` holds no {line.noun.text}", line.noun.span, help=f"write `{words[-1]}`")
    yield _new(number(line.what, scope), kind, target, line.span)


def _where_they_lie(line: tree.Roll, scope: Scope) -> Iterator[model.Statement]:
    """``roll ZONE``: all that lies there is rolled, and lies there again."""
    span = line.span
    things = as_set(expression(line.what, scope), scope)
    kind = _dice(things.type, line.what.span, scope)
    if kind is None:
        return
    match things:
        case model.ZoneContent(zone=zone, owner=None, every=True):
            player = Var("player", PLAYER)
            owner = variable(player, span)
            theirs = model.ZoneContent(zone, owner, type=things.type, span=span)
            again = tuple(_again(theirs, kind, model.Spot(zone, owner, span=span), span))
            yield model.ForEach(player, model.AllPlayers(type=PLAYER.set, span=span), None, again, span=span)
        case model.ZoneContent(zone=zone, owner=owner) | model.SetOf((model.ZoneContent(zone=zone, owner=owner),)):
            yield from _again(things, kind, model.Spot(zone, owner, span=span), span)
        case _:
            scope.complain("R204", "say where they lie then", line.what.span, help="write `roll ... to ZONE`")


def _again(things: Expr, kind: str, to: model.Spot, span: Span) -> Iterator[model.Statement]:
    rolled = Var("rolled", NUMBER)
    yield model.Let(rolled, model.Count(things, type=NUMBER, span=span), span=span)
    yield model.Move(things, model.Spot(to_roll(kind), None, span=span), span=span)
    yield _new(variable(rolled, span), kind, to, span)


def _new(count: Expr, kind: str, to: model.Spot, span: Span) -> model.Statement:
    type = Type("component", kind)
    waiting = model.ZoneContent(to_roll(kind), None, type=type.set, span=span)
    by_chance = model.RandomOf(waiting, each_face_alike=True, type=type, span=span)
    return model.RepeatTimes(count, (model.Move(by_chance, to, span=span),), span=span)


def _dice(type: Type, span: Span, scope: Scope) -> str | None:
    """The kind, where these are dice; else None, after a finding."""
    if type.base == "unknown":
        return None
    kind = scope.symbol(type.of)
    if isinstance(kind, model.Kind) and kind.form == "dice":
        return kind.name
    is_none = f"only dice are rolled; this is {with_article(type.noun)}"
    scope.complain("R204", is_none, span, help="dice are declared by `dice die, 2`")
    return None
