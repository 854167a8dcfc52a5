"""`rulesrun play`: a person in a seat, through a pipe and on a real terminal."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from ..goldens import check_golden
from .commands import HERE, MASTI, PAIRS, rulesrun
from .terminal import Terminal

ROOT = HERE.parent.parent


def test_a_whole_session() -> None:
    typed = "help\nall\nwhy 1\nwhy blue 6\nwhy nonsense\n9\nplay rad 3\n\n1\nview\nundo\nundo\n2\n1\n1\n"
    result = rulesrun("play", PAIRS, "--seed", "4", "--seat", "2", typed=typed)
    assert result.exit_code == 0
    check_golden(HERE / "goldens" / "play.txt", result.stdout)


def test_the_end_of_the_input_is_quit() -> None:
    result = rulesrun("play", PAIRS, "--seed", "4", typed="1\n")
    assert result.exit_code == 0
    assert "save the game" in result.stdout


@pytest.mark.parametrize("game", [PAIRS, MASTI])
def test_a_continued_game_goes_on_as_it_would_have(game: str, tmp_path: Path) -> None:
    save = str(tmp_path / "mine.json")
    whole = rulesrun("play", game, "--seed", "4", typed="1\n" * 40).stdout
    begun = rulesrun("play", game, "--seed", "4", typed=f"1\nundo\n1\nquit\n{save}\n").stdout
    assert f"rulesrun play --continue {save}" in begun
    rest = rulesrun("play", "--continue", save, typed="1\n" * 40).stdout
    assert whole.partition("Your turn")[2].endswith(rest.partition("Your turn")[2])
    assert rulesrun("replay", save).exit_code == 0


def test_damaged_saves(tmp_path: Path) -> None:
    save = tmp_path / "mine.json"
    assert "saved to" in rulesrun("play", PAIRS, "--seed", "4", typed=f"1\nsave {save}\nquit\n").stdout
    whole = save.read_text(encoding="utf-8")
    position = re.search(r'"position": "(\w+)"', whole)
    assert position is not None
    for damaged in ("ff" + position[1][2:], position[1][:-2], ""):
        save.write_text(whole.replace(position[1], damaged), encoding="utf-8")
        result = rulesrun("play", "--continue", str(save), typed="")
        assert result.exit_code == 2
        assert "error[R701]" in result.stderr
    assert rulesrun("play", "--continue", str(save), "--players", "3").exit_code == 2
    assert rulesrun("play").exit_code == 2


def test_a_transcript_of_a_run_is_no_save(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    rulesrun(PAIRS, "--seed", "4", "--save", str(path))
    result = rulesrun("play", "--continue", str(path), typed="")
    assert result.exit_code == 2
    assert "no position to go on from" in result.stderr


def test_saving_over_the_rules_is_refused(tmp_path: Path) -> None:
    rules = tmp_path / "pairs.rules"
    rules.write_text(Path(PAIRS).read_text(encoding="utf-8"), encoding="utf-8")
    result = rulesrun("play", str(rules), "--seed", "4", typed=f"save {rules}\nquit\n\n")
    assert "nothing was written" in result.stdout


def test_on_a_terminal() -> None:
    terminal = Terminal(["play", PAIRS, "--seed", "4", "--seat", "2"], ROOT)
    shown = terminal.until("> ")
    assert "\x1b[" in shown
    assert "Your turn" in shown
    terminal.type("1\n")
    assert "player 2" in terminal.until("> ")
    terminal.type("undo\n")
    terminal.until("back at your previous decision")
    terminal.until("> ")
    for _ in range(3):
        terminal.type("1\n")
    code, shown = terminal.end()
    assert code == 0
    assert "Ranking" in shown


def test_ctrl_c_and_ctrl_d_end_quietly() -> None:
    terminal = Terminal(["play", PAIRS, "--seed", "4"], ROOT, NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*3\d", terminal.until("> "))
    terminal.type("\x04")
    terminal.until("save the game")
    terminal.type("\x04")
    assert terminal.end()[0] == 0
    terminal = Terminal(["play", PAIRS, "--seed", "4"], ROOT)
    terminal.until("> ")
    time.sleep(0.5)  # between the prompt and its reading Python does not hear it
    terminal.type("\x03")
    code, shown = terminal.end()
    assert code == 130
    assert "Traceback" not in shown
