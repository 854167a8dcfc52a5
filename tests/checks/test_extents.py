"""Bounds on the width and height of what lies on a grid, carried into conditions and scores."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

from ..pipeline import changed, findings

GAME = """
game small
    players 2..3
option side: 3..5, default 4
tiles tile, 1 of each
    number: 1..24
    shape "ab"
        land: meadow, sea
pieces castle, 1 for each player
zone map of player: grid of tile or castle, (2 * side - 1) x 9, open
counter coins of player: 0..99
define full of player: width of map of player is side and height of map of player is 3
setup
    for each player: put castle of player on middle of map of player
phase play
    for each tile
        let player be a random player
        player chooses
            lay tile on map of player
                so that tile touches castle of player or tile touches same land
                so that width of map of player at most side
                so that height of map of player at most 3
            if impossible: add 1 to coins of player
        if width of map of player is side: add 1 to coins of player
score of player
    cells: count of map of player
    coins: coins of player
    full: 10 if full of player
winner highest score, then shared
"""
WIDE = "so that width of map of player at most side"
WHOLE = "width of map of player at most 2 * side - 1"
ASKED = "if width of map of player is side:"
PUT = "for each player: put castle of player on middle of map of player"
FULL = "width of map of player is side and height"


def found(*changes: tuple[str, str]) -> list[tuple[str, str]]:
    """The code of each finding, and what it points at, with what is labelled beside it."""
    text = changed(GAME.strip() + "\n", changes)
    return [
        (d.code, d.labels[-1].span.text if d.code == "R360" else d.labels[0].span.text)
        for d in findings(rules_from(Source("small.rules", text)))
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([], []),
        # a bound that is the grid's own
        ([(WIDE, f"so that {WHOLE}")], [("R327", WHOLE)]),
        ([(WIDE, "so that width of map of player < 2 * side")], [("R327", "width of map of player < 2 * side")]),
        ([("map of player at most 3", "map of player at most 9")], [("R327", "height of map of player at most 9")]),
        ([(WIDE, "so that width of map of player at most 2 * side - 2")], []),
        # a condition that laying forbids
        ([(ASKED, "if width of map of player > side:")], [("R327", "width of map of player > side")]),
        ([(ASKED, "if height of map of player at least 4:")], [("R327", "height of map of player at least 4")]),
        ([(ASKED, "if height of map of player is 3:")], []),
        ([(ASKED, "if width of map of player > side - 1:")], []),
        # a line of the score that laying forbids
        ([(FULL, "width of map of player > side and height")], [("R360", "width of map of player > side")]),
        (
            [(WIDE, "so that width of map of player < side"), (ASKED, "if width of map of player > 1:")],
            [("R360", "width of map of player is side")],
        ),
        ([("is 3\n", "is 4\n")], [("R360", "height of map of player is 4")]),
    ],
)
def test_what_laying_leaves_possible(changes: list[tuple[str, str]], expected: list[tuple[str, str]]) -> None:
    assert found(*changes) == expected


PIECES = "pieces castle, 1 for each player\n"
LATER = "put tower of player on (a random cell from empty cells of map of player)"
TOWER = f"for each player: {LATER}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "known"),
    [
        ([], True),
        ([(PUT, f"{PUT}\n    {TOWER}")], False),
        ([(PUT, f"{TOWER}\n    {PUT}")], False),
        ([("    if width", f"    if coins of player is 7\n            {LATER}\n        if width")], False),
        ([(WIDE, "so that width of map of left of player at most side")], False),
        ([(WIDE, f"{WIDE} or tile touches castle of player")], False),
        ([(WIDE, f"{WIDE} and count of map of player < 12")], True),
    ],
)
def test_what_else_may_lie_there(changes: list[tuple[str, str]], known: bool) -> None:
    """A piece that is put far away, a limit of another grid, or one that is not always asked."""
    tower = [(PIECES, f"{PIECES}pieces tower, 1 for each player\n"), ("tile or castle,", "tile or castle or tower,")]
    pieces = tower if any(LATER in new for _, new in changes) else []
    codes = found(*pieces, *changes, (ASKED, "if width of map of player > side:"))
    assert (("R327", "width of map of player > side") in codes) == known
