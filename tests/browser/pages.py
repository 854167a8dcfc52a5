"""Pages as they are written, served as any web host would, for tests in a browser."""

from __future__ import annotations

import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import pytest
from rulesrun.browser.pyodide import pyodide
from rulesrun.interpreter.common.diagnostics import RulesError

GAMES: Final = Path(__file__).parents[2] / "games"


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


class Host:
    """``port``: where a folder is served; ``asked``: the paths that were asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def runtime() -> dict[str, bytes]:
    """Pyodide; the test is skipped where neither the cache nor npm has it."""
    try:
        return pyodide()
    except RulesError as error:
        pytest.skip(error.diagnostics[0].message)


@contextmanager
def hosted(folder: Path, files: Mapping[str, bytes]) -> Generator[Host]:
    """A folder with these files, served."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    host = Host(folder)
    yield host
    host.close()
