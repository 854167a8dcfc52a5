"""How does a page look on a terminal? The same words as in plain text, with colours and ruled tables, through rich."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..display import safe
from .page import INDENT, SPACED, Grid, Line, Style

_STYLES: dict[Style, str] = {
    "title": "bold",
    "table": "dim",
    "heading": "bold underline",
    "round": "bold",
    "note": "dim",
    "winner": "bold green",
}
_SEATS = ("cyan", "magenta", "yellow", "green", "blue", "red", "bright_cyan", "bright_magenta")


def renderables(page: Iterable[Line | Grid], console: Console) -> Iterator[Padding | Text]:
    """What a console prints for a page; long lines go on under their own beginning, a little further in."""
    first = True
    for item in page:
        if isinstance(item, Grid):
            yield Padding(_grid(item), (0, 0, 0, 2), expand=False)
            continue
        if item.style in SPACED and not first:
            yield Text("")
        first = False
        text = Text(safe(item.text), style=_STYLES.get(item.style, ""))
        if item.name:
            text = Text.assemble((safe(item.name), f"bold {seat_colour(item.player)}"), ": ", text)
        indent = INDENT.get(item.style, "")
        for number, part in enumerate(text.wrap(console, max(20, console.width - len(indent) - 4))):
            part.rstrip()
            yield Text(indent + ("    " if number else "")) + part


def seat_colour(seat: int) -> str:
    """The colour of a seat's name."""
    return _SEATS[(seat - 1) % len(_SEATS)]


def _grid(grid: Grid) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, name in enumerate(grid.header):
        style = f"bold {seat_colour(index)}" if index else ""
        table.add_column(Text(safe(name), style=style), justify="right" if index else "left")
    for index, row in enumerate(grid.rows):
        is_sum = index >= len(grid.rows) - grid.sums
        if grid.sums and index == len(grid.rows) - grid.sums:
            table.add_section()
        table.add_row(*(Text(safe(cell)) for cell in row), style="bold" if is_sum else "")
    return table
