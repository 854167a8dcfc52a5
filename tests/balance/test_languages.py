"""Balance is told in the language of who reads it: no English word but names of bots and commands; data stay as they are."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from ..cli.commands import rulesrun
from .test_sweeping import LEAD

GAMES = Path(__file__).parents[2] / "games"
KINGDOMINO, NIM = str(GAMES / "kingdomino.rules"), str(GAMES / "classics" / "nim.rules")
NAMES = re.compile(
    r"random|casual|search|wasm|Cameron Browne"  # bots, engines, whose measures these are
    r"|--(?:format|report) \w+(?:\.html)?|FILE\.html|json|--report"
)
STATISTICS = re.compile(r"\b(?:decisions_mean|length_median|ties_share|first_seat_win_share)\b|\b(?:gift|lead)\b")


def english(text: str) -> list[str]:
    """The English words of a page that nobody needs to type."""
    text = re.sub(r"(?s)<style>.*?</style>|<code>.*?</code>|<i>.*?</i>|`[^`]*`", "", text)
    text = unescape(re.sub(r"<[^>]*>", " ", text))
    return re.findall(r"[A-Za-z]{2,}", STATISTICS.sub("", NAMES.sub("", text)))


TABLES = ["--players", "2", "--seed", "1"]


@pytest.mark.slow
def test_a_balance_report_in_ukrainian(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    asked = ["analyse", KINGDOMINO, *TABLES, "--bots", "search:2", "--games", "2", "--language", "uk", "--report", str(page)]
    told = rulesrun(*asked, "--variant", "harmony", "--against", "plain")
    assert told.exit_code == 0, told.output
    assert "Гармонія" in told.output
    assert english(told.stdout) == []
    text = page.read_text(encoding="utf-8")
    assert '<html lang="uk">' in text
    head, differing = text.split('<h2 id="rules">')  # the rules that differ are shown as they are written
    assert english(head) == []
    assert english(differing.split("</pre>", 1)[1]) == []
    assert "гравець 1" in text


@pytest.fixture
def lead(tmp_path: Path) -> str:
    path = tmp_path / "lead.rules"
    path.write_text(LEAD, encoding="utf-8")
    return str(path)


def test_other_languages_have_the_same_numbers(lead: str) -> None:
    asked = ["analyse", lead, "--seed", "1", "--bots", "random", "--games", "4", "--format", "json"]
    there = [json.loads(rulesrun(*asked, "--language", language).stdout) for language in ("en", "uk")]
    for each in there:
        each["seconds"] = 0
    assert there[0] == there[1]


@pytest.mark.parametrize("language", ["uk", "ja"])
def test_a_sweep_in_another_language(language: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    asked = ["sweep", KINGDOMINO, "--players", "2", "--variants", "plain", "--games", "120", "--seed", "1"]
    told = rulesrun(*asked, "--language", language, "--report", str(page))
    assert told.exit_code == 0, told.output
    names = {"Kingdomino"} if language == "ja" else set()  # nobody has given it a Japanese title
    assert set(english(told.stdout)) == names
    assert set(english(page.read_text(encoding="utf-8"))) == names


def test_what_stands_out_is_told_with_names_of_the_game() -> None:
    told = rulesrun("sweep", KINGDOMINO, "--players", "2..3", "--games", "200", "--seed", "1", "--language", "uk")
    assert "- Династія: рішень за партію — більше (від" in told.stdout
    assert "за 3 столами не можна грати" not in told.stdout
    assert "за 1 столом не можна грати" in told.stdout


def test_numbers_are_searched_for_in_another_language(lead: str, tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    page = tmp_path / "page.html"
    asked = ["tune", lead, "--vary", "gift=0..6:3", "--goal", "ties_share <= 0", "--games", "20", "--trials", "4", "--seed", "1"]
    told = rulesrun(*asked, "--language", "uk", "--report", str(page))
    assert told.exit_code == 0, told.output
    assert english(told.stdout) == english(page.read_text(encoding="utf-8")) == []


def test_what_has_moved_is_told_in_another_language(tmp_path: Path) -> None:
    stored = tmp_path / "balance.json"
    assert rulesrun("baseline", NIM, "--games", "20", "--out", str(stored)).exit_code == 0
    told = rulesrun("baseline", NIM, "--compare", str(stored), "--language", "uk_UA")
    assert told.stdout.startswith("Нім\n")
    assert "Усі партії пройшли так само, як раніше" in told.stdout


@pytest.mark.parametrize("command", ["analyse", "sweep", "baseline"])
def test_a_language_that_nobody_speaks_is_refused(command: str, tmp_path: Path) -> None:
    more = ["--out", str(tmp_path / "balance.json")] if command == "baseline" else []
    told = rulesrun(command, KINGDOMINO, "--games", "1", "--language", "xx", *more)
    assert told.exit_code == 2
    assert "cannot be shown in the language `xx`: there are en, ja, uk" in told.stderr
