"""Do random `.rules` files become machines that play well: with nothing lost, nothing known that is not so, and saved as played?

Each file is played with every number of players that it allows. ``RULESRUN_SEEDS=1000`` plays so many files.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.invariants import violations
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference.executor import Executor

from ..lowering.test_laws import knows_what_is_so, lies_in_one_place
from .lockstep import STOPS, differences, trace
from .programs import tables
from .saved import Saved

EXAMPLES = int(os.environ.get("RULESRUN_SEEDS", "60"))
CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


@settings(max_examples=EXAMPLES, suppress_health_check=CHECKS)
@given(tables(), st.integers(0, 2**64 - 1))
def test_generated_games_play_alike_when_they_are_saved_at_every_stop(played: tuple[str, tuple[Machine, ...]], seed: int) -> None:
    _, machines = played
    for machine in machines:
        assert violations(machine) == []
        executor = Executor(machine)
        for game in range(2):
            assert list(differences(executor, Saved(machine), seed, game)) == []


@settings(max_examples=EXAMPLES, suppress_health_check=CHECKS)
@given(tables(), st.integers(0, 2**64 - 1))
def test_nothing_is_lost_in_a_generated_game(played: tuple[str, tuple[Machine, ...]], seed: int) -> None:
    _, machines = played
    for machine in machines:
        executor = Executor(machine)
        for seen in trace(executor, seed, 0, STOPS):
            assert seen.fault[0] != "R699"
            cells = executor.unpack(seen.record)
            lies_in_one_place(machine, executor, cells)
            knows_what_is_so(machine, executor, cells)
