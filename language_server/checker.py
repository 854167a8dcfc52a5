"""Checks files in a process of its own, so that the editor never waits for it, and so that it can be stopped at any moment.

`Checker` is what the server uses; `main` is what runs in the other process. They speak by pickles on pipes: nobody else writes
to these.
"""

from __future__ import annotations

import pickle
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from threading import Thread
from typing import IO, Any, Literal, Protocol

from attrs import frozen

from ..interpreter.checks.explored.effort import Progress
from ..interpreter.common.diagnostics import Diagnostic

PLAYING = 60.0  # seconds that games of a file are played
_LENGTH = struct.Struct("<Q")


@frozen
class Job:
    """What is to be checked: a file, with the texts that are not saved. ``plays``: games as well."""

    path: Path
    unsaved: dict[Path, str]
    plays: bool


@frozen
class News:
    """What came out so far. ``stage``: "proved" with all findings that need no play; "tests" with their ``results`` by title;
    "playing" with how far that is (``done`` of ``whole`` tables); "played" with all findings."""

    stage: Literal["proved", "tests", "playing", "played"]
    findings: tuple[Diagnostic, ...] = ()
    results: dict[str, bool] | None = None
    done: int = 0
    whole: int = 0


class Checks(Protocol):
    """What does jobs, one at a time, away from the server."""

    def check(self, job: Job, tell: Callable[[News], None], over: Callable[[], None]) -> None:
        """Check this instead of whatever is being checked. ``tell``: hears what comes out. ``over``: is called when all is told;
        neither is called any more once the check was stopped."""

    def stop(self) -> None:
        """Stop the check that runs, if one does."""

    def close(self) -> None:
        """Stop everything: nothing is checked from now on."""


class Checker:
    """One check at a time, in another process. The next process is started before it is needed: Python takes a while to begin.

    ``later``: calls a function in the thread of the server; it is called from others.
    """

    def __init__(self, later: Callable[[Callable[[], None]], object]) -> None:
        self._later = later
        self._process: Popen[bytes] | None = None
        self._spare: Popen[bytes] | None = None

    def check(self, job: Job, tell: Callable[[News], None], over: Callable[[], None]) -> None:
        """See `Checks`."""
        self.stop()
        process = self._spare if self._spare is not None and self._spare.poll() is None else _start()
        self._process, self._spare = process, _start()

        def hear(news: News | None) -> None:
            if process is self._process:
                over() if news is None else tell(news)

        Thread(target=self._listen, args=(process, job, hear), daemon=True).start()

    def stop(self) -> None:
        """See `Checks`."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def close(self) -> None:
        """See `Checks`."""
        self.stop()
        if self._spare is not None:
            self._spare.kill()
            self._spare = None

    def _listen(self, process: Popen[bytes], job: Job, hear: Callable[[News | None], None]) -> None:
        """Give a process its job, and hear its news until it ends."""
        assert process.stdin is not None
        assert process.stdout is not None
        with process, suppress(OSError, ValueError, EOFError, RuntimeError):  # it was stopped, or the server is gone
            _send(process.stdin, job)
            while (news := _receive(process.stdout)) is not None:
                self._later(partial(hear, news))
            self._later(partial(hear, None))


def _start() -> Popen[bytes]:
    return Popen([sys.executable, "-c", f"from {__name__} import main; main()"], stdin=PIPE, stdout=PIPE, stderr=DEVNULL)


def main() -> None:
    """Do one job that comes on standard input, and tell the news on standard output."""
    from ..interpreter.checks import files, tests  # noqa: F401 - takes a while: now, before there is a job

    job, target = _receive(sys.stdin.buffer), sys.stdout.buffer
    if job is None:
        return
    for news in proved(job):
        _send(target, news)
    if job.plays and news.stage == "tests":
        _send(target, _played(job, _Telling(target)))


def proved(job: Job) -> Iterator[News]:
    """What is found without play, and then the results of the tests, if the rules can be read."""
    from ..interpreter.checks.files import check_files
    from ..interpreter.checks.tests import run_tests
    from ..interpreter.common.files import reading
    from ..interpreter.findings.report import report
    from ..interpreter.findings.selection import Selection
    from ..interpreter.rules import read_rules

    path = str(job.path)
    with reading(job.unsaved):
        found = check_files([path], Selection((), (), True), 0, None, None, None, False)
        yield News("proved", report(found.files, found.found, unproved=found.unproved).findings)
        rules = read_rules(path)
        if rules.model is not None:
            yield News("tests", results={result.title: result.passed for result in run_tests(rules)})


def _played(job: Job, progress: Progress) -> News:
    """What is found with play."""
    from time import monotonic

    from ..interpreter.checks.files import check_files
    from ..interpreter.common.files import reading
    from ..interpreter.findings.report import report
    from ..interpreter.findings.selection import Selection

    with reading(job.unsaved):
        found = check_files([str(job.path)], Selection((), (), False), 0, None, monotonic() + PLAYING, None, False, progress)
        return News("played", report(found.files, found.found, unproved=found.unproved, unplayed=found.unplayed).findings)


def _send(target: IO[bytes], value: object) -> None:
    packed = pickle.dumps(value)
    target.write(_LENGTH.pack(len(packed)) + packed)
    target.flush()


def _receive(source: IO[bytes]) -> Any:
    """What was sent; None at the end."""
    header = source.read(_LENGTH.size)
    return pickle.loads(source.read(*_LENGTH.unpack(header))) if len(header) == _LENGTH.size else None


class _Telling(Progress):
    """Tells how far playing is. Findings are told at the end."""

    def __init__(self, target: IO[bytes]) -> None:
        self._target = target
        self._done, self._whole = 0, 0

    def begin(self, what: str, tables: int) -> None:
        self._done, self._whole = 0, tables if what.startswith("playing") else 0

    def advance(self) -> None:
        self._done += 1
        if self._whole:
            _send(self._target, News("playing", done=self._done, whole=self._whole))

    def show(self, findings: Sequence[Diagnostic]) -> None:
        pass
