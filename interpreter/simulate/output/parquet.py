"""Writes a row for each game to a Parquet file that grows while the games are played; memory does not.

The columns are ``game`` (its number under the seed), then those of `Columns` by their names, seats counted from 1. The metadata
of the file says what was played, under ``rulesrun``, as json. Row groups have a fixed number of games, so the file is the same
for any number of threads and any engine.
"""

from __future__ import annotations

import json
from array import array
from typing import IO, Any

from ...common.extras import extra
from ..checkpoint import described
from ..simulation import Plan

MARK = b"PAR1"  # how every Parquet file begins
GAMES_IN_GROUP = 65_536


def check_installed() -> None:
    """Raises `RulesError` (R804) where pyarrow is missing."""
    extra("pyarrow", "parquet", "`--out`")


def table_of(plan: Plan, rows: array[int]) -> Any:
    """The rows of the first games of a plan as a ``pyarrow.Table``. Raises `RulesError` (R804) where pyarrow is missing."""
    return _table(extra("pyarrow", "parquet", "a table of rows"), plan, rows, 0)


def _schema(arrow: Any, plan: Plan) -> Any:
    fields = [("game", arrow.int64()), *((name, arrow.int32()) for name in plan.columns.names)]
    return arrow.schema(fields, metadata={"rulesrun": json.dumps(described(plan))})


def _table(arrow: Any, plan: Plan, rows: array[int], first: int) -> Any:
    width = len(plan.columns)
    games = len(rows) // width
    numbers = array("q", range(first, first + games))
    columns = [(arrow.int64(), numbers), *((arrow.int32(), rows[column::width]) for column in range(width))]
    arrays = [arrow.Array.from_buffers(kind, games, [None, arrow.py_buffer(values)]) for kind, values in columns]
    return arrow.Table.from_arrays(arrays, schema=_schema(arrow, plan))


class RowsFile:
    """A file to which the rows of a plan are written, to be closed in the end. OSError where it cannot be written."""

    def __init__(self, stream: IO[bytes], plan: Plan) -> None:
        self._arrow: Any = extra("pyarrow", "parquet", "`--out`")
        self._plan = plan
        self._waiting = array("i")
        self._games = 0
        self._writer: Any = extra("pyarrow.parquet", "parquet", "`--out`").ParquetWriter(stream, _schema(self._arrow, plan))

    def add(self, rows: array[int]) -> None:
        """The rows of the next games."""
        self._waiting += rows
        size = GAMES_IN_GROUP * len(self._plan.columns)
        while len(self._waiting) >= size:
            self._write(self._waiting[:size])
            del self._waiting[:size]

    def close(self) -> None:
        """Write what is waiting, and the end of the file."""
        if self._waiting:
            self._write(self._waiting)
            self._waiting = array("i")
        self._writer.close()

    def _write(self, rows: array[int]) -> None:
        table = _table(self._arrow, self._plan, rows, self._games)
        self._writer.write_table(table, row_group_size=table.num_rows)
        self._games += table.num_rows
