"""Values that are lost on a straight line: set again before they are used, or asked for when they have just been set to none."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

from ..pipeline import findings

GAME = """
game small
    players 2..3
cards card, 1 of each
    rank: 1..9
    marker holder: player or none
zone desk: set of card, open
counter turn: 0..9
counter coins of player: 0..9
marker friend: player or none
marker ally of player: player or none
define lonely: friend is none
phase play
    move a random card from every card to desk
    set friend to a random player
    for each player: set ally of player to a random player
    for each card in desk
        set holder of card to friend
        for each player
{lines}
score of player
    coins: coins of player
    turns: turn
    friend: 1 if friend is player
    ally: 1 if ally of player is player
    holder: count of every card with holder player
    lonely: 1 if lonely
winner highest score, then shared
"""
LOST = ("R330", "this changes nothing: it is set again before anything asks for it")


def is_none(what: str) -> tuple[str, str]:
    return "R344", f"`{what}` is always none here: it has just been set to none"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # asked for when it has just been set to none
        ("set holder of card to none\nlet other be holder of card\nif other is player: add 1 to turn", is_none("holder of card")),
        ("set friend to none\nset ally of player to friend", is_none("friend")),
        ("set friend to none\nadd 1 to turn\nif friend is player: add 1 to turn", is_none("friend")),
        ("set friend to none\nif turn > 3: set ally of player to friend", is_none("friend")),
        ("let other be holder of card\nset holder of card to none\nif other is player: add 1 to turn", None),
        ("set friend to none\nif lonely: add 1 to turn", None),  # its define is used elsewhere, too
        ("set friend to none\nset friend to player\nset ally of player to friend", LOST),
        ("set friend to none\nif turn > 3: set friend to player\nset ally of player to friend", None),
        ("set ally of player to none\nset friend to ally of left of player", None),
        ("set friend to none\nmove card to box\nif friend is player: add 1 to turn", None),
        # set again before it is used
        ("set turn to 3\nset turn to 4", LOST),
        ("set coins of player to 3\nset friend to player\nset coins of player to 4", LOST),
        ("set holder of card to player\nset holder of card to left of player", LOST),
        ("set turn to 3\nadd 1 to turn", None),
        ("set turn to 3\nset coins of player to turn\nset turn to 4", None),
        ("set friend to player\nif lonely: add 1 to turn\nset friend to none", None),
        ("set coins of player to 3\nset coins of left of player to 4", None),
        ("set turn to 3\nif friend is none: set turn to 4", None),
        ("set turn to 3\nplayer chooses\n    stay: nothing\n    go: add 1 to coins of player\nset turn to 4", None),
    ],
)
def test_values_that_are_lost(lines: str, expected: tuple[str, str] | None) -> None:
    text = GAME.format(lines=indent(dedent(lines), 12 * " ")).strip() + "\n"
    found = [(d.code, d.message) for d in findings(rules_from(Source("small.rules", text))) if d.code in ("R330", "R344")]
    assert found == ([] if expected is None else [expected])
