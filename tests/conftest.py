"""Settings of all tests: hypothesis without deadlines, since machines are busy, and with the same examples each time where
changes are judged; garbage is collected as rarely as in the command itself.
"""

from __future__ import annotations

import gc
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import settings

HERE = Path(__file__).parent

settings.register_profile("here", deadline=None)
settings.register_profile("continuous", deadline=None, derandomize=True)
settings.load_profile("continuous" if os.environ.get("CI") else "here")

gc.set_threshold(500_000, 20, 100)


os.environ["LANGUAGE"] = "en"  # whatever the language of this machine


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--turn", metavar="K/N", help="of the long tests, only the Kth of N shares (from 0); together they are all")


def pytest_configure(config: pytest.Config) -> None:
    """A test that is named on the command line runs, even a long one."""
    if config.option.markexpr == "not long" and any("::" in argument for argument in config.args):
        config.option.markexpr = ""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that `long.txt` names, and leave out those whose turn it is not."""
    lines = (HERE / "long.txt").read_text(encoding="utf-8").splitlines()
    names = {line for line in lines if "[" not in line}
    cases = tuple(line for line in lines if "[" in line and not line.startswith("#"))
    for item in items:
        name = f"{item.path.relative_to(HERE).as_posix()}::{item.nodeid.partition('::')[2]}"
        if name.partition("[")[0] in names or name.startswith(cases):
            item.add_marker(pytest.mark.long)
    if config.option.turn is not None:
        items[:] = _of_turn(items, *map(int, config.option.turn.split("/")))


def _of_turn(items: list[pytest.Item], turn: int, turns: int) -> list[pytest.Item]:
    """Of each family of long tests, every ``turns``th case; families begin at different ones."""
    seen: Counter[str] = Counter()
    kept = []
    for item in items:
        if item.get_closest_marker("long") is not None:
            family = item.nodeid.partition("[")[0]
            seen[family] += 1
            if (seen[family] + crc32(family.encode())) % turns != turn:
                continue
        kept.append(item)
    return kept


def pytest_collection_finish() -> None:
    """What all tests have in common, some hundred thousand objects, is not looked through again: a twelfth of their time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium; tests that need it are skipped where it is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()
