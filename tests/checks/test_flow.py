"""Loops that never begin, that come no nearer to their end, and places that are filled twice."""

from __future__ import annotations

from textwrap import indent

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

from ..pipeline import findings

GAME = """
game small
    players 2..3
option extra: 0..3, default 0
cards card, 2 of each
    suit: moon, sun
    rank: 1..6
pieces stone, 9 for each player
zone deck: pile of card, hidden
zone heap: pile of card, open
zone hand of player: set of card, open
zone lot: slot of card, open
zone row: set of card, open
zone board: grid of stone, 3 x 3, open
counter pot: 0..20
counter purse of player: 0..20
marker leader: player
define deck_is_used_up: deck is empty
define hands_of_player_are_full of player: count of hand of player at least 5
{declarations}
setup
    shuffle every card into deck
    for each player: draw 2 from deck to hand of player
    draw 2 from deck to row
    set leader to player 1
    set pot to 5
phase only
{lines}
score of player
    points: purse of player
winner highest score, then shared
"""


def codes(lines: str, declarations: str = "") -> list[str]:
    text = GAME.format(lines=indent(lines.strip("\n"), "    "), declarations=declarations)
    found = findings(rules_from(Source("small.rules", text.lstrip())))
    return [d.code for d in found if d.code == "R305" or d.code.startswith("R35")]


def loop(until: str, *body: str) -> str:
    return f"repeat until {until}\n" + indent("\n".join(body), "    ")


PUT = "put any stone from every stone on free"


@pytest.mark.parametrize(
    ("until", "body", "ends"),
    [
        ("deck is empty", "draw 1 from deck to row", True),
        ("deck is empty", "move any card from row to deck", False),
        ("deck is empty", "move any card from row to heap", False),
        ("deck is empty", "move any card from every card to heap", True),
        ("deck is empty", "shuffle every card into heap", True),
        ("deck is empty", "remove 1 from deck unseen", True),
        ("deck_is_used_up", "move any card from row to deck", False),
        ("deck_is_used_up or pot is 0", "move any card from row to deck", False),
        ("deck_is_used_up or pot is 0", "take 1 from pot", True),
        ("deck_is_used_up and pot is 0", "take 1 from pot", True),
        ("heap is not empty", "draw 1 from deck to row", False),
        ("heap is not empty", "draw 1 from deck to heap", True),
        ("lot is not none", "draw 1 from deck to row", False),
        ("lot is not none", "draw 1 from deck to lot", True),
        ("count of row > 9", "draw 1 from deck to row", True),
        ("count of row > 9", "move any card from row to deck", False),
        ("count of row at most 1", "move any card from row to deck", True),
        ("pot > 9", "add 1 to pot", True),
        ("pot > 9", "take 1 from pot", False),
        ("pot at least 9", "pay 1 from pot to purse of leader", False),
        ("pot < 2", "pay 1 from pot to purse of leader", True),
        ("purse of leader > 2", "pay 1 from pot to purse of leader", True),
        ("purse of leader > 2", "set leader to left of leader", True),
        ("pot > 20", "set pot to 20 - pot", False),  # it never is
        ("pot at least 20", "set pot to 20 - pot", True),
        ("not pot at least 0", "set pot to 20 - pot", False),
        ("not pot > 0", "set pot to 20 - pot", True),
        ("pot is 9", "set pot to 20 - pot", True),
        ("not pot < 9", "take 1 from pot", False),
        ("somebody with hand empty", "move any card from row to hand of leader", True),  # by owner it is not asked
        ("hands_of_player_are_full of leader", "draw 1 from deck to row", False),
        ("hands_of_player_are_full of leader", "draw 1 from deck to hand of player 2", True),
        ("empty cells of board is empty", "let free be any cell from empty cells of board\n" + PUT, True),
        ("empty cells of board is empty", "add 1 to pot", False),
        ("row has a card with rank 6", "draw 1 from deck to row", True),
        ("row has a card with rank 6", "draw 1 from deck to lot\nmove lot to heap", False),
    ],
)
def test_a_loop_comes_nearer_to_its_end(until: str, body: str, ends: bool) -> None:
    assert codes(loop(until, body)) == ([] if ends else ["R305"])


def test_what_ends_a_step_inside_the_loop_does_not_end_the_loop() -> None:
    body = "step turn\n    if pot is 0: end turn\n    take 1 from pot"
    assert codes(loop("deck is empty", body)) == ["R305"]
    assert codes("step turn\n" + indent(loop("deck is empty", "if pot is 0: end turn\ntake 1 from pot"), "    ")) == []
    assert codes(loop("deck is empty", "if pot is 0: end only\ntake 1 from pot")) == []


def test_what_comes_with_a_name_is_followed() -> None:
    chosen = "leader chooses\n    play a card from row\n        move card to heap"
    assert codes(loop("row is empty", chosen)) == []
    assert codes(loop("deck is empty", chosen)) == ["R305"]
    step = "step away of card: move card to heap"
    assert codes(loop("row is empty", "let card be any card from row\ndo away of card"), step) == []
    assert codes(loop("deck is empty", "let card be any card from row\ndo away of card"), step) == ["R305"]


@pytest.mark.parametrize(
    ("until", "begins"),
    [
        ("deck is not empty", False),
        ("deck is empty", True),
        ("not deck_is_used_up", False),
        ("count of deck < 20", False),
        ("count of deck < 15", True),
        ("nobody with hand not empty", True),
        ("every hand is not empty", False),
        ("pot is 5", False),
        ("pot > 5", True),
        ("pot is 5 and row has a card with rank 6", True),  # not certain
        ("pot is 5 or row has a card with rank 6", False),
        ("lot is none", False),
        ("leader is player 2", True),
    ],
)
def test_a_loop_begins(until: str, begins: bool) -> None:
    everything = "draw 1 from deck to lot\nmove lot to heap\nshuffle heap into deck\ndraw 1 from deck to row\n"
    everything += "move any card from row to hand of leader\nmove hand of leader to heap\nset leader to left of leader\n"
    everything += "add 1 to pot\n"
    assert codes(loop(until, everything)) == ([] if begins else ["R351"])


def test_what_is_not_certain_is_forgotten() -> None:
    ending = loop("pot is 5", "add 1 to pot")
    assert codes(ending) == ["R351"]
    assert codes("leader chooses\n    more: add 1 to pot\n    less: nothing\n" + ending) == []
    assert codes("if row has a card with rank 6: add 1 to pot\n" + ending) == []
    assert codes("repeat 2 times: add 1 to pot\n" + loop("pot is 7", "add 1 to pot")) == ["R351"]
    assert codes("set pot to count of deck\n" + ending) == []
    assert codes("for each player: set purse of player to 3\n" + loop("nobody with purse < 3", "add 1 to pot")) == ["R351"]
    assert codes("do more\n" + loop("pot is 6", "add 1 to pot"), "step more: add 1 to pot") == ["R351"]


def test_a_loop_that_is_reached_again_begins_some_time() -> None:
    assert codes("repeat 2 times\n" + indent("repeat until pot is 5: add 1 to pot\nset pot to 3", "    ")) == []
    assert codes("repeat 2 times\n" + indent("repeat until pot is 5: add 1 to pot\nset pot to 5", "    ")) == ["R351"]


@pytest.mark.parametrize(
    ("lines", "step", "expected"),
    [
        (("draw 1 from deck to row", "repeat until pot is 5: nothing"), "", "R351"),
        (("draw 1 from deck to row", "repeat until pot > 5: nothing"), "", "R305"),
        (("draw 1 from deck to row", "repeat until deck is empty: add 1 to pot"), "", "R305"),
        (("draw 1 from deck to row", "repeat until row is not empty: add 1 to pot"), "", "R351"),
        (("draw 1 from deck to row", "repeat until pot is 5: nothing", "set pot to 3"), "", "R305"),
        (("leader chooses", "    go: do more", "    stay: nothing", "draw 1 from deck to row"), "pot is 5", "R351"),
        (("do more", "set pot to 3", "do more", "draw 1 from deck to row"), "pot is 5", "R305"),
        (("take turns until pot is 5: add 1 to purse of player", "draw 1 from deck to row"), "", "R351"),
    ],
)
def test_a_loop_that_is_over_whenever_it_is_reached_never_begins(lines: tuple[str, ...], step: str, expected: str) -> None:
    """Though nothing in it could ever bring its end."""
    more = f"step more\n    repeat until {step}: add 1 to purse of leader" if step else ""
    assert codes(loop("deck is empty", *lines), more) == [expected]


def test_a_loop_inside_another_is_reached_again() -> None:
    assert codes(loop("deck is empty", "repeat until pot is 5: add 1 to pot", "draw 1 from deck to row", "set pot to 3")) == []


def test_a_loop_that_an_option_switches_off_is_no_fault() -> None:
    assert codes("repeat extra times: add 1 to pot") == []
    assert codes("repeat until extra is 0 at most 3 times\n    add 1 to pot\notherwise: nothing") == []


@pytest.mark.parametrize(("less", "expected"), [(2, []), (3, ["R351"]), (4, ["R351"])])
def test_a_loop_that_is_repeated_less_than_no_times_never_begins(less: int, expected: list[str]) -> None:
    """None is a number of rounds, as of an option that switches something off; fewer is a slip."""
    assert codes(f"repeat players - {less} times: add 1 to pot") == expected


CHOICE = """leader chooses
    buy
        only if pot > 5
        take 1 from pot
    play a card from {}
        move card to heap"""


@pytest.mark.parametrize(
    ("source", "before", "stuck"),
    [
        ("heap", "", True),
        ("row", "", False),
        ("row where low", "", False),  # not certain
        ("hand of leader", "", False),
        ("hand of player 1", "", False),
        ("hand of player 1", "move hand of player 1 to heap", True),
        ("hand of player 1", "move every hand to heap", False),  # it is, but that is not followed
        ("heap", "add 1 to pot", False),
        ("heap", "leader chooses\n    add: add 1 to pot\n    pass: nothing", False),
    ],
)
def test_a_choice_with_nothing_to_choose(source: str, before: str, stuck: bool) -> None:
    declared = "define low of card: rank of card < 3"
    assert codes(f"{before}\n{CHOICE.format(source)}", declared) == (["R350"] if stuck else [])
    assert codes(f"{before}\n{CHOICE.format(source)}\n    if impossible: nothing", declared) == []


def test_a_choice_in_the_first_round_of_a_loop() -> None:
    choice = CHOICE.format("heap")
    assert codes(loop("row is empty", choice, "move row to heap")) == ["R350"]
    assert codes(loop("row has a card with rank 6", choice, "draw 1 from deck to row")) == []  # it may be over at once
    assert codes(loop("row is empty", "add 1 to pot", choice, "move row to heap")) == []
    assert codes(f"for each player\n{indent(choice, '    ')}") == ["R350"]
    amounts = "leader chooses\n    take a number from 1..purse of leader\n        add number to pot"
    assert codes(amounts) == ["R350"]
    assert codes(f"set leader to a random player\n{amounts}") == []  # who that is is not known


def test_who_is_first_in_a_loop_counts() -> None:
    choice = "player chooses\n    take\n        only if pot > 5 or player is player 2\n        add 1 to pot\n"
    choice += "    pass\n        only if pot > 5"
    assert codes(f"for each player clockwise from player 2\n{indent(choice, '    ')}") == []
    assert codes(f"for each player clockwise from player 1\n{indent(choice, '    ')}") == ["R350"]
    assert codes(f"set leader to a random player\nfor each player clockwise from leader\n{indent(choice, '    ')}") == []


AUCTION = """
draw 1 from deck to lot
auction for lot
    bidders: players
    bids: 1..9, each higher than the last
    a pass is final
    no bids: {no_bids}
    payment: purse of winner to pot
    won: {won}
    cannot pay
        {cannot_pay}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("no_bids", "won", "cannot_pay", "full"),
    [
        ("move lot to heap", "move lot to row", "bid again without winner", False),
        ("nothing", "move lot to row", "bid again without winner", True),
        ("add 1 to pot", "move lot to row", "bid again without winner", True),
        ("move lot to heap", "nothing", "bid again without winner", True),
        ("move lot to heap", "move lot to row", "move lot to heap", False),
        ("move lot to heap", "\n        if pot > 3: move lot to row", "bid again without winner", False),  # not certain
    ],
)
def test_the_lot_is_gone_before_the_next(no_bids: str, won: str, cannot_pay: str, full: bool) -> None:
    sale = AUCTION.format(no_bids=no_bids, won=won, cannot_pay=cannot_pay)
    assert codes(loop("deck is empty", sale)) == (["R352"] if full else [])
    assert codes(sale) == []


@pytest.mark.parametrize(
    ("body", "full"),
    [
        ("draw 1 from deck to lot", True),
        ("draw 1 from deck to lot\nmove lot to row", False),
        ("move lot to row\ndraw 1 from deck to lot", False),
        ("draw 1 from deck to lot\nleader chooses\n    take: move lot to hand of leader\n    leave: nothing", True),
        ("draw 1 from deck to lot\nleader chooses\n    take: move lot to hand of leader\n    leave: move lot to row", False),
        ("draw 1 from deck to lot\nif pot > 3: move lot to row", False),  # not certain
        ("draw 1 from deck to lot\nfor each card in row: move lot to heap", False),
        ("if lot is none: draw 1 from deck to lot\nif lot is not none: draw 1 from deck to row", False),
        ("step turn\n    draw 1 from deck to lot\nadd 1 to pot", True),
        ("draw 1 from deck to lot\nmove every card to row", False),
        ("draw 1 from deck to box", False),
    ],
)
def test_a_slot_is_free_again(body: str, full: bool) -> None:
    found = [code for code in codes(f"repeat 3 times\n{indent(body, '    ')}") if code != "R604"]
    assert found == (["R352"] if full else [])


NEVER = """
repeat until {until}
    {done}
    player 1 chooses
        wait: nothing
"""


@pytest.mark.parametrize(
    ("until", "done", "codes"),
    [
        ("purse of player 1 is 20 or pot is 3", "set purse of player 1 to 0\n    add 1 to pot", ["R327"]),
        ("purse of player 1 > 3 or pot is 3", "set purse of player 1 to 3\n    add 1 to pot", ["R327"]),
        ("purse of player 1 at least 3 or pot is 3", "set purse of player 1 to 3\n    add 1 to pot", []),
        ("purse of player 1 is 20 or pot is 3", "set purse of player 1 to extra\n    add 1 to pot", []),
        ("purse of player 1 is 20 or pot is 3", "add 1 to purse of player 1\n    add 1 to pot", []),
        ("purse of player 1 is not 0 or pot is 3", "set purse of player 1 to 0\n    add 1 to pot", []),
    ],
)
def test_a_part_of_an_end_that_no_game_brings(until: str, done: str, codes: list[str]) -> None:
    text = GAME.format(declarations="", lines=indent(NEVER.format(until=until, done=done).strip(), "    "))
    found = [finding for finding in findings(rules_from(Source("small.rules", text))) if finding.code == "R327"]
    assert [finding.code for finding in found] == codes
    assert all("never ends this loop" in finding.message for finding in found)


def test_an_end_that_a_variant_brings_can_come() -> None:
    lines = indent(NEVER.format(until="purse of player 1 is 7 or pot is 5", done="set purse of player 1 to 0").strip(), "    ")
    variant = "variant rich\n    add after shuffled\n        set purse of player 1 to 7\n"
    text = GAME.format(declarations="step shuffled: set pot to 5", lines=f"    do shuffled\n{lines}") + variant
    found = [finding for finding in findings(rules_from(Source("small.rules", text))) if finding.code == "R327"]
    assert found == []
