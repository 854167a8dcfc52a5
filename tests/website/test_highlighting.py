"""The colours of rules on the site are those that editors give them, and no character is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType
from rulesrun.editors.word_classes import classes
from rulesrun.interpreter.common.source import Source
from rulesrun.website.examples import kind_of
from rulesrun.website.fences import DOCS, ROOT, fences
from rulesrun.website.highlighting import RulesLexer, register

CLASSES = ((Comment, "comment"), (String, "string"), (Number, "number"), (Keyword, "keyword"), (Name, "name"))
GAMES = ("games/masti.rules", "games/kingdomino.rules", "games/classics/hearts.rules", "games/designs/night_ferry.rules")
WORDS = st.sampled_from(["game", "player", " ", "\n    ", "\n", "chooses", "the", "x", '"', "#", "1", "..", "é", "\t", "("])


def coloured(text: str) -> list[tuple[str, str]]:
    """The coloured parts of a text with the classes that editors know."""
    return [(part, name) for _, kind, part in RulesLexer().get_tokens_unprocessed(text) if (name := class_of(kind))]


def class_of(kind: _TokenType) -> str:
    return next((name for known, name in CLASSES if kind in known), "")


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_the_colours_that_editors_give_it(game: str) -> None:
    source = Source(game, (ROOT / game).read_text(encoding="utf-8"))
    lines = [line.encode("utf-16-le") for line in source.text.splitlines()]
    expected = [(lines[line][2 * at : 2 * (at + size)].decode("utf-16-le"), name) for line, at, size, name in classes(source)]
    assert coloured(source.text) == [(text, name) for text, name in expected if text != "the"]


@given(st.lists(WORDS).map("".join) | st.text())
def test_no_character_is_lost(text: str) -> None:
    parts = list(RulesLexer().get_tokens_unprocessed(text))
    assert "".join(part for _, _, part in parts) == text
    assert [at for at, _, _ in parts] == [sum(len(part) for _, _, part in parts[:n]) for n in range(len(parts))]


def test_statements_of_the_language_page_have_keywords() -> None:
    """Although they are no sentences at the left edge of a file."""
    page = fences((DOCS / "language.md").read_text(encoding="utf-8"))
    for fence in page:
        if fence.language == "rules" and kind_of(fence) in ("statements", "declarations", "part"):
            first = coloured(fence.text)
            assert "keyword" in {name for _, name in first}, fence.line


def test_pygments_finds_it() -> None:
    register()
    assert isinstance(get_lexer_by_name("rules"), RulesLexer)
