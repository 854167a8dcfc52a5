"""Binds zones and grids, the places where components can lie."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from attrs import evolve

from ....common.nouns import plural, with_article
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, PLAYER, Const
from ..expressions import number
from ..names.scope import Finish, Scope
from ..names.types import must_be_fixed
from .parameters import parameters
from .pictures import board_of


def zones(line: tree.Zone, scope: Scope) -> Iterable[Finish]:
    """The zones of a line."""
    kinds = _kinds_held(line, scope)
    if kinds is None:
        return
    held = scope.component(kinds[0])
    of = parameters(line, scope)
    if line.visibility == "private" and all(each.type != PLAYER for each in of):
        at = line.span.start + line.span.text.rindex(line.visibility)
        private = Span(line.span.source, at, at + len(line.visibility))
        first = line.names[0].text
        ways = [f"`zone {first} of player` if each player has one", "`hidden` if nobody sees it"]
        if re.search(rf"\b{first} of\b", line.span.source.text) is None:
            ways.reverse()
        help = f"write {', or '.join(ways)}"
        scope.complain("R204", "a private zone belongs to somebody", private, help=help)
    for name in line.names:
        only = kinds if held.only else ()
        zone = model.Zone(name.text, of, line.shape, held.of, line.visibility, only=only, span=name.span)
        if scope.declare(name.text, zone, name.span):
            yield partial(_whole, zone)


def _whole(zone: model.Zone) -> model.Zone:
    return zone


def regions(line: tree.Board) -> Iterable[tree.Define]:
    """The named regions of a board: each is a word for some of its points."""
    for region in line.regions:
        if region.region is not None:
            points = tree.Group(tuple(tree.Ref(name.text, span=name.span) for name in region.names), span=region.span)
            yield tree.Define(region.region, (), points, (), span=region.span)


def grids(line: tree.Grid | tree.Board, scope: Scope) -> Iterable[Finish]:
    """The grids of a line; their sizes may be options, so they come when all names are known."""
    board = board_of(line, scope) if isinstance(line, tree.Board) else None
    if isinstance(line, tree.Board) and board is None:
        named = (*(each.names for each in line.regions), *(each.names for each in line.chains))
        points = {name.text for names in named for name in names}
        scope.faults.doubtful |= {name.text for name in line.names} | points | {"grid"}
        return
    hexagonal = isinstance(line, tree.Grid) and line.hexagonal
    kinds: list[str] = []
    for kind_name in line.kinds:
        kind = _kind_held(kind_name, line.names, scope)
        if kind is None:
            scope.faults.doubtful |= {each.text for each in line.kinds}  # it would have been their grid
            return
        kinds.append(kind.name)
        if (board is not None or hexagonal) and len(kind.parts) > 1:
            cells = "points" if board is not None else "hexagons"
            squares = f"{with_article(kind.name)} is made of squares, and these are {cells}"
            scope.complain("R248", squares, kind_name.span, help="let it cover one cell, or make the grid one of squares")
    of = parameters(line, scope)
    if any(each.place != "of" or each.type != PLAYER for each in of):
        scope.complain("R204", "a grid can belong to each player, and to nothing else", line.parameters[0].span)
    if line.visibility != "open":
        scope.complain("R204", "a grid is open: all see what lies where", line.span, help="end the line with `, open`")
    nothing = Const(1, type=NUMBER, span=line.span)

    def finish(grid: model.Grid) -> model.Declaration:
        if isinstance(line, tree.Board):
            return grid
        across, up = (must_be_fixed(number(end, scope), "the size of a grid", scope) for end in (line.width, line.height))
        return evolve(grid, width=across, height=up)

    for name in line.names:
        held = tuple(dict.fromkeys(kinds))
        width, height = (evolve(nothing, value=size) for size in ((1, 1) if board is None else board.size))
        grid = model.Grid(name.text, bool(of), hexagonal, held, width, height, board, span=name.span)
        if scope.declare(name.text, grid, name.span):
            yield partial(finish, grid)


def _kinds_held(line: tree.Zone, scope: Scope) -> tuple[str, ...] | None:
    """The kinds that the zones of a line hold; None after a finding that leaves it open."""
    found: list[str] = []
    for name in line.kinds:
        kind = _kind_held(name, line.names, scope)
        if kind is None:
            scope.faults.doubtful |= {each.text for each in line.kinds}  # it would have been their zone
            return None
        if kind.name in found:
            scope.complain("R202", f"`{kind.name}` is named twice", name.span, help="name each kind once")
            continue
        found.append(kind.name)
        if len(line.kinds) > 1 and (alone := _stays_alone(kind, scope)):
            message = f"{with_article(kind.name)} {alone}, so no other kind can lie in one zone with it"
            help = f"let {plural(kind.name)} have a zone of their own"
            scope.complain("R204", message, name.span, *scope.where_declared(kind.name), help=help)
    return tuple(found)


def _stays_alone(kind: model.Kind, scope: Scope) -> str:
    """Why no other kind can lie in one zone with a kind; "" where it can."""
    if kind.form == "dice":
        return "is rolled"
    grid = next((grid.name for grid in scope.grids() if kind.name in grid.kinds), None)
    return "" if grid is None else f"lies on `{grid}`"


def _kind_held(name: tree.Name, zones: tuple[tree.Name, ...], scope: Scope) -> model.Kind | None:
    """The kind that zones hold; None after a finding, and then nothing is said of the zones either."""
    kind = scope.symbol(name.text)
    if isinstance(kind, model.Kind):
        return kind
    scope.unknown(name.text, name.span, "kind of component", scope.names_of(model.Kind))
    scope.faults.doubtful |= {zone.text for zone in zones}
    return None
