"""Random rules and random machines are played alike by both executors, stop by stop and in whole games.

``RULESRUN_SEEDS=1000`` plays so many of each.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import Scored, differences
from ..generated.machines import machines
from ..generated.programs import Tables, player_counts, tables, wide_programs
from ..pipeline import stages
from .compiling import compiled
from .test_lockstep import engines

EXAMPLES = int(os.environ.get("RULESRUN_SEEDS", "6"))
whole = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


def same(machine: Machine, seed: int, scored: Scored) -> None:
    """Both executors play the same games."""
    for game in range(2):
        assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), seed, game, scored=scored)) == []


@pytest.mark.slow
@whole
@given(tables(), st.integers(0, 2**64 - 1))
def test_random_rules(played: Tables, seed: int) -> None:
    for machine in played.machines:
        same(machine, seed, "at the end")
        slow, fast = engines(machine)
        assert fast.play(seed, 0, 5, rows=True).rows == slow.play(seed, 0, 5, rows=True).rows
        alike(machine, seed, Bot("casual"), Bot("random"))


@pytest.mark.slow
@settings(whole, max_examples=EXAMPLES // 4)
@given(tables(), st.integers(0, 2**64 - 1))
def test_bots_that_think_about_random_rules(played: Tables, seed: int) -> None:
    machine = played.machines[0]
    alike(machine, seed, Bot("rollouts", 1), *[Bot("random")] * (machine.seats - 1))


def alike(machine: Machine, seed: int, *bots: Bot) -> None:
    """Both engines play the same game between bots, and count the same."""
    expected, found = (engine.play(seed, 0, 1, rows=True, counts=True) for engine in engines(machine, *bots))
    assert (found.rows, found.counts) == (expected.rows, expected.counts)


@pytest.mark.slow
@whole
@given(wide_programs(), st.integers(0, 2**64 - 1))
def test_numbers_that_could_leave_32_bits(text: str, seed: int) -> None:
    """They are refused, or they never do: the executors agree on every game that is accepted."""
    for players in player_counts(text):
        machine = stages(text, players).machine
        if machine is not None:
            same(machine, seed, "at the end")


@pytest.mark.slow
@whole
@given(machines(), st.integers(0, 2**64 - 1))
def test_random_machines(machine: Machine, seed: int) -> None:
    same(machine, seed, "always")
    slow, fast = engines(machine)
    assert fast.play(seed, 0, 4, rows=True).rows == slow.play(seed, 0, 4, rows=True).rows
