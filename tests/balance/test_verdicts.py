"""Verdicts say no more than the intervals do."""

from __future__ import annotations

from random import Random

import pytest
import rulesrun as rr
from rulesrun.interpreter.balance import verdicts
from rulesrun.interpreter.balance.measures import Measures
from rulesrun.interpreter.simulate.statistics.estimates import share
from rulesrun.interpreter.simulate.statistics.statistics import Statistic

from ..cli.commands import MASTI

FOUR = rr.load(MASTI, 4)


def of_wins(winners: list[int]) -> Measures:
    """The measures of games at a table for four, by who won each."""
    measured = {}
    for seat in range(4):
        found = share({game: float(winner == seat) for game, winner in enumerate(winners)})
        assert found is not None
        measured[Statistic("win_share", "", seat + 1)] = found
    return Measures(measured, {})


def test_chance_seldom_looks_like_an_advantage() -> None:
    random, claimed = Random(5), 0
    for _ in range(200):
        verdict = verdicts.fairness(FOUR, of_wins([random.randrange(4) for _ in range(150)]))
        assert verdict is not None
        claimed += "has an advantage" in verdict.text or "has a disadvantage" in verdict.text
    assert claimed <= 18  # one in twenty


@pytest.mark.parametrize(
    ("games", "words", "sure"), [(200, "Player 2 has an advantage: 50.0 %", "sure"), (8, "No seat", "not sure")]
)
def test_an_advantage_is_told_as_soon_as_it_is_clear(games: int, words: str, sure: str) -> None:
    verdict = verdicts.fairness(FOUR, of_wins([(1, 0, 1, 2, 1, 3)[game % 6] for game in range(games)]))
    assert verdict is not None
    assert verdict.text.startswith(words)
    assert verdict.sure == sure
