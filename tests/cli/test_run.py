"""`rulesrun FILE`: what it shows, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ..goldens import check_golden
from .commands import HERE, MASTI, PAIRS, rulesrun


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("run", ["--seed", "1"]),
        ("run_tie", ["--seed", "1", "--players", "3"]),
        ("run_seat", ["--seed", "1", "--seat", "2"]),
        (
            "run_together",
            ["--seed", "5", "--players", "4", "--variant", "together", "--set", "bonus_for_low=yes", "--language", "ru"],
        ),
    ],
)
def test_the_whole_output(name: str, arguments: list[str]) -> None:
    result = rulesrun(PAIRS, *arguments)
    assert result.exit_code == 0
    check_golden(HERE / "goldens" / f"{name}.txt", result.stdout)


def test_the_first_lines_of_a_json_transcript() -> None:
    result = rulesrun(PAIRS, "--seed", "1", "--format", "json")
    text = re.sub(r'"file": ".*"', '"file": "pairs.rules"', result.stdout)
    check_golden(HERE / "goldens" / "run.json", text)


@pytest.mark.slow
@pytest.mark.parametrize("table", [["--players", "3"], ["--players", "4", "--variant", "partners"], ["--players", "6"]])
def test_the_same_seed_is_the_same_game(table: list[str]) -> None:
    first = rulesrun(MASTI, "--seed", "7", *table)
    assert first.exit_code == 0
    assert first.stdout == rulesrun("run", MASTI, "--seed", "7", *table).stdout
    assert first.stdout != rulesrun(MASTI, "--seed", "8", *table).stdout


@pytest.mark.slow
def test_json_has_what_it_should() -> None:
    data = json.loads(rulesrun(MASTI, "--seed", "7", "--players", "4", "--variant", "partners", "--format", "json").stdout)
    assert data["game"] == "masti"
    assert data["players"] == 4
    assert data["variants"] == ["partners"]
    assert data["options"] == {"jokers_optional": "no"}
    assert data["seed"] == 7
    assert all(set(act) == {"player", "option", "text"} for act in data["acts"])
    assert {act["player"] for act in data["acts"]} == {0, 1, 2, 3, 4}
    assert [sum(values) for values in zip(*data["terms"].values(), strict=True)] == data["scores"]
    assert sorted(seat for seats in data["ranking"] for seat in seats) == [1, 2, 3, 4]


def test_a_seed_that_was_not_given_is_said() -> None:
    shown = rulesrun(PAIRS).stdout
    seed = re.search(r"seed (\d+)", shown)
    assert seed is not None
    assert rulesrun(PAIRS, "--seed", seed[1]).stdout == shown


def test_json_for_a_seat_hides_what_it_did_not_see() -> None:
    data = json.loads(rulesrun(PAIRS, "--seed", "1", "--seat", "2", "--format", "json").stdout)
    drawn = [act for act in data["acts"] if act["text"].startswith("player 1 draws")]
    assert drawn == [{"player": 0, "option": None, "text": "player 1 draws a card"}] * 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seed", "-1"], "a seed is a whole number from 0 to 2**64 - 1"),
        (["--seed", str(2**64)], "a seed is a whole number"),
        (["--seed", "x"], "a seed is a whole number"),
        (["--players", "99"], "pairs is for 2 to 4 players, not for 99"),
        (["--players", "many"], "not a valid integer"),
        (["--set", "bonus_for_low"], "write OPTION=VALUE, here `bonus_for_low=...`"),
        (["--set", "=yes"], "`=yes` sets nothing: write OPTION=VALUE\n"),
        (["--set", "bonus_for_low=yes", "--set", "bonus_for_low=no"], "set twice, to `yes` and to `no`"),
        (["--set", "bonus_for_lw=yes"], "did you mean `bonus_for_low`?"),
        (["--set", "bonus_for_low=perhaps"], "no value of `bonus_for_low`"),
        (["--variant", "togeter"], "did you mean `together`?"),
        (["--seat", "3"], "seats go from 1 to 2"),
        (["--sed", "3"], "No such option"),
        (["--format", "xml"], "not one of"),
        (["--save", "/"], "cannot be written"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str) -> None:
    result = rulesrun(PAIRS, *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "R001"), (b"\xff\xfe\x00garbage", "R002"), (b"#" * 10_000_000, "R003"), (b"", "R004")],
)
def test_files_that_are_no_rules(content: bytes | None, code: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.rules"
    if content is not None:
        path.write_bytes(content)
    for command in ("run", "check", "test", "show"):
        result = rulesrun(command, str(path))
        assert result.exit_code in (1, 2)
        assert f"error[{code}]" in result.output


def test_a_game_that_is_stopped_by_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "broken.rules"
    path.write_text(
        "game broken\n    players 2\ncounter coins: 0..3\nphase only\n    repeat 9 times\n        player 1 chooses\n"
        "            pay\n                add 1 to coins\nscore of player\n    coins: coins\nwinner highest score, then shared\n"
    )
    result = rulesrun(str(path), "--seed", "1")
    assert result.exit_code == 1
    assert result.stdout.count("player 1: pay") == 4
    assert "error[R602]" in result.stderr


@pytest.mark.slow
def test_saving_never_destroys_another_file(tmp_path: Path) -> None:
    rules = tmp_path / "pairs.rules"
    rules.write_text(Path(PAIRS).read_text(encoding="utf-8"), encoding="utf-8")
    result = rulesrun(str(rules), "--save", str(rules))
    assert result.exit_code == 2
    assert "nothing was written" in result.stderr
    assert rules.read_text(encoding="utf-8") == Path(PAIRS).read_text(encoding="utf-8")
    assert rulesrun(PAIRS, "--save", str(tmp_path / "a.json")).exit_code == 0
    assert rulesrun(PAIRS, "--save", str(tmp_path / "a.json")).exit_code == 0


@pytest.mark.slow
def test_a_game_that_tells_without_end_is_told_to_its_stop(tmp_path: Path) -> None:
    game = tmp_path / "endless.rules"
    game.write_text(
        "game endless\n    players 2\ncounter n: 0..9\nphase only\n    repeat until n is 5\n        set n to 1 - n\n"
        "score of player\n    points: n\nwinner highest score, then shared\n",
        encoding="utf-8",
    )
    result = rulesrun(str(game), "--seed", "1")
    assert result.exit_code == 1
    assert "error[R606]" in result.stderr


def test_a_device_is_no_file_for_a_transcript() -> None:
    result = rulesrun(PAIRS, "--seed", "1", "--save", "/dev/null")
    assert result.exit_code == 2
    assert "it is no file" in result.stderr


def test_a_table_that_a_variant_refuses_is_wrong_usage() -> None:
    result = rulesrun(str(MASTI), "--players", "5", "--variant", "partners")
    assert result.exit_code == 2
    assert "error[R402]" in result.stderr
