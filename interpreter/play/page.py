"""Pages: lines and grids, each with a style, and their plain text.

Output about a game is first made as a page, so that a terminal can colour it, a pipe gets it plain, and a test can check it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from attrs import frozen

from ..common.display import padded, safe, width

Style = Literal["title", "table", "heading", "round", "act", "chance", "note", "text", "winner", "gone", "come"]

INDENT: dict[Style, str] = {"act": "  ", "chance": "  ", "note": "    "}
SPACED: frozenset[Style] = frozenset({"heading", "round"})  # these have an empty line before them


@frozen
class Line:
    """One line. ``player``: the seat whose name it begins with (0: none); ``name``: that name."""

    style: Style
    text: str
    player: int = 0
    name: str = ""


@frozen
class Grid:
    """A table: the first column to the left, the others to the right. The last ``sums`` rows stand below a rule."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sums: int = 0


Page = tuple[Line | Grid, ...]


def plain(page: Iterable[Line | Grid]) -> str:
    """A page as plain text, ending with a line end (empty for an empty page)."""
    lines: list[str] = []
    for item in page:
        if isinstance(item, Grid):
            lines += _grid(item)
            continue
        if item.style in SPACED and lines:
            lines.append("")
        lines.append((INDENT.get(item.style, "") + safe(begun(item))).rstrip())
    return "".join(f"{line}\n" for line in lines)


def begun(line: Line) -> str:
    """The text of a line, behind the name of its player when it has one."""
    return f"{line.name}: {line.text}" if line.name else line.text


def _grid(grid: Grid) -> list[str]:
    columns = range(len(grid.header))
    wide = [max(width(safe(row[c])) for row in (grid.header, *grid.rows)) for c in columns]

    def shown(row: tuple[str, ...]) -> str:
        cells = [padded(safe(row[0]), wide[0])]
        cells += [" " * (wide[c] - width(safe(row[c]))) + safe(row[c]) for c in columns[1:]]
        return ("  " + "   ".join(cells)).rstrip()

    rule = "  " + "-" * (sum(wide) + 3 * (len(wide) - 1))
    rows = [shown(row) for row in grid.rows]
    if grid.sums:
        rows.insert(len(rows) - grid.sums, rule)
    return [shown(grid.header), rule, *rows]


__all__ = ["INDENT", "SPACED", "Grid", "Line", "Page", "Style", "begun", "plain"]
