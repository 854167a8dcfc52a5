"""The facts that the rules around a place guarantee there.

A lookup that may miss is worth a warning, unless the rules exclude it: ``if trump is not empty: set pot to strength of trump``.
The conditions that lead to a place are remembered while it is lowered (`Builder.holding`), and tested here; those of a filter
hold for each member (`membership`). They only silence warnings: the checks while a game runs do not depend on them, for a
statement in between may have changed things.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....common.intervals import without_none
from ....model import model
from ....model.model import TRUTH, Const, Expr, Var
from ....model.visitor import substituted
from ...machine import NONE
from ..building import defines
from ..building.builder import Builder
from ..building.values import LEAST, MOST, Env, Scalar
from . import filters, ranges
from .overflow import Range


def negated(condition: Expr) -> Expr:
    """The opposite of a condition."""
    return model.Not(condition, type=TRUTH, span=condition.span)


def narrowed(value: Expr, known: Scalar, b: Builder, env: Env) -> Range:
    """The range of a value where the conditions of this place hold; the low end is the larger one where nothing is possible.

    ``known``: what it can be in any position.
    """
    low, high = _narrowed(defines.written_out(value, b), b, env)
    return max(low, known.low), min(high, known.high)


def _narrowed(value: Expr, b: Builder, env: Env) -> Range:
    low, high = _by_parts(value, b, env)
    facts = list(_facts(b))
    for least, most in filter(None, (_bounds(value, fact) for fact in facts)):
        low, high = max(low, least), min(high, most)
    excluded = {number for number in (_excluded(value, fact) for fact in facts) if number is not None}
    while low <= high and low in excluded:
        low += 1
    while low <= high and high in excluded:
        high -= 1
    if low < 0 and value.type != model.NUMBER and not _may_be_none(value, b):
        low, high = without_none((low, high)) or (0, high)
    return _as_printed(value, low, high, b)


def _by_parts(value: Expr, b: Builder, env: Env) -> Range:
    """The range of a value by those of its parts, each where the conditions that lead to it hold."""
    match value:
        case model.Cases(cases=cases, otherwise=otherwise):
            found: list[Range] = []
            excluded: list[Expr] = []
            for condition, chosen in cases:
                with b.where(*excluded, condition):
                    found.append(_narrowed(chosen, b, env))
                excluded.append(negated(condition))
            with b.where(*excluded):
                found.append(_narrowed(otherwise, b, env))
            possible = [(low, high) for low, high in found if low <= high] or found
            return min(low for low, _ in possible), max(high for _, high in possible)
        case model.Arithmetic(op="+" | "-" | "*" as op, left=left, right=right):
            one, other = _narrowed(left, b, env), _narrowed(right, b, env)
            ends = [x + y if op == "+" else x - y if op == "-" else x * y for x in one for y in other]
            return min(ends), max(ends)
        case model.Arithmetic(op="min" | "max" as op, left=left, right=right):
            pick = min if op == "min" else max
            low, high = map(pick, _narrowed(left, b, env), _narrowed(right, b, env))
            return low, high
        case _:
            return ranges.range_in(value, b, env)


# ---- What a comparison says of a sum


def _bounds(value: Expr, fact: Expr) -> Range | None:
    """Between what a value lies because of a condition that compares what it is made of: ``a > b`` says it of ``a - b``."""
    match fact:
        case model.Not(value=model.Compare(op=op, left=left, right=right)) if op != "=":
            return _between(value, right, left, 0 if op == "<" else 1)
        case model.Compare(op="<" | "<=" as op, left=left, right=right):
            return _between(value, left, right, 1 if op == "<" else 0)
        case model.Compare(op="=", left=left, right=right) if (apart := _apart(value, left, right)) is not None:
            return apart[1], apart[1]
        case model.Logic(op="or", left=left, right=right):
            one, other = _bounds(value, left), _bounds(value, right)
            return None if one is None or other is None else (min(one[0], other[0]), max(one[1], other[1]))
        case _:
            return None


def _between(value: Expr, less: Expr, more: Expr, by: int) -> Range | None:
    """The range that a condition leaves to a value if ``more`` is larger than ``less`` by so much at least."""
    apart = _apart(value, more, less)
    if apart is None:
        return None
    sign, rest = apart
    return (rest + by, MOST) if sign > 0 else (LEAST, rest - by)


def _excluded(value: Expr, fact: Expr) -> int | None:
    """The number that a value is not because of a condition."""
    match fact:
        case model.Not(value=model.Compare(right=Const(type=type))) if type.optional:
            return None  # none is no number
        case model.Not(value=model.Compare(op="=", left=left, right=right)) if (apart := _apart(value, left, right)) is not None:
            return apart[1]
        case _:
            return None


def _apart(value: Expr, one: Expr, other: Expr) -> tuple[int, int] | None:
    """A value as plus or minus 1 times ``one - other``, and a number; None where it is no such thing."""
    (mine, own), (theirs, much) = _sum((value, 1)), _sum((one, 1), (other, -1))
    for sign in (1, -1):
        if theirs and mine == {part: sign * times for part, times in theirs.items()}:
            return sign, own - sign * much
    return None


def _sum(*parts: tuple[Expr, int]) -> tuple[dict[Expr, int], int]:
    """Expressions, each times a number, as a sum: what is added up and how often, and the number that is left."""
    todo, found, number = list(parts), dict[Expr, int](), 0
    while todo:
        match todo.pop():
            case model.Const(value=value), times:
                number += value * times
            case model.Arithmetic(op="+" | "-" as op, left=left, right=right), times:
                todo += [(left, times), (right, times if op == "+" else -times)]
            case part, times:
                found[part] = found.get(part, 0) + times
    return {part: times for part, times in found.items() if times}, number


def _as_printed(value: Expr, low: int, high: int, b: Builder) -> tuple[int, int]:
    """The range of what is printed on a component, where conditions on the same component hold: `kind of card is king`."""
    match value:
        case model.AttributeOf(attribute=attribute, of=model.VarValue(var=var)) if var.type.base == "component":
            fitting = [filters.static_values(fact, var, b) for fact in _facts(b) if defines.uses(fact, var)]
            printed = b.components[var.type.of].kind.printed(attribute)
            possible = [p for face, p in enumerate(printed) if all(fits is None or fits[face] for fits in fitting)]
            numbers = [p for p in possible if p is not None]
            if not numbers:
                return low, high
            return low if None in possible else max(low, min(numbers)), min(high, max(numbers))
        case _:
            return low, high


def membership(members: Expr | tuple[Expr, Expr] | None, var: Var, b: Builder) -> list[Expr]:
    """What holds for ``var`` because it is a member of a set (or, of what an option takes, anything else: nothing)."""
    match members:
        case model.Filter(of=of, var=own, condition=condition):
            asked = model.VarValue(var, type=var.type, span=condition.span)
            return [*membership(of, var, b), substituted(condition, {own: asked})]
        case model.Apply(define=define, args=args) if all(isinstance(a, model.VarValue | model.Const) for a in args):
            return membership(defines.at(b.table.defines[define], args), var, b)
        case _:
            return []


def _facts(b: Builder) -> Iterator[Expr]:
    """The conditions of this place, taken apart: ``A and B`` are two, and so is the opposite of ``A or B``."""
    todo = [defines.written_out(condition, b) for condition in b.holding]
    while todo:
        condition = todo.pop()
        match condition:
            case model.Logic(op="and", left=left, right=right):
                todo += [left, right]
            case model.Not(value=model.Logic(op="or", left=left, right=right)):
                todo += [negated(left), negated(right)]
            case model.Not(value=model.Not(value=inner)):
                todo.append(inner)
            case _:
                yield condition


def _may_be_none(value: Expr, b: Builder) -> bool:
    """Whether a value can be none where the conditions of this place hold."""
    if not value.type.optional:
        return False
    for fact in _facts(b):
        match fact:
            case model.Not(value=model.Compare(op="=", left=left, right=Const(value=bound))) if left == value and bound == NONE:
                return False
            case _:
                pass
    match value:
        case model.AttributeOf(attribute=attribute, of=of) if of.type.base == "component":
            return None in b.components[of.type.of].kind.printed(attribute) or _may_be_none(of, b)
        case model.VariableValue(name=name, owner=owner):
            return b.table.variables[name].type.optional or (owner is not None and _may_be_none(owner, b))
        case _:
            return True
