"""Cuts a line into words, and recognises the keywords among them where they stand.

Cutting knows nothing of grammar. Whether a word is a keyword, part of a phrase or a name is decided when the parser has come to
it, by what can stand there: so `cards` begins a declaration and may still be a name elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import cache
from typing import Final, Literal, cast
from unicodedata import category

from attrs import frozen

from .parser_tables import tables
from .words import EXPRESSION_WORDS, RESERVED

Shape = Literal["word", "number", "text", "mark", "unclosed", "strange"]


@frozen(eq=False)
class Word:
    """One word, number, text in quotes or sign of a line; ``start`` and ``end`` are offsets in the source."""

    text: str
    shape: Shape
    start: int
    end: int


# A name begins with a letter of any script and goes on with letters, digits, `_` and marks (accents, vowel signs). The two
# joiners that Indic scripts and Persian need inside words are allowed between letters only.
#
# `re` has no classes for these. The pattern therefore knows one character of each category, and a line that is not ASCII is
# matched with these in place of its own. A class of all letters and marks would take longer to build than a file to read.
_DIGIT: Final = "\N{ARABIC-INDIC DIGIT ZERO}"  # not an ASCII digit: numbers have only these
_MARK: Final = "\N{COMBINING GRAVE ACCENT}"
_LETTERS: Final = dict.fromkeys(("Lu", "Ll", "Lt", "Lm", "Lo"), "a")
_REPRESENTATIVES: Final = _LETTERS | dict.fromkeys(("Mn", "Mc", "Me"), _MARK) | {"Nl": "_", "Nd": _DIGIT}
_LETTER: Final = "[A-Za-z_]"
_WORD: Final = rf"{_LETTER}(?:[A-Za-z0-9_{_DIGIT}{_MARK}]|[\u200c\u200d](?=[A-Za-z{_MARK}]))*"
_CUT: Final = re.compile(
    rf"(?P<word>{_WORD})|(?P<number>[0-9]++)(?!{_LETTER})|(?P<text>\"[^\"]*\")|(?P<unclosed>\"[^\"]*)"
    r"|(?P<mark>\.\.|[:,()\[\]|+*/<>-](?!=))"
    rf"|(?P<space>(?:[^\S\x1c-\x1f]|[\u200b\ufeff])+)|(?P<strange>[0-9]+{_WORD}|[<>=!]=?|.)"
)


def cut(text: str, offset: int) -> list[Word]:
    """The words of a line that begins at ``offset`` in its source; `the` is left out."""
    return [word for word in all_words(text, offset) if word.text != "the"]


def all_words(text: str, offset: int) -> list[Word]:
    """The words of a line as in `cut`, but with every `the`, as the line is written."""
    words: list[Word] = []
    for match in _CUT.finditer(text if text.isascii() else "".join(map(_representative, text))):
        if (shape := match.lastgroup) != "space":
            start, end = match.span()
            words.append(Word(text[start:end], cast(Shape, shape), offset + start, offset + end))
    return words


@cache
def _representative(ch: str) -> str:
    return ch if ch.isascii() else _REPRESENTATIVES.get(category(ch), ch)


@cache
def phrases() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """For each word or sign that a keyword begins with: what follows it, and the terminal; the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for terminal in tables().terminals:
        if terminal.pattern is not None and terminal.pattern.type == "str":
            first, *rest = (word.text for word in cut(terminal.pattern.value, 0))
            found.setdefault(first, []).append((tuple(rest), terminal.name))
    return {first: tuple(sorted(rest, key=lambda r: -len(r[0]))) for first, rest in found.items()}


def keyword_at(words: Sequence[Word], at: int, possible: Container[str]) -> tuple[str, int] | None:
    """The keyword that begins at word ``at``, if one of the ``possible`` terminals does: it and how many words it has."""
    for rest, terminal in phrases().get(words[at].text, ()):
        if terminal in possible and rest == tuple(word.text for word in words[at + 1 : at + 1 + len(rest)]):
            return terminal, 1 + len(rest)
    return None


def classify(words: Sequence[Word], at: int, possible: Container[str]) -> tuple[str, int]:
    """The terminal for word ``at`` where the ``possible`` ones can stand, and how many words it takes."""
    word = words[at]
    if word.shape == "number":
        return "NUMBER", 1
    if word.shape == "text":
        return "STRING", 1
    if "AT_MOST_TIMES" in possible and _rounds_follow(words, at):
        return "AT_MOST_TIMES", 2
    if word.text == "in" and "_EACH_IN" in possible:
        return "_EACH_IN_RANGE" if _range_follows(words, at) else "_EACH_IN", 1
    if word.text == "player" and "PLAYER_NUMBER" in possible and at + 1 < len(words) and words[at + 1].shape == "number":
        return "PLAYER_NUMBER", 2
    if found := keyword_at(words, at, possible):
        return found
    if word.shape != "word":
        return "SIGN", 1
    if word.text not in RESERVED and "EACH_NAME" in possible and _source_follows(words, at):
        return "EACH_NAME", 1
    if word.text not in RESERVED and "NAME" in possible:
        return "NAME", 1
    if word.text not in EXPRESSION_WORDS and "FREE_WORD" in possible:
        return "FREE_WORD", 1
    return "ANY_WORD", 1


def _rounds_follow(words: Sequence[Word], at: int) -> bool:
    """Whether an `at most ... times` begins here, with no other `at most` before its `times`."""
    texts = [word.text for word in words[at : at + 2]]
    if texts != ["at", "most"]:
        return False
    for word in words[at + 2 :]:
        if word.text == "times":
            return True
        if word.text in ("at", ":"):
            return False
    return False


def _source_follows(words: Sequence[Word], at: int) -> bool:
    """Whether a word is the second name in `total (E) for each card other of S`: nothing but a source follows."""
    return at + 1 == len(words) or words[at + 1].text in ("of", "in", "with", "where", "without", "also", ")")


def _range_follows(words: Sequence[Word], at: int) -> bool:
    """Whether `A..B` stands behind the `in` of `total (E) for each NOUN in A..B`."""
    depth = 0
    for word in words[at + 1 :]:
        depth += (word.text in ("(", "[")) - (word.text in (")", "]"))
        if depth < 0 or (depth == 0 and word.text in ("in", "and", "or", ",", ":")):
            return False
        if depth == 0 and word.text == "..":
            return True
    return False
