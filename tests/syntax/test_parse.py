"""Laws of parsing: only diagnostics come out, comments mean nothing, limits are kept, names may be in any script."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.common.diagnostics import render
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.syntax import tree
from rulesrun.interpreter.syntax.parsing.words import RESERVED
from rulesrun.interpreter.syntax.reading.from_text import Parsed, parse
from rulesrun.interpreter.syntax.show import show

MASTI = Path(__file__).parents[2] / "games" / "masti.rules"


@cache
def masti() -> str:
    return MASTI.read_text(encoding="utf-8")


def read(text: str) -> Parsed:
    return parse(Source("test.rules", text))


def well_read(text: str) -> tree.Tree:
    parsed = read(text)
    assert [render(d) for d in parsed.diagnostics] == []
    assert isinstance(parsed.tree, tree.Tree)
    return parsed.tree


def test_a_tree_is_shown_however_deep_it_is() -> None:
    """What has no room beside its margin stands below it, a value that is none, too."""
    deep = "\n".join(f"{'    ' * depth}if deck is empty" for depth in range(1, 25))
    within = "    " * 25
    lines = f"{within}if deck is empty: nothing\n{within}otherwise: move every shown to discard"
    assert "None\n" in show(well_read(f"game deep\n    players 2\nphase only\n{deep}\n{lines}\n"))


def nodes(value: object) -> Iterator[tree.Node]:
    if isinstance(value, tuple):
        for item in value:
            yield from nodes(item)
    elif isinstance(value, tree.Node):
        yield value
        for field in attrs.fields(type(value)):
            yield from nodes(getattr(value, field.name))


def check_spans(text: str, parsed: Parsed) -> None:
    for diagnostic in parsed.diagnostics:
        for label in diagnostic.labels:
            assert 0 <= label.span.start <= label.span.end <= len(text)
        assert render(diagnostic)
    if parsed.tree is not None:
        show(parsed.tree)
        for node in nodes(parsed.tree):
            assert 0 <= node.span.start <= node.span.end <= len(text)


# ---- Real games


def test_masti_is_read_completely() -> None:
    whole = well_read(masti())
    assert [variant.name.text for variant in whole.variants] == ["partners", "six"]
    assert all(node.span.text for node in nodes(whole))


def test_names_are_where_their_spans_say() -> None:
    for node in nodes(well_read(masti())):
        if isinstance(node, tree.Name):
            assert node.span.text == node.text
        if isinstance(node, tree.Ref):
            assert node.span.text.startswith(node.name)


# ---- Names


@pytest.mark.parametrize(
    "name", ["колода", "山札", "हिन्दी", "पत्ते", "né", "ne\u0301", "می\u200cخواهم", "x1_y", "cardsharp", "moves", "ordinary"]
)
def test_names_in_any_script(name: str) -> None:
    whole = well_read(f"game g\nzone {name}: pile of card, open\nsetup\n    shuffle {name}\n")
    zone = whole.declarations[0]
    assert isinstance(zone, tree.Zone)
    assert zone.names[0].text == unicodedata.normalize("NFC", name)
    setup = whole.declarations[1]
    assert isinstance(setup, tree.Setup)
    shuffle = setup.body[0]
    assert isinstance(shuffle, tree.Shuffle)
    assert shuffle.what == tree.Ref(unicodedata.normalize("NFC", name), span=whole.span)


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_reserved_words_are_not_names(word: str) -> None:
    parsed = read(f"game g\ncounter {word}: 0..3\n")
    assert len(parsed.diagnostics) == 1
    assert word in parsed.doubtful or word == "the"


@pytest.mark.parametrize(
    "word",
    ["players", "score", "winner", "seat", "owner", "left", "right", "team", "opponents", "size", "cards", "face", "title"],
)
def test_ordinary_words_are_names(word: str) -> None:
    assert word not in RESERVED
    well_read(f"game g\ndefine x of {word}: {word} of player + count of {word}\n")


def test_reserved_words_come_from_the_grammar() -> None:
    assert {"of", "for", "from", "every", "count", "at", "is", "the", "move", "otherwise", "to", "until"} <= RESERVED


# ---- What is left of a faulty file


def test_the_rest_is_kept() -> None:
    parsed = read(
        "game g\nzone deck: pile of card, hiden\nzone hand: set of card, open\nsetup\n    shufle deck\n    shuffle hand\n"
    )
    assert isinstance(parsed.tree, tree.Tree)
    assert [type(d).__name__ for d in parsed.tree.declarations] == ["Zone", "Setup"]
    setup = parsed.tree.declarations[1]
    assert isinstance(setup, tree.Setup)
    assert len(setup.body) == 1
    assert {"deck", "card", "hiden"} <= parsed.doubtful
    assert "hand" not in parsed.doubtful


def test_a_block_under_a_failed_line_is_doubtful() -> None:
    parsed = read('game g\ncards card fromm "a.csv"\n    rank: 1..13\n    sut: x, y z\n')
    assert [d.code for d in parsed.diagnostics] == ["R102", "R101"]
    assert {"card", "rank", "sut"} <= parsed.doubtful
    parsed = read("game g\n% rubbish\n    zone deck\n        more\n")
    assert len(parsed.diagnostics) == 1
    assert {"rubbish", "deck", "more"} <= parsed.doubtful


def test_a_file_without_a_game_line_has_a_tree() -> None:
    parsed = read("setup\n    nothing\n")
    assert isinstance(parsed.tree, tree.Tree)
    assert parsed.tree.game.name.text == ""
    assert [d.code for d in parsed.diagnostics] == ["R110"]
    assert [d.code for d in read("gmae g\nsetup\n    nothing\n").diagnostics] == ["R102"]


# ---- Comments and layout


def test_comments_are_kept() -> None:
    whole = well_read("# one\n\n#two\n#\ngame g # three\n    # four\n    players 2\n# five\n\n")
    assert whole.game.comments == tree.Comments(("one", "", "two", " "), "three")
    assert whole.game.players is not None
    assert whole.game.players.comments == tree.Comments(("four",))
    assert whole.closing == ("five",)


def test_comments_of_joined_lines_are_kept() -> None:
    whole = well_read("game g\nsetup\n    if x: nothing\n    # why\n    otherwise    # then\n        nothing # last\n")
    setup = whole.declarations[0]
    assert isinstance(setup, tree.Setup)
    last = setup.body[0]
    assert isinstance(last, tree.If)
    assert last.cases[1][1][0].comments == tree.Comments(("why", "then"), "last")


def test_a_hash_in_a_text_is_no_comment() -> None:
    whole = well_read('game g\n    title "No. #1" # first\n')
    assert whole.game.title is not None
    assert whole.game.title.texts[0].text == "No. #1"
    assert whole.game.title.comments.after == "first"


@pytest.mark.parametrize("colon", ["", ":"])
def test_a_colon_before_a_block_means_nothing(colon: str) -> None:
    plain = well_read("game g\nsetup\n    nothing\n")
    assert well_read(f"game g\nsetup{colon}\n    nothing\n") == plain


def test_line_ends_and_byte_order_mark() -> None:
    text = "game g\n    players 2\nsetup\n    move (a_card +\n        b) to hand # x\n"
    assert well_read(text) == well_read("\ufeff" + text.replace("\n", "\r\n"))


def test_the_means_nothing() -> None:
    plain = well_read("game g\nsetup\n    move top of deck to hand of player\n")
    assert well_read("game g\nsetup\n    move the top of the deck to the hand of the player\n") == plain


@pytest.mark.slow
@given(st.data())
@settings(max_examples=25)
def test_comments_and_empty_lines_do_not_change_the_tree(data: st.DataObject) -> None:
    lines = masti().splitlines()
    plain = read("\n".join(lines))
    for at in sorted(data.draw(st.lists(st.integers(0, len(lines)), max_size=20)), reverse=True):
        lines.insert(at, data.draw(st.sampled_from(["", "   ", "# note", "        # a (note", '#"', "\t# tab"])))
    parsed = read("\n".join(lines))
    assert parsed.diagnostics == ()
    assert parsed.tree == plain.tree


# ---- Anything at all


PIECES = [
    "#",
    '"',
    "(",
    ")",
    "[",
    "]",
    ":",
    "|",
    "..",
    ",",
    "\t",
    "\n",
    "    ",
    "\n    ",
    " of ",
    " if ",
    "otherwise",
    "=",
    "9" * 12,
    "क्",
    "\u0301",
    "𝒳",
    "\u200d",
]


@pytest.mark.slow
@given(st.data())
@settings(max_examples=60)
def test_mutated_games_yield_only_diagnostics(data: st.DataObject) -> None:
    text = masti()
    start = data.draw(st.integers(0, len(text) - 1))
    text = text[start : start + data.draw(st.integers(1, 3000))]
    for _ in range(data.draw(st.integers(1, 6))):
        kind = data.draw(st.sampled_from(["characters", "words", "lines"]))
        parts = {"characters": list(text), "words": text.split(" "), "lines": text.split("\n")}[kind]
        at = data.draw(st.integers(0, max(0, len(parts) - 1)))
        match data.draw(st.sampled_from(["delete", "double", "swap", "insert"])):
            case "delete":
                del parts[at : at + 1]
            case "double":
                parts[at:at] = parts[at : at + 1]
            case "swap":
                parts[at : at + 2] = parts[at : at + 2][::-1]
            case _:
                parts.insert(at, data.draw(st.sampled_from(PIECES)))
        text = {"characters": "", "words": " ", "lines": "\n"}[kind].join(parts)
    parsed = read(text)
    check_spans(text, parsed)
    lines = [d.span.line for d in parsed.diagnostics if d.span and d.code != "R110"]
    assert len(lines) == len(set(lines))


@pytest.mark.slow
@given(st.text(max_size=300))
@settings(max_examples=60)
def test_any_text_yields_only_diagnostics(text: str) -> None:
    check_spans(text, read(text))


WORDS = [
    *sorted(RESERVED),
    *["card", "player", "cards", "zone", ":", ",", "(", ")", "[", "]", "|", "..", "1", "+", "-", "*", "a", "game"],
    '"t"',
]


@pytest.mark.slow
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), max_size=8),
    st.lists(st.integers(0, 4), min_size=8, max_size=8),
)
@settings(max_examples=60)
def test_any_words_yield_only_diagnostics(lines: list[list[str]], indents: list[int]) -> None:
    text = "\n".join("    " * indent + " ".join(words) for words, indent in zip(lines, indents, strict=False))
    check_spans(text, read(text))


HOSTILE = {
    "ten megabytes": ("x" * 10_000_000, "R003"),
    "too many lines": ("#\n" * 30_000, "R003"),
    "one long line": ("game g\n" + "word " * 180_000, "R005"),
    "one long text": ('game g\n    title "' + "x" * 900_000, "R005"),
    "deep blocks": ("game g\nsetup\n" + "".join(" " * (i + 1) + "if x\n" for i in range(1_000)), "R005"),
    "deep brackets": ("game g\ndefine y: " + "(" * 1_900 + "1" + ")" * 1_900, "R005"),
    "deep signs": ("game g\ndefine y: " + "-" * 3_900 + "1", "R005"),
    "deep sums": ("game g\ndefine y: " + "1+" * 1_900 + "1", "R005"),
    "open brackets": ("game g\ndefine y: (\n" + "    (\n" * 19_000, "R114"),
    "open brackets each": ("game g\n" + "define y: (\n  3\n" * 6_000, "R114"),
    "long number": ("game g\n    players " + "9" * 3_000, "R111"),
    "rubbish": ('foo bar qux 12 "x" [ ]\n' * 19_000, "R101"),
    "binary": ("".join(chr(i % 256) for i in range(500_000)), "R006"),
    "half a character": ("game \ud800", "R006"),
    "long list": ("game g\nlist x: 1..999999999", "R112"),
    "many otherwise": ("game g\nsetup\n    if x: nothing\n" + "    otherwise if y: nothing\n" * 10_000 + "?", "R115"),
}


@pytest.mark.slow_cases("many otherwise", "open brackets", "rubbish")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_refused(name: str) -> None:
    text, code = HOSTILE[name]
    parsed = read(text)
    messages = [render(d) for d in parsed.diagnostics]
    if parsed.tree is not None:
        assert show(parsed.tree)
        assert parsed.tree == parsed.tree
        hash(parsed.tree)
    assert code in {d.code for d in parsed.diagnostics}
    assert len(messages) <= 102
    assert all(len(message) < 2_000 for message in messages)


def test_a_sentence_goes_on_behind_a_comma() -> None:
    text = "game words\n    players 2\n\nlist fruit: apple, pear,\n        plum,\n        cherry\nlist nut: hazel\n"
    lists = [line.words.words for line in well_read(text).declarations if isinstance(line, tree.ListDeclaration)]
    assert lists == [("apple", "pear", "plum", "cherry"), ("hazel",)]


def test_a_comma_at_the_end_does_not_swallow_the_next_sentence() -> None:
    found = read("game words\n    players 2\n\nlist fruit: apple, pear,\nlist nut: hazel\n")
    assert [d.code for d in found.diagnostics] == ["R101"]
