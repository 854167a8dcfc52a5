"""The progress of `rulesrun check` on a terminal: the findings so far, a bar with the tables, the time left.

All of it stands on stderr and vanishes when the check is over; then the report is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...interpreter.checks.explored.effort import SILENT, Progress
from ...interpreter.common.display import safe

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from ...interpreter.common.diagnostics import Diagnostic

LINES = 12  # findings that are shown at a time, so that the bar stays on the screen


@contextmanager
def shown_progress(wanted: bool) -> Generator[Progress]:
    """Progress that is shown where stderr is a terminal and it is ``wanted``, else nothing."""
    if not (wanted and sys.stderr.isatty()):
        yield SILENT
        return
    shown = _Shown()
    try:
        yield shown
    finally:
        shown.end()


class _Shown(Progress):
    """Findings and a bar, from when there is first anything to show: what is over at once shows nothing."""

    def __init__(self) -> None:
        self._live: Live | None = None
        self._findings: tuple[Diagnostic, ...] = ()
        self._what = ""

    def begin(self, what: str, tables: int) -> None:
        """Replace the bar by one of so many tables."""
        live = self._started()
        self._bar.reset(self._task, total=tables, description=safe(what))
        live.refresh()

    def advance(self) -> None:
        self._started()
        self._bar.advance(self._task)

    def show(self, findings: Sequence[Diagnostic]) -> None:
        if tuple(findings) != self._findings:
            self._findings = tuple(findings)
            live = self._started()
            live.update(self._page(), refresh=True)

    def end(self) -> None:
        if self._live is not None:
            self._live.stop()

    def _started(self) -> Live:
        if self._live is None:
            from rich.console import Console
            from rich.live import Live
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TextColumn("tables,")
            self._bar = Progress(*columns, TimeRemainingColumn(), TextColumn("left"))
            self._task = self._bar.add_task("", total=None)
            self._live = Live(self._page(), console=Console(stderr=True), transient=True, refresh_per_second=4)
            self._live.start()
        return self._live

    def _page(self) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        lines = [self._line(finding) for finding in self._findings[:LINES]]
        more = len(self._findings) - LINES
        if more > 0:
            lines.append(Text(f"and {more} more"))
        return Group(*lines, self._bar)

    def _line(self, finding: Diagnostic) -> RenderableType:
        """A finding in one line."""
        from rich.text import Text

        place = f"{safe(finding.span.place)}: " if finding.span is not None else ""
        style = "bold red" if finding.severity == "error" else "bold yellow"
        text = Text.assemble((f"{finding.severity}[{finding.code}]", style), f" {place}{safe(finding.message)}")
        text.no_wrap, text.overflow = True, "ellipsis"
        return text
