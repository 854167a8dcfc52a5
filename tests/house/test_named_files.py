"""Files that docstrings and comments name exist."""

from __future__ import annotations

import re

import pytest

from .imports import ROOT, modules

SOURCES = [*modules().values(), ROOT / "grammar" / "rules.lark"]
NAMED = re.compile(r"(?<!`)`([\w/]+\.py)`(?!`)|(\binterpreter/[\w/]+\.py)")


@pytest.mark.slow
def test_every_named_file_exists() -> None:
    files = [*modules().values(), *(ROOT / "bench").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    there = {path.relative_to(ROOT).as_posix() for path in files}
    there |= {part for path in there for part in (path.split("/", count)[-1] for count in range(1, path.count("/") + 1))}
    missing = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in SOURCES
        for found in NAMED.findall(path.read_text(encoding="utf-8"))
        for name in found
        if name and name not in there
    ]
    assert missing == []
