"""Changes that an editor offers, each done as the editor would do it: the text afterwards is what somebody wants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .editor import Editor

WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 10_000, "character": 0}}
PAIRS = """game pairs
    players 2

cards card, 2 of each
    number: 1..9

zone deck: pile of card, hidden
zone hand of player: set of card, private
counter never: 0..3

setup
    shuffle every card into deck

phase play
    take turns
        player chooses
            more
                only if deck is not empty otherwise "the deck is empty"
                draw 1 from deck to hand of player
            if impossible: end game

score of player
    cards: count of hand of player

winner highest score, then shared
"""


def done(text: str, edits: list[dict[str, Any]]) -> str:
    """A text with edits in it, whose columns are ASCII."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def offset(place: dict[str, int]) -> int:
        return starts[place["line"]] + place["character"] if place["line"] < len(starts) else len(text)

    for edit in sorted(edits, key=lambda each: offset(each["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text


def actions(one: Editor, uri: str, **context: Any) -> dict[str, dict[str, Any]]:
    found = one.about("codeAction", uri, range=WHOLE, context={"diagnostics": [], **context})
    return {each["title"]: each for each in found}


def test_the_word_that_was_meant(one: Editor, games: Path) -> None:
    path = games / "pairs.rules"
    uri = one.open(path, PAIRS.replace("draw 1 from deck", "draw 1 from dekc"))
    one.until(lambda: one.codes(uri))
    action = actions(one, uri)["Change `dekc` to `deck`"]
    assert (action["kind"], action["isPreferred"]) == ("quickfix", True)
    assert done(PAIRS.replace("draw 1 from deck", "draw 1 from dekc"), action["edit"]["changes"][uri]) == PAIRS


def test_what_is_never_used_goes_or_is_allowed(one: Editor, games: Path) -> None:
    path = games / "pairs.rules"
    uri = one.open(path, PAIRS)
    one.until(lambda: one.codes(uri))
    (code,) = one.codes(uri)
    found = actions(one, uri)
    removed = next(each for title, each in found.items() if title.startswith("Remove"))
    assert done(PAIRS, removed["edit"]["changes"][uri]) == PAIRS.replace("counter never: 0..3\n", "")
    allowed = done(PAIRS, found[f"Allow {code} here, with a reason"]["edit"]["changes"][uri])
    one.write(uri, allowed.replace(f"# allow {code}: \n", f"# allow {code}: for later\n"))
    one.until(lambda: one.codes(uri) == [])


@pytest.mark.slow
def test_a_row_that_a_table_lacks(one: Editor, games: Path) -> None:
    path = games / "masti.rules"
    whole = path.read_text(encoding="utf-8")
    text = whole.replace("    5       | 8         | 4\n", "", 1)
    uri = one.open(path, text)
    one.until(lambda: "R207" in one.codes(uri))
    edits = actions(one, uri)["Add the missing row"]["edit"]["changes"][uri]
    assert len(done(text, edits).splitlines()) == len(whole.splitlines())
    one.write(uri, done(text, edits))
    one.until(lambda: "R207" not in one.codes(uri))


def test_everything_at_once(one: Editor, games: Path) -> None:
    """What `rulesrun fix` does, and only when it is asked for."""
    path = games / "pairs.rules"
    broken = PAIRS.replace("draw 1 from deck", "draw 1 from dekc").replace('otherwise "the', 'otherwize "the')
    uri = one.open(path, broken)
    one.until(lambda: one.codes(uri))
    assert list(actions(one, uri, only=["quickfix"])) != []
    (action,) = actions(one, uri, only=["source.fixAll"]).values()
    resolved = one.ask("codeAction/resolve", **action)
    assert "dekc" not in done(broken, resolved["edit"]["changes"][uri])
    assert "otherwize" not in done(broken, resolved["edit"]["changes"][uri])


def test_the_one_style(one: Editor, games: Path) -> None:
    path = games / "pairs.rules"
    untidy = PAIRS.replace("    number: 1..9", "  number:1..9").replace("pile of card", "pile  of card")
    uri = one.open(path, untidy)
    options = {"tabSize": 4, "insertSpaces": True}
    tidy = done(untidy, one.about("formatting", uri, options=options))
    assert "    number: 1..9\n" in tidy
    one.write(uri, tidy)
    assert one.about("formatting", uri, options=options) == []
    one.write(uri, PAIRS + "zone (\n")
    assert one.about("formatting", uri, options=options) == []


def test_a_new_line_stands_where_it_belongs(one: Editor, games: Path) -> None:
    path = games / "pairs.rules"
    text = PAIRS.replace("    take turns\n", "    take turns\n\n", 1).split("        player chooses")[0]
    uri = one.open(path, text)
    line = text.count("\n") - 1
    found = one.about(
        "onTypeFormatting", uri, position={"line": line, "character": 0}, ch="\n", options={"tabSize": 4, "insertSpaces": True}
    )
    assert [each["newText"] for each in found] == [" " * 8]
