"""Which cells have what printed on them? Attributes of what lies there, by sets of cells for their digits (see `boards`)."""

from __future__ import annotations

from collections.abc import Iterator

from ....model import model
from ....model.model import Var
from ...machine import NONE, Assign, Const, Constants, Expr, Function, If, Invoke, Load, Lookup, Return, Stmt
from ..builder import Builder
from ..expressions import defines, numbers, sets
from ..values import Env, Scalar, element, op
from . import boards, cells, lying
from .overlay import Overlay, Where, overlay_of, part_cells


def digit(attribute: str, place: Where, number: int, b: Builder, env: Env) -> Expr:
    """The cells whose value of an attribute has a binary digit (see `boards`)."""
    grid = place.grid
    base, digits = boards.code_of(attribute, grid, b)
    there: Expr = Load(b.fields[f"{attribute} on {grid.name}"], element(place.owner, digits, Const(number)))
    for printed, cell, over in _laid_parts(attribute, place, b, env):
        having = Lookup(boards.digit_of(printed.name, printed.values, base, number), over.face)
        there = op("union", there, op("if", op("and", over.on(place) or Const(0), having), op("bit", cell), Const(0)))
    return there


def _laid_parts(attribute: str, place: Where, b: Builder, env: Env) -> Iterator[tuple[Constants, Expr, Overlay]]:
    """Of a component that is laid on a grid in thought: for each part that has an attribute, its values by face, and its cell."""
    over = overlay_of(env)
    if over is None or over.on(place) is None:
        return
    kind = b.components[over.kind].kind
    for part, cell in zip(kind.parts, part_cells(over.way, kind, place.grid), strict=True):
        values = kind.on_part(attribute, part)
        if values is not None:
            yield Constants(f"{attribute} of {over.kind} {part.name}".strip(), values), cell, over


def cells_with_any(attribute: str, place: Where, b: Builder, env: Env) -> Expr:
    """The cells that have an attribute at all."""
    found: Expr = Const(0)
    for number in range(boards.code_of(attribute, place.grid, b)[1]):
        found = op("union", found, digit(attribute, place, number, b, env))
    return found


def cells_with(attribute: str, place: Where, value: Scalar, b: Builder, env: Env) -> Expr:
    """The cells that have a value of an attribute; none is no value."""
    grid = place.grid
    base, digits = boards.code_of(attribute, grid, b)
    if value.constant is not None:
        code = value.constant - base
        if not 0 < code < 1 << digits:
            return Const(0)
        found: Expr = Const(cells.all_cells(grid))
        for number in sorted(range(digits), key=lambda n: not code >> n & 1):
            these = digit(attribute, place, number, b, env)
            whole = isinstance(found, Const)
            found = these if whole and code >> number & 1 else op("intersect" if code >> number & 1 else "minus", found, these)
        return found
    name = f"cells of {grid.name} with {attribute}"
    if name not in b.functions:
        given, these_cells = b.local("value"), b.local("cells", grid.cells)
        player, here = lying.anybodys(grid, b)
        low, high = boards.values_of(attribute, grid, b)
        outside = op("or", op("<", Load(given), Const(low)), op("<", Const(high), Load(given)))
        body: list[Stmt] = [
            If(outside, (Return(Const(0)),)), Assign(these_cells, _digit_or_not(attribute, here, 0, Load(given), b))
        ]
        for number in range(1, digits):
            more = _digit_or_not(attribute, here, number, Load(given), b)
            body.append(Assign(these_cells, op("intersect", Load(these_cells), more)))
        b.functions[name] = Function(name, (*player, given), grid.cells, (*body, Return(Load(these_cells))))
    there: Expr = Invoke(name, (*lying.whose(place), value.expr))
    for printed, cell, over in _laid_parts(attribute, place, b, env):
        same = op("and", over.on(place) or Const(0), op("=", Lookup(printed, over.face), value.expr))
        there = op("union", there, op("if", same, op("bit", cell), Const(0)))
    return there


def _digit_or_not(attribute: str, place: Where, number: int, value: Expr, b: Builder) -> Expr:
    """The cells that agree with a value in a binary digit."""
    base, _ = boards.code_of(attribute, place.grid, b)
    low, high = boards.values_of(attribute, place.grid, b)
    everything = cells.all_cells(place.grid)
    others = tuple(0 if (v - base) >> number & 1 else everything for v in range(low, high + 1))
    table = Constants(f"{attribute} without digit {number}", others, place.grid.cells)
    return op("flip", digit(attribute, place, number, b, {}), Lookup(table, op("-", value, Const(low))))


def cells_below(attribute: str, place: Where, limit: int, b: Builder, env: Env) -> Expr:
    """The cells whose value of an attribute is less than a number."""
    base, digits = boards.code_of(attribute, place.grid, b)
    having = cells_with_any(attribute, place, b, env)
    code = limit - base
    if code <= 1:
        return Const(0)
    if code >= 1 << digits:
        return having
    below: Expr = Const(0)
    same = having  # as far as the digits have been compared, from the highest
    for number in reversed(range(digits)):
        these = digit(attribute, place, number, b, env)
        if code >> number & 1:
            below, same = op("union", below, op("minus", same, these)), op("intersect", same, these)
        else:
            same = op("minus", same, these)
    return below


def attribute_at(node: model.AttributeOf, b: Builder, env: Env) -> Scalar:
    """An attribute of a cell; none where nothing lies that has it."""
    cell = numbers.scalar_of(node.of, b, env)
    place = lying.where(node.of, b, env)
    grid, attribute = place.grid, node.attribute
    base, digits = boards.code_of(attribute, grid, b)
    name = f"{attribute} at a cell of {grid.name}"
    if name not in b.functions:
        given, code = b.local("cell"), b.local("code")
        player, here = lying.anybodys(grid, b)
        written: Expr = Const(0)
        for number in range(digits):
            one = op("has", digit(attribute, here, number, b, {}), Load(given))
            written = op("+", written, one if number == 0 else op("*", Const(1 << number), one))
        nothing = If(op("=", Load(code), Const(0)), (Return(Const(NONE)),))
        b.functions[name] = Function(
            name, (*player, given), 0,
            (
                If(op("<", Load(given), Const(0)), (Return(Const(NONE)),)),
                Assign(code, written),
                nothing,
                Return(op("+", Load(code), Const(base))),
            ),
        )  # fmt: skip
    found: Expr = Invoke(name, (*lying.whose(place), cell.expr))
    for printed, laid_on, over in _laid_parts(attribute, place, b, env):
        there = op("and", over.on(place) or Const(0), op("=", laid_on, cell.expr))
        found = op("if", there, Lookup(printed, over.face), found)
    return Scalar(found, NONE, boards.values_of(attribute, grid, b)[1])


def mask_by_attribute(condition: model.Compare, var: Var, b: Builder, env: Env) -> Expr | None:
    """The cells whose attribute is a value from elsewhere; None for any other condition."""
    for mine, theirs in ((condition.left, condition.right), (condition.right, condition.left)):
        match mine:
            case model.AttributeOf(attribute=attribute, of=model.VarValue(var=asked)) if (
                asked is var and var.type.base == "cell" and not defines.uses(theirs, var) and var in env
            ):
                place = lying.where(mine.of, b, env)
                everything = Const(cells.all_cells(place.grid))
                if condition.op == "=":
                    value = numbers.scalar_of(theirs, b, env)
                    there = cells_with(attribute, place, value, b, env)
                    if value.low >= 0 or not theirs.type.optional:
                        return there
                    without = op("minus", everything, cells_with_any(attribute, place, b, env))
                    return op("if", op("=", value.expr, Const(NONE)), without, there)
                if isinstance(theirs, model.Const) and mine is condition.left:
                    return cells_below(attribute, place, theirs.value + (condition.op == "<="), b, env)
                if isinstance(theirs, model.Const):
                    having = cells_with_any(attribute, place, b, env)
                    return op("minus", having, cells_below(attribute, place, theirs.value + (condition.op == "<"), b, env))
            case _:
                pass
    return None


def total(node: model.Total, b: Builder, env: Env) -> Scalar | None:
    """``total crowns of region``: the cells of each value are counted; None where it is not so simple."""
    match node.value:
        case model.AttributeOf(attribute=attribute, of=model.VarValue(var=var)) if var is node.var and var.type.base == "cell":
            place = lying.where(node.of, b, env)
            base, digits = boards.code_of(attribute, place.grid, b)
            members = None if isinstance(node.of, model.ZoneContent) else sets.bits_of_set(node.of, b, env).expr

            def counted(these: Expr) -> Expr:
                return op("count", these if members is None else op("intersect", members, these))

            found: Expr = op("*", Const(base), counted(cells_with_any(attribute, place, b, env))) if base else Const(0)
            for number in range(digits):
                one = counted(digit(attribute, place, number, b, env))
                found = op("+", found, one if number == 0 else op("*", Const(1 << number), one))
            low, high = boards.values_of(attribute, place.grid, b)
            return Scalar(found, min(0, low) * place.grid.cells, max(0, high) * place.grid.cells)
        case _:
            return None
