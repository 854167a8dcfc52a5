"""`P wins` is short for a marker, the end of the game, and a score that counts it."""

from __future__ import annotations

import re

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import Game, table_of
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.simulate.engines.engine import engine_for

SHORT = """
game race
    players {players}
{teams}
{match}
counter steps of player: 0..9
counter asleep: 0..12
marker favourite: player or none

phase only
    take turns
        player chooses
            walk
                add 1 to steps of player
                if steps of player is 4
                    player wins
            jump a number from 1..2
                set favourite to left of player
                if steps of player is 3
                    left of player wins
            sleep
                add 1 to asleep
                if asleep is 12: end game
            give_up
                favourite wins
            agree
                only if asleep > 3
                nobody wins
"""
LONG = (
    re.sub(r"( +)(\S.*) wins", r"\1set champion to \2\n\1end game", SHORT.replace("nobody wins", "end game")).replace(
        "take turns", "take turns clockwise from player 1 until no"
    )
    + """
marker champion: player or none
score of player
    won: 1 if champion is not none and player in team of champion
    lost: -1 if champion is not none and player not in team of champion
winner highest score, then shared
"""
)


def game(text: str) -> Game:
    return table_of(rules_from(Source("race.rules", text)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "teams", "match"),
    [
        ("1", "", ""),
        ("2", "", ""),
        ("3", "", ""),
        ("4", "teams of 2, in turn", ""),
        ("6", "teams of 3, in turn", ""),
        ("3", "", "match of 3 games, highest score, then shared"),
    ],
)
def test_it_is_what_it_is_short_for(players: str, teams: str, match: str) -> None:
    one, other = (game(text.format(players=players, teams=teams, match=match)) for text in (SHORT, LONG))
    bots = (Bot("random"),) * one.players
    engines = (engine_for(each, bots, engine) for each in (one, other) for engine in ("wasm", "reference"))
    found = [engine.play(1, 0, 60, rows=True).rows for engine in engines]
    assert found[0]
    assert found == [found[0]] * 4
