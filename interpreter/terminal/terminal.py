"""Draws pages on a terminal through rich: the words of the plain text, with colours and ruled tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..common.display import safe
from ..play.game import Game
from ..play.page import INDENT, SPACED, Grid, Line, Style

_STYLES: dict[Style, str] = {
    "title": "bold",
    "table": "dim",
    "heading": "bold underline",
    "round": "bold",
    "note": "dim",
    "winner": "bold green",
    "gone": "red",
    "come": "green",
}
_SEATS = ("cyan", "magenta", "yellow", "green", "blue", "red", "bright_cyan", "bright_magenta")


JOINED = "\ue000"  # stands for a space at which no line ends; no text has it, for it cannot be printed


def renderables(page: Iterable[Line | Grid], console: Console, names: frozenset[str] = frozenset()) -> Iterator[Padding | Text]:
    """What a console prints for a page; long lines go on under their own beginning, a little further in.

    ``names``: texts that stay on one line (see `names_of`).
    """
    first = True
    for item in page:
        if isinstance(item, Grid):
            yield from (Padding(table, (0, 0, 0, 2), expand=False) for table in _tables(item, console.width - 4))
            continue
        if item.style in SPACED and not first:
            yield Text("")
        first = False
        words = safe(item.text)
        indent = INDENT.get(item.style, "") + " " * (len(words) - len(words.lstrip(" ")))
        text = Text(words.lstrip(" "), style=_STYLES.get(item.style, ""))
        if item.name:
            text = Text.assemble((safe(item.name), f"bold {seat_colour(item.player)}"), ": ", text)
        text.plain = joined(text.plain, names)
        for number, part in enumerate(text.wrap(console, max(20, console.width - len(indent) - 4))):
            part.rstrip()
            part.plain = part.plain.replace(JOINED, " ")
            yield Text(indent + ("    " if number else "")) + part


def names_of(game: Game) -> frozenset[str]:
    """The names in a game that have spaces in them: of components and of players."""
    every = (*game.seat_names, *(name for kind in game.machine.kinds.values() for name in (*kind.names, *kind.said)))
    return frozenset(safe(name) for name in every if " " in name)


def joined(text: str, names: frozenset[str]) -> str:
    """A text in which no line can end within a name."""
    return _known(names).sub(lambda found: found[0].replace(" ", JOINED), text) if names else text


@lru_cache(maxsize=4)
def _known(names: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)))


def seat_colour(seat: int) -> str:
    """The colour of a seat's name."""
    return _SEATS[(seat - 1) % len(_SEATS)]


_GAPS = {3: (0, 1, 0, 1), 2: (0, 1, 0, 0), 1: (0, 0, 0, 0)}  # spaces between columns, with the padding of cells that makes them


def _tables(grid: Grid, room: int) -> Iterator[Table]:
    """A grid as one table. Where that is wider than the room, its columns draw together, then go on in further tables."""
    wide = [max(cell_len(safe(row[index])) for row in (grid.header, *grid.rows)) for index in range(len(grid.header))]
    gap = next((gap for gap in _GAPS if sum(wide) + gap * (len(wide) - 1) <= room), 1)
    begin, taken = 1, wide[0]
    for index in range(1, len(wide) + 1):
        if index == len(wide) or (taken + gap + wide[index] > room and index > begin):
            yield _table(grid, range(begin, index), gap)
            begin, taken = index, wide[0]
        taken += gap + (wide[index] if index < len(wide) else 0)


def _table(grid: Grid, columns: range, gap: int) -> Table:
    """The first column of a grid and some of the others."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=_GAPS[gap])
    for index in (0, *columns):
        style = f"bold {seat_colour(index)}" if index else ""
        table.add_column(Text(safe(grid.header[index]), style=style), justify="right" if index else "left")
    for number, row in enumerate(grid.rows):
        is_sum = number >= len(grid.rows) - grid.sums
        if grid.sums and number == len(grid.rows) - grid.sums:
            table.add_section()
        table.add_row(*(Text(safe(row[index])) for index in (0, *columns)), style="bold" if is_sum else "")
    return table
