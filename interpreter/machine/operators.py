"""What does each operator mean, as a Python expression?

One table says it (`VALUES`, and `TESTS` where a condition needs only something true or false). From its lines, and from the
shapes of the operands, closures are made: a constant, a variable and an element picked by a variable stand in the expression
itself, anything else is a closure that is called. So ``count + 1`` is one Python call, not three. Python sees only the texts
of this file, never a text of the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal, cast

from attrs import frozen

from .bitsets import lowest, lowest_from
from .machine import OpName

Cells = list[int]
Value = Callable[[Cells], int]

VALUES: dict[OpName, str] = {
    "+": "{0} + {1}",
    "-": "{0} - {1}",
    "*": "{0} * {1}",
    "div": "{0} // {1}",
    "div up": "-(-{0} // {1})",
    "mod": "{0} % {1}",
    "min": "min({0}, {1})",
    "max": "max({0}, {1})",
    "=": "1 if {0} == {1} else 0",
    "<": "1 if {0} < {1} else 0",
    "<=": "1 if {0} <= {1} else 0",
    "and": "{0} and {1}",
    "or": "{0} or {1}",
    "not": "0 if {0} else 1",
    "if": "{1} if {0} else {2}",
    "union": "{0} | {1}",
    "intersect": "{0} & {1}",
    "minus": "{0} & ~{1}",
    "flip": "{0} ^ {1}",
    "bit": "1 << {0}",
    "has": "{0} >> {1} & 1",
    "count": "{0}.bit_count()",
    "first": "lowest({0})",
    "after": "lowest_from({0}, {1})",
    "left": "{0} << {1} & {2}",  # the third operand is the set of all bits that the set may have
    "right": "{0} >> {1}",
}

TESTS: dict[OpName, str] = {
    "=": "{0} == {1}",
    "<": "{0} < {1}",
    "<=": "{0} <= {1}",
    "not": "not {0}",
}

# How many operands each operator has; those of `CHAINED` may have more, and are then taken from left to right.
ARITY: dict[OpName, int] = {
    **{name: 1 + max(n for n in range(3) if f"{{{n}}}" in text) for name, text in VALUES.items()},
    "left": 2,
}
CHAINED: frozenset[OpName] = frozenset(("+", "*", "min", "max", "and", "or", "union", "intersect", "flip"))

Shape = Literal["constant", "variable", "element", "table", "closure"]

_SHAPES: dict[Shape, str] = {
    "constant": "a{i}",
    "variable": "cells[a{i}]",
    "element": "cells[a{i} + cells[b{i}]]",
    "table": "a{i}[cells[b{i}]]",
    "closure": "a{i}(cells)",
}


@frozen
class Operand:
    """An operand as a text of `_SHAPES` and what its names stand for: ``a`` a number, slot, table or closure; ``b`` a slot."""

    shape: Shape
    a: object
    b: int = 0


def closure(text: str, *operands: Operand) -> Value:
    """A Python function of the cells that computes ``text``, in which {0}, {1}, ... are the operands."""
    bound: list[object] = []
    for operand in operands:
        bound += (operand.a, operand.b)
    return _factory(text, tuple(operand.shape for operand in operands))(*bound)


@cache
def _factory(text: str, shapes: tuple[Shape, ...]) -> Callable[..., Value]:
    names = ", ".join(f"a{i}, b{i}" for i in range(len(shapes)))
    operands = [_SHAPES[shape].format(i=i) for i, shape in enumerate(shapes)]
    made = eval(f"lambda {names}: lambda cells: {text.format(*operands)}", {"lowest": lowest, "lowest_from": lowest_from})
    return cast("Callable[..., Value]", made)
