"""Binds the ways to bring components onto a grid: put on a cell, laid as a player chooses, laid in a test."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from ....common.nouns import plural, with_article
from ....syntax import tree
from ... import model
from ...model import PLAYER, TRUTH, Const, Expr, Type, Var
from ..expressions import expression, names, truth, wanted
from ..expressions.cells import grid_named, lying_on
from ..expressions.words import CELL, cell_named, kinds_of, with_point
from ..names.scope import Scope, unclear
from ..names.types import as_set
from .texts import reason


def put(line: tree.Put, scope: Scope) -> Iterator[model.Statement]:
    """``put X on CELL``."""
    what = _component(line.what, scope)
    on_grids = [grid for grid in scope.grids() if what.type.of in grid.kinds]
    on = expression(line.on, scope, Type("cell", on_grids[0].name) if len(on_grids) == 1 else None)
    if on.type.base != "cell" or on.type.is_set:
        if on.type.base != "unknown":
            to_zone = on.type.is_set and on.type.base == "component"
            help = f"write `move {line.what.span.text} to {line.on.span.text}`" if to_zone else ""
            scope.complain("R204", f"a component is put on a cell; this is {on.type}", on.span, help=help)
        return
    grid = grid_named(on.type.of, scope)
    kind = _held(what, grid, scope)
    if kind is None:
        return
    if len(kind.parts) > 1:
        scope.complain(
            "R204",
            f"{with_article(kind.name)} covers {len(kind.parts)} cells, and this is one",
            on.span,
            help=f"let a player choose how it lies: `place {kind.name} on {grid.name}`",
        )
        return
    yield model.Lay(what, grid.name, None, (on,), span=line.span)


def turn_over(line: tree.Set, cells: tree.Expression, scope: Scope) -> Iterator[model.Statement]:
    """``set owner of CELLS to P``: the pieces on these cells go to the box, and a piece of P takes the place of each."""
    target, span = line.target, line.span
    if target.key is not None:
        help = "go through the cells: `for each cell in ...: set owner of cell to ...`"
        scope.complain("R206", "`owner` takes no `for ...`", target.span, help=help)
        return
    on = expression(cells, scope)
    player = wanted(line.value, scope, PLAYER)
    if "unknown" in (on.type.base, player.type.base):
        return
    kinds = [scope.symbol(name) for name in grid_named(on.type.of, scope).kinds] if on.type.base == "cell" else []
    kind = kinds[0] if len(kinds) == 1 else None
    if not isinstance(kind, model.Kind) or not kind.owned or len(kind.attributes) > 1:
        scope.complain(
            "R214",
            "`owner` cannot be set",
            target.span,
            help="that of cells can, on a grid whose pieces differ only by their owners: `pieces disc, 64 for each player`",
        )
        return
    var = on.var if isinstance(on, model.VarValue) and not on.type.is_set else Var("cell", on.type.member.required)
    cell = model.VarValue(var, type=var.type, span=cells.span)
    own = model.OwnedBy(player, type=Type("component", kind.name).set, span=span)
    lying = lying_on(cell, kind.name, scope, span)
    filled = model.Compare("=", lying, Const(-1, type=lying.type, span=span), type=TRUTH, span=span)
    change = model.If(
        model.Not(filled, type=TRUTH, span=span),
        (
            model.Move(lying, model.Spot(model.BOX, None, span=span), span=span),
            model.Lay(model.AnyOf(own, type=own.type.member.maybe, span=span), on.type.of, None, (cell,), span=span),
        ),
        (),
        span=span,
    )
    yield change if var is getattr(on, "var", None) else model.ForEach(var, as_set(on, scope), None, (change,), span=span)


def _is_one(domain: model.Domain, scope: Scope) -> bool:
    """Whether there is only one value."""
    words = scope.symbol(domain.type.of) if domain.type.base == "word" else None
    if isinstance(words, model.WordList):
        return len(words.words) == 1
    ends = (domain.low, domain.high)
    return (
        all(isinstance(end, model.Const) for end in ends)
        and len({end.value for end in ends if isinstance(end, model.Const)}) == 1
    )


def _component(node: tree.Expression, scope: Scope, grid: model.Grid | None = None) -> Expr:
    """What is to be laid; the name of a kind stands for any of it, ``[19]`` for what can be it among the kinds of ``grid``."""
    expected: Type | None = None
    if isinstance(node, tree.Ref) and node.of is None and isinstance(scope.symbol(node.name), model.Kind):
        expected = Type("component", node.name)
    elif isinstance(node, tree.Pick) and grid is not None:
        expected = next(iter(kinds_of(node, grid.kinds, scope)), None)
    what = expression(node, scope, expected)
    of = what
    while isinstance(of, model.Filter):
        of = of.of
    kind = scope.symbol(what.type.of)
    if not isinstance(kind, model.Kind):
        return what
    if isinstance(what, model.OwnedBy) and not all(_is_one(attribute.domain, scope) for attribute in kind.attributes[1:]):
        help = f"say which: `{what.span.text} with {kind.attributes[1].name} ...`"
        scope.complain("R204", f"the pieces of a player differ here, and one is to be laid: `{kind.name}`", what.span, help=help)
        return unclear(what.span)
    named = {name for name, _ in what.values} if isinstance(what, model.Pick) else set()
    if isinstance(what, model.Pick) and kind.has_twins and named == {attribute.name for attribute in kind.attributes}:
        of = what = evolve(what, type=what.type.set)  # several may be printed alike
    alike = isinstance(of, model.OwnedBy) or of is what
    return model.AnyOf(what, type=what.type.member.maybe, span=what.span) if what.type.is_set and alike else what


def _held(what: Expr, grid: model.Grid, scope: Scope) -> model.Kind | None:
    """The kind of a component that a grid can hold; None after a finding when it cannot."""
    if what.type.base == "unknown":
        return None
    if what.type.base != "component" or what.type.is_set:
        scope.complain("R204", f"one component is laid on a grid; this is {what.type}", what.span)
        return None
    if what.type.of not in grid.kinds:
        holds = " and ".join(plural(kind) for kind in grid.kinds)
        scope.complain("R248", f"no {what.type.of} can lie on `{grid.name}`, which holds {holds}", what.span)
        return None
    kind = scope.symbol(what.type.of)
    return kind if isinstance(kind, model.Kind) else None


def _grid(ref: tree.Ref, scope: Scope) -> tuple[model.Grid, Expr | None] | None:
    """A grid and whose it is."""
    symbol = scope.symbol(ref.name)
    if not isinstance(symbol, model.Grid):
        if symbol is None:
            scope.unknown(ref.name, ref.span, "grid", {grid.name for grid in scope.grids()})
        else:
            scope.complain("R204", f"`{ref.name}` is no grid", ref.span, help="a grid is declared by `zone NAME: grid of ...`")
        return None
    content = names.named(ref.name, ref, scope, None)
    return (symbol, content.owner) if isinstance(content, model.ZoneContent) else None


def chosen_way(line: tree.Placing, scope: Scope) -> tuple[model.Argument, model.Lay] | None:
    """``PIECE on GRID`` of an option: the way as its argument, and the statement that lays the piece.

    ``spot`` is bound: the cells of the piece, or the cell of one that covers no more.
    """
    place = _grid(line.grid, scope)
    if place is None:
        return None
    grid, owner = place
    piece = _component(line.piece, scope)
    kind = _held(piece, grid, scope)
    if kind is None:
        return None
    type = Type("way", f"{grid.name}/{piece.type.of}")
    var = Var("way", type)
    way = model.VarValue(var, type=type, span=line.span)
    spot: Expr = model.CellsOfWay(way, type=Type("cell", grid.name).set, span=line.span)
    if len(kind.parts) == 1:
        spot = model.AnyOf(spot, type=spot.type.member, span=line.span)
    scope.bind("spot", spot, line.span)
    ways = model.Ways(piece, grid.name, owner, type=type.set, span=line.span)
    return model.Argument(var, ways, span=line.span), model.Lay(piece, grid.name, owner, (way,), span=line.span)


def so_that(line: tree.SoThat, placing: bool, scope: Scope) -> list[model.Condition]:
    """``so that C``: only where something is laid."""
    if not placing:
        scope.complain(
            "R247",
            "nothing is laid on a grid by this choice, so there is no table after it",
            line.span,
            help="write `only if ...`; `so that` goes with `VERB PIECE on GRID`",
        )
        return []
    why = reason(line.reason, line.span, scope)
    return [model.Condition(truth(line.condition, scope), why, True, span=line.span)]


def lying_on_cells(cells: Expr, scope: Scope) -> Expr:
    """What lies on a cell, where a component is to be moved."""
    grid = grid_named(cells.type.of, scope)
    if cells.type.is_set:
        scope.complain(
            "R204",
            f"only components can be moved; this is {cells.type}",
            cells.span,
            help=f"go through them: `for each cell in ...: move {grid.kinds[0]} of cell to ...`",
        )
        return unclear(cells.span)
    if len(grid.kinds) > 1:
        kinds = " or ".join(map(with_article, grid.kinds))
        scope.complain("R204", f"{kinds} can lie there", cells.span, help=f"write `{grid.kinds[0]} of ...`")
        return unclear(cells.span)
    return lying_on(cells, grid.kinds[0], scope)


def given_laid(line: tree.GivenLaid, scope: Scope) -> Iterator[model.GivenLaid]:
    """``given GRID: [19] on e6 e7, ...``."""
    place = _grid(line.grid, scope)
    if place is None:
        return
    grid, owner = place
    laid: list[model.Lay] = []
    for each in line.laid:
        what = _component(each.what, scope, grid)
        kind = _held(what, grid, scope)
        if kind is None:
            continue
        if len(each.cells) != len(kind.parts):
            covers = f"{with_article(kind.name)} covers {len(kind.parts)} cells"
            scope.complain("R505", f"{covers}, and here are {len(each.cells)}", each.span)
            continue
        cells = []
        for name in each.cells:
            cell = wanted(tree.Ref(name.text, span=name.span), scope, Type("cell", grid.name))
            cells.append(cell)
        if all(cell.type.base != "unknown" for cell in cells):
            laid.append(model.Lay(what, grid.name, owner, tuple(cells), span=each.span))
    yield model.GivenLaid(tuple(laid), span=line.span)


def named_in_act(node: tree.Expression, scope: Scope) -> Expr | None:
    """A cell as an act in a test names it, of whichever grid the act is about; None when it is no cell."""
    if not isinstance(node, tree.Ref) or node.of is not None or node.key is not None or not scope.grids():
        return None
    if scope.local(node.name) is not None or scope.symbol(node.name) is not None or scope.lists_with(node.name):
        return None
    return cell_named(node.name, "", node.span) if CELL.fullmatch(node.name) or with_point(node.name, scope) else None
