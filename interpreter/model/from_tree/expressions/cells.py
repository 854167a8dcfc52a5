"""Expressions about cells and what lies on them: size, place, grid, attributes, owner. No expression is bound here."""

from __future__ import annotations

from ....common.nouns import with_article
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, PLAYER, TRUTH, Const, Expr, Type, Var
from ..names.scope import Attribute, Scope, unclear, variable
from ..names.types import as_set, of_noun

# they are free for other uses; here they are asked `of` something
WORDS = ("cell", "cells", "size", "width", "height", "middle", "row", "column")


def measured(word: str, of: Expr, scope: Scope, span: Span) -> Expr:
    """What one of `WORDS` asks of a value."""
    match word:
        case "cell":
            grid = grid_of(of, scope)
            return unclear(span) if grid is None else model.CellOf(of, type=Type("cell", grid.name).maybe, span=span)
        case "cells" if isinstance(of, model.ZoneContent) and of.type.base == "cell":
            return model.CellsOf(of.zone, of.owner, False, type=of.type, span=span)
        case "cells":
            return as_cells(of, scope)
        case "size" if of.type.is_set and of.type.base == "component" and not any(of.type.of in g.kinds for g in scope.grids()):
            help = f"write `count of {of.span.text}` for how many there are"
            scope.complain("R204", f"cells, a region and a tile have a size; this is {of.type}", of.span, help=help)
            return unclear(span)
        case "size" if of.type.is_set or of.type.base == "component":
            cells = of if of.type.is_set and of.type.base != "component" else as_cells(of, scope)
            return model.Count(cells, type=NUMBER, span=span)
        case "row" | "column" | "width" | "height" | "middle" if of.type.base == "cell" and not _in_rows(word, of, scope):
            return unclear(span)
        case "row" | "column" as what if of.type.base == "cell" and not of.type.is_set:
            return model.CellPlace(what, of, type=NUMBER.maybe if of.type.optional else NUMBER, span=span)
        case "size" | "row" | "column" if of.type.base == "unknown":
            return unclear(span)
        case "row" | "column":
            scope.complain("R204", f"a cell has a {word}; this is {of.type}", of.span)
            return unclear(span)
        case "size":
            scope.complain("R204", f"cells, a region and a tile have a size; this is {of.type}", of.span)
            return unclear(span)
        case what:
            cells = as_cells(of, scope)
            if cells.type.base == "unknown":
                return unclear(span)
            assert what in ("width", "height", "middle")
            type = Type("cell", cells.type.of).maybe if what == "middle" else NUMBER
            return model.Bounds(what, cells, type=type, span=span)  # type: ignore[arg-type]


def _in_rows(word: str, of: Expr, scope: Scope) -> bool:
    """Whether cells lie in rows and columns; of the points of a board only those of a picture do. A finding if not."""
    board = grid_named(of.type.of, scope).board
    if board is None or (board.places and word in ("row", "column")):
        return True
    help = "" if board.places else "draw the board, and its points have rows and columns"
    scope.complain("R204", f"points of a board have no {word}", of.span, help=help)
    return False


def as_cells(value: Expr, scope: Scope) -> Expr:
    """The cells that are meant: a set of cells, one cell, or those that a component (or a set of them) covers."""
    if value.type.base == "component":
        grid = grid_of(value, scope)
        if grid is None:
            return unclear(value.span)
        return model.CoveredBy(value, type=Type("cell", grid.name).set, span=value.span)
    if value.type.base not in ("cell", "unknown"):
        scope.complain("R204", f"cells of a grid are wanted here; this is {value.type}", value.span)
        return unclear(value.span)
    return as_set(value, scope)


def grid_of(value: Expr, scope: Scope) -> model.Grid | None:
    """The grid on which components of a kind can lie; None after a finding when there is none, or more than one."""
    if value.type.base != "component":
        if value.type.base != "unknown":
            scope.complain("R204", f"what lies on a grid is a component; this is {value.type}", value.span)
        return None
    found = [grid for grid in scope.grids() if value.type.of in grid.kinds]
    if not found and value.type.of in scope.faults.doubtful:
        return None
    if not found:
        scope.faults.doubtful |= {value.type.of}  # said once: one line is missing
        help = f"declare one: `grid of {value.type.of}, ...`"
        scope.complain("R248", f"no grid holds {with_article(value.type.of)}", value.span, help=help)
        return None
    if len(found) > 1:
        listed = " or ".join(f"`{grid.name}`" for grid in found)
        kind = with_article(value.type.of)
        scope.complain("R249", f"{kind} can lie on {listed}, and it is not clear which is meant", value.span)
        return None
    return found[0]


def grid_named(name: str, scope: Scope) -> model.Grid:
    found = scope.symbol(name)
    assert isinstance(found, model.Grid)
    return found


def attribute_of(asked: Attribute, of: Expr, scope: Scope, span: Span) -> Expr:
    """An attribute of a cell: that of what lies there, none where nothing does."""
    kinds = grid_named(of.type.of, scope).kinds
    found = next((a for kind in kinds for a in (asked.kinds.get(kind), asked.parts.get(kind)) if a is not None), None)
    if found is None:
        scope.complain("R204", f"nothing that lies on {of.type.of} has the attribute `{asked.name}`", span)
        return unclear(span)
    return model.AttributeOf(asked.name, of, type=found.domain.type.maybe, span=span)


def owner_printed(thing: Expr, scope: Scope, span: Span) -> Expr | None:
    """``owner of X`` where X says by itself whose it is: a player's own piece, or a cell on which one can lie."""
    if thing.type.is_set:
        return None
    if thing.type.base == "cell":
        kinds = [scope.symbol(kind) for kind in grid_named(thing.type.of, scope).kinds]
        if any(isinstance(kind, model.Kind) and kind.owned for kind in kinds):
            return model.AttributeOf("owner", thing, type=PLAYER.maybe, span=span)
        return None
    owned = [isinstance(kind, model.Kind) and kind.owned for kind in map(scope.symbol, thing.type.kinds)]
    if any(owned):
        type = PLAYER.maybe if thing.type.optional or not all(owned) else PLAYER
        return model.AttributeOf("owner", thing, type=type, span=span)
    return None


def component_of(kind: model.Kind, of: Expr, scope: Scope, span: Span) -> Expr:
    """``castle of player``: the player's own; ``disc of cell``: the one that lies there; ``gem of bank``: those among others."""
    type = scope.component(kind.name)
    if of.type.base == "unknown":
        return unclear(span)
    if of.type.base == "cell" and not of.type.is_set:
        return lying_on(of, kind.name, scope, span)
    if of.type.is_set and of.type.base == "component" and of.type.kinds != (kind.name,):
        return of_noun(tree.Name(kind.name, span=span), of, scope)
    if not kind.owned or of.type.base != "player" or of.type.is_set:
        those = f", those that lie in a zone `{kind.name} of ZONE`" if type.only else ""
        help = f"all of them are `every {kind.name}`{those}"
        scope.complain("R204", f"`{kind.name}` is a kind of component, not one of them", span, help=help)
        return unclear(span)
    alone = isinstance(kind.each, Const) and kind.each.value == 1 and len(kind.attributes) == 1
    of_nobody = of.type.optional
    if type.only:
        one = Var(kind.name, type)
        owner = model.AttributeOf("owner", variable(one, span), type=PLAYER, span=span)
        theirs = model.Compare("=", owner, of, type=TRUTH, span=span)
        own = model.Filter(model.AllOf((kind.name,), type=type.set, span=span), one, theirs, type=type.set, span=span)
        return model.AnyOf(own, type=type.maybe, span=span) if alone else own
    return model.OwnedBy(of, type=(type.maybe if of_nobody else type) if alone else type.set, span=span)


def lying_on(cell: Expr, kind: str, scope: Scope, span: Span | None = None) -> Expr:
    """The component of a kind on a cell."""
    if cell.type.base == "cell" and kind not in grid_named(cell.type.of, scope).kinds:
        scope.complain("R248", f"no {kind} can lie on {cell.type.of}", cell.span)
        return unclear(cell.span)
    return model.LyingOn(cell, type=Type("component", kind).maybe, span=span or cell.span)
