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


class RowsFile:
    """A file to which the rows of a plan are written, to be closed in the end. OSError where it cannot be written."""

    def __init__(self, stream: IO[bytes], plan: Plan) -> None:
        self._arrow: Any = extra("pyarrow", "parquet", "`--out`")
        self._names = plan.columns.names
        self._waiting = array("i")
        self._games = 0
        arrow = self._arrow
        fields = [("game", arrow.int64()), *((name, arrow.int32()) for name in self._names)]
        self._schema = arrow.schema(fields, metadata={"rulesrun": json.dumps(described(plan))})
        self._writer: Any = extra("pyarrow.parquet", "parquet", "`--out`").ParquetWriter(stream, self._schema)

    def add(self, rows: array[int]) -> None:
        """The rows of the next games."""
        self._waiting += rows
        size = GAMES_IN_GROUP * len(self._names)
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
        arrow, width = self._arrow, len(self._names)
        games = len(rows) // width
        numbers = array("q", range(self._games, self._games + games))
        columns = [(arrow.int64(), numbers), *((arrow.int32(), rows[column::width]) for column in range(width))]
        arrays = [arrow.Array.from_buffers(kind, games, [None, arrow.py_buffer(values)]) for kind, values in columns]
        self._writer.write_table(arrow.Table.from_arrays(arrays, schema=self._schema), row_group_size=games)
        self._games += games
