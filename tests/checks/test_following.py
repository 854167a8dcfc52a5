"""A finding that only follows from another mistake is not shown; one with another cause is."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

from ..pipeline import changed

GAME = """game small
    players 2..4
cards card, 1 of each
    rank: 1..8
counter coins of player: 0..9
marker leader: player
zone deck: pile of card, hidden
zone hand of player: set of card, open
zone kept of player: set of card, open
define riches of player: total rank of kept of player
setup
    shuffle every card into deck
    for each player: draw 2 from deck to hand of player
    set leader to left of player 1
phase only
    for each player clockwise from leader
        set coins of player to 6
        player chooses
            keep a card from hand of player
                move card to kept of player
score of player
    coins: coins of player
    riches: riches of player
winner highest score, then shared
variant crowd
    needs players is 4
    add to score
        place: seat of player
test "coins"
    players Ann, Bob
    given coins of Ann: 8
    given hand of Ann: [7]
    start only
    Ann: keep [7]
    expect coins of Ann is 6
test "many"
    players Ann, Bob, Cy, Dee
    with crowd
    expect count of deck is 0
"""


def found(*changes: tuple[str, str]) -> list[Diagnostic]:
    return list(check(rules_from(Source("small.rules", changed(GAME, changes)))).findings)


def test_the_game_is_right() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("change", "code", "places"),
    [
        (("counter coins of player: 0..9\n", ""), "R201", 1),
        (("zone hand of player: set of card, open\n", ""), "R201", 1),
        (("    shuffle every card into deck\n", ""), "R323", 3),
        (("move card to kept of player", "nothing"), "R323", 2),
        (("    set leader to left of player 1\n", ""), "R344", 2),
        (("counter coins of player", "counter coins"), "R206", 3),
        (("zone kept of player: set of card, open\n", ""), "R201", 1),
        (("define riches of player: total rank of kept of player\n", ""), "R201", 1),
        (("players 2..4", "players 2..3"), "R406", 3),
        (("players 2..4", "players 3..4"), "R406", 2),
        (("needs players is 4", "needs players is 5"), "R408", 3),
        (("coins of player: 0..9", "coins of player: 0..3"), "R301", 3),
        (("draw 2 from", "draw 3 from"), "R340", 3),
    ],
)
def test_the_cause_alone_is_said(change: tuple[str, str], code: str, places: int) -> None:
    findings = found(change)
    assert [(d.code, len(d.labels)) for d in findings] == [(code, places)]


def test_a_mistake_in_a_test_alone_is_said() -> None:
    assert [d.code for d in found(("expect coins of Ann", "expect conis of Ann"))] == ["R201"]
    both = found(("expect coins of Ann", "expect conis of Ann"), ("set leader", "set laeder"))
    assert [d.span.line for d in both if d.span is not None] == [14]  # it may be the same mistake, and comes when that is mended


def test_what_another_mistake_does_not_explain_is_said_too() -> None:
    codes = [d.code for d in found(("    set leader to left of player 1\n", ""), ("move card to kept of player", "nothing"))]
    assert codes == ["R323", "R344"]


def test_a_test_with_variants_that_are_refused_is_named() -> None:
    (finding,) = found(("players Ann, Bob\n    given coins", "players Ann, Bob\n    with crowd\n    given coins"))
    assert finding.code == "R402"
    assert [label.span.text for label in finding.labels if label.text == "in this test"] == ['test "coins"']


def test_the_line_that_says_how_many_play_is_named_with_all_that_speak_of_others() -> None:
    (finding,) = found(("players 2..4", "players 2..3"))
    assert finding.span is not None
    assert finding.span.text == "players 2..3"
    assert [label.span.text for label in finding.labels[1:]] == ["crowd", "Ann, Bob, Cy, Dee"]


def test_a_counter_is_declared_for_all_that_it_becomes() -> None:
    (finding,) = found(("coins of player: 0..9", "coins of player: 0..3"))
    assert finding.help == "declare `coins` as `0..8`, or change what is set here"
    assert finding.labels[-1].text == "`coins` would become 8"


def test_a_message_without_a_name_is_no_cause_of_another() -> None:
    text = """list region: north, south
counter men of player: 0..9
winner
    for each region
        held: most held for region
        men: most men
variant out
    remove held for 3 from winner
"""
    assert "R230" in {finding.code for finding in check(rules_from(Source("game.rules", text))).findings}
