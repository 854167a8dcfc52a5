"""Every json that a command prints or writes is as its schema says, and the schemas leave nothing open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ..cli.commands import MASTI, PAIRS, rulesrun
from .games import IDLE, loops
from .schemas import FOLDER, faults, unnoticed, validator

GAMES = Path(MASTI).parent
KINGDOMINO, KING = str(GAMES / "kingdomino.rules"), str(GAMES / "for_the_king.rules")
KUHN = str(GAMES / "classics" / "kuhn_poker.rules")
CLASSIC = str(GAMES / "classics" / "tic_tac_toe.rules")
STOPS = loops().replace("repeat until pot is 9\n        add 1 to coins", "set coins to 9")  # and what comes then does not fit

OUTPUTS = {
    "check": [["check", "game.rules", "suppressed.rules", "idle.rules", "none.rules"], ["check", PAIRS]],
    "test": [["test", "game.rules", "none.rules", PAIRS]],
    "simulate": [
        ["simulate", PAIRS, "--games", "20"],
        ["simulate", "stops.rules", "--games", "5"],
        ["simulate", MASTI, "--players", "4", "--variant", "partners", "--games", "5"],
        ["simulate", PAIRS, "--games", "5", "--engine", "reference", "--bots", "casual,random"],
    ],
    "compare": [
        ["compare", KINGDOMINO, "--variant", "harmony", "--games", "5"],
        ["compare", KINGDOMINO, "--baseline", "played.json", "--games", "5"],
        ["compare", "stops.rules", "stops.rules", "--games", "5"],
        ["compare", KING, "--sweep", "highest_bid=10..12:1", "--games", "3"],
    ],
    "tournament": [
        ["tournament", PAIRS, "--bots", "random,casual", "--games", "20"],
        ["tournament", "stops.rules", "--bots", "random,casual", "--games", "4"],
    ],
    "analyse": [
        ["analyse", PAIRS, "--bots", "search:3", "--games", "4"],
        ["analyse", KING, "--bots", "casual", "--games", "2", "--set", "highest_bid=5", "--max-seconds", "2"],
        ["analyse", "stops.rules", "--bots", "random", "--games", "2"],
    ],
    "solve": [["solve", KUHN], ["solve", KUHN, "--players", "3"]],
    "variants": [["variants", path] for path in (MASTI, KINGDOMINO, KING, PAIRS)],
    "diff": [
        ["diff", MASTI, MASTI],
        ["diff", "game.rules", "suppressed.rules"],
        ["diff", "stops.rules", "game.rules"],
        ["diff", MASTI, "--variant", "partners", "--players", "4"],
        ["diff", KINGDOMINO, "--variant", "harmony"],
    ],
    "perft": [
        ["perft", CLASSIC, "--depth", "2", "--positions"],
        ["perft", CLASSIC, "--depth", "2", "--set", "in_a_row=3"],
    ],
    "review": [["review", "game.json", "--bots", "search:20"], ["review", "game.json", "--seat", "2", "--bots", "search:300"]],
    "transcript": [["run", MASTI, "--seed", "1"], ["run", MASTI, "--seat", "2"], ["run", "stops.rules"]],
    "sarif": [["check", "game.rules", "suppressed.rules", "idle.rules", "none.rules"], ["check", PAIRS]],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("game.rules").write_text(loops(), encoding="utf-8")
    Path("suppressed.rules").write_text(loops(beside="  # allow R305: it ends"), encoding="utf-8")
    Path("idle.rules").write_text(IDLE, encoding="utf-8")
    Path("stops.rules").write_text(STOPS, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(("name", "arguments"), [(name, each) for name, all_of in OUTPUTS.items() for each in all_of], ids=str)
def test_what_is_printed_is_as_the_schema_says(folder: Path, name: str, arguments: list[str]) -> None:
    if "played.json" in arguments:
        played = rulesrun("simulate", KINGDOMINO, "--games", "5", "--seed", "2", "--format", "json").stdout
        Path("played.json").write_text(played, encoding="utf-8")
    if "game.json" in arguments:
        assert rulesrun(MASTI, "--seed", "1", "--save", "game.json").exit_code == 0
    form = "sarif" if name == "sarif" else "json"
    hold(name, json.loads(rulesrun(*arguments, "--format", form).stdout))


def hold(name: str, data: Any) -> None:
    assert faults(name, data) == []
    assert unnoticed(name, data) == []


@pytest.mark.slow
def test_what_is_written_is_as_the_schema_says(folder: Path) -> None:
    assert rulesrun("check", "game.rules", "--write-baseline", "known.json").exit_code == 0
    hold("baseline", json.loads(Path("known.json").read_text(encoding="utf-8")))
    assert rulesrun(MASTI, "--seed", "1", "--save", "played.json").exit_code == 0
    hold("transcript", json.loads(Path("played.json").read_text(encoding="utf-8")))
    assert rulesrun("play", PAIRS, "--seed", "1", typed="1\nsave mine.json\nquit\n").exit_code == 0
    saved = json.loads(Path("mine.json").read_text(encoding="utf-8"))
    assert "position" in saved
    hold("transcript", saved)


@pytest.mark.slow
@pytest.mark.parametrize("path", [PAIRS, MASTI, KINGDOMINO, KING])
def test_the_description_of_a_module_is_as_the_schema_says(folder: Path, path: str) -> None:
    assert rulesrun("export", path, "--out", "game.wasm").exit_code == 0
    hold("module", json.loads(Path("game.json").read_text(encoding="utf-8")))


def test_every_schema_is_held_against_something() -> None:
    names = {path.stem for path in FOLDER.glob("*")}
    assert names == {*OUTPUTS, "baseline", "module", "common", "coverage", "session"}  # messages of a session: tests/hosting


@pytest.mark.parametrize("name", [*OUTPUTS, "baseline", "module", "coverage"])
def test_a_schema_refuses_what_is_missing_and_what_is_no_object(name: str) -> None:
    assert faults(name, {})
    assert faults(name, [])
    schema = validator(name).schema
    assert isinstance(schema, dict)
    assert schema["title"]
