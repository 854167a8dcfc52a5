"""What visitors write is kept, whatever they do with tabs, addresses and files."""

from __future__ import annotations

from typing import Any

import pytest

from .visitors import LAMPS, Visitor, link

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("code", ["%", "%E0%A4%A", "game/%"])
def test_an_address_that_means_nothing_opens_rules(visitor: Any, code: str) -> None:
    somebody: Visitor = visitor()
    somebody.go(code)
    somebody.page.get_by_role("alert").wait_for()
    assert "game lamps" in somebody.text()


def test_a_browser_that_keeps_nothing_can_write(visitor: Any) -> None:
    somebody: Visitor = visitor()
    somebody.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"
    )
    somebody.go()
    somebody.write_behind("game lamps", "\n    # mine")
    somebody.page.get_by_role("alert").get_by_text("no room").wait_for()
    assert "# mine" in somebody.text()


def test_a_tab_in_which_nothing_was_written_changes_nothing(visitor: Any) -> None:
    somebody: Visitor = visitor()
    somebody.go()
    somebody.write_behind("game lamps", "\n    # first")
    somebody.kept()
    other = somebody.context.new_page()
    other.goto(somebody.address)
    other.locator(".cm-line", has_text="# first").wait_for()
    somebody.write_behind("# first", " and second")
    somebody.kept()
    other.reload()
    somebody.write_behind("# first", " and third")
    somebody.kept()
    other.goto("about:blank")
    somebody.go()
    assert "# first and second and third" in somebody.text()


def test_two_tabs_with_the_same_rules_lose_nothing(visitor: Any) -> None:
    somebody: Visitor = visitor()
    somebody.go()
    somebody.write_behind("game lamps", "\n    # first")
    somebody.kept()
    other = somebody.context.new_page()
    other.goto(somebody.address)
    other.locator(".cm-line", has_text="# first").click()
    other.keyboard.press("End")
    other.keyboard.type(" in the other tab")
    somebody.kept()
    somebody.write_behind("# first", " in this tab")
    somebody.page.get_by_text("also changed in another tab").wait_for()
    kept = somebody.page.evaluate("localStorage.getItem('rulesrun playground works')")
    assert "# first in this tab" in kept
    assert "# first in the other tab" in kept


def test_a_shared_address_does_not_bring_an_older_text_back(visitor: Any) -> None:
    somebody: Visitor = visitor()
    somebody.go()
    somebody.write_behind("game lamps", "\n    # shared")
    somebody.kept()
    somebody.page.get_by_role("button", name="Share").click()
    somebody.page.locator(".bar", has_text="characters").wait_for()
    somebody.page.get_by_role("button", name="Close", exact=True).click()
    somebody.write_behind("# shared", " and changed")
    somebody.kept()
    somebody.page.reload()
    somebody.line("# shared and changed").wait_for()


def test_what_was_written_since_a_file_was_deleted_stays_when_it_comes_back(visitor: Any) -> None:
    somebody: Visitor = visitor()
    somebody.go(link({"lamps.rules": LAMPS, "names.csv": "name,power\nx,1\n"}, "names.csv"))
    somebody.line("x,1").wait_for()
    somebody.page.get_by_label("Delete names.csv").click()
    somebody.write_behind("game lamps", "\n    # since")
    somebody.page.get_by_role("button", name="Undo").click()
    somebody.line("x,1").wait_for()
    somebody.page.get_by_role("tab", name="lamps.rules").click()
    assert "# since" in somebody.text()


def test_a_name_with_signs_of_replacements_is_taken_as_it_is(visitor: Any) -> None:
    somebody: Visitor = visitor()
    somebody.go(link({"lamps.rules": LAMPS, "more.rules": 'extends "lamps.rules"\n'}, "lamps.rules"))
    somebody.page.get_by_label("Rename lamps.rules").click()
    somebody.page.get_by_role("textbox", name="Name").fill("a$'$&.rules")
    somebody.page.get_by_role("button", name="OK", exact=True).click()
    somebody.page.get_by_role("tab", name="more.rules").click()
    assert """extends "a$'$&.rules\"""" in somebody.text()
