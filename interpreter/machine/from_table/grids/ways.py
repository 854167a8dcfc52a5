"""The ways to lay a component on a grid, their numbers and their names.

A way is a turn and the cell of the first part: number ``turn * cells + cell``. Ways that leave the grid have numbers too, so that
the numbers are dense; they are never candidates. If several ways look the same, only the first is a candidate.
`legal_placements.py` finds which candidates are legal.
"""

from __future__ import annotations

from functools import lru_cache

from attrs import evolve

from ....common.nouns import with_article
from ....common.source import Span
from ....model import model
from ....model.model import Type
from ....table.table import Grid, Kind
from ....words.words import ENGLISH, Words
from ...machine import (
    OPTIONS_LIMIT,
    Condition,
    Const,
    Constants,
    Domain,
    Expr,
    Lookup,
    Message,
    Say,
)
from ..building.builder import Builder
from ..building.lowering import required
from ..building.saying import named
from ..building.values import Bits, Env, op
from ..components import overlay
from ..components.overlay import Overlay, Where
from . import lying

KEPT = 16  # kinds on grids for which the ways are kept: they are the same at most tables of a game


def of_option(option: model.Option) -> model.Ways | None:
    """What an option lays, when it lays something."""
    source = option.arguments[0].source if option.arguments else None
    return source if isinstance(source, model.Ways) else None


# ---- Their names and numbers


def name_all(options: list[model.Option], b: Builder) -> None:
    """The domains of all ways that options offer."""
    for option in options:
        ways = of_option(option)
        if ways is None or ways.type.member in b.domains:
            continue
        kind, grid = b.components[ways.piece.type.of].kind, b.table.grids[ways.grid]
        if overlay.turns(kind) * grid.cells > OPTIONS_LIMIT:
            b.complain("R216", f"these are more than {OPTIONS_LIMIT} ways to lay {with_article(kind.name)}", option.span)
        domain = _domain(kind, grid)
        said = () if b.words is ENGLISH else [_said(name, b.words) for name in domain.names]
        b.domains[ways.type.member] = b.in_words(domain, said)


@lru_cache(maxsize=KEPT)
def _domain(kind: Kind, grid: Grid) -> Domain:
    names = (_name(turn, cell, kind, grid) for turn in range(overlay.turns(kind)) for cell in range(grid.cells))
    return Domain(tuple(names), sort="way", of=grid.name)


def _name(turn: int, cell: int, kind: Kind, grid: Grid) -> str:
    """``on d5 c5``: the cells of the parts; of a way that leaves the grid, what tells it from the others."""
    lying = _cells(turn, cell, kind, grid)
    if lying is None:
        return f"on {grid.cell_name(cell)} and outside, turned {turn} times"
    return f"on {' '.join(grid.cell_name(c) for c in lying)}"


def _said(name: str, words: Words) -> str:
    """The name of a way in the language in which the machine speaks; ways that leave the grid are not offered to anybody."""
    return name if "outside" in name else words.phrase("on {cells}", cells=name.removeprefix("on "))


def _cells(turn: int, cell: int, kind: Kind, grid: Grid) -> list[int] | None:
    """The cells of the parts of a way; None when it leaves the grid."""
    if grid.board is not None:
        return [cell]  # a point is all that is covered
    row, column = divmod(cell, grid.width)
    found = []
    for part in kind.parts:
        across, up = overlay.turned(part, turn)
        if not (0 <= column + across < grid.width and 0 <= row + up < grid.height):
            return None
        found.append(cell + up * grid.width + across)
    return found


def way_of(lying: list[int], kind: Kind, grid: Grid) -> int | None:
    """The way in which the parts of a component lie on these cells; None when its shape does not fit them."""
    for turn in range(overlay.turns(kind)):
        if _cells(turn, lying[0], kind, grid) == lying:
            return turn * grid.cells + lying[0]
    return None


@lru_cache(maxsize=KEPT)
def _different(kind: Kind, grid: Grid) -> tuple[int, ...]:
    """For each face, the ways on the grid of which no other with a lower cell of the first part looks the same."""
    parts = kind.parts
    shapes = [[overlay.turned(part, turn) for part in parts] for turn in range(overlay.turns(kind))]
    corners = [(min(x for x, _ in shape), min(y for _, y in shape)) for shape in shapes]
    attributes = [name for name in kind.attributes if name in kind.part_attributes] or list(kind.part_attributes)
    on_grid = [
        sum(1 << cell for cell in range(grid.cells) if _cells(turn, cell, kind, grid) is not None) << (turn * grid.cells)
        for turn in range(len(shapes))
    ]
    printed = [[v for attribute in attributes if (v := kind.on_part(attribute, part)) is not None] for part in parts]
    found = []
    for face in range(len(kind.faces)):
        pictures: dict[frozenset[object], tuple[tuple[int, int], int]] = {}
        for turn, (shape, (left, low)) in enumerate(zip(shapes, corners, strict=True)):
            looks = []
            for values, (x, y) in zip(printed, shape, strict=True):
                looks.append((x - left, y - low, tuple(v[face] for v in values)))
            first = (-low, -left)  # row and column of the first part in its picture
            picture = frozenset(looks)
            if picture not in pictures or first < pictures[picture][0]:
                pictures[picture] = (first, turn)
        found.append(sum(on_grid[turn] for _, turn in pictures.values()))
    return tuple(found)


def candidates(node: model.Ways, b: Builder, env: Env) -> Bits:
    """All different ways that do not leave the grid."""
    kind, grid = b.components[node.piece.type.of].kind, b.table.grids[node.grid]
    masks = _different(kind, grid)
    everything = 0
    for mask in masks:
        everything |= mask
    if len(set(masks)) == 1:
        return Bits(Const(masks[0]), everything, everything.bit_count())
    sorts = tuple(dict.fromkeys(masks))
    sort = Constants(f"sort of picture of {kind.name}", tuple(sorts.index(mask) for mask in masks))
    table = Constants(f"different ways to lay a {kind.name} on {grid.name}", sorts, overlay.turns(kind) * grid.cells)
    face = required(node.piece, b, env).expr
    return Bits(Lookup(table, Lookup(sort, face)), everything, everything.bit_count())


# ---- A component that lies there while a condition is asked


def with_it_laid(ways: model.Ways, way: Expr, b: Builder, env: Env) -> Env:
    """The environment in which `so that` is asked of a way: with the component lying there."""
    kind, grid = b.components[ways.piece.type.of].kind, b.table.grids[ways.grid]
    owner = Const(0) if ways.owner is None else required(ways.owner, b, env).expr
    over = Overlay(grid.name, kind.name, way, required(ways.piece, b, env).expr, owner)
    return overlay.with_overlay(env, over, overlay.turns(kind) * grid.cells)


# ---- Why not


def empty_first(ways: model.Ways, way: Expr, b: Builder, env: Env, span: Span) -> Condition:
    """The condition that nothing lies there yet, as the first one of the option."""
    kind, grid = b.components[ways.piece.type.of].kind, b.table.grids[ways.grid]
    owner = None if ways.owner is None else required(ways.owner, b, env).expr
    spot = overlay.cells_of_way(way, kind.name, grid, b)
    taken = op("intersect", spot, lying.filled(Where(grid, owner), b, env))
    cells = Say(taken, b.domains[Type("cell", grid.name)], True)
    text = b.parts("something lies on {cells} already", cells=cells)
    return Condition(op("=", taken, Const(0)), text, span)


def not_offered(ways: model.Ways, b: Builder) -> Message:
    found = b.parts("it would leave {grid}, or look as it does in another way", grid=named(b, "grid", ways.grid))
    return evolve(found, parts=(f"it would leave {ways.grid}, or look as it does in another way",))
