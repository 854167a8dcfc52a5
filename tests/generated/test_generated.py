"""Do random `.rules` files become machines that play well: with nothing lost, nothing known that is not so, and saved as played?

Each file is played with every number of players that it allows. ``RULESRUN_SEEDS=1000`` plays so many files.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.invariants import violations
from rulesrun.interpreter.machine.reference.executor import Executor

from ..lowering.test_laws import knows_what_is_so, lies_in_one_place
from .lockstep import differences, trace
from .programs import Tables, tables
from .saved import Saved

EXAMPLES = int(os.environ.get("RULESRUN_SEEDS", "60"))


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(tables(), st.integers(0, 2**64 - 1))
def test_generated_games_play_well(played: Tables, seed: int) -> None:
    for machine in played.machines:
        assert violations(machine) == []
        executor = Executor(machine)
        assert list(differences(executor, Saved(executor), seed, 0)) == []
        for seen in trace(executor, seed, 1):
            assert seen.fault[0] != "R699"
            if seen.kind != "fault":  # which may stop a move in the middle, when a component has left its place
                cells = executor.unpack(seen.record)
                lies_in_one_place(machine, executor, cells)
                knows_what_is_so(machine, executor, cells)
