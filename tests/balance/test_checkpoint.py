"""A report that was killed goes on from its checkpoint, and comes to the same numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rulesrun.interpreter.balance.analysis import Analysis
from rulesrun.interpreter.balance.output.text import to_json
from rulesrun.interpreter.balance.playing.checkpoint import Report, from_text, to_text
from rulesrun.interpreter.balance.playing.study import Clock, Kept, Side, Studying, changes_of
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.players.bots import bots_from

from ..cli.commands import rulesrun
from ..simulate.games import BIDS, BREAKS, PAIRS, written
from ..simulate.test_simulate import lasting, started, wait_for
from .test_analyse import analysed

CASUAL = ("--bots", "casual", "--games", "6", "--max-seconds", "600")


@pytest.mark.slow
@pytest.mark.parametrize("rules", [BIDS, BREAKS], ids=["bids", "breaks"])
def test_from_many_moments_it_goes_on_to_the_same_numbers(rules: str, tmp_path: Path) -> None:
    game = load(written(rules, tmp_path))
    sides = [Side("plain", game, bots_from("search:20,casual", 2), ("game.rules",))]
    report = Report(sides, "wasm", 3, 5)

    def studying(kept: Kept | None = None) -> Studying:
        return Studying(sides, game.rules, changes_of(game.rules, sides, {}), "wasm", 3, 5, Clock(600), 2, kept=kept)

    def numbers(study: Studying) -> dict[str, Any]:
        return lasting(to_json(Analysis(study.study)))

    whole = studying()
    moments: list[str] = []
    for _ in whole.play():
        moments.append(to_text(report, whole.study))
    assert len(moments) >= 10
    for text in moments[::3]:
        found = from_text(Source("run.json", text), report)
        assert not isinstance(found, Diagnostic)
        again = studying(found[0])
        list(again.play())
        assert numbers(again) == numbers(whole)


@pytest.mark.slow
def test_a_killed_report_goes_on_and_ends_in_the_same_numbers(tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.json"
    arguments = ("--players", "3", "--bots", "search:300", "--games", "150", "--max-seconds", "600", "--jobs", "2")
    run = started("analyse", str(PAIRS), "--seed", "1", *arguments, "--checkpoint", str(checkpoint))
    wait_for(checkpoint)
    run.kill()
    run.communicate(timeout=60)
    tables = json.loads(checkpoint.read_text())["tables"]
    assert 0 < sum(len(table["games"]) + len(table["deals"]) for table in tables) < 300
    whole = analysed(PAIRS, *arguments, "--checkpoint", str(checkpoint))
    assert lasting(whole) == lasting(analysed(PAIRS, *arguments))


@pytest.mark.slow
def test_seed_and_bots_are_those_of_the_checkpoint(tmp_path: Path) -> None:
    rules, checkpoint = str(written(BIDS, tmp_path)), str(tmp_path / "run.json")
    arguments = ("analyse", rules, "--games", "6", "--max-seconds", "600", "--checkpoint", checkpoint, "--format", "json")
    first, again = (rulesrun(*arguments, *more) for more in (("--bots", "casual", "--seed", "77"), ()))
    assert again.exit_code == 0, again.output
    data = json.loads(again.stdout)
    assert lasting(data) == lasting(json.loads(first.stdout))
    assert data["seed"] == 77


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (["--games", "7"], "games 7, not 6"),
        (["--seed", "2"], "seed 2, not 1"),
        (["--bots", "random"], "bots random, random, not casual, casual"),
        (["--against", "level"], "against level, not none"),
        (["--variant", "level"], "variants level, not none"),
    ],
)
def test_a_checkpoint_of_another_report(changed: list[str], said: str, tmp_path: Path) -> None:
    rules, checkpoint = written(BIDS, tmp_path), str(tmp_path / "run.json")
    analysed(rules, *CASUAL, "--checkpoint", checkpoint)
    result = rulesrun("analyse", str(rules), "--seed", "1", *CASUAL, "--checkpoint", checkpoint, *changed)
    assert result.exit_code == 2
    assert "error[R803]" in result.stderr
    assert said in result.stderr


@pytest.mark.slow
def test_a_damaged_checkpoint(tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.json"
    analysed(PAIRS, *CASUAL, "--checkpoint", str(checkpoint))
    checkpoint.write_text(checkpoint.read_text()[:-40])
    result = rulesrun("analyse", str(PAIRS), "--seed", "1", *CASUAL, "--checkpoint", str(checkpoint))
    assert result.exit_code == 2
    assert "error[R802]" in result.stderr
