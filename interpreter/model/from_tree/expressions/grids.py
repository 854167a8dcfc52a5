"""Binds expressions about grids: empty cells, neighbours, shifted cells, regions, and whether cells touch."""

from __future__ import annotations

from ....common.diagnostics import did_you_mean
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...directions import DIRECTION, DIRECTIONS, DIRECTIONS_OF_HEXAGONS, DIRECTIONS_OF_PLAYERS, SETS
from ...model import PLAYER, TRUTH, Const, Expr, Type
from ..names.scope import Scope, unclear
from ..names.types import fits
from .binding import expression, wanted
from .cells import as_cells, grid_named, grid_of


def on_grid(node: tree.EmptyCells | tree.CellsNextTo | tree.Shifted | tree.Regions | tree.Touches, scope: Scope) -> Expr:
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
        case tree.Shifted(of=of, direction=direction):
            cells = as_cells(expression(of, scope), scope)
            if cells.type.base == "unknown":
                return unclear(span)
            shifted = _shifted(cells, direction, scope, span)
            if shifted is not None and shifted.is_of_one_cell:
                return model.AnyOf(shifted, type=cells.type.member.maybe, span=span)
            return shifted or unclear(span)
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


def _shifted(cells: Expr, direction: tree.Expression, scope: Scope, span: Span) -> model.Shifted | None:
    """Cells shifted in a direction that is named, or in those that an expression gives; None after a finding."""
    grid = grid_named(cells.type.of, scope)
    if grid.board is not None and not grid.board.places:
        help = "its points have no places: draw the board, or ask for `cells next to ...`"
        scope.complain("R250", f"nothing says which directions there are on {grid.name}", direction.span, help=help)
        return None
    hexagonal = grid.hexagonal
    named = direction if isinstance(direction, tree.Ref) and direction.of is None else None
    if named is not None and scope.local(named.name) is None and scope.symbol(named.name) is None and named.name not in SETS:
        player = None if named.key is None else wanted(named.key, scope, PLAYER)
        known = DIRECTIONS_OF_HEXAGONS if hexagonal else DIRECTIONS if player is None else DIRECTIONS_OF_PLAYERS
        if named.name in known:
            return model.Shifted(cells, *known[named.name], player, type=cells.type, span=span)
        help = did_you_mean(named.name, known, f"directions: {', '.join(known)}")
        if player is None and named.name in DIRECTIONS_OF_PLAYERS:
            help = f"it is another one for each player: `shifted {named.name} for player`"
        scope.complain("R250", f"`{named.name}` is no direction", named.name_span, help=help)
        return None
    way = ways(direction, cells.type.of, scope)
    return None if way.type.base == "unknown" else model.Shifted(cells, 0, 0, None, way, type=cells.type, span=span)


def ways(node: tree.Expression, grid: str, scope: Scope) -> Expr:
    """A direction, or a set of them."""
    one = Type("word", DIRECTION)
    known = scope.directions()
    if scope.symbol(DIRECTION) is not known:
        help = f"rename your list: `{DIRECTION}` is built in, with {', '.join(DIRECTIONS)}"
        declared = scope.where_declared(DIRECTION)
        scope.complain("R250", "these are words of the file, and no directions", node.span, *declared, help=help)
        return unclear(node.span)
    if isinstance(node, tree.Number) and known is not None:
        help = f"directions: {', '.join(known.words)}"
        scope.complain("R250", f"`{node.value}` is no direction", node.span, help=help)
        return unclear(node.span)
    found = expression(node, scope, one)
    return found if fits(found, one.set if found.type.is_set else one, scope) else unclear(node.span)


def directions(node: tree.Ref, scope: Scope) -> Expr | None:
    """``diagonals``, ``forward for P`` and the like; None for any other name, and where no grid has such directions."""
    built_in = scope.directions() if node.of is None and (node.name in SETS or node.key is not None) else None
    if built_in is None:
        asked = node.of is None and (node.name in SETS or (node.key is not None and node.name in DIRECTIONS_OF_PLAYERS))
        return unclear(node.span) if asked and "grid" in scope.faults.doubtful else None
    one = Type("word", DIRECTION)
    if node.key is None:
        hexagons = "north" not in built_in.words
        if hexagons and node.name == "diagonals":
            return None
        inside = [word in SETS[node.name] or hexagons for word in built_in.words]
        return Const(sum(fits << bit for bit, fits in enumerate(inside)), type=one.set, span=node.span)
    known = DIRECTIONS_OF_PLAYERS if "north" in built_in.words else DIRECTIONS_OF_HEXAGONS
    if node.name not in known:
        return None
    return model.Facing(*known[node.name], wanted(node.key, scope, PLAYER), type=one, span=node.span)


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
