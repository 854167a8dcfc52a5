"""Settings of all tests, and the law of the gate: a test without a mark starts no process, opens no socket and does not sleep.

The marks say what a test is (`pyproject.toml`). ``pytest`` alone leaves all marked tests out, and holds the others to this law.
Where ``CI`` is set, Hypothesis takes the same examples each time; it never has deadlines. Each run has a cache folder of its own.
Garbage is collected as rarely as in the command itself.
"""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, SupportsIndex

import pytest
from hypothesis import settings

HERE = Path(__file__).parent
JUDGED = bool(os.environ.get("CI"))

settings.register_profile("here", deadline=None)
settings.register_profile("continuous", deadline=None, derandomize=True, database=None)
settings.load_profile("continuous" if JUDGED else "here")

gc.set_threshold(500_000, 20, 100)

os.environ["LANGUAGE"] = "en"  # whatever the language of this machine

if "PYTEST_XDIST_WORKER" not in os.environ:  # whose workers use the same folder
    os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="rulesrun-tests-")
    atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)

UNMARKED = "not (slow or process or browser or clock or cluster or conformance)"  # as in `pyproject.toml`
PROCESSES = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"}
SOCKETS = {"socket.bind", "socket.connect"}

_unmarked: str | None = None  # the test that runs now, where only tests without a mark run


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _unmarked is None or arguments[:1] == ("fc-list",):  # by which matplotlib finds fonts
        return
    if event in PROCESSES or event in SOCKETS or event == "time.sleep":
        what = "starts a process" if event in PROCESSES else "opens a socket" if event in SOCKETS else "sleeps"
        raise AssertionError(f"{_unmarked} {what} ({event} {arguments!r}): mark it as what it is, or do it without")


_sleep = time.sleep


def _watched_sleep(seconds: float | SupportsIndex, /) -> None:
    if sys.version_info < (3, 13):  # later versions raise this event themselves
        _watch("time.sleep", (seconds,))
    _sleep(seconds)


sys.addaudithook(_watch)
time.sleep = _watched_sleep


def pytest_configure(config: pytest.Config) -> None:
    """A test that is named on the command line runs, whatever its marks."""
    if config.option.markexpr == UNMARKED and any("::" in argument for argument in config.args):
        config.option.markexpr = ""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as slow the cases that ``slow_cases`` names at a test.

    Raises ``pytest.UsageError`` if a test has no case of that name.
    """
    missing: dict[str, set[str]] = {}  # by test
    for item in items:
        for mark in item.iter_markers("slow_cases"):
            test, _, case = item.nodeid.partition("[")
            case = case.removesuffix("]")
            missing.setdefault(test, set(mark.args)).discard(case)
            if case in mark.args:
                item.add_marker(pytest.mark.slow)
    for test, cases in missing.items():
        if cases and not any("::" in argument for argument in config.args):
            raise pytest.UsageError(f"{test} has no case called {', '.join(sorted(cases))}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    global _unmarked
    _unmarked = item.nodeid if item.config.option.markexpr == UNMARKED else None
    try:
        return (yield)
    finally:
        _unmarked = None


def pytest_collection_finish() -> None:
    """What all tests have in common, some hundred thousand objects, is not looked through again: a twelfth of their time."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Where changes are judged, a test is skipped only if ``expected_skips.txt`` says so."""
    expected = (HERE / "expected_skips.txt").read_text(encoding="utf-8").splitlines()
    skipped = [report.nodeid for report in terminalreporter.stats.get("skipped", ())]
    unexpected = [name for name in skipped if name not in expected]
    if JUDGED and unexpected:
        terminalreporter.section("skipped, and not expected to be", red=True, bold=True)
        terminalreporter.write_line("\n".join(unexpected))
        terminalreporter._session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium; tests that need it are skipped where it is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()
