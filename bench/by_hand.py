"""Runs the yardsticks that are written by hand: C engines in `bench/native/`, and plain Python.

Each is a program that plays whole random games for some time and prints one line of json; the C engines are compiled first, where
gcc exists.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

HERE = Path(__file__).parent
PLAIN_MASTI = (sys.executable, str(HERE / "plain_masti.py"))


@frozen
class Statistics:
    """Of a run: means over its games (``options_mean``: over all decisions), and by seat in order."""

    players: int
    games: int
    seconds: float
    games_per_s: float
    decisions_mean: float
    options_mean: float
    score_mean: list[float]
    win_share: list[float]


def compiled(game: str, architecture: str, settings: Mapping[str, int], folder: Path) -> tuple[str, ...] | None:
    """The command that runs a C engine, put into a folder; None where gcc is missing or does not know the architecture.

    ``settings``: its macros by name, such as ``{"PLAYERS": 4}``.
    """
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    program = folder / "-".join([game, architecture, *map(str, settings.values())])
    macros = [f"-D{name}={value}" for name, value in settings.items()]
    command = [gcc, "-O3", f"-march={architecture}", *macros, str(HERE / "native" / f"{game}.c"), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, check=False)
    return (str(program),) if done.returncode == 0 else None


def run(command: tuple[str, ...], *arguments: str) -> Statistics:
    """Run one of the programs; ``arguments`` are SECONDS [SEED], or --games N [SEED]."""
    done = subprocess.run([*command, *arguments], stdout=subprocess.PIPE, check=True)
    return Statistics(**json.loads(done.stdout))
