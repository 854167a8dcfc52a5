"""None is no number: what rules find does not hang on whether their numbers are small, large or below 0.

A game in which numbers are only compared with one another is written with its numbers as they are, and with all of them moved up
or down by as much; it must come to the same. With none standing for a number, as it does in code, some of them would meet it.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..pipeline import machine_of, play, small, value_of
from ..wasm.compiling import compiled

MOVED = (-1, -2, -3, -4, -40, 40_000)  # by how much; the numbers are 0..4

WORLD = """
cards card, 1 of each
    suit: red, blue
    rank: <0>..<4>
zone hand of player: set of card, open
zone front of player: slot of card, open
zone field: grid of card, 3 x 1, open
counter level of player: <0>..<4>
marker who, missing: player or none
counter told: 0..1023
define top of player: highest rank among hand of player
define low of player
    lowest rank among hand of player if hand of player is not empty
    otherwise level of player
define fits of card: rank of card if suit of card is red, otherwise none
define ahead of player: level of player if level of player > level of left of player, otherwise none
table prize by rank
    rank | prize
    <0> | <1>
    <2> | <4>
    otherwise | <3>
"""

SETUP = """
move (every card with rank <1>) to hand of player 1
move any card from (every card with rank <3>) to hand of player 1
move (every card with rank <0>) to hand of player 2
move any card from (every card with rank <2>) to front of player 1
put any card from (every card with rank <4>) on b1
set level of player 1 to <1>
set level of player 2 to <3>
set level of player 3 to <2>
set who to player 2
"""

PLAYERS = ("player 1", "player 2", "player 3", "who", "missing", "left of who")
NUMBERS = ("<0>", "<1>", "<2>", "<3>", "<4>")


def maybe(depth: int) -> st.SearchStrategy[str]:
    """Numbers that may be none."""
    players = st.sampled_from(PLAYERS)
    plain = st.one_of(
        st.sampled_from(["rank of a1", "rank of b1"]),
        st.builds("{0} of {1}".format, st.sampled_from(["rank of front", "top", "ahead"]), players),
        st.builds("{0} of {1}".format, st.sampled_from(["level", "low"]), st.sampled_from(PLAYERS[3:])),
    )
    if not depth:
        return plain
    cards = st.builds(
        "{0}{1}".format,
        st.builds("hand of {0}".format, players),
        st.one_of(
            st.just(""), compared(st.sampled_from(["rank of card", "(fits of card)"]), values(0)).map(" where ({0})".format)
        ),
    )
    return st.one_of(
        plain,
        st.builds("({0} rank among ({1}))".format, st.sampled_from(["highest", "lowest"]), cards),
        st.builds("({0} (fits of card) for each card in ({1}))".format, st.sampled_from(["highest", "lowest"]), cards),
        st.builds("({0} (level of player) for each player)".format, st.sampled_from(["highest", "lowest"])),
        st.builds("rank of any card from ({0})".format, cards),
    )


def values(depth: int) -> st.SearchStrategy[str]:
    """Numbers."""
    levels = st.builds("level of {0}".format, st.sampled_from(PLAYERS[:3]))
    prizes = st.builds("prize for ({0})".format, maybe(0))
    return st.one_of(st.sampled_from(NUMBERS), levels, prizes, maybe(depth))


def compared(one: st.SearchStrategy[str], other: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds("{0} {1} {2}".format, one, st.sampled_from(["is", "is not", "<", "at least"]), other)


def conditions(depth: int) -> st.SearchStrategy[str]:
    there = st.builds("{0} is {1}none".format, maybe(depth), st.sampled_from(["", "not "]))
    return st.one_of(compared(values(depth), values(depth)), there)


def moved(text: str, by: int) -> str:
    """The text with its numbers moved, in brackets where they are below 0 and stand in an expression."""
    declared = re.sub(r"<(\d)>(?=\.\.| \|)|(?<=\.\.|\| )<(\d)>", lambda n: str(int(n[1] or n[2]) + by), text)
    return re.sub(r"<(\d)>", lambda n: f"({int(n[1]) + by})", declared)


def told(asked: list[str], by: int) -> int:
    """Which conditions hold, as bits, with all numbers moved."""
    lines = "\n".join(f"if {condition}: add {1 << number} to told" for number, condition in enumerate(asked))
    machine = machine_of(small(moved(WORLD, by), moved(SETUP + lines, by)), 3)
    assert violations(machine) == []
    game = play(machine)
    assert game.stop.kind == "over", game.stop
    assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 0, 0)) == []
    return value_of(game.executor, game.cells, "told")


ASKED = [
    "rank of a1 is none",
    "rank of b1 is <4>",
    "top of player 1 is <3>",
    "(lowest rank among (hand of missing)) is none",
    "(highest (fits of card) for each card in (hand of player 1 where (rank of card < level of who))) is <1>",
    "prize for (rank of front of player 3) is <3>",
    "level of left of who at least <2>",
    "level of missing < <0>",
    "low of player 3 is <2>",
    "ahead of player 1 is not none",
]


@pytest.mark.parametrize("by", [0, *MOVED])
def test_none_is_no_number(by: int) -> None:
    assert f"{told(ASKED, by):010b}"[::-1] == "1111111010"


@pytest.mark.slow
@given(st.lists(conditions(2), min_size=6, max_size=10), st.sampled_from(MOVED))
@settings(max_examples=25, phases=[Phase.explicit, Phase.generate])
def test_conditions_hold_with_all_numbers_moved(asked: list[str], by: int) -> None:
    assert told(asked, by) == told(asked, 0)
