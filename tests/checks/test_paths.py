"""Paths of which both ends are the same cells."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

HEXES = (Path(__file__).parent / "sound/hexes.rules").read_text("utf-8")
GOAL, SIDE = "    otherwise cells of board with row side", "    cells of board with column side"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("", "", []),
        (GOAL, "    otherwise cells of board with row 1", ["player 2"]),
        (GOAL, "    otherwise cells of board with row 1 with column > 1", ["player 2"]),
        (GOAL, "    otherwise cells of board", ["player 2"]),
        (SIDE, "    cells of board with column 1", ["player 1"]),
        (SIDE, "    cells of board with row side", []),  # they share a corner
        ("side x side", "3 x 1", []),  # each cell is in the first row and the last
        ("from edge of player", "from far of player", ["player 1"]),
        ("from edge of player", "from board with owner player", []),
        (SIDE, "    cells of board with column (side - 2)", []),  # the first column at one table only
    ],
)
def test_a_path_between_the_same_cells(old: str, new: str, told: list[str]) -> None:
    """It is told by what the cells are, whatever they are called; not where that is so at some tables, or needs play."""
    rules = rules_from(Source("hexes.rules", HEXES.replace(old, new, 1) if old else HEXES))
    rules.required()
    found = [one for one in check(rules).findings if one.code == "R329"]
    assert [one.message.split(" this ")[0].removeprefix("for ") for one in found] == told
