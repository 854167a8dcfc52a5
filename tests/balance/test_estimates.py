"""Intervals contain what they should, and differences of paired games are narrower than those of independent ones."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from rulesrun.interpreter.simulate.statistics.estimates import difference, jackknifed, mean, quantile, ratio, share


def test_a_share_of_which_nothing_was_seen_is_not_sure_to_be_nothing() -> None:
    found = share(dict.fromkeys(range(50), 0.0))
    assert found is not None
    estimate = found.estimate()
    assert estimate.value == 0
    assert estimate.low == 0
    assert estimate.high == pytest.approx(0.074, abs=0.005)  # the rule of three says 0.06, Wilson 0.071


def test_intervals_contain_the_truth_as_often_as_they_say() -> None:
    random = Random(7)
    hits = dict.fromkeys(("mean", "share", "ratio"), 0)
    for _ in range(400):
        games = range(40)
        numbers = mean({game: random.gauss(3, 2) for game in games})
        wins = share({game: float(random.random() < 0.3) for game in games})
        lengths = {game: random.randint(5, 15) for game in games}
        parts = ratio({game: (sum(random.random() < 0.25 for _ in range(n)), n) for game, n in lengths.items()}, (0.0, 1.0))
        for name, found, truth in (("mean", numbers, 3.0), ("share", wins, 0.3), ("ratio", parts, 0.25)):
            assert found is not None
            hits[name] += not found.estimate().leaves_out(truth)
    assert all(366 <= count <= 398 for count in hits.values()), hits


def test_a_jackknifed_mean_is_a_mean() -> None:
    values = {0: 1.0, 3: 4.0, 4: 2.0, 9: 2.0}
    plain = mean(values)
    left_out = jackknifed(2.25, lambda game: (9 - values[game]) / 3, list(values), (-10.0, 10.0))
    assert plain is not None
    assert [getattr(left_out.estimate(), name) for name in ("value", "low", "high")] == pytest.approx(
        [getattr(plain.estimate(), name) for name in ("value", "low", "high")]
    )


def test_common_luck_cancels_out() -> None:
    random = Random(3)
    luck = {game: random.gauss(0, 10) for game in range(100)}
    first = mean({game: value + random.gauss(0, 1) for game, value in luck.items()})
    second = mean({game: value + random.gauss(1, 1) for game, value in luck.items()})
    assert first is not None
    assert second is not None
    found = difference(first, second)
    assert found.leaves_out(0)
    assert not found.leaves_out(1)


def test_one_game_has_no_interval() -> None:
    found = mean({5: 3.0})
    assert found is not None
    assert found.estimate().low is None
    assert mean({}) is None
    assert ratio({1: (0, 0)}) is None


def test_a_quantile_lies_in_its_interval() -> None:
    found = quantile(range(1, 101), Fraction(1, 2))
    assert found is not None
    assert (found.value, found.low, found.high) == (50, 41, 60)
