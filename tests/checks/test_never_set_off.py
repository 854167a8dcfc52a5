"""Triggers that nothing ever sets off: the finding names the trigger, and no line inside it."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

from ..pipeline import findings

GAME = """
game small
    players 2..3
option rounds: 1..9, default 3
cards card, 1 of each
    suit: red, blue
    rank: 1..20
    marker owner_before: player or none
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone won of player: set of card, open
counter coins of player: 0..200
counter streak: 0..9
{trigger}
setup
    shuffle every card into deck
    for each player: draw 5 from deck to hand of player
phase play
    repeat rounds times
        for each player
            player chooses
                show a card from hand of player with suit red
                    {show}
                    move card to won of player
                burn a card from hand of player with suit blue
                    move card to box
                if impossible: nothing
score of player
    coins: coins of player
    won: count of won of player
    streak: streak
    owned: count of every card with owner_before player
winner highest score, then shared
"""
BODY = """\
    add 1 to coins of player
    set streak to 1
    set owner_before of card to player
"""


def found(trigger: str, show: str = "nothing") -> list[Diagnostic]:
    elsewhere = (
        f"set owner_before of card to player\n{20 * ' '}set streak to 2\n{20 * ' '}add 1 to coins of player\n{20 * ' '}{show}"
    )
    text = GAME.format(trigger=f"{trigger}\n{BODY}", show=elsewhere)
    return list(findings(rules_from(Source("small.rules", text.strip() + "\n"))))


@pytest.mark.parametrize(
    ("trigger", "why"),
    [
        ("whenever a card with suit blue enters won of player", "no such card is ever moved to `won`"),
        ("whenever a card with rank 25 enters won of player", "there is no such card"),
        ("whenever a card with suit blue with rank 21 enters hand of player", "there is no such card"),
        ("whenever a card with rank > 20 enters hand of player", "there is no such card"),
    ],
)
def test_a_trigger_that_nothing_sets_off(trigger: str, why: str) -> None:
    (finding,) = found(trigger)
    assert (finding.code, finding.message) == ("R326", f"this trigger never fires: {why}")
    assert finding.span is not None
    assert finding.span.text == trigger


@pytest.mark.parametrize(
    ("trigger", "show"),
    [
        ("whenever a card with suit red enters won of player", "nothing"),
        ("whenever a card with suit blue enters hand of player", "nothing"),
        ("whenever a card with suit blue enters won of player", "if rounds is 4: move a random card from deck to won of player"),
        ("whenever a card with suit blue enters won of player", "move hand of player to won of player"),
    ],
)
def test_a_trigger_that_may_be_set_off(trigger: str, show: str) -> None:
    assert found(trigger, show) == []


def test_what_stands_in_such_a_trigger_is_not_said() -> None:
    """A table that has no row for what never comes, a condition that never holds."""
    inside = "whenever a card with suit blue enters won of player\n    if worth of card > 2 and streak > 9: set streak to 3"
    (finding,) = found(f"table worth by rank: 1: 3, 2: 1, 20: 9\n{inside}")
    assert finding.code == "R326"
