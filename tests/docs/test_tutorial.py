"""The tutorial is followed, step by step: every file it writes, every change, every command and what it prints."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from rulesrun.website.examples import changed

from .markdown import DOCS, ROOT, Fence, check_page
from .shell import Shell


@pytest.mark.process
@pytest.mark.parametrize(("page", "name_of_folder"), [("tutorial.md", "magpies"), ("variant.md", "lands")])
def test_the_tutorial_can_be_followed(page: str, name_of_folder: str, tmp_path: Path) -> None:
    start = tmp_path / "rulesrun"
    shutil.copytree(ROOT / "games", start / "games")
    folder = tmp_path / name_of_folder
    shell = Shell(start, tmp_path / "tools")

    def real(fence: Fence, _: int) -> str | None:
        if fence.language == "console":
            return shell.session(fence.text)
        if fence.language == "sh":
            assert shell.run(fence.text) == ""
            shell.folder = folder
        elif name := fence.setting("file"):
            file = folder / name
            file.write_text(changed(file.read_text(encoding="utf-8"), fence.text) if fence.language == "diff" else fence.text)
        elif name := fence.setting("append"):
            with (folder / name).open("a", encoding="utf-8") as file_:
                file_.write(fence.text)
        else:
            raise AssertionError(f"nobody does what stands at line {fence.line}")
        return None

    check_page(DOCS / page, real)
