"""The width in bits of a set expression.

The operators name no width: it follows from the variables, tables and functions in the expression. A constant and a single
``bit`` take the width of what stands beside them; an expression of these alone has no width of its own (0), and ``left`` may not
be applied to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from ..machine import Const, Expr, Function, Invoke, Load, Lookup, Op


def bits_of(expr: Expr, functions: Mapping[str, Function]) -> int:
    """The number of bits of a set expression: 0 for a number, and where nothing in it has a width."""
    match expr:
        case Const():
            return 0
        case Load(variable=variable):
            return variable.bits
        case Lookup(table=table):
            return table.bits
        case Invoke(function=function):
            return functions[function].bits
        case Op(name=name, args=args):
            match name:
                case "union" | "intersect" | "minus" | "flip":
                    return max(bits_of(part, functions) for part in args)
                case "if":
                    return max(bits_of(args[1], functions), bits_of(args[2], functions))
                case "left" | "right":
                    return bits_of(args[0], functions)
                case (
                    "+" | "-" | "*" | "div" | "div up" | "mod" | "min" | "max" | "=" | "<" | "<=" | "and" | "or" | "not"
                    | "bit" | "has" | "count" | "first" | "after"
                ):  # fmt: skip
                    return 0
                case _:
                    assert_never(name)
        case _:
            assert_never(expr)
