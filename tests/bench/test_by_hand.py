"""The yardsticks written by hand play the same games as the rules: means of random play, beside those of the reference.

Decisions, options a decision, scores and wins by seat: each mean of the reference must lie within `BOUND` standard errors of the
yardstick's, which has far more games. Seeds are fixed, so the numbers are the same each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

import pytest
from attrs import frozen
from rulesrun.bench.by_hand import PLAIN_MASTI, Statistics, compiled, run
from rulesrun.interpreter.play.game import load

from ..pipeline import GAMES

BOUND = 5.0


@frozen
class GamePlayed:
    decisions: int
    options: int
    scores: list[int]
    winners: list[int]


def played(name: str, players: int, options: dict[str, int], games: int) -> list[GamePlayed]:
    """Random games by the reference executor."""
    game = load(GAMES / f"{name}.rules", players, (), options)
    found = []
    for number in range(games):
        state = game.start(seed=4, game=number, story=False)
        legal = []
        while state.player:
            legal.append(len(state.legal))
            state.play_at_random()
        assert state.fault is None
        found.append(GamePlayed(len(legal), sum(legal), state.scores, state.ranking[0]))
    return found


def check(games: Sequence[GamePlayed], yardstick: Statistics) -> None:
    """Fail where a mean differs by more than chance explains."""

    def close(what: str, values: Sequence[float], expected: float) -> None:
        error = stdev(values) / sqrt(len(values))
        assert abs(mean(values) - expected) <= BOUND * error, f"{what}: {mean(values)} +- {error}, and {expected} by hand"

    close("decisions", [game.decisions for game in games], yardstick.decisions_mean)
    # That there are so many options for a decision means that this is 0 in the mean.
    close("options too many", [game.options - yardstick.options_mean * game.decisions for game in games], 0)
    for seat in range(yardstick.players):
        close(f"score of {seat + 1}", [game.scores[seat] for game in games], yardstick.score_mean[seat])
        shares = [(seat + 1 in game.winners) / len(game.winners) for game in games]
        close(f"wins of {seat + 1}", shares, yardstick.win_share[seat])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "options", "games"),
    [
        ("masti", 4, {}, 200),
        ("kingdomino", 4, {}, 100),
        ("for_the_king", 4, {"highest_bid": 4}, 30),  # with the bids of 30 hardly anybody scores
        ("classics/tic_tac_toe", 2, {}, 400),
        ("classics/connect_four", 2, {}, 200),
        ("classics/breakthrough", 2, {}, 100),
    ],
    ids=("masti", "kingdomino", "for_the_king", "tic_tac_toe", "connect_four", "breakthrough"),
)
def test_an_engine_in_c_plays_by_the_rules(name: str, players: int, options: dict[str, int], games: int, tmp_path: Path) -> None:
    macros = {"PLAYERS": players} | {option.upper(): value for option, value in options.items()}
    command = compiled(Path(name).name, "native", macros, tmp_path)
    if command is None:
        pytest.skip("there is no gcc")
    check(played(name, players, options, games), run(command, "--games", "50000", "1"))


@pytest.mark.slow
def test_masti_in_plain_python_plays_by_the_rules() -> None:
    check(played("masti", 4, {}, 200), run(PLAIN_MASTI, "0", "1", "--games", "3000"))
