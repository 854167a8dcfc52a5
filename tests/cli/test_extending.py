"""Every command takes a file that extends another, from another folder too."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .commands import HERE, rulesrun

RULES = HERE.parent / "extending"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(RULES / "rules", tmp_path / "games")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_run_and_replay(folder: Path) -> None:
    arguments = ("games/below/fair.rules", "--variant", "fair", "--players", "4", "--seed", "5")
    shown = rulesrun(*arguments, "--save", "game.json")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("Market [Ринок]\n4 players, fair, crowd, seed 5\n")
    replayed = rulesrun("replay", "game.json")
    assert (replayed.exit_code, replayed.stdout) == (0, shown.stdout)
    market = folder / "games" / "market.rules"
    market.write_text(market.read_text(encoding="utf-8").replace("worth of good is 3", "worth of good is 2"), encoding="utf-8")
    assert "changed: `define dear`" in rulesrun("replay", "game.json").stderr


def test_play_and_go_on() -> None:
    begun = rulesrun("play", "games/house.rules", "--variant", "house", "--seed", "1", typed="save mine.json\nquit\n")
    assert begun.exit_code == 0
    assert "Market" in begun.stdout
    assert rulesrun("play", "--continue", "mine.json", typed="quit\nno\n").exit_code == 0


@pytest.mark.slow
def test_check_and_test() -> None:
    files = ("games/market.rules", "games/below/fair.rules", "games/house.rules")
    *_, said, empty, counted = rulesrun("check", "games/house.rules").stdout.splitlines()
    assert said.startswith("games/house.rules: too many positions to go through all (")
    assert said.endswith("): 8 of 38 tables (players, variants, options) explored instead")
    assert (empty, counted) == ("", "1 file, 0 findings")
    proved = rulesrun("check", "--proved", *files).stdout
    assert proved.count("warning[R32") == 3  # what the market and the fair leave unused is theirs
    assert rulesrun("test", *files).stdout.splitlines()[-1] == "8 passed, 0 failed, in 3 files"


def test_show() -> None:
    tree = rulesrun("show", "--stage", "tree", "games/house.rules").stdout
    assert "Variant name=dear_goods" in tree
    assert "Variant name=house" in tree
    assert "variant crowd" in rulesrun("show", "games/house.rules").stdout
    machine = rulesrun("show", "--stage", "machine", "games/house.rules", "--variant", "fair").stdout
    assert machine.startswith("machine market, 2 seats")


def test_a_fault_of_the_game_is_shown_once(folder: Path) -> None:
    market = folder / "games" / "market.rules"
    market.write_text(market.read_text(encoding="utf-8").replace("every good", "every goood"), encoding="utf-8")
    for files in (["games/below/fair.rules"], ["games/market.rules", "games/below/fair.rules", "games/house.rules"]):
        result = rulesrun("check", *files)
        assert result.exit_code == 1
        assert result.stdout.count("error[") == 1
        assert "--> games/market.rules:25:13" in result.stdout


@pytest.mark.slow
def test_rules_that_are_refused_on_purpose(folder: Path) -> None:
    """The check fails and says why; the tests, which expect it, pass."""
    (folder / "games" / "refused").mkdir()
    (folder / "games" / "refused" / "greedy.rules").write_text(
        'extends "../market.rules"\nvariant greedy "Greedy"\n    needs players is 2\n    add before buying\n'
        "        for each player: set coins of player to 12\n"
        'test "nobody has so many coins"\n    players Ann, Bob\n    with greedy\n    expect finding R301 "0..9"\n',
        encoding="utf-8",
    )
    result = rulesrun("check", "games/refused/greedy.rules")
    assert result.exit_code == 1
    assert "error[R301]" in result.stdout
    assert "= with: 2 players with greedy" in result.stdout
    result = rulesrun("test", "games/refused/greedy.rules")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "3 passed, 0 failed, in 1 file")
    assert "finds nothing, and R301 is expected" in _test_with(folder, "    with greedy\n", "")
    assert "R301 is found, and says: " in _test_with(folder, "0..9", "gold")


def _test_with(folder: Path, old: str, new: str) -> str:
    """What is printed of the tests of the greedy rules when something in them is changed."""
    text = (folder / "games" / "refused" / "greedy.rules").read_text(encoding="utf-8")
    (folder / "games" / "refused" / "changed.rules").write_text(text.replace(old, new), encoding="utf-8")
    result = rulesrun("test", "games/refused/changed.rules")
    assert result.exit_code == 1
    return result.stdout


@pytest.mark.parametrize("name", ["R001_no_parent", "R007_absolute", "R008_circle"])
def test_files_that_cannot_be_read(name: str) -> None:
    shutil.copytree(RULES / "messages", "messages")
    for command in ("run", "check", "test", "play", "show", "variants"):
        assert rulesrun(command, f"messages/{name}.rules").exit_code == 2


def test_names_of_variants_and_options_complete() -> None:
    result = rulesrun("games/house.rules", "--variant", "hose")
    assert result.exit_code == 2
    assert "did you mean `house`?" in result.stderr
