"""Searching for numbers: planted answers are found, and bad input is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.balance.tuning.goals import Goal, goal_from
from rulesrun.interpreter.common.diagnostics import Diagnostic, RulesError
from rulesrun.interpreter.simulate.statistics.statistics import Statistic

from ..cli.commands import rulesrun
from ..cli.terminal import Terminal

PLANTED = """\
game planted
    players 2..3

option komi: 0..10, default 0                        # what the second player gets

cards lot, 1 of each
    worth: 1..20

zone deck:           pile of lot, hidden
zone held of player: set of lot, open
marker leader: player

table deal by players
    players | size
    2       | 1
    3       | 2

setup
    shuffle every lot into deck
    set leader to a random player

phase only
    repeat 2 times                                   # tunable rounds
        for each player clockwise from leader
            player chooses
                draw
                    draw size from deck to held of player

score of player
    worth: 2 * total worth of held of player
    lead:  8 if player is leader
    gift:  2 * komi if player is not leader

winner highest score, then shared

test "whoever leads has eight points more"
    players Ann, Bob
    expect score of Ann is 8 or score of Bob is 8
"""
# What is asked for, and the numbers that are known to be right: the lead is worth 8 points, so is a komi of 4 for two players; a
# player decides once a round; a card is worth 10.5 as a mean.
ANSWERS: dict[str, tuple[list[str], dict[str, int]]] = {
    "a first seat that one number cures": (["--vary", "komi=0..10", "--goal", "first_seat_win_share = 0.5 +- 0.03"], {"komi": 4}),
    "a length": (["--vary", "rounds=1..10", "--goal", "length_median = 12..12"], {"rounds": 6}),
    "a score": (["--vary", "worth=1..9", "--goal", "terms_mean[worth][seat 1] = 63 +- 1.5"], {"worth": 3}),
    "a cell of a table": (
        ["--players", "3", "--vary", "deal for 3=1..3", "--goal", "terms_mean[worth][seat 2] = 84 +- 3"],
        {"deal for 3": 2},
    ),
    "two numbers and two goals": (
        ["--vary", "komi=0..8", "--vary", "rounds=1..6", "--goal", "first_seat_win_share = 0.5 +- 0.03", "--goal",
         "length_median = 8..8"],
        {"komi": 4, "rounds": 4},
    ),
}  # fmt: skip


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "planted.rules"
    path.write_text(PLANTED, encoding="utf-8")
    return path


def tuned(rules: Path, *arguments: str) -> Any:
    found = rulesrun("tune", str(rules), "--seed", "5", "--games", "3000", "--format", "json", *arguments)
    assert found.stderr == ""
    return json.loads(found.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("name", ANSWERS)
def test_a_planted_answer_lies_in_what_is_told(rules: Path, name: str) -> None:
    asked, answer = ANSWERS[name]
    found = tuned(rules, *asked)
    for number in found["numbers"]:
        low, high = number["possible"]
        assert low <= answer[number["name"]] <= high
    best = next(each for each in found["settings"] if each["numbers"] == answer)
    assert best["verdict"] in ("reached", "likely")
    assert best["games"] == 6000


@pytest.mark.slow
def test_the_best_is_written_and_the_tests_run_again(rules: Path) -> None:
    asked = ["--vary", "lead=0..10:2", "--goal", "first_seat_win_share = 0.5 +- 0.03", "--seed", "5", "--write"]
    found = rulesrun("tune", str(rules), *asked, "--minimise", "terms_mean[lead][seat 1]", "--games", "1000")
    assert found.exit_code == 1  # the test of the rules says eight
    assert "-    lead:  8 if player is leader\n+    lead:  0 if player is leader\n" in found.stdout
    assert found.stderr == "the test `whoever leads has eight points more` fails now\n"
    assert rules.read_text(encoding="utf-8") == PLANTED.replace("lead:  8", "lead:  0")
    rules.write_text(rules.read_text(encoding="utf-8").split("\ntest")[0], encoding="utf-8")
    again = rulesrun("tune", str(rules), *asked, "--games", "1000", "--minimise", "terms_mean[lead][seat 1]")
    assert "the rules have these numbers already" in again.stdout


LUCKY = """\
game lucky
    players 2..3

option luck: 0..20, default 10                       # a random number up to this is added

counter wit of player: 0..9
counter fortune of player: 0..20

phase only
    for each player
        player chooses
            name a number from 0..9: set wit of player to number
        set fortune of player to a random number from 0..luck

score of player
    wit: wit of player
    fortune: fortune of player

winner highest score, then shared
"""


@pytest.mark.slow
@pytest.mark.parametrize(("wish", "best"), [("--maximise", 0), ("--minimise", 20)])
def test_where_luck_is_small_skill_is_great(tmp_path: Path, wish: str, best: int) -> None:
    rules = tmp_path / "lucky.rules"
    rules.write_text(LUCKY, encoding="utf-8")
    asked = ["--vary", "luck=0..20:5", "--goal", "ties_share <= 1", wish, "skill", "--bots", "search:20", "--players", "3"]
    found = tuned(rules, *asked, "--games", "300")
    assert found["best"] == {"luck": best}
    shares = {trial["numbers"]["luck"]: trial["found"]["skill"] for trial in found["trials"]}
    assert sorted(shares, key=shares.__getitem__) == [20, 15, 10, 5, 0]
    assert 1 / 3 < shares[20] < shares[0] < 1
    for bots, told in (("random", "`skill` needs"), ("search:20,random", "3 seats")):
        refused = rulesrun("tune", str(rules), *asked, "--bots", bots)
        assert (refused.exit_code, told in refused.stderr) == (2, True), refused.stderr


@pytest.mark.slow
def test_the_best_trades_between_goals_are_shown(rules: Path, tmp_path: Path) -> None:
    """A greater lead makes the first seat win more, and fewer games end in a tie; nobody can have both."""
    goals = ["--goal", "first_seat_win_share >= 0.95", "--goal", "terms_mean[lead][seat 1] <= 1"]
    page = tmp_path / "trades.html"
    found = tuned(rules, "--vary", "lead=0..40:5", *goals, "--report", str(page))
    assert found["best"] is None
    shown = [each["numbers"]["lead"] for each in found["settings"]]
    assert shown == sorted(shown, reverse=True), "from the best for the first goal to the best for the other"
    assert len(shown) == 5
    assert 0 in shown
    told = page.read_text(encoding="utf-8")
    assert told.startswith("<!doctype html><!-- rulesrun tune -->")
    assert told.count("<circle") == 2 * 9
    assert "lead=0..40:5" in told


@pytest.mark.slow
def test_goals_that_fight_each_other_are_named_and_nothing_is_written(rules: Path) -> None:
    goals = ["--goal", "first_seat_win_share >= 0.9", "--goal", "first_seat_win_share <= 0.3", "--goal", "ties_share = 0.8..0.9"]
    varied = ["--vary", "lead=0..40:40", "--vary", "komi=0..10:10"]
    found = rulesrun("tune", str(rules), *varied, *goals, "--write", "--games", "200")
    assert found.exit_code == 1
    assert "No setting that was played reaches all goals." in found.stdout
    assert "`ties_share = 0.8..0.9` was never reached: it was from " in found.stdout
    fight = "`first_seat_win_share >= 0.9` and `first_seat_win_share <= 0.3` fight each other: no setting reached both."
    assert fight in found.stdout
    assert found.stderr == "nothing was written: no setting reaches the goals\n"
    assert rules.read_text(encoding="utf-8") == PLANTED


@pytest.mark.slow
def test_settings_that_cannot_be_played_are_told(rules: Path) -> None:
    found = rulesrun("tune", str(rules), "--vary", "rounds=8..12", "--goal", "length_median = 20..30", "--games", "200")
    assert found.exit_code == 0
    assert "2 settings could not be played to the end\n  R" in found.stdout
    assert "rounds 8 .. 12 2 10 .. 10" in " ".join(found.stdout.split())


@pytest.mark.slow
def test_a_fault_that_only_fresh_games_meet_is_told(rules: Path) -> None:
    rare = PLANTED.replace("marker leader: player", "marker leader: player\ncounter record: 0..38")
    note = "\n                    set record to total worth of held of player"
    rare = rare.replace("deck to held of player", f"deck to held of player{note}")
    rules.write_text(rare, encoding="utf-8")
    asked = ["--vary", "komi=0,1", "--goal", "ties_share <= 1", "--games", "60", "--seed", "3"]
    found = rulesrun("tune", str(rules), *asked)
    assert "R602: `record` would become 39, and it is 0..38" in found.stdout
    assert found.exit_code == 1
    simulated = rulesrun("simulate", str(rules), "--games", "60", "--seed", "3")
    assert simulated.exit_code == 0  # the games of the search meet none


@pytest.mark.slow
def test_a_budget_ends_a_setting_too(rules: Path) -> None:
    found = tuned(rules, "--vary", "komi=0..9", "--goal", "ties_share <= 1", "--budget", "200ms", "--games", "10000000")
    assert [100 <= trial["games"] < 10_000_000 for trial in found["trials"]] == [True]
    assert found["best"] == {"komi": 0}


@pytest.mark.process
def test_whoever_interrupts_hears_what_was_found(rules: Path) -> None:
    asked = ["--vary", "komi=0..10", "--vary", "rounds=1..9", "--goal", "ties_share >= 0.99", "--seed", "1"]
    terminal = Terminal(["tune", str(rules), *asked], rules.parent)
    terminal.until("settings; 0 may reach the goals")
    terminal.type("\x03")
    code, shown = terminal.end()
    assert code == 130
    assert "This was interrupted: not all settings were looked at." in shown
    assert "What each number does" in shown


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--vary", "kmoi=0..3", "--goal", "ties_share <= 0.1"], "error[R806]: no number is called `kmoi`"),
        (["--vary", "komi=3..3", "--goal", "ties_share <= 1"], "error[R806]: there is nothing to sweep from 3 to 3"),
        (["--vary", "komi", "--goal", "ties_share <= 0.1"], "error[R806]: this is no sweep"),
        (["--vary", "komi=0..3", "--vary", "line 4 number 3=1..3", "--goal", "ties_share <= 1"], "is the same number as `komi`"),
        (["--vary", "komi=0..3", "--goal", "tise_share <= 0.1"], "error[R805]: there is no statistic `tise_share`"),
        (["--vary", "size=0..3", "--goal", "ties_share <= 0.1"], "error[R806]: no number is called `size`"),
        (["--vary", "komi=0..3", "--goal", "ties_share"], "error[R811]: this is no goal"),
        (["--vary", "komi=0..3", "--goal", "ties_share = 0.4"], "error[R811]: a goal needs some room"),
        (["--vary", "komi=0..3", "--goal", "ties_share = 0.4..0.2"], "error[R811]: there is nothing from 0.4 to 0.2"),
        (["--vary", "komi=0..3", "--goal", "ties_share <= much"], "error[R811]: this is no number"),
        (["--vary", "komi=0..3", "--goal", "ties_share <= 1", "--maximise", "fun"], "error[R805]: there is no statistic `fun`"),
        (["--vary", "komi=0..3", "--goal", "ties_share <= 1", "--budget", "0"], "`0` is no budget"),
        (["--vary", "komi=0..3", "--goal", "ties_share <= 1", "--set", "komi=2"], "`komi` is set and varied"),
        (["--vary", "komi=0..3", "--goal", "ties_share <= 1", "--bots", "grandmaster"], "error[R801]"),
        (["--vary", "komi=0..3"], "Missing option '--goal'"),
    ],
)
def test_bad_input_is_told(rules: Path, arguments: list[str], told: str) -> None:
    found = rulesrun("tune", str(rules), *arguments)
    assert found.exit_code == 2
    assert told in found.stderr


@given(st.decimals(0, 5, places=2), st.decimals(0, 5, places=2), st.floats(-10, 10, allow_subnormal=False))
def test_a_goal_is_reached_between_its_limits_and_nowhere_else(middle: Any, room: Any, value: float) -> None:
    goal = goal_from(f"decisions_mean = {middle} +- {room}", [Statistic("decisions_mean")])
    assert (goal.distance(value) == 0) == (goal.low <= value <= goal.high)
    assert goal == Goal(goal.text, Statistic("decisions_mean"), float(middle) - float(room), float(middle) + float(room))


@given(st.text(max_size=30))
def test_any_text_is_a_goal_or_an_error_with_a_place(text: str) -> None:
    found: tuple[Diagnostic, ...] = ()
    try:
        goal_from(text, [Statistic("decisions_mean"), Statistic("length_quantiles", "0.5")])
    except RulesError as error:
        found = tuple(error.diagnostics)
    assert all(each.code in ("R805", "R811") and each.labels and each.help for each in found)
