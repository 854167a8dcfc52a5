"""The match of a table: how many games it has, what is kept between them, and who wins it."""

from __future__ import annotations

from collections.abc import Mapping

from ...common.nouns import plural
from ...model import model
from ...model.model import GAMES_PLAYED, NUMBER
from ...model.visitor import walk
from ..table import Match, Range, Variable
from .fold import Settled

GAMES_LIMIT = 100  # each game has lines of its own on the score sheet, and numbers in the record


def match_at(declared: model.Match, winner: model.Winner, defines: Mapping[str, model.Define], settled: Settled) -> Match:
    """The match of a table. ``winner``: the game's own winner line; ``defines``: the folded ones of the table."""
    games = settled.value(declared.games) or 0
    noun = declared.noun
    if games < 1:
        settled.complain("R215", f"a match has at least 1 {noun}, not {games}", declared.games.span)
    elif games > GAMES_LIMIT:
        settled.complain("R216", f"this match has {games} {plural(noun)}; {GAMES_LIMIT} are allowed", declared.games.span)
    elif games > 1:
        passing = [key for key in (declared.winner or winner).keys if _of_one_game(key.value, declared, defines)]
        if passing and declared.winner is not None:
            settled.complain(
                "R219",
                f"this does not say who wins the match: `{passing[0].label}` is only what it is in the last {noun}",
                passing[0].span,
                help="ask for scores, which are added up, or for what is kept: `keep NAME` under this line",
            )
        elif passing:
            settled.complain(
                "R219",
                f"the match does not say who wins it: `{passing[0].label}` is only what it is in the last {noun}",
                declared.span,
                (passing[0].span, "the winner line asks for it"),
                help="end the match line with a ranking over the sums: `, highest score, then shared`",
            )
    returns = defines.get(model.RETURNS)
    if games > 1 and returns is not None and _of_one_game(returns.value, declared, defines):
        settled.complain(
            "R219",
            f"this does not say what a player gets for the match: it is only what it is in the last {noun}",
            returns.span,
            (declared.span, "the match"),
            help="ask for `winners`, for scores, which are added up, or for what is kept",
        )
    until = None if declared.until is None else settled.fold(declared.until)
    return Match(max(1, min(games, GAMES_LIMIT)), noun, until, declared.kept, declared.span)


def games_played(match: Match) -> Variable:
    """The counter of a match that says how many of its games came before."""
    return Variable(GAMES_PLAYED, "built-in", None, NUMBER, Range(0, match.games - 1), "open", match.span)


def _of_one_game(value: model.Expr, declared: model.Match, defines: Mapping[str, model.Define]) -> bool:
    """Whether a value asks for something that begins anew in each game."""
    lasting = {GAMES_PLAYED, *declared.kept}
    asked: set[str] = set()
    todo: list[model.Node] = [value]
    while todo:
        for node in walk(todo.pop()):
            match node:
                case model.ZoneContent(zone=name) | model.VariableValue(name=name) if name not in lasting:
                    return True
                case model.OwnerOf():
                    return True
                case model.Apply(define=define) if define not in asked:
                    asked.add(define)
                    todo.append(defines[define].value)
                case _:
                    pass
    return False
