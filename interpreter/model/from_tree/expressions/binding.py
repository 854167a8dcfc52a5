"""The entry points of binding: an expression's meaning, and its meaning where a certain type is wanted.

`expression` gives every expression of the tree its meaning. The modules beside this one say what each kind of node means, and
register it here; so they can ask for the meaning of what stands inside a node, and none of them imports another that imports it.
"""

from __future__ import annotations

from functools import singledispatch

from ....syntax import tree
from ...model import NUMBER, TRUTH, Expr, Type
from ..names.scope import Scope, unclear
from ..names.types import as_number, as_set, as_word, fits
from .cells import lying_on


@singledispatch
def expression(node: tree.Expression, scope: Scope, expected: Type | None = None) -> Expr:
    """The meaning of an expression; ``expected`` helps with words that stand in several lists.

    After a fault the expression is of the unknown type, which fits everywhere: one fault, one message.
    """
    raise AssertionError(f"no module says what this means: {node}")


def wanted(node: tree.Expression, scope: Scope, type: Type, belonging: str = "") -> Expr:
    """The meaning of an expression that must be of a type (none is let through: it is asked about when the game runs).

    ``belonging``: the name that stands before it and `of`.
    """
    return fitted(expression(node, scope, type), scope, type, belonging)


def fitted(value: Expr, scope: Scope, type: Type, belonging: str = "") -> Expr:
    """A value as one of a type, or a finding if it cannot be one (see `wanted`)."""
    if type.is_set:
        value = as_set(value, scope)
    elif type.required == NUMBER:
        value = as_number(value, scope)
    elif type.base == "word":
        value = as_word(value, type, scope)
    elif type.base == "component" and value.type.base == "cell" and not value.type.is_set:
        value = lying_on(value, type.of, scope)
    return value if fits(value, type, scope, belonging) else unclear(value.span)


def belonging(thing: Expr, type: Type) -> Type:
    """The type of what belongs to a thing: ``X of none`` is none."""
    return type.maybe if thing.type.optional else type


def number(node: tree.Expression, scope: Scope) -> Expr:
    return wanted(node, scope, NUMBER)


def truth(node: tree.Expression, scope: Scope) -> Expr:
    return wanted(node, scope, TRUTH)
