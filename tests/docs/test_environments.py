"""The page on environments: its Python prints what is shown."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .markdown import DOCS, ROOT, Fence, check_page, fences
from .shell import Shell

PAGE = DOCS / "environments.md"
END = "-- end of a piece --"


@pytest.mark.process
def test_the_page_prints_what_is_shown(tmp_path: Path) -> None:
    for package in ("pyspiel", "pettingzoo", "gymnasium"):
        pytest.importorskip(package)
    folder = tmp_path / "here"
    shutil.copytree(ROOT / "games", folder / "games")
    pieces = [fence.text for fence in fences(PAGE.read_text(encoding="utf-8")) if fence.language == "python"]
    script = f"\nprint({END!r})\n".join(pieces)
    (folder / "example.py").write_text(script, encoding="utf-8")
    environment = Shell(folder, tmp_path / "tools").environment
    command = [sys.executable, "example.py"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    printed = iter(done.stdout.split(f"{END}\n"))

    def real(fence: Fence, _: int) -> str | None:
        return next(printed) if fence.language == "text" else None

    check_page(PAGE, real)
