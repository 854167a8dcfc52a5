"""The overview of options and variants."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from attrs import evolve
from rulesrun.interpreter.overview.variants import as_json, left_out, overview, page, with_tables
from rulesrun.interpreter.play.page import plain
from rulesrun.interpreter.rules import read_rules

from ..cli.commands import rulesrun
from ..goldens import check_golden
from ..reports.schemas import faults

HERE = Path(__file__).parent
RULES = HERE.parent / "extending" / "rules"


def test_options_and_variants_of_a_file_and_of_what_it_extends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RULES)
    result = rulesrun("variants", "house.rules")
    assert result.exit_code == 0
    check_golden(HERE / "house.variants", result.stdout)


def test_as_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RULES)
    data = json.loads(rulesrun("variants", "house.rules", "--format", "json").stdout)
    assert data["players"] == [2, 3, 4]
    assert data["options"][0] == {
        "name": "target",
        "domain": "3..9",
        "default": "5",
        "comment": "coins that end the game",
        "path": "market.rules",
        "line": 5,
        "set_by": [{"variant": "dear_goods", "text": "sets target to 7", "path": "market.rules", "line": 51}],
    }
    assert [variant["name"] for variant in data["variants"]] == ["dear_goods", "fair", "crowd", "house"]
    assert data["variants"][0]["texts"] == {"": "Dear goods", "uk": "Дорогі товари"}
    assert data["variants"][1]["excludes"] == [{"text": "excludes dear_goods", "path": "below/fair.rules", "line": 6}]
    assert data["variants"][3]["changes"] == [{"text": "sets open_hands to yes", "path": "house.rules", "line": 4}]


EVERY_EDIT = """
variant edits "Every edit"
    needs players is 2 or players is 4
    replace winner
        thrift: most coins
        shared
    replace table start by players
        players | first_coins
        2       | 3
        3       | 3
        4       | 3
    replace define dear of good: worth of good at least 2
    replace setup
        nothing
    add before buying: nothing
    add after buying
        for each player: take 0 from coins of player
        nothing
    whenever a good with worth 1 enters hand of player
        add 1 to coins of player
    option tax: 0..3, default 1    # what is taken
    remove coins from score
    remove goods from score
    add to score
        few: 1 if coins of player < 2
        goods: 2 * total worth of hand of player
        sorts: majority
            among: players
            by: most hand, then shared
            prizes: 2
variant never
    needs players is 9
"""


def test_each_kind_of_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "market.rules").write_text((RULES / "market.rules").read_text(encoding="utf-8") + EVERY_EDIT, encoding="utf-8")
    shutil.copytree(RULES / "data", tmp_path / "data")
    result = rulesrun("variants", "market.rules")
    assert (result.exit_code, result.stderr) == (0, "")
    check_golden(HERE / "every.variants", result.stdout)


def test_a_game_without_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = "game plain\n    players 2\nphase only\n    nothing\nscore of player\n    points: 0\n"
    (tmp_path / "plain.rules").write_text(f"{lines}winner highest score, then shared\n", encoding="utf-8")
    result = rulesrun("variants", "plain.rules")
    assert (result.exit_code, result.stdout) == (0, "plain, 2 players\nplain.rules has no options and no variants\n")
    data = json.loads(rulesrun("variants", "plain.rules", "--format", "json").stdout)
    assert (data["options"], data["variants"]) == ([], [])


def test_rules_with_faults(tmp_path: Path) -> None:
    path = tmp_path / "faulty.rules"
    path.write_text("game faulty\n    plyers 2\n", encoding="utf-8")
    result = rulesrun("variants", str(path))
    assert result.exit_code == 1
    assert "did you mean `players`" in result.stderr
    assert rulesrun("variants", str(tmp_path / "nowhere.rules")).exit_code == 2


@pytest.mark.slow
def test_what_check_refuses_is_said() -> None:
    file = str(HERE.parent.parent / "games" / "refused" / "for_the_king_japanese.rules")
    assert "    with 2 players\n    3 to 5 players: refused by check, R405\n" in rulesrun("variants", file).stdout
    (variant,) = json.loads(rulesrun("variants", file, "--format", "json").stdout)["variants"]
    assert (variant["players"], variant["refused"]) == ([2], [{"code": "R405", "players": [3, 4, 5]}])


@pytest.mark.slow
def test_a_variant_that_needs_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (RULES / "market.rules").read_text(encoding="utf-8")
    text += "variant dearer\n    needs dear_goods\n    needs players > 2\n"
    (tmp_path / "market.rules").write_text(text, encoding="utf-8")
    shutil.copytree(RULES / "data", tmp_path / "data")
    variant = json.loads(rulesrun("variants", "market.rules", "--format", "json").stdout)["variants"][-1]
    assert [said["text"] for said in variant["needs"]] == ["needs dear_goods", "needs players > 2"]
    assert (variant["players"], variant["refused"]) == ([3, 4], [])


def test_without_time_for_tables_everything_else_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RULES)
    rules = read_rules("house.rules")
    without = with_tables(overview(rules), rules.required(), 0)
    whole = with_tables(without, rules.required(), None)
    assert "    with how many players: not looked at\n" in plain(page(without))
    counts = re.compile("^    with .*players.*\n", re.MULTILINE)
    assert counts.sub("", plain(page(without))) == counts.sub("", plain(page(whole)))
    data = as_json(without)
    assert faults("variants", data) == []
    assert [variant["players"] for variant in data["variants"]] == [None] * 4
    assert data == as_json(whole) | {"variants": [v | {"players": None, "refused": None} for v in as_json(whole)["variants"]]}


def test_variants_whose_tables_were_not_looked_at_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RULES)
    rules = read_rules("house.rules")
    without = overview(rules)
    whole = with_tables(without, rules.required(), None)
    said = "looking at each variant was still going after 20 seconds: with how many players {} can be played was not looked at"
    names = "`dear_goods`, `fair`, `crowd` and 1 more"
    assert [d.message for d in left_out(without, 20)] == [said.format(names)]
    half = evolve(whole, variants=(*whole.variants[:2], *without.variants[2:]))
    assert [d.message for d in left_out(half, 20)] == [said.format("`crowd`, `house`")]
    assert left_out(whole, 20) == []
