"""How many cells of a grid are covered, how far do some cells reach, and what does all that lies on them show?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.model import Expr
from .amounts import NO, NONE, Amount, Cells, Group, Range, joined, sum_of, times
from .positions import Position

if TYPE_CHECKING:  # who asks here
    from .asking import Asking


def lying_cells(grid: str, owner: Expr | None, every: bool, at: Position, asking: Asking) -> Range:
    """How many cells of a grid are covered; of one of several grids, where it is not known of which."""
    shape = asking.table.grids[grid]
    found: list[Range] = []
    for name in shape.kinds:
        zone = f"{name} on {grid}"
        parts = len(asking.table.kinds[name].parts)
        counts = [times(at.content[place], (parts, parts)) for place in asking.spots(zone, owner, every, at)]
        if every:
            found.append((sum(low for low, _ in counts), sum(high for _, high in counts)))
        elif counts:
            found.append(joined(counts))
    most = shape.cells * (asking.table.players if every and shape.owned else 1)
    return min(most, sum(low for low, _ in found)), min(most, sum(high for _, high in found))


def bounds(what: str, cells: Range, name: str, asking: Asking) -> Range:
    """The width, height or middle cell of some cells; of none, of the whole grid."""
    grid = asking.table.grids[name]
    if what == "middle":
        middle = NONE if grid.width % 2 == 0 or grid.height % 2 == 0 else grid.cells // 2
        return (middle, middle) if cells == NO else (NONE, grid.cells - 1)
    most = grid.width if what == "width" else grid.height
    return (most, most) if cells == NO else (1, most)


def covered(of: Amount, grid: str, asking: Asking) -> Cells:
    """The cells of a grid that some components cover."""
    most = asking.cells(grid)
    if isinstance(of, Group):
        return Cells((0, min(most, of.count[1] * len(asking.table.kinds[of.kind].parts))), grid)
    return Cells((0, most), grid)


def printed_on(grid: str, attribute: str, at: Position, asking: Asking) -> Range:
    """The least and the most that all that lies on one grid can show of an attribute, in any part of it."""
    low = high = 0
    for name in asking.table.grids[grid].kinds:
        kind = asking.table.kinds[name]
        number = max(at.content[place][1] for place in at.ground.places[name] if place[0] == f"{name} on {grid}")
        columns = [column for part in kind.parts if (column := kind.on_part(attribute, part)) is not None]
        ends = []
        for face, shown in enumerate(zip(*columns, strict=True)):
            counted = [0 if value == NONE else value for value in shown]
            least, most = sum(min(0, value) for value in counted), sum(max(0, value) for value in counted)
            ends.append(((least, most), kind.faces[face].copies))
        least, most = sum_of(ends, (0, number))
        low, high = low + least, high + most
    return low, high
