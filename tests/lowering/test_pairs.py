"""Acts that take several components: one component is never taken twice."""

from __future__ import annotations

from pathlib import Path

import pytest
import rulesrun
from rulesrun import Decision

from ..pipeline import small

DECLARATIONS = """
cards card
    rank: 1..3
    rank | count
    1 | 1
    2 | 1
    3 | 2
zone hand of player: set of card, open
zone row: set of card, open
define held: hand of player 1
define spare: row
"""
SETUP = """
move every card to row
move row with rank < 3 to hand of player 1
move any card from row with rank 3 to hand of player 1
let chosen be hand of player 1 with rank > 1
player 1 chooses
    serve a card from {first} and a card other from {second}
        nothing
    if impossible: nothing
"""

# The hand holds 1, 2 and 3, the row another 3.
PAIRS = [
    ("hand of player 1", "hand of player 1", {"1 2", "1 3", "2 1", "2 3", "3 1", "3 2"}),
    ("hand of player 1", "row", {"1 3", "2 3", "3 3"}),
    ("hand of player 1 with rank > 1", "hand of player 1 with rank < 3", {"2 1", "3 1", "3 2"}),
    ("hand of player 1", "(hand of player 1, row)", {"1 2", "1 3", "2 1", "2 3", "3 1", "3 2", "3 3"}),
    ("(hand of player 1, row)", "row", {"1 3", "2 3", "3 3"}),
    ("hand of player 1 with rank 3", "every card with rank 3", {"3 3"}),
    ("chosen", "chosen", {"2 3", "3 2"}),
    ("hand of player 1", "every hand", {"1 2", "1 3", "2 1", "2 3", "3 1", "3 2"}),
    ("held", "held", {"1 2", "1 3", "2 1", "2 3", "3 1", "3 2"}),
    ("(hand of player 1, row)", "(hand of player 1, spare)", {"1 2", "1 3", "2 1", "2 3", "3 1", "3 2", "3 3"}),
]


def decision_for(first: str, second: str, folder: Path) -> Decision:
    file = folder / "pairs.rules"
    file.write_text(small(DECLARATIONS, SETUP.format(first=first, second=second)), encoding="utf-8")
    decision = rulesrun.load(file).start(1).decision
    assert decision is not None
    return decision


@pytest.mark.parametrize(("first", "second", "expected"), PAIRS)
def test_no_card_is_taken_twice(first: str, second: str, expected: set[str], tmp_path: Path) -> None:
    texts = [option.text.split() for option in decision_for(first, second, tmp_path).legal]
    assert {f"{one} {other}" for _, _, one, _, other in texts} == expected


def test_a_refused_pair_says_why(tmp_path: Path) -> None:
    options = decision_for("hand of player 1", "hand of player 1", tmp_path).options
    assert {option.text: option.why_not for option in options}["serve card 1 card 1"] == "that is the same card twice"
