"""Findings about a line of the score sheet that gives nobody anything: they name the part that makes it so."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.checks.explored.exploring import explore
from rulesrun.interpreter.checks.explored.never.why_nothing import why_nothing
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import table_of
from rulesrun.interpreter.rules import Rules, rules_from

DRAWN = """
game drawn
    players 2..3
cards card, 1 of each
    suit: sun, moon
    rank: 2..9
zone deck: pile of card, hidden
zone hand of player: set of card, private
define ranks of player: total rank of hand of player
define taken: all best of every hand by highest rank, then highest suit
setup
    shuffle every card into deck
    for each player: draw 2 from deck to hand of player
phase play
    for each player
        player chooses
            take: draw 1 from deck to hand of player
            stand: nothing
score of player
    hand: ranks of player
    natural: {line}
winner highest score, then shared
"""


def drawn(line: str) -> Rules:
    return rules_from(Source("drawn.rules", DRAWN.format(line=line)))


NEVER = "this never held at the end of a game"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 if count of hand of player is 2 and ranks of player is 60", [("ranks of player is 60", NEVER)]),
        (
            "1 if count of hand of player is 3 and ranks of player is 5",
            [("count of hand of player is 3", "this held, but never with the rest"), ("ranks of player is 5", "of this")],
        ),
        ("ranks of player mod count of hand of player if ranks of player < 3", [("ranks of player < 3", NEVER)]),
        ("ranks of player mod count of taken", [("count of taken", "this was always 1 at the end of a game")]),
    ],
)
def test_the_part_that_makes_it_nothing_is_named(line: str, said: list[tuple[str, str]]) -> None:
    rules = drawn(line)
    rules.required()
    table = table_of(rules, 2, (), {}).table
    (term,) = (each for each in table.terms if each.name == "natural")
    assert [(span.text, text) for span, text in why_nothing(term, table, 0)] == said


@pytest.mark.slow
def test_a_finding_says_it() -> None:
    rules = drawn("1 if count of hand of player is 3 and ranks of player is 5")
    (finding,) = explore(rules).diagnostics
    assert finding.code == "R393"
    assert [label.text for label in finding.labels[1:]] == ["this held, but never with the rest", "of this"]
