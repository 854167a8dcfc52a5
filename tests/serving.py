"""A server as it runs, for tests: in a process of its own, by HTTP and WebSocket."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

GAMES = Path(__file__).parents[1] / "games"
WAIT = 30.0  # seconds after which a test gives up


class Server:
    """`rulesrun serve` in a process."""

    def __init__(self, data: Path, games: Path = GAMES, more: Sequence[str] = ()) -> None:
        command = [sys.executable, "-c", "from rulesrun.cli import main; main()", "serve", str(games), "--no-open", "--port", "0"]
        command += ["--data", str(data), *more]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.link = line.split()[2]
        self.port = int(line.split("127.0.0.1:")[1].split("/")[0])
        self.designer = "#" + self.process.stdout.readline().partition("#")[2].strip()  # the page of test-plays

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.request(method, path, data, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        connection.close()
        return found

    def make(self, **asked: Any) -> Any:
        status, _, body = self.ask("POST", "/api/tables", asked)
        assert status == 200, body
        return json.loads(body)

    def plays(self) -> Any:
        """What the designer's page is told."""
        return json.loads(self.ask("GET", f"/api/{self.designer.removeprefix('#')}")[2])

    def connect(self, token: str, **more: Any) -> ClientConnection:
        return connect(f"ws://127.0.0.1:{self.port}/api/play/{token}", open_timeout=WAIT, max_size=None, **more)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def served(data: Path, games: Path = GAMES, more: Sequence[str] = ()) -> Generator[Server]:
    server = Server(data, games, more)
    try:
        yield server
    finally:
        server.kill()
        for stream in (server.process.stdin, server.process.stdout):
            assert stream is not None
            stream.close()


def next_of(socket: ClientConnection, *kinds: str) -> Any:
    while True:
        message = json.loads(socket.recv(timeout=WAIT))
        if message["type"] in kinds:
            return message
