"""One mistake is one finding, however many lines it shows on; two mistakes stay two."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

from ..pipeline import changed

GAME = """game small
    players 2
cards card, 1 of each
    suit: moon, sun
    rank: 1..4
table worth by rank: 1: 1, 2: 3, 3: 6, 4: 10
counter coins of player: 0..9
counter days: 0..3
zone hand of player: set of card, open
define high of card: rank of card is 4
phase only
    repeat until days is 3
        add 1 to days
        for each player with hand empty: move any card from every card to hand of player
        for each player: set coins of player to seat of player
score of player
    cards: total rank of hand of player
    worth for each card in hand of player: worth of card
    twice for each card in hand of player: 2 * worth of card
    high: count of hand of player where high
winner highest score, then most coins, then shared
test "ranks"
    players Ann, Bob
    given hand of Ann: [moon 3] [sun 3]
    expect hand of Ann is ([moon 3], [sun 3])
    expect worth for 3 is 6
"""


def found(*changes: tuple[str, str]) -> list[Diagnostic]:
    return list(check(rules_from(Source("small.rules", changed(GAME, changes)))).findings)


def test_the_game_is_right() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("changes", "codes", "places"),
    [
        ([("zone hand of player", "zone hands of player")], ["R201"], 2),
        ([("3: 6, ", "")], ["R302"], 4),
        ([("    add 1 to days\n", "    nothing\n")], ["R305"], 1),
        ([("rank of card is 4", "rank of card is 5")], ["R327"], 1),
        ([("    rank: 1..4", "    rank: 1..2"), ("3: 6, 4: 10", "otherwise: 6"), ("is 4", "is 2")], ["R212"], 5),
        ([("most coins", "most coins, then most coins")], ["R329"], 2),
    ],
)
def test_one_mistake_is_one_finding(changes: list[tuple[str, str]], codes: list[str], places: int) -> None:
    findings = found(*changes)
    assert [d.code for d in findings] == codes
    assert len(findings[0].labels) == places


def test_two_mistakes_are_two_findings() -> None:
    changes = [("only\n", "only\n    set coins of player 1 to worht for 1\n    set coins of player 2 to wroth for 1\n")]
    assert [d.code for d in found(*changes)] == ["R201", "R201"]
    never = [("rank of card is 4", "rank of card is 5"), ("high: count", "more: 0 * count of hand of player\n    high: count")]
    assert [d.code for d in found(*never)] == ["R327", "R360"]


FULL = """game full
    players 2..4
cards card, 1 of each
    rank: 1..9
counter days: 0..9
counter coins of player: 0..9
zone deck: pile of card, hidden
zone hand of player: set of card, private
setup
    shuffle every card into deck
    for each player: draw 3 from deck to hand of player
phase early
    repeat until days is 9
        add 1 to days
        nothing
phase only
    set days to 3
    for each player: set coins of player to 0
    repeat {rounds} times: add 1 to days
    for each player
        player chooses
            bet: add 1 to coins of player
            stop: nothing
score of player
    cards: highest rank among hand of player
    coins: coins of player
winner highest score, then shared
"""
NEVER_ENDS = ("        add 1 to days\n", "        nothing\n")


def codes_of(rounds: int, *changes: tuple[str, str]) -> list[str]:
    text = changed(FULL.format(rounds=rounds), changes)
    return [d.code for d in check(rules_from(Source("full.rules", text))).findings]


def test_what_never_ends_hides_nothing_that_is_wrong_before_it() -> None:
    assert codes_of(1) == ["R340"]
    assert codes_of(1, NEVER_ENDS) == ["R340", "R305"]
    assert codes_of(8, ("draw 3", "draw 2")) == ["R301"]
    assert codes_of(8) == ["R340", "R301"]  # with two players the cards are enough, and the days are too many


def test_what_is_done_in_a_loop_without_end_is_no_second_mistake() -> None:
    for line in ("draw 1 from deck to hand of player 1", "do round"):
        step = ("phase early", "step round: draw 1 from deck to hand of player 1\nphase early")
        unused = () if line == "do round" else ("R320",)
        found = codes_of(1, ("draw 3", "draw 2"), step, ("        add 1 to days\n", f"        {line}\n"))
        assert found == [*unused, "R305"]


def test_what_is_missing_behind_a_loop_that_never_begins_is_no_second_mistake() -> None:
    ends = "repeat until days is 9\n        add 1 to days\n"
    never_begins = (ends, "repeat until days is 0\n        draw 1 from deck to row\n")
    taken = ("    set days to 3\n", "    set days to 3\n    for each player: draw 1 from row to hand of player\n")
    row = ("zone deck", "zone row: pile of card, open\nzone deck")
    assert codes_of(1, ("draw 3", "draw 2"), row, taken, never_begins) == ["R351"]
    assert codes_of(8, ("draw 3", "draw 2"), row, never_begins) == ["R351", "R301"]  # the days have nothing to do with it
    assert codes_of(1, row, never_begins) == ["R340", "R351"]


def test_what_is_seen_by_nobody_hides_nothing_of_the_score() -> None:
    back = "    set days to 3\n    for each player: move hand of player to shelf\n"
    shelf = ("zone deck", "zone shelf: set of card, open\nzone deck")
    changes = [shelf, ("draw 3", "draw 2"), ("    set days to 3\n", back)]
    always_0 = ("highest rank among hand of player", "count of hand of player")
    assert codes_of(1, *changes, always_0) == ["R360"]
    assert codes_of(1, *changes, always_0, ("shuffle every card into deck", "move every card to deck")) == ["R375", "R360"]
