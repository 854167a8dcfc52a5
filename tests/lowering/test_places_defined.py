"""Defines that name a place, as the target of a move."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

from ..pipeline import faults, machine_of, play, small, stages, value_of

WORLD = """
cards card, 1 of each
    suit: red, blue
    rank: 1..4
zone deck: pile of card, hidden
zone discards of suit: pile of card, open
zone hand of player: set of card, open
marker leader: player
counter found: 0..99
define heap of card: discards of (suit of card)
define best_heap: heap of best of every card by (suit is red), then highest rank
define neighbour of player: hand of left of player
define led: neighbour of leader
define strong: every card with rank > 2
define either: hand of player 1 + hand of player 2
define some_hand
    hand of player 1 if found > 5
    otherwise hand of player 2
"""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("move [red 3] to heap of [blue 1]\nset found to count of discards of blue", 1),
        ("for each card: move card to heap of card\nset found to 10 * count of discards of blue + count of discards of red", 44),
        ("move [blue 2] to best_heap\nset found to count of discards of red", 1),
        ("move [blue 2] to neighbour of player 1\nset found to count of hand of player 2", 1),
        ("set leader to player 2\nmove [blue 2] to led\nset found to count of hand of player 1", 1),
        ("set leader to player 1\nshuffle every card into best_heap\ndraw 3 from best_heap to led\nset found to count of led", 3),
        ("set leader to player 1\nmove [blue 2] to hand of leader\nswap hand of leader with led\nset found to count of led", 1),
    ],
)
def test_a_define_names_a_place(lines: str, expected: int) -> None:
    game = play(machine_of(small(WORLD, lines), 2))
    assert value_of(game.executor, game.cells, "found") == expected


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("move [red 1] to strong", "`strong` is no zone"),
        ("move [red 1] to either", "`either` is no zone"),
        ("move [red 1] to some_hand", "`some_hand` is no zone"),
        ("draw 1 from led to deck", "`led` is a set, where a pile is wanted"),
        ("move [red 1] to neighbour", "`neighbour` belongs to a player: whose is meant?"),
    ],
)
def test_messages(lines: str, said: str) -> None:
    found = stages(small(WORLD, lines), 2)
    assert len(found.codes) == 1
    assert said in found.messages


GAME = """
game leaves
    players 2

cards leaf, 1 of each
    number: 1..6

zone deck: pile of leaf, hidden
zone heap of player: set of leaf, open

define other_heap of player: heap of left of player

setup
    shuffle every leaf into deck

phase play
    for each player: draw 1 from deck to other_heap of player
{}
score of player
    leaves: total number of heap of player

winner highest score, then shared
"""


def test_the_word_is_used() -> None:
    rules = rules_from(Source("leaves.rules", GAME.format("")))
    assert faults(rules) == ()
    assert check(rules).findings == ()


def test_a_variant_may_not_move_the_place() -> None:
    variant = "variant own\n    replace define other_heap of player: heap of player\n"
    found = stages(GAME.format("") + variant, 2)
    assert found.codes == ["R204"]
    assert "a variant replaces `other_heap`" in found.messages
