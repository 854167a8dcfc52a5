"""A report to be read: the findings file by file, and of a file with very many the most telling ones and a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ..common.codes import CODES
from ..common.diagnostics import Diagnostic
from ..common.nouns import counted
from ..findings.report import Played, Report

MARK = "rulesrun "  # how a report begins that is written into a file; the command follows, and an empty line
SHOWN = 20  # findings of one file: who has mended these will look again
PLACES = 8  # lines that are named for those that are not shown


def text(report: Report, render: Callable[[Diagnostic], str], most: int | None = SHOWN) -> Iterator[str]:
    """The lines of a report. ``render``: how one finding is shown. ``most``: how many of a file at most (None: all)."""
    files: dict[str, list[Diagnostic]] = {}
    for diagnostic in report.findings:
        files.setdefault("" if diagnostic.span is None else diagnostic.span.source.path, []).append(diagnostic)
    for path, found in files.items():
        shown = found if most is None or len(found) <= most else _first_of_each(found, most)
        for diagnostic in shown:
            yield render(diagnostic)
            yield ""
        if len(shown) < len(found):
            yield from _table(path, found, shown)
            yield ""
    said = [*(f"note: {note}" for note in report.notes), *filter(None, map(_explored, report.played))]
    yield from said
    if said:
        yield ""
    yield summary(report)


def summary(report: Report) -> str:
    """``2 files, 4 findings (3 errors, 1 warning), 1 suppressed``."""
    counts = report.counts()
    kinds = [counted(counts[kind], kind.removesuffix("s")) for kind in ("errors", "warnings") if counts[kind]]
    found = counted(len(report.findings), "finding") + (f" ({', '.join(kinds)})" if len(kinds) > 1 else "")
    more = [f"{counts['suppressed']} suppressed"] if counts["suppressed"] else []
    more += [f"{counts['known']} in the baseline"] if counts["known"] else []
    return ", ".join([counted(report.files, "file"), found, *more])


def _explored(played: Played) -> str:
    """Which tables of a file were not gone through, and why; "" where all were."""
    explored = played.tables - played.exhausted
    if not explored:
        return ""
    tables = f"{explored} of {counted(played.tables, 'table')}" if played.exhausted else counted(explored, "table")
    too_many = f"too many positions to go through all (given up at {played.positions:,}, while their number still grew)"
    return f"{played.path}: {too_many}: {tables} (players, variants, options) explored instead"


def _first_of_each(found: Sequence[Diagnostic], most: int) -> list[Diagnostic]:
    """Some findings, in order: of each code as many as of any other, as far as there are so many."""
    counts = Counter(diagnostic.code for diagnostic in found)
    of_each = max(n for n in range(most + 1) if sum(min(n, count) for count in counts.values()) <= most)
    taken: Counter[str] = Counter()
    shown: list[Diagnostic] = []
    for diagnostic in found:
        if taken[diagnostic.code] < max(of_each, 1) and len(shown) < most:
            taken[diagnostic.code] += 1
            shown.append(diagnostic)
    return shown


def _table(path: str, found: Sequence[Diagnostic], shown: Sequence[Diagnostic]) -> Iterator[str]:
    """How often each code was found in a file, and where those of its findings are that are not shown."""
    yield f"{path}: {len(found)} findings, of which {len(shown)} are shown (--all shows all)"
    seen = {id(diagnostic) for diagnostic in shown}
    counts = Counter(diagnostic.code for diagnostic in found)
    width = len(str(max(counts.values())))
    for code in sorted(counts):
        hidden = [d.span.line for d in found if d.code == code and id(d) not in seen and d.span is not None]
        lines = list(dict.fromkeys(hidden))
        named = ", ".join(map(str, lines[:PLACES])) + (", ..." if len(lines) > PLACES else "")
        more = f" (also line{'s' if len(lines) > 1 else ''} {named})" if lines else ""
        yield f"  {code} x {counts[code]:<{width}}  {CODES[code].title}{more}"
