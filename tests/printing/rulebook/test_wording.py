"""Sentences of rulebooks: how players are told what the rules say."""

from __future__ import annotations

import re
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from textwrap import dedent, indent

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.printing.rulebook.difference import sentences
from rulesrun.interpreter.printing.rulebook.making import rulebook
from rulesrun.interpreter.printing.rulebook.quotes import nested
from rulesrun.interpreter.printing.rulebook.telling.book import Book
from rulesrun.interpreter.rules import Rules, read_rules, rules_from
from rulesrun.interpreter.words.languages import program_translations
from rulesrun.interpreter.words.words import Words

from ...shipped import GAMES, every


@cache
def shipped(path: Path) -> Rules:
    return read_rules(path)


def told(book: Book) -> list[str]:
    return [text for _, text in sentences(book)]


def said(declared: str = "", phase: str = "set leader to left of leader", setup: str = "", end: str = "") -> list[str]:
    """The sentences of a small game for 2 to 3 players. ``phase``, ``setup``: the lines in them."""
    text = dedent(declared) + "".join(
        f"{name}\n{indent(dedent(body), '    ')}\n" for name, body in (("setup", setup), ("phase play", phase)) if body
    )
    rules = rules_from(Source("small.rules", f"game small\n    players 2..3\n{BOX}{text}\n{end or END}"))
    return told(rulebook(rules, with_example=False))


BOX = """
cards card, 1 of each
    suit: red, blue
    rank: 1..9
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone table: set of card, open
counter coins of player: 0..9
marker leader: player
table deal by players
    players | hand_size
    2       | 5
    3       | 4
"""
END = """
score of player
    coins: coins of player
winner highest score, then shared
"""


def test_reasons_for_a_refusal_are_not_told() -> None:
    found = said(
        phase="""
        leader chooses
            take a card from table
                only if rank of card > 1 otherwise "aces stay"
                move card to hand of leader
        """
    )
    assert "Only if the rank of the card is more than 1." in found
    assert not any("aces stay" in text for text in found)


def test_numbers_stand_where_they_count() -> None:
    found = said(setup="for each player: draw hand_size from deck to hand of player\nfor each player: set coins of player to 3")
    assert "Draw 5 / 4 cards (with 2 / 3 players) from the deck to your hand." in found
    assert "Your coins at the beginning: 3." in found


def test_a_step_of_one_act_is_told_by_its_act() -> None:
    found = said(
        declared="""
        step claim of player
            player chooses
                claim a card from table
                    move card to hand of player
        step tidy: move table to deck
        """,
        phase="for each player: do claim of player\ndo tidy",
    )
    assert "Claim a card from the table (see “Claim”)." in found
    assert "Follow the steps of “Tidy”." in found


def test_markers_name_somebody_or_nothing() -> None:
    found = said(
        declared="marker changed: suit or none\nmarker holder of card: player or none\n",
        phase="""
        set leader to left of leader
        set changed to none
        if changed is not none: move table to deck
        """,
    )
    assert "The left neighbour of the leader becomes the leader." in found
    assert "From now on, there is no changed suit." in found
    assert "If there is a changed suit:" in found


def test_the_end_of_a_loop_is_told_with_its_word() -> None:
    found = said(
        declared="define done: every hand is empty\n",
        phase="repeat until done at most 9 times: set leader to left of leader",
    )
    assert "Repeat until every player’s hand is empty (“done”), but at most 9 times:" in found
    assert "Done means: every player’s hand is empty." in found


def test_orders_of_loops() -> None:
    found = said(
        phase="""
        for each card in table by lowest rank: move card to deck
        for each player
            player chooses
                play a card from hand of player
                    move card to table
        """
    )
    assert "For each card in the table, from the lowest rank to the highest:" in found
    assert "One after the other, clockwise from player 1, for each player (“you”):" in found


def test_winners_of_a_tie() -> None:
    assert "If there is a tie, they share the victory." in said()
    found = said(end="score of player\n    coins: coins of player\nwinner highest score, then most hand, then shared\n")
    assert "If they are still tied, they share the victory." in found


@pytest.mark.slow
def test_variants_say_which_sentences_change() -> None:
    found = told(rulebook(shipped(GAMES / "kingdomino.rules"), with_example=False))
    assert "Side: 7 instead of 5." in found
    put = "dominos from the stack back into the box. Nobody looks at them"
    assert f"Instead of “Put 24 {put}”: “Put 0 {put}”" in found


def test_placing_tells_halves_sides_and_free_squares() -> None:
    found = told(rulebook(shipped(GAMES / "kingdomino.rules"), with_example=False))
    assert "All its squares must lie on free squares. You may turn it." in found
    assert any(
        "at least one half of the domino lies side by side with a square of the same terrain as that half" in t for t in found
    )
    assert any("connected along their sides" in text for text in found)


@pytest.mark.parametrize(
    ("text", "set_right"),
    [
        ("«a «b» c» d", "«a „b“ c» d"),
        ("“a “b””", "“a ‘b’”"),
        ("「a「b」」「c」", "「a『b』」「c」"),
        ("«a «b", "«a «b"),
        ("“a”", "“a”"),
    ],
)
def test_marks_inside_marks(text: str, set_right: str) -> None:
    assert nested(text) == set_right


class _Named(NullTranslations):
    """Translations of a game in which every name and text is the same word."""

    def pgettext(self, context: str, message: str) -> str:
        return "назва"

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return "назва"


@pytest.mark.slow
@pytest.mark.parametrize("path", every(2), ids=lambda path: path.stem)
@pytest.mark.parametrize("language", ["uk", "ja"])
def test_no_english_is_left_in_a_translated_book(path: Path, language: str) -> None:
    words = Words(language, program_translations(language), _Named())
    for text in told(rulebook(shipped(path), words, with_example=False)):
        assert not re.search("[A-Za-z]{2}", text), text
        assert not re.search(r" [,.;:]|,,|«»|\(\)", text), text
