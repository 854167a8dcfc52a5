"""Connected regions of cells. One loop serves all questions about them: it goes from one region to the next, and fills each
once.

Which cells hang together is kept as two sets, three for hexagons: the cells joined with their right neighbour, and with the one
above. A region is filled along these.
"""

from __future__ import annotations

from collections.abc import Callable

from ....model import model
from ....model.model import Expr as ModelExpr
from ....model.model import Var
from ...machine import Assign, Const, Expr, Function, If, Invoke, Load, Return, Stmt, While
from ..building.builder import Builder
from ..building.lowering import bits_of_set, scalar_of
from ..building.values import Binding, Bits, Env, Spot, op, some
from ..components import boards, cells, places
from ..components.overlay import Where, anybodys, overlay_of, whose
from . import printed


def region_loop(
    of: ModelExpr,
    each: Var,
    body: Callable[[Env], list[Stmt]],
    b: Builder,
    env: Env,
    settled: bool = False,
    worth: str | None = None,
) -> list[Stmt]:
    """Do something for each region, with ``each`` bound to its cells. ``settled``: what is done may change the grid.
    ``worth``: an attribute; regions in which it is 0 or none on all cells may be passed over.

    Which cells hang together is settled when it begins, as a set for each axis: the cells joined with the one to their right,
    those joined with the one above, and so on. Each region is then filled once, from its lowest cell.
    """
    conditions: list[tuple[Var, ModelExpr]] = []
    while isinstance(of, model.Filter):
        conditions.append((of.var, of.condition))
        of = of.of
    assert isinstance(of, model.Regions)
    place = places.where(of.of, b, env)
    grid = place.grid
    head: list[Stmt] = []
    owner = place.owner
    if settled and owner is not None and not isinstance(owner, Const):
        local = b.local("whose")
        head.append(Assign(local, owner))
        owner = Load(local)
    rest, region = b.local("rest", grid.cells), b.local(each.name, grid.cells)
    links = [b.local(f"joined {joint.name}", grid.cells) for joint in cells.joints(grid)]
    having, *joined = _links(of, Where(grid, owner), b, env)
    if worth is not None:
        having = op("intersect", having, printed.cells_with_other(worth, Where(grid, owner), 0, b, env))
    head += [Assign(local, value) for local, value in zip((rest, *links), (having, *joined), strict=True)]
    binding = Binding(Bits(Load(region), cells.all_cells(grid), grid.cells), (Spot(grid.name, owner),))
    inside = env | {each: binding}
    done = body(inside)
    for var, condition in conditions:
        done = [If(scalar_of(condition, b, inside | {var: binding}).expr, tuple(done))]
    start = op("bit", op("first", Load(rest)))
    filling: list[Stmt] = [
        Assign(region, cells.connected(start, tuple(map(Load, links)), grid, b)),
        Assign(rest, op("minus", Load(rest), Load(region))),
    ]
    return [*head, While(some(Load(rest)), (*filling, *done), of.span, rest.bits)]


def _links(of: model.Regions, place: Where, b: Builder, env: Env) -> list[Expr]:
    """The cells that belong to regions, and for each axis those joined with the cell one step further."""
    grid, attribute = place.grid, of.attribute
    within = None if isinstance(of.of, model.ZoneContent) else bits_of_set(of.of, b, env).expr
    plain = overlay_of(env) is None
    name = f"{attribute} on {grid.name}"
    found: list[Expr] = []
    steps = [(f"joined {joint.name} by", joint) for joint in cells.joints(grid)]
    for what, joint in [("all with", None), *steps]:
        joined: Expr
        if not plain:
            joined = _joined(attribute, place, joint, b, env)
        else:
            function = f"{what} {name}"
            if function not in b.functions:
                player, here = anybodys(grid, b)
                code = (Return(_joined(attribute, here, joint, b, {})),)
                b.functions[function] = Function(function, player, grid.cells, code)
            joined = Invoke(function, whose(place))
        if within is not None:
            joined = op("intersect", joined, within)
            if joint is not None:
                joined = op("intersect", joined, cells.lower_ones(within, grid, joint))
        found.append(joined)
    return found


def _joined(attribute: str, place: Where, joint: cells.Joint | None, b: Builder, env: Env) -> Expr:
    """The cells that have an attribute; of these, those with the same value as the higher one that is joined with them."""
    found = printed.cells_with_any(attribute, place, b, env)
    if joint is None:
        return found
    found = op("intersect", found, cells.lower_ones(found, place.grid, joint))
    for number in range(boards.code_of(attribute, place.grid, b)[1]):
        digit = printed.digit(attribute, place, number, b, env)
        found = op("minus", found, op("flip", digit, cells.lower_ones(digit, place.grid, joint)))
    return found


def is_region(node: ModelExpr) -> bool:
    return node.type.base == "region"
