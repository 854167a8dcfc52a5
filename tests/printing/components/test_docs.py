"""The page about printing shows what is printed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ...docs.markdown import DOCS, check_page
from ...docs.shell import Shell
from .games import GAMES


@pytest.mark.process
def test_the_page_shows_what_is_so(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    shutil.copytree(GAMES, folder / "games")
    shell = Shell(folder, tmp_path / "tools")
    check_page(DOCS / "printing.md", lambda fence, _: shell.session(fence.text) if fence.language == "console" else None)


def test_the_sizes_of_the_page_are_those_of_looks(tmp_path: Path) -> None:
    from rulesrun.interpreter.common.source import Source
    from rulesrun.interpreter.printing.components.sizes import sizes_in

    page = (DOCS / "printing.md").read_text(encoding="utf-8")
    look = page.partition("```css\n")[2].partition("```")[0]
    found = sizes_in(Source("printing.md", look))
    assert found.diagnostics == ()
    assert {(one.name, one.side, one.length) for one in found.asked} == {
        ("lamp", "width", 44),
        ("lamp", "height", 67),
        ("garden", "cell", 25),
    }
