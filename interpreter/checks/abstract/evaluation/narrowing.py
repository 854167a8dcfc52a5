"""Narrows an abstract position to the part in which a condition holds, or fails.

A condition that is not understood leaves the position as it is. A condition that cannot hold there makes the position impossible
(False).
"""

from __future__ import annotations

from ....common.intervals import NONE, Interval, meet, or_none
from ....model import model
from ....model.model import Expr
from ..domain.states import AbstractState, narrowed
from ..domain.values import MOST, NO, NOBODY, YES, Group, opposite
from .evaluator import Evaluator

# Of what a condition compares, that about which it says something that can be put into a position.
KEPT = (model.VariableValue, model.VarValue, model.Count, model.Apply, model.ZoneContent, model.Join, model.Filter)


def where(node: Expr, holds: bool, at: AbstractState, evaluator: Evaluator, known: Interval | None = None) -> bool:
    """Put what a condition says into a position. False: it cannot hold (or fail) there.

    ``known``: whether it holds, where that has been asked.
    """
    if known is not None and known[0] == known[1]:
        return bool(known[0]) == holds
    with evaluator.unsure():
        return _where(node, holds, evaluator.number(node, at) if known is None else known, at, evaluator)


def _where(node: Expr, holds: bool, known: Interval, at: AbstractState, evaluator: Evaluator) -> bool:
    if known[0] == known[1]:
        return bool(known[0]) == holds
    match node:
        case model.Not(value=inner):
            return _where(inner, not holds, opposite(known), at, evaluator)
        case model.Logic(op=op, left=left, right=right):
            if holds == (op == "and"):
                return where(left, holds, at, evaluator) and where(right, holds, at, evaluator)
            for one, other in ((left, right), (right, left)):
                if evaluator.number(one, at) == ((1, 1) if op == "and" else (0, 0)):
                    return where(other, holds, at, evaluator)
        case model.Apply():
            return _where(evaluator.meaning(node, at), holds, known, at, evaluator)
        case model.Some(of=of):
            return _with_count(of, (1, MOST) if holds else NO, at, evaluator)
        case model.Compare(left=left, right=right) if isinstance(left, KEPT) or isinstance(right, KEPT):
            return _comparing(node, holds, at, evaluator)
        case model.VariableValue() | model.VarValue():
            return _between(node, YES if holds else NO, at, evaluator)
        case _:
            pass
    return True


def _comparing(node: model.Compare, holds: bool, at: AbstractState, evaluator: Evaluator) -> bool:
    left, right = evaluator.value(node.left, at), evaluator.value(node.right, at)
    if isinstance(left, Group) and isinstance(right, Group) and node.op == "=":
        for side, other in ((node.left, right), (node.right, left)):
            if other.count == NO and not _with_count(side, NO if holds else (1, MOST), at, evaluator):
                return False
        return True
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return True
    if node.op == "=":
        if holds:
            return _between(node.left, _asked(right, node.left, node.right), at, evaluator) and _between(
                node.right, _asked(left, node.right, node.left), at, evaluator
            )
        for side, mine, (low, high) in ((node.left, left, right), (node.right, right, left)):
            if low == high and low in mine and (low >= 0 or mine[0] >= NONE or not side.type.optional):
                rest = (low + 1, MOST) if low == mine[0] else (-MOST, low - 1)
                if not _between(side, rest, at, evaluator):
                    return False
        return True
    less = 1 if node.op == "<" else 0
    if holds:
        none = [0 if side.type.optional and mine[0] >= NONE else -MOST for side, mine in ((node.left, left), (node.right, right))]
        return _between(node.left, (none[0], right[1] - less), at, evaluator) and _between(
            node.right, (max(none[1], left[0] + less), MOST), at, evaluator
        )
    if node.left.type.optional or node.right.type.optional:
        return True
    return _between(node.left, (right[0] + 1 - less, MOST), at, evaluator) and _between(
        node.right, (-MOST, left[1] - 1 + less), at, evaluator
    )


def _asked(other: Interval, mine: Expr, theirs: Expr) -> Interval:
    """Between what a value lies that is equal to another: of what may be none, the low end is none where numbers go below 0."""
    return or_none(other) if mine.type.optional and not theirs.type.optional and other[0] < 0 else other


def _between(node: Expr, bounds: Interval, at: AbstractState, evaluator: Evaluator) -> bool:
    match node:
        case model.VariableValue(name=name, owner=owner):
            whose = (NOBODY, NOBODY) if owner is None else evaluator.value(owner, at)
            if isinstance(whose, tuple):
                seat, last = whose
                if seat == last and (name, seat) in at.variables:
                    return narrowed(at.variables, (name, seat), bounds)
        case model.VarValue(var=var) if isinstance(known := at.names.get(var), tuple):
            found = meet(known, bounds)
            if found is None:
                return False
            at.names[var] = found
        case model.Count(of=of):
            return _with_count(of, bounds, at, evaluator)
        case model.Apply():
            return _between(evaluator.meaning(node, at), bounds, at, evaluator)
        case _:
            pass
    return True


def _with_count(node: Expr, bounds: Interval, at: AbstractState, evaluator: Evaluator) -> bool:
    """Narrow a position to those in which a set (or a slot) has a number of members within bounds. False: there is none."""
    match node:
        case model.ZoneContent():
            places = evaluator.whole(node, at)
            if len(places) == 1 or bounds[1] == 0:
                return all(narrowed(at.content, place, bounds) for place in places)
        case model.Apply():
            return _with_count(evaluator.meaning(node, at), bounds, at, evaluator)
        case model.Join(left=left, right=right) if bounds[1] == 0:
            return _with_count(left, bounds, at, evaluator) and _with_count(right, bounds, at, evaluator)
        case model.Filter(of=of) if bounds[0] > 0:
            return _with_count(of, (bounds[0], MOST), at, evaluator)
        case _:
            pass
    return True
