"""The meaning of each operator, as a Python expression.

One table holds it (`VALUES`, and `TESTS` where a condition needs only something true or false). Closures are made from its lines:
an operand stands in the expression itself, or, where that would be long, is a closure that is called. So ``3 * (count + 1)`` is
one Python call, not five. A text is compiled once, whatever slots and numbers are in it. Python sees only the texts of this file,
never a text of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import Any, cast

from attrs import frozen

from .bitsets import lowest, lowest_from
from .machine import OpName

Cells = list[int]
Value = Callable[[Cells], int]

SHORT = 60  # characters of an operand that stands in an expression: so texts and what is nested in them stay small, and few

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

_STORED, _CALLED = "cells[{}]", "{}(cells)"


@frozen
class Operand:
    """An expression as a ``text`` in which ``{}`` stands for each of ``bound``: numbers, slots, tables and closures."""

    text: str
    bound: tuple[object, ...]


def constant(value: object) -> Operand:
    """A number, or a table."""
    return Operand("{}", (value,))


def stored(slot: int) -> Operand:
    """What is stored in a slot."""
    return Operand(_STORED, (slot,))


def called(value: Callable[[Cells], object]) -> Operand:
    """What a closure gives."""
    return Operand(_CALLED, (value,))


def joined(text: str, *operands: Operand) -> Operand:
    """A text such as those of `VALUES`, in which {0}, {1}, ... are the operands, each of them once."""
    parts = [part if len(part.text) <= SHORT else called(closure(part)) for part in operands]
    bound = tuple(value for number in _order(text) for value in parts[number].bound)
    return Operand(text.format(*[f"({part.text})" for part in parts]), bound)


@cache
def _order(text: str) -> tuple[int, ...]:
    """In which order the operands stand in a text."""
    return tuple(map(int, re.findall(r"{(\d)}", text)))


def closure(operand: Operand) -> Value:
    """A Python function of the cells that computes an operand."""
    if operand.text == _STORED:
        return cast("Value", itemgetter(*operand.bound))
    if operand.text == _CALLED:
        return cast("Value", operand.bound[0])
    return cast("Value", _factory(f"return {operand.text}")(*operand.bound))


def assigned(slot: int, operand: Operand) -> Callable[[Cells], None]:
    """A Python function of the cells that stores in a slot what an operand gives."""
    made: Callable[[Cells], None] = _factory(f"cells[{{}}] = {operand.text}")(slot, *operand.bound)
    return made


@cache
def _factory(line: str) -> Callable[..., Any]:
    """What makes functions that do a line of Python, from what stands for each ``{}`` in it."""
    names = [f"a{number}" for number in range(line.count("{}"))]
    found: dict[str, Any] = {"lowest": lowest, "lowest_from": lowest_from}
    exec(f"def make({', '.join(names)}):\n def made(cells): {line.format(*names)}\n return made", found)
    made: Callable[..., Any] = found["make"]
    return made
