"""Binds expressions about grids: empty cells, neighbours, shifted cells, regions, and whether cells touch."""

from __future__ import annotations

from ....common.diagnostics import did_you_mean
from ....syntax import tree
from ... import model
from ...model import PLAYER, TRUTH, Expr, Type
from ..names.scope import Scope, unclear
from .binding import expression, wanted
from .cells import as_cells, grid_named, grid_of

DIRECTIONS = {
    "north": (0, 1),
    "northeast": (1, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "south": (0, -1),
    "southwest": (-1, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}
DIRECTIONS_OF_HEXAGONS = {
    "northeast": (0, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "southwest": (0, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}
DIRECTIONS_OF_PLAYERS = {
    "forward": (0, 1),
    "forward_right": (1, 1),
    "rightward": (1, 0),
    "backward_right": (1, -1),
    "backward": (0, -1),
    "backward_left": (-1, -1),
    "leftward": (-1, 0),
    "forward_left": (-1, 1),
}


def on_grid(
    node: tree.EmptyCells | tree.CellsNextTo | tree.Shifted | tree.Regions | tree.Touches, scope: Scope
) -> Expr:
    """The expressions that speak of cells."""
    span = node.span
    match node:
        case tree.EmptyCells(grid=grid_node):
            grid = expression(grid_node, scope)
            if not isinstance(grid, model.ZoneContent) or grid.type.base != "cell":
                if grid.type.base != "unknown":
                    scope.complain("R204", f"only a grid has empty cells; this is {grid.type}", grid.span)
                return unclear(span)
            return model.CellsOf(grid.zone, grid.owner, True, type=grid.type, span=span)
        case tree.CellsNextTo(of=of):
            cells = as_cells(expression(of, scope), scope)
            return model.NextTo(cells, type=cells.type, span=span)
        case tree.Shifted(of=of, direction=direction, player=player_node):
            cells = as_cells(expression(of, scope), scope)
            player = None if player_node is None else wanted(player_node, scope, PLAYER)
            if cells.type.base == "unknown":
                return unclear(span)
            hexagonal = grid_named(cells.type.of, scope).hexagonal
            known = DIRECTIONS_OF_HEXAGONS if hexagonal else DIRECTIONS if player is None else DIRECTIONS_OF_PLAYERS
            if direction.text not in known:
                listed = f"directions: {', '.join(known)}"
                help = did_you_mean(direction.text, known, listed)
                if player is None and direction.text in DIRECTIONS_OF_PLAYERS:
                    help = f"it is another one for each player: `shifted {direction.text} for player`"
                scope.complain("R250", f"`{direction.text}` is no direction", direction.span, help=help)
                return unclear(span)
            return model.Shifted(cells, *known[direction.text], player, type=cells.type, span=span)
        case tree.Regions(grid=of, attribute=attribute):
            cells = as_cells(expression(of, scope), scope)
            if cells.type.base != "cell" or _attribute_there(attribute, cells, scope) is None:
                return unclear(span)
            return model.Regions(cells, attribute.text, type=Type("region", cells.type.of).set, span=span)
        case tree.Touches(left=left_node, right=tree.Name() as attribute):
            thing = expression(left_node, scope)
            grid_found = None if thing.type.is_set else grid_of(thing, scope)
            if thing.type.is_set:
                scope.complain("R204", f"one component touches its like; this is {thing.type}", thing.span)
            if grid_found is None:
                return unclear(span)
            cells = model.ZoneContent(grid_found.name, None, type=Type("cell", grid_found.name).set, span=span)
            if _attribute_there(attribute, cells, scope) is None:
                return unclear(span)
            return model.TouchesSame(thing, attribute.text, type=TRUTH, span=span)
        case tree.Touches(left=left_node, right=right_node):
            assert not isinstance(right_node, tree.Name)
            left = as_cells(expression(left_node, scope), scope)
            right = as_cells(expression(right_node, scope, left.type), scope)
            if "unknown" not in (left.type.base, right.type.base) and left.type.of != right.type.of:
                scope.complain("R204", f"these are cells of {left.type.of} and of {right.type.of}", span)
            return model.Touches(left, right, type=TRUTH, span=span)


def _attribute_there(attribute: tree.Name, cells: Expr, scope: Scope) -> Expr | None:
    """The attribute of some cell of these; None after a finding when what lies there has no such attribute."""
    var = model.Var("cell", cells.type.member)
    inner = scope.inner()
    inner.locals.pop(attribute.text, None)
    inner.it = var
    value = expression(tree.Ref(attribute.text, span=attribute.span), inner)
    if isinstance(value, model.AttributeOf):
        return value
    if value.type.base != "unknown":
        scope.complain("R204", f"`{attribute.text}` is not printed on what lies on {cells.type.of}", attribute.span)
    return None
