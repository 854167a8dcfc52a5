"""`rulesrun tournament`: who sits where, what is counted, how players are rated, and how a tournament goes on."""

from __future__ import annotations

import csv
import json
import signal
from collections import Counter
from io import StringIO
from itertools import permutations
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.players.bots import bots_from
from rulesrun.interpreter.players.policies import policy_for
from rulesrun.interpreter.simulate.seatings import ALL, seatings
from rulesrun.interpreter.simulate.statistics.deals import Deal, Deals
from rulesrun.interpreter.simulate.statistics.ratings import POINTS, Contest, ratings, t_quantile

from ..cli.commands import rulesrun
from ..reports.schemas import faults as schema_faults
from .games import BIDS, BREAKS, PAIRS, written
from .test_search import ONE_SCORE
from .test_simulate import lasting, started, wait_for

BOTS = ("--bots", "random", "--bots", "casual")


def played(*arguments: str, code: int = 0) -> dict[str, Any]:
    """The json of a tournament."""
    result = rulesrun("tournament", *arguments, "--format", "json")
    assert result.exit_code == code, result.output
    data: dict[str, Any] = json.loads(result.stdout)
    assert schema_faults("tournament", data) == []
    return data


# ---- Seatings


def test_every_order_of_as_many_bots_as_seats() -> None:
    assert set(seatings(4, 4)) == set(permutations(range(4)))


def test_fewer_bots_than_seats_repeat_as_evenly_as_can_be() -> None:
    assert len(seatings(2, 4)) == 6
    assert all(sorted(seating) == [0, 0, 1, 1] for seating in seatings(2, 4))
    assert Counter(tuple(sorted(seating)) for seating in seatings(2, 3)) == {(0, 0, 1): 3, (0, 1, 1): 3}


def test_more_bots_than_seats_are_all_sets_of_bots() -> None:
    assert set(seatings(3, 2)) == {(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)}


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (3, 2), (2, 3), (5, 4), (2, 8), (6, 6), (7, 4), (3, 10), (4, 12)])
def test_each_bot_has_each_seat_equally_often(bots: int, seats: int) -> None:
    """Also where there are too many orders to play them all."""
    found = seatings(bots, seats)
    assert len(set(found)) == len(found)
    for seat in range(seats):
        assert len(set(Counter(seating[seat] for seating in found).values())) == 1
        assert {seating[seat] for seating in found} == set(range(bots))
    met = Counter(frozenset((one, two)) for seating in found for one in seating for two in seating if one != two)
    assert len(set(met.values())) == 1


def test_many_bots_in_many_seats_go_round() -> None:
    assert len(seatings(5, 5)) == ALL
    assert len(seatings(6, 6)) == 6


# ---- What is counted


@pytest.mark.slow
def test_the_numbers_are_those_of_the_games(tmp_path: Path) -> None:
    """Each game is played on its own, and the shares of the win are added up one by one."""
    path = written(BIDS, tmp_path)
    data = played(str(path), *BOTS, "--players", "3", "--games", "60", "--seed", "5")
    names, game = ("random", "casual"), load(path, 3)
    of_seat: dict[tuple[str, int], list[float]] = {}
    against = dict.fromkeys(names, 0.0)
    pickers = {name: policy_for(bots_from(name, 1)[0], game.machine) for name in names}
    order = seatings(2, 3)
    assert data["games"] == 60
    assert data["deals"] == data["whole_deals"] == 10
    assert [entry["bots"] for entry in data["seatings"]] == [[names[bot] for bot in seating] for seating in order]
    for deal in range(10):
        for seating in order:
            sitting = [names[bot] for bot in seating]
            state = game.start(5, game=deal, story=False)
            while state.player:
                state.play_by(pickers[sitting[state.player - 1]])
            winners = state.ranking[0]
            shares = [1 / len(winners) if seat + 1 in winners else 0 for seat in range(3)]
            for seat, name in enumerate(sitting):
                of_seat.setdefault((name, seat), []).append(shares[seat])
                against[name] += shares[seat] * sum(other != name for other in sitting)
    for entry in data["bots"]:
        name = entry["bot"]
        shares = [share for seat in range(3) for share in of_seat[name, seat]]
        assert entry["win_share"] == pytest.approx(sum(shares) / len(shares))
        assert entry["win_share_by_seat"] == pytest.approx([sum(of_seat[name, s]) / len(of_seat[name, s]) for s in range(3)])
        (part,) = entry["against"].values()
        assert part == pytest.approx(against[name] / sum(against.values()))
    better, worse = data["bots"]
    assert better["rating"] == pytest.approx(-worse["rating"])
    assert better["rating"] > 0
    assert better["win_share"] > worse["win_share"]


@pytest.mark.slow
def test_any_number_of_jobs_gives_the_same() -> None:
    arguments = (str(PAIRS), *BOTS, "--players", "3", "--games", "700", "--seed", "5")
    one = played(*arguments)
    for jobs in ("2", "3"):
        assert lasting(played(*arguments, "--jobs", jobs)) == lasting(one)


@pytest.mark.slow
def test_both_engines_give_the_same() -> None:
    arguments = (str(PAIRS), *BOTS, "--bots", "rollouts:2", "--games", "24", "--seed", "5")
    fast, slow = played(*arguments), played(*arguments, "--engine", "reference")
    assert {**lasting(slow), "engine": "wasm"} == lasting(fast)


@pytest.mark.slow
def test_teams_win_together() -> None:
    data = played(str(PAIRS), *BOTS, "--players", "4", "--variant", "together", "--games", "60", "--seed", "2")
    assert data["games"] == 60
    assert sum(entry["win_share"] for entry in data["bots"]) == pytest.approx(1)  # two teams, and each member has its share
    assert data["bots"][0]["interval"] is not None


@pytest.mark.slow
def test_games_are_rounded_up_to_whole_deals() -> None:
    data = played(str(PAIRS), *BOTS, "--games", "7", "--seed", "1")
    assert (data["games"], data["deals"], len(data["seatings"])) == (8, 4, 2)
    text = rulesrun("tournament", str(PAIRS), *BOTS, "--games", "7", "--seed", "1").stdout
    assert "4 deals, each in 2 seatings: 8 games" in text


def test_one_deal_has_no_interval() -> None:
    data = played(str(PAIRS), *BOTS, "--games", "1", "--seed", "1")
    assert [entry["interval"] for entry in data["bots"]] == [None, None]


@pytest.mark.slow
def test_csv_says_the_same_as_json() -> None:
    arguments = (str(PAIRS), *BOTS, "--games", "50", "--seed", "9")
    data = {entry["bot"]: entry for entry in played(*arguments)["bots"]}
    rows = list(csv.DictReader(StringIO(rulesrun("tournament", *arguments, "--format", "csv").stdout)))
    for row in rows:
        entry, name = data[row["bot"]], row["statistic"]
        if row["other"]:
            assert float(row["value"]) == entry[name][row["other"]]
        elif row["seat"]:
            assert float(row["value"]) == entry[f"{name}_by_seat"][int(row["seat"]) - 1]
        else:
            assert float(row["value"]) == entry[name]
    assert {row["statistic"] for row in rows} == {"rating", "win_share", "score_mean", "against"}


def test_a_page_fits_on_a_terminal() -> None:
    text = rulesrun("tournament", str(PAIRS), *BOTS, "--bots", "rollouts:2", "--games", "12", "--seed", "9").stdout
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("rollouts:2") == 3


@pytest.mark.slow
def test_games_that_stop_are_told_with_who_sat_where(tmp_path: Path) -> None:
    path = str(written(BREAKS, tmp_path))
    data = played(path, *BOTS, "--games", "40", "--seed", "1", code=1)
    (fault,) = data["faults"]
    assert fault["code"] == "R602"
    assert 0 < fault["games"] < 40
    assert data["whole_deals"] < data["deals"] == 20
    shown = rulesrun(*fault["command"].split()[1:])
    assert shown.exit_code == 1
    assert "error[R602]" in shown.stderr
    result = rulesrun("tournament", path, *BOTS, "--games", "40", "--seed", "1")
    assert f"{fault['games']} of 40 games stopped" in result.stdout
    assert fault["command"] in result.stdout


# ---- Deals and ratings


def test_deals_add_up_in_any_order() -> None:
    random = Random(7)
    played = [Deal(1, random.random() < 0.1, (random.randrange(3), random.randrange(3))) for _ in range(60)]
    games = [(number // 3, deal) for number, deal in enumerate(played)]
    none = Deals.none(3, 2)
    whole = none
    for deal, found in games:
        whole = whole.with_deals({deal: found})
    random.shuffle(games)
    parts = [none.with_deals({deal: found}) for deal, found in games]
    while len(parts) > 1:
        parts.append(parts.pop(0) + parts.pop(0))
    assert parts == [whole]
    assert whole.open == {}
    assert whole.whole == 20 - len({deal for deal, found in games if found.stopped})
    assert none.from_data(json.loads(json.dumps(whole.to_data()))) == whole


def test_ratings_of_two_are_the_odds() -> None:
    """The imaginary games, one for each, hardly matter among ten thousand."""
    found = ratings(2, [Contest(((0,), (1,)), (7500.0, 2500.0))], None, 0)
    assert found[0].points - found[1].points == pytest.approx(POINTS * log(3), rel=1e-3)


def test_ratings_find_the_strengths_of_a_model() -> None:
    """The expected wins at tables of three, of players with known strengths."""
    strengths = [0.8, 0.1, -0.3, -0.6]
    contests = []
    for table in [(0, 1, 2), (1, 2, 3), (0, 2, 3), (0, 1, 1)]:
        total = sum(exp(strengths[player]) for player in table)
        contests.append(Contest(tuple((p,) for p in table), tuple(1e6 * exp(strengths[p]) / total for p in table)))
    found = ratings(4, contests, None, 0)
    assert [rating.points / POINTS for rating in found] == pytest.approx(strengths, abs=1e-4)


def test_a_team_plays_with_its_mean_rating() -> None:
    strengths = [1.0, 0.0, -1.0]
    contests = []
    for one, two in [((0, 1), (2, 2)), ((0, 2), (1, 1)), ((0, 0), (1, 2))]:
        weights = [exp(sum(strengths[p] for p in side) / 2) for side in (one, two)]
        contests.append(Contest((one, two), tuple(1e6 * weight / sum(weights) for weight in weights)))
    assert [rating.points / POINTS for rating in ratings(3, contests, None, 0)] == pytest.approx(strengths, abs=1e-4)


def test_who_always_wins_has_a_finite_rating_and_a_wide_interval() -> None:
    none: list[list[float]] = [[0.0, 0.0], [0.0, 0.0]]
    few, many = (ratings(2, [Contest(((0,), (1,)), (float(n), 0.0))], none, n)[0] for n in (20, 2000))
    assert few.interval is not None
    assert 0 < few.interval[0] < few.points < many.points
    assert few.interval[1] - few.interval[0] > 200


def test_who_wins_as_often_in_each_deal_is_not_known_to_a_point() -> None:
    none: list[list[float]] = [[0.0, 0.0], [0.0, 0.0]]
    few, many = (ratings(2, [Contest(((0,), (1,)), (float(n), float(n)))], none, n)[0] for n in (10, 1000))
    assert few.interval is not None
    assert many.interval is not None
    assert few.interval[0] < -5 < many.interval[0] < 0 < many.interval[1] < 5 < few.interval[1]


@pytest.mark.slow
def test_intervals_hold_the_truth_in_95_of_100_tournaments() -> None:
    """Deals whose luck decides the games of both seatings alike, so that they are far from independent."""
    random, held, deals = Random(3), 0, 60
    truth = POINTS * log(0.65 / 0.35)
    for _ in range(300):
        won = [2 if random.random() < 0.65 else 0 for _ in range(deals)]  # one bot wins both games of a deal, or none
        sums = Deals.none(2, 2).with_deals({n: Deal(2, False, (win, 2 - win)) for n, win in enumerate(won)})
        covariance = [[float(deals * sums.covariance(one, two)) for two in range(2)] for one in range(2)]
        found = ratings(2, [Contest(((0,), (1,)), (float(sum(won)), float(2 * deals - sum(won))))], covariance, deals)[0]
        assert found.interval is not None
        held += found.interval[0] <= truth / 2 <= found.interval[1]
    assert 0.91 <= held / 300 <= 0.99


@pytest.mark.parametrize(("degrees", "wanted"), [(2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)])
def test_quantiles_of_students_t(degrees: int, wanted: float) -> None:
    assert t_quantile(degrees) == pytest.approx(wanted, rel=0.03 if degrees == 2 else 0.001)


# ---- Wrong usage


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bots", "random"], "error[R801]: a tournament of one bot has nobody to win against"),
        (["--bots", "random,radnom"], "error[R801]: there is no bot `radnom`"),
        (["--bots", "random", "--bots", "casual,random"], "error[R801]: the bot `random` is named twice"),
        ([], "Missing option '--bots'"),
        ([*BOTS, "--games", "0"], "`0` is no number of games"),
        ([*BOTS, "--checkpoint", str(PAIRS)], "is there already and is no checkpoint; nothing was written"),
        ([*(f"--bots=rollouts:{n}" for n in range(1, 90)), "--players", "3"], "are more than 5,000 seatings"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str) -> None:
    result = rulesrun("tournament", str(PAIRS), *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_a_game_for_one_has_no_tournament(tmp_path: Path) -> None:
    path = str(written(BREAKS.replace("players 2", "players 1"), tmp_path))
    result = rulesrun("tournament", path, *BOTS)
    assert result.exit_code == 2
    assert "at a table for one player nobody plays against anybody" in result.stderr


# ---- Interrupted, killed, going on


@pytest.mark.slow
def test_a_killed_tournament_goes_on_and_ends_in_the_same_numbers(tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.json"
    arguments = [str(PAIRS), *BOTS, "--players", "3", "--games", "5000", "--seed", "8", "--engine", "reference", "--jobs", "2"]
    run = started("tournament", *arguments, "--checkpoint", str(checkpoint), "--format", "json")
    wait_for(checkpoint)
    run.kill()
    run.communicate(timeout=60)
    there = sum(tally["games"] for tally in json.loads(checkpoint.read_text())["tallies"])
    assert 0 < there < 5000
    whole = played(*arguments, "--checkpoint", str(checkpoint))
    assert lasting(whole) == lasting(played(*arguments))
    assert played(*arguments, "--checkpoint", str(checkpoint)) == whole  # nothing is left to be played


@pytest.mark.slow
def test_ctrl_c_rates_the_games_so_far(tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.json"
    arguments = [str(PAIRS), *BOTS, "--games", str(10**18), "--seed", "8", "--checkpoint", str(checkpoint)]
    run = started("tournament", *arguments, "--format", "json")
    wait_for(checkpoint)
    run.send_signal(signal.SIGINT)
    out, errors = run.communicate(timeout=60)
    assert run.returncode == 130, errors
    data = json.loads(out)
    assert f"interrupted: these are the first {data['games']:,} of" in errors
    assert "Traceback" not in errors
    assert data["bots"][0]["interval"] is not None


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (["--games", "40"], "games 40, not 30"),
        (["--seed", "2"], "seed 2, not 1"),
        (["--bots", "rollouts:2"], "bots random, casual, rollouts:2, not random, casual"),
    ],
)
def test_a_checkpoint_of_another_tournament(changed: list[str], said: str, tmp_path: Path) -> None:
    checkpoint = str(tmp_path / "run.json")
    arguments = [str(PAIRS), *BOTS, "--games", "30", "--seed", "1", "--checkpoint", checkpoint]
    played(*arguments)
    result = rulesrun("tournament", *arguments, *changed)
    assert result.exit_code == 2
    assert "error[R803]" in result.stderr
    assert said in result.stderr


@pytest.mark.slow
def test_a_checkpoint_of_simulate(tmp_path: Path) -> None:
    checkpoint = str(tmp_path / "run.json")
    assert rulesrun("simulate", str(PAIRS), "--games", "30", "--bots", "random,casual", "--checkpoint", checkpoint).exit_code == 0
    result = rulesrun("tournament", str(PAIRS), *BOTS, "--games", "30", "--checkpoint", checkpoint)
    assert "error[R803]" in result.stderr
    assert "command tournament, not simulate" in result.stderr


def test_where_all_share_the_scores_are_told(tmp_path: Path) -> None:
    """Who goes up is better than who does so by chance; a rating would be 0 for both."""
    file = tmp_path / "climbing.rules"
    file.write_text(ONE_SCORE, encoding="utf-8")
    arguments = (
        "tournament",
        str(file),
        "--players",
        "2",
        "--bots",
        "random,rollouts:10,rollouts:11",
        "--games",
        "12",
        "--seed",
        "1",
    )
    told = rulesrun(*arguments).stdout
    assert "Ratings" not in told
    lines = [line for line in told.partition("Scores")[2].splitlines() if line[:4].strip().isdigit()]
    assert "random" in lines[2]
    found = json.loads(rulesrun(*arguments, "--format", "json").stdout)
    assert found["all_share"]
    assert found["bots"][2]["bot"] == "random"
    assert found["bots"][0]["score_mean"] > found["bots"][2]["score_mean"]
