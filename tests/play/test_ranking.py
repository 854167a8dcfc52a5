"""The text of the ranking: places, those that several share, and teams."""

from __future__ import annotations

from pathlib import Path

import pytest
import rulesrun
from rulesrun.interpreter.play.page import plain
from rulesrun.interpreter.play.result import ranking

GAME = """game tied
    players 2..6

counter coins of player: 0..9

phase only
    for each player: set coins of player to {coins}

score of player
    coins: coins of player

winner {winner}, then shared

variant together "Two against two"
    needs players is 4
    teams of 2, in turn
"""


@pytest.mark.parametrize(
    ("players", "coins", "winner", "told"),
    [
        (2, "4", "highest score", ["1-2. player 1 and player 2, tied (4 each)"]),
        (3, "seat of player", "highest score", ["1. player 3 (3)", "2. player 2 (2)", "3. player 1 (1)"]),
        (4, "seat of player / 3 rounded down", "highest score",
         ["1-2. player 3 and player 4, tied (1 each)", "3-4. player 1 and player 2, tied (0 each)"]),
        (4, "seat of player / 4 rounded down", "highest score",
         ["1. player 4 (1)", "2-4. player 1, player 2 and player 3, tied (0 each)"]),
        (3, "seat of player", "highest (coins / 9 rounded down)", ["1-3. player 1, player 2 and player 3, tied (1, 2, 3)"]),
    ],
)  # fmt: skip
def test_places(players: int, coins: str, winner: str, told: list[str], tmp_path: Path) -> None:
    assert shown(players, coins, winner, (), tmp_path) == told


def test_places_of_teams(tmp_path: Path) -> None:
    apart = shown(4, "seat of player", "highest score", ("together",), tmp_path)
    assert apart == ["1. player 2 and player 4 (6)", "2. player 1 and player 3 (4)"]
    tied = shown(4, "4", "highest score", ("together",), tmp_path)
    assert tied == ["1-2. player 1 and player 3; player 2 and player 4, tied (8 each)"]


def shown(players: int, coins: str, winner: str, variants: tuple[str, ...], folder: Path) -> list[str]:
    """The lines of the ranking at the end of a game."""
    path = folder / "tied.rules"
    path.write_text(GAME.format(coins=coins, winner=winner), encoding="utf-8")
    return [line.strip() for line in plain(ranking(rulesrun.load(path, players, variants).start(seed=1))).splitlines()]
