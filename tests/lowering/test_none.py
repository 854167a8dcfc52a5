"""None is no number: what rules find does not hang on whether their numbers are small, large or below 0.

A game in which numbers are only compared with one another is written with its numbers as they are, and with all of them moved up
or down by as much; it must come to the same. With none standing for a number, as it does in code, some of them would meet it.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.hosting.messages import table_facts
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.play.game import table_of
from rulesrun.interpreter.play.result import tie_broken
from rulesrun.interpreter.printing.components.things import things_of
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..pipeline import findings, machine_of, play, small, stages, value_of
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


def text_of(asked: list[str], by: int) -> str:
    """A game in which it is counted, as bits, which conditions hold, with all numbers moved."""
    lines = "\n".join(f"if {condition}: add {1 << number} to told" for number, condition in enumerate(asked))
    return small(moved(WORLD, by), moved(SETUP + lines, by)).replace("players 1..4", "players 3")


def told(asked: list[str], by: int) -> int:
    """Which conditions hold, as bits, with all numbers moved."""
    machine = machine_of(text_of(asked, by), 3)
    assert violations(machine) == []
    game = play(machine)
    assert game.stop.kind == "over", game.stop
    assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 0, 0)) == []
    return value_of(game.executor, game.cells, "told")


def assert_check_agrees(asked: list[str], by: int, held: int) -> None:
    """What the checker says of a condition, that it always or never holds, is so in this game."""
    for finding in findings(rules_from(Source("none.rules", text_of(asked, by)))):
        line = "" if finding.span is None else finding.span.source.line(finding.span.line).strip()
        bit = re.fullmatch(r"if (.*): add (\d+) to told", line)
        if finding.code == "R327" and finding.span is not None and bit is not None and bit[1] == finding.span.text:
            assert bool(held & int(bit[2])) == ("always" in finding.message), finding.message


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
    held = told(ASKED, by)
    assert f"{held:010b}"[::-1] == "1111111010"
    assert_check_agrees(ASKED, by, held)


@pytest.mark.slow
@given(st.lists(conditions(2), min_size=6, max_size=10), st.sampled_from(MOVED))
@settings(max_examples=25, phases=[Phase.explicit, Phase.generate])
def test_conditions_hold_with_all_numbers_moved(asked: list[str], by: int) -> None:
    held = told(asked, by)
    assert held == told(asked, 0)
    assert_check_agrees(asked, by, held)


SETTLED = """
cards card, 1 of each
    suit: red, blue
    value: -1..2
option opener: player or none, default none
option extra: 0..4 or none, default none
list depth: 1..3
counter n: -99..99
marker mover: player or none
counter held of player for depth: 0..9
table fee by number_of: -1: 7, 0: 1, otherwise: 2
define first_card: [red -1] if extra is none, otherwise none
"""


@pytest.mark.parametrize(
    ("line", "n"),
    [
        ("if extra is -1: set n to 1", 0),
        ("if extra is none: set n to 1", 1),
        ("if extra < 3 or extra > -2: set n to 1", 0),
        ("set n to value of first_card", -1),
        ("if value of first_card is none: set n to 1", 0),
        ("if left of opener is none: set n to 1", 1),
        ("if seat of opener is none: set n to 1", 1),
        ("set n to count of team of opener + count of opponents of opener", 0),
        ("set n to fee for extra", 2),
        ("set n to total (extra) for each player", 0),
        ("if held of player 1 for extra is none: set n to 1", 1),
        ("set n to extra + 1", None),
        ("set n to larger of extra and 0", None),
        ("set n to extra", None),
        ("set n to seat of opener", None),
    ],
)
def test_none_that_is_settled_is_no_number(line: str, n: int | None) -> None:
    """``n``: None where a number is needed and the rules are at fault."""
    found = stages(small(SETTLED, line), 2)
    if n is None:
        assert found.codes == ["R301"]
    else:
        assert found.machine is not None, found.messages
        game = play(found.machine)
        assert value_of(game.executor, game.cells, "n") == n


SHOWN = """
game shown
    players 2
tiles tile, 1 of each
    number: 1..2
    shape "ab"
        height: -1..0
cards card, 1 of each
    rank: -1..1
zone map: grid of tile, 3 x 3, open
zone hand of player: set of card, open
counter debt of player: -1..5
setup
    set debt of player 1 to -1
    move (every card with rank (-1)) to hand of player 1
    move (every card with rank 1) to hand of player 2
phase only
    nothing
score of player
    points: 0
winner highest score, then lowest (lowest rank among hand of player), then shared
"""


def test_a_number_below_0_is_shown_as_it_is() -> None:
    """On the page, on printed cards, and where it decides who wins."""
    game = table_of(rules_from(Source("shown.rules", SHOWN)), 2)
    state = game.start(1)
    debts = [value for value in state.view().values if value.name == "debt"]
    assert [(value.value, value.unset) for value in debts] == [("-1", False), ("0", False)]
    card = game.table.kinds["card"]
    assert things_of(card, 2, game.words)[0].facts == (("rank", "-1"),)
    (told,) = (kind for kind in table_facts(game)["kinds"] if kind["kind"] == "card")
    assert told["attributes"] == [{"name": "rank", "values": ["-1", "0", "1"], "numbers": True}]
    assert [set(texts) for texts in game.machine.grids[0].texts["tile"]] == [{"-1", "0"}] * 2
    assert list(state.keys.values())[1] == [-1, 1]
    assert tie_broken(state, 0).endswith("broken by lowest (lowest rank among hand of player): \N{MINUS SIGN}1 < 1")


def test_of_none_a_define_is_none_and_the_checker_knows() -> None:
    rules = rules_from(
        Source(
            "of_none.rules",
            """
game of_none
    players 2
counter coins of player: 1..9
counter told: 0..9
marker leader: player or none
define gold of player: coins of player + 1
define poor of player: coins of player < 9
phase only
    player 1 chooses
        crown a player: set leader to player
        uncrown: nothing
    if gold of leader is none: add 1 to told
    if not (poor of leader): add 2 to told
    player 1 chooses
        tax a player: add 1 to coins of player
        rest: nothing
score of player
    points: told
winner highest score, then shared
""",
        )
    )
    assert [finding.message for finding in findings(rules)] == []
    ends = []
    for first in ("crown player 2", "uncrown"):
        state = table_of(rules, 2).start(1)
        state.play(first)
        state.play("rest")
        ends.append(state.scores)
    assert ends == [[0, 0], [3, 3]]
