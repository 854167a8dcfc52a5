"""The values of counters, markers and zones in a whole game: guards that ask for what only the guarded act brings about."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

from ..pipeline import findings

GAME = """
game small
    players 2..3
list mood: calm, wild
option lives: 1..50, default 3
option large: 1..900000, default 3
table size by mood: calm: large, wild: 2
cards card, 2 of each
    rank: 1..30
pieces piece, 1 of each
    worth: 1..2
    marker holder: player or none
zone deck: pile of card, hidden
zone desk: set of card, open
zone top: slot of piece, open
counter extra: 0..large
counter trust: 0..20
counter coins of player: 0..9
counter points of player: 0..9
marker friend of player: player or none
define has_friend of player: friend of player is not none
setup
    shuffle every card into deck
    move a random piece from every piece to top
    add size for calm to extra
    if lives > 3: set points of player 1 to 1
phase play
    repeat until points of player 1 is 9
        if desk is not empty: end play
        for each player
            player chooses
                buy
                    only if {guard}
                    {act}
                wait: set points of player to a random number from 0..9
        {around}
step befriend of player
    set friend of player to left of player
score of player
    coins: coins of player
    points: points of player
    extra: extra
    trust: trust
    friend: 1 if has_friend of player
    holder: 1 if top is not none and holder of top is player
    desk: count of desk
winner highest score, then shared
"""


ELSEWHERE = {  # how each of these is changed elsewhere
    "trust": "set trust to points of player 1 + points of player 2",
    "coins": "set coins of player 1 to points of player 2",
    "friend": "if points of player 2 > 3: do befriend of player 2",
    "holder": "set holder of top to player 2",
    "desk": "if points of player 2 > 3: move a random card from deck to desk",
}


def found(name: str, guard: str, act: str, around: str = "nothing") -> list[Diagnostic]:
    """All findings where one thing is changed by an act and the others elsewhere."""
    lines = "\n".join((around, *(line for other, line in ELSEWHERE.items() if other != name)))
    text = GAME.format(guard=guard, act=indent(dedent(act), 20 * " ").strip(), around=indent(dedent(lines), 8 * " ").strip())
    return list(findings(rules_from(Source("small.rules", text.strip() + "\n"))))


@pytest.mark.parametrize(
    ("guard", "act", "around", "name"),
    [
        ("trust > 0", "add 1 to trust", "nothing", "trust"),
        ("coins of player > 0", "add 1 to coins of player", "set coins of player 1 to 0", "coins"),
        ("friend of player is not none", "do befriend of player", "nothing", "friend"),
        ("friend of player is left of player", "do befriend of player", "set friend of player 2 to none", "friend"),
        ("holder of top is not none", "set holder of top to player", "set holder of top to none", "holder"),
        ("has_friend of player", "do befriend of player", "nothing", "friend"),
        ("desk is not empty", "draw 1 from deck to desk", "move desk to box", "desk"),
    ],
)
def test_a_guard_that_asks_for_what_only_the_guarded_act_changes(guard: str, act: str, around: str, name: str) -> None:
    finding, *others = found(name, guard, act, around)
    assert (finding.code, finding.message) == ("R327", f"`{guard}` never holds")
    assert finding.labels[0].text.endswith(f"only `buy` would change `{name}`")
    assert others == []  # the line of the score that counts it, and other conditions that ask for it, follow


@pytest.mark.parametrize(
    ("guard", "act", "around", "name"),
    [
        ("trust > 0", "add 1 to trust", ELSEWHERE["trust"], "trust"),
        ("trust is 0", "add 1 to trust", "nothing", "trust"),
        ("trust > 0 or points of player > 3", "add 1 to trust", "nothing", "trust"),
        ("friend of player is not none", "do befriend of player", "set friend of player 2 to player 1", "friend"),
        ("friend of player is none", "do befriend of player", "nothing", "friend"),
        ("holder of top is not none", "set holder of top to player", ELSEWHERE["holder"], "holder"),
        ("has_friend of player", "do befriend of player", ELSEWHERE["friend"], "friend"),
        ("desk is not empty", "draw 1 from deck to desk", ELSEWHERE["desk"], "desk"),
        ("lives > 3", "add 1 to trust", "nothing", "trust"),
    ],
)
def test_a_guard_that_can_hold(guard: str, act: str, around: str, name: str) -> None:
    assert found(name, guard, act, around) == []


def test_what_markers_decide_needs_no_table_for_each_value_of_an_option() -> None:
    """There are 900,000 values of an option on which the range of a counter depends; what a table says depends on it, too."""
    guard, act = "friend of player is not none", "do befriend of player"
    assert [finding.code for finding in found("friend", guard, act)] == ["R327"]
    assert found("friend", guard, act, "if size for wild > size for calm: set friend of player 1 to player 2") == []


def test_the_innermost_condition_is_the_cause() -> None:
    outer = "if friend of player 1 is not none\n    do befriend of player 1"
    rules = GAME.replace("    set friend of player to", "    if friend of player is not none: set friend of player to")
    lines = "\n".join((outer, *(line for name, line in ELSEWHERE.items() if name != "friend")))
    text = rules.format(guard="lives > 3", act="do befriend of player", around=indent(lines, 8 * " ").strip())
    (finding,) = findings(rules_from(Source("small.rules", text.strip() + "\n")))
    assert (finding.code, finding.message) == ("R327", "`friend of player is not none` never holds")
