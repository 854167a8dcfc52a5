"""The entry points of lowering: the code of an expression, of a set, of a block of statements.

The modules beside this one say how each kind is lowered, and register it here. So each of them can lower what stands inside a
node, and none imports another that imports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from ....common.intervals import Interval, join_all, or_none, without_none
from ....common.nouns import with_article
from ....model.model import Expr as ModelExpr
from ....model.model import Type
from ...machine import Const, If, Invoke, Load, Return
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
    if value.constant == value.none:
        b.complain("R301", f"{with_article(node.type.noun)} is needed, and this is none", node.span)
        return scalar(0)
    parameter = b.local(node.type.noun)
    failing = b.stop(
        "R610",
        node.span,
        f"`{node.span.text}` is none, and {with_article(node.type.noun)} is needed",
        help="ask first: `if ... is not none`",
    )
    body = (If(op("=", Load(parameter), Const(value.none)), (failing,)), Return(Load(parameter)))
    name = b.made(f"{node.type.noun}, not none", (parameter,), 0, body)
    return Scalar(Invoke(name, (value.expr,)), *(without_none(value.range) or (0, 0)))


def alike(values: Sequence[tuple[Scalar, Type]], b: Builder) -> list[Scalar]:
    """Values of some types, of which one is taken or two are compared: none is the same number in all of them."""
    if not any(type.optional and value.low < 0 for value, type in values):
        return [value for value, _ in values]
    numbers = [found for value, type in values if (found := numbers_of(value, type)) is not None]
    none, _ = or_none(join_all(numbers) if numbers else None)
    return [with_none(value, type, none, b) for value, type in values]


def with_none(value: Scalar, type: Type, none: int, b: Builder) -> Scalar:
    """A value of a type as one that may be none, with a number for none that is below all of its numbers."""
    low, high = min(none, value.low), max(none, value.high)
    if not type.optional or value.low >= 0 or value.none == none:
        return Scalar(value.expr, low, high)
    if isinstance(value.expr, Const):
        return Scalar(Const(none) if value.constant == value.none else value.expr, low, high)
    parameter = b.local(type.noun)
    known = op("=", Load(parameter), Const(value.none))
    name = b.made(f"{type.noun}, {none} for none", (parameter,), 0, (Return(op("if", known, Const(none), Load(parameter))),))
    return Scalar(Invoke(name, (value.expr,)), none, high)


def of_type(value: Scalar, type: Type, optional: bool) -> Scalar:
    """A value as one of a type that may be none where the value cannot (not ``optional``): its low end is no number below 0."""
    if optional or not type.optional or value.low >= 0:
        return value
    return Scalar(value.expr, *or_none(value.range))


def numbers_of(value: Scalar, type: Type) -> Interval | None:
    """Between which numbers a value of a type is, none left out; None where it is none."""
    return without_none(value.range) if type.optional else value.range
