"""Verdicts say no more than the intervals do."""

from __future__ import annotations

from random import Random

import pytest
import rulesrun as rr
from rulesrun.interpreter.balance import verdicts
from rulesrun.interpreter.balance.measures import Measures
from rulesrun.interpreter.balance.playing.ladder import Step
from rulesrun.interpreter.balance.words import decimal, percent
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.simulate.statistics.estimates import share
from rulesrun.interpreter.simulate.statistics.statistics import Statistic

from ..cli.commands import MASTI

FOUR = rr.load(MASTI, 4)
TWO = rr.load(MASTI.replace("masti", "kingdomino"), 2)


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


def test_of_two_seats_the_advantage_is_told() -> None:
    """Whichever of the two shares is a little farther from one half as a number of the machine."""
    for wins in (91, 92, 93, 94):
        measured = {}
        for seat in (1, 2):
            found = share({game: float((game < wins) == (seat == 1)) for game in range(130)})
            assert found is not None
            measured[Statistic("win_share", "", seat)] = found
        verdict = verdicts.fairness(TWO, Measures(measured, {}))
        assert verdict is not None
        assert verdict.text.startswith("Player 1 has an advantage")


@pytest.mark.parametrize(
    ("iterations", "won", "words", "sure"),
    [
        (10, 55, "Skill decides little: `search:10` has 55 % of the win against `random`, but it is a weak player", "not sure"),
        (500, 55, "Skill decides little: `search:500` has 55 % of the win against `random`.", "sure"),
        (10, 90, "Skill decides much: `search:10` has 90 % of the win against `random`.", "sure"),
    ],
)
def test_a_weak_bot_is_no_proof_that_skill_is_of_no_use(iterations: int, won: int, words: str, sure: str) -> None:
    step = Step(Bot("random"), Bot("search", iterations))
    found = share({game: float(game % 100 < won) for game in range(1000)})
    assert found is not None
    verdict = verdicts.skill((step,), Measures({Statistic("skill", str(step)): found}, {}))
    assert verdict is not None
    assert verdict.text.startswith(words)
    assert verdict.sure == sure


def test_nothing_is_told_as_minus_zero() -> None:
    assert (percent(-0.0001), decimal(-0.001)) == ("0.0 %", "0.00")
