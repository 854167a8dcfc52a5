"""Lowers steps of pieces: an option that takes a cell, and another one near it, has a number for each step.

``move a cell from board with owner player to a cell target from cells next to cell``: the place of the second cell depends on the
first one, so a step is a direction and a cell, ``direction * cells + cell``, and not one of all pairs of cells. Steps that leave
the grid have numbers too, so that the numbers are dense; they are never candidates.

The legal steps are found for each direction as a set of first cells, by set algebra: a condition on the first cell is a set of
cells, a condition on the second one such a set moved back by the step, and how the two lie to one another is known::

    owner of cell is player                    the player's cells
    target in empty cells of board             the empty cells, moved one down (where the step goes up)
    column of target is not column of cell     every cell or none

``jump a cell from board with owner player and a direction way from diagonals`` is such an option too: there a step is the cell
and the direction that are named, and each condition is asked with that direction as a constant.

The sets of the directions are put side by side. Where a direction depends on who steps, there is code for each seat. Any other
condition is tested for each step that is left.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial, reduce

from attrs import frozen

from ....model import model
from ....model.directions import DIRECTION, vector
from ....model.model import Expr as ModelExpr
from ....model.model import Type, Var
from ....model.visitor import substituted, walk
from ....table.table import Grid
from ....words.words import ENGLISH
from ...machine import Assign, Const, Constants, Domain, Expr, If, Load, Local, Lookup, Return, Stmt
from ..building import defines
from ..building.builder import Builder
from ..building.lowering import bits_of_set, required, scalar_of
from ..building.values import Binding, Bits, Env, Scalar, op
from ..components import cells
from ..components.copies import for_members
from ..expressions import filters
from ..grids import lines

Step = tuple[int, int]  # so many columns to the right and rows up


@frozen
class Stepping:
    """An option that steps from ``come``, one of ``start``, to ``go``, one of ``reach``. ``steps``: by their numbers.

    ``ways``: where ``go`` is a direction and no cell, the direction of each step.
    """

    grid: Grid
    come: Var
    start: ModelExpr
    go: Var
    reach: ModelExpr
    steps: tuple[Step, ...]
    ways: tuple[int, ...] = ()

    @property
    def options(self) -> int:
        return len(self.steps or self.ways) * self.grid.cells


def of_option(option: model.Option, b: Builder) -> Stepping | None:
    """How an option steps; None where it does something else."""
    if len(option.arguments) != 2:
        return None
    (come, start), (go, reach) = ((argument.var, argument.source) for argument in option.arguments)
    if reach is None and go.type == Type("word", DIRECTION):
        reach = model.Const((1 << len(b.table.lists[DIRECTION])) - 1, type=go.type.set, span=option.span)
    if not isinstance(start, model.Typed) or not isinstance(reach, model.Typed):
        return None
    if come.type.base != "cell":
        return None
    grid = b.table.grids[come.type.of]
    if go.type == Type("word", DIRECTION):
        possible, words = lines.possible_ways(reach, b), b.table.lists[DIRECTION]
        ways = tuple(way for way in range(len(words)) if possible >> way & 1 and vector(words[way], grid.hexagonal))
        return Stepping(grid, come, start, go, reach, (), ways) if ways else None
    if come.type != go.type or not defines.uses(reach, come):
        return None
    found = _steps_of(reach, come, grid, b)
    if len(_looking(reach, b)) > 1:
        return None
    return None if not found else Stepping(grid, come, start, go, reach, tuple(dict.fromkeys(found)))


def _steps_of(node: ModelExpr, come: Var, grid: Grid, b: Builder) -> list[Step] | None:
    """The ways from ``come`` to what can be in a set of cells; None where that is not said by how they lie."""
    match node:
        case model.SetOf(members=(model.VarValue(var=var),)) if var is come:
            return [(0, 0)]
        case model.SetOf(members=members) if members:
            return _together(members, come, grid, b)
        case model.AnyOf(of=model.Shifted() as shifted) if shifted.is_of_one_cell:
            return _steps_of(shifted, come, grid, b)
        case model.Shifted(of=of):
            before = _steps_of(of, come, grid, b)
            moved = _ways_of(node, grid, b).values() if node.way is not None else lines.steps(node, grid, b).values()
            if grid.board is not None and before != [(0, 0)]:
                return None  # two steps on lines of a board are not one step
            return None if before is None else [(x + across, y + up) for across, up in moved for x, y in before]
        case model.NextTo(of=of) if _steps_of(of, come, grid, b) == [(0, 0)]:
            return lines.around(grid)
        case model.Join(left=left, right=right):
            return _together((left, right), come, grid, b)
        case model.Cases(cases=cases, otherwise=otherwise) if not any(defines.uses(test, come) for test, _ in cases):
            return _together((*(value for _, value in cases), otherwise), come, grid, b)
        case model.Apply(define=define, args=args):
            return _steps_of(defines.at(b.table.defines[define], args), come, grid, b)
        case _:
            return None


def _ways_of(node: model.Shifted, grid: Grid, b: Builder) -> dict[int, Step]:
    """The directions in which cells may be shifted, with how far each leads."""
    assert node.way is not None
    possible = lines.possible_ways(node.way, b)
    vectors = {way: vector(word, grid.hexagonal) for way, word in enumerate(b.table.lists[DIRECTION])}
    return {way: step for way, step in vectors.items() if step is not None and possible >> way & 1}


def _together(nodes: Iterable[ModelExpr], come: Var, grid: Grid, b: Builder) -> list[Step] | None:
    found: list[Step] = []
    for node in nodes:
        more = _steps_of(node, come, grid, b)
        if more is None:
            return None
        found += more
    return found


def domain(stepping: Stepping, b: Builder) -> Domain:
    """The steps by name: ``b2 b3``; of one that leaves the grid, what tells it from the others."""
    grid = stepping.grid
    words = [b.table.lists[DIRECTION][way] for way in stepping.ways]
    names = [f"{grid.cell_name(cell)} {word}" for word in words for cell in range(grid.cells)]
    for number, step in enumerate(stepping.steps):
        for cell in range(grid.cells):
            target = _target(cell, step, grid)
            name = grid.cell_name(cell)
            names.append(f"{name} and outside, {number}" if target is None else f"{name} {grid.cell_name(target)}")
    found = Domain(tuple(names), sort="step", of=grid.name)
    return found if b.words is ENGLISH else b.in_words(found, [_said(name, set(words), b) for name in names])


def _said(name: str, ways: set[str], b: Builder) -> str:
    """The name of a step in the language in which the machine speaks: ``b2``, and the direction or the cell where it ends."""
    cell, _, to = name.partition(" ")
    return f"{cell} {b.word(DIRECTION, to)}" if to in ways else name


def _target(cell: int, step: Step, grid: Grid) -> int | None:
    there = cells.moved(Const(1 << cell), grid, *step)
    return there.value.bit_length() - 1 if isinstance(there, Const) and there.value else None


def cells_of(step: Expr, stepping: Stepping) -> tuple[Scalar, Scalar]:
    """The first and the second cell of a step that does not leave the grid; or the cell and its direction."""
    grid = stepping.grid
    first = op("mod", step, Const(grid.cells))
    if stepping.ways:
        way = Lookup(Constants(f"directions on {grid.name}", stepping.ways), op("div", step, Const(grid.cells)))
        return Scalar(first, 0, grid.cells - 1), Scalar(way, min(stepping.ways), max(stepping.ways))
    if grid.board is not None:
        every = tuple(max(0, grid.board.target(cell, *way)) for way in stepping.steps for cell in range(grid.cells))
        second: Expr = Lookup(Constants(f"steps on {grid.name}", every), step)
        return Scalar(first, 0, grid.cells - 1), Scalar(second, 0, grid.cells - 1)
    distances = Constants(f"steps on {grid.name}", tuple(up * grid.width + across for across, up in stepping.steps))
    second = op("+", first, Lookup(distances, op("div", step, Const(grid.cells))))
    return Scalar(first, 0, grid.cells - 1), Scalar(second, 0, grid.cells - 1)


# ---- Which are legal


def positions(option: model.Option, stepping: Stepping, b: Builder, env: Env) -> tuple[Bits, Bits]:
    """The steps that are candidates, and those that are legal."""
    tests = [defines.written_out(condition.test, b) for condition in option.conditions]
    everything = (1 << stepping.options) - 1
    around = {v: x for v, x in env.items() if v not in (stepping.come, stepping.go)}
    left_over: list[ModelExpr] = []

    def found(name: str, asked: list[ModelExpr]) -> Bits:
        def build(inside: Env) -> list[Stmt]:
            by_sets = _asked(stepping, None, b, inside)
            numbers = range(len(stepping.steps or stepping.ways))
            left_over.extend(test for test in asked if any(by_sets.of_step(test, number) is None for number in numbers))
            return _code(stepping, [test for test in asked if test not in left_over], left_over, b, inside)

        call = b.function(name, (stepping.start, stepping.reach, *asked), around, stepping.options, build)
        b.scalar_loops += [(call.function, f"{test.span.place}: {test.span.text}") for test in left_over]
        return Bits(call, everything, stepping.options)

    return found("steps", []), found(f"steps to {option.verb}", tests)


def _code(stepping: Stepping, tests: list[ModelExpr], loops: list[ModelExpr], b: Builder, env: Env) -> list[Stmt]:
    """The body of the function that gives the steps that fit ``tests``, of which sets can be made, and ``loops``, of which not;
    where a direction depends on a player, seat by seat."""
    looking = _looking(stepping.reach, b)
    if not looking:
        return _for_seat(stepping, tests, loops, None, b, env)
    code: list[Stmt] = []
    player = required(looking[0], b, env).expr
    for seat in range(b.players - 1):
        code.append(If(op("=", player, Const(seat)), tuple(_for_seat(stepping, tests, loops, seat, b, env))))
    return code + _for_seat(stepping, tests, loops, b.players - 1, b, env)


def _looking(reach: ModelExpr, b: Builder) -> list[ModelExpr]:
    """The players as whom directions are seen."""
    shifts = (node for node in walk(defines.written_out(reach, b)) if isinstance(node, model.Shifted))
    return list(dict.fromkeys(node.player for node in shifts if node.player is not None))


def _for_seat(
    stepping: Stepping, tests: list[ModelExpr], loops: list[ModelExpr], seat: int | None, b: Builder, env: Env
) -> list[Stmt]:
    grid = stepping.grid
    start, legal = b.local(stepping.come.name, grid.cells), b.local("legal", stepping.options)
    asked = _asked(stepping, seat, b, env)
    code: list[Stmt] = [Assign(start, bits_of_set(stepping.start, b, env).expr), Assign(legal, Const(0))]
    gap = 0  # directions since the last one that was put there
    for number in reversed(range(len(stepping.steps or stepping.ways))):
        gap += 1
        these = asked.start_of(number)
        if these == Const(0):
            continue
        these = op("intersect", Load(start), these)
        for test in tests:
            these = op("intersect", these, asked.of_step(test, number) or Const(0))
        before = op("left", Load(legal), Const(grid.cells * gap)) if len(code) > 2 else Const(0)
        code.append(Assign(legal, op("union", before, these)))
        gap = 0
    if gap:
        code.append(Assign(legal, op("left", Load(legal), Const(grid.cells * gap))))
    return code + (_one_by_one(stepping, loops, legal, b, env) if loops else [Return(Load(legal))])


def _one_by_one(stepping: Stepping, tests: list[ModelExpr], legal: Local, b: Builder, env: Env) -> list[Stmt]:
    """Ask each step that is left."""
    width = stepping.options
    rest, step, kept = b.local("rest", width), b.local("step"), b.local("kept", width)
    inside = env | bound(stepping, Load(step), b, env)
    allowed: Expr = Const(1)
    for test in tests:
        allowed = op("and", allowed, scalar_of(test, b, inside).expr)
    keep: list[Stmt] = [If(allowed, (Assign(kept, op("union", Load(kept), op("bit", Load(step)))),))]
    return [Assign(kept, Const(0)), *for_members(rest, Load(legal), step, keep, (), stepping.reach.span), Return(Load(kept))]


def bound(stepping: Stepping, step: Expr, b: Builder, env: Env) -> Env:
    """What an option takes, by name, in a step."""
    spots = filters.asked_cell(stepping.start, b, env).spots
    first, second = cells_of(step, stepping)
    return {stepping.come: Binding(first, spots), stepping.go: Binding(second, spots)}


def _asked(stepping: Stepping, seat: int | None, b: Builder, env: Env) -> _Asked:
    cell = filters.asked_cell(stepping.start, b, env)
    both = {stepping.come: cell} if stepping.ways else {stepping.come: cell, stepping.go: cell}
    return _Asked(stepping, stepping.grid, stepping.come, stepping.go, seat, b, env | both)


@frozen
class _Asked:
    """What is asked of steps, as seen by a seat (None: where that makes no difference)."""

    stepping: Stepping
    grid: Grid
    come: Var
    go: Var
    seat: int | None
    b: Builder
    env: Env

    def start_of(self, number: int) -> Expr:
        """The first cells from which there is a step of a number."""
        if not self.stepping.ways:
            return self.reached(self.stepping.reach, self.stepping.steps[number])
        return self.may_go(self.stepping.reach, self.stepping.ways[number])

    def of_step(self, test: ModelExpr, number: int) -> Expr | None:
        """The first cells from which the step of a number fits a condition; None where that takes a loop."""
        if not self.stepping.ways:
            return self.fitting(test, self.stepping.steps[number])
        asked = substituted(test, {self.go: model.Const(self.stepping.ways[number], type=self.go.type, span=test.span)})
        found = filters.mask_of(asked, self.come, cells.all_cells(self.grid), self.b, self.env)
        return None if found is None else found.expr

    def may_go(self, node: ModelExpr, way: int) -> Expr:
        """The first cells for which an expression is a direction, or a set with it; what takes a loop is asked cell by cell."""
        named = model.Const(way, type=Type("word", DIRECTION), span=node.span)
        test: ModelExpr
        if node.type.is_set:
            test = model.IsIn(named, node, type=model.TRUTH, span=node.span)
        else:
            test = model.Compare("=", node, named, type=model.TRUTH, span=node.span)
        if mask := filters.mask_of(test, self.come, cells.all_cells(self.grid), self.b, self.env):
            return mask.expr
        start = self.stepping.start  # only these cells are asked: of others there may be no answer
        return filters.fitting(bits_of_set(start, self.b, self.env), start, self.come, test, self.b, self.env).expr

    def reached(self, node: ModelExpr, step: Step) -> Expr:
        """The first cells from which a step leads to one of a set of cells that is said by how they lie to the first one."""
        grid, b = self.grid, self.b
        staying = cells.moved(cells.moved(Const(cells.all_cells(grid)), grid, *step), grid, -step[0], -step[1])
        match node:
            case model.SetOf(members=(model.VarValue(),)):
                return Const(cells.all_cells(grid)) if step == (0, 0) else Const(0)
            case model.SetOf(members=members):
                return reduce(partial(op, "union"), (self.reached(member, step) for member in members))
            case model.AnyOf(of=shifted):
                return self.reached(shifted, step)
            case model.Shifted(of=of, way=way) if way is not None:
                some: Expr = Const(0)
                for each, (across, up) in _ways_of(node, grid, b).items():
                    from_there = self.reached(of, (step[0] - across, step[1] - up))
                    if from_there != Const(0):
                        some = op("union", some, op("intersect", from_there, self.may_go(way, each)))
                return op("intersect", some, staying)
            case model.Shifted(of=of):
                found: Expr = Const(0)
                for seat, (across, up) in lines.steps(node, grid, b).items():
                    if node.player is None or seat == self.seat:
                        found = self.reached(of, (step[0] - across, step[1] - up))
                return op("intersect", found, staying) if found != Const(cells.all_cells(grid)) else staying
            case model.NextTo():
                return staying if step in lines.around(grid) else Const(0)
            case model.Join(left=left, right=right):
                return op("union", self.reached(left, step), self.reached(right, step))
            case model.Cases(cases=cases, otherwise=otherwise):
                found = self.reached(otherwise, step)
                for condition, value in reversed(cases):
                    fits = self.fitting(defines.written_out(condition, b), step) or Const(0)
                    found = op("union", op("intersect", self.reached(value, step), fits), op("minus", found, fits))
                return found
            case model.Apply(define=define, args=args):
                return self.reached(defines.at(b.table.defines[define], args), step)
            case _:
                raise AssertionError(f"{type(node).__name__} does not say how cells lie")

    def fitting(self, test: ModelExpr, step: Step) -> Expr | None:
        """The first cells from which a step fits a condition; None where that takes a loop."""
        grid, come, go, b = self.grid, self.come, self.go, self.b
        everything = cells.all_cells(grid)
        if not defines.uses(test, go):
            found = filters.mask_of(test, come, everything, b, self.env)
            return None if found is None else found.expr
        if not defines.uses(test, come):
            found = filters.mask_of(test, go, everything, b, self.env)
            return None if found is None else cells.shifted(found.expr, grid, -step[0], -step[1], b)
        match test:
            case model.Logic(op=name, left=left, right=right):
                one, other = self.fitting(left, step), self.fitting(right, step)
                return None if one is None or other is None else op("intersect" if name == "and" else "union", one, other)
            case model.Not(value=value):
                inner = self.fitting(value, step)
                return None if inner is None else op("minus", Const(everything), inner)
            case _:
                targets = {cell: _target(cell, step, grid) for cell in range(grid.cells)}
                pairs = {cell: target for cell, target in targets.items() if target is not None}
                holds = filters.column(test, {come: tuple(pairs), go: tuple(pairs.values())}, len(pairs), b) if pairs else ()
                return None if holds is None else Const(sum(1 << cell for cell, fits in zip(pairs, holds, strict=True) if fits))
