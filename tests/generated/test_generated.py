"""Random `.rules` files become machines that play well: nothing is lost, no false knowledge, no game longer than its bound.

Each file is played with every number of players that it allows. ``RULESRUN_SEEDS=1000`` plays so many files.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.analysis.lengths import length_of
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.reference.executor import Executor

from ..lowering.test_laws import knows_what_is_so, lies_in_one_place
from ..pipeline import machine_of, small
from .lockstep import differences, trace
from .programs import Tables, tables
from .saved import Saved

EXAMPLES = int(os.environ.get("RULESRUN_SEEDS", "6"))


@pytest.mark.slow
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(tables(), st.integers(0, 2**64 - 1))
def test_generated_games_play_well(played: Tables, seed: int) -> None:
    for machine in played.machines:
        assert violations(machine) == []
        executor = Executor(machine)
        assert list(differences(executor, Saved(executor), seed, 0)) == []
        length, stops = length_of(machine), list(trace(executor, seed, 1))
        kinds = [seen.kind for seen in stops]
        if kinds[-1] == "over":  # of games that stop with a fault a length says nothing
            assert kinds.count("decision") <= length.decisions
            assert kinds.count("chance") <= length.chance
        for seen in stops:
            assert seen.fault[0] != "R699"
            if seen.kind != "fault":  # which may stop a move in the middle, when a component has left its place
                cells = executor.unpack(seen.record)
                lies_in_one_place(machine, executor, cells)
                knows_what_is_so(machine, executor, cells)


ENDLESS = """
player 1 chooses
    go
        repeat until n is 5
            set n to (n + 2) mod 4
    stay
        nothing
"""


@pytest.mark.slow
def test_a_game_that_runs_away_stops_at_the_same_round_when_it_is_saved() -> None:
    executor = Executor(machine_of(small("counter n: 0..9", ENDLESS), 2))
    ends = set()
    for game in range(3):
        assert list(differences(executor, Saved(executor), 0, game)) == []
        ends |= {seen.fault[0] for seen in trace(executor, 0, game)}
    assert ends == {"", "R606"}


class Stubborn(Executor):
    """Its bots take the first option."""

    def pick(self, cells: list[int], seat: int) -> int:
        super().pick(cells, seat)
        return self.options(cells)[0]


def test_an_executor_that_plays_another_game_is_noticed() -> None:
    play = "repeat 9 times\n    player 1 chooses\n        up: add 1 to n\n        stay: nothing"
    machine = machine_of(small("counter n: 0..9", play), 1)
    found = list(differences(Executor(machine), Stubborn(machine), 0, 0))
    assert [line.split(":")[1].split(" is ")[0].strip() for line in found] == ["answer"]
