"""`--report`: one page that needs nothing else, with all that it promises."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ..cli.commands import rulesrun
from .games import BREAKS, PAIRS, written

pytest.importorskip("matplotlib")

CHOICES = """
game choices
    players 2
counter coins of player: 0..9
phase only
    for each player
        player chooses
            take
                add 1 to coins of player
            beg
                only if coins of player > 5 otherwise "you are rich"
                nothing
        player chooses
            sing
                only if coins of player > 5 otherwise "no"
                nothing
            if impossible: nothing
score of player
    coins: coins of player
    luck:  0
winner highest score, then shared
"""


class Page(HTMLParser):
    """What stands in a page: its tags in order, what it loads, the ids, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.loaded: list[str] = []
        self.ids: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.loaded += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "data", "srcset")]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def reported(rules: Path, *arguments: str, folder: Path, code: int = 0) -> Page:
    path = folder / "report.html"
    result = rulesrun("simulate", str(rules), *arguments, "--seed", "1", "--report", str(path))
    assert result.exit_code == code, result.output
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    page = Page(text)
    assert all(target.startswith("#") for target in page.loaded), page.loaded
    assert not re.search(r"@import|url\((?!#)", text)
    assert "script" not in page.tags
    assert len(set(page.ids)) == len(page.ids)
    return page


@pytest.mark.process
@pytest.mark.parametrize("table", [["--players", "3"], ["--players", "4", "--variant", "together"]])
def test_the_page_needs_nothing_else_and_has_all_plots(table: list[str], tmp_path: Path) -> None:
    page = reported(PAIRS, *table, "--games", "120", folder=tmp_path)
    assert page.tags.count("svg") == 6
    for title in ("Scores by seat", "by turn order", "Length", "Options of a decision", "The score sheet", "What never happened"):
        assert title in page.text
    assert "player 3" in page.text


@pytest.mark.slow
def test_what_never_happened(tmp_path: Path) -> None:
    rules = written(CHOICES, tmp_path)
    page = reported(rules, "--games", "30", folder=tmp_path)
    assert f"never on offer: beg ({rules}:9:13)" in page.text
    assert f"never on offer: sing ({rules}:13:13)" in page.text
    assert "never on offer: take" not in page.text
    assert "always 0 on the score sheet: luck" in page.text
    assert f"60 times: {rules}:12:9" in page.text


@pytest.mark.slow
def test_games_that_stop(tmp_path: Path) -> None:
    page = reported(written(BREAKS, tmp_path), "--games", "50", folder=tmp_path, code=1)
    assert "of 50 games stopped" in page.text
    assert "rulesrun run" in page.text


@pytest.mark.slow
def test_a_run_in_which_every_game_stops(tmp_path: Path) -> None:
    rules = written(BREAKS.replace("0..3", "0..1").replace("add 2", "add 1"), tmp_path)
    page = reported(rules, "--games", "5", folder=tmp_path, code=1)
    assert "5 of 5 games stopped" in page.text
    assert page.tags.count("svg") == 0


@pytest.mark.slow
def test_a_report_goes_on_from_a_checkpoint(tmp_path: Path) -> None:
    checkpoint = str(tmp_path / "run.json")
    whole = reported(PAIRS, "--games", "250", folder=tmp_path)
    first = reported(PAIRS, "--games", "250", "--checkpoint", checkpoint, folder=tmp_path)
    again = reported(PAIRS, "--games", "250", "--checkpoint", checkpoint, folder=tmp_path)
    seconds = re.compile(r"[\d.]+ s\b")
    assert seconds.sub("", whole.text) == seconds.sub("", first.text) == seconds.sub("", again.text)
    arguments = ["simulate", str(PAIRS), "--games", "20", "--checkpoint", str(tmp_path / "other.json")]
    rulesrun(*arguments)
    result = rulesrun(*arguments, "--report", str(tmp_path / "r.html"))
    assert result.exit_code == 2
    assert "nothing was counted for a report" in result.stderr


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/dev/full", "it is no file"),
        ("/nowhere/x.html", "there is no folder `/nowhere`"),
        (str(PAIRS), "is there already and is no report; nothing was written"),
    ],
)
def test_places_where_no_report_can_be_written(path: str, said: str) -> None:
    result = rulesrun("simulate", str(PAIRS), "--games", "5", "--report", path)
    assert result.exit_code == 2
    assert said in result.stderr
