"""Generates random expressions of a machine, each with bounds on its value.

A number is made with its range, so that nothing leaves 32 bits, no index its table, and no divisor is 0. A set is made for a
width: no part of it is wider, and `Expressions.sized` gives one that names a width, as some operators want it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from attrs import frozen
from hypothesis import strategies as st
from rulesrun.interpreter.machine.analysis.widths import bits_of
from rulesrun.interpreter.machine.machine import (
    Const,
    Constants,
    Expr,
    Field,
    Invoke,
    Load,
    Local,
    Lookup,
    OpName,
)
from rulesrun.interpreter.machine.random_streams import mix64

from ..machine.tables import Build, op
from .drawing import Drawing

LEAST, MOST = -(1 << 31), (1 << 31) - 1
WIDTHS = (1, 2, 5, 8, 9, 16, 17, 31, 32, 33, 40, 63, 64, 65, 100, 127, 128, 129, 191, 192, 256, 320, 511, 700)
EDGES = (LEAST, LEAST + 1, -(1 << 16), -256, -129, -128, -7, -3, -2, -1, 0, 1, 2, 3, 7, 127, 255, 256, 1 << 16, MOST - 1, MOST)
DIVISORS = ((1, 1), (2, 2), (3, 3), (7, 7), (64, 64), (1, 9), (1, MOST), (-1, -1), (-3, -3), (-9, -1), (LEAST, -1))
SHIFTS = (0, 1, 3, 8, 31, 32, 63, 64, 65, 100, 127, 128, 192, 256, 512)


@frozen
class Range:
    """What a number can be: ``low..high``, both within 32 bits."""

    low: int
    high: int


Shape = Range | int  # what a value is: a number, or a set of so many bits


@frozen
class Number:
    """A number's expression and what it can be."""

    expr: Expr
    low: int
    high: int


@frozen
class Signature:
    """What a function or routine takes. ``faults``: whether a `Fail` is in it or below it. ``level``: how deep it calls."""

    name: str
    parameters: tuple[Shape, ...]
    result: Shape
    faults: bool
    level: int


class Expressions(Drawing):
    """Draws expressions of what is known at a place: fields, tables, functions, and the locals in ``scope``."""

    def __init__(self, draw: st.DrawFn) -> None:
        super().__init__(draw)
        self.build = Build(self.pick((2, 1, 3, 5)))
        self.widths = sorted({self.pick(WIDTHS) for _ in range(self.upto(1, 4))} | {self.build.seats})
        self.ranges: dict[Field | Local, Range] = {}
        self.tables: list[Constants] = []
        self.functions: list[Signature] = []
        self.scope: list[Local] = []
        self.expressions = 0  # how many may still come in this function or routine; after that only the simplest
        self.plain = False  # whether nothing may fault now
        self.faults = False  # whether something may, in this function or routine
        self.level = 0  # how deep it calls

    def shaped(self, shape: Shape, depth: int) -> Expr:
        return self.sets(shape, depth) if isinstance(shape, int) else self.within(shape.low, shape.high, depth)

    def constant(self, low: int, high: int) -> int:
        """A number of the range: at an edge, or anywhere."""
        near = [n for n in (*EDGES, low, high, low + 1, high - 1) if low <= n <= high]
        if low > 9_999 or self.maybe():
            return self.pick(near)
        return self.upto(max(low, -9_999), min(high, 9_999))

    def within(self, low: int, high: int, depth: int) -> Expr:
        """A number ``low..high``."""
        if low == high or self.once_in(6):
            return Const(self.constant(low, high))
        return self.fit(self.number(depth), low, high)

    def fit(self, number: Number, low: int, high: int) -> Expr:
        """A number brought into a range: cut off, or counted round."""
        if low <= number.low and number.high <= high:
            return number.expr
        size = high - low + 1
        if size > MOST or self.maybe():
            found = op("min", number.expr, high) if number.high > high else number.expr
            return op("max", found, low) if number.low < low else found
        turned = op("mod", number.expr, size)
        return op("+", turned, low) if low else turned

    def number(self, depth: int) -> Number:
        """Any number of 32 bits."""
        self.expressions -= 1
        leaf = depth <= 0 or self.expressions < 0
        kind = self.upto(0, 3 if leaf else 21)
        if kind == 0:
            value = self.constant(LEAST, MOST)
            return Number(Const(value), value, value)
        if kind <= 3:
            return self.loaded(depth)
        match kind:
            case 4 | 5 | 6:
                return self.combined("+", depth)
            case 7 | 8:
                return self.combined("-", depth)
            case 9:
                return self.combined("*", depth)
            case 10 | 11 | 12:
                return self.divided(self.pick(("div", "div up", "mod")), depth)
            case 13:
                return self.extreme(self.pick(("min", "max")), depth)
            case 14:
                condition, then, otherwise = self.test(depth - 1), self.number(depth - 1), self.number(depth - 1)
                both = op("if", condition, then.expr, otherwise.expr)
                return Number(both, min(then.low, otherwise.low), max(then.high, otherwise.high))
            case 15:
                width = self.pick(self.widths)
                if self.once_in(3):  # a set without a width of its own
                    bits = [op("bit", self.within(0, width - 1, depth - 1)) for _ in range(self.upto(2, 3))]
                    return Number(op("count", op("union", *bits)), 1, len(bits))
                return Number(op("count", self.sized(width, depth - 1)), 0, width)
            case 16:
                width = self.pick(self.widths)
                return Number(op("first", self.sized(width, depth - 1)), -1, width - 1)
            case 17:
                width = self.pick(self.widths)
                return Number(op("after", self.sized(width, depth - 1), self.within(0, width, depth - 1)), -1, width - 1)
            case 18 | 19:
                return self.looked_up(depth)
            case 20:
                return self.invoked(depth)
            case _:
                return Number(self.test(depth - 1), 0, 1)

    def loaded(self, depth: int) -> Number:
        """A variable; an element is picked by anything that can be one."""
        known: list[Field | Local] = [local for local in self.scope if not local.bits]
        known += [field for field in self.build.fields if not field.bits]
        if not known:
            return Number(Const(1), 1, 1)
        variable = self.pick(known)
        held = self.ranges[variable]
        length = variable.length if isinstance(variable, Field) else 1
        index = self.within(0, length - 1, depth - 1) if length > 1 else None
        return Number(Load(variable, index), held.low, held.high)

    def combined(self, name: OpName, depth: int) -> Number:
        """A sum, difference or product, of more than two now and then."""
        parts = [self.number(depth - 1), self.number(depth - 1)]
        if name != "-" and self.once_in(4):
            parts.append(self.number(0))
        found = _chain(name, parts)
        if found is None:
            bound = 1_000 if name == "*" else MOST // 4
            found = _chain(name, [self.bounded(part, -bound, bound) for part in parts])
        assert found is not None
        return found

    def bounded(self, number: Number, low: int, high: int) -> Number:
        """A number brought into a range, where it could be outside."""
        if low <= number.low and number.high <= high:
            return number
        return Number(self.fit(number, low, high), low, high)

    def divided(self, name: OpName, depth: int) -> Number:
        """A quotient or remainder, by what is never 0 and often negative."""
        whole = self.number(depth - 1)
        low, high = self.pick(DIVISORS)
        by = self.within(low, high, depth - 1)
        if name == "mod":
            return Number(op(name, whole.expr, by), 0 if low > 0 else low + 1, high - 1 if low > 0 else 0)
        least, most = _bounds(name, whole.low, whole.high, low, high)
        if most > MOST:  # the least number by -1
            whole = self.bounded(whole, -MOST, MOST)
            least, most = _bounds(name, whole.low, whole.high, low, high)
        return Number(op(name, whole.expr, by), least, most)

    def extreme(self, name: OpName, depth: int) -> Number:
        parts = [self.number(depth - 1) for _ in range(self.upto(2, 3))]
        low, high = parts[0].low, parts[0].high
        for part in parts[1:]:
            better = min if name == "min" else max
            low, high = better(low, part.low), better(high, part.high)
        return Number(op(name, *(part.expr for part in parts)), low, high)

    def looked_up(self, depth: int) -> Number:
        tables = [table for table in self.tables if not table.bits]
        if not tables:
            return self.loaded(depth)
        table = self.pick(tables)
        found = Lookup(table, self.within(0, len(table.values) - 1, depth - 1))
        return Number(found, min(table.values), max(table.values))

    def invoked(self, depth: int) -> Number:
        able = [known for known in self.invocable() if isinstance(known.result, Range)]
        if not able:
            return self.loaded(depth)
        function = self.pick(able)
        result = cast("Range", function.result)
        return Number(self.invoke(function, depth), result.low, result.high)

    def invocable(self) -> list[Signature]:
        return [known for known in self.functions if known.level < 2 and not (self.plain and known.faults)]

    def invoke(self, function: Signature, depth: int) -> Expr:
        self.faults |= function.faults
        self.level = max(self.level, function.level + 1)
        return Invoke(function.name, tuple(self.shaped(shape, depth - 1) for shape in function.parameters))

    def test(self, depth: int) -> Expr:
        """A condition."""
        self.expressions -= 1
        kind = 0 if depth <= 0 or self.expressions < 0 else self.upto(0, 8)
        match kind:
            case 0 | 1 | 2:
                name: OpName = self.pick(("<", "<=", "="))
                return op(name, self.number(depth - 1).expr, self.number(depth - 1).expr)
            case 3:
                one = self.sized(self.pick(self.widths), depth - 1)
                other = self.sets(bits_of(one, self.build.functions), depth - 1)  # its bits stand beside a set that can hold them
                return op("=", one, other) if self.maybe() else op("=", other, one)
            case 4:
                width = self.pick(self.widths)
                if self.once_in(3):  # the bit may be above all that the constant has
                    return op("has", self.constant_set(width), self.within(0, width - 1, depth - 1))
                return op("has", self.sized(width, depth - 1), self.within(0, width - 1, depth - 1))
            case 5 | 6:
                joined: OpName = self.pick(("and", "or"))
                return op(joined, *(self.test(depth - 1) for _ in range(self.upto(2, 3))))
            case 7:
                return op("not", self.test(depth - 1))
            case _:
                return op("if", self.test(depth - 1), self.test(depth - 1), self.test(depth - 1))

    def constant_set(self, width: int) -> Const:
        return Const(pattern(width, mix64(self.upto(0, 40))))

    def sets(self, width: int, depth: int) -> Expr:
        """A set of at most so many bits, perhaps one that names no width."""
        self.expressions -= 1
        kind = self.upto(0, 2) if depth <= 0 or self.expressions < 0 else self.upto(0, 6)
        match kind:
            case 0:
                return self.constant_set(width)
            case 1:
                return op("bit", self.within(0, width - 1, depth - 1))
            case 2:
                return self.sized(width, depth)
            case 3 | 4:
                name: OpName = self.pick(("union", "intersect", "minus", "flip"))
                more = 3 if name != "minus" and self.once_in(4) else 2
                return op(name, *(self.sets(width, depth - 1) for _ in range(more)))
            case 5:
                return op("if", self.test(depth - 1), self.sets(width, depth - 1), self.sets(width, depth - 1))
            case _:
                moved = self.sized(width, depth - 1)
                by = self.pick([n for n in (*SHIFTS, width - 1, width, width + 1) if n <= width + 64])
                name = "left" if self.maybe() and bits_of(moved, self.build.functions) else "right"
                return op(name, moved, by)

    def sized(self, width: int, depth: int) -> Expr:
        """A set of at most so many bits that names a width."""
        self.expressions -= 1
        known: list[Field | Local] = [local for local in self.scope if 0 < local.bits <= width]
        known += [field for field in self.build.fields if 0 < field.bits <= width]
        same = [variable for variable in known if variable.bits == width]
        tables = [table for table in self.tables if 0 < table.bits <= width]
        functions = [f for f in self.invocable() if isinstance(f.result, int) and 0 < f.result <= width] if depth > 0 else []
        kinds = ["variable"] * 3 * bool(known) + ["table"] * bool(tables) + ["function"] * bool(functions)
        if not kinds:
            return Lookup(Constants(f"sets of {width}", (0, 1, (1 << width) - 1), width), self.within(0, 2, depth - 1))
        match self.pick(kinds):
            case "variable":
                variable = self.pick(same if same and not self.once_in(5) else known)
                length = variable.length if isinstance(variable, Field) else 1
                return Load(variable, self.within(0, length - 1, depth - 1) if length > 1 else None)
            case "table":
                table = self.pick(tables)
                return Lookup(table, self.within(0, len(table.values) - 1, depth - 1))
            case _:
                return self.invoke(self.pick(functions), depth)


def _chain(name: OpName, parts: Sequence[Number]) -> Number | None:
    """The sum, difference or product of numbers; None where it could leave 32 bits on the way."""
    low, high = parts[0].low, parts[0].high
    for part in parts[1:]:
        low, high = _bounds(name, low, high, part.low, part.high)
        if not (LEAST <= low <= high <= MOST):
            return None
    return Number(op(name, *(part.expr for part in parts)), low, high)


def pattern(width: int, word: int) -> int:
    """A set of so many bits: all or none, one, every n-th, a stretch, or any, by a random word."""
    every = (1 << width) - 1
    kind, rest = word % 8, word // 8
    match kind:
        case 0:
            return every
        case 1:
            return 0
        case 2:
            return 1 << rest % width
        case 3:
            return sum(1 << bit for bit in range(0, width, 2 + rest % 70))
        case 4:
            return every >> rest % width
        case 5:
            return every << rest % width & every
        case _:
            return sum(mix64(word + part) << 64 * part for part in range((width + 63) // 64)) & every


def _bounds(name: OpName, low: int, high: int, least: int, most: int) -> tuple[int, int]:
    """The least and most value of an operator over two ranges; a divisor's range is without 0."""
    apply: dict[str, Callable[[int, int], int]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "div": lambda a, b: a // b,
        "div up": lambda a, b: -(-a // b),
    }
    corners = [apply[name](a, b) for a in (low, high) for b in (least, most)]
    return min(corners), max(corners)
