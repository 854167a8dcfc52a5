"""The rules file and the game written by hand agree: every chance event, every decision, the score sheet and the ranking."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
import rulesrun

from .masti_by_hand import Draw, Result, Table, Turn

FILE = Path(__file__).parents[2] / "games" / "masti.rules"
GAMES = int(os.environ.get("RULESRUN_SEEDS", "6"))
TABLES = [(3, False), (4, False), (4, True), (5, False), (6, True)]


def favoured(legal: list[str], style: int) -> list[str]:
    """Random play hardly meets rare things: some games play gems whenever they can, some never."""
    gems = [text for text in legal if text == "play a gem"]
    return {1: gems or legal, 2: [text for text in legal if text not in gems]}.get(style, legal)


@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize(("players", "teams"), TABLES)
def test_both_play_the_same_game(players: int, teams: bool, optional: bool) -> None:
    variants = ["partners"] if teams else []
    game = rulesrun.load(FILE, players, variants, {"jokers_optional": optional})
    for seed in range(GAMES):
        chance = Random(seed)
        state = game.start()
        by_hand = Table(players, teams, optional).play()
        expected = next(by_hand)
        try:
            while True:
                if isinstance(expected, Draw):
                    event = state.chance
                    assert event is not None
                    assert {outcome.text for outcome in event.outcomes} == expected.possible
                    happened = chance.choice(event.outcomes).text
                    state.happen(happened)
                else:
                    assert isinstance(expected, Turn)
                    assert state.decision is not None
                    assert state.player == expected.seat + 1
                    assert {option.text for option in state.decision.legal} == expected.legal
                    happened = chance.choice(favoured(sorted(expected.legal), seed % 3))
                    state.play(happened)
                expected = by_hand.send(happened)
        except StopIteration as end:
            result = end.value
        assert isinstance(result, Result)
        assert state.is_over
        assert state.fault is None
        assert state.terms == result.terms
        assert state.ranking == result.ranking
