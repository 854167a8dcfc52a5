"""`--out`: a row for each game, as they were played, and nothing left half done."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.players.bots import bots_from
from rulesrun.interpreter.simulate.engines.engine import engine_for

from ..cli.commands import rulesrun
from ..no_room import run_without_room
from .games import BREAKS, PAIRS, written
from .test_simulate import started

parquet: Any = pytest.importorskip("pyarrow.parquet")


@pytest.mark.slow
def test_the_rows_are_those_of_the_games(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    table = ["--players", "4", "--variant", "together"]
    result = rulesrun("simulate", str(PAIRS), *table, "--games", "250", "--seed", "5", "--out", str(path))
    assert result.exit_code == 0
    game = load(PAIRS, 4, ["together"])
    engine = engine_for(game, bots_from("random", 4), "reference")
    rows = engine.play(5, 0, 250, rows=True).rows
    assert rows is not None
    found = parquet.read_table(path)
    assert found.column_names == ["game", *engine.columns.names]
    assert found["game"].to_pylist() == list(range(250))
    for index, name in enumerate(engine.columns.names):
        assert found[name].to_pylist() == list(rows[index :: len(engine.columns)])
    assert json.loads(found.schema.metadata[b"rulesrun"])["seed"] == 5


def test_games_that_stop_have_a_row(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    result = rulesrun("simulate", str(written(BREAKS, tmp_path)), "--games", "50", "--seed", "5", "--out", str(path))
    assert result.exit_code == 1
    stopped = [fault for fault in parquet.read_table(path)["fault"].to_pylist() if fault]
    assert f"{len(stopped)} of 50 games stopped" in result.stdout


@pytest.mark.slow
def test_the_file_does_not_depend_on_the_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulesrun.interpreter.simulate.output import parquet as rows

    monkeypatch.setattr(rows, "GAMES_IN_GROUP", 150)
    arguments = [str(PAIRS), "--games", "730", "--seed", "5"]
    paths = [tmp_path / f"{jobs}.parquet" for jobs in (1, 3)]
    for jobs, path in zip(("1", "3"), paths, strict=True):
        assert rulesrun("simulate", *arguments, "--jobs", jobs, "--out", str(path)).exit_code == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert [parquet.ParquetFile(paths[0]).metadata.row_group(n).num_rows for n in range(5)] == [150, 150, 150, 150, 130]
    assert rulesrun("simulate", *arguments, "--out", str(paths[0])).exit_code == 0  # another one takes its place


@pytest.mark.slow
def test_a_run_that_is_interrupted_leaves_a_whole_file(tmp_path: Path) -> None:
    path, checkpoint = tmp_path / "games.parquet", tmp_path / "wait.json"
    run = started("simulate", str(PAIRS), "--games", str(10**18), "--seed", "8", "--format", "json", "--out", str(path))
    wait = started("simulate", str(PAIRS), "--games", "2000", "--seed", "8", "--checkpoint", str(checkpoint))
    wait.communicate(timeout=60)  # as long as this takes, the other one plays
    run.send_signal(signal.SIGINT)
    out, errors = run.communicate(timeout=60)
    assert run.returncode == 130, errors
    assert parquet.read_table(path).num_rows == json.loads(out)["games"] > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--out", "/dev/full"], "`/dev/full` cannot be written: it is no file"),
        (["--out", "/nowhere/x.parquet"], "there is no folder `/nowhere`"),
        (["--out", str(PAIRS)], "is there already and is no Parquet file; nothing was written"),
        (["--out", "x.parquet", "--checkpoint", "c.json"], "--out does not go with --checkpoint"),
    ],
)
def test_places_where_no_rows_can_be_written(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = rulesrun("simulate", str(PAIRS), *arguments, "--games", "5")
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.process
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """No file may be longer than some bytes, which is told to a program as a full disk is."""
    path = tmp_path / "games.parquet"
    code = "from rulesrun.cli import main\nmain()"
    arguments = ["simulate", str(PAIRS), "--games", "900", "--seed", "1", "--out", str(path)]
    done = run_without_room([sys.executable, "-c", code, *arguments], 2000)
    assert done.returncode == 2, done.stderr
    assert f"`{path}` cannot be written: File too large" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("option", "package", "extra"), [("--out", "pyarrow", "parquet"), ("--report", "matplotlib", "report")])
def test_a_package_that_is_not_installed(
    option: str, package: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    result = rulesrun("simulate", str(PAIRS), "--games", "5", option, str(tmp_path / "file"))
    assert result.exit_code == 2
    assert f"error[R804]: `{option}` needs the package {package}, which is not installed" in result.stderr
    assert f"pip install 'rulesrun[{extra}]'" in result.stderr
    assert not list(tmp_path.iterdir())
