"""Names that the first lines of an option give to values: known to its conditions, its reasons and what it does."""

from __future__ import annotations

from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.model.show import show
from rulesrun.interpreter.rules import rules_from

from ..pipeline import faults, stages

GAME = """
game tricks
    players 2

cards card, 1 of each
    suit: moon, sun
    rank: 1..4

zone deck: pile of card, hidden
zone hand of player: set of card, private
zone table: set of card, open
counter coins of player: 0..99

setup
    shuffle every card into deck
    draw 1 from deck to table
    draw 3 from deck to hand of player 1

phase only
    player 1 chooses
        play a card from hand of player 1
            let led be suit of best of table by lowest rank, then lowest suit
            let least be lowest rank among hand of player 1
            let bonus be 2 * least
            only if suit of card is led unless hand of player 1 has no card with suit led
                otherwise "you must play {led}"
            only if bonus < 2 * rank of card unless count of hand of player 1 is 1 otherwise "not {least}, your lowest"
            let now be coins of player 1
            move card to table
            set coins of player 1 to now + bonus
        discard 2 cards from hand of player 1
            let top be highest rank among table
            only if rank of card > top otherwise "more than {top} is needed"
            move cards to table
        pass: nothing

score of player
    coins: coins of player

winner highest score, then shared

test "each act is asked with its own card"
    players Ann, Bob
    given hand of Ann: [moon 1] [moon 3] [sun 4]
    given table: [moon 2]
    start only
    expect Ann cannot play [sun 4] because "you must play moon"
    expect Ann cannot play [moon 1] because "not 1, your lowest"
    expect Ann can play [moon 3], discard [sun 4]
    expect Ann cannot discard [moon 1] because "more than 2 is needed"
    Ann: play [moon 3]
    expect coins of Ann is 2
"""


def test_the_conditions_and_the_acts_know_the_name() -> None:
    rules = rules_from(Source("tricks.rules", GAME.lstrip()))
    results = list(run_tests(rules))
    assert [result.diagnostics for result in results] == [()] * len(results)
    assert len(results) == 1
    assert faults(rules) == ()


def test_a_name_that_only_conditions_use_is_no_step_of_the_act() -> None:
    with_let = "let top be highest rank among table\n            only if rank of card > top otherwise"
    without = "only if rank of card > highest rank among table otherwise"
    plain = GAME.replace(with_let, without).replace("{top}", "that")
    named = GAME.replace("{top}", "that")
    one, other = stages(named).model, stages(plain).model
    assert one is not None
    assert other is not None
    assert show(one) == show(other)
