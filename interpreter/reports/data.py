"""A report, the results of tests and coverage as json (`check.json`, `test.json` and `coverage.json` in `docs/schemas`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import asdict

from ..common.diagnostics import as_json
from ..coverage.coverage import Coverage
from ..coverage.listing import Row, Times, rows
from ..coverage.never import never
from ..findings.report import Report
from .tested import TestedFile


def report_data(report: Report) -> dict[str, Any]:
    """Suppressed findings come last, with the reasons; those of the baseline are only counted."""
    findings = [as_json(diagnostic) | {"suppressed": []} for diagnostic in report.findings]
    findings += [as_json(each.diagnostic) | {"suppressed": list(each.reasons)} for each in report.suppressed]
    return {
        "files": report.files,
        "findings": findings,
        "counts": report.counts(),
        "notes": list(report.notes),
        "played": [asdict(each) for each in report.played],
    }


def tests_data(files: Sequence[TestedFile]) -> dict[str, Any]:
    """``seconds`` is the only value that differs from run to run."""
    return {
        "files": len(files),
        "passed": sum(file.passed for file in files),
        "failed": sum(file.failed for file in files),
        "tests": [
            {
                "path": each.result.span.source.path,
                "line": each.result.span.line,
                "title": each.result.title,
                "passed": each.result.passed,
                "acts": each.result.acts,
                "seconds": round(each.seconds, 3),
                "findings": [as_json(diagnostic) for diagnostic in each.result.diagnostics],
            }
            for file in files
            for each in file.tests
        ],
        "findings": [as_json(diagnostic) for file in files for diagnostic in file.diagnostics],
    }


def coverage_data(coverage: Coverage) -> dict[str, Any]:
    """Only lines on which something can be reached; all that never happened, not only the first of each sort."""
    covered = coverage.covered
    return {
        "path": coverage.path,
        "tests": covered.tests,
        "games": covered.games,
        "percent": round(float(coverage.percent), 2),
        "shares": [{"name": share.name, "reached": share.reached, "of": share.all} for share in coverage.shares],
        "lines": [_line(row) for row in rows(coverage) if row.style],
        "never": [
            {"what": each.heading, "text": text, "path": span.source.path, "line": span.line, "column": span.column}
            for each in never(coverage)
            for text, span in ((text, place.span) for text, place in each.things)
        ],
        "left_out": list(covered.left_out),
    }


def _line(row: Row) -> dict[str, Any]:
    return {
        "path": row.source.path,
        "line": row.number,
        "reached": row.style,
        "tests": _times(row.tests),
        "games": _times(row.games),
        "note": row.note,
    }


def _times(times: Times) -> dict[str, Any]:
    return {"reached": times.reached, "offered": times.offered, "counted": times.counted}
