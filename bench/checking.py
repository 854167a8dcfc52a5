"""Times `rulesrun check` with an empty cache, and after an edit.

``python bench/checking.py [FILE...]`` measures seconds of the processor for rules without findings (default: the three shipped
games): with an empty cache; once more; after a comment that moves all lines; after a line that touches every table, which makes a
finding; and until that finding is shown on a terminal. Each is measured once, in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import copytree

from rulesrun.bench.reference import COMMAND, NAMES, rules

COMMENT = "# a comment\n\n"
UNUSED = "\ncounter unused_in_bench: 0..9\n"  # R320


def process(path: Path, cache: str) -> float:
    """Seconds of the processor that a check takes."""
    before = os.times()
    command = [sys.executable, "-c", COMMAND, "check", str(path)]
    subprocess.run(command, env={**os.environ, "XDG_CACHE_HOME": cache}, check=False, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def first_finding(path: Path, cache: str, code: str) -> float:
    """Seconds of the processor until a terminal shows a finding of a code; then the check is ended."""
    here, there = pty.openpty()
    command = [sys.executable, "-c", COMMAND, "check", str(path)]
    before = os.times()
    settings = {**os.environ, "XDG_CACHE_HOME": cache, "TERM": "xterm"}
    with subprocess.Popen(command, env=settings, stdin=there, stdout=there, stderr=there) as running:
        os.close(there)
        shown = b""
        try:
            while code.encode() not in shown:
                shown += os.read(here, 65536)
        except OSError:  # it is over, and there was none
            return float("inf")
        finally:
            running.kill()
            os.close(here)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def measured(file: Path) -> list[float]:
    """What is measured of one file."""
    text = file.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        copytree(file.parent, Path(folder) / "games")
        path, cache = Path(folder) / "games" / file.name, str(Path(folder) / "cache")
        found = []
        for edited in (text, text, COMMENT + text, text + UNUSED):
            path.write_text(edited, "utf-8")
            found.append(process(path, cache))
        return [*found, first_finding(path, str(Path(folder) / "other"), "R320")]


def main() -> None:
    parser = argparse.ArgumentParser(description="How long a check takes, with nothing kept and after an edit.")
    parser.add_argument("files", nargs="*", type=Path, help="rules (default: the shipped games)")
    files: list[Path] = parser.parse_args().files or [rules(name) for name in NAMES]
    titles = ("empty cache", "again", "a comment", "all tables", "first finding")
    print(f"{'seconds':<24}" + "".join(f"{title:>15}" for title in titles))
    for file in files:
        print(f"{file.stem:<24}" + "".join(f"{seconds:15.2f}" for seconds in measured(file)), flush=True)


if __name__ == "__main__":
    main()
