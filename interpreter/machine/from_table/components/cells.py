"""Computes sets of cells by shifting bits: neighbours, shifts, bounding boxes, connected parts.

Cells are numbered row by row from the lower left, so the cell to the right is one bit higher and the cell above ``width`` bits. A
step to the side must not come out in another row: the column that would is masked out first. Nothing here knows what lies on a
cell. Sets may have any number of bits.

Each measure is one small function for each size of grid, without loops where that is possible: a bounding box folds all rows onto
the lowest one by doubling steps, then counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from ....table.table import Grid
from ...machine import NONE, Assign, Const, Constants, Expr, Function, If, Invoke, Load, Lookup, Return, Stmt, While
from ..building.builder import Builder
from ..building.values import is_empty, op, some


def all_cells(grid: Grid) -> int:
    return (1 << grid.cells) - 1


def columns(grid: Grid, low: int, high: int) -> int:
    """The cells of the columns ``low`` to ``high - 1``."""
    row = ((1 << max(0, min(high, grid.width))) - 1) & ~((1 << max(0, low)) - 1)
    return sum(row << (grid.width * n) for n in range(grid.height))


def rows(grid: Grid, low: int, high: int) -> int:
    """The cells of the rows ``low`` to ``high - 1``."""
    upto = (1 << grid.width * max(0, min(high, grid.height))) - 1
    return upto & ~((1 << grid.width * max(0, low)) - 1)


def moved(cells: Expr, grid: Grid, across: int, up: int) -> Expr:
    """Every cell of a set, so many columns to the right and rows up; what leaves the grid is gone."""
    if grid.board is not None:
        found: Expr = Const(0)
        for points, by in grid.board.shifts(across, up):
            found = op("union", found, _by(cells, points, by))
        return found
    if abs(across) >= grid.width or abs(up) >= grid.height:
        return Const(0)
    staying = columns(grid, max(0, -across), grid.width - max(0, across))
    kept = op("intersect", cells, Const(staying)) if across else cells
    by = up * grid.width + across
    if isinstance(kept, Const):
        return Const((kept.value << by if by > 0 else kept.value >> -by) & all_cells(grid))
    return kept if by == 0 else op("left", kept, Const(by)) if by > 0 else op("right", kept, Const(-by))


def _by(cells: Expr, going: int, by: int) -> Expr:
    """Those cells of a set that go on, each with its number changed by so many."""
    if isinstance(cells, Const):
        return Const((cells.value & going) << by if by > 0 else (cells.value & going) >> -by)
    kept = op("intersect", cells, Const(going))
    return op("left", kept, Const(by)) if by > 0 else op("right", kept, Const(-by))


def shifted(cells: Expr, grid: Grid, across: int, up: int, b: Builder) -> Expr:
    """The cells of any expression, moved as `moved` does (which needs one whose width is known)."""
    name = _named(f"moved {across} {up}", grid)
    if name not in b.functions:
        these = b.local("cells", grid.cells)
        b.functions[name] = Function(name, (these,), grid.cells, (Return(moved(Load(these), grid, across, up)),))
    return Invoke(name, (cells,))


def _named(name: str, grid: Grid) -> str:
    return f"{name}, {grid.width} x {grid.height}" if grid.board is None else f"{name}, {grid.name}"


def next_to(cells: Expr, grid: Grid, b: Builder) -> Expr:
    """The cells that share a side with one of a set, without the set itself."""
    name = _named("next to", grid)
    if name not in b.functions:
        these = b.local("cells", grid.cells)
        around = beside(Load(these), grid)
        b.functions[name] = Function(name, (these,), grid.cells, (Return(op("minus", around, Load(these))),))
    return Invoke(name, (cells,))


def beside(cells: Expr, grid: Grid) -> Expr:
    """The cells that share a side with one of a set, whether they are in it or not."""
    around: Expr = Const(0)
    if grid.board is not None:
        for points, by in grid.board.links:
            back = op("intersect", op("right", cells, Const(by)), Const(points))
            around = op("union", around, op("union", _by(cells, points, by), back))
        return around
    for across, up in grid.axes:
        for way in (1, -1):
            around = op("union", around, moved(cells, grid, way * across, way * up))
    return around


def having_beside(cells: Expr, grid: Grid, b: Builder) -> Expr:
    """The cells that share a side with one of any set."""
    name = _named("beside", grid)
    if name not in b.functions:
        these = b.local("cells", grid.cells)
        b.functions[name] = Function(name, (these,), grid.cells, (Return(beside(Load(these), grid)),))
    return Invoke(name, (cells,))


def next_to_cell(cell: Expr, grid: Grid) -> Expr:
    """The cells that share a side with a cell; none for no cell."""
    around = []
    for number in range(grid.cells):
        beside = [moved(Const(1 << number), grid, way * across, way * up) for across, up in grid.axes for way in (1, -1)]
        around.append(sum(other.value for other in beside if isinstance(other, Const)))
    return Lookup(Constants(_named("next to a cell", grid), (0, *around), grid.cells), op("+", cell, Const(1)))


# ---- The smallest rectangle around some cells; of none, it is the whole grid


def lowest_column(cells: Expr, grid: Grid, b: Builder) -> Expr:
    return _edge("lowest column", cells, grid, b)


def highest_column(cells: Expr, grid: Grid, b: Builder) -> Expr:
    return _edge("highest column", cells, grid, b)


def lowest_row(cells: Expr, grid: Grid, b: Builder) -> Expr:
    return _edge("lowest row", cells, grid, b)


def highest_row(cells: Expr, grid: Grid, b: Builder) -> Expr:
    return _edge("highest row", cells, grid, b)


def _edge(what: str, cells: Expr, grid: Grid, b: Builder) -> Expr:
    name = _named(what, grid)
    if name not in b.functions:
        these = b.local("cells", grid.cells)
        of_columns = what.endswith("column")
        size, step = (grid.width, 1) if of_columns else (grid.height, grid.width)
        body: list[Stmt] = []
        # fold everything onto the lowest row (or the leftmost column): what is not on it is left out at the end
        for by in doubling(grid.height if of_columns else grid.width):
            shift = by * (grid.width if of_columns else 1)
            body.append(Assign(these, op("union", Load(these), op("right", Load(these), Const(shift)))))
        line = rows(grid, 0, 1) if of_columns else columns(grid, 0, 1)
        body.append(Assign(these, op("intersect", Load(these), Const(line))))
        if what.startswith("lowest"):
            found: Expr = op("first", Load(these))
            nothing = 0
            result = found if step == 1 else op("div", found, Const(step))
        else:
            for by in doubling(size):  # all up to the highest one: their count
                body.append(Assign(these, op("union", Load(these), op("right", Load(these), Const(by * step)))))
            result = op("-", op("count", op("intersect", Load(these), Const(line))), Const(1))
            nothing = size - 1
        empty = If(is_empty(Load(these)), (Return(Const(nothing)),))
        b.functions[name] = Function(name, (these,), 0, (empty, *body, Return(result)))
    return Invoke(name, (cells,))


def doubling(size: int) -> list[int]:
    """Steps whose sums are all numbers below ``size`` and none above: 9 gives 1, 2, 4, 1."""
    covered = 0
    steps: list[int] = []
    while covered < size - 1:
        steps.append(min(covered + 1, size - 1 - covered))
        covered += steps[-1]
    return steps


def columns_of(cells: Expr, grid: Grid, b: Builder) -> Expr:
    """The columns in which there is one of the cells, as a set of numbers from 0."""
    name = _named("columns of", grid)
    if name not in b.functions:
        these, found = b.local("cells", grid.cells), b.local("columns", grid.width)
        body: list[Stmt] = []
        for by in doubling(grid.height):  # fold all rows onto the lowest one
            body.append(Assign(these, op("union", Load(these), op("right", Load(these), Const(by * grid.width)))))
        body.append(Assign(found, op("intersect", Load(these), Const(rows(grid, 0, 1)))))
        b.functions[name] = Function(name, (these,), grid.width, (*body, Return(Load(found))))
    return Invoke(name, (cells,))


def width_of(cells: Expr, grid: Grid, b: Builder) -> Expr:
    return op("+", op("-", highest_column(cells, grid, b), lowest_column(cells, grid, b)), Const(1))


def height_of(cells: Expr, grid: Grid, b: Builder) -> Expr:
    return op("+", op("-", highest_row(cells, grid, b), lowest_row(cells, grid, b)), Const(1))


def middle_of(cells: Expr, grid: Grid, b: Builder) -> Expr:
    """The cell in the middle; none where there is none."""
    name = _named("middle", grid)
    if name not in b.functions:
        these, across, up = b.local("cells", grid.cells), b.local("across"), b.local("up")
        across_twice = op("+", lowest_column(Load(these), grid, b), highest_column(Load(these), grid, b))
        up_twice = op("+", lowest_row(Load(these), grid, b), highest_row(Load(these), grid, b))
        odd = op("=", op("mod", op("+", op("mod", Load(across), Const(2)), op("mod", Load(up), Const(2))), Const(3)), Const(0))
        half = (op("div", Load(up), Const(2)), op("div", Load(across), Const(2)))
        b.functions[name] = Function(
            name,
            (these,),
            0,
            (
                Assign(across, across_twice),
                Assign(up, up_twice),
                If(odd, (Return(op("+", op("*", half[0], Const(grid.width)), half[1])),)),
                Return(Const(NONE)),
            ),
        )
    return Invoke(name, (cells,))


Side = Literal["columns from the right", "columns from the left", "rows from above", "rows from below"]
SIDES: tuple[Side, ...] = ("columns from the right", "columns from the left", "rows from above", "rows from below")


def length(side: Side, grid: Grid) -> int:
    """How many columns (or rows) there are from a side to the other."""
    return grid.width if side.startswith("columns") else grid.height


def reach_of_cell(side: Side, grid: Grid) -> Constants:
    """For each cell, how many columns (or rows) there are from a side up to it."""
    found = []
    for cell in range(grid.cells):
        row, column = divmod(cell, grid.width)
        near = column if side.startswith("columns") else row
        found.append(near + 1 if side in ("columns from the left", "rows from below") else length(side, grid) - near)
    return Constants(_named(side, grid), tuple(found))


def reach(side: Side, cells: Expr, grid: Grid, b: Builder) -> Expr:
    """How many columns (or rows) some cells take from a side up to the last of them; of none, 0."""
    found: Expr
    match side:
        case "columns from the right":
            found = op("-", Const(grid.width), lowest_column(cells, grid, b))
        case "columns from the left":
            found = op("+", highest_column(cells, grid, b), Const(1))
        case "rows from above":
            found = op("-", Const(grid.height), lowest_row(cells, grid, b))
        case "rows from below":
            found = op("+", highest_row(cells, grid, b), Const(1))
    return op("if", is_empty(cells), Const(0), found)


def extent(far: Expr, near: Expr, count: int) -> Expr:
    """How many columns (or rows) of ``count`` cells take that reach so far from both sides; of none, all."""
    return op("if", op("=", near, Const(0)), Const(count), op("-", op("+", far, near), Const(count)))


def band(far: Expr, near: Expr, grid: Grid, size: Expr, of_columns: bool) -> Expr:
    """The cells that can be added to some, one by one, with all of them in ``size`` columns (or rows).

    ``far``, ``near``: how far those reach from the right and the left (from above and below), see `reach`; of none: every cell.
    """
    cut = columns if of_columns else rows
    count = grid.width if of_columns else grid.height
    below = Constants(
        f"{'columns' if of_columns else 'rows'} below, {grid.width} x {grid.height}",
        tuple(cut(grid, 0, n) for n in range(count + 1)),
        grid.cells,
    )
    end = op("min", Const(count), op("+", op("-", Const(count), far), size))
    start = op("max", Const(0), op("-", near, size))
    return op("minus", Lookup(below, op("max", Const(0), end)), Lookup(below, op("min", Const(count), start)))


# ---- Connected parts

AXES = {(1, 0): "east", (0, 1): "north", (1, 1): "northeast", (-1, 1): "northwest"}  # what the axes of a grid are called


@frozen
class Joint:
    """Cells that are joined with a higher one each: their names, how many numbers that one is higher, and on a board which."""

    name: str
    by: int
    points: int | None = None
    step: tuple[int, int] = (0, 0)


def joints(grid: Grid) -> list[Joint]:
    """All ways in which a cell can be joined with a higher one that shares a side with it."""
    if grid.board is not None:
        return [Joint(f"by {by}", by, points) for points, by in grid.board.links]
    return [Joint(AXES[across, up], up * grid.width + across, None, (across, up)) for across, up in grid.axes]


def lower_ones(cells: Expr, grid: Grid, joint: Joint) -> Expr:
    """The cells that are joined with one of a set, which is the higher one."""
    if joint.points is None:
        return moved(cells, grid, -joint.step[0], -joint.step[1])
    return op("intersect", op("right", cells, Const(joint.by)), Const(joint.points))


def connected(start: Expr, joined: Sequence[Expr], grid: Grid, b: Builder) -> Expr:
    """All cells that hang together with those of ``start``.

    ``joined``: for each of `joints`, the cells that are joined with the higher one.
    """
    name = _named("connected", grid)
    if name not in b.functions:
        found, before = b.local("found", grid.cells), b.local("before", grid.cells)
        links = [b.local(f"joined {joint.name}", grid.cells) for joint in joints(grid)]
        grown = Load(found)
        grow: list[Stmt] = []
        for link, joint in zip(links, joints(grid), strict=True):
            more = op("union", grown, op("left", op("intersect", grown, Load(link)), Const(joint.by)))
            grow.append(Assign(found, op("union", more, op("intersect", op("right", grown, Const(joint.by)), Load(link)))))
        loop = While(op("not", op("=", grown, Load(before))), (Assign(before, grown), *grow), grid.span, grid.cells)
        body: tuple[Stmt, ...] = (Assign(before, Const(0)), loop, Return(grown))
        b.functions[name] = Function(name, (found, *links), grid.cells, body)
    return Invoke(name, (start, *joined))


def touch(left: Expr, right: Expr, grid: Grid, b: Builder) -> Expr:
    return some(op("intersect", next_to(left, grid, b), right))
