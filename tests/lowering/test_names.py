"""Names of components: no two that differ have one name."""

from __future__ import annotations

import pytest

from ..pipeline import stages

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
