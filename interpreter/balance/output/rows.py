"""The games of a report as rows of a pyarrow table."""

from __future__ import annotations

from typing import Any

from ...common.extras import extra
from ...machine.columns import DECISIONS
from ..analysis import Analysis
from ..measures import SCORE, SEARCH, lead
from ..playing.course import MILLION


def table_of_rows(analysis: Analysis) -> Any:
    """A row for each game that ended, at each table: the columns of `simulate --out`, and what a course holds beside."""
    pyarrow = extra("pyarrow", "parquet", "rows as a table")
    rows: list[dict[str, Any]] = []
    for table in analysis.tables:
        names = table.side.columns.names
        for game, course in sorted(table.played.courses.items()):
            row: dict[str, Any] = {"table": table.side.title, "game": game, **dict(zip(names, course.row, strict=True))}
            row["forced"] = course.row[DECISIONS] - sum(course.free)
            row["thoughts"], row["matter"] = sum(course.thoughts), sum(course.matter)
            row["cost"] = course.cost / MILLION
            for basis in (SCORE, SEARCH):
                found = lead(course, basis)
                row[f"lead_changes_{basis}"] = None if found is None else found.changes
                for name in ("settled", "comeback", "drama"):
                    row[f"{name}_{basis}"] = None if found is None else getattr(found, name)
            rows.append(row)
    return pyarrow.Table.from_pylist(rows)
