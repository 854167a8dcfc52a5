"""The results of many games in a reader's language: no word of another one is left, and what programs read stays as it is."""

from __future__ import annotations

import json
import re
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ..cli.commands import rulesrun
from .games import BREAKS, GAMES, written
from .test_report import Page

KINGDOMINO, MASTI, KING, NIM = (str(GAMES / f"{name}.rules") for name in ("kingdomino", "masti", "for_the_king", "classics/nim"))
LATIN = re.compile(r"[A-Za-z]{2,}")
AS_IT_IS = re.compile(r"\b(random|casual|rollouts:\d+|wasm|R\d+)\b|[\w/.-]+\.rules")  # bots, engines, codes and files

COMMANDS = {
    "simulate": ["simulate", MASTI, "--players", "4", "--variant", "partners", "--games", "20"],
    "compare": ["compare", KINGDOMINO, "--variant", "harmony", "--games", "20"],
    "sweep": ["compare", NIM, "--sweep", "size_of_D=1..3:2", "--games", "10"],
    "tournament": ["tournament", MASTI, "--bots", "random", "--bots", "casual", "--games", "12"],
}


@cache
def _said(*arguments: str, language: str, code: int = 0) -> str:
    result = rulesrun(*arguments, "--seed", "1", "--language", language)
    assert result.exit_code == code, result.output
    return result.stdout


def _latin(text: str) -> list[str]:
    return LATIN.findall(AS_IT_IS.sub("", text))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_has_no_word_of_another_language(command: str) -> None:
    assert _latin(_said(*COMMANDS[command], language="uk")) == []


def test_names_of_the_game_are_translated() -> None:
    assert "гільдії, середнє" in _said(*COMMANDS["simulate"], language="uk")
    compared = _said(*COMMANDS["compare"], language="uk")
    assert "kingdomino.rules, основна гра\n" in compared
    assert "kingdomino.rules, Гармонія\n" in compared
    assert "землі, середнє, гравець 2" in compared
    assert "«розмір купки D»: 2\n" in _said(*COMMANDS["sweep"], language="uk")
    assert "42ゲーム" in _said("tournament", MASTI, "--bots", "random,casual", "--games", "40", language="ja")


def _report(arguments: list[str], language: str, folder: Path) -> tuple[str, Page]:
    pytest.importorskip("matplotlib")
    path = folder / "report.html"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _said(*arguments, "--report", str(path), language=language)
    text = path.read_text(encoding="utf-8")
    return text, Page(re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL))


def test_a_report_has_no_word_of_another_language(tmp_path: Path) -> None:
    text, page = _report(COMMANDS["simulate"], "uk", tmp_path)
    assert '<html lang="uk">' in text
    assert _latin(page.text) == []
    assert all(_latin(label) == [] for label in re.findall('aria-label="(.*?)"', text))
    assert len(set(page.ids)) == len(page.ids)
    assert "<td>зіграти</td>" in text


def test_plots_have_the_wide_characters_of_their_language(tmp_path: Path) -> None:
    """They are drawn with stand-ins, of which none is left."""
    text, page = _report(["simulate", KING, "--games", "5"], "ja", tmp_path)
    labels = re.findall("<text[^>]*>([^<]*)</text>", text)
    assert {"ゲームの割合（%）", "プレイヤー 2", "役職", "1番目"} <= set(labels)
    assert not re.search("[\u4dc0-\u4dff\U0001d300-\U0001d35f]", text)
    assert len(set(page.ids)) == len(page.ids)


def test_games_that_stop(tmp_path: Path) -> None:
    told = _said("simulate", str(written(BREAKS, tmp_path)), "--games", "50", language="uk", code=1)
    assert re.search(r"\nЗупинено партій: \d+ із 50\n  R\d+: \d+, наприклад: rulesrun run ", told)


@pytest.mark.parametrize("form", ["json", "csv"])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_programs_read_is_the_same_in_every_language(command: str, form: str) -> None:
    english, other = (_said(*COMMANDS[command], "--format", form, language=language) for language in ("en", "uk"))
    assert (_lasting(english) == _lasting(other)) if form == "json" else english == other


def _lasting(text: str) -> dict[str, Any]:
    """What does not depend on the clock."""
    return {name: value for name, value in json.loads(text).items() if name not in ("seconds", "games_per_s")}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_language_that_there_is_not(command: str) -> None:
    result = rulesrun(*COMMANDS[command], "--language", "xx")
    assert result.exit_code == 2
    assert re.search("cannot be shown in the language `xx`: there are en, ja, (ru, )?uk\n", result.stderr)
    assert result.stdout == ""


def test_translations_that_cannot_be_read_are_told_before_any_game_is_played(tmp_path: Path) -> None:
    rules = written(BREAKS, tmp_path)
    rules.with_suffix(".uk.po").write_text("msgid", encoding="utf-8")
    result = rulesrun("simulate", str(rules), "--games", "1000000000", "--language", "uk")
    assert result.exit_code != 0
    assert ".uk.po" in result.stderr
