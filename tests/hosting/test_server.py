"""The server as it runs: in a process of its own, by HTTP and WebSocket, and killed while people play."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep

import pytest
from click.testing import CliRunner
from rulesrun.cli import cli
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection

from ..serving import GAMES, WAIT, Server, next_of, served


@pytest.mark.process
def test_a_game_by_websocket_against_a_bot(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        made = server.make(game="classics/connect_four", seats=[{"kind": "me"}, {"kind": "bot", "bot": "search:50"}])
        with server.connect(made["seats"][0]["token"]) as socket:
            random, acts = Random(1), 0
            while not (position := next_of(socket, "position", "error"))["over"]:
                if position["decision"]:
                    option = random.choice([each for each in position["decision"]["options"] if each["legal"]])
                    socket.send(json.dumps({"type": "act", "position": position["number"], "option": option["number"]}))
                    acts += 1
        assert acts >= 4
        assert position["ranking"]


@pytest.mark.process
def test_strangers_get_nothing(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        with server.connect("x" * 22) as socket:
            assert next_of(socket, "error")["code"] == "no table"
            with pytest.raises(ConnectionClosed):
                socket.recv(timeout=WAIT)
        made = server.make(game="classics/tic_tac_toe")
        with pytest.raises(InvalidHandshake):
            server.connect(made["watch"], additional_headers={"Origin": "https://elsewhere.example"})
        ours = f"http://127.0.0.1:{server.port}"
        with server.connect(made["watch"], additional_headers={"Origin": ours}) as socket:
            assert next_of(socket, "table")["seat"] == 0
        body = {"game": "classics/tic_tac_toe"}
        assert server.ask("POST", "/api/tables", body, Origin="https://elsewhere.example")[0] == 403
        assert server.ask("POST", "/api/tables", body, Sec_Fetch_Site="cross-site")[0] == 403
        assert server.ask("POST", "/api/tables", body, Origin=ours)[0] == 200
        status, headers, _ = server.ask("GET", "/api/games")
        assert (status, headers["x-content-type-options"], headers["referrer-policy"]) == (200, "nosniff", "no-referrer")
        assert "script-src 'self'" in headers["content-security-policy"]
        assert headers["content-security-policy"].endswith("; frame-ancestors 'none'")
        assert server.ask("GET", "/api/games", Host="elsewhere.example")[0] == 403, "a name that leads here is not ours"
        outside = ("/web/../pyproject.toml", "/web/..%2fcli.py", "/web/%2e%2e/cli.py")
        for path in (*outside, "/api/tables/x/transcript", "/api/plays/x", "/api/plays/x/parquet"):
            assert server.ask("GET", path)[0] in (403, 404, 405), path


@pytest.mark.process
def test_an_editor_can_show_the_page_in_a_frame(tmp_path: Path) -> None:
    with served(tmp_path, more=["--framed-by", "vscode-webview: vscode-file:"]) as server:
        _, headers, _ = server.ask("GET", "/")
        assert headers["content-security-policy"].endswith("; frame-ancestors vscode-webview: vscode-file:")
        assert "script-src 'self'" in headers["content-security-policy"]
    wrong = CliRunner().invoke(cli, ["serve", str(GAMES), "--framed-by", "a; script-src *"])
    assert (wrong.exit_code, "does not say which pages" in wrong.output) == (2, True)


@pytest.mark.process
def test_it_ends_with_the_program_that_started_it(tmp_path: Path) -> None:
    with served(tmp_path, more=["--while-input"]) as server:
        assert server.ask("GET", "/api/games")[0] == 200
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.process.wait(timeout=WAIT) == 0


@pytest.mark.process
def test_frames_and_requests_that_are_none(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for body in (b"", b"{", b"[" * 100_000, b"\xff\xfe", b"null", b"[]", b'{"game": 1}', b"x" * 300_000):
            status, _, answer = server.ask("POST", "/api/tables", body)
            assert status in (400, 413), body[:20]
            assert json.loads(answer)["error"]["text"]
        made = server.make(game="classics/tic_tac_toe")
        token = made["seats"][0]["token"]
        random = Random(4)
        with server.connect(token) as socket:
            position = next_of(socket, "position")
            for text in ("", "{", "[" * 10_000, "null", '{"type": []}', '{"type": "act", "position": 1e9}', "\x00"):
                socket.send(text)
                assert next_of(socket, "error")["text"]
            for _ in range(20):
                socket.send("".join(chr(random.randrange(32, 0x3000)) for _ in range(random.randrange(200))))
                assert next_of(socket, "error")["text"]
            for _ in range(100):  # a flood is not read, and does not stop what is sent after it
                socket.send('{"type": "undo"}')
            codes = {next_of(socket, "error")["code"] for _ in range(100)}
            assert "too fast" in codes
        for frame in ("x" * 1_000_000, b"\x00\x01"):
            with server.connect(token) as socket:
                socket.send(frame)
                with pytest.raises(ConnectionClosed):
                    next_of(socket, "never")
        with server.connect(token) as socket:
            again = next_of(socket, "position")
            assert again["number"] == position["number"]


def _play_until_killed(server: Server, token: str, told: list[str], seed: float) -> None:
    """Act for whoever's link it is; ``told``: the acts that the server has confirmed."""
    random = Random(seed)
    try:
        with server.connect(token) as socket:
            while True:
                position = next_of(socket, "position")
                told += [event["text"] for event in position["events"] if event["kind"] == "act" and not position.get("again")]
                if position["over"]:
                    return
                if position["decision"]:
                    option = random.choice([each for each in position["decision"]["options"] if each["legal"]])
                    socket.send(json.dumps({"type": "act", "position": position["number"], "option": option["number"]}))
    except (ConnectionClosed, OSError, InvalidHandshake, EOFError):
        pass


KILLED = ("kingdomino", "masti", "for_the_king", "classics/gin_rummy", "classics/go")  # one table of each at a time


@pytest.mark.process
@pytest.mark.parametrize("round", range(5))
def test_nothing_is_lost_when_the_server_is_killed(round: int, tmp_path: Path) -> None:
    random = Random(round)
    tables: list[tuple[str, list[str]]] = []
    with served(tmp_path) as server:
        for game in KILLED:
            seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "casual"}] * (2 if game == "masti" else 1)]
            tables.append((server.make(game=game, players=len(seats), seats=seats)["seats"][0]["token"], []))
        playing = [Thread(target=_play_until_killed, args=(server, *table, random.random())) for table in tables]
        for each in playing:
            each.start()
        sleep(0.05 + random.random() * 1.5)
        os.kill(server.process.pid, signal.SIGKILL)
        for each in playing:
            each.join()
    with served(tmp_path) as server:
        for token, told in tables:
            with server.connect(token) as socket:
                _goes_on(socket, told)


def _goes_on(socket: ClientConnection, told: list[str]) -> None:
    """The table knows each act that was told, and takes another."""
    position = next_of(socket, "position")
    kept = [event["text"] for event in position["events"] if event["kind"] == "act"]
    assert kept[: len(told)] == told
    while not position["decision"] and not position["over"]:
        position = next_of(socket, "position")
    if not position["over"]:
        option = next(each for each in position["decision"]["options"] if each["legal"])
        socket.send(json.dumps({"type": "act", "position": position["number"], "option": option["number"]}))
        assert next_of(socket, "position", "error")["type"] == "position"


@pytest.mark.process
def test_links_in_a_language(tmp_path: Path) -> None:
    with served(tmp_path, more=("--language", "ja")) as server:
        assert server.link == f"http://127.0.0.1:{server.port}/?lang=ja"
        assert server.designer.startswith("#plays/")
    asked = ["serve", str(GAMES / "masti.rules"), "--no-open", "--data", str(tmp_path), "--language", "xx"]
    refused = CliRunner().invoke(cli, asked)
    assert refused.exit_code == 2
    assert "there are en, ja, ru, uk" in refused.output
