"""The editor: colours, findings, help for writing, and files beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rulesrun.interpreter.packing.pack import Pack, opened

from .visitors import BRIGHT, LAMPS, Visitor, link

pytestmark = pytest.mark.browser
FILES = {"lamps.rules": LAMPS, "bright.rules": BRIGHT}


@pytest.fixture
def somebody(visitor: Any) -> Visitor:
    found: Visitor = visitor()
    found.go(link(FILES, "lamps.rules"))
    return found


def select(somebody: Visitor, line: str, word: str) -> None:
    """Put the cursor onto a word of a line."""
    where = somebody.page.evaluate(
        """([line, word]) => {
            const element = [...document.querySelectorAll('.cm-line')].find(one => one.innerText.includes(line));
            const at = element.innerText.indexOf(word);
            const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            for (let node = walk.nextNode(), passed = 0; node; passed += node.data.length, node = walk.nextNode()) {
                if (passed + node.data.length <= at) continue;
                const range = document.createRange();
                range.setStart(node, at - passed);
                range.setEnd(node, at - passed + 1);
                const box = range.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }
        }""",
        [line, word],
    )
    somebody.page.mouse.click(*where)
    somebody.page.mouse.move(*where)


def test_colours_come_at_once_and_then_by_meaning(somebody: Visitor) -> None:
    keyword = somebody.line("zone lit").locator(".r-keyword").first
    assert keyword.inner_text() == "zone"
    somebody.line("zone lit").locator(".r-class", has_text="lamp").wait_for()
    assert somebody.line("zone lit").locator(".r-variable.r-declared").inner_text() == "lit"


def test_a_mistake_is_underlined_explained_and_mended(somebody: Visitor) -> None:
    somebody.write_behind("move lamp to lit", "t of player", delete=len(" of player"))
    mistake = somebody.page.locator(".cm-lintRange-error")
    mistake.first.wait_for()
    assert mistake.first.inner_text() == "litt"
    badge = somebody.page.locator(".files [data-tab='lamps.rules'] .badge")
    badge.wait_for()
    somebody.page.wait_for_timeout(2000)  # until the repairs are known, too
    somebody.page.keyboard.press("F8")
    told = somebody.page.locator(".cm-diagnostic")
    told.wait_for()
    assert "litt" in told.inner_text()
    assert told.get_by_role("link").get_attribute("href") == "../codes/R201.html"
    told.locator(".cm-diagnosticAction").first.click()
    mistake.first.wait_for(state="detached")
    assert "move lamp to lit of player" in somebody.text()
    badge.wait_for(state="detached")


def test_words_are_explained_and_completed(somebody: Visitor) -> None:
    somebody.helped()
    select(somebody, "light: total", "power")
    somebody.page.mouse.move(10, 10)
    select(somebody, "light: total", "power")
    told = somebody.page.locator(".cm-lsp-hover-tooltip")
    told.wait_for()
    assert "power" in told.inner_text()
    somebody.write_behind("light: total power of lit of player", "\n")
    somebody.page.keyboard.type("bonus: cou")
    listed = somebody.page.locator(".cm-tooltip-autocomplete li", has_text="count of")
    listed.first.wait_for()
    somebody.page.wait_for_timeout(200)  # a list that has just appeared takes no key
    somebody.page.keyboard.press("Enter")
    somebody.line("bonus: count of").wait_for()


def test_a_new_line_stands_where_it_belongs(somebody: Visitor) -> None:
    somebody.helped()
    somebody.write_behind("for each player", "\n")
    somebody.page.wait_for_timeout(1500)
    somebody.page.keyboard.type("repeat 2 times")
    somebody.page.keyboard.press("Escape")
    assert "\n        repeat 2 times" in somebody.text()


def test_who_types_fast_writes_blocks(somebody: Visitor) -> None:
    somebody.helped()
    select(somebody, "game lamps", "game")
    keys = somebody.page.keyboard
    keys.press("Control+End")
    keys.type("\n", delay=20)
    keys.press("Shift+Tab")
    keys.type('variant dim "Dim"\nreplace define lit_power of player\n0\n', delay=20)
    keys.press("Shift+Tab")
    keys.press("Shift+Tab")
    keys.type("phase late\nfor each player", delay=120)
    somebody.page.wait_for_timeout(1500)  # and a list of completions has time to come
    keys.type("\nrepeat 2 times", delay=20)
    assert '\nvariant dim "Dim"\n    replace define lit_power of player\n        0\n' in somebody.text()
    assert "\nphase late\n    for each player\n        repeat 2 times" in somebody.text()


def test_names_are_followed_and_renamed_through_files(somebody: Visitor) -> None:
    somebody.helped()
    somebody.page.get_by_role("tab", name="bright.rules").click()
    select(somebody, "2 * total", "power")
    somebody.page.keyboard.press("F12")
    somebody.page.locator("[data-tab='lamps.rules'][aria-selected=true]").wait_for()
    somebody.page.locator(".cm-activeLine", has_text="power: 1").wait_for()
    somebody.page.keyboard.press("F2")
    field = somebody.page.locator(".cm-lsp-rename-panel input, .cm-dialog input").first
    field.fill("shine")
    field.press("Enter")
    somebody.line("shine: 1").wait_for()
    assert "total shine of lit" in somebody.text()
    somebody.page.get_by_role("tab", name="bright.rules").click()
    somebody.line("2 * total shine").wait_for()


def test_rules_are_formatted(somebody: Visitor) -> None:
    somebody.helped()
    somebody.write_behind("power: 1", "1..9   # none", delete=4)
    somebody.page.keyboard.press("Control+s")
    somebody.until(lambda: "1..9   # none" not in somebody.text())
    somebody.write_behind("players 2", " # some")
    somebody.page.get_by_role("button", name="Format").click()
    somebody.until(lambda: "2..4  " in somebody.text())


def test_who_writes_on_while_rules_are_formatted_loses_nothing(somebody: Visitor) -> None:
    somebody.helped()
    somebody.write_behind("power: 1", "1..9 # none", delete=4)
    for word in ("one", "two", "three"):
        somebody.page.keyboard.press("Control+s")
        somebody.write_behind("players 2", f" # {word}" if word == "one" else f" {word}")  # before the answer is there
    somebody.until(lambda: "2..4  " in somebody.text())
    written = LAMPS.replace("1..9", "1..9 # none").replace("2..4", "2..4 # one two three")
    assert somebody.text().split() == written.split()


def test_lines_are_folded_and_found(somebody: Visitor) -> None:
    somebody.line("phase evening").click(position={"x": 60, "y": 8})
    somebody.page.keyboard.press("Control+Shift+BracketLeft")
    somebody.page.locator(".cm-foldPlaceholder").wait_for()
    assert "player chooses" not in somebody.text()
    somebody.page.keyboard.press("Control+Shift+BracketRight")
    somebody.line("player chooses").wait_for()
    somebody.page.keyboard.press("Control+f")
    somebody.page.locator(".cm-search input[name=search]").press_sequentially("lit")
    somebody.page.locator(".cm-searchMatch").first.wait_for()
    somebody.page.keyboard.press("Escape")
    somebody.page.locator(".cm-search").wait_for(state="detached")


def test_files_are_added_renamed_and_deleted(somebody: Visitor) -> None:
    page = somebody.page
    page.get_by_role("button", name="Add a file").click()
    name = page.get_by_role("textbox", name="Name")
    for wrong, why in (("lamps.rules", "There is a file"), ("a/b.rules", "one folder"), ("notes.txt", "ends in")):
        name.fill(wrong)
        assert why in page.locator("#name-trouble").inner_text()
        assert page.get_by_role("button", name="OK", exact=True).is_disabled()
    name.fill("names.csv")
    name.press("Enter")
    page.locator("[data-tab='names.csv'][aria-selected=true]").wait_for()
    assert "name,value" in somebody.text()

    page.get_by_role("tab", name="lamps.rules").dblclick()
    name.fill("lights.rules")
    name.press("Enter")
    page.locator("[data-tab='lights.rules'][aria-selected=true]").wait_for()
    page.get_by_role("tab", name="bright.rules").click()
    somebody.line('extends "lights.rules"').wait_for()

    page.get_by_role("button", name="Delete bright.rules").click()
    page.get_by_role("status").filter(has_text="was deleted").wait_for()
    assert somebody.files() == ["lights.rules", "names.csv"]
    page.get_by_role("button", name="Undo").click()
    page.locator("[data-tab='bright.rules']").wait_for()
    page.get_by_role("tab", name="bright.rules").click()
    assert "Bright" in somebody.text()

    page.get_by_role("button", name="Download").click()
    with page.expect_download() as downloading:
        page.get_by_role("dialog").get_by_role("button", name="bright.rules").click()
    assert downloading.value.suggested_filename == "bright.rules"
    somebody.kept()
    somebody.go()
    assert somebody.files() == ["bright.rules", "lights.rules", "names.csv"]


def test_a_file_is_opened(somebody: Visitor) -> None:
    somebody.page.get_by_role("button", name="Open").click()
    text = LAMPS.replace("game lamps", "game lanterns").encode()
    file = {"name": "lanterns.rules", "mimeType": "text/plain", "buffer": text}
    somebody.page.locator("input[type=file]").set_input_files(file)
    somebody.line("game lanterns").wait_for()
    assert somebody.files() == ["lanterns.rules"]


def test_another_game_whose_file_has_the_same_name_is_opened(somebody: Visitor) -> None:
    mistaken = LAMPS.replace("move lamp to lit of player", "move lamp to litt")
    for text, marks in ((mistaken, True), (LAMPS, False), (mistaken, True)):
        somebody.page.get_by_role("button", name="Open").click()
        file = {"name": "lamps.rules", "mimeType": "text/plain", "buffer": text.encode()}
        somebody.page.locator("input[type=file]").set_input_files(file)
        mistake = somebody.page.locator(".cm-lintRange-error")
        mistake.first.wait_for(state="visible" if marks else "detached")


def test_a_pack_is_saved_and_opened(visitor: Any, tmp_path: Path) -> None:
    somebody: Visitor = visitor()
    somebody.go(link(FILES, "bright.rules"))
    page = somebody.page
    page.locator(".pane-game pre", has_text="Ranking").wait_for()
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as downloading:
        page.get_by_role("button", name="The game as a pack").click()
    assert downloading.value.suggested_filename == "bright.rulespack"
    pack = tmp_path / "bright.rulespack"
    downloading.value.save_as(pack)
    assert isinstance(opened("bright.rulespack", pack.read_bytes()), Pack)

    other: Visitor = visitor()
    other.go()
    other.page.locator(".pane-game pre", has_text="Ranking").wait_for()
    other.page.get_by_role("button", name="Open").click()
    other.page.locator("input[type=file]").set_input_files(pack)
    other.line("Bright").wait_for()
    assert other.files() == ["bright.rules", "lamps.rules"]


def test_files_are_dropped_into_the_page(somebody: Visitor) -> None:
    def drop(name: str, text: str) -> None:
        somebody.page.evaluate(
            """([name, text]) => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File([text], name));
                const editor = document.querySelector('.cm-content');
                editor.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
            }""",
            [name, text],
        )

    drop("torches.rules", LAMPS.replace("game lamps", "game torches"))
    somebody.line("game torches").wait_for()
    drop("notes.txt", "nothing")
    somebody.page.get_by_role("alert").filter(has_text="cannot be opened here").wait_for()
    somebody.page.locator(".pane-game pre", has_text="Ranking").wait_for()
    drop("torches.rulespack", "nothing")
    somebody.page.get_by_role("alert").filter(has_text="no archive").wait_for()
    somebody.line("game torches").wait_for()


def test_what_is_completed_is_explained(somebody: Visitor) -> None:
    somebody.helped()
    somebody.write_behind("light: total power of lit of player", "\n")
    somebody.page.keyboard.type("bonus: po")
    somebody.page.locator(".cm-tooltip-autocomplete li", has_text="power").first.wait_for()
    told = somebody.page.locator(".cm-completionInfo")
    told.wait_for()
    assert "power: 1..9" in told.inner_text()
    corner = "node => { const box = node.getBoundingClientRect(); return document.elementFromPoint(box.left + 9, box.top + 9); }"
    assert told.evaluate(f"node => node.contains(({corner})(node))")  # and nothing cuts it off
