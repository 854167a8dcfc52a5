"""Shown sessions at a terminal: the lines that begin with ``$`` are run, and what follows each is what it prints."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SECONDS = 60


class Shell:
    """A folder in which commands are run, with `rulesrun` and `python` of the tests' own environment."""

    def __init__(self, folder: Path, tools: Path) -> None:
        self.folder = folder
        tools.mkdir(parents=True, exist_ok=True)
        command = tools / "rulesrun"
        guarded = "from rulesrun.cli import main\n\nif __name__ == '__main__':\n    main()\n"
        command.write_text(f"#!{sys.executable}\n{guarded}", encoding="utf-8")
        command.chmod(0o755)
        python = tools / "python"
        if not python.exists():
            python.symlink_to(sys.executable)
        path = os.pathsep.join([str(tools), os.environ.get("PATH", "")])
        self.environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "110", "PYTHONSAFEPATH": "1"}

    def run(self, command: str) -> str:
        """What a command prints, errors included; lines end without spaces."""
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, timeout=SECONDS, check=False, encoding="utf-8",
        )  # fmt: skip
        text = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
        assert "Traceback" not in text, text
        return text

    def session(self, shown: str) -> str:
        """A shown session as it really goes."""
        commands = [line for line in shown.splitlines() if line.startswith("$ ")]
        return "".join(f"{command}\n{self.run(command[2:])}" for command in commands)
