"""Tables on a terminal: no row is broken, however narrow the terminal is."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rulesrun.interpreter.play.page import Grid
from rulesrun.interpreter.terminal.terminal import renderables

CELLS = st.text("abc1 ", min_size=1, max_size=13).map(str.strip).filter(bool)  # two fit beside each other in 32 columns


def shown(grid: Grid, columns: int) -> list[str]:
    out = StringIO()
    console = Console(file=out, width=columns)
    for item in renderables([grid], console):
        console.print(item)
    return [line.rstrip() for line in out.getvalue().splitlines() if line.strip(" ─\n")]


@pytest.mark.slow
@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.tuples(*[CELLS] * n), min_size=1, max_size=5)), st.integers(32, 120))
def test_a_row_stays_on_one_line(rows: list[tuple[str, ...]], columns: int) -> None:
    grid = Grid(tuple(str(column) for column in range(len(rows[0]))), tuple(rows))
    lines = shown(grid, columns)
    assert len(lines) % (len(rows) + 1) == 0, "a row is broken in two"
    tables = [lines[first : first + len(rows) + 1] for first in range(0, len(lines), len(rows) + 1)]
    columns_shown = [header.split() for header, *_ in tables]
    assert [name for names in columns_shown for name in names[1:]] == list(grid.header[1:])
    for index, row in enumerate(rows, 1):
        told = " ".join(" ".join(table[index].split()[len(row[0].split()) :]) for table in tables)
        assert told.split() == [word for cell in row[1:] for word in cell.split()]


@pytest.mark.parametrize(("columns", "tables"), [(40, 1), (24, 1), (20, 2)])
def test_columns_draw_together_before_they_go_on_below(columns: int, tables: int) -> None:
    assert len(shown(Grid(("name", "aaaaaaa", "bbbbbbb"), (("x", "1", "2"),)), columns)) == 2 * tables
