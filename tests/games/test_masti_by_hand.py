"""The rules file and the game written by hand agree: every chance event, every decision, the score sheet and the ranking."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
import rulesrun

from .by_hand import at_random, side_by_side
from .masti_by_hand import Table

FILE = Path(__file__).parents[2] / "games" / "masti.rules"
GAMES = int(os.environ.get("RULESRUN_SEEDS", "6"))
TABLES = [(3, False), (4, False), (4, True), (5, False), (6, True)]


def favoured(legal: list[str], style: int) -> list[str]:
    """Random play hardly meets rare things: some games play gems whenever they can, some never."""
    gems = [text for text in legal if text == "play a gem"]
    return {1: gems or legal, 2: [text for text in legal if text not in gems]}.get(style, legal)


@pytest.mark.slow
@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize(("players", "teams"), TABLES)
def test_both_play_the_same_game(players: int, teams: bool, optional: bool) -> None:
    variants = ["partners"] if teams else []
    game = rulesrun.load(FILE, players, variants, {"jokers_optional": optional})
    for seed in range(GAMES):
        state = game.start()
        choose = at_random(seed, partial(favoured, style=seed % 3))
        result = side_by_side(state, Table(players, teams, optional).play(), choose)
        assert state.terms == result.terms
        assert state.ranking == result.ranking
