"""What do the rules around a place guarantee there?

A lookup that may miss is worth a warning, unless the rules exclude it: ``if trump is not empty: set pot to strength of trump``.
The conditions that lead to a place are remembered while it is lowered (`Builder.holding`), and asked here. They only silence
warnings; what is checked while a game runs does not depend on them, for a statement in between may have changed things.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model import model
from ...model.model import TRUTH, Const, Expr
from ..machine import NONE
from .builder import Builder


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
    return (max(low, 0) if low == NONE and not _may_be_none(value, b) else low), high


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
