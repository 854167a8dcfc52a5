"""The page on translations shows what is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from .markdown import DOCS, Fence, check_page
from .shell import Shell


@pytest.mark.process
def test_the_page_shows_what_is_printed(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    shell = Shell(tmp_path / "here", tmp_path / "tools")

    def real(fence: Fence, _: int) -> str | None:
        if name := fence.setting("file"):
            (tmp_path / "here" / name).write_text(fence.text, encoding="utf-8")
        return shell.session(fence.text) if fence.language == "console" else None

    check_page(DOCS / "translation.md", real)
