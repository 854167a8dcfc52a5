"""`rulesrun simulate`: what it says of many games, that it says the same however they are played, and what it refuses."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from ..cli.commands import rulesrun
from ..cli.terminal import START, Terminal
from ..goldens import check_golden
from .games import BIDS, BREAKS, GAMES, PAIRS, RARE, written

HERE = Path(__file__).parent
ISSUE_KEYS = [
    "game", "players", "variants", "options", "seed", "games", "seconds", "games_per_s", "decisions_mean", "decisions_var",
    "options_mean", "score_mean", "score_var", "score_quantiles", "win_share", "first_seat_win_share", "terms_mean", "ties_share",
    "length_quantiles",
]  # fmt: skip
TOGETHER = ("--players", "4", "--variant", "together")


def simulated(*arguments: str, code: int = 0) -> dict[str, Any]:
    """The json of a run."""
    result = rulesrun("simulate", *arguments, "--format", "json")
    assert result.exit_code == code, result.output
    return dict(json.loads(result.stdout))


def lasting(data: dict[str, Any]) -> dict[str, Any]:
    """All that does not depend on the clock."""
    return {key: value for key, value in data.items() if key not in ("seconds", "games_per_s")}


# ---- What it says


@pytest.mark.slow
@pytest.mark.parametrize(("name", "table"), [("pairs", ["--players", "3"]), ("together", list(TOGETHER))])
def test_the_whole_text(name: str, table: list[str]) -> None:
    result = rulesrun("simulate", str(PAIRS), *table, "--games", "60", "--seed", "4")
    assert result.exit_code == 0
    lines = result.stdout.splitlines(keepends=True)
    text = "".join("...\n" if "games by random bots" in line else line for line in lines)
    check_golden(HERE / "goldens" / f"{name}.txt", text)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "variants"), [(3, []), (4, ["together"])])
def test_statistics_are_those_of_the_games(players: int, variants: list[str]) -> None:
    """Every game is played one by one, and the statistics are worked out with floating-point numbers and lists."""
    from rulesrun.interpreter.play.game import load

    games = 150
    game = load(PAIRS, players, variants)
    size = len(game.teams[0]) if variants else 1
    ties = 0
    lengths: list[int] = []
    options: list[int] = []
    scores: list[list[int]] = []
    shares: list[list[float]] = []
    firsts: list[float] = []
    terms: list[list[int]] = []
    teams: list[list[int]] = []
    for number in range(games):
        state = game.start(11, game=number, story=False)
        first, length = state.player - 1, 0
        while state.player:
            options.append(len(state.legal))
            length += 1
            state.play_at_random()
        lengths.append(length)
        scores.append(state.scores)
        terms.append(state.terms["cards"])
        teams.append(state.team_scores)
        winners = state.ranking[0]
        shares.append([size / len(winners) if seat in winners else 0 for seat in range(1, players + 1)])
        firsts.append(shares[-1][first])
        ties += len(winners) > size
    table = ["--players", str(players), *(word for name in variants for word in ("--variant", name))]
    data = simulated(str(PAIRS), *table, "--games", str(games), "--seed", "11")
    mean = sum(lengths) / games
    near = pytest.approx
    assert data["decisions_mean"] == near(mean)
    assert data["decisions_var"] == near(sum((length - mean) ** 2 for length in lengths) / games)
    assert data["options_mean"] == near(sum(options) / len(options))
    for seat in range(players):
        of_seat = sorted(row[seat] for row in scores)
        mean = sum(of_seat) / games
        assert data["score_mean"][seat] == near(mean)
        assert data["score_var"][seat] == near(sum((score - mean) ** 2 for score in of_seat) / games)
        assert data["win_share"][seat] == near(sum(row[seat] for row in shares) / games)
        assert data["terms_mean"]["cards"][seat] == near(sum(row[seat] for row in terms) / games)
        assert not variants or data["team_scores_mean"][seat] == near(sum(row[seat] for row in teams) / games)
        for name, values in data["score_quantiles"].items():
            assert values[seat] == min(v for v in of_seat if sum(w <= v for w in of_seat) >= float(name) * games)
    assert data["first_seat_win_share"] == near(sum(firsts) / games)
    assert data["ties_share"] == near(ties / games)
    assert variants or 0 < ties < games


@pytest.mark.slow
def test_returns_stand_beside_the_scores() -> None:
    table = [str(GAMES / "classics" / "goofspiel.rules"), "--players", "3", "--set", "ranks=5", "--games", "40", "--seed", "2"]
    assert "returns_mean" not in simulated(*table)
    data = simulated(*table, "--variant", "by_difference")  # three times the score, less all scores
    scores = data["score_mean"]
    assert data["returns_mean"] == pytest.approx([3 * score - sum(scores) for score in scores])
    result = rulesrun("simulate", *table, "--variant", "by_difference")
    shown = next(line for line in result.stdout.splitlines() if "returns, mean" in line)
    assert shown.split()[2:] == [f"{mean:.2f}".replace("-", "\N{MINUS SIGN}") for mean in data["returns_mean"]]


def test_json_has_the_keys_that_are_promised() -> None:
    data = simulated(str(PAIRS), "--games", "20", "--seed", "1", "--set", "bonus_for_low=yes")
    assert [key for key in data if key in ISSUE_KEYS] == ISSUE_KEYS
    assert data["options"] == {"bonus_for_low": "yes"}
    assert data["games"] == 20
    assert data["faults"] == []
    assert data["bots"] == ["random", "random"]
    assert [key for key in simulated(str(PAIRS), *TOGETHER, "--games", "2") if key == "team_scores_mean"]


def test_csv_says_the_same_as_json() -> None:
    arguments = (str(PAIRS), "--games", "50", "--seed", "9", "--players", "3")
    data = simulated(*arguments)
    rows = list(csv.DictReader(StringIO(rulesrun("simulate", *arguments, "--format", "csv").stdout)))
    for row in rows:
        value = data[row["statistic"]]
        if row["part"]:
            value = value[row["part"]]
        if row["seat"]:
            value = value[int(row["seat"]) - 1]
        assert float(row["value"]) == value
    names = {row["statistic"] for row in rows}
    assert names == set(ISSUE_KEYS[ISSUE_KEYS.index("decisions_mean") :])


def test_a_seed_that_was_not_given_is_said() -> None:
    data = simulated(str(PAIRS), "--games", "10")
    assert lasting(simulated(str(PAIRS), "--games", "10", "--seed", str(data["seed"]))) == lasting(data)


def test_any_number_of_jobs_gives_the_same() -> None:
    arguments = (str(PAIRS), "--games", "730", "--seed", "5")
    one = simulated(*arguments)
    for jobs in ("2", "5"):
        assert lasting(simulated(*arguments, "--jobs", jobs)) == lasting(one)


@pytest.mark.slow
def test_a_game_of_a_run_can_be_shown(tmp_path: Path) -> None:
    """Game 6 of the run is what `run --game 6` shows, whatever the bots."""
    path = str(written(BIDS, tmp_path))
    bots = "casual,rollouts:2"
    with_it = simulated(path, "--games", "7", "--seed", "3", "--bots", bots)["tally"]["columns"]
    without = simulated(path, "--games", "6", "--seed", "3", "--bots", bots)["tally"]["columns"]
    shown = rulesrun(path, "--seed", "3", "--game", "6", "--bots", bots, "--format", "json")
    scores = json.loads(shown.stdout)["scores"]
    for seat, score in enumerate(scores, 1):
        column = f"score_{seat}"
        assert with_it[column].get(str(score), 0) == without[column].get(str(score), 0) + 1
    heading = rulesrun(path, "--seed", "3", "--game", "6", "--bots", bots).stdout.splitlines()[1]
    assert heading == "2 players, seed 3, game 6"
    assert "`-1` is no number of a game" in rulesrun(path, "--game", "-1").stderr


# ---- Games that stop


def test_games_that_stop_are_left_out_and_told(tmp_path: Path) -> None:
    path = str(written(BREAKS, tmp_path))
    result = rulesrun("simulate", path, "--games", "200", "--seed", "1")
    assert result.exit_code == 1
    data = simulated(path, "--games", "200", "--seed", "1", code=1)
    (fault,) = data["faults"]
    assert f"{fault['games']} of 200 games stopped" in result.stdout
    assert fault["code"] == "R602"
    assert data["tally"]["games"] == 200 - fault["games"]
    assert "error[R602]" in result.stderr
    assert result.stderr.count("error[") == 1
    assert fault["command"] in result.stdout
    shown = rulesrun(*fault["command"].split()[1:])
    assert shown.exit_code == 1
    assert "error[R602]" in shown.stderr
    before = rulesrun(*fault["command"].replace(f"--game {fault['example']}", f"--game {fault['example'] - 1}").split()[1:])
    assert before.exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize(("play", "code"), [("repeat until n is 5\n        set n to 1 - n", "R606")])
def test_a_game_that_never_decides_anything(play: str, code: str, tmp_path: Path) -> None:
    text = f"game endless\n    players 2\ncounter n: 0..9\nphase only\n    {play}\n"
    path = written(f"{text}score of player\n    points: n\nwinner highest score, then shared", tmp_path)
    result = rulesrun("simulate", str(path), "--games", "2", "--seed", "1")
    assert result.exit_code == 1
    assert "2 of 2 games stopped" in result.stdout
    assert f"error[{code}]" in result.stderr
    assert f"rulesrun run {path} --seed 1\n" in result.stdout
    data = simulated(str(path), "--games", "2", "--seed", "1", code=1)
    assert data["decisions_mean"] is None
    assert data["win_share"] == [None, None]


def test_a_score_that_cannot_be_said(tmp_path: Path) -> None:
    text = """
game unsaid
    players 2
counter n: 0..3
table worth by number: 0: 5, 1: 6
phase only
    player 1 chooses
        high
            set n to 3
        low
            nothing
score of player
    points: worth for n
winner highest score, then shared
"""
    path = str(written(text, tmp_path))
    data = simulated(path, "--games", "40", "--seed", "2", code=1)
    (fault,) = data["faults"]
    assert 0 < fault["games"] < 40
    assert fault["code"].startswith("R6")
    shown = rulesrun(*fault["command"].split()[1:])
    assert shown.exit_code == 1
    assert f"error[{fault['code']}]" in shown.stderr


# ---- Conditions


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("win_share[seat 1] > 0.30", 1),
        ("win_share[seat 1] < 0.30", 0),
        ("decisions_mean = 9", 1),
        ("terms_mean[cards][seat 3] >= 100", 0),
        ("score_quantiles[0.5][seat 2]>=0", 1),
        ("ties_share <= 1", 1),
        ("score_mean[seat 1] > -3.5", 1),
    ],
)
def test_conditions(condition: str, code: int) -> None:
    result = rulesrun("simulate", str(PAIRS), "--players", "3", "--games", "50", "--seed", "2", "--fail-if", condition)
    assert result.exit_code == code
    assert ("holds: it is" in result.stderr) == bool(code)


@pytest.mark.parametrize(
    ("condition", "said", "help", "column"),
    [
        ("win_shar[seat 1] > 0.3", "there is no statistic `win_shar`", "did you mean `win_share`?", 1),
        ("zzz > 0.3", "there is no statistic `zzz`", "there are decisions_mean,", 1),
        ("win_share[seat 4] > 0.3", "`win_share` has no seat 4", "seats go from 1 to 3", 10),
        ("win_share[seat 0] > 0.3", "`win_share` has no seat 0", "seats go from 1 to 3", 10),
        ("win_share > 0.3", "it is not said of which seat", "`win_share[seat 1]`", 1),
        ("terms_mean[seat 1] > 3", "it is not said of which part", "`terms_mean[cards][seat 1]`", 1),
        ("terms_mean[crds][seat 1] > 3", "`terms_mean` has no part `crds`", "did you mean `cards`?", 11),
        ("ties_share[seat 1] > 3", "`ties_share` has no seat 1", "`ties_share` is of the whole table", 11),
        ("ties_share", "this is no condition", "write a statistic", 1),
        ("ties_share > many", "this is no condition", "write a statistic", 1),
        ("", "this is no condition", "write a statistic", 1),
        ("ties_share != 0", "this is no condition", "(>, >=, <, <=, =)", 1),
        ("win_share[seat 1] > 30 %", "this is no condition", "write 0.30 for 30 %", 1),
        ("difference.ties_share > 0", "this is one table", "`rulesrun compare` has two", 1),
    ],
)
def test_conditions_that_are_none(condition: str, said: str, help: str, column: int) -> None:
    result = rulesrun("simulate", str(PAIRS), "--players", "3", "--games", "5", "--fail-if", condition)
    assert result.exit_code == 2
    assert "error[R805]" in result.stderr
    assert said in result.stderr
    assert help in result.stderr
    assert f"--> --fail-if:1:{column}\n" in result.stderr


# ---- Wrong usage


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--games", "0"], "`0` is no number of games: it is a whole number from 1 to 1,000,000,000,000,000,000"),
        (["--games", "-5"], "`-5` is no number of games"),
        (["--games", str(10**18 + 1)], "is no number of games"),
        (["--games", "many"], "`many` is no number of games"),
        (["--jobs", "0"], "`0` is no number of jobs: it is a whole number from 1 to 256"),
        (["--jobs", "1000"], "`1000` is no number of jobs"),
        (["--seed", "-1"], "a seed is a whole number"),
        (["--players", "99"], "pairs is for 2 to 4 players, not for 99"),
        (["--variant", "togeter"], "did you mean `together`?"),
        (["--bots", "radnom"], "did you mean `random`?"),
        (["--bots", "random,random,random"], "these are 3 bots, and there are 2 seats"),
        (["--engine", "c"], "there is no engine `c`"),
        (["--format", "xml"], "not one of"),
        (["--checkpoint", "/dev/full"], "it is no file"),
        (["--checkpoint", "/nowhere/c.json"], "there is no folder `/nowhere`"),
        (["--checkpoint", str(PAIRS)], "is there already and is no checkpoint; nothing was written"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str) -> None:
    result = rulesrun("simulate", str(PAIRS), *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


# ---- Interrupted, killed, going on


def started(*arguments: str) -> subprocess.Popen[str]:
    """The command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", START.replace("fcntl.ioctl(0, termios.TIOCSCTTY, 0)", ""), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.process
def test_ctrl_c_prints_the_statistics_so_far(tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.json"
    run = started(
        "simulate", str(PAIRS), "--games", str(10**18), "--seed", "8", "--format", "json", "--jobs", "2",
        "--checkpoint", str(checkpoint),
    )  # fmt: skip
    wait_for(checkpoint)
    run.send_signal(signal.SIGINT)
    out, errors = run.communicate(timeout=60)
    assert run.returncode == 130, errors
    data = json.loads(out)
    assert f"interrupted: these are the first {data['games']:,} of" in errors
    assert "Traceback" not in errors
    assert lasting(simulated(str(PAIRS), "--games", str(data["games"]), "--seed", "8")) == lasting(data)
    assert json.loads(checkpoint.read_text())["tally"] == data["tally"]


@pytest.mark.process
def test_a_killed_run_goes_on_and_ends_in_the_same_numbers(tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.json"
    slowly = ["--engine", "reference"]  # so that there is something left to kill
    arguments = [str(PAIRS), "--games", "6000", "--seed", "8", "--players", "3", *slowly, "--checkpoint", str(checkpoint)]
    run = started("simulate", *arguments, "--format", "json")
    wait_for(checkpoint)
    run.kill()
    run.communicate(timeout=60)
    played = json.loads(checkpoint.read_text())["tally"]["games"]
    assert 0 < played < 6000
    whole = simulated(*arguments)
    assert lasting(whole) == lasting(simulated(*arguments[:-2]))
    again = simulated(*arguments)  # nothing is left to be played
    assert again == whole


def test_a_checkpoint_brings_its_seed(tmp_path: Path) -> None:
    checkpoint = str(tmp_path / "run.json")
    first = simulated(str(PAIRS), "--games", "30", "--checkpoint", checkpoint)
    assert simulated(str(PAIRS), "--games", "30", "--checkpoint", checkpoint) == first


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (["--games", "40"], "games 40, not 30"),
        (["--seed", "2"], "seed 2, not 1"),
        (["--players", "3"], "players 3, not 2"),
        (["--bots", "casual"], "bots casual, casual, not random, random"),
        (["--set", "bonus_for_low=yes"], "options bonus_for_low = yes, not bonus_for_low = no"),
        (["--players", "4", "--variant", "together"], "variants together, not none"),
    ],
)
def test_a_checkpoint_of_another_run(changed: list[str], said: str, tmp_path: Path) -> None:
    checkpoint = str(tmp_path / "run.json")
    arguments = [str(PAIRS), "--games", "30", "--seed", "1", "--checkpoint", checkpoint]
    simulated(*arguments)
    before = Path(checkpoint).read_bytes()
    result = rulesrun("simulate", *arguments, *changed)
    assert result.exit_code == 2
    assert "error[R803]" in result.stderr
    assert said in result.stderr
    assert Path(checkpoint).read_bytes() == before


def test_a_checkpoint_of_other_rules(tmp_path: Path) -> None:
    rules = written(BIDS, tmp_path)
    checkpoint = str(tmp_path / "run.json")
    arguments = [str(rules), "--games", "30", "--seed", "1", "--checkpoint", checkpoint]
    simulated(*arguments)
    rules.write_text("# only a comment\n" + rules.read_text())
    simulated(*arguments)
    rules.write_text(rules.read_text().replace("boss:  1", "boss:  2"))
    result = rulesrun("simulate", *arguments)
    assert result.exit_code == 2
    assert "error[R803]" in result.stderr
    assert "the rules have changed" in result.stderr


def test_a_damaged_checkpoint(tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.json"
    arguments = [str(PAIRS), "--games", "30", "--seed", "1", "--checkpoint", str(checkpoint)]
    simulated(*arguments)
    whole = checkpoint.read_text()
    counted = whole.replace('"games": 30, "columns"', '"games": 31, "columns"')
    for text in (whole[:-30], whole[:300], counted, '{"checkpoint": 1}'):
        assert text != whole
        checkpoint.write_text(text)
        result = rulesrun("simulate", *arguments)
        assert result.exit_code == 2
        assert "error[R802]" in result.stderr
        assert checkpoint.read_text() == text


# ---- On a terminal


@pytest.mark.process
def test_a_terminal_shows_how_far_it_is(tmp_path: Path) -> None:
    terminal = Terminal(["simulate", str(PAIRS), "--games", "3000", "--seed", "8"], tmp_path)
    assert "of 3,000 games" in terminal.until("games/s")
    terminal.until("By seat")
    code, shown = terminal.end()
    assert code == 0
    assert "Decisions in a game" in shown


@pytest.mark.process
def test_ctrl_c_on_a_terminal(tmp_path: Path) -> None:
    terminal = Terminal(["simulate", str(PAIRS), "--games", str(10**18), "--seed", "8"], tmp_path)
    terminal.until("games/s")
    terminal.type("\x03")
    terminal.until("By seat")
    code, shown = terminal.end()
    assert code == 130
    assert "interrupted: these are the first" in shown


@pytest.mark.process
def test_help_and_start_do_not_load_the_compiler() -> None:
    code = (
        "import sys\nfrom rulesrun.cli import cli\ncli.main(['simulate', '--help'], standalone_mode=False)\n"
        "print([m for m in sys.modules if 'lark' in m or 'pyarrow' in m or 'matplotlib' in m or 'simulate.' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ), check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_a_fault_in_one_game_of_a_million(tmp_path: Path) -> None:
    rules = str(written(RARE, tmp_path))
    result = rulesrun("simulate", rules, "--games", "1600000", "--seed", "1", "--format", "json", "--jobs", "2")
    assert result.exit_code == 1
    (fault,) = json.loads(result.stdout)["faults"]
    assert (fault["code"], fault["games"]) == ("R602", 1)
    assert fault["command"].endswith("--seed 1 --game 1599909")
    assert "error[R602]" in rulesrun(*fault["command"].split()[1:]).stderr
