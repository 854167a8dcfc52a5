"""Cases that are never reached, by the words of the cases above them."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

from ..pipeline import findings

GAME = """
game small
    players 2
counter coins of player: 0..20
counter turn: 0..9
marker rich of player: yes or no
marker mood: calm, angry or none
define greedy of player: rich of player and coins of player > 3
define worth of player
    1 if {first}
    2 if {second}
    otherwise 0
phase play
    repeat 9 times
        for each player
            player chooses
                earn: set coins of player to turn
                flaunt: set rich of player to yes
                rest: set mood to calm
                rage: set mood to angry
                forget: set mood to none
        add 1 to turn
score of player
    worth: worth of player
winner highest score, then shared
"""


@pytest.mark.parametrize(
    ("first", "second", "is_found"),
    [
        ("rich of player", "rich of player and coins of player > 3", True),
        ("rich of player and coins of player > 3", "rich of player", False),
        ("rich of player", "greedy of player", True),
        ("greedy of player", "rich of player", False),
        ("coins of player > 3", "coins of player > 5", True),
        ("coins of player > 5", "coins of player > 3", False),
        ("coins of player at least 4", "coins of player > 3", True),
        ("coins of player < 4", "coins of player is 2", True),
        ("mood is calm or mood is angry", "mood is calm", True),
        ("mood is calm", "mood is not calm and mood is none", False),
        ("mood is not none", "mood is angry and rich of player", True),
        ("not rich of player or coins of player > 7", "coins of player > 8", True),
        ("rich of player", "coins of player > 3", False),
        ("player in winners", "winners is (player)", True),
        ("winners is (player)", "player in winners", False),
    ],
)
def test_a_case_below_one_that_holds_whenever_it_does(first: str, second: str, is_found: bool) -> None:
    found = findings(rules_from(Source("small.rules", GAME.format(first=first, second=second).strip() + "\n")))
    assert [one.message for one in found if one.code == "R327"] == [f"`{second}` never holds"] * is_found


def test_what_is_above_is_shown() -> None:
    text = GAME.format(first="rich of player", second="greedy of player").strip() + "\n"
    (finding,) = (one for one in findings(rules_from(Source("small.rules", text))) if one.code == "R327")
    assert [label.span.text for label in finding.labels] == ["greedy of player", "rich of player"]
