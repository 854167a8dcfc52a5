"""Processes whose files cannot grow beyond a size, which a program is told as it is told that a disk is full.

They write no bytecode: Python would leave files of it that are cut short, and later processes could import nothing.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence

import pytest

WITHOUT_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}


def run_without_room(command: Sequence[str], size: int) -> subprocess.CompletedProcess[str]:
    """Run a command whose files hold at most ``size`` bytes each. Skips the test where a system has no such limit."""
    resource = pytest.importorskip("resource")

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    environment = {**os.environ, **WITHOUT_BYTECODE}
    return subprocess.run(command, capture_output=True, text=True, preexec_fn=limit, env=environment, timeout=120, check=False)
