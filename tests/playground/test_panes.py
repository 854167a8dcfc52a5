"""What stands beside the editor: the game, findings, tests, statistics, stages, the tour; by mouse, by keys, on a phone."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from rulesrun.browser.lessons import lessons

from .visitors import BRIGHT, LAMPS, link

pytestmark = pytest.mark.browser
AXE = os.environ.get("RULESRUN_AXE", "")  # the file axe.min.js of the npm package axe-core
STOPS = """game stops
    players 2

counter points of player: 0..9
marker chosen: player

phase only
    add 1 to points of chosen

score of player
    points: points of player

winner highest score, then shared
"""
PANES = ("Game", "Findings", "Tests", "Statistics", "Machine")


def test_an_edit_shows_what_it_does_to_the_game(visitor: Any) -> None:
    somebody = visitor()
    somebody.go(link({"lamps.rules": LAMPS}))
    game = somebody.pane("Game")
    game.locator(".output").wait_for()
    assert game.locator(".fresh").count() == 0
    somebody.write_behind("power: 1", "5", delete=1)
    game.locator(".told", has_text="changed").wait_for()
    assert 0 < game.locator(".fresh").count() < game.locator(".output > span").count()
    somebody.write_behind("winner highest score", "  # who has most")
    game.locator(".told", has_text="no difference").wait_for()
    somebody.write_behind("players 2..4", "x")
    game.locator(".failed", has_text="error[").wait_for()
    assert game.locator(".output.old").count() == 1


def test_a_table_is_chosen(visitor: Any) -> None:
    somebody = visitor()
    somebody.go(link({"lamps.rules": LAMPS, "bright.rules": BRIGHT}, "bright.rules"))
    game = somebody.pane("Game")
    game.get_by_label("Players").select_option("3")
    game.locator(".output", has_text="3 players, seed 1").wait_for()
    game.get_by_text("Variants and options").click()
    game.get_by_label("Bright").check()
    game.locator(".output", has_text="bright").wait_for()
    game.get_by_role("button", name="Another game").click()
    game.locator(".output", has_text="seed 2").wait_for()


def test_findings_and_tests_lead_to_their_lines(visitor: Any) -> None:
    somebody = visitor()
    somebody.go(link({"lamps.rules": LAMPS, "bright.rules": BRIGHT.replace("power", "powr")}, "bright.rules"))
    findings = somebody.pane("Findings")
    finding = findings.locator(".findings > li")
    finding.wait_for()
    assert finding.get_by_role("link").get_attribute("href") == "../codes/R201.html"
    somebody.page.get_by_role("tab", name="lamps.rules").click()
    findings.locator(".all-well", has_text="Nothing was found").wait_for()
    tests = somebody.pane("Tests")
    tests.get_by_role("button", name="passed: a lamp is lit once only").wait_for()
    somebody.write_behind("power: 1", "5", delete=1)
    tests.get_by_role("button", name="failed: a lamp is lit once only").click()
    somebody.page.locator(".cm-activeLine", has_text="a lamp is lit once only").wait_for()
    tests.get_by_role("button", name=re.compile("lamps.rules:")).first.click()
    somebody.page.locator(".cm-activeLine", has_text="Ann: light").wait_for()


def test_many_games_are_played_and_stopped(visitor: Any) -> None:
    somebody = visitor()
    somebody.go(link({"lamps.rules": LAMPS}))
    pane = somebody.pane("Statistics")
    pane.get_by_role("button", name="Play 1,000 games").click()
    pane.locator(".shares").wait_for()
    assert pane.locator(".share").count() == 2
    assert pane.locator(".histogram").count() == 3
    shares = [float(each.removesuffix(" %")) for each in pane.locator(".share b").all_inner_texts()]
    assert sum(shares) == pytest.approx(100, abs=0.2)
    somebody.write_behind("winner highest", "  # x")
    pane.get_by_text("The rules have changed since these games.").wait_for()

    games = pane.get_by_label("Games")
    games.fill("2000000")
    games.press("Tab")
    somebody.until(lambda: games.input_value() == "100000")
    pane.get_by_label("different bots").check()
    pane.get_by_role("combobox", name="Player 2").select_option("search:300")
    pane.get_by_role("button", name="Play 100,000 games").click()
    pane.get_by_role("button", name="Stop").click()
    pane.get_by_text("It was stopped.").wait_for()
    pane.get_by_role("button", name="Play 100,000 games").wait_for()


def test_what_stops_games_is_told(visitor: Any) -> None:
    somebody = visitor()
    somebody.go(link({"stops.rules": STOPS}))
    pane = somebody.pane("Statistics")
    pane.get_by_role("button", name="Play 1,000 games").click()
    told = pane.locator(".trouble")
    told.wait_for()
    assert re.search(r"games stopped: .*`chosen`.* \(R610; game 0 of seed \d+\)", told.inner_text())


def test_stages_are_shown(visitor: Any) -> None:
    somebody = visitor()
    somebody.go(link({"lamps.rules": LAMPS}))
    pane = somebody.pane("Machine")
    pane.locator(".output", has_text="machine lamps").wait_for()
    pane.get_by_label("WebAssembly").check()
    pane.locator(".output", has_text="(module").wait_for()


def test_games_are_opened_from_the_list_and_by_address(visitor: Any) -> None:
    somebody = visitor()
    somebody.go()
    somebody.page.get_by_role("button", name="Open").click()
    somebody.page.get_by_label("Find a game").fill("hear")
    somebody.page.get_by_role("button", name="Hearts").click()
    somebody.line("game hearts").wait_for()
    somebody.go("game/classics/nim")
    somebody.line("game nim").wait_for()
    somebody.page.get_by_role("button", name="New", exact=True).click()
    somebody.page.get_by_role("button", name="A small game").click()
    somebody.line("game new_game").wait_for()
    somebody.page.get_by_role("button", name="New", exact=True).click()
    somebody.page.get_by_role("button", name="An empty file").click()
    somebody.until(lambda: not somebody.text().strip())
    assert somebody.files() == ["game.rules"]
    somebody.go("game/no_such_game")
    somebody.page.get_by_role("alert").filter(has_text="no such game").wait_for()


def test_a_newcomer_reads_once_what_this_is(visitor: Any) -> None:
    somebody = visitor()
    somebody.go()
    told = somebody.page.get_by_text("rulesrun checks, plays and measures the rules of tabletop games")
    told.wait_for()
    somebody.page.get_by_role("button", name="Close this message").click()
    told.wait_for(state="detached")
    somebody.go()
    somebody.line("game lamps").wait_for()
    assert told.count() == 0


def test_the_tour_is_walked(visitor: Any) -> None:
    somebody = visitor()
    page = somebody.page
    first, second, *_ = lessons()
    somebody.go()
    page.get_by_role("button", name="Tour").click()
    page.get_by_role("heading", name=first.title).wait_for()
    assert page.url.endswith("#tour/1")
    assert "repeat 2 times" in page.locator(".task code").all_inner_texts()
    somebody.write_behind("repeat 2", "3 times", delete=len("2 times"))
    page.locator(".missing").wait_for()
    somebody.write_behind("repeat 3", "5 times", delete=len("3 times"))
    page.locator("div.solved").wait_for()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("heading", name=second.title).wait_for()
    page.get_by_role("button", name="Show solution").click()
    page.get_by_role("button", name="Yes, show it").click()
    page.locator("div.solved").wait_for()
    page.get_by_role("button", name="Start again").click()
    somebody.page.locator(".missing").wait_for()
    somebody.kept()

    somebody.go("tour")
    page.get_by_role("heading", name=second.title).wait_for()
    assert page.locator(".dots .solved").count() == 2
    page.get_by_role("button", name="Back").click()
    somebody.line("repeat 5 times").wait_for()
    page.get_by_role("button", name="Leave the tour").click()
    somebody.line("game lamps").wait_for()
    assert page.locator(".tour").count() == 0
    somebody.go("tour/99")
    page.get_by_role("heading", name=lessons()[-1].title).wait_for()


def test_a_lesson_that_was_left_too_soon_is_solved(visitor: Any) -> None:
    somebody = visitor()
    somebody.go()
    written = "text => localStorage.setItem('rulesrun playground tour', JSON.stringify({at: 1, solved: {}, texts: {1: text}}))"
    somebody.page.evaluate(written, lessons()[0].solution)
    somebody.go("tour/1")
    somebody.page.locator("div.solved").wait_for()


def test_the_page_is_used_by_keys_alone(visitor: Any) -> None:
    somebody = visitor()
    page = somebody.page
    somebody.go(link({"lamps.rules": LAMPS, "bright.rules": BRIGHT}, "lamps.rules"))
    somebody.pane("Game").locator(".output").wait_for()
    page.reload()
    somebody.pane("Game").locator(".output").wait_for()

    def focused(selector: str) -> bool:
        return bool(page.evaluate("selector => document.activeElement.matches(selector)", selector))

    def walk(selector: str, key: str = "Tab") -> None:
        for _ in range(40):
            if focused(".cm-content"):
                page.keyboard.press("Escape")
            page.keyboard.press(key)
            if focused(selector):
                return
        raise AssertionError(f"{selector} is not reached")

    page.evaluate("() => document.activeElement.blur()")
    walk(".files [aria-selected=true]")
    page.keyboard.press("ArrowLeft")
    somebody.line("Bright").wait_for()
    page.keyboard.press("ArrowRight")
    walk(".cm-content")
    page.keyboard.press("Control+Home")
    page.keyboard.type("# mine\n")
    page.keyboard.press("Tab")
    assert focused(".cm-content")  # it indents
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not focused(".cm-content")
    walk(".divider")
    before = page.locator(".rules-half").bounding_box()["width"]
    page.keyboard.press("ArrowRight")
    somebody.until(lambda: page.locator(".rules-half").bounding_box()["width"] > before)
    walk("[aria-controls=results][aria-selected=true]")
    page.keyboard.press("End")
    somebody.page.locator(".pane-machine .output").wait_for()
    walk("[aria-controls=editor]", "Shift+Tab")
    walk(".acts button", "Shift+Tab")
    page.keyboard.press("Enter")  # the tour
    page.locator(".tour").wait_for()
    somebody.page.get_by_role("button", name="Keys").focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")


@pytest.mark.parametrize("code", ["game/classics/cribbage", "tour"])
def test_a_phone_shows_all_without_moving_sideways(code: str, visitor: Any) -> None:
    somebody = visitor(width=360, height=740, has_touch=True, is_mobile=True)
    somebody.go(code)
    page = somebody.page
    page.locator(".output").wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator(".results-half").is_hidden()
    page.get_by_role("button", name="Results").tap()
    assert page.locator(".rules-half").is_hidden()
    for pane in PANES:
        somebody.pane(pane)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.evaluate("[...document.querySelectorAll('.pane')].every(pane => pane.scrollWidth <= pane.clientWidth)")
    page.get_by_role("button", name="Rules").tap()
    for name in ("Open", "Share"):
        page.get_by_role("button", name=name).tap()
        page.get_by_role("dialog").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.get_by_role("button", name="Close").tap()


def test_a_phone_hides_the_lesson_to_write(visitor: Any) -> None:
    somebody = visitor(width=390, height=844, has_touch=True, is_mobile=True)
    somebody.go("tour")
    page = somebody.page
    page.locator(".task").wait_for()
    page.get_by_role("button", name="Hide the lesson").tap()
    page.locator(".lesson").wait_for(state="hidden")
    assert page.locator(".editor-box").bounding_box()["height"] > 844 / 2
    assert page.locator(".task").is_visible()
    page.get_by_role("button", name="Show the lesson").tap()
    page.locator(".lesson").wait_for()


@pytest.mark.skipif(not AXE, reason="RULESRUN_AXE does not name axe.min.js")
@pytest.mark.parametrize("dark", [False, True])
def test_nobody_is_shut_out(dark: bool, visitor: Any) -> None:
    somebody = visitor(dark=dark)
    page = somebody.page
    somebody.go(link({"lamps.rules": LAMPS.replace("move lamp to lit", "move lamp to litt"), "bright.rules": BRIGHT}))
    source = Path(AXE).read_text(encoding="utf-8")

    def look(what: str) -> None:
        page.wait_for_timeout(500)
        page.evaluate(source)
        found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
        bad = [
            (each["id"], [(node["html"][:150], node["failureSummary"][:300]) for node in each["nodes"][:3]])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert bad == [], what

    somebody.helped()
    somebody.pane("Game").locator(".output").first.wait_for()
    look("Game")
    somebody.pane("Findings").locator(".findings li").first.wait_for()
    look("Findings")
    somebody.line("litt of").click(position={"x": 60, "y": 8})
    page.keyboard.press("F8")
    page.locator(".cm-diagnostic").wait_for()
    look("a finding")
    somebody.write_behind("litt", " of player", delete=len("t of player"))
    somebody.pane("Tests").locator(".tests li").first.wait_for()
    look("Tests")
    pane = somebody.pane("Statistics")
    pane.get_by_role("button", name="Play 1,000 games").click()
    pane.locator(".shares").wait_for()
    look("Statistics")
    somebody.pane("Machine").locator(".output").wait_for()
    look("Machine")
    for name in ("Open", "New", "Download", "Share", "Keys", "Add a file"):
        page.get_by_role("button", name=name, exact=True).click()
        page.get_by_role("dialog").wait_for()
        look(name)
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Tour").click()
    page.locator(".lesson").wait_for()
    look("Tour")
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+f")
    page.locator(".cm-search").wait_for()
    look("search")
