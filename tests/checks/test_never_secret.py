"""Zones that are private, and never a secret."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.checks.explored.exploring import explore
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

BETS = """
game bets
    players 2..3
cards card, 1 of each
    rank: 1..16
zone deck: pile of card, hidden
zone row: set of card, open
zone hand of player: set of card, private
zone won of player: set of card, private
counter bet of player: 0..9
setup
    shuffle every card into deck
phase bets
    repeat 2 times
        for each player: draw 2 from deck to hand of player
        draw 1 from deck to row
        {before}
        for each player
            player chooses
                bet a number from 1..9: set bet of player to number
        {after}
        let best_one be best of players by highest (total rank of hand * bet), then lowest seat
        move row to won of best_one
        reveal every won
        for each player: move hand of player to box
score of player
    won: total rank of won of player + bet of player
winner highest score, then shared
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("nothing", "reveal every hand", []),
        ("nothing", "nothing", []),
        ("reveal hand of player 1", "reveal hand of player 2", []),
        ("reveal every hand", "nothing", ["`hand` never kept a secret: whenever somebody decided, all knew what lay there"]),
        ("if players is 2: reveal every hand", "nothing", []),
    ],
)
def test_a_zone_that_never_keeps_a_secret(before: str, after: str, told: list[str]) -> None:
    """What came to `won` openly is private and known to all; it is none of these."""
    rules = rules_from(Source("bets.rules", BETS.format(before=before, after=after)))
    rules.required()
    found = explore(rules, proved=check(rules).findings).diagnostics
    assert [one.message for one in found if one.code == "R376"] == told
