"""Values that are set and surely set again before anything reads them, whatever stands between."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

from ..pipeline import findings

GAME = """
game small
    players 2
list mood: calm, angry
counter turn: 0..9
counter points of player: 0..9
marker feeling: mood or none
step look
    if feeling is calm: add 1 to points of player 1
phase play
    for each player
{lines}
    if feeling is angry: add 1 to points of player 2
score of player
    points: points of player
winner highest score, then shared
{variant}
"""
ASKS = "player chooses\n    calmly\n        {0}\n    angrily\n        set feeling to angry\n{1}"


@pytest.mark.parametrize(
    ("lines", "is_lost"),
    [
        (ASKS.format("set feeling to calm", "set feeling to none\ndo look"), True),
        (ASKS.format("set feeling to calm", "do look\nset feeling to none"), False),
        (ASKS.format("set feeling to calm\n        do look", "set feeling to calm"), False),
        (ASKS.format("set feeling to calm\n        end game", "set feeling to angry"), False),
        (ASKS.format("set feeling to calm", "if turn is 3: set feeling to calm"), False),
        (ASKS.format("set feeling to calm", "if turn is 3: set feeling to angry\notherwise: set feeling to none"), True),
        (ASKS.format("set feeling to calm", "for each player other: set feeling to none"), False),  # if there were none
        (ASKS.format("set feeling to calm", "player chooses\n    go: nothing\nset feeling to angry"), False),  # it is seen
        ("repeat 3 times\n    set feeling to calm\n    do look\n    set feeling to none", False),
        ("repeat 3 times\n    set feeling to calm\n    add 1 to turn\n    if turn > 5: do look", False),
        ("repeat 3 times\n    set feeling to calm\n    add 1 to turn\nset feeling to angry", True),
    ],
)
def test_what_is_set_again_is_lost(lines: str, is_lost: bool) -> None:
    text = GAME.format(lines=indent(dedent(lines), "        "), variant="")
    found = [one for one in findings(rules_from(Source("small.rules", text.strip() + "\n"))) if one.code == "R330"]
    assert ("set feeling to calm" in [one.span.text for one in found if one.span is not None]) == is_lost


def test_nothing_is_said_of_what_a_variant_asks_for() -> None:
    lines = indent(ASKS.format("set feeling to calm", "set feeling to none\ndo look"), "        ")
    watched = 'variant watched "with a look"\n    add after look\n'
    variant = f"{watched}        step see\n            if feeling is calm: add 1 to points of player 1"
    text = GAME.format(lines=lines, variant=variant)
    assert not [one for one in findings(rules_from(Source("small.rules", text.strip() + "\n"))) if one.code == "R330"]


@pytest.mark.parametrize(
    "edit",
    [
        "add after met: do look",
        "replace step met\n        do look",
        "add after met\n        if is_calm: add 1 to points of player 1",
    ],
)
def test_nothing_is_said_of_what_a_step_or_define_asks_for_that_a_variant_names(edit: str) -> None:
    lines = indent("set feeling to calm\nstep met: add 1 to turn\nset feeling to none\ndo look", "        ")
    text = GAME.format(lines=lines, variant=f"variant watched\n    {edit}")
    text = text.replace("step look", "define is_calm: feeling is calm\nstep look")
    assert not [one for one in findings(rules_from(Source("small.rules", text.strip() + "\n"))) if one.code == "R330"]


def test_nothing_is_said_where_a_variant_replaces_the_step_that_sets_it_again() -> None:
    lines = indent("set feeling to calm\nstep met\n    add 1 to turn\n    set feeling to none\ndo look", "        ")
    text = GAME.format(lines=lines, variant="variant kept\n    replace step met\n        nothing")
    assert not [one for one in findings(rules_from(Source("small.rules", text.strip() + "\n"))) if one.code == "R330"]


def test_nothing_is_said_of_what_a_trigger_of_a_variant_asks_for() -> None:
    declared = "cards card, 1 of each\n    rank: 1..9\nzone desk: set of card, open\nstep look"
    lines = indent("set feeling to calm\nmove a random card from every card to desk\nset feeling to none\ndo look", "        ")
    text = GAME.format(lines=lines, variant="variant watched\n    whenever a card enters desk: do look")
    text = text.replace("step look", declared)
    assert not [one for one in findings(rules_from(Source("small.rules", text.strip() + "\n"))) if one.code == "R330"]
