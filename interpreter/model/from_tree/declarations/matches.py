"""Binds the match line: the names that it makes known, how long the match goes on, and what it keeps."""

from __future__ import annotations

from ....common.nouns import singular
from ....syntax import tree
from ... import model
from ...model import GAMES_PLAYED, NUMBER, Const
from ..expressions import number, truth
from ..names.scope import Scope
from ..names.types import must_be_fixed
from .scoring import winner


def declare_match(line: tree.Match, scope: Scope) -> bool:
    """Make the count of games known; False (and a finding) where there is a match already, or the name is taken."""
    earlier = scope.declared_at(GAMES_PLAYED)
    if earlier is None:
        none = Const(0, type=NUMBER, span=line.span)  # how far it goes is known when the number of games is
        counted = model.Variable(GAMES_PLAYED, "built-in", (), model.Domain(NUMBER, none, none), "open", span=line.span)
        return scope.declare(GAMES_PLAYED, counted, line.span)
    if is_match(scope):
        scope.complain(
            "R202",
            "there are two `match` lines",
            line.span,
            (earlier, "here first"),
            label="here again",
            help="a variant can put another in its place: `replace match of ...`",
        )
    else:
        scope.complain(
            "R202",
            f"a match counts its `{GAMES_PLAYED}`, and that name is taken",
            line.span,
            (earlier, "here"),
            help=f"call it otherwise, or let the match count: `{GAMES_PLAYED}` is 0 in the first game",
        )
    return False


def is_match(scope: Scope) -> bool:
    """Whether there is a match here."""
    counted = scope.symbol(GAMES_PLAYED)
    return isinstance(counted, model.Variable) and counted.form == "built-in"


def kept_things(line: tree.Match, scope: Scope) -> tuple[str, ...]:
    """The zones, counters and markers that a match keeps."""
    found: list[str] = []
    for name in line.kept:
        symbol = scope.symbol(name.text)
        if symbol is None:
            known = scope.names_of(model.Zone, model.Variable)
            scope.unknown(name.text, name.span, "zone, counter or marker", known - {GAMES_PLAYED})
        elif not isinstance(symbol, model.Zone | model.Variable):
            grid = "is a grid and " if isinstance(symbol, model.Grid) else ""
            scope.complain("R204", f"`{name.text}` {grid}cannot be kept", name.span, help="zones, counters and markers are kept")
        elif name.text == GAMES_PLAYED or name.text in found:
            again = "the match counts its games by itself" if name.text == GAMES_PLAYED else "it is kept already"
            scope.complain("R202", f"`{name.text}` need not be kept: {again}", name.span)
        else:
            found.append(name.text)
    return tuple(found)


def match(line: tree.Match, scope: Scope) -> model.Match:
    """The match line, when all names are known."""
    games = must_be_fixed(number(line.games, scope), "how many games there are", scope)
    until = None if line.until is None else truth(line.until, scope)
    own = None if line.keys is None else winner(tree.Winner(line.keys, span=line.span), scope)
    return model.Match(games, singular(line.noun.text), until, own, kept_things(line, scope), span=line.span)
