"""What do the rules around a place guarantee there?

A lookup that may miss is worth a warning, unless the rules exclude it: ``if trump is not empty: set pot to strength of trump``.
The conditions that lead to a place are remembered while it is lowered (`Builder.holding`), and asked here; those of a filter
hold for each member (`membership`). They only silence warnings: what is checked while a game runs does not depend on them, for
a statement in between may have changed things.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....model import model
from ....model.model import TRUTH, Const, Expr, Var
from ....model.rebuild import substituted
from ...machine import NONE
from ..builder import Builder
from . import defines, filters


def negated(condition: Expr) -> Expr:
    """The opposite of a condition."""
    return model.Not(condition, type=TRUTH, span=condition.span)


def narrowed(value: Expr, low: int, high: int, b: Builder) -> tuple[int, int]:
    """The range of a value where the conditions of this place hold."""
    for fact in _facts(b.holding):
        match fact:
            case model.Compare(op=op, left=left, right=Const(value=bound)) if left == value and op != "=":
                high = min(high, bound - (op == "<"))
            case model.Compare(op=op, left=Const(value=bound), right=right) if right == value and op != "=":
                low = max(low, bound + (op == "<"))
            case model.Compare(op="=", left=left, right=Const(value=bound)) if left == value:
                low, high = max(low, bound), min(high, bound)
            case model.Not(value=model.Compare(op=op, left=left, right=Const(value=bound))) if left == value and op != "=":
                low = max(low, bound + (op == "<="))
            case model.Not(value=model.Compare(op=op, left=Const(value=bound), right=right)) if right == value and op != "=":
                high = min(high, bound - (op == "<="))
            case model.Not(value=model.Compare(op="=", left=left, right=Const(value=bound))) if left == value:
                low, high = low + (bound == low), high - (bound == high)
            case _:
                pass
    low, high = _as_printed(value, low, high, b)
    return (max(low, 0) if low == NONE and not _may_be_none(value, b) else low), high


def _as_printed(value: Expr, low: int, high: int, b: Builder) -> tuple[int, int]:
    """The range of what is printed on a component, where conditions on the same component hold: `kind of card is king`."""
    match value:
        case model.AttributeOf(attribute=attribute, of=model.VarValue(var=var)) if var.type.base == "component":
            fitting = [filters.static_values(fact, var, b) for fact in _facts(b.holding) if defines.uses(fact, var)]
            printed = b.components[var.type.of].kind.attribute(attribute)
            possible = [p for face, p in enumerate(printed) if all(fits is None or fits[face] for fits in fitting)]
            return (max(low, min(possible)), min(high, max(possible))) if possible else (low, high)
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


def _facts(conditions: Iterable[Expr]) -> Iterator[Expr]:
    """Conditions taken apart: ``A and B`` are two, and so is the opposite of ``A or B``."""
    todo = list(conditions)
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
    for fact in _facts(b.holding):
        match fact:
            case model.Not(value=model.Compare(op="=", left=left, right=Const(value=bound))) if left == value and bound == NONE:
                return False
            case _:
                pass
    match value:
        case model.AttributeOf(attribute=attribute, of=of):
            return NONE in b.components[of.type.of].kind.attribute(attribute) or _may_be_none(of, b)
        case model.VariableValue(name=name, owner=owner):
            return b.table.variables[name].type.optional or (owner is not None and _may_be_none(owner, b))
        case _:
            return True
