"""Runs on a cluster of real processes: equal to those of one thread, whatever happens to its workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import distributed
import pytest
import rulesrun as rr
from rulesrun.interpreter.balance.playing.study import Clock, Side, Studying
from rulesrun.interpreter.checks.explored.playing_tables import Playing
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.simulate import cluster as clusters
from rulesrun.interpreter.simulate.simulation import Plan, added_up, nothing_yet, run_of

from ..cli.commands import MASTI, rulesrun

KINGDOMINO = MASTI.replace("masti", "kingdomino")
MEASURED = ("seconds", "games_per_s")  # and no result
FAULTY = """game faulty
    players 2
counter n: 0..9
phase only
    set n to a random number from 0..9
    if n is 3
        add 7 to n
score of player
    points: n
winner highest score, then shared
"""


@pytest.fixture(scope="module")
def processes() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="CRITICAL"
    ) as found:
        yield found


def played(*arguments: str) -> dict[str, Any]:
    result = rulesrun(*arguments, "--format", "json")
    assert result.exit_code in (0, 1), result.output
    data = json.loads(result.stdout)
    return {name: value for name, value in data.items() if name not in MEASURED}


@pytest.mark.cluster
@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", MASTI, "--games", "5000", "--seed", "3"),
        ("simulate", KINGDOMINO, "--games", "300", "--seed", "3", "--bots", "casual,random"),
        ("simulate", MASTI, "--games", "3", "--seed", "3", "--bots", "rollouts:2"),
        ("tournament", KINGDOMINO, "--players", "2", "--bots", "casual", "--bots", "random", "--games", "200", "--seed", "6"),
        ("compare", KINGDOMINO, "--variant", "harmony", "--games", "300", "--seed", "4"),
        ("analyse", MASTI, "--players", "3", "--bots", "search:5", "--games", "12", "--seed", "4", "--max-seconds", "600"),
    ],
)
def test_numbers_are_those_of_one_thread(arguments: tuple[str, ...], processes: Any) -> None:
    assert played(*arguments, "--cluster", processes.scheduler_address) == played(*arguments)


@pytest.mark.cluster
def test_games_that_a_fault_stops_are_counted_alike(processes: Any, tmp_path: Path) -> None:
    faulty = tmp_path / "faulty.rules"
    faulty.write_text(FAULTY, encoding="utf-8")
    found = played("simulate", str(faulty), "--games", "500", "--seed", "1", "--cluster", processes.scheduler_address)
    assert found["faults"]
    assert found == played("simulate", str(faulty), "--games", "500", "--seed", "1")


@pytest.mark.cluster
def test_local_workers_are_started_and_ended() -> None:
    arguments = ("simulate", MASTI, "--games", "2000", "--seed", "5")
    assert played(*arguments, "--cluster", "local:2") == played(*arguments)


@pytest.mark.cluster
def test_a_worker_that_is_killed_and_one_that_comes_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chunks are kept small, so that there are many when it happens."""
    monkeypatch.setattr(clusters, "CHUNK", 0.02)
    game = rr.load(MASTI, 3)
    plan = Plan(game, (Bot("casual"),) * 3, 7, 200_000, "wasm")
    *_, alone = added_up(nothing_yet(plan), run_of(plan, 0, 1))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="CRITICAL"
        ) as processes,
        clusters.remote_cluster(processes.scheduler_address) as workers,
    ):
        victims = list(workers.client.run(os.getpid).values())
        together = []
        for so_far in added_up(nothing_yet(plan), run_of(plan, 0, 1, cluster=workers)):
            together.append(so_far)
            if len(together) == 3:
                os.kill(victims[0], signal.SIGKILL)
            if len(together) == 6:
                processes.scale(3)
    assert len(together) > 10
    assert together[-1].tally == alone.tally


@pytest.mark.cluster
def test_a_balance_report_is_the_same_where_a_worker_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "CHUNK", 0.02)
    game = rr.load(MASTI, 3)

    def studying(workers: clusters.Cluster | None) -> Studying:
        side = Side("plain", game, (Bot("search", 5),) * 3, (MASTI,))
        return Studying([side], game.rules, (), "wasm", 4, 20, Clock(600), 1, workers)

    alone = studying(None)
    for _ in alone.play():
        pass
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="CRITICAL"
        ) as processes,
        clusters.remote_cluster(processes.scheduler_address) as workers,
    ):
        victims = list(workers.client.run(os.getpid).values())
        together = studying(workers)
        for count, _ in enumerate(together.play(), 1):
            if count == 3:
                os.kill(victims[0], signal.SIGKILL)
            if count == 6:
                processes.scale(3)
    for one, other in zip(alone.sides, together.sides, strict=True):
        assert [(c.game, c.row, c.history, c.acts) for c in one.courses.values()] == [
            (c.game, c.row, c.history, c.acts) for c in other.courses.values()
        ]
        assert one.deals == other.deals
        assert len(one.courses) == 20


def started(*arguments: str, waits_for: Path | None = None) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-m", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = monotonic() + 60
    while waits_for is not None and not waits_for.exists() and monotonic() < until:
        sleep(0.05)
    return process


@pytest.mark.cluster
def test_when_the_scheduler_is_gone_it_is_said_and_the_checkpoint_goes_on(tmp_path: Path) -> None:
    place, saved = tmp_path / "scheduler.json", tmp_path / "saved.json"
    scheduler = started(
        "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(place), waits_for=place
    )
    worker = started("distributed.cli.dask_worker", "--scheduler-file", str(place), "--nthreads", "1", "--no-dashboard")
    try:
        address = json.loads(place.read_text())["address"]
        arguments = ("simulate", MASTI, "--games", "400000", "--seed", "8", "--bots", "casual")
        command = [str(Path(sys.executable).with_name("rulesrun")), *arguments, "--cluster", address, "--checkpoint", str(saved)]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until = monotonic() + 60
        while not saved.exists() and monotonic() < until:
            sleep(0.05)
        scheduler.send_signal(signal.SIGKILL)
        _, told = run.communicate(timeout=120)
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    assert run.returncode == 2
    assert "error[R809]" in told
    assert "Traceback" not in told
    games = sum(json.loads(saved.read_text())["tally"]["columns"]["first"].values())
    assert 0 < games < 400_000
    assert played(*arguments, "--checkpoint", str(saved)) == played(*arguments)


@pytest.mark.cluster
def test_another_version_on_a_worker_is_named(processes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "own_code", lambda: "rulesrun 99 on Python 3.99")
    result = rulesrun("simulate", MASTI, "--games", "10", "--cluster", processes.scheduler_address)
    assert result.exit_code == 2
    assert "and here is rulesrun 99 on Python 3.99" in " ".join(result.stderr.split())
    assert "install the same rulesrun" in result.stderr


@pytest.mark.cluster
@pytest.mark.parametrize("package", ["wasmtime", "rulesrun"])
def test_a_package_that_a_worker_lacks_is_named(package: str, tmp_path: Path) -> None:
    lacks = tmp_path / "lacks.py"
    lacks.write_text(f"import sys\nsys.modules[{package!r}] = None\n")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL", preload=str(lacks)
    ) as found:
        for command in (("simulate", "--games", "10"), ("analyse", "--games", "2", "--bots", "random"), ("check",)):
            result = rulesrun(command[0], KINGDOMINO, *command[1:], "--cluster", found.scheduler_address)
            assert result.exit_code == 2
            assert "error[R809]" in result.stderr
            assert "a worker lacks something" in result.stderr
            assert package in result.stderr


@pytest.mark.cluster
def test_where_nobody_answers_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "TO_CONNECT", 0.5)
    result = rulesrun("simulate", MASTI, "--games", "10", "--cluster", "tcp://127.0.0.1:9")
    assert result.exit_code == 2
    assert "error[R809]: the cluster `tcp://127.0.0.1:9` cannot be used: no scheduler answers there" in result.stderr


@pytest.mark.cluster
def test_without_workers_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "TO_BEGIN", 0.5)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None) as nobody,
        pytest.raises(RulesError) as raised,
        clusters.remote_cluster(nobody.scheduler_address),
    ):
        pass
    assert raised.value.diagnostics[0].code == "R809"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--cluster", "local:0"), "1 to 256"),
        (("--cluster", "local:many"), "1 to 256"),
        (("--cluster", "somewhere"), "write `local:8` or `tcp://host:8786`"),
        (("--cluster", "tcp:8786"), "write `local:8` or `tcp://host:8786`"),
        (("--cluster", "local:2", "--jobs", "2"), "--cluster does not go with --jobs"),
        (("--cluster", "local:2", "--engine", "reference"), "--cluster does not go with the engine `reference`"),
    ],
)
def test_what_cannot_be_asked_of_a_cluster(arguments: tuple[str, ...], told: str) -> None:
    result = rulesrun("simulate", MASTI, "--games", "10", *arguments)
    assert result.exit_code == 2
    assert told in " ".join(result.output.split())


HARDER = """extends "../base/faulty.rules"
variant harder
    replace score of player
        points: n + 1
"""


@pytest.mark.cluster
@pytest.mark.parametrize("file", ["kuhn_poker.rules", "harder.rules"])
def test_a_check_finds_what_it_finds_alone(file: str, processes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is played here that workers have played."""
    path = Path(MASTI).parent / "classics" / file
    if not path.exists():
        path = tmp_path / "child" / file
        for place, text in ((tmp_path / "base" / "faulty.rules", FAULTY), (path, HARDER)):
            place.parent.mkdir()
            place.write_text(text, encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "alone"))
    alone = rulesrun("check", str(path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "together"))
    monkeypatch.setattr(Playing, "_table", None)
    together = rulesrun("check", str(path), "--cluster", processes.scheduler_address)
    assert together.output == alone.output
    assert together.exit_code == alone.exit_code == int(file == "harder.rules")


@pytest.mark.cluster
def test_only_play_goes_to_a_cluster() -> None:
    result = rulesrun("check", MASTI, "--proved", "--cluster", "local:2")
    assert result.exit_code == 2
    assert "--cluster does not go with --proved" in " ".join(result.output.split())
