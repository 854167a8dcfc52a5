"""Coverage as json (`docs/schemas/coverage.json`)."""

from __future__ import annotations

from typing import Any

from .coverage import Coverage
from .listing import Row, Times, rows
from .never import never


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
