"""Attributes printed on what lies on cells, as sets of cells for their binary digits (see `boards`)."""

from __future__ import annotations

from collections.abc import Iterator

from ....common.intervals import or_none
from ....model import model
from ....model.model import Var
from ...machine import NONE, Assign, Const, Expr, Function, If, Invoke, Load, Lookup, Return, Stmt
from ..building import defines, digits
from ..building.builder import Builder
from ..building.lowering import bits_of_set, scalar_of
from ..building.values import Env, Scalar, element, op
from ..components import boards, cells, places
from ..components.overlay import Overlay, Where, anybodys, overlay_of, part_cells, whose


def digit(attribute: str, place: Where, number: int, b: Builder, env: Env) -> Expr:
    """The cells whose value of an attribute has a binary digit (see `boards`)."""
    grid = place.grid
    base, many = boards.code_of(attribute, grid, b)
    there: Expr = Const(0)
    if boards.by_face(attribute, grid, b):
        for kind, _, values in boards.printed_on(attribute, grid, b):
            for face, value in enumerate(values):
                if value is not None and (value - base) >> number & 1:
                    there = op("union", there, boards.cells_of_face(kind, grid, place.owner, Const(face), b))
    else:
        there = Load(b.fields[f"{attribute} on {grid.name}"], element(place.owner, many, Const(number)))
    for name, values, cell, over in _laid_parts(attribute, place, b, env):
        having = Lookup(boards.digit_of(name, values, base, number), over.face)
        there = op("union", there, op("if", op("and", over.on(place) or Const(0), having), op("bit", cell), Const(0)))
    return there


def _laid_parts(
    attribute: str, place: Where, b: Builder, env: Env
) -> Iterator[tuple[str, tuple[int | None, ...], Expr, Overlay]]:
    """Of a component that is laid on a grid in thought: for each part that has an attribute, its values by face, with a name for
    them, and its cell."""
    over = overlay_of(env)
    if over is None or over.on(place) is None:
        return
    kind = b.components[over.kind].kind
    for part, cell in zip(kind.parts, part_cells(over.way, kind, place.grid), strict=True):
        values = kind.on_part(attribute, part)
        if values is not None:
            yield f"{attribute} of {over.kind} {part.name}".strip(), values, cell, over


def _digits(attribute: str, place: Where, b: Builder, env: Env) -> list[Expr]:
    return [digit(attribute, place, number, b, env) for number in range(boards.code_of(attribute, place.grid, b)[1])]


def cells_with_any(attribute: str, place: Where, b: Builder, env: Env) -> Expr:
    """The cells that have an attribute at all."""
    return digits.with_any(_digits(attribute, place, b, env))


def cells_with(attribute: str, place: Where, value: Scalar, b: Builder, env: Env) -> Expr:
    """The cells that have a value of an attribute; none is no value."""
    grid = place.grid
    everything = cells.all_cells(grid)
    base, _ = boards.code_of(attribute, grid, b)
    if value.constant is not None:
        code = value.constant - base
        return digits.with_code(_digits(attribute, place, b, env), code, everything) if code else Const(0)
    faces = list(boards.printed_on(attribute, grid, b))
    if len(faces) == 1 and boards.by_face(attribute, grid, b) and faces[0][2] == tuple(range(value.low, value.high + 1)):
        there = boards.cells_of_face(faces[0][0], grid, place.owner, op("-", value.expr, Const(value.low)), b)
        return _with_laid(there, attribute, place, value, b, env)
    name = f"cells of {grid.name} with {attribute}"
    if name not in b.functions:
        given, these_cells = b.local("value"), b.local("cells", grid.cells)
        player, here = anybodys(grid, b)
        low, high = boards.values_of(attribute, grid, b)
        outside = op("or", op("<", Load(given), Const(low)), op("<", Const(high), Load(given)))
        codes = [known - base for known in range(low, high + 1)]
        first, *others = digits.agreeing(
            _digits(attribute, here, b, {}), attribute, codes, op("-", Load(given), Const(low)), everything
        )
        body: list[Stmt] = [If(outside, (Return(Const(0)),)), Assign(these_cells, first)]
        body += [Assign(these_cells, op("intersect", Load(these_cells), other)) for other in others]
        b.functions[name] = Function(name, (*player, given), grid.cells, (*body, Return(Load(these_cells))))
    return _with_laid(Invoke(name, (*whose(place), value.expr)), attribute, place, value, b, env)


def _with_laid(there: Expr, attribute: str, place: Where, value: Scalar, b: Builder, env: Env) -> Expr:
    """Cells with a value, and those that have it of a component that is laid in thought."""
    for name, values, cell, over in _laid_parts(attribute, place, b, env):
        printed = Lookup(boards.value_of(name, values, attribute, place.grid, b), over.face)
        same = op("and", over.on(place) or Const(0), op("=", printed, value.expr))
        there = op("union", there, op("if", same, op("bit", cell), Const(0)))
    return there


def cells_with_other(attribute: str, place: Where, value: int, b: Builder, env: Env) -> Expr:
    """The cells with another value of an attribute; none is no value."""
    these = _digits(attribute, place, b, env)
    base, _ = boards.code_of(attribute, place.grid, b)
    having = digits.with_any(these)
    return op("minus", having, digits.with_code(these, value - base, cells.all_cells(place.grid))) if value > base else having


def cells_below(attribute: str, place: Where, limit: int, b: Builder, env: Env) -> Expr:
    """The cells whose value of an attribute is less than a number."""
    base, _ = boards.code_of(attribute, place.grid, b)
    these = _digits(attribute, place, b, env)
    return digits.below(these, digits.with_any(these), limit - base) if limit - base > 1 else Const(0)


def attribute_at(node: model.AttributeOf, b: Builder, env: Env) -> Scalar:
    """An attribute of a cell; none where nothing lies that has it."""
    cell = scalar_of(node.of, b, env)
    if cell.constant is not None and cell.constant < 0:
        return Scalar(Const(NONE), NONE, NONE)
    place = places.where(node.of, b, env)
    grid, attribute = place.grid, node.attribute
    base, _ = boards.code_of(attribute, grid, b)
    none, most = or_none(boards.values_of(attribute, grid, b))
    name = f"{attribute} at a cell of {grid.name}"
    if name not in b.functions:
        given, code = b.local("cell"), b.local("code")
        player, here = anybodys(grid, b)
        written: Expr = Const(0)
        for number, these in enumerate(_digits(attribute, here, b, {})):
            one = op("has", these, Load(given))
            written = op("+", written, one if number == 0 else op("*", Const(1 << number), one))
        nothing = If(op("=", Load(code), Const(0)), (Return(Const(none)),))
        b.functions[name] = Function(
            name,
            (*player, given),
            0,
            (
                If(op("<", Load(given), Const(0)), (Return(Const(none)),)),
                Assign(code, written),
                nothing,
                Return(op("+", Load(code), Const(base))),
            ),
        )
    found: Expr = Invoke(name, (*whose(place), cell.expr))
    for laid_name, values, laid_on, over in _laid_parts(attribute, place, b, env):
        there = op("and", over.on(place) or Const(0), op("=", laid_on, cell.expr))
        found = op("if", there, Lookup(boards.value_of(laid_name, values, attribute, grid, b), over.face), found)
    return Scalar(found, none, most)


def mask_by_attribute(condition: model.Compare, var: Var, b: Builder, env: Env) -> Expr | None:
    """The cells whose attribute is a value from elsewhere; None for any other condition."""
    for mine, theirs in ((condition.left, condition.right), (condition.right, condition.left)):
        match mine:
            case model.AttributeOf(attribute=attribute, of=model.VarValue(var=asked)) if (
                asked is var and var.type.base == "cell" and not defines.uses(theirs, var) and var in env
            ):
                place = places.where(mine.of, b, env)
                everything = Const(cells.all_cells(place.grid))
                if condition.op == "=":
                    value = scalar_of(theirs, b, env)
                    there = cells_with(attribute, place, value, b, env)
                    if value.low >= 0 or not theirs.type.optional:
                        return there
                    without = op("minus", everything, cells_with_any(attribute, place, b, env))
                    return op("if", op("=", value.expr, Const(value.none)), without, there)
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
            place = places.where(node.of, b, env)
            base, _ = boards.code_of(attribute, place.grid, b)
            members = None if isinstance(node.of, model.ZoneContent) else bits_of_set(node.of, b, env).expr

            def counted(these: Expr) -> Expr:
                return op("count", these if members is None else op("intersect", members, these))

            found: Expr = op("*", Const(base), counted(cells_with_any(attribute, place, b, env))) if base else Const(0)
            for number, these in enumerate(_digits(attribute, place, b, env)):
                one = counted(these)
                found = op("+", found, one if number == 0 else op("*", Const(1 << number), one))
            low, high = boards.values_of(attribute, place.grid, b)
            return Scalar(found, min(0, low) * place.grid.cells, max(0, high) * place.grid.cells)
        case _:
            return None
