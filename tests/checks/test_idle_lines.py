"""Lines and choices without which games are the same, and values of options that fail with some players only: by play."""

from __future__ import annotations

from textwrap import indent

import pytest
from rulesrun.interpreter.checks.played.exploring import explore
from rulesrun.interpreter.checks.tables import check
from rulesrun.interpreter.rules import Rules, rules_from
from rulesrun.interpreter.source import Source

ANSWERS = """
game answers
    players 3..4
cards card, 1 of each
    rank: 1..16
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone won of player: set of card, open
marker waiting of player: yes or no
setup
    shuffle every card into deck
    for each player: draw 4 from deck to hand of player
phase play
    repeat until every hand is empty
        for each player with hand not empty
            player chooses
                call a card from hand of player
{call}
                    move card to won of player
                rest: move best of hand of player by lowest rank to box
            {between}
            for each player rival clockwise from left of player to right of player
                if waiting of rival
                    rival chooses
                        follow: set waiting of rival to no
                        leave{leave}
score of player
    cards: count of won of player
    waits: 1 if waiting of player
winner highest score, then shared
"""


def answers(call: str = "set waiting of player to yes", between: str = "nothing", leave: str = ": nothing") -> Rules:
    text = ANSWERS.format(call=indent(call, " " * 20), between=between, leave=leave)
    return rules_from(Source("answers.rules", text))


ROUND = "for each player one: set waiting of one to yes"
CHOICE = "this choice changes nothing"
LINE = "this changes nothing: without it, all test games were the same"


@pytest.mark.parametrize(
    ("rules", "line", "message"),
    [
        (answers(), "", ""),
        (answers(f"set waiting of player to no\n{ROUND}"), "set waiting of player to no", LINE),
        (answers(f"{ROUND}\nset waiting of player to no"), "", ""),
        (answers(between="if waiting of player: set waiting of left of player to yes"), "", ""),
        (answers(leave=": set waiting of rival to no"), "rival chooses", CHOICE),
    ],
)
def test_what_makes_no_difference_is_told(rules: Rules, line: str, message: str) -> None:
    """The line before is lost since who calls is one of those for whom it is set behind it: no proof sees that."""
    rules.required()
    proved = check(rules).findings
    found = [one for one in explore(rules, proved=proved).diagnostics if one.code == "R330"]
    assert [one.span.text.split("\n")[0] for one in found if one.span is not None] == [line] * bool(line)
    assert [one.message.startswith(message) for one in found] == [True] * bool(line)


def test_a_choice_that_is_none_for_one_player() -> None:
    """Who has called waits already, and is asked once more."""
    rules = rules_from(
        Source(
            "bet.rules",
            """
game bet
    players 3
cards card, 1 of each
    rank: 1..4
zone deck: pile of card, hidden
zone hand of player: slot of card, private
counter paid of player: 1..2
marker bettor: player or none
setup
    shuffle every card into deck
    for each player: draw 1 from deck to hand of player
phase betting
    for each player
        if bettor is none: do answer of player
    if bettor is not none
        for each player clockwise from left of bettor to bettor: do answer of player
step answer of player
    player chooses
        pass: nothing
        bet
            set paid of player to 2
            if bettor is none: set bettor to player
score of player
    won:  total paid of players if player is best of (all best of players by highest paid) by highest rank of hand
    paid: -paid of player
winner highest score, then shared
""",
        )
    )
    rules.required()
    assert [one.message for one in explore(rules).diagnostics] == [
        "this choice changes nothing for who is `bettor`: all was the same, whatever was chosen"
    ]


TILES = """
game tiles
    players {players}
table sizes by players
    players | usual | most_each
    2       | 6     | 12
    3       | 6     | {three}
option each: 1..{top}, default usual
option open: yes or no, default no
cards card, 2 of each
    rank: 1..12
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone shown of player: set of card, open
setup
    shuffle every card into deck
    for each player: draw each from deck to hand of player
phase play
    for each player: move best of hand of player by highest rank to shown of player
score of player
    cards: total rank of shown of player
winner highest score, then shared
"""


@pytest.mark.parametrize(
    ("players", "three", "top", "tables"),
    [
        ("2..3", "8", "most_each", []),
        ("2..3", "9", "most_each", ["3 players with each 9"]),
        ("2..3", "8", "12", ["3 players with each 12"]),
        ("3", "8", "12", ["3 players with each 12"]),
    ],
)
def test_a_number_that_fails_with_some_players(players: str, three: str, top: str, tables: list[str]) -> None:
    """The range of an option can be a column of a table by players, so a number that only some can play with is a fault."""
    text = TILES.format(players=players, three=three, top=top)
    rules = rules_from(Source("tiles.rules", text))
    found = [one for one in check(rules).findings if one.severity == "error"]
    assert [table for one in found for table in one.tables] == tables
