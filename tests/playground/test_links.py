"""Links that hold rules: those that the page makes, those that others make, and those that are made to do harm."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .visitors import BRIGHT, LAMPS, Visitor, link, packed, unpacked
from .writing import write

pytestmark = pytest.mark.browser
FILES = {"lamps.rules": LAMPS, "bright.rules": BRIGHT, "names.csv": "name,power\n«Ж»,1\n"}


def test_a_link_opens_its_files(visitor: Any) -> None:
    somebody = visitor()
    somebody.go(link(FILES, "bright.rules"))
    somebody.line("Bright").wait_for()
    assert somebody.files() == ["bright.rules", "lamps.rules", "names.csv"]
    somebody.page.get_by_role("tab", name="names.csv").click()
    assert "«Ж»" in somebody.text()


def test_the_page_makes_links(visitor: Any) -> None:
    somebody = visitor()
    somebody.go(link(FILES, "lamps.rules"))
    somebody.write_behind("power: 1", "12", delete=1)
    somebody.page.get_by_role("button", name="Share").click()
    field = somebody.page.get_by_label("Link")
    somebody.page.locator(".bar", has_text="characters").wait_for()
    made = field.input_value()
    assert made == somebody.page.url
    code = made.partition("#")[2]
    assert set(code) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    assert unpacked(code) == {"files": {**FILES, "lamps.rules": LAMPS.replace("1..9", "1..12")}, "open": "lamps.rules"}


BAD = (
    ("%3Cscript%3E", "cannot be in a link"),
    ("!!!", "cannot be in a link"),
    ("A", "cut off"),
    ("abcde", "cut off"),
    (link(FILES)[:-30], "cut off"),
    (packed("no JSON"), "no rules"),
    (packed(b"\xff\xfe\xff"), "no rules"),
    (packed("[]"), "something other"),
    (packed("null"), "something other"),
    (packed('{"files": ["a"]}'), "something other"),
    (packed('{"files": {}}'), "no file"),
    (packed('{"files": {"a.rules": 1}}'), "not text"),
    (link({"../a.rules": LAMPS}), "not allowed"),
    (link({"a\\b.rules": LAMPS}), "not allowed"),
    (link({"a\n.rules": LAMPS}), "not allowed"),
    (link({"a\u202e.rules": LAMPS}), "not allowed"),
    (link({"<img src=x onerror=alert(1)>.rules": LAMPS}), "not allowed"),
    (link({"a.html": LAMPS}), "not allowed"),
    (link({".rules": LAMPS}), "not allowed"),
    (link({"__proto__": LAMPS}), "not allowed"),
    (link({"a" * 100 + ".rules": LAMPS}), "not allowed"),
    (link({"a.csv": "a,b"}), "no rules"),
    (link({f"{n}.rules": LAMPS for n in range(51)}), "more than 50 files"),
    (packed('{"files": {"a.rules": "' + " " * 30_000_000 + '"}}'), "1,000,000 bytes"),
)


def test_a_bad_link_ends_in_a_message(visitor: Any) -> None:
    somebody = visitor()
    for code, message in BAD:
        somebody.go(code)
        told = somebody.page.get_by_role("alert")
        told.wait_for()
        assert message in told.inner_text()
        assert somebody.files() == ["lamps.rules"]
        assert "game lamps" in somebody.text()
        assert somebody.page.url == somebody.address
        somebody.page.get_by_label("Close this message").click()
        assert told.count() == 0


def test_what_a_link_says_becomes_no_html(visitor: Any) -> None:
    evil = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"
    somebody = visitor()
    quoted = evil.replace('"', "'")
    rules = LAMPS.replace("    players", f'    title en "{quoted}"\n    players', 1).replace("it is lit already", quoted)
    somebody.go(link({"'&lt;b&gt;.rules": rules}))
    somebody.line("title en").wait_for()
    somebody.page.locator(".output").wait_for()
    for pane in ("Findings", "Tests", "Statistics", "Machine"):
        somebody.pane(pane)
    somebody.page.get_by_role("tab", name="Tests").click()
    somebody.page.locator(".tests li").wait_for()
    assert somebody.page.title() != "taken"
    assert somebody.page.locator("img[src=x]").count() == 0
    assert somebody.errors == []
    sanitised = "html => import('/playground/web/playground/markdown.js').then(found => found.sanitised(html))"
    for html, safe in (
        (evil, ""),
        ("<p onclick=a()>x<b style='color: red'>y</b></p>", "<p>x<b>y</b></p>"),
        ("<svg><a href=javascript:a()>x</a></svg><form action=/>y</form>", "y"),
        ('<a href="javascript:a()">x</a>', "<a>x</a>"),
        ("<iframe srcdoc='<script>a()</script>'></iframe><style>*{}</style>z", "z"),
    ):
        assert somebody.page.evaluate(sanitised, html) == safe
    assert all("has been blocked" in error for error in somebody.errors)  # the policy speaks when such text is parsed
    somebody.errors.clear()


def test_a_link_never_takes_the_place_of_what_was_written(visitor: Any) -> None:
    somebody = visitor()
    somebody.go()
    somebody.write_behind("game lamps", "\n    # mine")
    somebody.kept()
    somebody.go(link({"theirs.rules": LAMPS.replace("game lamps", "game theirs")}))
    somebody.page.get_by_text("These rules come from a link").wait_for()
    assert "mine" not in somebody.text()
    somebody.page.get_by_role("button", name="Back to my rules").click()
    somebody.line("# mine").wait_for()
    assert somebody.page.url == somebody.address


def test_a_changed_copy_of_a_link_is_kept_beside_other_work(visitor: Any) -> None:
    somebody = visitor()
    somebody.go()
    somebody.write_behind("game lamps", "\n    # mine")
    somebody.kept()
    somebody.go(link({"theirs.rules": LAMPS.replace("game lamps", "game theirs")}))
    somebody.write_behind("game theirs", "\n    # changed")
    somebody.kept()
    assert somebody.page.url == somebody.address
    somebody.go()
    assert "# changed" in somebody.text()
    somebody.page.get_by_role("button", name="Open").click()
    somebody.page.locator("dialog .choices button", has_text="Lamps").first.click()
    somebody.line("# mine").wait_for()


def test_a_reload_loses_nothing(visitor: Any) -> None:
    somebody = visitor()
    somebody.go(link(FILES, "lamps.rules"))
    somebody.write_behind("power: 1", "7", delete=1)
    somebody.kept()
    somebody.page.get_by_role("tab", name="names.csv").click()
    somebody.page.reload()
    somebody.line("«Ж»").wait_for()
    assert somebody.files() == ["bright.rules", "lamps.rules", "names.csv"]
    somebody.page.get_by_role("tab", name="lamps.rules").click()
    assert "power: 1..7" in somebody.text()


def test_what_is_kept_may_be_damaged(visitor: Any) -> None:
    somebody: Visitor = visitor()
    somebody.go()
    for kept in ("{", "[1, null]", json.dumps([{"files": {"/": "x"}, "id": 1}])):
        somebody.page.evaluate("text => localStorage.setItem('rulesrun playground works', text)", kept)
        somebody.go()
        assert "game lamps" in somebody.text()


def test_rules_that_are_too_large_for_a_link_are_saved_as_a_pack(visitor: Any) -> None:
    somebody = visitor(permissions=["clipboard-read", "clipboard-write"])
    somebody.go(link({"lamps.rules": LAMPS, "names.csv": "name\n"}))
    somebody.page.locator(".pane-game pre", has_text="Ranking").wait_for()
    somebody.page.get_by_role("tab", name="names.csv").click()
    write(somebody, "name\n" + 50_000 * "жовта, біла\n")
    somebody.page.get_by_role("button", name="Share").click()
    told = somebody.page.get_by_role("dialog").get_by_role("alert")
    told.wait_for()
    assert "too large for a link" in told.inner_text()
    assert somebody.page.get_by_label("Link", exact=True).count() == 0
    with somebody.page.expect_download() as downloading:
        somebody.page.get_by_role("button", name="Save a pack").click()
    assert downloading.value.suggested_filename == "lamps.rulespack"
