"""How does a page look on a terminal? The same words as in plain text, with colours and ruled tables, through rich."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..display import safe
from .game import Game
from .page import INDENT, SPACED, Grid, Line, Style

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


_JOINED = "\ue000"  # stands for a space at which no line ends; no text has it, for it cannot be printed


def renderables(page: Iterable[Line | Grid], console: Console, names: frozenset[str] = frozenset()) -> Iterator[Padding | Text]:
    """What a console prints for a page; long lines go on under their own beginning, a little further in.

    ``names``: texts that stay on one line (see `names_of`).
    """
    first = True
    for item in page:
        if isinstance(item, Grid):
            yield Padding(_grid(item), (0, 0, 0, 2), expand=False)
            continue
        if item.style in SPACED and not first:
            yield Text("")
        first = False
        words = safe(item.text)
        indent = INDENT.get(item.style, "") + " " * (len(words) - len(words.lstrip(" ")))
        text = Text(words.lstrip(" "), style=_STYLES.get(item.style, ""))
        if item.name:
            text = Text.assemble((safe(item.name), f"bold {seat_colour(item.player)}"), ": ", text)
        text.plain = _joined(text.plain, names)
        for number, part in enumerate(text.wrap(console, max(20, console.width - len(indent) - 4))):
            part.rstrip()
            part.plain = part.plain.replace(_JOINED, " ")
            yield Text(indent + ("    " if number else "")) + part


def names_of(game: Game) -> frozenset[str]:
    """The names in a game that have spaces in them: of components and of players."""
    every = (*game.seat_names, *(name for kind in game.machine.kinds.values() for name in kind.names))
    return frozenset(safe(name) for name in every if " " in name)


def _joined(text: str, names: frozenset[str]) -> str:
    """A text in which no line can end within a name."""
    return _known(names).sub(lambda found: found[0].replace(" ", _JOINED), text) if names else text


@lru_cache(maxsize=4)
def _known(names: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)))


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
