"""The shipped file of Go: its own tests, and both engines on small boards."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.rules import build, read_rules
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..wasm.compiling import compiled

FILE = Path(__file__).parents[2] / "games" / "classics" / "go.rules"


def test_the_tests_in_the_file_hold() -> None:
    results = run_tests(read_rules(FILE))
    assert results
    assert [result.title for result in results if not result.passed] == []


@pytest.mark.parametrize("ko", ["simple", "superko"])
def test_both_executors_play_the_same_games(ko: str) -> None:
    _, machine = build(read_rules(FILE).required(), 2, (), {"side": 5, "ko": ko}).required()
    for game in range(3):
        assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 5, game)) == []
