"""`rulesrun compare`: differences, how sure they are, and what it refuses."""

from __future__ import annotations

import csv
import json
from array import array
from fractions import Fraction
from io import StringIO
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, pvariance
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.machine.columns import Columns
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.players.bots import bots_from
from rulesrun.interpreter.simulate.engines.engine import engine_for
from rulesrun.interpreter.simulate.engines.interface import Played
from rulesrun.interpreter.simulate.statistics.compare import Side, Z, differences
from rulesrun.interpreter.simulate.statistics.pairs import Pairs, pairs_of
from rulesrun.interpreter.simulate.statistics.statistics import OPTIONS_MEAN, Distribution, Statistic
from rulesrun.interpreter.simulate.statistics.tally import Tally

from ..cli.commands import rulesrun
from ..goldens import check_golden
from .games import BIDS, BREAKS, GAMES, PAIRS, written

HERE = Path(__file__).parent
COLUMNS = Columns(2, ("coins",), 1)


def compared(*arguments: str, code: int = 0) -> dict[str, Any]:
    """The json of a comparison."""
    result = rulesrun("compare", *arguments, "--format", "json")
    assert result.exit_code == code, result.output
    return dict(json.loads(result.stdout))


def by_name(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["statistic"]: row for row in data["statistics"]}


# ---- The numbers


@st.composite
def games(draw: st.DrawFn) -> list[list[int]]:
    """Rows of games, some of which a fault stopped."""
    found = []
    for _ in range(draw(st.integers(2, 12))):
        decisions, first = draw(st.integers(1, 9)), draw(st.integers(0, 1))
        if draw(st.integers(0, 5)) == 0:
            found.append([decisions, decisions, first, 1, *[0] * 8])
            continue
        scores = draw(st.lists(st.integers(-9, 9), min_size=2, max_size=2))
        wins = [1, 1] if scores[0] == scores[1] else [int(scores[0] > scores[1]), int(scores[1] > scores[0])]
        wins = [2 * win for win in wins] if sum(wins) == 2 else wins
        options = decisions * draw(st.integers(1, 4))
        found.append([decisions, options, first, 0, *scores, *wins, *wins[first:], *wins[:first], *scores])
    return found


def flat(rows: list[list[int]]) -> array[int]:
    return array("i", [value for row in rows for value in row])


def side(rows: list[list[int]]) -> Side:
    return Side(COLUMNS, Tally.of(COLUMNS, 0, flat(rows)))


@pytest.mark.slow
@given(games(), games(), st.integers(0, 12))
def test_pairs_add_up_however_they_are_split(one: list[list[int]], two: list[list[int]], cut: int) -> None:
    n = min(len(one), len(two))
    whole = pairs_of(COLUMNS, flat(one[:n]), COLUMNS, flat(two[:n]))
    halves = (slice(0, min(cut, n)), slice(min(cut, n), n))
    parts = [pairs_of(COLUMNS, flat(one[half]), COLUMNS, flat(two[half])) for half in halves]
    assert Pairs() + parts[0] + parts[1] == whole
    assert parts[1] + parts[0] == whole


@pytest.mark.slow
@given(games(), games())
def test_the_interval_of_pairs_is_that_of_their_differences(one: list[list[int]], two: list[list[int]]) -> None:
    """Where all games end: the mean of the differences, game by game, plus and minus 1.96 of its standard errors."""
    pairs = [(a, b) for a, b in zip(one, two, strict=False) if not a[3] and not b[3]]
    if len(pairs) < 2:
        return
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    found = differences(side(first), side(second), pairs_of(COLUMNS, flat(first), COLUMNS, flat(second)))
    shares = {0: 0.0, 1: 1.0, 2: 0.5}
    ratio_a, ratio_b = (sum(row[1] for row in rows) / sum(row[0] for row in rows) for rows in (first, second))
    mean_a, mean_b = (fmean(row[0] for row in rows) for rows in (first, second))
    expected: dict[Statistic, list[float]] = {
        Statistic("decisions_mean"): [b[0] - a[0] for a, b in pairs],
        Statistic("score_mean", "", 1): [b[4] - a[4] for a, b in pairs],
        Statistic("win_share", "", 2): [shares[b[7]] - shares[a[7]] for a, b in pairs],
        Statistic("first_seat_win_share"): [shares[b[8]] - shares[a[8]] for a, b in pairs],
        Statistic("ties_share"): [(b[6] == 2) - (a[6] == 2) for a, b in pairs],
        Statistic("terms_mean", "coins", 2): [b[11] - a[11] for a, b in pairs],
        OPTIONS_MEAN: [ratio_b - ratio_a + (b[1] - ratio_b * b[0]) / mean_b - (a[1] - ratio_a * a[0]) / mean_a for a, b in pairs],
    }
    for statistic, values in expected.items():
        half = Z * sqrt(pvariance(values) / len(values))
        assert found[statistic].interval == pytest.approx((fmean(values) - half, fmean(values) + half), abs=1e-6)


@pytest.mark.slow
@given(games())
def test_a_table_does_not_differ_from_itself(rows: list[list[int]]) -> None:
    found = differences(side(rows), side(rows), pairs_of(COLUMNS, flat(rows), COLUMNS, flat(rows)))
    for statistic, difference in found.items():
        assert difference.difference in (0, None)
        assert not difference.effect
        assert not difference.is_clear
        if difference.interval and not statistic.name.endswith(("_var", "_quantiles")):
            assert difference.interval == pytest.approx((0, 0), abs=1e-6)


@pytest.mark.slow
@given(st.lists(st.integers(-50, 50), min_size=1), st.fractions(0, 1))
def test_a_quantile_is_the_least_value_that_so_many_do_not_exceed(values: list[int], share: Fraction) -> None:
    counts = {value: values.count(value) for value in values}
    found = Distribution(counts).quantile(share)
    enough = [value for value in sorted(values) if sum(other <= value for other in values) >= share * len(values)]
    assert found == enough[0]


@pytest.mark.slow
def test_ninety_five_of_a_hundred_intervals_hold_the_truth() -> None:
    """Scores of two sides of which the second is 1 better in truth, played with luck that is partly common, and apart."""
    random = Random(2)
    tries = 400
    names = {
        Statistic("score_mean", "", 1): 1.0,
        Statistic("score_var", "", 1): 0.0,
        Statistic("score_quantiles", "0.5", 1): 1.0,
        Statistic("win_share", "", 1): 0.0,
    }
    held = {(name, paired): 0 for name in names for paired in (True, False)}
    for _ in range(tries):
        first: list[list[int]] = []
        second: list[list[int]] = []
        for _ in range(100):
            common, win = random.randrange(30), random.randrange(2)
            for rows, more in ((first, 0), (second, 1)):
                score = common + random.randrange(30) + more
                won = win if random.random() < 0.5 else random.randrange(2)
                rows.append([5, 10, 0, 0, score, 0, won, 1 - won, won, 1 - won, score, 0])
        for paired in (True, False):
            pairs = pairs_of(COLUMNS, flat(first), COLUMNS, flat(second)) if paired else None
            found = differences(side(first), side(second), pairs)
            for name, truth in names.items():
                low, high = found[name].interval or (0, 0)
                held[name, paired] += low <= truth <= high
    for (name, paired), count in held.items():
        exact = paired and name.name in ("score_mean", "win_share")
        assert count > 0.92 * tries, (name, paired, count)
        assert not exact or count < 0.98 * tries, (name, count)


@pytest.mark.slow
def test_common_luck_makes_intervals_narrower() -> None:
    """A variant that changes only the score: all else is equal, game by game."""
    game, changed = load(GAMES / "kingdomino.rules", 2), load(GAMES / "kingdomino.rules", 2, ["harmony"])

    def played(table: Any, count: int = 60) -> Played:
        return engine_for(table, bots_from("random", 2), "reference").play(3, 0, count, rows=True)

    one, two = played(game), played(changed)
    assert one.rows is not None
    assert two.rows is not None
    first, second = (Side(Columns.of(t.machine), p.tally) for t, p in ((game, one), (changed, two)))
    together = differences(first, second, pairs_of(first.columns, one.rows, second.columns, two.rows))
    apart = differences(first, second, None)
    statistic = Statistic("score_mean", "", 1)
    narrow, wide = together[statistic].interval, apart[statistic].interval
    assert narrow is not None
    assert wide is not None
    assert 3 * (narrow[1] - narrow[0]) < wide[1] - wide[0]
    assert together[Statistic("decisions_mean")].interval == (0, 0)
    assert together[Statistic("terms_mean", "harmony", 1)].first is None


# ---- The command


@pytest.mark.slow
def test_the_whole_text(tmp_path: Path) -> None:
    path = written(BIDS, tmp_path, "bids.rules")
    for name, arguments in (
        ("compare", ["--variant", "level"]),
        ("sweep", ["--sweep", "top=4..12:4", "--bots", "casual"]),
    ):
        result = rulesrun("compare", str(path), *arguments, "--games", "80", "--seed", "3")
        assert result.exit_code == 0
        text = result.stdout.replace(str(path), "bids.rules")
        text = "".join("...\n" if "games each by" in line else line for line in text.splitlines(keepends=True))
        check_golden(HERE / "goldens" / f"{name}.txt", text)


@pytest.mark.slow
def test_variants_against_each_other() -> None:
    path = str(GAMES / "kingdomino.rules")
    arguments = (path, "--games", "20", "--seed", "1")
    one = compared(*arguments, "--variant", "harmony", "--against", "middle_kingdom")
    assert one["first"]["variants"] == ["middle_kingdom"]
    assert one["second"]["variants"] == ["harmony"]
    assert one["common_random_numbers"] is True
    plain = by_name(compared(*arguments, "--variant", "harmony"))
    also = by_name(compared(*arguments, "--variant", "harmony", "--against", "plain"))
    assert plain == also
    alone = json.loads(rulesrun("simulate", *arguments, "--variant", "harmony", "--format", "json").stdout)
    assert plain["score_mean[seat 2]"]["second"] == alone["score_mean"][1]
    for row in plain.values():
        if row["difference"] is not None:
            assert row["difference"] == pytest.approx(row["second"] - row["first"])


@pytest.mark.slow
def test_both_sides_sit_at_the_table_of_the_larger() -> None:
    data = compared(str(PAIRS), "--variant", "together", "--games", "10")
    assert data["players"] == 4
    assert by_name(data)["team_scores_mean[seat 1]"]["first"] is None


def test_two_files(tmp_path: Path) -> None:
    one = written(BIDS, tmp_path, "one.rules")
    two = written(BIDS.replace("boss:  1", "boss:  3"), tmp_path, "two.rules")
    data = by_name(compared(str(one), str(two), "--games", "50", "--seed", "4"))
    boss = data["terms_mean[boss][seat 1]"]
    assert boss["second"] == pytest.approx(3 * boss["first"])
    assert data["terms_mean[coins][seat 1]"]["interval"] == [0, 0]


@pytest.mark.slow
def test_any_number_of_jobs_gives_the_same(tmp_path: Path) -> None:
    path = str(written(BIDS, tmp_path))
    for what in (["--variant", "level"], ["--sweep", "top=3,9"]):
        arguments = [path, *what, "--games", "450", "--seed", "6"]
        one, two = compared(*arguments), compared(*arguments, "--jobs", "3")
        assert one | {"seconds": 0} == two | {"seconds": 0}


@pytest.mark.slow
def test_csv_says_the_same_as_json(tmp_path: Path) -> None:
    path = str(written(BIDS, tmp_path))
    arguments = [path, "--variant", "level", "--games", "40", "--seed", "6"]
    data = by_name(compared(*arguments))
    rows = list(csv.DictReader(StringIO(rulesrun("compare", *arguments, "--format", "csv").stdout)))
    assert len(rows) == len(data)
    numbers = ("first", "second", "difference", "effect")
    for row in rows:
        part, seat = (f"[{row['part']}]" if row["part"] else ""), (f"[seat {row['seat']}]" if row["seat"] else "")
        other = data[row["statistic"] + part + seat]
        limits = other["interval"] or [None, None]
        for name, value in (*((n, other[n]) for n in numbers), ("low", limits[0]), ("high", limits[1])):
            assert row[name] == ("" if value is None else str(value))


@pytest.mark.slow
def test_a_sweep_has_a_row_for_each_value(tmp_path: Path) -> None:
    path = str(written(BIDS, tmp_path))
    data = compared(path, "--sweep", "top=4..10:3", "--games", "60", "--seed", "2")
    assert [row["value"] for row in data["values"]] == ["4", "7", "10"]
    assert [row["options"]["top"] for row in data["values"]] == ["4", "7", "10"]
    alone = json.loads(rulesrun("simulate", path, "--set", "top=7", "--games", "60", "--seed", "2", "--format", "json").stdout)
    assert data["values"][1]["statistics"]["score_mean"] == alone["score_mean"]
    changes = {row["statistic"]: row for row in data["values"][2]["differences"]}
    first, last = (data["values"][n]["statistics"]["decisions_mean"] for n in (0, 2))
    assert changes["decisions_mean"]["difference"] == last - first
    rows = list(
        csv.DictReader(
            StringIO(
                rulesrun("compare", path, "--sweep", "top=4..10:3", "--games", "60", "--seed", "2", "--format", "csv").stdout
            )
        )
    )
    assert {row["top"] for row in rows} == {"7", "10"}


@pytest.mark.slow
def test_a_baseline(tmp_path: Path) -> None:
    path = written(BIDS, tmp_path)
    stats = tmp_path / "stats.json"
    stats.write_text(rulesrun("simulate", str(path), "--games", "90", "--seed", "5", "--format", "json").stdout)
    path.write_text(path.read_text().replace("coins: coins of player", "coins: 2 * coins of player"))
    data = compared(str(path), "--baseline", str(stats), "--games", "70", "--seed", "6")
    assert data["common_random_numbers"] is False
    assert data["first"]["seed"] == 5
    assert data["first"]["games"] == 90
    row = by_name(data)["score_mean[seat 1]"]
    stored, now = (
        json.loads(stats.read_text()),
        json.loads(rulesrun("simulate", str(path), "--games", "70", "--seed", "6", "--format", "json").stdout),
    )
    assert row["first"] == stored["score_mean"][0]
    half = Z * sqrt(stored["score_var"][0] / 90 + now["score_var"][0] / 70)
    assert row["interval"] == pytest.approx([row["difference"] - half, row["difference"] + half])
    assert row["effect"] == pytest.approx(row["difference"] / sqrt((stored["score_var"][0] + now["score_var"][0]) / 2))
    assert "first: " + str(stats) in rulesrun("compare", str(path), "--baseline", str(stats), "--games", "9").stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda data: data.pop("tally"), "is no baseline: it is something else"),
        (lambda data: data["tally"].pop("seats"), "it is not said whose columns they are"),
        (lambda data: data["tally"].update(games=1), "its counts do not add up"),
        (lambda data: data["tally"]["columns"].pop("score_1"), "its columns are others"),
        (lambda data: data.update(bots=["casual", "casual"]), "was played by other bots"),
        (lambda data: data.update(players=3), "is of 3 players, not of 2"),
        (lambda data: data.update(game="auction"), "is of the game `auction`, not of `bids`"),
        (lambda data: data.pop("game"), "is no baseline: it is something else"),
    ],
)
def test_baselines_that_are_none(spoil: Any, said: str, tmp_path: Path) -> None:
    path = str(written(BIDS, tmp_path))
    data = json.loads(rulesrun("simulate", path, "--games", "5", "--format", "json").stdout)
    spoil(data)
    stats = tmp_path / "stats.json"
    stats.write_text(json.dumps(data))
    result = rulesrun("compare", path, "--baseline", str(stats))
    assert result.exit_code == 2
    assert "error[R807]" in result.stderr
    assert said in result.stderr


def test_a_baseline_that_is_not_there(tmp_path: Path) -> None:
    result = rulesrun("compare", str(PAIRS), "--baseline", str(tmp_path / "none.json"))
    assert result.exit_code == 2
    assert "error[R001]" in result.stderr


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("difference.score_mean[seat 1] > 2.5", 1),
        ("difference.score_mean[seat 1] > 3.5", 0),
        ("terms_mean[gift][seat 2] = 3", 1),
        ("difference.terms_mean[gift][seat 2] > -100", 0),
        ("win_share[seat 1] >= 0", 1),
    ],
)
def test_conditions(condition: str, code: int, tmp_path: Path) -> None:
    path = str(written(BIDS, tmp_path))
    result = rulesrun("compare", path, "--variant", "level", "--games", "20", "--fail-if", condition)
    assert result.exit_code == code
    assert ("holds: it is" in result.stderr) == bool(code)


def test_a_condition_of_a_sweep_says_at_which_value_it_holds(tmp_path: Path) -> None:
    path = str(written(BIDS, tmp_path))
    result = rulesrun(
        "compare", path, "--sweep", "top=3,20", "--games", "50", "--seed", "1", "--fail-if", "difference.options_mean > 1"
    )
    assert result.exit_code == 1
    assert "top = 20: `difference.options_mean > 1` holds: it is 17.0" in result.stderr


@pytest.mark.slow
def test_one_game_makes_nothing_clear() -> None:
    arguments = (str(GAMES / "kingdomino.rules"), "--variant", "harmony", "--games", "1", "--seed", "1")
    rows = compared(*arguments)["statistics"]
    assert any(row["difference"] for row in rows)
    assert {row["interval"] for row in rows} == {None}
    assert "\n1 game each by random bots" in rulesrun("compare", *arguments).stdout


@pytest.mark.slow
def test_games_that_stop_on_one_side(tmp_path: Path) -> None:
    fine = written(BREAKS.replace("0..3", "0..9"), tmp_path, "fine.rules")
    breaks = written(BREAKS, tmp_path, "breaks.rules")
    result = rulesrun("compare", str(fine), str(breaks), "--games", "60", "--seed", "1")
    assert result.exit_code == 1
    assert "breaks.rules, plain: " in result.stdout
    assert result.stderr.count("error[R602]") == 1
    assert f"rulesrun run {breaks} --seed 1 --game" in result.stdout
    data = compared(str(fine), str(breaks), "--games", "60", "--seed", "1", code=1)
    assert data["first"]["stopped"] == 0
    assert 0 < data["second"]["stopped"] < 60
    assert data["second"]["faults"][0]["games"] == data["second"]["stopped"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "compare it with what?"),
        (["--sweep", "top=3,4", "--baseline", "x.json"], "compare with one thing: --sweep or --baseline"),
        (["--sweep", "top=3,4", "--against", "level"], "compare with one thing: --sweep or --against"),
        (["--against", "plain,level"], "`plain` is without variants: name it alone"),
        (["--variant", "levle"], "did you mean `level`?"),
        (["--sweep", "top"], "this is no sweep"),
        (["--sweep", "=3..4"], "this is no sweep"),
        (["--sweep", "top="], "this is no sweep"),
        (["--sweep", "top=5..3"], "there is nothing to sweep from 5 to 3"),
        (["--sweep", "top=3..9:0"], "a sweep goes up by 1 at least, not by 0"),
        (["--sweep", "top=3..9:-1"], "a sweep goes up by 1 at least, not by -1"),
        (["--sweep", "top=3..x"], "this is no range"),
        (["--sweep", "top=0..1000000"], "these are 1,000,001 values"),
        (["--sweep", "top=3"], "one value has nothing to be compared with"),
        (["--sweep", "top=3,3"], "each value stands there once"),
        (["--sweep", "top=3,,4"], "each value stands there once"),
        (["--sweep", "tip=3..4"], "did you mean `top`?"),
        (["--sweep", "top=29..32"], "`top` can be 2 to 30, not 31"),
        (["--sweep", "top=3,4", "--set", "top=5"], "`top` is set and swept"),
        (["--variant", "level", "--games", "0"], "`0` is no number of games"),
        (["--variant", "level", "--bots", "casul"], "did you mean `casual`?"),
        (["--variant", "level", "--fail-if", "difference.wn_share > 1"], "there is no statistic `wn_share`"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, tmp_path: Path) -> None:
    result = rulesrun("compare", str(written(BIDS, tmp_path)), *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
