"""Lowers defines: a short one is inlined, a longer one becomes a function."""

from __future__ import annotations

from collections.abc import Callable

from ....common.intervals import or_none
from ....model import model
from ....model.model import Expr as ModelExpr
from ....model.model import Var
from ....model.visitor import substituted, walk, with_parts
from ...machine import Const, Function, Invoke, Load, Return
from .builder import LAID_WAY, Builder
from .lowering import lower, numbers_of, of_type, required, with_none
from .values import Binding, Bits, Env, Scalar, Value, op, with_expr

SHORT = 9  # nodes of a define that is written out where it is used; longer ones are functions


def apply(node: model.Apply, b: Builder, env: Env) -> Value:
    """A define at its arguments: written out when short, else a function."""
    define = b.table.defines[node.define]
    on_a_grid = any(b.on_players_grid(v.type) for v in define.parameters)
    if (on_a_grid or LAID_WAY in env) and not of_none(node, b):  # a function would not know whose cells they are, or what is laid
        return lower(at(define, node.args), b, env)
    simple = all(isinstance(a, model.VarValue | model.Const) for a in node.args) and not of_none(node, b)
    if simple and _is_short(define):
        return lower(at(define, node.args), b, env)
    args = [
        required(a, b, env) if v.type == model.NUMBER else lower(a, b, env)
        for a, v in zip(node.args, define.parameters, strict=True)
    ]
    function, result = _function(define, args, b)
    result, type = with_expr(result, Invoke(function, tuple(a.expr for a in args))), define.value.type
    for arg, var in zip(args, define.parameters, strict=True):
        if isinstance(arg, Scalar) and arg.low < 0 and not var.type.optional and var.type.base != "number":
            # of none: none, and of a set or a yes/no: empty, no
            nothing = 0
            if isinstance(result, Scalar) and node.type.base != "truth":
                nothing, _ = or_none(numbers_of(result, type))
                result, type = with_none(result, type, nothing, b), node.type
            result = with_expr(result, op("if", op("<", arg.expr, Const(0)), Const(nothing), result.expr))
    return result if isinstance(result, Bits) else of_type(result, node.type, type.optional)


def _is_short(define: model.Define) -> bool:
    """Whether a define is written out where it is used; a place in a ranking is asked once for each prize, and takes a loop."""
    return not isinstance(define.value, model.PlaceOf) and sum(1 for _ in walk(define.value)) <= SHORT


def of_none(node: model.Apply, b: Builder) -> bool:
    """Whether a define may be asked of none."""
    parameters = b.table.defines[node.define].parameters
    return any(a.type.optional and not v.type.optional for a, v in zip(node.args, parameters, strict=True))


def _function(define: model.Define, args: list[Value], b: Builder) -> tuple[str, Value]:
    """The function of a define for the ranges of the numbers that it is given, and what is known of its value."""
    given = zip(args, define.parameters, strict=True)
    spans = [_ends(value) if var.type == model.NUMBER else b.span_of(var.type) for value, var in given]
    key = define.name, tuple(spans)
    if key not in b.results:
        name = b.fresh(define.name)
        parameters = tuple(b.local(var.name) for var in define.parameters)
        known = zip(define.parameters, parameters, spans, strict=True)
        value = lower(define.value, b, {var: Binding(Scalar(Load(local), *ends)) for var, local, ends in known})
        width = b.width(define.value.type) if isinstance(value, Bits) else 0
        b.functions[name] = Function(name, parameters, width, (Return(value.expr),))
        b.results[key] = name, value
    return b.results[key]


def _ends(value: Value) -> tuple[int, int]:
    assert isinstance(value, Scalar)
    return value.low, value.high


def at(define: model.Define, args: tuple[ModelExpr, ...]) -> ModelExpr:
    """A define's value with its arguments in the places of its parameters."""
    return substituted(define.value, dict(zip(define.parameters, args, strict=True)))


def parts_changed(node: ModelExpr, change: Callable[[ModelExpr], ModelExpr]) -> ModelExpr:
    """An expression with each expression right below it changed."""

    def in_part(part: model.Node) -> model.Node:
        return change(part) if isinstance(part, model.Typed) else with_parts(part, in_part)  # type: ignore[arg-type]

    return with_parts(node, in_part)


def written_out(node: ModelExpr, b: Builder) -> ModelExpr:
    """An expression with every define written out."""
    match node:
        case model.Apply(define=define, args=args) if not of_none(node, b):
            return written_out(at(b.table.defines[define], args), b)
        case _:
            return parts_changed(node, lambda part: written_out(part, b))


def uses(node: model.Node, var: Var) -> bool:
    """Whether an expression depends on a name."""
    return any(isinstance(n, model.VarValue) and n.var is var for n in walk(node))
