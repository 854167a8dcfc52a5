"""Small games that are quick to simulate, for tests of many games."""

from __future__ import annotations

from pathlib import Path

from rulesrun.interpreter.play.game import Game, load

GAMES = Path(__file__).parent.parent.parent / "games"
PAIRS = GAMES.parent / "tests" / "cli" / "pairs.rules"

BIDS = """
game bids
    players 2..4

option top: 2..30, default 8
counter coins of player: 0..30
marker boss: player or none

phase only
    set boss to a random player
    for each player clockwise from boss
        player chooses
            bid a number n from 1..top
                set coins of player to n
            rest
                nothing
            lend a player friend from players
                only if friend is not player otherwise "not to yourself"
                set coins of friend to 1
score of player
    coins: coins of player
    boss:  1 if player is boss

winner highest score, then shared

variant level "All are given three coins"
    add to score
        gift: 3
"""

# One game of a million stops.
RARE = """
game rare
    players 2
counter n: 0..9
counter one: 0..999
counter two: 0..999
phase only
    set one to a random number from 0..999
    set two to a random number from 0..999
    if one is 3 and two is 5
        set n to one
        add 7 to n
score of player
    points: n
winner highest score, then shared
"""

# A third of its games stop: the counter takes 3 at the most.
BREAKS = """
game breaks
    players 2
counter coins: 0..3
phase only
    repeat 2 times
        player 1 chooses
            double
                add 2 to coins
            single
                add 1 to coins
score of player
    coins: coins
winner highest score, then shared
"""


def written(text: str, folder: Path, name: str = "game.rules") -> Path:
    """A file with these rules."""
    path = folder / name
    path.write_text(text.strip() + "\n", encoding="utf-8")
    return path


def game_of(text: str, folder: Path, players: int | None = None, **more: object) -> Game:
    """One table of these rules."""
    return load(written(text, folder), players, **more)  # type: ignore[arg-type]
