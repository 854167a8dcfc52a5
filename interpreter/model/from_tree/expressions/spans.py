"""Binds ``A..B`` as a set of numbers: the words of a list that nobody has declared."""

from __future__ import annotations

from ....common.intervals import Interval, add, join_all, multiply, subtract
from ....syntax import tree
from ... import model
from ...model import NUMBER, TRUTH, Const, Expr, Var
from ..names.scope import Column, Scope, unclear, variable
from ..names.types import as_number, number_list
from .binding import number

LENGTH_LIMIT = 1_000  # numbers from one end to the other; a set of them must stay small
SEATS = (1, 16)  # that a game can have
_OPERATORS = {"+": add, "-": subtract, "*": multiply}


def numbers_between(node: tree.Interval, scope: Scope) -> Expr:
    """The numbers from one to another, as a set; a finding where it cannot be told how many there can be."""
    ends = [number(node.low, scope), number(node.high, scope)]
    if any(end.type.base == "unknown" for end in ends):
        return unclear(node.span)
    reach = [_reach(end, scope) for end in ends]
    for end, each in zip(ends, reach, strict=True):
        if each is None:
            scope.complain(
                "R215",
                "it cannot be told before the game how far this can go",
                end.span,
                help="write a number, an option, or a counter; or use `repeat N times`",
            )
            return unclear(node.span)
    (low, _), (_, high) = (each for each in reach if each is not None)
    if low > high:
        scope.complain("R215", f"there is no number from {low} to {high}", node.span, help=f"did you mean {high}..{low}?")
        return unclear(node.span)
    if low < 0 or high - low >= LENGTH_LIMIT:
        says = "this begins below 0" if low < 0 else f"these can be {high - low + 1:,} numbers"
        scope.complain("R216", f"{says}; at most {LENGTH_LIMIT:,} from 0 up can be gone through", node.span)
        return unclear(node.span)
    type = number_list(low, high, node.span, scope)
    all_of_them = Const((1 << (high - low + 1)) - 1, type=type.set, span=node.span)
    if all(isinstance(end, Const) for end in ends):
        return all_of_them
    var = Var("number", type)
    one = as_number(variable(var, node.span), scope)
    inside = (model.Compare("<=", a, b, type=TRUTH, span=node.span) for a, b in ((ends[0], one), (one, ends[1])))
    condition = model.Logic("and", *inside, type=TRUTH, span=node.span)
    return model.Filter(all_of_them, var, condition, type=type.set, span=node.span)


def _reach(value: Expr, scope: Scope) -> Interval | None:
    """The least and the greatest number that a value can be at any table; None where it cannot be told."""
    match value:
        case Const(value=known):
            return known, known
        case model.PlayerCount():
            return SEATS
        case model.OptionValue(name=name) | model.VariableValue(name=name):
            declared = scope.symbol(name)
            if not isinstance(declared, model.OptionDeclaration | model.Variable):
                return None
            low, high = declared.domain.low, declared.domain.high
            first, last = (None if end is None else _reach(end, scope) for end in (low, high))
            return None if first is None or last is None else (first[0], last[1])
        case model.Arithmetic(op="+" | "-" | "*" as op, left=left, right=right):
            one, other = _reach(left, scope), _reach(right, scope)
            return None if one is None or other is None else _OPERATORS[op](one, other)
        case model.NumberOf(of=of):
            numbers = scope.numbers_of(of.type)
            return min(numbers), max(numbers)
        case model.ColumnFor(column=column):
            table = next((s.table for s in (scope.symbol(column),) if isinstance(s, Column)), None)
            if table is None:
                return None
            cells = [_reach(row.values[table.columns.index(column)], scope) for row in table.rows]
            told = [cell for cell in cells if cell is not None]
            return join_all(told) if told and len(told) == len(cells) else None
        case model.Count():
            return 0, LENGTH_LIMIT - 1
        case _ if value.type == NUMBER and isinstance(value, model.SeatNumber):
            return SEATS
        case _:
            return None
