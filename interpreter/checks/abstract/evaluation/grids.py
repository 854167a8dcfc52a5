"""Abstract values of questions about a grid: cells covered, extents, neighbours, and sums of printed attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....common.intervals import Interval, join_all
from ....model import model
from ....model.effects import effects_of
from ....model.model import Const, Expr, VariableValue, VarValue
from ....table.table import Grid, Kind, Table
from ...dataflow.effects import kind_of
from ..domain.states import AbstractState
from ..domain.values import NO, NOBODY, NONE, AbstractValue, Cells, Group, sum_of, times

if TYPE_CHECKING:  # who asks here
    from .evaluator import Evaluator


def lying_cells(grid: str, owner: Expr | None, every: bool, at: AbstractState, evaluator: Evaluator) -> Interval:
    """How many cells of a grid are covered; of one of several grids, where it is not known of which."""
    shape = evaluator.table.grids[grid]
    found: list[Interval] = []
    for name in shape.kinds:
        zone = f"{name} on {grid}"
        parts = len(evaluator.table.kinds[name].parts)
        counts = [times(at.content[place], (parts, parts)) for place in evaluator.spots(zone, owner, every, at)]
        if every:
            found.append((sum(low for low, _ in counts), sum(high for _, high in counts)))
        elif counts:
            found.append(join_all(counts))
    most = shape.cells * (evaluator.table.players if every and shape.owned else 1)
    return min(most, sum(low for low, _ in found)), min(most, sum(high for _, high in found))


def bounds(what: str, of: Expr, at: AbstractState, evaluator: Evaluator) -> Interval:
    """The width, height or middle cell of some cells; of none, of the whole grid."""
    cells, grid = evaluator.count(of, at), evaluator.table.grids[of.type.of]
    if what == "middle":
        middle = NONE if grid.width % 2 == 0 or grid.height % 2 == 0 else grid.cells // 2
        return (middle, middle) if cells == NO else (NONE, grid.cells - 1)
    most = grid.width if what == "width" else grid.height
    if cells[0] and evaluator.in_one_piece and isinstance(of, model.ZoneContent) and not of.every:
        each = {name: reach(evaluator.table.kinds[name]) for name in grid.kinds}
        most = min(most, max(sum(high * each[name] for name, (_, high) in board) for board in _boards(grid, at)))
    if cells[0] and not evaluator.in_thought and isinstance(of, model.ZoneContent) and not of.every:
        most = min(most, at.ground.extents.get((grid.name, what), most))
    return (most, most) if cells == NO else (1, most)


def why_no_middle(node: Expr, table: Table) -> str:
    """Why a whole grid has no middle cell, in words; "" where something else is asked for."""
    if not isinstance(node, model.Bounds) or node.what != "middle" or node.of.type.of not in table.grids:
        return ""
    grid = table.grids[node.of.type.of]
    if grid.width % 2 and grid.height % 2:
        return ""
    return f"`{grid.name}` is {grid.width} x {grid.height}, and a middle cell needs an odd width and height"


def _boards(grid: Grid, at: AbstractState) -> Iterator[list[tuple[str, Interval]]]:
    """How many components of which kinds lie on each player's grid, or on the only one."""
    for owner in range(at.ground.table.players) if grid.owned else (NOBODY,):
        yield [(name, at.content[f"{name} on {grid.name}", owner]) for name in grid.kinds]


def reach(kind: Kind) -> int:
    """How many columns, or rows, a component covers at most, however it is turned."""
    columns, rows = [part.column for part in kind.parts], [part.row for part in kind.parts]
    return 1 + max(max(columns) - min(columns), max(rows) - min(rows))


def others_show(attribute: str, kind: str, at: AbstractState, evaluator: Evaluator) -> bool:
    """Whether a component of a kind that lies on a grid may have company there that shows an attribute, too."""
    kinds = evaluator.table.kinds
    for grid in evaluator.table.grids.values():
        if kind in grid.kinds:
            showing = {name for name in grid.kinds if any(kinds[name].on_part(attribute, part) for part in kinds[name].parts)}
            if any(sum(most for name, (_, most) in board if name in showing) > 1 for board in _boards(grid, at)):
                return True
    return False


def covered(of: AbstractValue, grid: str, evaluator: Evaluator) -> Cells:
    """The cells of a grid that some components cover."""
    most = evaluator.cells(grid)
    if isinstance(of, Group):
        lying = sum(high for (zone, _), (_, high) in of.parts.items() if zone == f"{of.kind} on {grid}")
        return Cells((0, min(most, min(of.count[1], lying) * len(evaluator.table.kinds[of.kind].parts))), grid)
    return Cells((0, most), grid)


def owner_of_cells(cells: model.Typed) -> Expr | None:
    """Whose grid is meant by some cells; None where they do not say it. What is asked of them may well be about others' grids."""
    match cells:
        case model.ZoneContent(owner=owner) | model.CellsOf(owner=owner):
            return owner
        case model.Filter(of=of) | model.Best(of=of) | model.AnyOf(of=of) | model.RandomOf(of=of) | model.Without(left=of):
            return owner_of_cells(of)
        case model.NextTo(of=of) | model.Shifted(of=of) | model.Bounds(of=of):
            return owner_of_cells(of)
        case _:
            return None


def touches(test: model.Typed, ways: model.Ways, table: Table) -> bool:
    """Whether what lies on a grid in one of some ways surely touches something else there, where a condition holds."""
    match test:
        case model.Logic(op=op, left=left, right=right):
            return (all if op == "or" else any)(touches(side, ways, table) for side in (left, right))
        case model.TouchesSame(of=piece):
            return piece == ways.piece
        case model.Touches(left=model.CoveredBy(of=piece), right=model.CoveredBy(of=other)):
            with_owner = _is_of(other, ways.owner, table) and stays_with_its_owner(other.type.of, table)
            return piece == ways.piece and test.right.type.of == ways.grid and (with_owner or not table.grids[ways.grid].owned)
        case _:
            return False


def stays_with_its_owner(kind: str, table: Table) -> bool:
    """Whether what belongs to a player never lies in a zone or on a grid of another, since whatever moves it names the owner."""
    moves = (move for _, effect in effects_of(table.statements) for move in effect.arrivals)
    for move in (move for move in moves if kind_of(move, table) == kind):
        owner = move.owner
        if move.grid and owner is None and table.grids[move.grid].owned:
            owner = owner_of_cells(move.on[0])
        owned = table.grids[move.grid].owned if move.grid else owner is not None
        if move.what is None or (owned and not _is_of(move.what, owner, table)):
            return False
    return True


def _is_of(piece: model.Typed, owner: model.Typed | None, table: Table) -> bool:
    """Whether a piece, or several, surely belong to a player."""
    match piece, owner:
        case model.OwnedBy(player=player), VarValue() | VariableValue() | Const():
            return player == owner
        case Const(value=face), Const(value=seat):
            kind = table.kinds[piece.type.of]
            return kind.owned and not piece.type.is_set and kind.value("owner", face) == seat
        case _:
            return False


def printed_on(grid: str, attribute: str, at: AbstractState, evaluator: Evaluator) -> Interval:
    """The least and the most that all that lies on one grid can show of an attribute, in any part of it."""
    low = high = 0
    for name in evaluator.table.grids[grid].kinds:
        kind = evaluator.table.kinds[name]
        number = max(at.content[place][1] for place in at.ground.places[name] if place[0] == f"{name} on {grid}")
        columns = [column for part in kind.parts if (column := kind.on_part(attribute, part)) is not None]
        ends = []
        for face, shown in enumerate(zip(*columns, strict=True)):
            counted = [value or 0 for value in shown]
            least, most = sum(min(0, value) for value in counted), sum(max(0, value) for value in counted)
            ends.append(((least, most), kind.faces[face].copies))
        least, most = sum_of(ends, (0, number))
        low, high = low + least, high + most
    return low, high
