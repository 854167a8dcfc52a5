"""Lowers a match to a loop around the whole game, in statements that exist.

::

    routine match                                    routine game
        while 1                                          call setup
            call game                                    call phase rounds
            if games_played = 2
                finish
            earlier coins[...] = score for coins in this game(...)
            games_played = games_played + 1
            call back to the box
"""

from __future__ import annotations

from collections.abc import Iterable

from ....model.model import GAMES_PLAYED
from ....table.table import Match
from ...machine import Assign, Call, Const, Expr, Finish, If, Invoke, Message, Note, Routine, Say, Show, Stmt, While
from ..building.builder import Builder
from ..building.lowering import scalar_of
from ..building.saying import game_name
from ..building.values import op
from ..statements.loops import ROUND
from . import earlier_games
from .beginning import BACK, begin_again
from .ending import may_end, unwound


def add_match(match: Match, parts: Iterable[str], b: Builder) -> tuple[str, ...]:
    """Make the routines of a match; ``parts``: those of its setup and phases, in order. The parts of the main flow."""
    game = Message((match.noun,), (game_name(match.noun, b),))
    which = b.parts("{game} {number}", game=game, number=Say(_number_of_game(b), None))
    heading = Note(Message((ROUND, *which.parts), (ROUND, *which.said) if which.said else ()), Const(b.everybody))
    again = begin_again(match, b)
    b.routines["game"] = Routine("game", (), (heading, *(Call(part) for part in parts)), False)
    forget: list[Stmt] = []
    if "game" in may_end(b.routines):
        ended = b.field("game is ended", "game", high=1)
        b.routines = unwound(b.routines, ended)
        forget = [Assign(ended, Const(0))]
    b.routines[BACK] = again
    over: Expr = op("=", earlier_games.played(b), Const(match.games - 1))
    if match.until is not None:
        over = op("or", over, scalar_of(match.until, b, {}).expr)
    round_code = (
        Call("game"),
        *forget,
        If(over, (Finish(),)),
        *_shown(match, b),
        *earlier_games.store(match, b),
        Assign(b.fields[GAMES_PLAYED], _number_of_game(b)),
        Call(BACK),
    )
    b.routines["match"] = Routine("match", (), (While(Const(1), round_code, match.span),), False)
    return "begin", "match"


def _number_of_game(b: Builder) -> Expr:
    """The number of the running game, from 1."""
    return op("+", earlier_games.played(b), Const(1))


def _shown(match: Match, b: Builder) -> list[Stmt]:
    """How the match stands after a game. All see it, whatever the scores were made of: so it is an observation."""
    found: list[Stmt] = []
    for seat, name in enumerate(b.seat_names):
        score = Invoke("score", (Const(seat),))
        text = b.parts(
            "after {game} {number}: {player} {score}",
            number=Say(_number_of_game(b), None),
            game=Message((match.noun,), (game_name(match.noun, b),)),
            player=Message((name,), (b.seats_said[seat],)),
            score=Say(score, None),
        )
        found.append(Show(b.site(), Const(b.everybody), score, text))
    return found
