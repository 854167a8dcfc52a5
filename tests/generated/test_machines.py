"""Random machines, made of any nodes, keep their promises and play alike however they are saved and copied."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference.executor import Executor

from .lockstep import differences, trace
from .machines import machines
from .saved import Saved

EXAMPLES = int(os.environ.get("RULESRUN_SEEDS", "6"))


@pytest.mark.slow
@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(machines(), st.integers(0, 2**64))
def test_random_machines_play_alike_when_they_are_saved_at_every_stop(machine: Machine, seed: int) -> None:
    assert violations(machine) == []
    executor = Executor(machine)
    assert list(differences(executor, Saved(executor), seed, 0)) == []
    assert all(seen.fault[0] != "R699" for seen in trace(executor, seed, 1))
