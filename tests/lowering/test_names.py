"""Names of components: no two that differ have one name."""

from __future__ import annotations

import pytest

from ..pipeline import machine_of, small, stages

GAME = """
game small
    players 2
cards chip, 1 of each
    {}
    {}
zone hand of player: set of chip, open
phase only: nothing
score of player
    points: count of hand of player
winner highest score, then shared
"""


@pytest.mark.parametrize(
    ("attributes", "names"),
    [
        (("pips: -1..0", "dots: -1..0"), ["chip -1 -1", "chip -1 0", "chip 0 -1", "chip 0 0"]),
        (("pips: 0..1 or none", "dots: 1..1"), ["chip 0 (1)", "chip 1 (1)", "chip (1)"]),
        (("pips: 1..1 or none", "dots: 1..1 or none"), ["chip 1 1", "chip 1 none", "chip none 1", "chip none none"]),
    ],
)
def test_names_tell_components_apart(attributes: tuple[str, str], names: list[str]) -> None:
    found = stages(GAME.format(*attributes))
    assert found.machine is not None, found.messages
    assert list(found.machine.kinds["chip"].names) == names


THINGS = """
list colour: red, blue
cards thing
    title: old_sword, shield
    worth: 1..2
    cost for colour: 0..3
    title     | worth | cost_red | cost_blue
    old_sword | 1     | 3        | 0
    old_sword | 2     | 3        | 0
    shield    | 1     | 0        | 1
    shown as "{}"
"""


@pytest.mark.parametrize(
    ("shown", "names"),
    [
        ("the {title}, {worth} coins", ("the old sword, 1 coins", "the old sword, 2 coins", "the shield, 1 coins")),
        ("{title}", ("old sword (1)", "old sword (2)", "shield")),
        ("{cost for red}/{ cost for blue }", ("3/0 (1)", "3/0 (2)", "0/1")),
        ("thing", ("thing (old sword, 1, 3, 0)", "thing (old sword, 2, 3, 0)", "thing (shield, 1, 0, 1)")),
    ],
)
def test_a_kind_says_what_its_components_are_called(shown: str, names: tuple[str, ...]) -> None:
    assert machine_of(small(THINGS.replace("{}", shown)), 1).kinds["thing"].names == names
