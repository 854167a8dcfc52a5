"""Numbers that may vary: how they are named, that only they change, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.balance.varying import number_named, numbers_with_names, with_numbers
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import table_of
from rulesrun.interpreter.rules import read_rules, rules_from

from ..cli.commands import rulesrun
from ..simulate.games import GAMES

TEXT = """game prize                      # 2 of a kind
    players 2..3

option stake: 1..5, default 2
option loud: yes or no, default no
counter coins of player: 0..99
marker lucky: player

table reward by players
    players | early | later
    2       | 3     | -1
    3       | 4     | 0
table worth by n: 1: 5, 2: 7

phase only
    set lucky to a random player
    for each player
        player chooses
            bet "2 coins"
                add stake to coins of player
            wait
                add 4 to coins of player        # tunable wages
score of player
    coins: coins of player
    luck:  (early + worth for 1) if player is lucky
    bonus: 3 if loud

winner highest score, then shared
"""
RULES = rules_from(Source("prize.rules", TEXT))
NAMES = {
    "stake": 2,
    "reward.early for 2": 3,
    "reward.later for 2": -1,
    "reward.early for 3": 4,
    "reward.later for 3": 0,
    "worth for 1": 5,
    "worth for 2": 7,
    "wages": 4,
    "luck": 1,
    "bonus": 3,
}


def test_numbers_have_names_in_the_order_of_the_file() -> None:
    assert RULES.model is not None, RULES.diagnostics
    assert {name: varied.value for name, varied in numbers_with_names(RULES).items()} == NAMES
    assert list(numbers_with_names(RULES)) == list(NAMES)


@pytest.mark.slow
@settings(max_examples=50)
@given(st.sampled_from(sorted(NAMES)), st.integers(-(10**9), 10**9))
def test_only_that_number_changes(name: str, value: int) -> None:
    """It has the new value then, every other number its own, and changing it back gives the same text."""
    changed = with_numbers(RULES, {number_named(RULES, name): value})
    assert changed.source is not None
    found = numbers_with_names(changed)
    if changed.tree is not None and set(found) == set(NAMES):
        assert {each: varied.value for each, varied in found.items()} == {**NAMES, name: value}
        again = with_numbers(changed, {found[name]: NAMES[name]}).source
        assert again is not None
        assert again.text == TEXT


def test_a_line_is_named_by_its_number() -> None:
    line = TEXT.splitlines().index("    players 2..3") + 1
    assert number_named(RULES, f"line {line} number 2").value == 3
    changed = with_numbers(RULES, {number_named(RULES, f"line {line} number 2"): 2})
    assert changed.required().players == (2, 2)
    assert number_named(RULES, "line  22").value == 4


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("stakes", "no number is called `stakes`"),
        ("loud", "no number is called `loud`"),
        ("coins", "no number is called `coins`"),
        ("reward.early for 9", "no number is called `reward.early for 9`"),
        ("line 2", "2 numbers stand in line 2"),
        ("line 2 number 3", "line 2 has no number 3"),
        ("line 1", "no number stands in line 1"),
        ("line 18", "no number stands in line 18"),
        ("line 0", "there is no line 0"),
        ("line 999", "there is no line 999"),
    ],
)
def test_what_names_no_number_is_refused(name: str, told: str) -> None:
    with pytest.raises(RulesError) as raised:
        number_named(RULES, name)
    assert [(each.code, each.message) for each in raised.value.diagnostics] == [("R806", told)]


def test_a_name_that_two_numbers_have_is_none() -> None:
    twice = rules_from(Source("prize.rules", TEXT.replace("tunable wages", "tunable bonus")))
    assert "bonus" not in numbers_with_names(twice)


def test_the_numbers_of_real_games_are_found() -> None:
    masti = read_rules(GAMES / "masti.rules")
    varied = number_named(masti, "deal.hand_size for 4")
    assert varied.value == 10
    game = table_of(with_numbers(masti, {varied: 7}), 4)
    state = game.start(seed=1)
    assert state.decision is not None
    assert len(numbers_with_names(masti)) > 20


def test_a_sweep_takes_a_number_in_the_rules(tmp_path: Path) -> None:
    """The difference is the one that was written: three points more for the lucky one."""
    path = tmp_path / "prize.rules"
    path.write_text(TEXT, encoding="utf-8")
    run = rulesrun("compare", str(path), "--sweep", "worth for 1=5,8", "--games", "100", "--seed", "1", "--format", "json")
    assert run.exit_code == 0, run.output
    rows = json.loads(run.stdout)["values"]
    assert [sum(row["statistics"]["terms_mean"]["luck"]) for row in rows] == pytest.approx([8, 11])


@pytest.mark.parametrize(
    ("sweep", "told"),
    [
        ("worth for 9=1,2", "no number is called `worth for 9`"),
        ("worth for 1=yes,no", "`yes` is no value of a number in the rules"),
        ("line 2=1,2", "say which one: `line 2 number 1`"),
        ("line 2 number 2=3,1", "error["),
    ],
)
def test_a_sweep_over_no_number_is_refused(tmp_path: Path, sweep: str, told: str) -> None:
    path = tmp_path / "prize.rules"
    path.write_text(TEXT, encoding="utf-8")
    run = rulesrun("compare", str(path), "--sweep", sweep, "--games", "10", "--seed", "1")
    assert run.exit_code != 0
    assert told in run.output
