"""The shipped files of Go and backgammon: their own tests, and games that both executors play alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.rules import build, read_rules
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..wasm.compiling import compiled

GAMES = Path(__file__).parents[2] / "games" / "classics"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["go", "backgammon"])
def test_the_tests_in_the_file_hold(name: str) -> None:
    results = run_tests(read_rules(GAMES / f"{name}.rules"))
    assert results
    assert [result.title for result in results if not result.passed] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [("go", {"side": 5}), ("go", {"side": 5, "ko": "superko"}), ("backgammon", {"gammons": "yes"})],
)
def test_both_executors_play_the_same_games(name: str, options: dict[str, int | str]) -> None:
    _, machine = build(read_rules(GAMES / f"{name}.rules").required(), 2, (), options).required()
    for game in range(3):
        assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 5, game)) == []
