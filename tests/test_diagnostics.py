"""The look of a diagnostic: the mark stands under what it marks, whatever the script."""

from __future__ import annotations

import re

import pytest
from rulesrun.interpreter.common.diagnostics import Diagnostic, Label, fault, render, render_coloured
from rulesrun.interpreter.common.display import width
from rulesrun.interpreter.common.nouns import plural, singular
from rulesrun.interpreter.common.source import Source, Span


def marked(line: str, word: str) -> Diagnostic:
    start = line.index(word)
    return fault("R201", "what is this?", Span(Source("a.rules", line + "\n"), start, start + len(word)), label="this")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("set abc to 3", "abc"),
        ("zone 手札: set", "set"),
        ("zone 手札: set", "手札"),
        ("हिन्दी नाम", "नाम"),
        ("cafe\u0301 ole\u0301", "ole\u0301"),
        ("\tx y", "y"),
        ("❤️ 👩‍👧 🇩🇪 y", "y"),
    ],
)
def test_the_mark_stands_right_under_the_word(line: str, word: str) -> None:
    shown = render(marked(line, word)).splitlines()
    text, mark = shown[-2], shown[-1].partition(" this")[0]
    before = text[: text.index(word)]
    assert width(before) == mark.index("^")
    assert mark.count("^") == max(1, width(word))


@pytest.mark.parametrize("noun", ["round", "box", "race", "match", "pass", "house", "story", "man", "half", "day", "tea_cup"])
def test_a_noun_is_found_from_many_of_it_and_stays(noun: str) -> None:
    assert singular(plural(noun)) == singular(noun) == noun


@pytest.mark.parametrize(("text", "cells"), [("ab", 2), ("手札", 4), ("cafe\u0301", 4), ("👩‍👧", 2), ("❤️", 2), ("🇩🇪", 2)])
def test_what_a_terminal_joins_is_one_character(text: str, cells: int) -> None:
    assert width(text) == cells


def test_two_places_on_one_line() -> None:
    source = Source("a.rules", "set a to a\n")
    found = fault("R201", "twice", Span(source, 4, 5), (Span(source, 9, 10), "and here"), label="here")
    assert render(found).splitlines() == [
        "error[R201]: twice",
        " --> a.rules:1:5",
        "  |",
        "1 | set a to a",
        "  |     ^ here",
        "  |          ^ and here",
    ]


def test_many_places_and_no_place() -> None:
    source = Source("a.rules", "x\n" * 30)
    labels = tuple(Label(Span(source, 2 * n, 2 * n + 1)) for n in range(30))
    assert "and 24 more places" in render(Diagnostic("R201", "many", labels))
    assert render(Diagnostic("R001", "no file", (), "look")) == "error[R001]: no file\n  = help: look"


def test_many_tables() -> None:
    tables = tuple(f"{n} players" for n in range(2, 32))
    assert render(Diagnostic("R201", "many", (), tables=tables)).endswith("12 players, 13 players and 18 more")
    assert render(Diagnostic("R201", "few", (), tables=tables[:12])).endswith("12 players, 13 players")


def test_nothing_in_a_file_can_move_the_cursor() -> None:
    shown = render(marked("a\x1b[2Jb \u202e c", "c"))
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_a_long_line_is_shown_around_the_mark() -> None:
    shown = render(marked("x" * 5000 + " here " + "y" * 5000, "here")).splitlines()
    assert max(map(len, shown)) < 150
    assert shown[-2][shown[-1].index("^") :].startswith("here")


def test_colours_change_nothing_else() -> None:
    found = marked("set abc to 3", "abc")
    assert re.sub(r"\x1b\[[0-9;]*m", "", render_coloured(found)) == render(found)
