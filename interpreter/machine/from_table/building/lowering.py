"""The entry points of lowering: the code of an expression, of a set, of a block of statements.

The modules beside this one say how each kind is lowered, and register it here. So each of them can lower what stands inside a
node, and none imports another that imports it.
"""

from __future__ import annotations

from functools import singledispatch

from ....common.nouns import with_article
from ....model.model import Expr as ModelExpr
from ...machine import NONE, Const, If, Invoke, Load, Return
from .builder import Builder
from .values import Bits, Env, Scalar, Value, op, scalar


@singledispatch
def scalar_of(node: ModelExpr, b: Builder, env: Env) -> Scalar:
    """The code of an expression that is no set."""
    raise AssertionError(f"no module lowers this: {node}")


@singledispatch
def bits_of_set(node: ModelExpr, b: Builder, env: Env) -> Bits:
    """The code of a set."""
    raise AssertionError(f"no module lowers this: {node}")


def lower(node: ModelExpr, b: Builder, env: Env) -> Value:
    """The code of an expression of any type."""
    return bits_of_set(node, b, env) if node.type.is_set else scalar_of(node, b, env)


def required(node: ModelExpr, b: Builder, env: Env) -> Scalar:
    """The code of an expression that is needed: where it may be none, none stops the game."""
    return not_none(scalar_of(node, b, env), node, b)


def not_none(value: Scalar, node: ModelExpr, b: Builder) -> Scalar:
    """The value of ``node``, for which none stops the game."""
    if not node.type.optional or value.low >= 0:
        return value
    if value.constant == NONE:
        b.complain("R301", f"{with_article(node.type.noun)} is needed, and this is none", node.span)
        return scalar(0)
    parameter = b.local(node.type.noun)
    failing = b.stop(
        "R610",
        node.span,
        f"`{node.span.text}` is none, and {with_article(node.type.noun)} is needed",
        help="ask first: `if ... is not none`",
    )
    body = (If(op("=", Load(parameter), Const(NONE)), (failing,)), Return(Load(parameter)))
    name = b.made(f"{node.type.noun}, not none", (parameter,), 0, body)
    return Scalar(Invoke(name, (value.expr,)), max(0, value.low), max(0, value.high))


def check_not_ambiguous_with_none(low: int, node: ModelExpr, b: Builder) -> None:
    """A finding where a number can be none, which is -1 in code, and can be below 0 as well."""
    if low < 0 and node.type.base == "number":
        b.complain(
            "R229",
            f"`{node.span.text}` can be none, and it can be a number below 0",
            node.span,
            help="let its numbers begin at 0, so that the two can be told apart",
        )
