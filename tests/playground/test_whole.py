"""The playground from one end to the other, with its compiler in workers: the tour, a table, many games, sharing, bad rules."""

from __future__ import annotations

import re
from typing import Any

import pytest
from rulesrun.browser.lessons import lessons

from .visitors import LAMPS, Visitor, link
from .writing import write

pytestmark = pytest.mark.browser

ENDLESS = LAMPS.replace("        player chooses\n", "        repeat until 1 is 2: nothing\n        player chooses\n")
LONG = """\
game slow
    players 2

counter steps: 0..1

phase walk
    repeat 999999999 times
        set steps to 1 - steps

score of player
    points: steps
winner highest score, then shared
"""


def test_lessons_are_solved(visitor: Any) -> None:
    """Some of them: each is solved without a page in `browser/test_lessons`."""
    somebody: Visitor = visitor(permissions=["clipboard-read", "clipboard-write"])
    some = lessons()[::4]
    for lesson in some:
        somebody.go(f"tour/{lesson.number}")
        somebody.page.get_by_role("heading", name=re.compile(re.escape(lesson.title))).wait_for()
        assert somebody.page.locator(".tour .solved:not(a)").count() == 0
        write(somebody, lesson.solution)
        somebody.page.locator(".tour div.solved").wait_for()
    assert somebody.page.locator(".dots a.solved").count() == len(some)


def test_a_game_is_played_at_the_table_of_the_playground(visitor: Any) -> None:
    somebody: Visitor = visitor()
    somebody.go(link({"lamps.rules": LAMPS}))
    somebody.pane("Table")
    table = somebody.page.frame_locator("iframe")
    table.get_by_role("button", name="Play", exact=True).click()
    table.locator('.at-table[data-turn="mine"]').wait_for()
    table.locator("button.card-thing.can").first.click(force=True)
    table.locator('.at-table[data-over="yes"]').wait_for()
    assert "The game is over" in table.get_by_role("status").first.inner_text()


def test_a_table_goes_on_when_its_machine_was_stopped(visitor: Any) -> None:
    somebody: Visitor = visitor()
    somebody.go(link({"lamps.rules": LAMPS}))
    pane = somebody.pane("Table")
    table = somebody.page.frame_locator("iframe")
    table.get_by_role("button", name="Play", exact=True).click()
    table.locator('.at-table[data-turn="mine"]').wait_for()
    somebody.page.evaluate("() => { const { machine } = rulesrun; machine.ask('run', {}).catch(() => {}); machine.cancel(); }")
    pane.get_by_text("The table goes on where it was").wait_for()
    somebody.until(lambda: "Your turn" in table.locator("body").inner_text())
    table.locator("button.card-thing.can").first.click(force=True)
    table.locator('.at-table[data-over="yes"]').wait_for()


def test_ten_thousand_games_are_simulated_while_the_game_stays(visitor: Any) -> None:
    somebody: Visitor = visitor()
    somebody.go(link({"lamps.rules": LAMPS}))
    pane = somebody.pane("Statistics")
    pane.get_by_label("Games").fill("10000")
    pane.get_by_label("Games").press("Tab")
    pane.get_by_role("button", name="Play 10,000 games").click()
    pane.get_by_text("10,000 games").first.wait_for()
    pane.locator("svg").first.wait_for()


def test_a_link_is_opened_in_another_browser(visitor: Any) -> None:
    somebody: Visitor = visitor()
    somebody.go(link({"lamps.rules": LAMPS}))
    somebody.page.get_by_role("button", name="Share").click()
    address = somebody.page.get_by_label("Link", exact=True).input_value()
    other: Visitor = visitor()
    assert other.context != somebody.context
    other.go(address.partition("#")[2])
    other.page.locator(".pane-game pre", has_text="Ranking").wait_for()
    assert "light a lamp from every lamp" in other.text()


def test_a_broken_rule_is_explained_and_mended_again(visitor: Any) -> None:
    """Also where nothing can be read any more, and every pane has asked about it."""
    somebody: Visitor = visitor()
    somebody.go(link({"lamps.rules": LAMPS}))
    somebody.page.locator(".pane-game pre", has_text="Ranking").wait_for()
    somebody.write_behind("power: 1..9", "", delete=1)
    somebody.page.locator(".pane-game .failed", has_text="error[R").wait_for()
    somebody.page.wait_for_timeout(2000)
    somebody.write_behind("power: 1..", "7")
    somebody.page.locator(".pane-game pre:not(.failed)", has_text="Ranking").wait_for()
    somebody.page.locator(".pane-game .failed").wait_for(state="detached")


@pytest.mark.parametrize("rules", [ENDLESS, LONG], ids=["endless", "long"])
def test_rules_that_do_not_end_are_stopped_and_the_editor_lives(visitor: Any, rules: str) -> None:
    somebody: Visitor = visitor()
    somebody.go(link({"lamps.rules": rules}))
    told = somebody.page.locator(".pane-game").get_by_text(re.compile("stopped|still going")).first
    told.wait_for(timeout=120_000)
    somebody.write_behind("players 2", "", delete=0)
    somebody.page.keyboard.type("  # still alive")
    assert "still alive" in somebody.text()


def test_it_works_without_a_network_after_the_first_time(visitor: Any) -> None:
    somebody: Visitor = visitor()
    somebody.go(link({"lamps.rules": LAMPS}))
    somebody.page.locator(".pane-game pre", has_text="Ranking").wait_for()
    somebody.page.evaluate("navigator.serviceWorker.ready")
    somebody.page.wait_for_timeout(3000)
    somebody.context.set_offline(True)
    try:
        somebody.go()
        somebody.page.locator(".pane-game pre", has_text="Ranking").wait_for()
    finally:
        somebody.context.set_offline(False)
