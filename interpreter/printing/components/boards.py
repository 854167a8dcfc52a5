"""Boards and tracks as HTML: grids with the elements of the page (`web/table/grid.js`), and counters as rows of numbered fields.

Every cell lies at its place in millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from ...table.table import Grid
from ...words.words import Words
from .markup import Markup, element, style, together

ROW = 0.866  # the height of a row of hexagons, in widths of one
FIELD = 18.0  # the width of a field of a track: a token lies in it
LONG = 10  # fields in a row of a track


@frozen
class Board:
    """What is printed once or several times, and laid on the table as it is. Sizes in millimetres."""

    name: str = field(eq=False)
    width: float
    height: float
    content: Markup
    copies: int


@frozen
class _Spot:
    """The middle of a cell, in widths of cells, with y downwards."""

    name: str
    column: int
    row: int
    x: float
    y: float


def grid_board(grid: Grid, cell: float, copies: int, words: Words) -> Board:
    """A grid with cells of a width."""
    form, spots, left, top, wide, high = _laid(grid)
    hexagon = 1 / ROW if form == "hexagons" else 1.0
    cells = []
    for spot in spots:
        dark = form == "squares" and (spot.column + spot.row) % 2 == 0
        at = {
            "left": _mm((spot.x - left - 0.5) * cell),
            "top": _mm((spot.y - top - hexagon / 2) * cell),
            "width": _mm(cell),
            "height": _mm(hexagon * cell),
        }
        points = "50,0 100,25 100,75 50,100 0,75 0,25"
        shape = (
            element(
                "svg",
                {"class": "hexagon", "viewBox": "0 0 100 100", "preserveAspectRatio": "none"},
                element("polygon", {"points": points, "fill": "#ebe4d2", "stroke": "#8d8168", "stroke-width": "2"}),
            )
            if form == "hexagons"
            else None
        )
        cells.append(
            element(
                "span", {"class": f"spot cell {'dark' if dark else 'bright'}", "data-cell": spot.name, "style": style(at)}, shape
            )
        )
    lines = None
    if grid.board is not None:
        ends = [" ".join(f"{spots[point].x:g},{spots[point].y:g}" for point in line) for line in grid.board.lines()]
        paint = {"fill": "none", "stroke": "#8d8168", "stroke-width": "0.06"}
        box = {"class": "lines", "viewBox": f"{left:g} {top:g} {wide:g} {high:g}"}
        lines = (
            element("svg", box, *(element("polyline", {"points": points, **paint}) for points in ends))
            if form == "points"
            else None
        )
    size = {"width": _mm(wide * cell), "height": _mm(high * cell)}
    inside = element(
        "div", {"class": f"grid {form}", "style": style({"--wide": f"{wide:g}", "--high": f"{high:g}", **size})}, lines, *cells
    )
    around = element("div", {"class": "zone gridded", "data-zone": grid.name, "data-visibility": "open"}, inside)
    return Board(words.name("grid", grid.name), wide * cell, high * cell, around, copies)


def size_in_cells(grid: Grid) -> tuple[float, float]:
    """The width and height of a grid, in widths of its cells."""
    return _laid(grid)[4:]


def _laid(grid: Grid) -> tuple[str, tuple[_Spot, ...], float, float, float, float]:
    """The form of a grid, its cells, and its left, top, width and height in cells."""
    places = [grid.place(cell) for cell in range(grid.cells)]
    lined = grid.board is not None and any(True for _ in grid.board.lines())
    parity = lined and len({(x + y) % 2 for x, y in places}) == 1  # a board of triangles, with only every second place of a row
    spots = tuple(
        _Spot(
            grid.cell_name(cell),
            x,
            y,
            x + y / 2 if grid.hexagonal else x * 0.577 if parity else x,
            -(y * ROW if grid.hexagonal else y),
        )
        for cell, (x, y) in enumerate(places)
    )
    form = "points" if lined else "hexagons" if grid.hexagonal else "squares"
    margin = 0.5 / ROW if form == "hexagons" else 0.5
    left, right = min(spot.x for spot in spots) - 0.5, max(spot.x for spot in spots) + 0.5
    top, bottom = min(spot.y for spot in spots) - margin, max(spot.y for spot in spots) + margin
    return form, spots, left, top, right - left, bottom - top


def track(name: str, low: int, high: int, words: Words) -> Board:
    """A row of fields for the values of a counter, or several rows."""
    numbers = range(low, high + 1)
    said = words.name("value", name)
    fields = together(
        *(
            element("span", {"class": "field", "style": style({
                "left": _mm(at % LONG * FIELD), "top": _mm(8 + at // LONG * FIELD), "width": _mm(FIELD), "height": _mm(FIELD),
            })}, element("b", {}, number))
            for at, number in enumerate(numbers)
        )
    )  # fmt: skip
    width, height = min(LONG, len(numbers)) * FIELD, 8 + -(-len(numbers) // LONG) * FIELD
    width = max(width, 3 * FIELD)
    box = style({"width": _mm(width), "height": _mm(height)})
    return Board(
        said,
        width,
        height,
        element("div", {"class": "track", "data-value": name, "style": box}, element("h3", {}, said), fields),
        1,
    )


def _mm(length: float) -> str:
    return f"{length:.4g}mm" if abs(length) < 10 else f"{length:.2f}mm"


def shelved(boards: Sequence[Board], width: float, height: float, gap: float = 6.0) -> list[list[tuple[float, Board]]]:
    """Small boards below one another on as few pages as follow from their order, each with its distance from the top.

    Each must have room on a page of this width and height by itself.
    """
    pages: list[list[tuple[float, Board]]] = []
    down = height + 1
    for board in boards:
        if down + board.height > height:
            pages.append([])
            down = 0.0
        pages[-1].append((down, board))
        down += board.height + gap
    return pages


__all__ = ["FIELD", "Board", "grid_board", "shelved", "size_in_cells", "track"]
