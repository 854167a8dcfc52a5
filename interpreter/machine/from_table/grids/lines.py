"""Lines, paths and the cells that they enclose, found by moving whole sets of cells in all directions at once.

A run of cells is found by doubling: a cell whose neighbour to the right is in the set too begins a run of two; if the next cell
but one begins such a run too, it begins a run of four. So a line of N takes as many steps as N has binary digits, and so does
filling a line from its end (the fill of Kogge and Stone, well known from chess programs).

A step along a line must not come out in another row: `cells.moved` sees to it. On the line through one cell it need not, since no
other row has a cell of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

from ....model import model
from ....model.directions import DIRECTION, vector
from ....model.model import Expr as ModelExpr
from ....model.model import Var
from ....table.table import Grid
from ...machine import NONE, Assign, Const, Constants, Expr, Function, If, Invoke, Load, Local, Lookup, Return, Stmt, While
from ..building.builder import Builder
from ..building.defines import at
from ..building.lowering import bits_of_set, required, scalar_of
from ..building.values import Bits, Env, Scalar, is_empty, op, some
from ..components import cells


def place_of_cell(what: str, cell: int, grid: Grid) -> int:
    """In which row or column a cell lies, from 1."""
    column, row = grid.place(cell)
    return 1 + (row if what == "row" else column)


def cell_place(node: model.CellPlace, b: Builder, env: Env) -> Scalar:
    """In which row or column a cell lies; of none, none."""
    grid = b.table.grids[node.of.type.of]
    cell = scalar_of(node.of, b, env)
    values = tuple(place_of_cell(node.what, number, grid) for number in range(grid.cells))
    size = f"{grid.width} x {grid.height}" if grid.board is None else grid.name
    table = Constants(f"{node.what}, {size}", values)
    if cell.low >= 0:
        return Scalar(Lookup(table, cell.expr), 1, max(values))
    table = Constants(f"{node.what} or none, {size}", (-1, *values))
    return Scalar(Lookup(table, op("+", cell.expr, Const(1))), -1, max(values))


# ---- Directions

Step = tuple[int, int]  # so many columns to the right and rows up


def steps(node: model.Shifted, grid: Grid, b: Builder) -> dict[int, tuple[int, int]]:
    """How far cells are shifted, across and up, for each seat (all alike: one entry, for seat 0).

    The seats look at the grid from sides that lie a full turn, divided by their number, apart.
    """
    return {0: (node.columns, node.rows)} if node.player is None else by_seats(node, grid.hexagonal, b)


def by_seats(node: model.Shifted | model.Facing, hexagonal: bool, b: Builder) -> dict[int, Step]:
    """How far a direction leads, as each seat sees the grid."""
    if b.players not in (1, 2, 4) or (b.players == 4 and hexagonal):
        sort = "hexagons" if hexagonal else "squares"
        b.complain(
            "R254",
            f"{b.players} players do not sit evenly around a grid of {sort}",
            node.span,
            help="say for each player which direction it is, in a `define` with cases",
        )
        return {0: (node.columns, node.rows)}
    found = {}
    for seat in range(b.players):
        across, up = node.columns, node.rows
        for _ in range(seat * 4 // b.players):
            across, up = up, -across
        found[seat] = across, up
    return found


def facing(node: model.Facing, b: Builder, env: Env) -> Scalar:
    """A direction as a player sees the grid."""
    words = b.table.lists[DIRECTION]
    hexagonal = "north" not in words
    vectors = [vector(word, hexagonal) for word in words]
    seen = by_seats(node, hexagonal, b)
    values = tuple(vectors.index(seen.get(seat, seen[0])) for seat in range(b.players))
    player = required(node.player, b, env)
    return Scalar(Lookup(Constants(f"{words[values[0]]} for player", values), player.expr), min(values), max(values))


def in_direction(node: model.Shifted, grid: Grid, b: Builder, env: Env) -> Bits:
    """Cells shifted in a direction that only the game knows; of a set of directions, in each of them."""
    assert node.way is not None
    given = bits_of_set(node.of, b, env)
    vectors = [vector(word, grid.hexagonal) for word in b.table.lists[DIRECTION]]
    if node.way.type.is_set:
        ways = bits_of_set(node.way, b, env)
        possible, chosen = ways.bound, ways.expr
    else:
        way = required(node.way, b, env)
        possible, chosen = sum(1 << each for each in range(max(0, way.low), way.high + 1)), way.expr
    steps = {each: step for each, step in enumerate(vectors) if step is not None and possible >> each & 1}
    bound = 0
    for step in steps.values():
        staying = cells.moved(Const(given.bound), grid, *step)
        assert isinstance(staying, Const)
        bound |= staying.value
    most = min(bound.bit_count(), given.most * (len(steps) if node.way.type.is_set else 1))
    if isinstance(chosen, Const):
        found: Expr = Const(0)
        for step in steps.values():
            found = op("union", found, cells.shifted(given.expr, grid, *step, b))
        return Bits(found, bound, most)
    many = node.way.type.is_set
    name = f"shifted in {'some directions' if many else 'a direction'}, {grid.name}, {possible}"
    if name not in b.functions:
        these, asked = b.local("cells", grid.cells), b.local("ways", len(vectors) if many else 0)
        sum_of = b.local("there", grid.cells)
        body: list[Stmt] = [Assign(sum_of, Const(0))]
        for each, step in steps.items():
            there = cells.moved(Load(these), grid, *step)
            if many:
                more = Assign(sum_of, op("union", Load(sum_of), there))
                body.append(If(op("has", Load(asked), Const(each)), (more,)))
            else:
                body.append(If(op("=", Load(asked), Const(each)), (Return(there),)))
        b.functions[name] = Function(name, (these, asked), grid.cells, (*body, Return(Load(sum_of))))
    return Bits(Invoke(name, (given.expr, chosen)), bound, most)


def next_cell(node: model.Shifted, b: Builder, env: Env) -> Scalar:
    """The cell to which one cell is shifted, or none: looked up."""
    grid = b.table.grids[node.type.of]
    of = node.of
    if isinstance(of, model.Shifted):
        cell = next_cell(of, b, env)
    else:
        assert isinstance(of, model.SetOf)
        cell = scalar_of(of.members[0], b, env)
    if node.way is None:
        by_seat = [(step, None if node.player is None else seat) for seat, step in steps(node, grid, b).items()]
        rows = [[_target(number, step, grid) for number in range(NONE, grid.cells)] for step, _ in by_seat]
        which = Const(0) if node.player is None or len(rows) == 1 else required(node.player, b, env).expr
        said = f"{node.columns} {node.rows}{' for player' if node.player is not None else ''}"
    else:
        vectors = [vector(word, grid.hexagonal) for word in b.table.lists[DIRECTION]]
        rows = [[_target(number, step, grid) for number in range(NONE, grid.cells)] for step in vectors]
        which = required(node.way, b, env).expr
        said = "in a direction"
    if isinstance(which, Const):
        rows, said, which = [rows[which.value]], f"{said} {which.value}" if len(rows) > 1 else said, Const(0)
    values = tuple(cell for row in rows for cell in row)
    if set(values) == {NONE}:
        return Scalar(Const(NONE), NONE, NONE)
    table = Constants(f"the cell next to a cell {said}, {grid.name}", values)
    row = op("*", which, Const(grid.cells + 1))
    index = op("+", op("+", row, cell.expr) if which != Const(0) else cell.expr, Const(1))
    return Scalar(Lookup(table, index), NONE, max(values))


def path_of(node: ModelExpr, start: Var, grid: Grid, b: Builder) -> list[Step] | None:
    """The steps from a cell to what it is shifted to; None where they depend on the game, or begin elsewhere."""
    match node:
        case model.SetOf(members=(model.VarValue(var=var),)):
            return [] if var is start else None
        case model.Shifted(of=of):
            before, step = path_of(of, start, grid, b), step_of(node, grid, b)
            return None if before is None or step is None else [*before, step]
        case _:
            return None


def step_of(node: model.Shifted, grid: Grid, b: Builder) -> Step | None:
    """How far cells are shifted, where that is known before the game."""
    match node:
        case model.Shifted(way=None, player=None):
            return node.columns, node.rows
        case model.Shifted(way=model.Const(value=way)):
            return vector(b.table.lists[DIRECTION][way], grid.hexagonal)
        case _:
            return None


def possible_ways(node: ModelExpr, b: Builder) -> int:
    """The directions that an expression, or a set of them, can be: a set that holds all of them."""
    words = b.table.lists[DIRECTION]

    def any_of(nodes: Iterable[ModelExpr]) -> int:
        return reduce(or_, (possible_ways(each, b) for each in nodes), 0)

    match node:
        case model.Const(value=value, type=type):
            return value if type.is_set else 1 << max(0, value)
        case model.SetOf(members=members):
            return any_of(members)
        case model.Join(left=left, right=right):
            return any_of((left, right))
        case model.Cases(cases=cases, otherwise=otherwise):
            return any_of((otherwise, *(value for _, value in cases)))
        case model.Filter(of=of) | model.Without(left=of):
            return possible_ways(of, b)
        case model.Apply(define=define, args=args):
            return possible_ways(at(b.table.defines[define], args), b)
        case model.Facing():
            vectors = [vector(word, "north" not in words) for word in words]
            return sum(1 << vectors.index(step) for step in {*by_seats(node, "north" not in words, b).values()})
        case _:
            return (1 << len(words)) - 1


def _target(cell: int, step: Step | None, grid: Grid) -> int:
    """The cell to which a cell is shifted; none where there is none."""
    there = Const(0) if step is None or cell < 0 else cells.moved(Const(1 << cell), grid, *step)
    return there.value.bit_length() - 1 if isinstance(there, Const) else NONE


def around(grid: Grid) -> list[tuple[int, int]]:
    """The steps to all cells that share a side."""
    return [(way * across, way * up) for across, up in grid.axes for way in (1, -1)]


def by_seat(node: model.Shifted, seat: int, here: Expr, others: Expr, b: Builder, env: Env) -> Expr:
    """What it is for a seat, and else for the others."""
    assert node.player is not None
    return op("if", op("=", required(node.player, b, env).expr, Const(seat)), here, others)


# ---- Lines of some length


def has_line(node: model.HasLine, b: Builder, env: Env) -> Scalar:
    """Whether so many cells lie side by side."""
    grid = b.table.grids[node.of.type.of]
    these = bits_of_set(node.of, b, env)
    assert isinstance(node.length, model.Const)
    length = node.length.value
    if length < 1:
        b.complain("R215", f"a line of {length} has no cells", node.length.span)
        return Scalar(Const(0), 0, 0)
    if not any(length <= grid.room(*axis) for axis in grid.lines):
        size = f"`{grid.name}` is {grid.width} x {grid.height}"
        help = "make the grid larger, or the line shorter"
        if grid.board is not None:
            size, help = f"the longest line of `{grid.name}` has {grid.board.longest()} points", "make the line shorter"
        b.complain("R248", f"{size}: no line of {length} fits on it", node.span, help=help)
        return Scalar(Const(0), 0, 0)
    if node.through is None:
        return Scalar(Invoke(_line_anywhere(length, grid, b), (these.expr,)), 0, 1)
    cell = required(node.through, b, env).expr
    return Scalar(Invoke(_line_through(length, grid, b), (these.expr, cell)), 0, 1)


def _line_anywhere(length: int, grid: Grid, b: Builder) -> str:
    name = f"line of {length}, {grid.name}"
    if name not in b.functions:
        given, run = b.local("cells", grid.cells), b.local("run", grid.cells)
        body: list[Stmt] = []
        for across, up in _axes(length, grid):
            body.append(Assign(run, Load(given)))
            for by in cells.doubling(length):
                body.append(Assign(run, op("intersect", Load(run), cells.moved(Load(run), grid, -by * across, -by * up))))
            body.append(If(some(Load(run)), (Return(Const(1)),)))
        b.functions[name] = Function(name, (given,), 0, (*body, Return(Const(0))))
    return name


def _line_through(length: int, grid: Grid, b: Builder) -> str:
    """A line of so many among the nearest cells on the axes of a cell goes through it: without it, they are too few."""
    name = f"line of {length} through a cell, {grid.name}"
    if name not in b.functions:
        given, cell, run = b.local("cells", grid.cells), b.local("cell"), b.local("run", grid.cells)
        body: list[Stmt] = []
        for across, up in _axes(length, grid):
            near = Lookup(_near_on_axis(length, across, up, grid), Load(cell))
            body.append(Assign(run, op("intersect", Load(given), near)))
            if grid.board is not None:
                body += _in_line(length, run, near, (across, up), grid)
                continue
            step = up * grid.width + across
            for by in cells.doubling(length):
                body.append(Assign(run, op("intersect", Load(run), op("right", Load(run), Const(by * step)))))
            body.append(If(some(Load(run)), (Return(Const(1)),)))
        b.functions[name] = Function(name, (given, cell), 0, (*body, Return(Const(0))))
    return name


def _in_line(length: int, run: Local, near: Expr, axis: Step, grid: Grid) -> list[Stmt]:
    """Whether some points near one on an axis are so many side by side; where no line is longer, they are the whole line."""
    if grid.room(*axis) == length:
        return [If(op("and", some(near), op("=", Load(run), near)), (Return(Const(1)),))]
    body: list[Stmt] = []
    for by in cells.doubling(length):
        body.append(Assign(run, op("intersect", Load(run), cells.moved(Load(run), grid, -by * axis[0], -by * axis[1]))))
    return [*body, If(some(Load(run)), (Return(Const(1)),))]


def _axes(length: int, grid: Grid) -> list[tuple[int, int]]:
    """Those along which there is room for so many."""
    return [axis for axis in grid.lines if length <= grid.room(*axis)]


def _near_on_axis(length: int, across: int, up: int, grid: Grid) -> Constants:
    """For each cell, those that can be in a line of so many with it, along one axis."""
    found = []
    for number in range(grid.cells):
        near = 0
        for by in range(1 - length, length):
            there = cells.moved(Const(1 << number), grid, by * across, by * up) if by else Const(1 << number)
            assert isinstance(there, Const)
            near |= there.value
        found.append(near if near.bit_count() >= length or grid.board is None else 0)
    axis = cells.AXES.get((across, up), f"line {up}")
    return Constants(f"within {length} of a cell, {axis}, {grid.name}", tuple(found), grid.cells)


def longest_line(node: model.LongestLine, b: Builder, env: Env) -> Scalar:
    """How many cells lie side by side, at most."""
    grid = b.table.grids[node.of.type.of]
    these = bits_of_set(node.of, b, env).expr
    cell = None if node.through is None else required(node.through, b, env).expr
    asked: Expr | None = None
    if node.along is not None:
        asked = bits_of_set(node.along, b, env).expr if node.along.type.is_set else op("bit", required(node.along, b, env).expr)
    axes = [(axis, 0 if asked is None else _ways_along(axis, grid, b)) for axis in grid.lines]
    fixed = asked.value if isinstance(asked, Const) else None
    if fixed is not None:
        axes = [(axis, 0) for axis, ways in axes if ways & fixed]
    named = "" if asked is None else " along directions" if fixed is None else f" along directions {fixed}"
    name = f"longest line{'' if cell is None else ' through a cell'}{named}, {grid.name}"
    if name not in b.functions:
        given, ways = b.local("cells", grid.cells), b.local("ways", len(b.table.lists[DIRECTION]) if asked is not None else 0)
        start, run, best, count = b.local("cell"), b.local("run", grid.cells), b.local("best"), b.local("length")
        first = b.local("first", grid.cells)
        body: list[Stmt] = [Assign(best, Const(0))]
        if cell is not None:
            body.append(If(op("not", op("has", Load(given), Load(start))), (Return(Const(0)),)))
            body.append(Assign(first, op("bit", Load(start))))
        for (across, up), both_ways in axes:
            code: list[Stmt] = []
            if cell is None:
                longer = op("intersect", Load(run), cells.moved(Load(run), grid, across, up))
                one_more = (Assign(count, op("+", Load(count), Const(1))), Assign(run, longer))
                code += [Assign(count, Const(0)), Assign(run, Load(given))]
                code.append(While(some(Load(run)), one_more, node.span, grid.cells))
            else:
                code.append(Assign(count, Const(1)))
                for way in (1, -1):
                    code += _filled(run, Load(first), given, way * across, way * up, grid, b)
                    code.append(Assign(count, op("+", Load(count), op("count", Load(run)))))
            code.append(Assign(best, op("max", Load(best), Load(count))))
            body += [If(some(op("intersect", Load(ways), Const(both_ways))), tuple(code))] if both_ways else code
        parameters = (given, *(() if cell is None else (start,)), *(() if asked is None or fixed is not None else (ways,)))
        b.functions[name] = Function(name, parameters, 0, (*body, Return(Load(best))))
    arguments = (these, *(() if cell is None else (cell,)), *(() if asked is None or fixed is not None else (asked,)))
    return Scalar(Invoke(name, arguments), 0, max(grid.room(*axis) for axis in grid.lines) if grid.lines else 1)


def _ways_along(axis: Step, grid: Grid, b: Builder) -> int:
    """The two directions along a line, as a set."""
    vectors = [vector(word, grid.hexagonal) for word in b.table.lists[DIRECTION]]
    return sum(1 << way for way, step in enumerate(vectors) if step in (axis, (-axis[0], -axis[1])))


# ---- Paths


def has_path(node: model.HasPath, b: Builder, env: Env) -> Scalar:
    """Whether cells hang together from side to side: by a flood from the first side."""
    grid = b.table.grids[node.of.type.of]
    given = [bits_of_set(part, b, env).expr for part in (node.of, node.start, node.end)]
    name = f"path, {grid.name}"
    if name not in b.functions:
        within, start, end = (b.local(word, grid.cells) for word in ("cells", "start", "end"))
        reached = b.local("reached", grid.cells)
        arrived = op("intersect", Load(reached), Load(end))
        body = (*_flood(reached, start, within, is_empty(arrived), grid, b), Return(some(arrived)))
        b.functions[name] = Function(name, (within, start, end), 0, body)
    return Scalar(Invoke(name, tuple(given)), 0, 1)


def cells_with_paths(of: model.Expr, end: model.Expr, b: Builder, env: Env) -> Bits:
    """The cells of a set that hang together with one of ``end`` by cells of that set: by one flood from there."""
    grid = b.table.grids[of.type.of]
    given = [bits_of_set(part, b, env).expr for part in (of, end)]
    name = f"cells with a path, {grid.name}"
    if name not in b.functions:
        within, closing, reached = (b.local(word, grid.cells) for word in ("cells", "end", "reached"))
        left = op("not", op("=", Load(reached), Load(within)))
        body = (*_flood(reached, closing, within, left, grid, b), Return(Load(reached)))
        b.functions[name] = Function(name, (within, closing), grid.cells, body)
    return Bits(Invoke(name, tuple(given)), cells.all_cells(grid), grid.cells)


def _flood(reached: Local, start: Local, within: Local, goes_on: Expr, grid: Grid, b: Builder) -> tuple[Stmt, ...]:
    """Put into ``reached`` all cells of ``within`` that hang together with those of ``start`` there, while a condition holds."""
    before = b.local("before", grid.cells)
    grow: list[Stmt] = [Assign(before, Load(reached))]
    if grid.board is not None:
        beside = op("intersect", cells.beside(Load(reached), grid), Load(within))
        grow.append(Assign(reached, op("union", Load(reached), beside)))
    for across, up in grid.axes if grid.board is None else ():
        around = op("union", *(cells.moved(Load(reached), grid, way * across, way * up) for way in (1, -1)))
        grow.append(Assign(reached, op("union", Load(reached), op("intersect", around, Load(within)))))
    grew = op("not", op("=", Load(reached), Load(before)))
    return (
        Assign(before, Const(0)),
        Assign(reached, op("intersect", Load(start), Load(within))),
        While(op("and", grew, goes_on), tuple(grow), grid.span, grid.cells),
    )


# ---- What lies between


def lines_from(node: model.LinesFrom, grid: Grid, b: Builder, env: Env) -> Expr:
    """The cells between a cell and the nearest one of another set, in each direction in which all between belong to a set."""
    cell = required(node.start, b, env).expr
    between, end = (bits_of_set(part, b, env).expr for part in (node.through, node.end))
    name = f"lines from a cell, {grid.name}"
    if name not in b.functions:
        start, within, closing = b.local("cell"), b.local("between", grid.cells), b.local("end", grid.cells)
        run, found = b.local("run", grid.cells), b.local("found", grid.cells)
        first = b.local("first", grid.cells)
        body: list[Stmt] = [Assign(found, Const(0)), Assign(first, op("bit", Load(start)))]
        for across, up in _directions(grid):
            body += _filled(run, Load(first), within, across, up, grid, b)
            ended = some(op("intersect", cells.moved(Load(run), grid, across, up), Load(closing)))
            body.append(Assign(found, op("union", Load(found), op("if", ended, Load(run), Const(0)))))
        b.functions[name] = Function(name, (start, within, closing), grid.cells, (*body, Return(Load(found))))
    return Invoke(name, (cell, between, end))


def cells_with_lines(node: model.LinesFrom, b: Builder, env: Env) -> Bits:
    """The cells from which there are such lines, whatever ``node.start`` is: each is found from the end of a line."""
    grid = b.table.grids[node.type.of]
    between, end = (bits_of_set(part, b, env).expr for part in (node.through, node.end))
    name = f"cells with lines, {grid.name}"
    if name not in b.functions:
        within, closing = b.local("between", grid.cells), b.local("end", grid.cells)
        run, found = b.local("run", grid.cells), b.local("found", grid.cells)
        body: list[Stmt] = [Assign(found, Const(0))]
        for across, up in _directions(grid):
            body += _filled(run, Load(closing), within, across, up, grid, b)
            body.append(Assign(found, op("union", Load(found), cells.moved(Load(run), grid, across, up))))
        b.functions[name] = Function(name, (within, closing), grid.cells, (*body, Return(Load(found))))
    everything = cells.all_cells(grid)
    return Bits(Invoke(name, (between, end)), everything, grid.cells)


def _directions(grid: Grid) -> list[tuple[int, int]]:
    return [(way * across, way * up) for across, up in grid.lines for way in (1, -1)]


def _filled(run: Local, start: Expr, within: Local, across: int, up: int, grid: Grid, b: Builder) -> list[Stmt]:
    """Put the cells of ``within`` into ``run`` that follow, one after the other, behind those of ``start`` in a direction."""
    free = b.local("free", grid.cells)
    longest = max(grid.width if across else 1, grid.height if up else 1) - 1
    if grid.board is not None:
        longest = max(grid.room(across, up), grid.room(-across, -up)) - 1
    code: list[Stmt] = [
        Assign(free, Load(within)),
        Assign(run, op("intersect", cells.moved(start, grid, across, up), Load(within))),
    ]
    covered = 1
    while covered < longest:
        by = (covered * across, covered * up)
        code.append(Assign(run, op("union", Load(run), op("intersect", Load(free), cells.moved(Load(run), grid, *by)))))
        covered *= 2
        if covered < longest:
            code.append(Assign(free, op("intersect", Load(free), cells.moved(Load(free), grid, *by))))
    return code
