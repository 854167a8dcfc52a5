"""How does a piece choose where to step? An option that takes a cell, and another one near it, has a number for each step.

``move a cell from board with owner player to a cell target from cells next to cell``: where the second cell can be is said by how
it lies to the first one, so a step is a direction and a cell, ``direction * cells + cell``, and not one of all pairs of cells.
Steps that leave the grid have numbers too, so that the numbers are dense; they are never candidates.

Which steps are legal is found for each direction as a set of first cells, by set algebra: what is asked of the first cell is
a set of cells, what is asked of the second one such a set moved back by the step, and how the two lie to one another is known::

    owner of cell is player                    the player's cells
    target in empty cells of board             the empty cells, moved one down (where the step goes up)
    column of target is not column of cell     every cell or none

The sets of the directions are put side by side. Where a direction depends on who steps, there is code for each seat. Any other
condition is asked of each step that is left.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve, frozen

from ....model import model
from ....model.model import Expr as ModelExpr
from ....model.model import Var
from ....table.table import Grid
from ...machine import Assign, Const, Constants, Domain, Expr, If, Load, Local, Lookup, Return, Stmt
from ..builder import Builder
from ..components.copies import for_members
from ..expressions import defines, filters, numbers, sets
from ..values import Binding, Bits, Env, Scalar, op
from . import cells, lines

Step = tuple[int, int]  # so many columns to the right and rows up


@frozen
class Stepping:
    """An option that steps. ``come``, ``go``: what it takes. ``steps``: in the order of their numbers."""

    grid: Grid
    come: model.Argument
    go: model.Argument
    steps: tuple[Step, ...]

    @property
    def options(self) -> int:
        return len(self.steps) * self.grid.cells


def of_option(option: model.Option, b: Builder) -> Stepping | None:
    """How an option steps; None where it does something else."""
    match option.arguments:
        case (model.Argument(source=model.Typed()) as come, model.Argument(source=model.Typed() as source) as go) if (
            come.var.type.base == "cell" and come.var.type == go.var.type and defines.uses(source, come.var)
        ):
            grid = b.table.grids[come.var.type.of]
            found = _steps_of(source, come.var, grid, b)
            return None if not found else Stepping(grid, come, go, tuple(dict.fromkeys(found)))
        case _:
            return None


def _steps_of(node: ModelExpr, come: Var, grid: Grid, b: Builder) -> list[Step] | None:
    """The ways from ``come`` to what can be in a set of cells; None where that is not said by how they lie."""
    match node:
        case model.SetOf(members=(model.VarValue(var=var),)) if var is come:
            return [(0, 0)]
        case model.Shifted(of=of):
            before = _steps_of(of, come, grid, b)
            moved = lines.steps(node, grid, b).values()
            return None if before is None else [(x + across, y + up) for across, up in moved for x, y in before]
        case model.NextTo(of=of) if _steps_of(of, come, grid, b) == [(0, 0)]:
            return lines.around(grid)
        case model.Join(left=left, right=right):
            return _together((left, right), come, grid, b)
        case model.Cases(cases=cases, otherwise=otherwise):
            return _together((*(value for _, value in cases), otherwise), come, grid, b)
        case model.Filter(of=of) | model.Without(left=of):
            return _steps_of(of, come, grid, b)
        case model.Apply(define=define, args=args):
            return _steps_of(defines.at(b.table.defines[define], args), come, grid, b)
        case _:
            return None


def _together(nodes: Iterable[ModelExpr], come: Var, grid: Grid, b: Builder) -> list[Step] | None:
    found: list[Step] = []
    for node in nodes:
        more = _steps_of(node, come, grid, b)
        if more is None:
            return None
        found += more
    return found


def domain(stepping: Stepping) -> Domain:
    """The steps by name: ``b2 b3``; of one that leaves the grid, what tells it from the others."""
    grid = stepping.grid
    names = []
    for number, step in enumerate(stepping.steps):
        for cell in range(grid.cells):
            target = _target(cell, step, grid)
            name = grid.cell_name(cell)
            names.append(f"{name} and outside, {number}" if target is None else f"{name} {grid.cell_name(target)}")
    return Domain(tuple(names))


def _target(cell: int, step: Step, grid: Grid) -> int | None:
    there = cells.moved(Const(1 << cell), grid, *step)
    return there.value.bit_length() - 1 if isinstance(there, Const) and there.value else None


def cells_of(step: Expr, stepping: Stepping) -> tuple[Scalar, Scalar]:
    """The first and the second cell of a step that does not leave the grid."""
    grid = stepping.grid
    first = op("mod", step, Const(grid.cells))
    distances = Constants(f"steps on {grid.name}", tuple(up * grid.width + across for across, up in stepping.steps))
    second = op("+", first, Lookup(distances, op("div", step, Const(grid.cells))))
    return Scalar(first, 0, grid.cells - 1), Scalar(second, 0, grid.cells - 1)


# ---- Which are legal


def positions(option: model.Option, stepping: Stepping, b: Builder, env: Env) -> tuple[Bits, Bits]:
    """The steps that are candidates, and those that are legal."""
    tests = [defines.written_out(condition.test, b) for condition in option.conditions]
    everything = (1 << stepping.options) - 1
    found = []
    for name, asked in (("steps", []), (f"steps to {option.verb}", tests)):
        parts: list[model.Node] = [stepping.come.source, stepping.go.source, *asked]  # type: ignore[list-item]
        around = {v: x for v, x in env.items() if v not in (stepping.come.var, stepping.go.var)}

        def build(inside: Env, asked: list[ModelExpr] = asked) -> list[Stmt]:
            return _code(option, stepping, asked, b, inside)

        call = b.function(name, parts, around, stepping.options, build)
        found.append(Bits(call, everything, stepping.options))
        if asked and _left_over(stepping, asked, b, env):
            b.scalar_loops += [(call.function, f"{t.span.place}: {t.span.text}") for t in _left_over(stepping, asked, b, env)]
    return found[0], found[1]


def _code(option: model.Option, stepping: Stepping, tests: list[ModelExpr], b: Builder, env: Env) -> list[Stmt]:
    """The body of the function that gives the steps that fit; where a direction depends on a player, seat by seat."""
    who = _looking(stepping.go.source, b)
    if who is None:
        return _for_seat(option, stepping, tests, None, b, env)
    code: list[Stmt] = []
    player = numbers.required(who, b, env).expr
    for seat in range(b.players - 1):
        code.append(If(op("=", player, Const(seat)), tuple(_for_seat(option, stepping, tests, seat, b, env))))
    return code + _for_seat(option, stepping, tests, b.players - 1, b, env)


def _looking(source: object, b: Builder) -> ModelExpr | None:
    """The player as whom all directions of an expression are seen; None where there is not just one such player."""
    assert isinstance(source, model.Typed)
    found = [node.player for node in filters.walk(defines.written_out(source, b)) if isinstance(node, model.Shifted)]
    return found[0] if found and all(player == found[0] for player in found) else None


def _for_seat(
    option: model.Option, stepping: Stepping, tests: list[ModelExpr], seat: int | None, b: Builder, env: Env
) -> list[Stmt]:
    grid = stepping.grid
    come, go = stepping.come, stepping.go
    assert isinstance(come.source, model.Typed)
    assert isinstance(go.source, model.Typed)
    code: list[Stmt] = []
    start = b.local(come.var.name, grid.cells)
    code.append(Assign(start, sets.bits_of_set(come.source, b, env).expr))
    asked = _Asked(stepping, seat, env | {
        come.var: filters.asked_cell(come.source, b, env), go.var: filters.asked_cell(come.source, b, env),
    }, b)  # fmt: skip
    left_over = _left_over(stepping, tests, b, env)
    legal = b.local("legal", stepping.options)
    code.append(Assign(legal, Const(0)))
    gap = 0
    for step in reversed(stepping.steps):
        there = asked.reached(go.source, step)
        gap += 1
        if there == Const(0):
            continue
        these = op("intersect", Load(start), there)
        for test in tests:
            if test not in left_over:
                fits = asked.fitting(test, step)
                assert fits is not None
                these = op("intersect", these, fits)
        before = op("left", Load(legal), Const(grid.cells * gap)) if len(code) > 2 else Const(0)
        code.append(Assign(legal, op("union", before, these)))
        gap = 0
    if gap:
        code.append(Assign(legal, op("left", Load(legal), Const(grid.cells * gap))))
    if not left_over:
        return [*code, Return(Load(legal))]
    return code + _one_by_one(stepping, left_over, legal, option, b, env)


def _left_over(stepping: Stepping, tests: list[ModelExpr], b: Builder, env: Env) -> list[ModelExpr]:
    """The conditions that no sets can be made of."""
    assert isinstance(stepping.come.source, model.Typed)
    cell = filters.asked_cell(stepping.come.source, b, env)
    asked = _Asked(stepping, None, env | {stepping.come.var: cell, stepping.go.var: cell}, b)
    return [test for test in tests if asked.fitting(test, stepping.steps[0]) is None]


def _one_by_one(
    stepping: Stepping, tests: list[ModelExpr], legal: Local, option: model.Option, b: Builder, env: Env
) -> list[Stmt]:
    """Ask each step that is left."""
    width = stepping.options
    rest, step, kept = b.local("rest", width), b.local("step"), b.local("kept", width)
    inside = env | bound(stepping, Load(step), b, env)
    allowed: Expr = Const(1)
    for test in tests:
        allowed = op("and", allowed, numbers.scalar_of(test, b, inside).expr)
    keep: list[Stmt] = [If(allowed, (Assign(kept, op("union", Load(kept), op("bit", Load(step)))),))]
    return [Assign(kept, Const(0)), *for_members(rest, Load(legal), step, keep, (), option.span), Return(Load(kept))]


def bound(stepping: Stepping, step: Expr, b: Builder, env: Env) -> Env:
    """What an option takes, by name, in a step."""
    assert isinstance(stepping.come.source, model.Typed)
    spots = filters.asked_cell(stepping.come.source, b, env).spots
    first, second = cells_of(step, stepping)
    return {stepping.come.var: Binding(first, spots), stepping.go.var: Binding(second, spots)}


@frozen
class _Asked:
    """What is asked of steps, as seen by a seat (None: where that makes no difference)."""

    stepping: Stepping
    seat: int | None
    env: Env
    b: Builder

    def reached(self, node: ModelExpr, step: Step) -> Expr:
        """The first cells from which a step leads to one of a set of cells that is said by how they lie to the first one."""
        grid, come, b = self.stepping.grid, self.stepping.come.var, self.b
        staying = cells.moved(cells.moved(Const(cells.all_cells(grid)), grid, *step), grid, -step[0], -step[1])
        match node:
            case model.SetOf():
                return Const(cells.all_cells(grid)) if step == (0, 0) else Const(0)
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
                    test = self.fitting(defines.written_out(condition, b), step) or Const(0)
                    found = op("union", op("intersect", self.reached(value, step), test), op("minus", found, test))
                return found
            case model.Filter(of=of, var=var, condition=condition):
                test = defines.written_out(condition, b)
                there = evolve(self, stepping=evolve(self.stepping, go=evolve(self.stepping.go, var=var)),
                               env=self.env | {var: self.env[come]})  # fmt: skip
                return op("intersect", self.reached(of, step), there.fitting(test, step) or Const(0))
            case model.Without(left=left, right=right):
                assert not defines.uses(right, come)
                gone = cells.shifted(sets.bits_of_set(right, b, self.env).expr, grid, -step[0], -step[1], b)
                return op("minus", self.reached(left, step), gone)
            case model.Apply(define=define, args=args):
                return self.reached(defines.at(b.table.defines[define], args), step)
            case _:
                raise AssertionError(f"{type(node).__name__} does not say how cells lie")

    def fitting(self, test: ModelExpr, step: Step) -> Expr | None:
        """The first cells from which a step fits a condition; None where that takes a loop."""
        grid, come, go, b = self.stepping.grid, self.stepping.come.var, self.stepping.go.var, self.b
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
                fits = 0
                for cell in range(grid.cells):
                    target = _target(cell, step, grid)
                    if target is not None:
                        value = filters.static(test, {come: cell, go: target}, b)
                        if value is None:
                            return None
                        fits |= value << cell
                return Const(fits)
