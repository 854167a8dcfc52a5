"""How is a component put on a grid: on a cell, on the cells that a test names, in the way that was chosen?"""

from __future__ import annotations

from ....common.source import Span
from ....model import model
from ...machine import Call, Const, Expr, If, Load, Message, Note, Say, Stmt
from ..builder import Builder, kept
from ..components import moves, places
from ..expressions import numbers
from ..values import Env, element, op
from . import boards, lying, overlay


def lay(node: model.Lay, b: Builder, env: Env) -> list[Stmt]:
    """Take a component from where it is and lay it on a grid."""
    grid = b.table.grids[node.grid]
    kind = node.what.type.of
    code: list[Stmt] = []
    thing = numbers.required(node.what, b, env)
    more, face = kept(thing.expr, kind, b)
    code += more
    owner: Expr | None = None
    if node.owner is not None:
        owner = numbers.required(node.owner, b, env).expr
    elif grid.owned:
        owner = lying.where(node.on[0], b, env).owner
    if owner is not None:
        more, owner = kept(owner, "whose", b)
        code += more
    chosen = node.on[0].type.base == "way"
    if chosen:
        way = numbers.scalar_of(node.on[0], b, env).expr
        at = overlay.part_cells(way, b.components[kind].kind, grid)
    else:
        at = [numbers.required(cell, b, env).expr for cell in node.on]
    parts: list[Expr] = []
    for cell, part in zip(at, b.components[kind].kind.parts, strict=True):
        more, one = kept(cell, f"cell {part.name}", b)
        code += more
        parts.append(one)
    to = places.Place(boards.zone_of(kind, grid, b), kind, owner, tuple(parts), chosen)
    spots = places.spots_of(node.what, b, env)
    code += moves.move_one(face, spots, None, to, b, node.span)
    if not chosen:
        text = Message((Say(face, b.components[kind].domain), " to ", *places.zone_text(to, b)))
        code.append(Note(text, Const(b.everybody)))
    return code


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
                "R612", span, "something lies on ", Say(cell, domain), " already",
                help=f"choose the cell `from empty cells of {whose}`, or move away what lies there before",
            )  # fmt: skip
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
