"""Fields of the score sheet of a match, which remember the games that are over.

There is a field for each line of the sheet. In a match of N games it holds the line game by game (element ``game * seats +
seat``, games from 0; the running game and those to come have 0); in a match until something happens it holds their sum (element
``seat``). The last game is never stored: the match ends in its last position, and the line is evaluated there.

So the functions of a match are, for the line ``coins``: ``score for coins in this game``, which is what the rules say; ``score
for coins``, with the earlier games; and one for each line that is shown, such as ``score for coins, game 2``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ....common.nouns import plural
from ....model import model
from ....model.model import GAMES_PLAYED
from ....table.table import Match
from ...machine import EARLIER, Assign, Const, Expr, Field, Function, Invoke, Load, Return, Stmt, Term, earlier
from ..building import saying
from ..building.builder import Builder
from ..building.values import added_up, op
from ..expressions import overflow


def in_this_game(term: str) -> str:
    """The function for one line of the running game."""
    return f"score for {term} in this game"


def lines(term: model.Term, match: Match, b: Builder) -> tuple[Term, ...]:
    """One line of the rules as lines of the match, when `in_this_game` is there; and ``score for TERM``, their sum."""
    name, this, several = f"score for {term.name}", in_this_game(term.name), plural(match.noun)
    low, high = b.score_ranges[this]
    together = match.games * min(0, low), match.games * max(0, high)
    overflow.report_too_large(
        *together,
        [(low, high)],
        b,
        term.span,
        (match.span, "the match"),
        what=f"in {match.games} {several} `{term.name}`",
        help=f"count in larger units, or play fewer {several}",
    )
    before = _field(term.name, low, high, match, b)
    b.score_ranges[name] = together
    _function(name, lambda player: op("+", _stored(before, player, b), Invoke(this, (player,))), b)
    if match.until is not None:
        _function(f"{name}, earlier games", lambda player: _stored(before, player, b), b)
        return (
            Term(
                term.name,
                f"{name}, earlier games",
                f"earlier {several}",
                b.words.phrase("earlier {games}", games=saying.games_name(match.noun, b)),
            ),
            Term(term.name, this, f"last {match.noun}", b.words.phrase("last {game}", game=saying.game_name(match.noun, b))),
        )
    found: list[Term] = []
    for game in range(match.games):
        shown = f"{name}, game {game + 1}"
        _function(shown, partial(_line, before, this, game, b=b), b)
        said = b.words.phrase("{game} {number}", game=saying.game_name(match.noun, b), number=game + 1)
        found.append(Term(term.name, shown, f"{match.noun} {game + 1}", said))
    return tuple(found)


def add_sum(b: Builder) -> None:
    """The function `EARLIER`."""

    def total(player: Expr) -> Expr:
        return added_up(_stored(field, player, b) for field in fields(b))

    _function(EARLIER, total, b)


def fields(b: Builder) -> list[Field]:
    """The fields that hold earlier games."""
    names = [earlier(term.name) for term in b.table.terms]
    return [b.fields[name] for name in names if name in b.fields]


def store(match: Match, b: Builder) -> list[Stmt]:
    """Put the lines of a game that is over away."""
    code: list[Stmt] = []
    for term in b.table.terms:
        field = b.fields[earlier(term.name)]
        for seat in range(b.players):
            value: Expr = Invoke(in_this_game(term.name), (Const(seat),))
            index: Expr = Const(seat)
            if match.until is None:
                index = op("+", op("*", played(b), Const(b.players)), index)
            else:
                value = op("+", Load(field, index), value)
            code.append(Assign(field, value, index))
    return code


def played(b: Builder) -> Expr:
    """How many games are over."""
    return Load(b.fields[GAMES_PLAYED])


def _field(term: str, low: int, high: int, match: Match, b: Builder) -> Field | None:
    """Where the earlier games of a line are; None in a match of one game."""
    before = match.games - 1
    if before == 0:
        return None
    games, times = (before, 1) if match.until is None else (1, before)
    return b.field(earlier(term), "game", games * b.players, min(0, low) * times, max(0, high) * times)


def _stored(field: Field | None, player: Expr, b: Builder) -> Expr:
    """The sum of all that a field holds of a player."""
    if field is None:
        return Const(0)
    return added_up(Load(field, op("+", player, Const(first))) for first in range(0, field.length, b.players))


def _line(field: Field | None, this: str, game: int, player: Expr, b: Builder) -> Expr:
    """The line of one game: of the running game what it is now, of another what is stored."""
    first = game * b.players
    stored: Expr = Const(0)
    if field is not None and first < field.length:
        stored = Load(field, op("+", player, Const(first)))
    return op("if", op("=", played(b), Const(game)), Invoke(this, (player,)), stored)


def _function(name: str, value: Callable[[Expr], Expr], b: Builder) -> None:
    """A function of a player."""
    player = b.local("player")
    b.functions[name] = Function(name, (player,), 0, (Return(value(Load(player))),))
