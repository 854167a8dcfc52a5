"""The cells that a component covers when it is laid in some way, and the grid as if it lay there already.

A way is a number: ``turn * cells + cell of the first part``. While `so that` is evaluated, the component lies on the grid only in
thought: three names in the environment say which component, on whose grid and in which way (`builder.OVERLAY`), and expressions
about cells add those of that component (`Overlay`). The record does not change.
"""

from __future__ import annotations

from attrs import frozen

from ....model import model
from ....table.table import Grid, Kind
from ...machine import Const, Constants, Expr, Function, Invoke, Load, Local, Lookup, Return
from ..building.builder import LAID_FACE, LAID_OWNER, LAID_WAY, Builder
from ..building.values import Binding, Env, Scalar, Spot, op


@frozen
class Where:
    """A grid, and of a player's grid whose."""

    grid: Grid
    owner: Expr | None


@frozen
class Overlay:
    """A component that lies on a grid only while a condition is asked (see `builder.OVERLAY`)."""

    grid: str
    kind: str
    way: Expr
    face: Expr
    owner: Expr

    def on(self, place: Where) -> Expr | None:
        """Whether it lies on a grid; None where it certainly does not."""
        if place.grid.name != self.grid:
            return None
        return Const(1) if place.owner is None or place.owner == self.owner else op("=", place.owner, self.owner)


def overlay_of(env: Env) -> Overlay | None:
    if LAID_WAY not in env:
        return None
    way = env[LAID_WAY]
    assert way.spots is not None
    grid, _, kind = way.spots[0].zone.partition("/")
    return Overlay(grid, kind, way.value.expr, env[LAID_FACE].value.expr, env[LAID_OWNER].value.expr)


def laid_there(kind: str, grid: Grid, env: Env) -> Overlay | None:
    """The component that lies only in thought, where it is of this kind and on such a grid."""
    over = overlay_of(env)
    return over if over is not None and (over.kind, over.grid) == (kind, grid.name) else None


def with_overlay(env: Env, over: Overlay, ways: int) -> Env:
    laid = Binding(Scalar(over.way, 0, ways - 1), (Spot(f"{over.grid}/{over.kind}"),))
    high = 1 << 16
    return env | {
        LAID_WAY: laid,
        LAID_FACE: Binding(Scalar(over.face, 0, high)),
        LAID_OWNER: Binding(Scalar(over.owner, 0, high)),
    }


def turned(part: model.Part, turn: int) -> tuple[int, int]:
    """How far from the first part a part lies, across and up, after so many quarter turns clockwise."""
    across, up = part.column, part.row
    for _ in range(turn):
        across, up = up, -across
    return across, up


def turns(kind: Kind) -> int:
    """Ways to turn a component: 4, and 1 where it covers one cell."""
    return 4 if len(kind.parts) > 1 else 1


def part_cells(way: Expr, kind: Kind, grid: Grid) -> list[Expr]:
    """The cells of the parts of a component that is laid in a way (which does not leave the grid)."""
    if turns(kind) == 1:
        return [way]
    first = op("mod", way, Const(grid.cells))
    found = [first]
    for part in kind.parts[1:]:
        steps = tuple(up * grid.width + across for across, up in (turned(part, turn) for turn in range(4)))
        step = Lookup(Constants(f"from {kind.parts[0].name} to {part.name}", steps), op("div", way, Const(grid.cells)))
        found.append(op("+", first, step))
    return found


def cells_of_way(way: Expr, kind: str, grid: Grid, b: Builder) -> Expr:
    """The cells of a way, as a set."""
    if turns(b.components[kind].kind) == 1:
        return op("bit", way)
    name = f"cells of {kind} on {grid.name}, laid"
    if name not in b.functions:
        given = b.local("way")
        covered: Expr = Const(0)
        for cell in part_cells(Load(given), b.components[kind].kind, grid):
            covered = op("union", covered, op("bit", cell))
        b.functions[name] = Function(name, (given,), grid.cells, (Return(covered),))
    return Invoke(name, (way,))


def whose(place: Where) -> tuple[Expr, ...]:
    """The argument that says whose grid is meant, where each player has one."""
    return () if place.owner is None else (place.owner,)


def anybodys(grid: Grid, b: Builder) -> tuple[tuple[Local, ...], Where]:
    """The parameter of a function for whose grid is meant, and that grid inside the function."""
    player = (b.local("player"),) if grid.owned else ()
    return player, Where(grid, Load(player[0]) if player else None)
