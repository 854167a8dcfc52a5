"""What can be wrong with the disk, the data folder, and the rules while tables run: a clear word, and the table lives on."""

from __future__ import annotations

import json
import resource
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from rulesrun.interpreter.hosting import session
from rulesrun.interpreter.hosting.refusals import Refused

from ..cli.commands import rulesrun
from ..no_room import WITHOUT_BYTECODE
from ..pipeline import OF_HOURS
from ..serving import GAMES, Server, next_of
from .people import Person, Table, host_of

FDINFO = Path("/proc/self/fdinfo")  # a folder in which nobody can make a file


@pytest.mark.skipif(not FDINFO.is_dir(), reason="this system has no such folder")
def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for folder in (FDINFO, FDINFO / "below", tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(Refused) as told, host_of(folder):
            pass
        assert str(folder) in told.value.text
        assert told.value.help == "name another folder: `--data FOLDER`"
    ended = rulesrun("serve", str(GAMES), "--data", str(FDINFO))
    assert ended.exit_code == 1
    assert f"`{FDINFO}`" in ended.stderr


def test_a_store_that_can_only_be_read(tmp_path: Path) -> None:
    """As when a disk is found to be damaged while tables run, and is mounted anew."""
    with host_of(tmp_path) as host:
        table = Table(host, "classics/connect_four", 2)
        table.people[0].act(1)
        number = table.people[1].position["number"]
        host.store._base.execute("pragma query_only = on")
        with pytest.raises(Refused, match="cannot be written to, so nothing can be kept"):
            table.people[1].act(2)
        with pytest.raises(Refused, match="cannot be written to"):
            host.make({"game": "classics/go"})
        assert table.people[1].position["number"] == number
        host.store._base.execute("pragma query_only = off")
        table.people[1].act(2)
        assert [act.text for act in table.session.acts] == ["drop 2", "drop 3"]


@pytest.mark.parametrize("version", [0, 99])
def test_a_store_of_another_program_or_version_is_left_alone(version: int, tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    with sqlite3.connect(path) as base:
        base.execute("create table theirs (text)")
        base.execute(f"pragma user_version = {version}")
    base.close()
    before = path.read_bytes()
    with pytest.raises(Refused, match=f"version {version}"), host_of(tmp_path):
        pass
    assert path.read_bytes()[100:] == before[100:]


@pytest.mark.slow
def test_two_servers_on_one_folder(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, "classics/connect_four", 2)
        second = rulesrun("serve", str(GAMES), "--data", str(tmp_path))
        assert second.exit_code == 1
        assert "another server uses the tables" in second.stderr
        table.people[0].act(1)


@pytest.mark.process
def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files cannot grow any more; then acts are refused, and when there is room again, all that was acknowledged is there."""
    for name, value in WITHOUT_BYTECODE.items():
        monkeypatch.setenv(name, value)
    kept = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, kept[1]))
    try:
        server = Server(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, kept)
    told = ""
    acknowledged: dict[str, int] = {}
    try:
        while not told:
            status, _, body = server.ask("POST", "/api/tables", {"game": "classics/tic_tac_toe", "seats": [{"kind": "open"}] * 2})
            if status != 200:
                told = json.loads(body)["error"]["text"]
                break
            made = json.loads(body)
            with server.connect(made["seats"][0]["token"]) as one, server.connect(made["seats"][1]["token"]) as other:
                for number in range(7):
                    position = next_of((one, other)[number % 2], "position", "error")
                    while position["type"] == "position" and position["decision"] is None and not position["over"]:
                        position = next_of((one, other)[number % 2], "position", "error")
                    if position["type"] == "error" or position["over"]:
                        break
                    option = next(each for each in position["decision"]["options"] if each["legal"])
                    act = {"type": "act", "position": position["number"], "option": option["number"]}
                    (one, other)[number % 2].send(json.dumps(act))
                    answer = next_of((one, other)[number % 2], "position", "error")
                    if answer["type"] == "error":
                        told = answer["text"]
                        break
                    acknowledged[made["watch"]] = number + 1
            assert len(acknowledged) < 200, "the disk is never full"
        assert "this was not done" in told or "so it was not done" in told
        assert server.ask("GET", "/api/games")[0] == 200
    finally:
        server.kill()
    with host_of(tmp_path) as host:
        for watch, acts in acknowledged.items():
            assert len(host.place(watch).session.acts) == acts
        Table(host, "classics/connect_four", 2).people[0].act(1)


RUINS: dict[str, Callable[[Path], object]] = {
    "junk": lambda folder: (folder / "kingdomino.rules").write_bytes(b"\xff\x00junk" * 100),
    "empty": lambda folder: (folder / "kingdomino.rules").write_text("", encoding="utf-8"),
    "gone": lambda folder: (folder / "kingdomino.rules").unlink(),
    "a folder": lambda folder: ((folder / "kingdomino.rules").unlink(), (folder / "kingdomino.rules").mkdir()),
    "no data": lambda folder: shutil.rmtree(folder / "data"),
    "other data": lambda folder: (folder / "data" / "kingdomino.csv").write_text("a,b\n1\n", encoding="utf-8"),
    "all gone": shutil.rmtree,
}


@pytest.mark.slow
@pytest.mark.parametrize("how", RUINS)
def test_rules_that_are_ruined_while_the_table_runs(how: str, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    shutil.copy(GAMES / "kingdomino.rules", folder)
    shutil.copytree(GAMES / "data", folder / "data")
    with host_of(tmp_path / "kept", folder) as host:
        table = Table(host, "kingdomino", 2)
        table.play(3, Random(1))
        host.watch_rules()
        RUINS[how](folder)
        host.watch_rules()
        host.watch_rules()
        with pytest.raises(Refused) as refused:
            host.make({"game": "kingdomino", "players": 2})
        assert refused.value.text
        table.play(3, Random(1))
        acts = list(table.session.acts)
        host.library.overview()
    with host_of(tmp_path / "kept", folder) as host:
        again = Person(host, 1, table.people[0].token)
        assert again.place.session.acts == acts


@pytest.mark.clock
def test_rules_that_come_to_no_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They make no table, and no table goes on under them."""
    monkeypatch.setattr(session, "PATIENCE", 0.4)
    folder = tmp_path / "games"
    folder.mkdir()
    file = folder / "of_hours.rules"
    nest = "repeat 900000 times\n                    repeat 900000 times\n                        "
    loop = f"{nest}set weight to (weight * 7 + 13) mod 1000"
    assert loop in OF_HOURS
    file.write_text(OF_HOURS, encoding="utf-8")
    with host_of(tmp_path / "kept", folder) as host:
        table = Table(host, "of_hours", 2)
        rest = next(option["number"] for option in table.people[0].options() if option["text"] == "rest")
        table.people[0].act(rest)
        host.watch_rules()
        file.write_text(OF_HOURS.replace("rest: nothing", f"rest\n                {loop}"), encoding="utf-8")
        host.watch_rules()
        found = table.people[0].last("findings")
        assert not found["can_change"]
        assert "still at work" in found["findings"][0]["text"]
        table.people[0].act(rest)
        endless = OF_HOURS.replace("    repeat until", f"    {loop.replace(' ' * 20, ' ' * 8)}\n    repeat until")
        file.write_text(endless, encoding="utf-8")
        with pytest.raises(Refused, match="still at work"):
            host.make({"game": "of_hours", "players": 2})
        assert len(host.store.plans()) == 1
