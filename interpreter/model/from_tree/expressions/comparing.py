"""Binds comparisons and memberships."""

from __future__ import annotations

from typing import assert_never

from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, TRUTH, Const, Expr, Type
from ..names.scope import Scope
from ..names.types import as_number, as_set, fits


def comparison(op: tree.CompareOp, a: Expr, b: Expr, scope: Scope, span: Span) -> Expr:
    match op:
        case "is" | "is not":
            return negate_if(op == "is not", _equal(a, b, scope, span), span)
        case "<" | "at most":
            a, b = _ordered(a, b, scope)
            return model.Compare("<" if op == "<" else "<=", a, b, type=TRUTH, span=span)
        case ">" | "at least":
            a, b = _ordered(a, b, scope)
            return model.Compare("<" if op == ">" else "<=", b, a, type=TRUTH, span=span)
        case _:
            assert_never(op)


def _equal(a: Expr, b: Expr, scope: Scope, span: Span) -> Expr:
    if isinstance(b, Const) and b.type.is_set and b.value == 0:  # is empty
        if a.type.is_set:
            return model.Not(some(a, span), type=TRUTH, span=span)
        if a.type.base in ("number", "truth"):
            fits(a, Type("component", "component").set, scope)
        elif isinstance(a, model.VarValue) and not a.type.optional and a.type.base != "unknown":
            written = a.span.text
            help = f"ask whether nothing lies on it: `{written} in empty cells of {a.type.of}`" if a.type.base == "cell" else ""
            scope.complain("R204", f"`{written}` is one {a.type.noun}, and never empty", a.span, help=help)
        return model.Compare("=", a, Const(-1, type=a.type, span=b.span), type=TRUTH, span=span)
    if a.type.required != b.type.required:
        a, b = as_number(a, scope), as_number(b, scope)
    if a.type.is_set != b.type.is_set and not any(x.type.base in ("number", "truth") for x in (a, b)):
        a, b = as_set(a, scope), as_set(b, scope)
    if fits(b, a.type.wide, scope):
        for one, other in ((a, b), (b, a)):
            if other.type == NUMBER and isinstance(one, Const) and one.type.optional:
                scope.complain("R204", f"`{other.span.text}` is a number, and never none", other.span)
    return model.Compare("=", a, b, type=TRUTH, span=span)


def _ordered(a: Expr, b: Expr, scope: Scope) -> tuple[Expr, Expr]:
    numbers = scope.numbers_of(a.type)
    if a.type.required != b.type.required or list(numbers) != sorted(numbers):
        a, b = as_number(a, scope), as_number(b, scope)
    if a.type.base == "word":
        fits(b, a.type, scope)
    elif fits(a, NUMBER, scope):
        fits(b, NUMBER, scope)
    return a, b


def one_of(value: Expr, choices: list[Expr], scope: Scope, span: Span) -> Expr:
    """``x in (1, 2, 3)``: numbers are compared one by one."""
    found: Expr = Const(0, type=TRUTH, span=span)
    for choice in choices:
        found = model.Logic("or", found, _equal(value, choice, scope, span), type=TRUTH, span=span)
    return found


def some(members: Expr, span: Span) -> Expr:
    return model.Some(members, type=TRUTH, span=span)


def negate_if(negated: bool, value: Expr, span: Span) -> Expr:
    return model.Not(value, type=TRUTH, span=span) if negated else value
