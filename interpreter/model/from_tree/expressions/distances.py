"""Rewrites the distance between two numbers, players or cells to arithmetic. No expression is bound here."""

from __future__ import annotations

from typing import Literal

from ....common.source import Span
from ... import model
from ...model import NUMBER, Const, Expr
from ..names.scope import Scope, unclear
from ..names.types import as_number, too_long
from . import cells
from .binding import belonging


def between(a: Expr, b: Expr, scope: Scope, span: Span) -> Expr:
    """``distance between A and B``, which is never below 0.

    Of numbers, the difference; of players, the seats from one to the other on the shorter way round the table; of cells, the
    steps from cell to neighbouring cell, whatever lies there.
    """
    a, b = (_place(side, scope) for side in (a, b))
    if "unknown" in (a.type.base, b.type.base):
        return unclear(span)
    if a.type.is_set or a.type.base not in ("number", "player", "cell"):
        help = "of things, say what is compared, such as their ranks" if a.type.base == "component" else ""
        scope.complain("R204", f"a distance lies between numbers, players or cells; this is {a.type}", a.span, help=help)
        return unclear(span)
    if b.type.required != a.type.required:
        scope.complain("R204", f"this is {b.type}, where {a.type.required} is wanted", b.span)
        return unclear(span)
    if too_long(a, scope) or too_long(b, scope):
        return unclear(span)
    match a.type.base:
        case "number":
            return _apart(a, b, span)
        case "player":
            one, other = (model.SeatNumber(side, type=belonging(side, NUMBER), span=span) for side in (a, b))
            one_way, players = _apart(one, other, span), model.PlayerCount(type=NUMBER, span=span)
            half = _arithmetic("div", players, Const(2, type=NUMBER, span=span), span)  # it is never more
            return _arithmetic("min", half, _arithmetic("min", one_way, _arithmetic("-", players, one_way, span), span), span)
        case _:
            return _steps(a, b, cells.grid_named(a.type.of, scope), scope, span)


def _place(side: Expr, scope: Scope) -> Expr:
    """A component that lies on a grid stands for its cell."""
    side = as_number(side, scope)
    if side.type.base == "component" and not side.type.is_set and any(side.type.of in grid.kinds for grid in scope.grids()):
        return cells.measured("cell", side, scope, side.span)
    return side


def _steps(a: Expr, b: Expr, grid: model.Grid, scope: Scope, span: Span) -> Expr:
    """Of the six directions of a hexagonal grid, two change the column, two the row, and two both against each other."""

    def place(what: Literal["row", "column"], cell: Expr) -> Expr:
        return model.CellPlace(what, cell, type=belonging(cell, NUMBER), span=span)

    if grid.board is not None:
        scope.complain("R204", f"distances between points of a board are not known; this is a point of {grid.name}", a.span)
        return unclear(span)
    columns, rows = _apart(place("column", a), place("column", b), span), _apart(place("row", a), place("row", b), span)
    if not grid.hexagonal:
        return _arithmetic("+", columns, rows, span)
    one, other = (_arithmetic("+", place("column", cell), place("row", cell), span) for cell in (a, b))
    return _arithmetic("max", _apart(one, other, span), _arithmetic("max", columns, rows, span), span)


def _apart(a: Expr, b: Expr, span: Span) -> Expr:
    """The difference of two numbers, without a sign; its range begins at 0 for whoever looks at the ranges alone."""
    larger = _arithmetic("max", _arithmetic("-", a, b, span), _arithmetic("-", b, a, span), span)
    return _arithmetic("max", Const(0, type=NUMBER, span=span), larger, span)


def _arithmetic(op: Literal["+", "-", "min", "max", "div"], a: Expr, b: Expr, span: Span) -> Expr:
    return model.Arithmetic(op, a, b, type=NUMBER, span=span)
