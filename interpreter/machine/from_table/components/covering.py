"""Components put on the cells of a grid, and taken off it."""

from __future__ import annotations

from ....common.source import Span
from ....model import model
from ...machine import Call, Expr, If, Load, Say, Stmt
from ..building.builder import Builder
from ..building.values import element, op
from . import boards, places


def give(place: places.Place, face: Expr, b: Builder, span: Span) -> list[Stmt]:
    """Put a component on the cells of a place, from nowhere."""
    assert place.zone is not None
    grid = b.table.grids[place.zone.grid]
    code: list[Stmt] = []
    if not place.chosen:
        domain = b.domains[model.Type("cell", grid.name)]
        whose = grid.name if place.owner is None else f"{grid.name} of ..."
        for cell in place.cells:
            taken = b.stop(
                "R612",
                span,
                "something lies on ",
                Say(cell, domain),
                " already",
                help=f"choose the cell `from empty cells of {whose}`, or move away what lies there before",
            )
            code.append(If(op("has", Load(b.fields[grid.name], place.owner), cell), (taken,)))
    return [*code, _call(boards.laying(place.kind, grid, b), face, place, place.cells)]


def take(place: places.Place, face: Expr, b: Builder) -> list[Stmt]:
    """Take a component off the grid of a place; of equal ones, that on the place's cell, else the first."""
    assert place.zone is not None
    grid = b.table.grids[place.zone.grid]
    at: tuple[Expr, ...] = ()
    if not b.components[place.kind].distinct:
        faces = len(b.components[place.kind].starts)
        index = element(place.owner, faces, face)
        first = op("first", Load(boards.cell_fields(place.kind, grid, b)[0], index))
        at = place.cells or (first,)
    return [_call(boards.lifting(place.kind, grid, b), face, place, at)]


def _call(routine: str, face: Expr, place: places.Place, at: tuple[Expr, ...]) -> Stmt:
    return Call(routine, (face, *(() if place.owner is None else (place.owner,)), *at))
