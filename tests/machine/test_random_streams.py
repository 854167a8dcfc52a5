"""The random streams are those of SplitMix64, and draws are unbiased."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.machine.random_streams import below, mix64, next_word, rejection_threshold, stream_key


def test_words_are_those_of_splitmix64() -> None:
    state = 1234567
    words: list[int] = []
    for _ in range(5):
        state, word = next_word(state)
        words.append(word)
    assert words == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_streams_of_seeds_games_and_seats_differ() -> None:
    keys = {stream_key(seed, game, stream) for seed in range(10) for game in range(10) for stream in range(10)}
    assert len(keys) == 1000


def test_any_whole_number_is_a_seed() -> None:
    assert stream_key(-1, 0, 0) == stream_key(2**64 - 1, 0, 0)
    assert stream_key(0, -5, 0) == stream_key(0, 2**64 - 5, 0)


@given(st.integers(0, 2**64 - 1), st.integers(0, 63))
def test_mix64_is_a_bijection_that_moves_many_bits(x: int, bit: int) -> None:
    other = x ^ (1 << bit)
    assert mix64(x) != mix64(other)
    assert (mix64(x) ^ mix64(other)).bit_count() > 5


@pytest.mark.parametrize("n", [*range(1, 300), 1000, 65_536, 3 << 30, 2**32 - 1])
def test_every_value_keeps_equally_many_words(n: int) -> None:
    rejected = rejection_threshold(n)
    kept = (2**32 - rejected) // n  # words for each value
    for value in {0, n // 3, n // 2, n - 1}:
        first, end = (value << 32) + rejected, (value + 1) << 32  # products that give the value
        assert -(-end // n) - -(-first // n) == kept


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**32 - 1))
def test_below_takes_the_first_word_that_is_not_rejected(state: int, n: int) -> None:
    expected = state
    while True:
        expected, word = next_word(expected)
        value, low = divmod((word >> 32) * n, 2**32)
        if low >= 2**32 % n:
            break
    assert below(state, n) == (expected, value)


@pytest.mark.parametrize("n", [0, -1, 2**32])
def test_other_bounds_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match="cannot draw below"):
        below(0, n)


@pytest.mark.parametrize("n", [2, 3, 6, 52])
def test_draws_fit_the_uniform_distribution(n: int) -> None:
    state = stream_key(2024, 0, 0)
    drawn: list[int] = []
    for _ in range(200 * n):
        state, value = below(state, n)
        drawn.append(value)
    counts = Counter(drawn)
    chi_square = sum((counts[value] - 200) ** 2 / 200 for value in range(n))
    assert chi_square < n - 1 + 4 * (2 * (n - 1)) ** 0.5  # four standard deviations above the mean
    pairs = Counter(pairwise(drawn))
    assert len(pairs) > 0.95 * n * n
