"""The pages on many games, small ones and players show what is printed, but for the times."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from .markdown import DOCS, ROOT, Fence, check_page
from .shell import Shell

TIMES = re.compile(r"\(\w+ engine, .*\)$", re.M)


@pytest.mark.process
@pytest.mark.parametrize("page", ["bots.md", "cluster.md", "simulate.md", "solve.md", "sweep.md", "tune.md"])
def test_the_page_shows_what_is_printed(tmp_path: Path, page: str) -> None:
    if page == "bots.md":
        pytest.importorskip("pyspiel")
    folder = tmp_path / "here"
    shutil.copytree(ROOT / "games", folder / "games")
    shell = Shell(folder, tmp_path / "tools")

    def real(fence: Fence, _: int) -> str | None:
        if fence.language in ("python", "rules"):
            (folder / (fence.setting("file") or "")).write_text(fence.text, encoding="utf-8")
            return None
        if not fence.language:
            return None  # it takes several machines
        assert fence.language == "console"
        shown = iter(TIMES.findall(fence.text))
        return TIMES.sub(lambda found: next(shown, found[0]), shell.session(fence.text))

    check_page(DOCS / page, real)
