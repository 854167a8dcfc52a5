"""Attributes of which a component has one for each word of a list: ``cost for colour: 0..7``."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.machine.machine import Lookup
from rulesrun.interpreter.machine.traverse import expressions_within

from ..pipeline import machine_of, play, small, stages, value_of

WORLD = """
list colour: red, green, blue
cards card
    title: mine, shop, ship
    cost for colour: 0..7
    title | cost_red | cost_green | cost_blue
    mine  | 1        | 0          | 2
    shop  | 0        | 3          | 0
    ship  | 2        | 4          | 2
pieces noble
    cost for colour: 0..4
    cost_blue | cost_red | cost_green
    4         | 3        | 0
zone market: set of card, open
zone court: slot of noble, open
counter found: 0..99
marker trump: colour or none
setup
    move every card to market
    move [3 0 4] to court
"""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("set found to cost of [ship] for green", 4),
        ("set found to cost of court for blue", 4),
        ("set trump to blue\nset found to cost of [mine] for trump", 2),
        ("set found to 9\nif cost of [mine] for trump is none: set found to 5", 5),
        ("for each colour: add cost of [ship] for colour to found", 8),
        ("for each colour in (red, blue)\n    for each card in market: add cost of card for colour to found", 7),
        ("set found to total cost for green of market", 7),
        ("for each colour: add total cost for colour of market to found", 14),
        ("for each colour: add highest cost for colour among market to found", 2 + 4 + 2),
        ("set found to count of market with cost for red > 0", 2),
        ("for each colour: add count of (market with cost for colour at least 2) to found", 1 + 2 + 2),
        ("for each colour\n    if [ship] is best of market by highest cost for colour, then highest title: add 1 to found", 3),
        ("set found to cost_red of [ship]", 2),
    ],
)
def test_the_value_for_a_word(lines: str, expected: int) -> None:
    machine = machine_of(small(WORLD, lines), 1)
    game = play(machine)
    assert value_of(game.executor, game.cells, "found") == expected


def test_a_list_of_one_word() -> None:
    world = "list colour: red\ncards card, 1 of each\n    cost for colour: 2..4\ncounter found: 0..99"
    lines = "for each colour\n    for each card: add cost of card for colour to found"
    game = play(machine_of(small(world, lines), 1))
    assert value_of(game.executor, game.cells, "found") == 2 + 3 + 4


def test_a_key_that_changes_is_one_lookup() -> None:
    lines = "for each colour\n    for each card in market: add cost of card for colour to found"
    machine = machine_of(small(WORLD, lines), 1)
    code = [node for routine in machine.routines.values() for node in expressions_within(routine.body)]
    assert (1, 0, 2, 0, 3, 0, 2, 4, 2) in {node.table.values for node in code if isinstance(node, Lookup)}


def test_every_combination_and_a_file() -> None:
    combinations = "list side: left_side, right_side\ntiles tile, 1 of each\n    pips for side: 0..2\n"
    kinds = machine_of(small(combinations), 1).kinds
    assert kinds["tile"].names == tuple(f"tile {a} {b}" for a in range(3) for b in range(3))
    listed = 'list side: east, west\ncards card from "cards.csv"\n    wind for side: calm, storm\n'
    machine = machine_of(small(listed), 1, files={"cards.csv": "wind_west,wind_east\ncalm,storm\nstorm,storm\n"})
    assert machine.kinds["card"].names == ("storm calm", "storm storm")


def test_a_column_for_each_word_is_needed() -> None:
    listed = 'list side: east, west\ncards card from "cards.csv"\n    wind for side: 0..3\n'
    found = stages(small(listed), 1, files={"cards.csv": "wind_west,wind\n1,2\n"})
    assert found.codes == ["R209"]
    assert "has no column `wind_east`" in found.messages
