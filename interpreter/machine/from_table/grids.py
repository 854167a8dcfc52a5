"""What lies where on a grid, and how is that stored?

A component lies in exactly one zone: for that, a grid is a zone of every kind that it holds (``domino on kingdom``), with a
set of components like any other. Beside it stands where they lie:

- of a kind whose components all differ, a number for each part and component: its cell, or none (``cell of domino a``);
- of a kind with equal components, a set of cells for each owner of the grid and each face (``cells of disc on board``).

What follows from these is kept as well, in the region *index* of the record, so that rules about cells need no loops: the
cells that are taken (named as the grid), and for each value of an attribute for which the rules ask by cell, the cells that
have it (``terrain on kingdom``). Two routines for each kind and grid, `laying` and `lifting`, change all of them together.

An attribute with more than `VALUES_LIMIT` values, which would make the record long, has no such sets: it is looked for
component by component.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from ...model import model
from ...model.model import Expr as ModelExpr
from ...model.model import Type, Var
from ...model.rebuild import walk
from ...model.table import Grid, Kind
from ..machine import (
    NONE,
    Assign,
    Const,
    Constants,
    Domain,
    Expr,
    Field,
    Function,
    GridView,
    If,
    Invoke,
    Load,
    Local,
    Lookup,
    Return,
    Routine,
    Stmt,
    While,
)
from . import cells, defines, numbers, places, sets
from .builder import LAID_FACE, LAID_OWNER, LAID_WAY, Builder
from .copies import for_members
from .values import Binding, Bits, Env, Scalar, Spot, op, some

VALUES_LIMIT = 16  # values of an attribute for which the record has sets of cells, each for every owner of the grid


# ---- Storage


def zone_of(kind: str, grid: Grid, b: Builder) -> model.Zone:
    """The zone for the components of a kind on a grid."""
    return next(z for z in b.table.zones.values() if z.grid == grid.name and z.kind == kind)


def owners(grid: Grid, b: Builder) -> int:
    return b.players if grid.owned else 1


def domains(b: Builder) -> None:
    """The names of all cells."""
    for grid in b.table.grids.values():
        b.domains[Type("cell", grid.name)] = Domain(tuple(grid.cell_name(n) for n in range(grid.cells)))


def fields(asked: Iterable[model.Node], b: Builder) -> None:
    """The fields of all grids. ``asked``: everything in which the rules may ask for attributes by cell."""
    for node in walk(tuple(asked)):
        match node:
            case model.AttributeOf(attribute=attribute, of=of) if of.type.base == "cell":
                b.printed.add((of.type.of, attribute))
            case model.Regions(of=of, attribute=attribute):
                b.printed.add((of.type.of, attribute))
            case model.TouchesSame(of=of, attribute=attribute):
                b.printed |= {(grid.name, attribute) for grid in b.table.grids.values() if of.type.of in grid.kinds}
            case _:
                pass
    for grid in b.table.grids.values():
        b.field(grid.name, "index", owners(grid, b), bits=grid.cells)
        for kind in grid.kinds:
            components = b.components[kind]
            if components.distinct:
                high = max(g.cells for g in b.table.grids.values() if kind in g.kinds) - 1
                for part in components.kind.parts:
                    b.field(_cell_field(components.kind, part), "game", components.bits, NONE, high)
            else:
                b.field(f"cells of {kind} on {grid.name}", "game", owners(grid, b) * len(components.starts), bits=grid.cells)
    for grid_name, attribute in sorted(b.printed):
        grid = b.table.grids[grid_name]
        low, high = values_of(attribute, grid, b)
        if high - low >= VALUES_LIMIT:
            b.printed.discard((grid_name, attribute))
        else:
            b.field(f"{attribute} on {grid_name}", "index", owners(grid, b) * (high - low + 1), bits=grid.cells)


def _cell_field(kind: Kind, part: model.Part) -> str:
    return f"cell of {kind.name} {part.name}".strip()


def cell_fields(kind: str, grid: Grid, b: Builder) -> tuple[Field, ...]:
    """The fields that say where the components of a kind lie (see `GridView.kinds`)."""
    components = b.components[kind]
    if components.distinct:
        return tuple(b.fields[_cell_field(components.kind, part)] for part in components.kind.parts)
    return (b.fields[f"cells of {kind} on {grid.name}"],)


def views(b: Builder) -> tuple[GridView, ...]:
    return tuple(
        GridView(
            grid.name, grid.owned, grid.width, grid.height, b.domains[Type("cell", grid.name)],
            {kind: cell_fields(kind, grid, b) for kind in grid.kinds},
        )
        for grid in b.table.grids.values()
    )  # fmt: skip


def values_of(attribute: str, grid: Grid, b: Builder) -> tuple[int, int]:
    """The least and the greatest value of an attribute on what a grid can hold (none left out)."""
    found = [value for _, _, values in _printed(attribute, grid, b) for value in values if value != NONE]
    return (min(found), max(found)) if found else (0, 0)


def _printed(attribute: str, grid: Grid, b: Builder) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """For each kind and (by its index) part that has an attribute, its values by face."""
    for name in grid.kinds:
        kind = b.components[name].kind
        for index, part in enumerate(kind.parts):
            values = kind.on_part(attribute, part)
            if values is not None:
                yield name, index, values


# ---- Whose cells are meant


@frozen
class Where:
    """A grid, and of a player's grid whose."""

    grid: Grid
    owner: Expr | None


def where(node: ModelExpr, b: Builder, env: Env) -> Where:
    """On which grid, and whose, the cells of an expression lie; a finding where that cannot be told."""
    grid = b.table.grids[node.type.of]
    if not grid.owned:
        return Where(grid, None)
    spots = places.spots_of(node, b, env)
    if spots is not None and len(spots) == 1 and spots[0].owner is not None:
        return Where(grid, spots[0].owner)
    b.complain(
        "R244", f"each player has a {grid.name}, and it is not clear on whose this lies: `{node.span.text}`", node.span,
        help=f"take it from somebody's: `{grid.name} of player`, `empty cells of {grid.name} of player`",
    )  # fmt: skip
    return Where(grid, Const(0))


# ---- Laying and lifting


def laying(kind: str, grid: Grid, b: Builder) -> str:
    """The routine that puts a component on cells: its face, whose grid, a cell for each part. It is on no grid before."""
    return _change(f"lay {kind} on {grid.name}", kind, grid, True, b)


def lifting(kind: str, grid: Grid, b: Builder) -> str:
    """The routine that takes a component away: its face, whose grid and, where components are equal, its cell."""
    return _change(f"lift {kind} from {grid.name}", kind, grid, False, b)


def _change(name: str, kind: str, grid: Grid, lay: bool, b: Builder) -> str:
    if name in b.routines:
        return name
    components = b.components[kind]
    parts = components.kind.parts
    face = b.local(kind)
    owner = b.local("player") if grid.owned else None
    whose = None if owner is None else Load(owner)
    at = [b.local(f"cell {part.name}") for part in parts]
    given = lay or not components.distinct
    body: list[Stmt] = []
    own = cell_fields(kind, grid, b)
    if not given:
        body += [Assign(cell, Load(field, Load(face))) for cell, field in zip(at, own, strict=True)]
    covered: Expr = Const(0)
    for cell in at:
        covered = op("union", covered, op("bit", Load(cell)))
    change = "union" if lay else "minus"

    def changed(field: Field, index: Expr | None, these: Expr) -> Stmt:
        return Assign(field, op("union" if change == "union" else "minus", Load(field, index), these), index)

    body.append(changed(b.fields[grid.name], whose, covered))
    if components.distinct:
        body += [Assign(field, Load(cell) if lay else Const(NONE), Load(face)) for cell, field in zip(at, own, strict=True)]
    else:
        body.append(changed(own[0], _element(whose, len(components.starts), Load(face)), covered))
    for grid_name, attribute in sorted(b.printed):
        if grid_name != grid.name:
            continue
        low, high = values_of(attribute, grid, b)
        for (name_of_kind, index, values) in _printed(attribute, grid, b):
            if name_of_kind != kind:
                continue
            value = Lookup(Constants(f"{attribute} of {kind} {parts[index].name}".strip(), values), Load(face))
            element = _element(whose, high - low + 1, op("-", value, Const(low)))
            store = changed(b.fields[f"{attribute} on {grid_name}"], element, op("bit", Load(at[index])))
            body.append(If(op("=", value, Const(NONE)), (), (store,)) if NONE in values else store)
    parameters = (face, *(() if owner is None else (owner,)), *(at if given else ()))
    b.routines[name] = Routine(name, parameters, tuple(body), False)
    return name


def _element(owner: Expr | None, each: int, index: Expr) -> Expr:
    return index if owner is None else op("+", op("*", owner, Const(each)), index)


# ---- What lies there, with what is being laid


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
    name = f"cells of {kind} on {grid.name}, laid"
    if name not in b.functions:
        given = b.local("way")
        covered: Expr = Const(0)
        for cell in part_cells(Load(given), b.components[kind].kind, grid):
            covered = op("union", covered, op("bit", cell))
        b.functions[name] = Function(name, (given,), grid.cells, (Return(covered),))
    return Invoke(name, (way,))


def filled(place: Where, b: Builder, env: Env) -> Expr:
    """The cells that are taken."""
    there: Expr = Load(b.fields[place.grid.name], place.owner)
    over = overlay_of(env)
    on = None if over is None else over.on(place)
    if over is None or on is None:
        return there
    return op("union", there, op("if", on, cells_of_way(over.way, over.kind, place.grid, b), Const(0)))


def cells_with(attribute: str, place: Where, value: Scalar, b: Builder, env: Env) -> Expr:
    """The cells that have a value (not none) of an attribute."""
    grid = place.grid
    low, high = values_of(attribute, grid, b)
    if (grid.name, attribute) in b.printed:
        if value.high < low or value.low > high:
            return Const(0)
        there: Expr = Load(b.fields[f"{attribute} on {grid.name}"], _value_element(place, value, low, high))
        if value.low < low or value.high > high:
            there = op("if", op("and", op("<=", Const(low), value.expr), op("<=", value.expr, Const(high))), there, Const(0))
    else:
        there = Invoke(_looked_for(attribute, grid, b), (*_whose(place), value.expr))
    over = overlay_of(env)
    on = None if over is None else over.on(place)
    if over is None or on is None:
        return there
    kind = b.components[over.kind].kind
    spot = part_cells(over.way, kind, grid)
    for index, part in enumerate(kind.parts):
        values = kind.on_part(attribute, part)
        if values is None:
            continue
        printed = Lookup(Constants(f"{attribute} of {kind.name} {part.name}".strip(), values), over.face)
        same = op("and", on, op("=", printed, value.expr))
        there = op("union", there, op("if", same, op("bit", spot[index]), Const(0)))
    return there


def _whose(place: Where) -> tuple[Expr, ...]:
    return () if place.owner is None else (place.owner,)


def _value_element(place: Where, value: Scalar, low: int, high: int) -> Expr:
    index = op("-", value.expr, Const(low)) if value.constant is None else Const(value.constant - low)
    return _element(place.owner, high - low + 1, index)


def cells_with_any(attribute: str, place: Where, b: Builder, env: Env) -> Expr:
    """The cells that have the attribute at all."""
    low, high = values_of(attribute, place.grid, b)
    found: Expr = Const(0)
    for value in range(low, high + 1):
        found = op("union", found, cells_with(attribute, place, Scalar(Const(value), value, value), b, env))
    return found


def attribute_at(node: model.AttributeOf, b: Builder, env: Env) -> Scalar:
    """An attribute of a cell; none where nothing lies that has it."""
    cell = numbers.scalar_of(node.of, b, env)
    place = where(node.of, b, env)
    grid, attribute = place.grid, node.attribute
    low, high = values_of(attribute, grid, b)
    given = b.local("cell")
    whose = (b.local("player"),) if grid.owned else ()
    here = Where(grid, Load(whose[0]) if whose else None)
    name = f"{attribute} at a cell of {grid.name}"
    if name not in b.functions:
        body: list[Stmt] = [If(op("<", Load(given), Const(0)), (Return(Const(NONE)),))]
        if (grid.name, attribute) in b.printed:
            for value in range(low, high + 1):
                there = cells_with(attribute, here, Scalar(Const(value), value, value), b, {})
                body.append(If(op("has", there, Load(given)), (Return(Const(value)),)))
        else:
            for kind, face, at, index in _lying(grid, here, attribute, b):
                values = b.components[kind].kind.on_part(attribute, b.components[kind].kind.parts[index])
                assert values is not None
                printed = Lookup(Constants(f"{attribute} of {kind}", values), Load(face))
                body += _each_lying(kind, face, here, [If(op("=", at, Load(given)), (Return(printed),))], b)
        b.functions[name] = Function(name, (*whose, given), 0, (*body, Return(Const(NONE))))
    found: Expr = Invoke(name, (*_whose(place), cell.expr))
    over = overlay_of(env)
    on = None if over is None else over.on(place)
    if over is not None and on is not None:
        kind_laid = b.components[over.kind].kind
        for part, at in zip(kind_laid.parts, part_cells(over.way, kind_laid, grid), strict=True):
            values = kind_laid.on_part(attribute, part)
            laid = Const(NONE) if values is None else Lookup(Constants(f"{attribute} of {over.kind}", values), over.face)
            found = op("if", op("and", on, op("=", at, cell.expr)), laid, found)
    return Scalar(found, NONE, high)


def _lying(grid: Grid, here: Where, attribute: str, b: Builder) -> Iterator[tuple[str, Local, Expr, int]]:
    """For each part that has an attribute: its kind, a local for its face, the cell where it lies, its index."""
    for kind, index, _ in _printed(attribute, grid, b):
        face = b.local(kind)
        if b.components[kind].distinct:
            yield kind, face, Load(cell_fields(kind, grid, b)[index], Load(face)), index
        else:
            faces = len(b.components[kind].starts)
            own = Load(cell_fields(kind, grid, b)[0], _element(here.owner, faces, Load(face)))
            yield kind, face, own, index


def _each_lying(kind: str, face: Local, here: Where, body: list[Stmt], b: Builder) -> list[Stmt]:
    """Do something for each component of a kind on a grid."""
    zone = zone_of(kind, here.grid, b)
    components = b.components[kind]
    rest = b.local("rest", components.bits)
    content = Load(b.fields[zone.name], here.owner)
    return for_members(rest, content, face, body, components.domain.copies, here.grid.span)


def _looked_for(attribute: str, grid: Grid, b: Builder) -> str:
    """The function that gives the cells with a value, component by component."""
    name = f"{attribute} on {grid.name} is"
    if name not in b.functions:
        value, found = b.local("value"), b.local("found", grid.cells)
        whose = (b.local("player"),) if grid.owned else ()
        here = Where(grid, Load(whose[0]) if whose else None)
        body: list[Stmt] = [Assign(found, Const(0))]
        for kind, face, at, index in _lying(grid, here, attribute, b):
            components = b.components[kind]
            values = components.kind.on_part(attribute, components.kind.parts[index])
            assert values is not None
            same = op("=", Lookup(Constants(f"{attribute} of {kind}", values), Load(face)), Load(value))
            more = op("bit", at) if components.distinct else at
            body += _each_lying(kind, face, here, [If(same, (Assign(found, op("union", Load(found), more)),))], b)
        b.functions[name] = Function(name, (*whose, value), grid.cells, (*body, Return(Load(found))))
    return name


def lying_on(node: model.LyingOn, b: Builder, env: Env) -> Scalar:
    """The component of a kind on a cell, or none."""
    cell = numbers.scalar_of(node.cell, b, env)
    place = where(node.cell, b, env)
    grid, kind = place.grid, node.type.of
    components = b.components[kind]
    name = f"{kind} at a cell of {grid.name}"
    if name not in b.functions:
        given, face = b.local("cell"), b.local(kind)
        whose = (b.local("player"),) if grid.owned else ()
        here = Where(grid, Load(whose[0]) if whose else None)
        found = (Return(Load(face)),)
        own = cell_fields(kind, grid, b)
        if components.distinct:
            tests: list[Stmt] = [If(op("=", Load(field, Load(face)), Load(given)), found) for field in own]
        else:
            at = Load(own[0], _element(here.owner, len(components.starts), Load(face)))
            tests = [If(op("has", at, Load(given)), found)]
        nothing = If(op("<", Load(given), Const(0)), (Return(Const(NONE)),))
        loop = _each_lying(kind, face, here, tests, b)
        b.functions[name] = Function(name, (*whose, given), 0, (nothing, *loop, Return(Const(NONE))))
    there: Expr = Invoke(name, (*_whose(place), cell.expr))
    over = overlay_of(env)
    on = None if over is None or over.kind != kind else over.on(place)
    if over is not None and on is not None:
        inside = op("has", cells_of_way(over.way, kind, grid, b), op("max", Const(0), cell.expr))
        there = op("if", op("and", on, op("and", op("<=", Const(0), cell.expr), inside)), over.face, there)
    return Scalar(there, NONE, len(components.starts) - 1)


def covered_by(node: model.CoveredBy, b: Builder, env: Env) -> Bits:
    """The cells that a component, or any of a set of them, covers."""
    grid = b.table.grids[node.type.of]
    kind = node.of.type.of
    components = b.components[kind]
    one = _covered_by_one(kind, grid, b)
    over = overlay_of(env)
    everything = cells.all_cells(grid)
    if not node.of.type.is_set:
        face = numbers.scalar_of(node.of, b, env).expr
        found: Expr = Invoke(one, (face,))
        if over is not None and over.kind == kind and over.grid == grid.name:
            found = op("if", op("=", face, over.face), cells_of_way(over.way, kind, grid, b), found)
        return Bits(found, everything, grid.cells)
    these = sets.bits_of_set(node.of, b, env).expr
    name = f"cells of {kind}s on {grid.name}"
    if name not in b.functions:
        given, rest = b.local(f"{kind}s", components.bits), b.local("rest", components.bits)
        each, covered = b.local(kind), b.local("covered", grid.cells)
        more: list[Stmt] = [Assign(covered, op("union", Load(covered), Invoke(one, (Load(each),))))]
        loop = for_members(rest, Load(given), each, more, components.domain.copies, grid.span)
        b.functions[name] = Function(name, (given,), grid.cells, (Assign(covered, Const(0)), *loop, Return(Load(covered))))
    found = Invoke(name, (these,))
    if over is not None and over.kind == kind and over.grid == grid.name and components.distinct:
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
    own = cell_fields(kind, grid, b)
    if components.distinct:
        lies = op("<", Load(own[0], Load(face)), Const(0))
        body.append(If(lies, (Return(Load(covered)),)))
        more: Expr = Const(0)
        for field in own:
            more = op("union", more, op("bit", Load(field, Load(face))))
        body.append(Return(more))
    else:
        faces = len(components.starts)
        for player in range(owners(grid, b)):
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
    thing = numbers.scalar_of(node.of, b, env)
    over = overlay_of(env)
    if components.distinct:
        found: Expr = Load(cell_fields(kind, grid, b)[0], thing.expr)
        if thing.low < 0:
            found = op("if", op("<", thing.expr, Const(0)), Const(NONE), found)
    else:
        found = op("first", Invoke(_covered_by_one(kind, grid, b), (thing.expr,)))
    if over is not None and over.kind == kind and over.grid == grid.name:
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
            found = filled(where(node, b, env), b, env)
        case model.CellsOf(empty=empty):
            found = op("minus", Const(everything), filled(where(node, b, env), b, env)) if empty else Const(everything)
        case model.NextTo(of=of):
            found = cells.next_to(sets.bits_of_set(of, b, env).expr, grid, b)
        case model.Shifted(of=of, columns=columns, rows=rows):
            given = sets.bits_of_set(of, b, env)
            staying = cells.moved(Const(given.bound), grid, columns, rows)
            assert isinstance(staying, Const)
            found = cells.shifted(given.expr, grid, columns, rows, b)
            return Bits(found, staying.value, min(given.most, staying.value.bit_count()))
        case model.CellsOfWay(way=way):
            kind = way.type.of.partition("/")[2]
            found = cells_of_way(numbers.scalar_of(way, b, env).expr, kind, grid, b)
            return Bits(found, everything, len(b.components[kind].kind.parts))
        case _:
            raise AssertionError(f"{type(node).__name__} is no set of cells")
    return Bits(found, everything, grid.cells)


def bounds(node: model.Bounds, b: Builder, env: Env) -> Scalar:
    given = sets.bits_of_set(node.of, b, env).expr
    grid = b.table.grids[node.of.type.of]
    match node.what:
        case "width":
            return Scalar(cells.width_of(given, grid, b), 1, grid.width)
        case "height":
            return Scalar(cells.height_of(given, grid, b), 1, grid.height)
        case "middle":
            return Scalar(cells.middle_of(given, grid, b), NONE, grid.cells - 1)


def touches(node: model.Touches, b: Builder, env: Env) -> Scalar:
    left, right = sets.bits_of_set(node.left, b, env).expr, sets.bits_of_set(node.right, b, env).expr
    return Scalar(cells.touch(left, right, b.table.grids[node.left.type.of], b), 0, 1)


def touches_same(node: model.TouchesSame, b: Builder, env: Env) -> Scalar:
    """Some part of a component lies next to a cell of another one with the same value."""
    kind = b.components[node.of.type.of].kind
    grid = next(g for g in b.table.grids.values() if kind.name in g.kinds)
    thing = model.CoveredBy(node.of, type=Type("cell", grid.name).set, span=node.span)
    place = where(thing, b, env)
    face = numbers.required(node.of, b, env).expr
    own = covered_by(thing, b, env).expr
    spot = _part_cells_of(face, kind, grid, b, env)
    found: Expr = Const(0)
    for index, part in enumerate(kind.parts):
        values = kind.on_part(node.attribute, part)
        if values is None:
            continue
        value = Lookup(Constants(f"{node.attribute} of {kind.name} {part.name}".strip(), values), face)
        same = op("minus", cells_with(node.attribute, place, Scalar(value, min(values), max(values)), b, env), own)
        touching = cells.touch(op("bit", spot[index]), same, grid, b)
        found = op("or", found, op("and", op("<=", Const(0), spot[index]), touching))
    return Scalar(found, 0, 1)


def _part_cells_of(face: Expr, kind: Kind, grid: Grid, b: Builder, env: Env) -> list[Expr]:
    """The cell of each part of a component (none when it lies nowhere); of equal components, of the first of them."""
    own = cell_fields(kind.name, grid, b)
    if b.components[kind.name].distinct:
        lying: list[Expr] = [Load(field, face) for field in own]
    else:
        lying = [op("first", Invoke(_covered_by_one(kind.name, grid, b), (face,)))]
    over = overlay_of(env)
    if over is None or over.kind != kind.name or over.grid != grid.name:
        return lying
    laid = part_cells(over.way, kind, grid)
    return [op("if", op("=", face, over.face), there, cell) for there, cell in zip(laid, lying, strict=True)]


def mask_by_attribute(condition: model.Compare, var: Var, b: Builder, env: Env) -> Expr | None:
    """The cells whose attribute is a value from elsewhere; None for any other condition."""
    for mine, theirs in ((condition.left, condition.right), (condition.right, condition.left)):
        match mine:
            case model.AttributeOf(attribute=attribute, of=model.VarValue(var=asked)) if (
                asked is var and var.type.base == "cell" and not defines.uses(theirs, var) and var in env
            ):
                place = where(mine.of, b, env)
                low, high = values_of(attribute, place.grid, b)
                everything = Const(cells.all_cells(place.grid))
                if condition.op == "=":
                    value = numbers.scalar_of(theirs, b, env)
                    if value.constant == NONE and theirs.type.optional:
                        return op("minus", everything, cells_with_any(attribute, place, b, env))
                    there = cells_with(attribute, place, value, b, env)
                    if value.low >= 0 or not theirs.type.optional:
                        return there
                    without = op("minus", everything, cells_with_any(attribute, place, b, env))
                    return op("if", op("=", value.expr, Const(NONE)), without, there)
                if isinstance(theirs, model.Const) and high - low < VALUES_LIMIT:
                    found: Expr = Const(0)
                    for value_here in range(low, high + 1):
                        ordered = (value_here, theirs.value) if mine is condition.left else (theirs.value, value_here)
                        if ordered[0] < ordered[1] or (condition.op == "<=" and ordered[0] == ordered[1]):
                            one = Scalar(Const(value_here), value_here, value_here)
                            found = op("union", found, cells_with(attribute, place, one, b, env))
                    return found
            case _:
                pass
    return None


def total(node: model.Total, b: Builder, env: Env) -> Scalar | None:
    """``total crowns of region``: the cells of each value are counted; None where it is not so simple."""
    match node.value:
        case model.AttributeOf(attribute=attribute, of=model.VarValue(var=var)) if var is node.var and var.type.base == "cell":
            place = where(node.of, b, env)
            low, high = values_of(attribute, place.grid, b)
            if high - low >= VALUES_LIMIT:
                return None
            whole = isinstance(node.of, model.ZoneContent)
            members = None if whole else sets.bits_of_set(node.of, b, env).expr
            found: Expr = Const(0)
            for value in range(low, high + 1):
                if value:
                    there = cells_with(attribute, place, Scalar(Const(value), value, value), b, env)
                    counted = op("count", there if members is None else op("intersect", members, there))
                    found = op("+", found, counted if value == 1 else op("*", Const(value), counted))
            return Scalar(found, min(0, low) * place.grid.cells, max(0, high) * place.grid.cells)
        case _:
            return None


# ---- Regions


def region_loop(
    of: ModelExpr, each: Var, body: Callable[[Env], list[Stmt]], b: Builder, env: Env, settled: bool = False
) -> list[Stmt]:
    """Do something for each region, with ``each`` bound to its cells. ``settled``: what is done may change the grid.

    Which cells hang together is settled when it begins, as two sets: the cells joined with the one to their right, and those
    joined with the one above. Each region is then filled once, from its lowest cell.
    """
    conditions: list[tuple[Var, ModelExpr]] = []
    while isinstance(of, model.Filter):
        conditions.append((of.var, of.condition))
        of = of.of
    assert isinstance(of, model.Regions)
    place = where(of.of, b, env)
    grid = place.grid
    head: list[Stmt] = []
    owner = place.owner
    if settled and owner is not None and not isinstance(owner, Const):
        local = b.local("whose")
        head.append(Assign(local, owner))
        owner = Load(local)
    rest, region = b.local("rest", grid.cells), b.local(each.name, grid.cells)
    east, north = b.local("joined east", grid.cells), b.local("joined north", grid.cells)
    having, joined = _links(of, Where(grid, owner), b, env)
    head += [Assign(local, value) for local, value in ((rest, having), (east, joined[0]), (north, joined[1]))]
    binding = Binding(Bits(Load(region), cells.all_cells(grid), grid.cells), (Spot(grid.name, owner),))
    inside = env | {each: binding}
    done = body(inside)
    for var, condition in conditions:
        done = [If(numbers.scalar_of(condition, b, inside | {var: binding}).expr, tuple(done))]
    start = op("bit", op("first", Load(rest)))
    filling: list[Stmt] = [
        Assign(region, cells.connected(start, Load(east), Load(north), grid, b)),
        Assign(rest, op("minus", Load(rest), Load(region))),
    ]
    return [*head, While(some(Load(rest)), (*filling, *done), of.span)]


def _links(of: model.Regions, place: Where, b: Builder, env: Env) -> tuple[Expr, tuple[Expr, Expr]]:
    """The cells that belong to regions, and those joined with the cell to their right, and with the cell above."""
    grid, attribute = place.grid, of.attribute
    within = None if isinstance(of.of, model.ZoneContent) else sets.bits_of_set(of.of, b, env).expr
    plain = overlay_of(env) is None
    name = f"{attribute} on {grid.name}"
    found = []
    for what, across, up in (("all with", 0, 0), ("joined east by", 1, 0), ("joined north by", 0, 1)):
        joined: Expr
        if not plain:
            joined = _joined(attribute, place, across, up, b, env)
        else:
            function = f"{what} {name}"
            if function not in b.functions:
                whose = (b.local("player"),) if grid.owned else ()
                here = Where(grid, Load(whose[0]) if whose else None)
                code = (Return(_joined(attribute, here, across, up, b, {})),)
                b.functions[function] = Function(function, whose, grid.cells, code)
            joined = Invoke(function, _whose(place))
        if within is not None:
            joined = op("intersect", joined, within)
            if across or up:
                joined = op("intersect", joined, cells.moved(within, grid, -across, -up))
        found.append(joined)
    return found[0], (found[1], found[2])


def _joined(attribute: str, place: Where, across: int, up: int, b: Builder, env: Env) -> Expr:
    """The cells with the same value as the cell so far from them."""
    low, high = values_of(attribute, place.grid, b)
    found: Expr = Const(0)
    for value in range(low, high + 1):
        these = cells_with(attribute, place, Scalar(Const(value), value, value), b, env)
        if across or up:
            these = op("intersect", these, cells.moved(these, place.grid, -across, -up))
        found = op("union", found, these)
    return found


def is_region(node: ModelExpr) -> bool:
    return node.type.base == "region"
