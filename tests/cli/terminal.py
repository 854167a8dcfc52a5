"""Runs a command on a pseudo-terminal, types to it, and reads what it shows."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

SECONDS = 30
START = """
import fcntl, signal, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C reaches this process
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
from rulesrun.cli import main
main()
"""


class Terminal:
    """A command of `rulesrun` that runs on a terminal of its own."""

    def __init__(self, arguments: Sequence[str], folder: Path, **environment: str) -> None:
        self.here, there = pty.openpty()
        settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40", **environment}
        if not environment.get("NO_COLOR"):
            settings.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *arguments],
            stdin=there,
            stdout=there,
            stderr=there,
            cwd=folder,
            env=settings,
            start_new_session=True,
        )
        os.close(there)
        self.shown = ""

    def until(self, text: str) -> str:
        """Read on until a text is shown; what was shown up to then."""
        deadline = time.monotonic() + SECONDS
        while text not in self.shown and time.monotonic() < deadline and self._read():
            pass
        assert text in self.shown, self.shown
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def type(self, text: str) -> None:
        """Type a text; ``\\x03`` is Ctrl-C and ``\\x04`` Ctrl-D."""
        os.write(self.here, text.encode())

    def end(self) -> tuple[int, str]:
        """Wait for the end: the exit code, and what was shown last."""
        while self._read():
            pass
        code = self.process.wait(SECONDS)
        os.close(self.here)
        return code, self.shown

    def _read(self) -> bool:
        ready, _, _ = select.select([self.here], (), (), SECONDS)
        if not ready:
            self.process.kill()
            raise AssertionError(f"nothing more is shown after {self.shown!r}")
        try:
            data = os.read(self.here, 65536)
        except OSError:  # Linux: the other end is closed
            return False
        self.shown += data.decode(errors="replace")
        return bool(data)
