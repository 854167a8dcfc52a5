"""A player from a file that tries to work out the seed of its game from its own random numbers, and with it all cards.

It turns round what can be turned round: the seeding of the Mersenne Twister (``init_by_array`` of Matsumoto and Nishimura's
``mt19937ar.c``) and SplitMix64's ``mix64``, both bijections. If it is right, the game with that seed deals it the card that it
holds; it says so by its first option.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.play.bots import outside
from rulesrun.interpreter.play.game import load

from ..simulate.games import GAMES
from .test_outside import policy

KUHN = GAMES / "classics" / "kuhn_poker.rules"

INTRUDER = f'''
from rulesrun import load

KUHN = load({str(KUHN)!r})
GAMMA, HALF, ALL = 0x9E3779B97F4A7C15, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


def seeded_with(random):
    """The number of 64 bits with which a `random.Random` began of which nothing has been drawn."""
    first = [19650218]
    for i in range(1, 624):
        first.append((1812433253 * (first[-1] ^ first[-1] >> 30) + i) & HALF)
    state = list(random.getstate()[1][:624])
    state[0] = state[623]
    for i in (1, *range(623, 1, -1)):
        state[i] = (state[i] + i ^ (state[i - 1] ^ state[i - 1] >> 30) * 1566083941) & HALF
    low, high = ((state[i] - (first[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1664525)) & HALF for i in (3, 4))
    return low | (high - 1 & HALF) << 32


def unmix(x):
    """That of which SplitMix64's mixing makes a word."""
    x ^= x >> 31 ^ x >> 62
    x = x * pow(0x94D049BB133111EB, -1, 1 << 64) & ALL
    x ^= x >> 27 ^ x >> 54
    x = x * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & ALL
    return x ^ x >> 30 ^ x >> 60


def card(view, seat):
    return next(zone.cards for zone in view.zones if zone.name == "hand" and zone.owner == seat)


def intrudes(seen):
    key = unmix(seeded_with(seen.random)) - GAMMA & ALL
    game = unmix(key) - seen.seat & ALL
    state = KUHN.start(unmix(unmix(game)))
    return seen.options[0 if card(state.view(seen.seat), seen.seat) == card(seen.view, seen.seat) else 1]
'''


def times_right(file: Path) -> int:
    """In how many of nine games it could tell its own card: three are to be expected of one who knows nothing."""
    file.write_text(INTRUDER, encoding="utf-8")
    game = load(str(KUHN))
    choose, right = policy(game, f"{file}:intrudes"), 0
    for number in range(9):
        state = game.start(1, game=number)
        first = state.legal[0]
        right += state.play_by(choose) == first
    return right


@pytest.mark.process
def test_its_random_numbers_tell_nothing_of_the_seed(tmp_path: Path) -> None:
    assert times_right(tmp_path / "intruder.py") <= 5


@pytest.mark.process
def test_the_intruder_would_know_all_if_they_could_be_turned_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "one_way", lambda word: word)
    assert times_right(tmp_path / "intruder.py") == 9
