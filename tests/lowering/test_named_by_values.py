"""Components that are named by their values: which kind and which attributes are meant by ``[gold 2]``."""

from __future__ import annotations

import pytest

from ..pipeline import machine_of, play, small, stages, value_of

WORLD = """
cards card
    name: copper, silver, gold
    cost: 0..9
    worth: 0..9
    name   | cost | worth
    copper | 0    | 1
    silver | 3    | 2
    gold   | 6    | 3
pieces token
    size: 0..9
    size
    7
    2
zone box_of_cards: set of card, open
counter found: 0..99
"""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("set found to cost of [gold]", 6),
        ("set found to cost of [silver 2]", 3),  # nothing else that is silver costs 2
        ("set found to cost of [2 silver]", 3),
        ("set found to worth of [0]", 1),
        ("set found to worth of [3]", 2),  # what costs 3, not what is worth 3
        ("set found to cost of [1]", 0),  # no token has the size 1
        ("set found to size of [7]", 7),  # no card has a 7
        ("set found to count of all [copper]", 1),
        ("set found to size of [token 2]", 2),  # there is a card that is worth 2
        ("set found to cost of [card 2]", 3),
        ("set found to count of all [card 3]", 1),
    ],
)
def test_a_component_is_found_by_its_values(lines: str, expected: int) -> None:
    game = play(machine_of(small(WORLD, lines), 1))
    assert value_of(game.executor, game.cells, "found") == expected


def test_all_copies_of_what_is_named_move() -> None:
    cards = "cards card, 3 of each\n    rank: 1..2\nzone row, heap: set of card, open\ncounter found: 0..9"
    lines = "move every card to row\nmove any card from row with rank 1 to heap\nmove all [1] to heap"
    game = play(machine_of(small(cards, f"{lines}\nset found to count of heap"), 1))
    assert value_of(game.executor, game.cells, "found") == 3


def test_values_that_nothing_has() -> None:
    found = stages(small(WORLD, "set found to cost of [gold 9]"), 1)
    assert found.codes == ["R212"]
    assert " [gold 9] in this game" in found.messages


def test_values_that_two_kinds_have() -> None:
    found = stages(small(WORLD, "set found to worth of [2]"), 1)
    assert found.codes == ["R213"]
    assert "[2] can be a card or a token" in found.messages
