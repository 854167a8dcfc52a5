"""Checks a rules file from Python."""

from __future__ import annotations

from os import PathLike, fspath
from time import monotonic

from ..checks.files import check_files
from ..common.diagnostics import Diagnostic
from ..findings.report import report
from ..findings.selection import Selection
from ..play.arguments import ArgumentError, shown


def check(
    path: str | PathLike[str], *, proved: bool = False, seconds: float | None = None, seed: int = 0
) -> tuple[Diagnostic, ...]:
    """The findings about a file, as `rulesrun check` shows them; none: nothing was found.

    ``proved``: only what can be proved, without play. ``seconds``: a limit of time (None: see `rulesrun check --help`). For the
    main thread, which alone can be interrupted.
    """
    if seconds is not None and not (isinstance(seconds, int | float) and 0 < seconds <= 1_000_000):
        raise ArgumentError(f"seconds: a number up to 1,000,000, not {shown(seconds)}")
    end = None if seconds is None else monotonic() + seconds
    selection = Selection(proved=proved)
    look = check_files([fspath(path)], selection, seed, None, end, None, False)
    return report(look.files, look.found, look.notes, selection, None, look.unproved, look.unplayed).findings
