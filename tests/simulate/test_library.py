"""The functions that measure tables give what the commands print."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
import rulesrun as rr

from ..cli.commands import MASTI, rulesrun

KINGDOMINO = MASTI.replace("masti", "kingdomino")
GAME = rr.load(KINGDOMINO, 2)
HARMONY = rr.load(KINGDOMINO, 2, ["harmony"])


def printed(*arguments: str) -> Any:
    return json.loads(rulesrun(*arguments, "--format", "json").stdout)


@pytest.mark.slow
def test_a_simulation_is_that_of_the_command() -> None:
    found = rr.simulate(GAME, 200, "casual,random", seed=3, jobs=2)
    data = printed("simulate", KINGDOMINO, "--players", "2", "--games", "200", "--bots", "casual,random", "--seed", "3")
    ours = found.data
    for of_clock in ("seconds", "games_per_s"):
        del ours[of_clock], data[of_clock]
    assert ours == data
    share = found["win_share[seat 1]"]
    assert isinstance(share, Fraction)
    assert [float(share)] == data["win_share"][:1]
    assert (found.games, found.stopped, found.faults) == (200, 0, ())


@pytest.mark.slow
def test_rows_are_a_table_whose_means_are_the_statistics() -> None:
    found = rr.simulate(GAME, 300, seed=4, rows=True)
    table = found.table()
    assert table.column("game").to_pylist() == list(range(300))
    scores = table.column("score_2").to_pylist()
    assert Fraction(sum(scores), 300) == found["score_mean[seat 2]"]
    with pytest.raises(rr.ArgumentError, match="rows=True"):
        rr.simulate(GAME, 3).table()


@pytest.mark.slow
def test_a_comparison_is_that_of_the_command() -> None:
    found = rr.compare(GAME, HARMONY, 200, seed=3)
    data = printed("compare", KINGDOMINO, "--variant", "harmony", "--players", "2", "--games", "200", "--seed", "3")
    score = found["score_mean[seat 1]"]
    assert score.difference is not None
    told = next(each for each in data["statistics"] if each["statistic"] == "score_mean[seat 1]")
    assert float(score.difference) == told["difference"]
    assert list(score.interval or ()) == told["interval"]
    assert found.second["score_mean[seat 1]"] == score.second


@pytest.mark.slow
def test_a_tournament_is_that_of_the_command() -> None:
    found = rr.tournament(GAME, ["random", "casual"], 100, seed=5)
    data = printed(
        "tournament", KINGDOMINO, "--players", "2", "--bots", "random", "--bots", "casual", "--games", "100", "--seed", "5"
    )
    points = {str(bot): rating.points for bot, rating in zip(found.tournament.bots, found.ratings, strict=True)}
    assert {each["bot"]: each["rating"] for each in data["bots"]} == pytest.approx(points, abs=0.1)


@pytest.mark.slow
def test_check_finds_what_the_command_finds() -> None:
    assert rr.check(KINGDOMINO, proved=True) == ()
    refused = MASTI.replace("masti", "refused/for_the_king_japanese")
    codes = [found["code"] for found in printed("check", "--proved", refused)["findings"]]
    assert [found.code for found in rr.check(refused, proved=True)] == codes
    assert rr.check("nowhere.rules")[0].code == "R001"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"game": KINGDOMINO}, "a game is what `rulesrun.load` gives"),
        ({"games": 0}, "games: a whole number from 1"),
        ({"games": True}, "games: a whole number from 1"),
        ({"seed": -1}, "the seed: a whole number from 0"),
        ({"jobs": 0}, "jobs: a whole number from 1"),
        ({"engine": "fast"}, "engines are 'wasm' and 'reference'"),
        ({"bots": ["random"]}, "bots are a text"),
        ({"cluster": "here"}, "`here` is no cluster"),
        ({"cluster": "local:2", "jobs": 2}, "without jobs"),
    ],
)
def test_what_cannot_be_simulated(arguments: dict[str, Any], told: str) -> None:
    given: dict[str, Any] = {"game": GAME, "games": 3, **arguments}
    with pytest.raises(rr.ArgumentError) as raised:
        rr.simulate(**given)
    assert told in str(raised.value)


def test_an_unknown_statistic_is_named_with_one_like_it() -> None:
    with pytest.raises(KeyError, match=r"did you mean `win_share\[seat 2\]`"):
        rr.simulate(GAME, 3)["win_share[seat 3]"]


def test_tables_of_other_sizes_cannot_be_compared() -> None:
    with pytest.raises(rr.ArgumentError, match="tables of 2 and of 3 players"):
        rr.compare(GAME, rr.load(KINGDOMINO, 3), 3)
