"""Lines are cut into words by the categories of their characters."""

from __future__ import annotations

import sys
from itertools import chain
from unicodedata import category

import pytest
from rulesrun.interpreter.syntax.parsing.tokens import all_words

LETTERS = {"Lu", "Ll", "Lt", "Lm", "Lo"}
MARKS = {"Mn", "Mc", "Me"}
FIRST = LETTERS | {"Nl"}


def shapes(line: str) -> list[tuple[str, str]]:
    return [(word.text, word.shape) for word in all_words(line, 0)]


@pytest.mark.slow_cases("after a digit", "after a joiner", "after a letter", "after a non-joiner")
@pytest.mark.parametrize(
    ("before", "allowed"),
    [("", FIRST), ("a", FIRST | MARKS | {"Nd"}), ("1", FIRST), ("ab\u200c", LETTERS | MARKS), ("ab\u200d", LETTERS | MARKS)],
    ids=["alone", "after a letter", "after a digit", "after a non-joiner", "after a joiner"],
)
def test_characters_of_words_are_letters_marks_and_digits(before: str, allowed: set[str]) -> None:
    """Some of the ideographs of planes 2 and 3 stand for all, and planes 4 to 13 and the last two have no letters."""
    codes = chain(range(0x80, 0x20000), range(0x20000, 0x40000, 64), range(0xE0000, 0xE1000), [0xF0000, sys.maxunicode])
    chars = [ch for ch in map(chr, codes) if not ch.isspace() and ch not in "\u200b\u200c\u200d\ufeff"]
    found = shapes(" ".join(before + ch for ch in chars))
    shape = "strange" if before == "1" else "word"  # a number cannot run into a word
    whole = {text for text, cut_as in found if text[:-1] == before and cut_as == shape}
    assert whole == {before + ch for ch in chars if category(ch) in allowed}
    assert "".join(text for text, _ in found) == "".join(before + ch for ch in chars)


@pytest.mark.parametrize("space", [ch for ch in map(chr, range(0x3001)) if ch.isspace()] + ["\u200b", "\ufeff"], ids=ascii)
def test_spaces_part_words(space: str) -> None:
    """The four separators of ASCII are spaces to Python and nothing that may stand in a line."""
    strange = [(space, "strange")] if "\x1c" <= space <= "\x1f" else []
    assert shapes(f"a{space}ж") == [("a", "word"), *strange, ("ж", "word")]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Ёлка и ёж", ["Ёлка", "и", "ёж"]),
        ("山札から手札", ["山札から手札"]),
        ("पत्ते, क्\u200dष", ["पत्ते", ",", "क्\u200dष"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        ("ne\u0301e of x", ["ne\u0301e", "of", "x"]),
        ("a\u200d b", ["a", "\u200d", "b"]),
        ("a\u200d\u200cb", ["a", "\u200d", "\u200c", "b"]),
        ("a\u200dⅫ", ["a", "\u200d", "Ⅻ"]),
        ("x٣ 3٣", ["x٣", "3", "٣"]),
        ('é "ж', ["é", '"ж']),
        ("ж\ud800\ue000", ["ж", "\ud800", "\ue000"]),
    ],
)
def test_words_in_any_script(line: str, words: list[str]) -> None:
    found = all_words(line, 10)
    assert [word.text for word in found] == words
    assert [line[word.start - 10 : word.end - 10] for word in found] == words
