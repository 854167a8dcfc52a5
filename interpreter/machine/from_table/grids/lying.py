"""Lowers expressions about cells: what lies on them, how large that is, what touches what.

`boards` says how it is stored where things lie; with a component laid in thought (`overlay`) its cells are added here.
"""

from __future__ import annotations

from ....model import model
from ....model.model import Expr as ModelExpr
from ....model.model import Type
from ....table.table import Grid, Kind
from ...machine import NONE, Assign, Const, Expr, Function, If, Invoke, Load, Local, Lookup, Return, Stmt
from ..building.builder import Builder
from ..building.lowering import bits_of_set, required, scalar_of
from ..building.values import Bits, Env, Scalar, op
from ..components import boards, cells, places
from ..components.copies import for_members
from ..components.overlay import Where, anybodys, cells_of_way, laid_there, overlay_of, part_cells, whose
from . import lines, printed

# ---- What lies there, with what is being laid


def filled(place: Where, b: Builder, env: Env) -> Expr:
    """The cells that are taken."""
    there: Expr = Load(b.fields[place.grid.name], place.owner)
    over = overlay_of(env)
    on = None if over is None else over.on(place)
    if over is None or on is None:
        return there
    return op("union", there, op("if", on, cells_of_way(over.way, over.kind, place.grid, b), Const(0)))


def _each_lying(kind: str, face: Local, here: Where, body: list[Stmt], b: Builder) -> list[Stmt]:
    """Do something for each component of a kind on a grid."""
    zone = boards.zone_of(kind, here.grid, b)
    components = b.components[kind]
    rest = b.local("rest", components.bits)
    content = Load(b.fields[zone.name], here.owner)
    return for_members(rest, content, face, body, components.domain.copies, here.grid.span)


def lying_on(node: model.LyingOn, b: Builder, env: Env) -> Scalar:
    """The component of a kind on a cell, or none."""
    cell = scalar_of(node.cell, b, env)
    place = places.where(node.cell, b, env)
    grid, kind = place.grid, node.type.of
    components = b.components[kind]
    name = f"{kind} at a cell of {grid.name}"
    if name not in b.functions:
        given, face = b.local("cell"), b.local(kind)
        player, here = anybodys(grid, b)
        found = (Return(Load(face)),)
        own = boards.cell_fields(kind, grid, b)
        nothing = If(op("<", Load(given), Const(0)), (Return(Const(NONE)),))
        if not components.distinct and len(components.starts) <= boards.FACES_LIMIT:
            at = [boards.cells_of_face(kind, grid, here.owner, Const(each), b) for each in range(len(components.starts))]
            search: list[Stmt] = [If(op("has", there, Load(given)), (Return(Const(each)),)) for each, there in enumerate(at)]
        elif components.distinct:
            tests: list[Stmt] = [If(op("=", Load(field, Load(face)), Load(given)), found) for field in own]
            search = _each_lying(kind, face, here, tests, b)
        else:
            there = boards.cells_of_face(kind, grid, here.owner, Load(face), b)
            search = _each_lying(kind, face, here, [If(op("has", there, Load(given)), found)], b)
        b.functions[name] = Function(name, (*player, given), 0, (nothing, *search, Return(Const(NONE))))
    lying: Expr = Invoke(name, (*whose(place), cell.expr))
    over = overlay_of(env)
    on = None if over is None or over.kind != kind else over.on(place)
    if over is not None and on is not None:
        inside = op("has", cells_of_way(over.way, kind, grid, b), op("max", Const(0), cell.expr))
        lying = op("if", op("and", on, op("and", op("<=", Const(0), cell.expr), inside)), over.face, lying)
    return Scalar(lying, NONE, len(components.starts) - 1)


def covered_by(node: model.CoveredBy, b: Builder, env: Env) -> Bits:
    """The cells that a component, or any of a set of them, covers."""
    grid = b.table.grids[node.type.of]
    kind = node.of.type.of
    components = b.components[kind]
    one = _covered_by_one(kind, grid, b)
    over = laid_there(kind, grid, env)
    everything = cells.all_cells(grid)
    if not node.of.type.is_set:
        face = scalar_of(node.of, b, env).expr
        found: Expr = Invoke(one, (face,))
        if over is not None:
            found = op("if", op("=", face, over.face), cells_of_way(over.way, kind, grid, b), found)
        return Bits(found, everything, grid.cells)
    these = bits_of_set(node.of, b, env).expr
    name = f"cells of {kind}s on {grid.name}"
    if name not in b.functions:
        given, rest = b.local(f"{kind}s", components.bits), b.local("rest", components.bits)
        each, covered = b.local(kind), b.local("covered", grid.cells)
        more: list[Stmt] = [Assign(covered, op("union", Load(covered), Invoke(one, (Load(each),))))]
        loop = for_members(rest, Load(given), each, more, components.domain.copies, grid.span)
        b.functions[name] = Function(name, (given,), grid.cells, (Assign(covered, Const(0)), *loop, Return(Load(covered))))
    found = Invoke(name, (these,))
    if over is not None and components.distinct:
        laid = op("if", op("has", these, over.face), cells_of_way(over.way, kind, grid, b), Const(0))
        found = op("union", Invoke(name, (op("minus", these, op("bit", over.face)),)), laid)
    return Bits(found, everything, grid.cells)


def _covered_by_one(kind: str, grid: Grid, b: Builder) -> str:
    name = f"cells of {kind} on {grid.name}"
    if name in b.functions:
        return name
    components = b.components[kind]
    face, covered = b.local(kind), b.local("covered", grid.cells)
    body: list[Stmt] = [Assign(covered, Const(0)), If(op("<", Load(face), Const(0)), (Return(Load(covered)),))]
    own = boards.cell_fields(kind, grid, b)
    if components.distinct:
        lies = op("<", Load(own[0], Load(face)), Const(0))
        body.append(If(lies, (Return(Load(covered)),)))
        more: Expr = Const(0)
        for field in own:
            more = op("union", more, op("bit", Load(field, Load(face))))
        body.append(Return(more))
    else:
        faces = len(components.starts)
        for player in range(boards.owners(grid, b)):
            element = op("+", Const(player * faces), Load(face))
            body.append(Assign(covered, op("union", Load(covered), Load(own[0], element))))
        body.append(Return(Load(covered)))
    b.functions[name] = Function(name, (face,), grid.cells, tuple(body))
    return name


def cell_of(node: model.CellOf, b: Builder, env: Env) -> Scalar:
    """The cell of the first part of a component, or none."""
    grid = b.table.grids[node.type.of]
    kind = node.of.type.of
    components = b.components[kind]
    thing = scalar_of(node.of, b, env)
    over = laid_there(kind, grid, env)
    if components.distinct:
        found: Expr = Load(boards.cell_fields(kind, grid, b)[0], thing.expr)
        if thing.low < 0:
            found = op("if", op("<", thing.expr, Const(0)), Const(NONE), found)
    else:
        found = op("first", Invoke(_covered_by_one(kind, grid, b), (thing.expr,)))
    if over is not None:
        first = part_cells(over.way, components.kind, grid)[0]
        found = op("if", op("=", thing.expr, over.face), first, found)
    return Scalar(found, NONE, grid.cells - 1)


# ---- Words about cells


def bits_of_cells(node: ModelExpr, b: Builder, env: Env) -> Bits:
    """The sets of cells that only grids know."""
    grid = b.table.grids[node.type.of]
    everything = cells.all_cells(grid)
    found: Expr
    match node:
        case model.ZoneContent():
            found = filled(places.where(node, b, env), b, env)
        case model.CellsOf(empty=empty):
            found = op("minus", Const(everything), filled(places.where(node, b, env), b, env)) if empty else Const(everything)
        case model.NextTo(of=of):
            found = next_to(of, b, env)
        case model.Shifted(way=way) if way is not None:
            return lines.in_direction(node, grid, b, env)
        case model.Shifted(of=of):
            given = bits_of_set(of, b, env)
            found, bound = Const(0), 0
            for seat, (across, up) in reversed(list(lines.steps(node, grid, b).items())):
                staying = cells.moved(Const(given.bound), grid, across, up)
                assert isinstance(staying, Const)
                bound |= staying.value
                here = cells.shifted(given.expr, grid, across, up, b)
                found = here if found == Const(0) else lines.by_seat(node, seat, here, found, b, env)
            return Bits(found, bound, min(given.most, bound.bit_count()))
        case model.LinesFrom():
            found = lines.lines_from(node, grid, b, env)
        case model.CellsOfWay(way=way):
            kind = way.type.of.partition("/")[2]
            found = cells_of_way(scalar_of(way, b, env).expr, kind, grid, b)
            return Bits(found, everything, len(b.components[kind].kind.parts))
        case _:
            raise AssertionError(f"{type(node).__name__} is no set of cells")
    return Bits(found, everything, grid.cells)


def next_to(of: ModelExpr, b: Builder, env: Env) -> Expr:
    """The cells next to some: of those that a component covers, of which it is known that there is one, from a table."""
    grid = b.table.grids[of.type.of]
    match of:
        case model.CoveredBy(of=thing) if not thing.type.is_set and overlay_of(env) is None:
            components = b.components[thing.type.of]
            if components.distinct and len(components.kind.parts) == 1:
                cell = cell_of(model.CellOf(thing, type=of.type.member, span=of.span), b, env)
                return cells.next_to_cell(cell.expr, grid)
        case _:
            pass
    return cells.next_to(bits_of_set(of, b, env).expr, grid, b)


def bounds(node: model.Bounds, b: Builder, env: Env) -> Scalar:
    grid = b.table.grids[node.of.type.of]
    if isinstance(node.of, model.ZoneContent) and node.what != "middle" and overlay_of(env) is None:
        of_columns = node.what == "width"
        far, near = reaches(places.where(node.of, b, env), of_columns, b)
        size = grid.width if of_columns else grid.height
        return Scalar(cells.extent(far, near, size), 1, size)
    given = bits_of_set(node.of, b, env).expr
    match node.what:
        case "width":
            return Scalar(cells.width_of(given, grid, b), 1, grid.width)
        case "height":
            return Scalar(cells.height_of(given, grid, b), 1, grid.height)
        case "middle":
            return Scalar(cells.middle_of(given, grid, b), NONE, grid.cells - 1)


def reaches(place: Where, of_columns: bool, b: Builder) -> tuple[Expr, Expr]:
    """How far what lies on a grid reaches from the right and the left, or from above and below."""
    far, near = cells.SIDES[:2] if of_columns else cells.SIDES[2:]
    return boards.reach(far, place.grid, place.owner, b), boards.reach(near, place.grid, place.owner, b)


def touches(node: model.Touches, b: Builder, env: Env) -> Scalar:
    left, right = bits_of_set(node.left, b, env).expr, bits_of_set(node.right, b, env).expr
    return Scalar(cells.touch(left, right, b.table.grids[node.left.type.of], b), 0, 1)


def touches_same(node: model.TouchesSame, b: Builder, env: Env) -> Scalar:
    """Some part of a component lies next to a cell of another one with the same value."""
    kind = b.components[node.of.type.of].kind
    grid = next(g for g in b.table.grids.values() if kind.name in g.kinds)
    thing = model.CoveredBy(node.of, type=Type("cell", grid.name).set, span=node.span)
    place = places.where(thing, b, env)
    face = required(node.of, b, env).expr
    own = covered_by(thing, b, env).expr
    spot = _part_cells_of(face, kind, grid, b, env)
    found: Expr = Const(0)
    for index, part in enumerate(kind.parts):
        values = kind.on_part(node.attribute, part)
        if values is None:
            continue
        shown = boards.value_of(f"{node.attribute} of {kind.name} {part.name}".strip(), values, node.attribute, place.grid, b)
        value = Scalar(Lookup(shown, face), min(shown.values), max(shown.values))
        same = op("minus", printed.cells_with(node.attribute, place, value, b, env), own)
        touching = cells.touch(op("bit", spot[index]), same, grid, b)
        found = op("or", found, op("and", op("<=", Const(0), spot[index]), touching))
    return Scalar(found, 0, 1)


def _part_cells_of(face: Expr, kind: Kind, grid: Grid, b: Builder, env: Env) -> list[Expr]:
    """The cell of each part of a component (none when it lies nowhere); of equal components, of the first of them."""
    own = boards.cell_fields(kind.name, grid, b)
    if b.components[kind.name].distinct:
        lying: list[Expr] = [Load(field, face) for field in own]
    else:
        lying = [op("first", Invoke(_covered_by_one(kind.name, grid, b), (face,)))]
    over = laid_there(kind.name, grid, env)
    if over is None:
        return lying
    laid = part_cells(over.way, kind, grid)
    return [op("if", op("=", face, over.face), there, cell) for there, cell in zip(laid, lying, strict=True)]
