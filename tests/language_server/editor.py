"""An editor for tests: it speaks the protocol itself, and keeps what it was told.

Its server is one in this process, whose time is its own: where it would wait, its clock goes on, so that nothing here depends on
how fast a machine is. `real_editor` has a server process, as real editors have.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any, Protocol

from pygls.protocol import JsonRPCProtocol
from rulesrun.language_server.checker import Job, News, proved
from rulesrun.language_server.server import make_server

PATIENCE = 60.0  # seconds for an answer
MARK = "§"  # where the cursor is, in texts of tests

CAPABILITIES: dict[str, Any] = {
    "workspace": {"codeLens": {"refreshSupport": True}, "didChangeWatchedFiles": {"dynamicRegistration": True}},
    "window": {"workDoneProgress": True},
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True}},
        "codeAction": {"resolveSupport": {"properties": ["edit"]}},
    },
}


class Failed(Exception):
    """The server answered with an error."""


class Server(Protocol):
    """Where an editor sends its messages, and hears others from."""

    def send(self, message: dict[str, Any]) -> None: ...

    def hear(self) -> dict[str, Any]:
        """The next message. Raises ``TimeoutError`` if none comes, and ``EOFError`` if the server is gone."""
        ...


class Process:
    """A server process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._inbox: Queue[dict[str, Any] | None] = Queue()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            if not length:
                self._inbox.put(None)
                return
            self._inbox.put(json.loads(stream.read(length)))

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        try:
            message = self._inbox.get(timeout=PATIENCE)
        except Empty:
            raise TimeoutError from None
        if message is None:
            raise EOFError("the server is gone")
        return message


class TimelessLoop(asyncio.SelectorEventLoop):
    """A loop that never waits: it goes on to the time of what is to be done next."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0
        selector: Any = self._selector  # type: ignore[attr-defined]
        select = selector.select

        def at_once(timeout: float | None) -> Any:
            self._now += timeout or 0.0
            return select(0)

        selector.select = at_once

    def time(self) -> float:
        return self._now


class Here:
    """A server in this process. What it proves is proved at once, unless it was stopped before; nothing is played."""

    def __init__(self) -> None:
        self.loop = TimelessLoop()
        self.server = make_server("0", self)
        self._protocol: JsonRPCProtocol = self.server.protocol
        self._protocol.set_writer(self, include_headers=False)
        self._inbox: deque[dict[str, Any]] = deque()
        self._job: Job | None = None

    def send(self, message: dict[str, Any]) -> None:
        content = json.loads(json.dumps(message), object_hook=self._protocol.structure_message)
        self.loop.call_soon(self._protocol.handle_message, content)

    def hear(self) -> dict[str, Any]:
        async def come() -> None:
            while not self._inbox:
                await asyncio.sleep(0.001)

        self.loop.run_until_complete(asyncio.wait_for(come(), PATIENCE))
        return self._inbox.popleft()

    # ---- What the server writes to

    def write(self, data: bytes) -> None:
        self._inbox.append(json.loads(data))

    # ---- `Checks`

    def check(self, job: Job, tell: Callable[[News], None], over: Callable[[], None]) -> None:
        self._job = job

        def go_on(news: Iterator[News]) -> None:
            if self._job is not job:
                return
            found = None if job.plays else next(news, None)
            if found is None:
                return over()
            tell(found)
            self.loop.call_soon(go_on, news)

        self.loop.call_soon(go_on, proved(job))

    def stop(self) -> None:
        self._job = None

    def close(self) -> None:
        self._job = None


class Editor:
    """One editor with one server. ``shown``: the diagnostics of each address as they were shown last; ``times`` how often, and
    ``seen`` for which version of the text."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.shown: dict[str, list[dict[str, Any]]] = {}
        self.times: dict[str, int] = {}
        self.seen: dict[str, int] = {}
        self.heard: list[dict[str, Any]] = []  # all other messages
        self.answers: dict[int, dict[str, Any]] = {}
        self.versions: dict[str, int] = {}
        self.capabilities: dict[str, Any] = {}
        self._asked = 0

    # ---- Messages

    def send(self, **message: Any) -> None:
        self.server.send({"jsonrpc": "2.0", **message})

    def tell(self, method: str, **params: Any) -> None:
        self.send(method=method, params=params)

    def hear(self) -> None:
        """Take in one message."""
        message = self.server.hear()
        method = message.get("method")
        if method == "textDocument/publishDiagnostics":
            uri = message["params"]["uri"]
            self.shown[uri] = message["params"]["diagnostics"]
            self.times[uri] = self.times.get(uri, 0) + 1
            self.seen[uri] = message["params"].get("version") or 0
        elif method is None:
            self.answers[message["id"]] = message
        else:
            self.heard.append(message)
            if "id" in message:
                self.send(id=message["id"], result=None)

    def until(self, holds: Callable[[], Any]) -> None:
        """Take in messages until something holds."""
        while not holds():
            try:
                self.hear()
            except TimeoutError:
                raise TimeoutError(f"shown: {self.shown}") from None

    def begin(self, method: str, **params: Any) -> int:
        """Ask, and go on without the answer."""
        self._asked += 1
        self.send(id=self._asked, method=method, params=params)
        return self._asked

    def answer(self, number: int) -> Any:
        self.until(lambda: number in self.answers)
        message = self.answers.pop(number)
        if "error" in message:
            raise Failed(message["error"]["message"])
        return message["result"]

    def ask(self, method: str, **params: Any) -> Any:
        return self.answer(self.begin(method, **params))

    # ---- Files

    def open(self, path: Path, text: str | None = None, language: str = "rulesrun") -> str:
        """Open a file, with another text than it has if one is given; returns its address."""
        uri = path.resolve().as_uri()
        text = path.read_text(encoding="utf-8") if text is None else text
        self.versions[uri] = 1
        self.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": language, "version": 1, "text": text})
        return uri

    def change(self, uri: str, *changes: dict[str, Any]) -> None:
        self.versions[uri] += 1
        self.tell(
            "textDocument/didChange", textDocument={"uri": uri, "version": self.versions[uri]}, contentChanges=list(changes)
        )

    def write(self, uri: str, text: str) -> None:
        """The whole text of an open file is this now."""
        self.change(uri, {"text": text})

    def at(self, method: str, uri: str, text: str, **params: Any) -> Any:
        """Write a text with a `MARK` in it, and ask about that place."""
        line, column = place(text)
        self.write(uri, text.replace(MARK, ""))
        return self.about(method, uri, position={"line": line, "character": column}, **params)

    def about(self, method: str, uri: str, **params: Any) -> Any:
        return self.ask(f"textDocument/{method}", textDocument={"uri": uri}, **params)

    def codes(self, uri: str) -> list[str]:
        return sorted(each["code"] for each in self.shown.get(uri, []))


def place(text: str) -> tuple[int, int]:
    """Line and column (UTF-16) of the `MARK`."""
    before = text[: text.index(MARK)]
    line = before.rpartition("\n")[2]
    return before.count("\n"), len(line.encode("utf-16-le")) // 2


@contextmanager
def editor(folder: Path, capabilities: dict[str, Any] | None = None, **options: Any) -> Generator[Editor]:
    """An editor whose server, in this process, is ready. ``options``: for the server."""
    here = Here()
    try:
        yield _ready(here, folder, capabilities, options)
    finally:
        for task in asyncio.all_tasks(here.loop):
            task.cancel()
        with suppress(asyncio.CancelledError):
            here.loop.run_until_complete(asyncio.sleep(0))
        here.loop.close()


@contextmanager
def real_editor(folder: Path) -> Generator[tuple[Editor, subprocess.Popen[bytes]]]:
    """An editor whose server process is ready, and this process."""
    command = [sys.executable, "-c", "from rulesrun.cli import main; main()", "lsp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder) as process:
        try:
            yield _ready(Process(process), folder, None, {}), process
        finally:
            process.kill()


def _ready(server: Server, folder: Path, capabilities: dict[str, Any] | None, options: dict[str, Any]) -> Editor:
    one = Editor(server)
    one.capabilities = one.ask(
        "initialize",
        processId=None,
        rootUri=folder.resolve().as_uri(),
        initializationOptions=options,
        capabilities=CAPABILITIES if capabilities is None else capabilities,
    )["capabilities"]
    one.tell("initialized")
    return one
