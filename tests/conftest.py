"""Settings of all tests: hypothesis without deadlines, since machines are busy, and with the same examples each time where
changes are judged; garbage is collected as rarely as in the command itself.
"""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

HERE = Path(__file__).parent

settings.register_profile("here", deadline=None)
settings.register_profile("continuous", deadline=None, derandomize=True)
settings.load_profile("continuous" if os.environ.get("CI") else "here")

gc.set_threshold(500_000, 20, 100)


def pytest_configure(config: pytest.Config) -> None:
    """A test that is named on the command line runs, even a long one."""
    if config.option.markexpr == "not long" and any("::" in argument for argument in config.args):
        config.option.markexpr = ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `long.txt` names."""
    lines = (HERE / "long.txt").read_text(encoding="utf-8").splitlines()
    names = {line for line in lines if "[" not in line}
    cases = tuple(line for line in lines if "[" in line and not line.startswith("#"))
    for item in items:
        name = f"{item.path.relative_to(HERE).as_posix()}::{item.nodeid.partition('::')[2]}"
        if name.partition("[")[0] in names or name.startswith(cases):
            item.add_marker(pytest.mark.long)


def pytest_collection_finish() -> None:
    """What all tests have in common, some hundred thousand objects, is not looked through again: a twelfth of their time."""
    gc.collect()
    gc.freeze()
