"""An editor for tests: it speaks the protocol itself with a real server process, and keeps what it was told."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

PATIENCE = 60.0  # seconds for an answer on a busy machine
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


class Editor:
    """One editor with one server. ``shown``: the diagnostics of each address as they were shown last; ``times`` how often, and
    ``seen`` for which version of the text."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.shown: dict[str, list[dict[str, Any]]] = {}
        self.times: dict[str, int] = {}
        self.seen: dict[str, int] = {}
        self.heard: list[dict[str, Any]] = []  # all other messages
        self.answers: dict[int, dict[str, Any]] = {}
        self.versions: dict[str, int] = {}
        self.capabilities: dict[str, Any] = {}
        self._asked = 0
        self._inbox: Queue[dict[str, Any] | None] = Queue()
        Thread(target=self._listen, daemon=True).start()

    # ---- Messages

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

    def send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method: str, **params: Any) -> None:
        self.send(method=method, params=params)

    def hear(self, seconds: float = PATIENCE) -> None:
        """Take in one message."""
        try:
            message = self._inbox.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None
        if message is None:
            raise EOFError("the server is gone")
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

    def until(self, holds: Callable[[], Any], seconds: float = PATIENCE) -> None:
        """Take in messages until something holds."""
        end = time.monotonic() + seconds
        while not holds():
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"shown: {self.shown}")
            try:
                self.hear(left)
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

    def close(self) -> int:
        """Shut the server down as an editor does; returns its exit code."""
        self.ask("shutdown")
        self.tell("exit")
        return self.process.wait(PATIENCE)


def place(text: str) -> tuple[int, int]:
    """Line and column (UTF-16) of the `MARK`."""
    before = text[: text.index(MARK)]
    line = before.rpartition("\n")[2]
    return before.count("\n"), len(line.encode("utf-16-le")) // 2


@contextmanager
def editor(folder: Path, capabilities: dict[str, Any] | None = None, **options: Any) -> Generator[Editor]:
    """An editor whose server is ready. ``options``: for the server."""
    command = [sys.executable, "-c", "from rulesrun.cli import main; main()", "lsp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder) as process:
        try:
            one = Editor(process)
            one.capabilities = one.ask(
                "initialize",
                processId=None,
                rootUri=folder.resolve().as_uri(),
                initializationOptions=options,
                capabilities=CAPABILITIES if capabilities is None else capabilities,
            )["capabilities"]
            one.tell("initialized")
            yield one
        finally:
            process.kill()
