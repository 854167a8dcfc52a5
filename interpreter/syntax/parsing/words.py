"""The reserved words of the language, which cannot be names.

They are read off ``grammar/rules.lark``: the words of expressions, and the first words of statements. All other words (those that
begin declarations, shapes, visibilities) are free where they cannot be mistaken.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

# Phrases begin with these, or a word that nothing else can follow, but they are too good as names: `face: 1..6`, `seat`, `wins`.
_FREE: Final = {
    "bid", "cells", "distance", "face", "forget", "position", "regions", "remember", "seat", "seats", "split", "swap", "wins",
}  # fmt: skip


@cache
def grammar_text() -> str:
    """The text of ``grammar/rules.lark``."""
    package = __name__.rpartition(".interpreter.")[0]
    return (files(package) / "grammar" / "rules.lark").read_text(encoding="utf-8")


@cache
def _rules() -> dict[str, str]:
    """The body of each rule of the grammar."""
    text = re.sub(r"^//.*$", "", grammar_text(), flags=re.M)
    return dict(re.findall(r"^\??(_?[a-z]\w*):(.*?)(?=^\S|\Z)", text, flags=re.M | re.S))


def _reachable(start: str) -> set[str]:
    """The rules that may occur inside the rule ``start``, itself included."""
    rules, seen, todo = _rules(), set[str](), [start]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        body = re.sub(r'"[^"]*"|->\s*\w+', "", rules[name])
        todo += [word for word in re.findall(r"[a-z_]\w*", body) if word in rules]
    return seen


def _keywords(start: str) -> set[str]:
    texts = {text for name in _reachable(start) for text in re.findall(r'"([^"]*)"', _rules()[name])}
    return {text for text in texts if re.search("[a-z]", text)}


def _first_words(keywords: set[str]) -> frozenset[str]:
    return frozenset({text.lstrip(", ").split()[0] for text in keywords} - _FREE)


def _line_starters(rule: str) -> set[str]:
    return set(re.findall(r'(?:^|\|)\s*"([a-z][^"]*)"', _rules()[rule]))


# `the` may stand anywhere and means nothing.
EXPRESSION_PHRASES: Final[frozenset[str]] = frozenset(_keywords("value"))
EXPRESSION_WORDS: Final[frozenset[str]] = _first_words(_keywords("value")) | {"the"}
STATEMENT_WORDS: Final[frozenset[str]] = _first_words(_line_starters("statement") | _line_starters("plain"))
CONNECTING_WORDS: Final[frozenset[str]] = frozenset(text for text in _keywords("statement") if " " not in text) - _FREE
RESERVED: Final[frozenset[str]] = EXPRESSION_WORDS | STATEMENT_WORDS | CONNECTING_WORDS
