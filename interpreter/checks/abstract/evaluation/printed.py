"""Filters, sums and extremes over components by what is printed on them, face by face.

A condition or number that depends only on printed values, and on names with the same meaning, is evaluated once for each face at
a table; `Evaluator` keeps the answers.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from ....common.intervals import Interval, join, join_all, or_none
from ....model import model
from ....model.model import Expr, Var
from ....model.visitor import walk
from ....table.table import Kind
from ..domain.sets import any_one
from ..domain.states import AbstractState
from ..domain.values import NO, NONE, NUMBER, YES, AbstractValue, Cells, Group, Members, plus, sum_of, times
from . import grids

if TYPE_CHECKING:  # who asks here
    from .evaluator import Evaluator

OF_FACES = (
    model.Const, model.AttributeOf, model.Compare, model.Logic, model.Not, model.Arithmetic, model.ColumnFor, model.Cases,
    model.IsIn, model.SetOf,
)  # fmt: skip


def filtered(node: model.Filter, at: AbstractState, evaluator: Evaluator) -> AbstractValue:
    """The members of a set for which a condition holds."""
    of = evaluator.value(node.of, at)
    match of:
        case Group():
            surely, maybe = _fitting(node.condition, node.var, of, at, evaluator)
            kind = evaluator.table.kinds[of.kind]
            other = copies(of.faces & ~surely, kind)
            most = copies(maybe, kind)

            def kept(count: Interval) -> Interval:
                low = max(0, count[0] - other)
                return low, max(low, min(count[1], most))

            return Group(of.kind, kept(of.count), {place: kept(part) for place, part in of.parts.items()}, maybe)
        case Members():
            surely = maybe = 0
            with evaluator.unsure():
                for member in of.listed:
                    at.names[node.var] = member, member
                    holds = evaluator.number(node.condition, at)
                    surely |= (of.surely & 1 << member) if holds == YES else 0
                    maybe |= 1 << member if holds != NO else 0
            return Members(surely, maybe)
        case Cells(count=(_, high)):
            return Cells((0, high), of.grid)
        case _:
            return evaluator.anything(node.type, at)


def total(node: model.Total, at: AbstractState, evaluator: Evaluator) -> Interval:
    """The sum of something over the members of a set."""
    of = evaluator.value(node.of, at)
    match of:
        case Group():
            return sum_of(_worths(node.value, node.var, of, at, evaluator), of.count)
        case Members():
            found: Interval = (0, 0)
            for member in of.listed:
                at.names[node.var] = member, member
                with evaluator.unsure():
                    value = evaluator.worth(node.value, at)
                found = plus(found, value if of.surely >> member & 1 else join(value, NO))
            return found
        case Cells(count=count, grid=grid):
            with evaluator.unsure():
                at.names.pop(node.var, None)
                value = evaluator.worth(node.value, at)
            found = times(join(value, NO), (0, count[1]))
            if isinstance(node.value, model.AttributeOf) and grid in evaluator.table.grids:
                printed = grids.printed_on(grid, node.value.attribute, at, evaluator)
                found = max(found[0], printed[0]), min(found[1], printed[1])
            return found
        case _:
            return NUMBER


def extreme(node: model.Extreme, at: AbstractState, evaluator: Evaluator) -> Interval:
    """The least or the greatest of something among the members of a set; none of an empty one."""
    of = evaluator.value(node.of, at)
    values: list[Interval] = []
    with evaluator.unsure():
        match of:
            case Group():
                at.names[node.var] = any_one(of, of.faces)
                values = [evaluator.number(node.value, at)] if of.count[1] else []
            case Members():
                for member in of.listed:
                    at.names[node.var] = member, member
                    values.append(evaluator.number(node.value, at))
            case _:
                at.names.pop(node.var, None)
                values = [evaluator.number(node.value, at)]
    if not values:
        return NONE, NONE
    found, optional = join_all(values), node.value.type.optional
    surely = not isinstance(of, tuple) and of.count[0] > 0 and not optional and not (node.type.optional and found[0] < 0)
    return found if surely else or_none(found, optional)


def _fitting(condition: Expr, var: Var, of: Group, at: AbstractState, evaluator: Evaluator) -> tuple[int, int]:
    """Those faces of a group that surely fit, and those that may."""
    key = _key(condition, var, of, at, evaluator)
    if key is None:
        with evaluator.unsure():
            at.names[var] = any_one(of, of.faces)
            holds = evaluator.number(condition, at)
        return of.faces if holds == YES else 0, of.faces if holds != NO else 0
    if key not in evaluator.fitting:
        surely = maybe = 0
        with evaluator.unsure():
            for face in range(of.faces.bit_length()):
                if of.faces >> face & 1:
                    at.names[var] = Group(of.kind, YES, {}, 1 << face)
                    holds = evaluator.number(condition, at)
                    surely |= (holds == YES) << face
                    maybe |= (holds != NO) << face
        evaluator.fitting[key] = surely, maybe
    return evaluator.fitting[key]


def _worths(expr: Expr, var: Var, of: Group, at: AbstractState, evaluator: Evaluator) -> list[tuple[Interval, int]]:
    """What an expression is of each face of a group, and how many components have that face."""
    kind = evaluator.table.kinds[of.kind]
    key = _key(expr, var, of, at, evaluator)
    if key is None:
        with evaluator.unsure():
            at.names[var] = any_one(of, of.faces)
            return [(evaluator.worth(expr, at), copies(of.faces, kind))]
    if key not in evaluator.worths:
        found: list[tuple[Interval, int]] = []
        with evaluator.unsure():
            for face, printed in enumerate(kind.faces):
                if of.faces >> face & 1:
                    at.names[var] = Group(of.kind, YES, {}, 1 << face)
                    found.append((evaluator.worth(expr, at), printed.copies))
        evaluator.worths[key] = found
    return evaluator.worths[key]


def _key(expr: Expr, var: Var, of: Group, at: AbstractState, evaluator: Evaluator) -> Hashable | None:
    """All on which the answers for the faces of a group depend; None where it is more than what is printed."""
    others = _other_names(expr, var, evaluator)
    if others is None or any(name not in at.names for name in others):
        return None
    values = (at.names[name] for name in others)
    return id(expr), of.faces, tuple((each.count, each.faces) if isinstance(each, Group) else each for each in values)


def _other_names(expr: Expr, var: Var, evaluator: Evaluator) -> tuple[Var, ...] | None:
    """The other names on which an expression depends; None when it asks for more than what is printed."""
    if id(expr) not in evaluator.other_names:
        names: dict[Var, None] = {}
        found: tuple[Var, ...] | None = ()
        for node in walk(expr):
            if isinstance(node, model.VarValue):
                names[node.var] = None
            elif isinstance(node, model.Apply):
                if _other_names(evaluator.table.defines[node.define].value, var, evaluator) is None:
                    found = None
            elif not isinstance(node, OF_FACES):
                found = None
        evaluator.other_names[id(expr)] = None if found is None else tuple(name for name in names if name is not var)
    return evaluator.other_names[id(expr)]


def faces_of(bits: int, kind: Kind) -> int:
    """The faces of some components."""
    faces = start = 0
    for number, face in enumerate(kind.faces):
        faces |= bool(bits >> start & (1 << face.copies) - 1) << number
        start += face.copies
    return faces


def copies(faces: int, kind: Kind) -> int:
    """How many components have one of some faces."""
    return sum(face.copies for number, face in enumerate(kind.faces) if faces >> number & 1)
