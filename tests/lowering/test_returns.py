"""The returns of players: `returns of player`, or the score; the same by both executors and for many games."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.wasm.running.compiled import compiled_from
from rulesrun.interpreter.wasm.running.executor import WasmExecutor
from rulesrun.interpreter.wasm.running.states import OVER, States

from ..pipeline import machine_of, play, stages

TAKING = """
game taking
    players 2..4
{teams}
counter coins of player: 0..9
phase only
    for each player
        player chooses
            take a number from 0..9
                set coins of player to number
score of player
    coins: coins of player
winner highest score, then shared
{more}
"""
WIN = """
returns of player
    1 if winners is team of player
    0 if player in winners
    otherwise -1
"""
PARTNERS = "teams of 2, in turn"


def taking(more: str, teams: str = "", players: int = 4, variants: Iterable[str] = ()) -> Machine:
    found = machine_of(TAKING.format(teams=teams, more=more), players, variants=variants)
    assert violations(found) == []
    return found


def got(machine: Machine, coins: list[int]) -> list[int]:
    """What each seat gets when they have taken so many coins: as the reference says, a module, and a module of many games."""
    played = play(machine, choices=coins)
    seats = range(machine.seats)
    found = [played.executor.evaluate(played.cells, machine.returns, seat) for seat in seats]
    compiled = compiled_from(machine)
    fast = WasmExecutor(machine, compiled)
    cells = fast.unpack(played.executor.pack(played.cells))
    assert [fast.evaluate(cells, machine.returns, seat) for seat in seats] == found
    states = States(compiled, 1)
    (stopped,) = states.start(0)
    for coin in coins:
        (stopped,) = states.step([coin])
    assert (stopped.kind, list(stopped.returns)) == (OVER, found)
    assert list(stopped.scores) == [played.executor.evaluate(played.cells, "score", seat) for seat in seats]
    return found


@pytest.mark.parametrize(
    ("teams", "coins", "expected"),
    [
        ("", [5, 3, 0, 4], [1, -1, -1, -1]),
        ("", [5, 3, 5, 4], [0, -1, 0, -1]),
        ("", [2, 2, 2, 2], [0, 0, 0, 0]),
        (PARTNERS, [5, 3, 0, 4], [-1, 1, -1, 1]),
        (PARTNERS, [5, 5, 2, 2], [0, 0, 0, 0]),
    ],
)
def test_who_wins_and_who_shares(teams: str, coins: list[int], expected: list[int]) -> None:
    assert got(taking(WIN, teams), coins) == expected


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=3, max_size=3))
def test_a_value_of_the_scores(coins: list[int]) -> None:
    lead = "returns of player: score of player * players - score of player 1 - score of player 2 - score of player 3"
    found = got(taking(lead, players=3), coins)
    assert found == [3 * each - sum(coins) for each in coins]
    assert sum(found) == 0


def test_without_a_line_they_are_the_scores() -> None:
    machine = taking("")
    assert machine.returns == "score"
    assert got(machine, [5, 3, 0, 4]) == [5, 3, 0, 4]
    told = compiled_from(machine).description
    assert (told["returns"], told["batches"]["returns"]) == ("score", told["batches"]["scores"])


@pytest.mark.slow
def test_a_variant_declares_replaces_and_takes_them_back() -> None:
    variants = """
variant plain
    replace returns of player: score of player
variant ahead
    replace returns of player: count of winners
"""
    more = WIN + variants
    coins = [5, 3, 5, 4]
    assert got(taking(more, variants=["plain"]), coins) == coins
    assert got(taking(more, variants=["ahead"]), coins) == [2, 2, 2, 2]
    declared = "variant winning" + WIN.replace("\n", "\n    ") + "\n"
    assert got(taking(declared), coins) == coins
    assert got(taking(declared, variants=["winning"]), coins) == [0, -1, 0, -1]


def test_two_variants_that_both_declare_them_are_refused() -> None:
    declared = "".join(f"variant {name}\n    returns of player: {value}\n" for name, value in (("one", 1), ("two", 2)))
    found = stages(TAKING.format(teams="", more=declared), 2, ["one", "two"])
    (refused,) = found.diagnostics
    assert (refused.code, refused.help) == ("R403", "leave one of the variants out")
    assert "`returns of player` is declared twice" in refused.message


@pytest.mark.slow
def test_of_a_match_they_are_asked_when_it_is_over() -> None:
    match = WIN + "match of 2 games\n"
    machine = taking(match, players=2)
    assert got(machine, [9, 0, 3, 4]) == [1, -1]  # the second game alone is lost
    assert got(taking(match + "    keep coins\n", players=2), [1, 2, 3, 2]) == [0, 0]
