"""Shown sessions at a terminal: the lines that begin with ``$`` are run, and what follows each is what it prints.

What is only a command of rulesrun runs in this process; what needs a shell has one.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner
from rulesrun.cli import cli

from .markdown import fences

SECONDS = 60
SETTINGS = {"NO_COLOR": "1", "COLUMNS": "110"}


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
        self.environment = {**os.environ, "PATH": path, **SETTINGS, "PYTHONSAFEPATH": "1"}

    def run(self, command: str) -> str:
        """What a command prints, errors included; lines end without spaces."""
        words = plain(command)
        if words is not None:
            with chdir(self.folder):
                done = CliRunner().invoke(cli, words, env=SETTINGS)
            assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
            printed = done.output
        else:
            printed = subprocess.run(
                ["bash", "-c", command], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=SECONDS, check=False, encoding="utf-8",
            ).stdout  # fmt: skip
        text = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
        assert "Traceback" not in text, text
        return text

    def session(self, shown: str) -> str:
        """A shown session as it really goes."""
        return "".join(f"$ {command}\n{self.run(command)}" for command in commands(shown))


def commands(shown: str) -> list[str]:
    return [line[2:] for line in shown.splitlines() if line.startswith("$ ")]


def plain(command: str) -> list[str] | None:
    """The arguments of a command of rulesrun; None where a shell is needed."""
    program, *words = shlex.split(command)
    if (
        program != "rulesrun"
        or "#" in command
        or any(set(word) <= set("|;&<>()") for word in shlex.shlex(command, punctuation_chars=True))
    ):
        return None
    return words


def needs_a_shell(page: Path) -> bool:
    """Whether a session on a page does more than to run commands of rulesrun."""
    shown = (fence.text for fence in fences(page.read_text(encoding="utf-8")) if fence.language == "console")
    return any(plain(command) is None for text in shown for command in commands(text))
