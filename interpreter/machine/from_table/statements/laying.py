"""Lowers laying a component on a grid: on a cell, on the cells that a test names, or in the chosen way."""

from __future__ import annotations

from ....model import model
from ...machine import Const, Expr, Message, Note, Say, Stmt
from ..building.builder import Builder, kept
from ..building.lowering import required, scalar_of
from ..building.values import Env
from ..components import boards, overlay, places
from . import moves


def lay(node: model.Lay, b: Builder, env: Env) -> list[Stmt]:
    """Take a component from where it is and lay it on a grid."""
    grid = b.table.grids[node.grid]
    kind = node.what.type.of
    code: list[Stmt] = []
    thing = required(node.what, b, env)
    more, face = kept(thing.expr, kind, b)
    code += more
    owner: Expr | None = None
    if node.owner is not None:
        owner = required(node.owner, b, env).expr
    elif grid.owned:
        owner = places.where(node.on[0], b, env).owner
    if owner is not None:
        more, owner = kept(owner, "whose", b)
        code += more
    chosen = node.on[0].type.base == "way"
    if chosen:
        way = scalar_of(node.on[0], b, env).expr
        at = overlay.part_cells(way, b.components[kind].kind, grid)
    else:
        at = [required(cell, b, env).expr for cell in node.on]
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






