"""Acts that take several things: no component is taken twice, and conditions are asked in order, as early as they can be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import rulesrun
from rulesrun import Decision
from rulesrun.interpreter.machine.inspect.show import show
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..pipeline import machine_of, small

DECLARATIONS = """
cards card
    rank: 1..3
    rank | count
    1 | 1
    2 | 1
    3 | 2
zone hand of player: set of card, open
zone row: set of card, open
define held: hand of player 1
define spare: row
define high: hand of player 1 with rank > 2
define one_of
    hand of player 1 if count of row > 0
    otherwise row
marker named: card or none
"""
SETUP = """
move every card to row
move row with rank < 3 to hand of player 1
move any card from row with rank 3 to hand of player 1
let chosen be hand of player 1 with rank > 1
player 1 chooses
    serve a card from {first} and a card other from {second}
        nothing
    if impossible: nothing
"""

# The hand holds 1, 2 and 3, the row another 3.
PAIRS = [
    ("hand of player 1", "hand of player 1", {"1 2", "1 3", "2 1", "2 3", "3 1", "3 2"}),
    ("hand of player 1", "row", {"1 3", "2 3", "3 3"}),
    ("hand of player 1 with rank > 1", "hand of player 1 with rank < 3", {"2 1", "3 1", "3 2"}),
    ("hand of player 1", "(hand of player 1, row)", {"1 2", "1 3", "2 1", "2 3", "3 1", "3 2", "3 3"}),
    ("(hand of player 1, row)", "row", {"1 3", "2 3", "3 3"}),
    ("hand of player 1 with rank 3", "every card with rank 3", {"3 3"}),
    ("chosen", "chosen", {"2 3", "3 2"}),
    ("hand of player 1", "every hand", {"1 2", "1 3", "2 1", "2 3", "3 1", "3 2"}),
    ("held", "held", {"1 2", "1 3", "2 1", "2 3", "3 1", "3 2"}),
    ("(hand of player 1, row)", "(hand of player 1, spare)", {"1 2", "1 3", "2 1", "2 3", "3 1", "3 2", "3 3"}),
    ("hand of player 1", "held", {"1 2", "1 3", "2 1", "2 3", "3 1", "3 2"}),
    ("held", "high", {"1 3", "2 3"}),
    ("high", "hand of player 1 with rank at least 2", {"3 2"}),
    ("hand of player 1", "hand of owner of [1]", {"1 2", "1 3", "2 1", "2 3", "3 1", "3 2"}),
    ("hand of player 1", "(any card from row with rank 3, high)", {"1 3", "2 3", "3 3"}),
    ("one_of", "high", {"1 3", "2 3"}),
    ("high", "spare", {"3 3"}),
]


def decision_for(first: str, second: str, folder: Path) -> Decision:
    file = folder / "pairs.rules"
    file.write_text(small(DECLARATIONS, SETUP.format(first=first, second=second)), encoding="utf-8")
    decision = rulesrun.load(file).start(1).decision
    assert decision is not None
    return decision


@pytest.mark.parametrize(("first", "second", "expected"), PAIRS)
def test_no_card_is_taken_twice(first: str, second: str, expected: set[str], tmp_path: Path) -> None:
    texts = [option.text.split() for option in decision_for(first, second, tmp_path).legal]
    assert {f"{one} {other}" for _, _, one, _, other in texts} == expected


@pytest.mark.parametrize(("copies", "expected"), [(1, 0), (2, 0), (3, 1)])
def test_three_alike_are_taken_only_where_there_are_three(copies: int, expected: int) -> None:
    """Also where each two of them may be taken together."""
    declarations = f"""
    cards card, {copies} of each
        rank: 1..2
    zone row: set of card, open
    zone hand of player: set of card, open
    define all_of_row: row
    """
    for sources in (("row", "row", "row"), ("row", "all_of_row", "row with rank 1")):
        first, second, third = sources
        machine = machine_of(
            small(
                declarations,
                f"""
        move every card to row
        player 1 chooses
            serve a card from {first} and a card other from {second} and a card third from {third}
                only if rank of card is 1 and rank of other is 1 and rank of third is 1
                nothing
            pass: nothing
        """,
            ),
            2,
        )
        executor = Executor(machine)
        cells = executor.fresh()
        assert executor.enter(cells).kind == "decision"
        assert len(executor.options(cells)) == expected + 1


def test_a_refused_pair_says_why(tmp_path: Path) -> None:
    options = decision_for("hand of player 1", "hand of player 1", tmp_path).options
    assert {option.text: option.why_not for option in options}["serve card 1 card 1"] == "that is the same card twice"


GIVING = """
move every card to row
let trump be best of (hand of player 1) by highest rank
player 1 chooses
    give a card from row and a player other
        only if count of row > 2 and rank of card > 1
        only if {both}
        only if {late}
        nothing
    if impossible: nothing
"""


def test_a_condition_is_asked_as_soon_as_its_arguments_are_known() -> None:
    machine = machine_of(small(DECLARATIONS, GIVING.format(both="rank of card > seat of other", late="count of row < 9")), 2)
    lines = function_text(machine, "ways to give (2)")
    asked = [line for line in lines if line.startswith(("if", "while"))]
    assert [re.sub(r"\.\d+", "", line) for line in asked] == [
        "if 2 < count(row)",
        "while not (rest = {})",
        "if 1 < rank of card[card]",
        "while not (rest = {})",
        "if ((other + 1) < rank of card[card]) and (count(row) < 9)",
    ]


@pytest.mark.parametrize(("both", "stop"), [("rank of card < seat of other", "over"), ("rank of card > seat of other", "fault")])
def test_a_condition_is_not_asked_where_one_above_it_does_not_hold(both: str, stop: str) -> None:
    """Adding to the rank of none stops the game."""
    machine = machine_of(small(DECLARATIONS, GIVING.format(both=both, late="rank of trump + 1 > 2")), 2)
    reference, module = Executor(machine), WasmExecutor(machine)
    assert reference.enter(reference.fresh()).kind == stop
    assert module.enter(module.fresh()).kind == stop


def function_text(machine: Machine, name: str) -> list[str]:
    """The lines of a function as they are printed."""
    rest = show(machine).partition(f"function {name}(")[2]
    return [line.strip() for line in rest.partition("\n\n")[0].splitlines()[1:]]
