"""Binds expressions about cells in a row: lines of a given length, paths from side to side, cells enclosed along a line."""

from __future__ import annotations

from ....syntax import tree
from ... import model
from ...model import NUMBER, TRUTH, Expr, Type
from ..names.scope import Scope, unclear
from ..names.types import must_be_fixed
from .binding import expression, number, wanted
from .cells import as_cells
from .grids import ways


def along_lines(node: tree.HasLine | tree.LongestLine | tree.HasPath | tree.LinesFrom, scope: Scope) -> Expr:
    """The expressions that speak of cells side by side; all their cells are of one grid."""
    span = node.span
    match node:
        case tree.HasLine(of=of, length=length_node, through=through_node):
            (cells,) = _cells((of,), scope)
            length = must_be_fixed(number(length_node, scope), "the length of a line", scope)
            if cells.type.base == "unknown":
                return unclear(span)
            through = None if through_node is None else wanted(through_node, scope, Type("cell", cells.type.of))
            return model.HasLine(cells, length, through, type=TRUTH, span=span)
        case tree.LongestLine(of=of, through=through_node, along=along_node):
            (cells,) = _cells((of,), scope)
            if cells.type.base == "unknown":
                return unclear(span)
            through = None if through_node is None else wanted(through_node, scope, cells.type.member)
            along = None if along_node is None else ways(along_node, cells.type.of, scope)
            return model.LongestLine(cells, through, along, type=NUMBER, span=span)
        case tree.HasPath(of=of, start=start, end=end):
            cells, first, last = _cells((of, start, end), scope)
            return unclear(span) if cells.type.base == "unknown" else model.HasPath(cells, first, last, type=TRUTH, span=span)
        case tree.LinesFrom(start=start, through=through_cells, end=end):
            within, closing = _cells((through_cells, end), scope)
            if within.type.base == "unknown":
                return unclear(span)
            cell = wanted(start, scope, within.type.member)
            return model.LinesFrom(cell, within, closing, type=within.type, span=span)


def _cells(nodes: tuple[tree.Expression, ...], scope: Scope) -> list[Expr]:
    """Sets of cells of the same grid; all unclear after a finding."""
    found = [as_cells(expression(node, scope), scope) for node in nodes]
    if any(cells.type.base == "unknown" for cells in found):
        return [unclear(node.span) for node in nodes]
    first, *others = found
    for other in others:
        if other.type.of != first.type.of:
            scope.complain("R204", f"these are cells of {other.type.of}, and those before of {first.type.of}", other.span)
            return [unclear(node.span) for node in nodes]
    return found
