"""The display of `rulesrun check` while it works: findings and a bar on a terminal, nothing where there is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .commands import rulesrun
from .terminal import Terminal

RULES = """
game trial
    players 2..3
counter coins of player: 0..90
counter days: 0..90
counter unused: 0..9
phase work
    repeat until days is 60
        add 1 to days
        for each player
            player chooses
                reap: add 2 to coins of player
                rest: nothing
score of player
    coins: coins of player
winner highest score, then shared
"""


@pytest.mark.process
def test_findings_and_a_bar_are_shown_before_the_report(tmp_path: Path) -> None:
    (tmp_path / "trial.rules").write_text(RULES)
    terminal = Terminal(["check", "trial.rules"], tmp_path, NO_COLOR="1", XDG_CACHE_HOME=str(tmp_path / "cache"))
    first = plain(terminal.until("playing trial.rules"))
    assert "warning[R320] trial.rules:6:9: nothing uses the counter `unused`" in first
    code, rest = terminal.end()
    shown, _, report = plain(rest).rpartition("warning[R320]: nothing uses")
    assert code == 1
    assert "0/2 tables" in shown
    assert "error[R602] trial.rules:12:23: " in shown
    assert "playing" not in report
    assert "error[R602] (explored: seen in a test game): `coins of" in report


def plain(shown: str) -> str:
    """What a terminal shows, without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", shown)


@pytest.mark.slow
def test_one_game_is_not_waited_for_twice(tmp_path: Path) -> None:
    """What an earlier check kept is told at its place of now. Where there is no terminal, nothing but the report is printed."""
    path = tmp_path / "trial.rules"
    path.write_text(RULES)
    first = rulesrun("check", str(path))
    path.write_text(RULES.replace("counter unused", "# a comment\n\ncounter unused"))
    again = rulesrun("check", str(path))
    assert first.stderr == again.stderr == ""
    assert first.stdout.splitlines()[0] == again.stdout.splitlines()[0] == "warning[R320]: nothing uses the counter `unused`"
    assert f"{path}:12:23\n" in first.stdout
    assert f"{path}:14:23\n" in again.stdout
