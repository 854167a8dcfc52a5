"""Ranges of expressions, whatever the names in them stand for.

The range of a name for a number covers all values that it is given: a `let` gives one value, a parameter of a step has a value at
each place that does the step, the argument of an option has the numbers between its two ends. Names need no declaration for it,
and nothing is tested while a game runs. (A define is a function for each range of its arguments: see `defines`.)
"""

from __future__ import annotations

from collections.abc import Iterable

from ....model import model
from ....model.model import Expr as ModelExpr
from ....model.model import Var
from ....model.visitor import walk, walk_statements
from ....table.table import Table
from ...machine import Load
from ..building.builder import Builder
from ..building.lowering import scalar_of
from ..building.values import LEAST, MOST, Binding, Bits, Env, Scalar


def given(parts: Iterable[model.Node], table: Table) -> dict[Var, list[ModelExpr]]:
    """What each name for a number is given in ``parts``."""
    found: dict[Var, list[ModelExpr]] = {}
    for node in (node for part in parts for node in walk_statements(part)):
        names: tuple[Var, ...] = ()
        values: tuple[ModelExpr, ...] = ()
        match node:
            case model.Let(var=var, value=value):
                names, values = (var,), (value,)
            case model.Argument(var=var, source=(low, high)):
                names, values = (var, var), (low, high)
            case model.Do(step=step, args=args):
                names, values = table.steps[step].parameters, args
            case _:
                pass
        for name, value in zip(names, values, strict=True):
            if name.type.base == "number":
                found.setdefault(name, []).append(value)
    return found


def range_of(node: ModelExpr, b: Builder) -> tuple[int, int]:
    """The least and the most of a number in any position; what is wrong with it is said where it is lowered."""
    return range_in(node, b, wide_env(node, b))


def range_in(node: ModelExpr, b: Builder, env: Env) -> tuple[int, int]:
    """The range of a number in one place, where names stand for what is known of them there."""
    said = len(b.found)
    found = scalar_of(node, b, env)
    del b.found[said:]
    return found.low, found.high


def range_of_name(var: Var, b: Builder) -> tuple[int, int]:
    """The least and the most that a name can stand for."""
    if var.type.base != "number":
        return b.span_of(var.type)
    if var not in b.ranges:
        b.ranges[var] = 0, 0  # what steps give each other in a circle, which is a finding of its own
        ends = [range_of(value, b) for value in b.given.get(var, ())] or [(LEAST, MOST)]
        b.ranges[var] = min(low for low, _ in ends), max(high for _, high in ends)
    return b.ranges[var]


def wide_env(node: ModelExpr, b: Builder) -> Env:
    """An environment in which every name of an expression can be anything that it ever stands for."""
    env: Env = {}
    for part in walk(node):
        if isinstance(part, model.VarValue) and part.type.is_set:
            width = b.width(part.type)
            env[part.var] = Binding(Bits(Load(b.local(part.var.name, width)), (1 << width) - 1, width))
        elif isinstance(part, model.VarValue) and part.var not in env:
            low, high = range_of_name(part.var, b)
            env[part.var] = Binding(Scalar(Load(b.local(part.var.name)), low, high))
    return env
