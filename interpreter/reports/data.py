"""A report and the results of tests as json (`docs/schemas/check.json`, `docs/schemas/test.json`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import asdict

from ..common.diagnostics import as_json
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
