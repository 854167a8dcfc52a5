"""`rulesrun perft`: what is counted, and of which games nothing can be counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .commands import MASTI, rulesrun

CLASSIC = str(Path(MASTI).parent / "classics" / "tic_tac_toe.rules")

GAME = """
game small
    players 2
counter turns: 0..2
cards card, 1 of each
    rank: 1..2
zone hand of player: set of card, private
setup
    for each player: move any card from every card to hand of player
phase only
    take turns clockwise from player 1 until turns is 3
        player chooses
            {option}
                add 1 to turns
score of player
    points: 0
winner highest score, then shared
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return tmp_path / "small.rules"


@pytest.mark.slow
def test_each_depth_has_a_row_and_none_comes_after_the_end() -> None:
    told = json.loads(rulesrun("perft", CLASSIC, "--depth", "2", "--format", "json").stdout)
    assert [row["sequences"] for row in told["rows"]] == [9, 72]
    assert told["finished"]
    whole = rulesrun("perft", CLASSIC, "--depth", "20")
    assert whole.exit_code == 0
    assert whole.stdout.splitlines()[-1] == "255,168 sequences of up to 9 acts end the game"


@pytest.mark.slow
def test_a_fault_after_some_acts_is_said(game: Path) -> None:
    game.write_text(GAME.format(option="pass"), encoding="utf-8")
    found = rulesrun("perft", str(game), "--depth", "5")
    assert found.exit_code == 1
    assert "error[R602]: `turns` would become 3, and it is 0..2" in found.stderr
    assert "small.rules:14" in found.stderr


def test_of_hidden_choices_nothing_is_counted(game: Path) -> None:
    game.write_text(GAME.format(option="show a card from hand of player face down"), encoding="utf-8")
    found = rulesrun("perft", str(game), "--depth", "1")
    assert found.exit_code == 2
    assert "error[R832]: something is chosen here that others do not see" in found.stderr
    assert found.stdout == ""


@pytest.mark.slow
def test_of_chance_nothing_is_counted() -> None:
    assert "error[R832]: there is chance in this game" in rulesrun("perft", MASTI, "--depth", "1").stderr


@pytest.mark.parametrize("depth", ["0", "-1", "many", "1001"])
def test_a_depth_is_a_number_of_acts(depth: str) -> None:
    found = rulesrun("perft", CLASSIC, "--depth", depth)
    assert found.exit_code == 2
    assert f"`{depth}` is no depth: it is a whole number from 1 to 1,000" in found.stderr
