"""A game that goes wrong stops at its line, and says what happened."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..pipeline import machine_of, play, small, value_of
from ..wasm.compiling import compiled

WORLD = """
cards card, 1 of each
    suit: red, blue
    rank: 1..3
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone spot: slot of card, open
counter n: 0..9
counter depth: -3..3
counter coins of player: 0..3
marker leader: player
marker guest: player or none
table prize by n: 0: 4, 1: 5, 3: 7
step give of player: add 1 to coins of player
"""

STOPS = [
    ("R601", "player 1 chooses\n    play a card from hand of player 1: nothing", "player 1 must choose, and nothing is allowed"),
    ("R602", "repeat 10 times: add 1 to n", "`n` would become 10, and it is 0..9"),
    ("R602", "repeat 4 times: take 1 from depth", "`depth` would become -4, and it is -3..3"),
    ("R602", "set leader to guest", "`leader` would become none, and it is a player"),
    ("R602", "pay 1 from coins of player 2 to coins of player 1", "`coins of player 2` would become -1, and it is 0..3"),
    ("R603", "add 2 to n\nadd prize to depth", "the table `prize` has no row for 2"),
    ("R603", "add 2 to n\nif prize is 9: add 1 to n", "the table `prize` has no row for 2"),
    ("R603", "add 2 to n\nif prize is 4: nothing", "the table `prize` has no row for 2"),
    ("R604", "draw 1 from deck to spot", "deck is empty, and a card is to be drawn"),
    ("R604", "move a random card from hand of player 1 to spot", "there is no card to take by chance"),
    ("R604", "set leader to a random player from players with coins > 0", "there is nothing to choose from by chance"),
    ("R605", "move best of every card by highest rank to spot", "this does not decide between red 3, blue 3"),
    ("R606", "repeat until n is 3: set n to 2", None),
    ("R607", "repeat until n is 3\n    player 1 chooses\n        wait: nothing", None),
    ("R608", "repeat until n is 9 at most 3 times: add 1 to n", "this is not over after 3 rounds"),
    ("R609", "move every card to spot", "red 1 lies already in spot"),
    ("R610", "for each player clockwise from leader: add 1 to n", "`leader` is used before it is set"),
    ("R610", "if count of hand of leader is 9: add 1 to n", "`leader` is used before it is set"),
    ("R610", "if hand of leader with rank 7 is not empty: add 1 to n", "`leader` is used before it is set"),
    ("R610", "if count of hand of leader with rank > 3 is 1: add 1 to n", "`leader` is used before it is set"),
    ("R610", "for each player clockwise from guest: add 1 to n", "`guest` is none, and a player is needed"),
    ("R610", "take turns clockwise from guest until n is 2: add 1 to n", "`guest` is none, and a player is needed"),
    ("R610", "draw 1 from deck to hand of guest", "`guest` is none, and a player is needed"),
    ("R610", "move any card from every card to hand of guest", "`guest` is none, and a player is needed"),
    ("R610", "do give of guest", "`guest` is none, and a player is needed"),
    ("R610", "add 1 to coins of guest", "`coins` of none is set"),
    ("R610", "guest chooses\n    wait: nothing", "there is nobody to choose"),
    ("R610", "set n to rank of spot + 1", "`rank of spot` is none, and a number is needed"),
    ("R610", "set depth to rank of spot", "`rank of spot` is none, and a number is needed"),
    ("R611", "set n to 5 / depth rounded down", "this divides by 0"),
    ("R611", "set n to 5 mod depth", "this divides by 0"),
]


@pytest.mark.slow_cases("R607 wait: nothing")
@pytest.mark.parametrize(
    ("code", "lines", "text"), STOPS, ids=[f"{code} {lines.splitlines()[-1].strip()}" for code, lines, _ in STOPS]
)
def test_it_stops(code: str, lines: str, text: str | None) -> None:
    machine = machine_of(small(WORLD, lines), 2)
    stop = play(machine).stop
    assert stop.fault is not None, stop
    assert stop.fault.code == code
    if text is not None:
        assert stop.text == text
    assert stop.fault.span.source.path == "test.rules"

    phase = stop.fault.span.source.text.index("phase only")
    assert stop.fault.span.start > phase


@pytest.mark.parametrize(
    ("lines", "asked"),
    [("set n to 5 / depth rounded down", "depth"), ("set n to 5 mod (depth + 1 - 1)", "depth + 1 - 1")],
)
def test_who_divides_by_0_is_told_what_to_ask_first(lines: str, asked: str) -> None:
    stop = play(machine_of(small(WORLD, lines), 2)).stop
    assert stop.fault is not None
    assert stop.fault.help == f"ask first: `if {asked} is not 0`"
    ended = play(machine_of(small(WORLD, f"if {asked} is not 0: {lines}"), 2)).stop
    assert ended.kind == "over"


def test_of_several_lines_that_ask_the_one_that_ran_is_shown() -> None:
    lines = "if n is 1: add 1 to coins of leader\nif n is 0: set coins of leader to 2"
    stop = play(machine_of(small(WORLD, lines), 2)).stop
    assert stop.fault is not None
    assert stop.fault.code == "R610"
    assert "set coins of leader to 2" in stop.fault.span.source.line(stop.fault.span.line)


@pytest.mark.slow
def test_what_goes_through_sets_again_and_again_is_not_stopped() -> None:
    """It takes more rounds than a loop may make that might never end."""
    world = """
        cards card, 1 of each
            rank: 1..110
        zone table: set of card, open
        counter n: 0..9
        define near of card: count of table where (distance between rank and rank of card < n)
        define alike of card: count of table with near (near of card)
    """
    lines = "move every card to table\nset n to 3\nif table has a card with alike 7: add 1 to n"
    game = play(machine_of(small(world, lines), 2))
    assert (game.stop.kind, value_of(game.executor, game.cells, "n")) == ("over", 3)


SILENT = [
    ("count of hand of guest", 0),
    ("count of team of guest", 0),
    ("count of opponents of guest", 0),
    ("left of guest is none", 1),
    ("left of guest is guest", 1),
    ("seat of guest is none", 1),
    ("rank of spot is none", 1),
    ("rank of spot < 9", 0),
    ("rank of spot at least 0", 0),
    ("owner of spot is none", 1),
    ("depth - 1 < 0", 1),
    ("depth - 1 at most depth", 1),
    ("-1 < 3", 1),
    ("twice of spot is none", 1),
    ("twice of spot > 0", 0),
    ("big of spot", 0),
    ("not (big of spot)", 1),
    ("coins of guest is none", 1),
    ("rank of spot is depth - 1", 0),
    ("n in (1, 0)", 1),
    ("n in (1, 2)", 0),
    ("n in 0..4", 1),
    ("spot in every card", 0),
]


@pytest.mark.parametrize(("asked", "expected"), SILENT)
def test_what_belongs_to_none(asked: str, expected: int) -> None:
    """``X of none`` is none; sets of nobody are empty; comparisons with none are no."""
    more = "define twice of card: rank of card * 2\ndefine big of card: rank of card > 2\n"
    assert play(machine_of(small(WORLD + more + f"define asked: {asked}"), 2)).ask("asked") == expected


@pytest.mark.parametrize(
    ("lines", "help"),
    [
        ("repeat 4 times: take 1 from depth", "`if depth at least -2: ...`"),
        ("add 8 to n\nrepeat 2 times: add coins of player 1 + 1 to n", "`if n ...: ...`"),
        ("take coins of player 1 from coins of player 2\ntake 1 from coins of player 2", "`if coins of player 2 at least 1: "),
        ("player 1 chooses\n    dig: take 1 from coins of player 1", "`only if coins of player 1 at least 1 o"),
        ("player 1 chooses\n    dig\n        if n is 0: take 1 from coins of player 1", "`only if ... otherwise"),
        ("player 1 chooses\n    dig\n        add 9 to n\n        add 1 to n", "`only if ... otherwise"),
        ("player 1 chooses\n    dig\n        let me be player 1\n        take 1 from coins of me", "`only if ... otherwise"),
        ("player 1 chooses\n    dig\n        set n to 9\n        do raise", "`if n at most 8: ...`"),
    ],
)
def test_a_guard_is_advised_where_it_can_stand(lines: str, help: str) -> None:
    """Inside an act an ``if`` would leave an act that does nothing; what a step is done in is not known there."""
    world = f"{WORLD}step raise: add 1 to n\n"
    stop = play(machine_of(small(world, lines), 2)).stop
    assert stop.fault is not None, stop
    assert stop.fault.code == "R602"
    assert help in stop.fault.help


AUCTION = """auction for n
    bidders: players
    bids: 1..3, each higher than the last
    a pass is final
    won: take price from coins of winner
"""


@pytest.mark.parametrize(
    ("bids", "advised"),
    [
        ("1..3, each higher", "1..coins of bidder, each higher"),
        ("amount from 1..3 and suit, each higher", "amount from 1..coins of bidder and suit, each higher"),
    ],
)
def test_who_bids_more_than_they_have_is_stopped_where_bids_are_said(bids: str, advised: str) -> None:
    won = AUCTION.replace("price", "amount") if "amount" in bids else AUCTION
    stop = play(machine_of(small(WORLD, won.replace("1..3, each higher", bids)), 2)).stop
    assert stop.fault is not None, stop
    assert stop.fault.code == "R602"
    assert stop.fault.help == f"let nobody bid more than they have: `bids: {advised} than the last`"
    assert [text for _, text in stop.fault.places] == ["declared here", "a bid may be more than the bidder has"]


@pytest.mark.slow
def test_three_filters_in_one_another_end_on_the_largest_board() -> None:
    """47 million rounds, none of which can be saved: it is finite, so it is not stopped. A module takes a second for it."""
    declared = "pieces stone, 5 for each player\nzone board: grid of stone, 19 x 19, open"
    lines = """
for each cell in cells of board
    for each cell other in cells of board
        for each cell third in cells of board
            if row of cell + row of other + row of third is 57 and column of cell * column of other * column of third is 6859
                add 1 to n
"""
    machine = machine_of(small(declared + "\ncounter n: 0..9", lines), 2)
    executor = WasmExecutor(machine, compiled(machine))
    cells = executor.fresh(0)
    assert executor.enter(cells).kind == "over"
    reference = Executor(machine)
    assert value_of(reference, reference.unpack(executor.pack(cells)), "n") == 1
