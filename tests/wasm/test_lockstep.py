"""The fast executor plays what the reference executor plays: every stop of games at tables that ship."""

from __future__ import annotations

import os
from functools import cache
from itertools import cycle, islice

import pytest
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.rules import build, read_rules
from rulesrun.interpreter.simulate.engines.module import WasmEngine
from rulesrun.interpreter.simulate.engines.reference import ReferenceEngine
from rulesrun.interpreter.wasm.running import native
from rulesrun.interpreter.wasm.running.compiled import compiled_from
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..games.test_every_table import GAMES, tables
from ..generated.lockstep import differences
from ..simulate.games import BREAKS, PAIRS
from .compiling import compiled

TABLES = tables()
SEEDS = int(os.environ.get("RULESRUN_SEEDS", "1"))
EACH = 1 if SEEDS > 1 else 3  # how many tables stand for one another


@cache
def machine_of(number: int) -> Machine:
    """The machine of a table."""
    name, players, variants, options = TABLES[number]
    return build(read_rules(GAMES / f"{name}.rules").required(), players, variants, options).required()[1]


def said(number: int) -> str:
    name, players, variants, options = TABLES[number]
    return "+".join([name, str(players), *variants, *(f"{option}={value}" for option, value in options.items())])


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, len(TABLES), EACH), ids=said)
def test_stops_and_rows_are_the_same(number: int) -> None:
    machine = machine_of(number)
    one, other = Executor(machine), WasmExecutor(machine, compiled(machine))
    for game in range(SEEDS):
        assert list(differences(one, other, 7, game, 1000)) == []
    slow, fast = engines(machine)
    expected, found = slow.play(7, 3, 2 * SEEDS, rows=True), fast.play(7, 3, 2 * SEEDS, rows=True)
    assert found.rows == expected.rows
    assert found.tally == expected.tally
    slow, fast = engines(machine, Bot("casual"), Bot("random"))
    expected, found = (engine.play(7, 9, 2 * SEEDS, rows=True, counts=True) for engine in (slow, fast))
    assert found.rows == expected.rows
    assert found.counts == expected.counts
    machine_of.cache_clear()  # machines of all tables at once are many


def engines(machine: Machine, *bots: Bot) -> tuple[ReferenceEngine, WasmEngine]:
    """Both engines; the seats have these bots in turn: none are random ones, which need a module for playouts only."""
    by_seat = tuple(islice(cycle(bots or (Bot("random"),)), machine.seats))
    return ReferenceEngine(machine, by_seat), WasmEngine(compiled(machine, playouts_only=not bots), by_seat)


def written(text: str) -> Machine:
    from ..pipeline import stages

    found = stages(text.strip() + "\n")
    assert found.machine is not None, found.messages
    return found.machine


@pytest.mark.slow
def test_a_fault_stops_both_and_the_next_game_is_played() -> None:
    machine = written(BREAKS)
    for game in range(8):
        assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 5, game)) == []
    for bots in ((), (Bot("casual"),)):
        slow, fast = engines(machine, *bots)
        for first, count in ((0, 1), (1, 40), (41, 300)):
            expected, found = (engine.play(5, first, count, rows=True, counts=bool(bots)) for engine in (slow, fast))
            assert found.rows == expected.rows
            assert found.tally == expected.tally
            assert found.counts == expected.counts
    assert found.tally.stopped > 50


FAR = """
game far
    players 2
counter coins of player: -999999999..999999999
phase only
    player 1 chooses
        take a number n from 1..40
            set coins of player 1 to n * 20000000
            set coins of player 2 to 0 - n * 3
score of player
    coins: coins of player
winner highest score, then shared
"""


@pytest.mark.slow
def test_values_that_no_bin_is_for_are_counted_too() -> None:
    slow, fast = engines(written(FAR))
    assert fast.play(5, 0, 2000).tally == slow.play(5, 0, 2000).tally
    assert fast.play(2**64 - 1, 2**63, 50).tally == slow.play(2**64 - 1, 2**63, 50).tally


ENDLESS = """
game endless
    players 2
counter pot: 0..5
phase only
    repeat until pot is 5
        for each player
            player chooses
                pass: nothing
                wait: nothing
score of player
    points: 0
winner highest score, then shared
"""


@pytest.mark.slow
def test_a_game_without_end_is_stopped_at_the_same_decision() -> None:
    slow, fast = engines(written(ENDLESS))
    assert fast.play(5, 0, 2, rows=True).rows == slow.play(5, 0, 2, rows=True).rows


@pytest.mark.slow
def test_pairs_with_teams_and_options() -> None:
    whole = read_rules(PAIRS).required()
    _, machine = build(whole, 4, ("together",), {"bonus_for_low": "yes"}).required()
    for game in range(5):
        assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 5, game)) == []
    slow, fast = engines(machine)
    assert fast.play(1, 0, 30, rows=True).rows == slow.play(1, 0, 30, rows=True).rows


FOR_DAYS = """
game days
    players 2
marker lucky: player or none
phase only
    repeat 90000 times
        player 1 chooses
            pass: nothing
        repeat 900 times
            repeat 90 times
                set lucky to a random player
score of player
    luck: 1 if lucky is player
winner highest score, then shared
"""


@pytest.mark.slow
def test_a_game_that_takes_days_is_given_up() -> None:
    fast = WasmEngine(compiled_from(written(FOR_DAYS)), (Bot("random"),) * 2, patience=0.2)
    for _ in range(2):
        with pytest.raises(RulesError, match="game 3 of seed 1 was still going after"):
            fast.play(1, 3, 5)


def test_many_slow_games_are_not_one_that_takes_days() -> None:
    fast = WasmEngine(compiled_from(written(FOR_DAYS.replace("90000", "3"))), (Bot("random"),) * 2, patience=0.5)
    assert fast.play(1, 0, 64).tally.games == 64


def test_a_large_module_plays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its functions are compiled one after the other, which takes less memory."""
    monkeypatch.setattr(native, "LARGE", 0)
    machine = build(read_rules(PAIRS).required()).required()[1]
    made = compiled_from(machine)
    assert list(differences(Executor(machine), WasmExecutor(machine, made), 0, 0)) == []
    bots = (Bot("random"),) * machine.seats
    games = [engine.play(1, 0, 20, rows=True).rows for engine in (ReferenceEngine(machine, bots), WasmEngine(made, bots))]
    assert games[0] == games[1]
