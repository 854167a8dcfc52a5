"""Static facts about an expression at one place of the code: its constant value, its width, whether it has gaps.

Nothing here adds code. The facts about locals differ from place to place: inside a loop that is unrolled, its member is a
constant (`statements.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial, reduce

from ...common.intervals import Interval
from ...machine.analysis.ranges import Ranges
from ...machine.analysis.widths import bits_of
from ...machine.machine import Const, Expr, Function, Load, Local, Lookup, Op, OpName
from ...machine.operators import CHAINED, VALUES, Value, closure, joined, stored
from ..layout.storage import Tables, words_for
from .intervals import is_interval
from .tabulation import may_be_tabulated, tabulated

SETS = frozenset(("union", "intersect", "minus", "flip", "bit", "left", "right"))


class StaticFacts:
    """Answers for the code of one function. ``constants``: what locals surely are where code is being added now, by number.

    ``widest``: words of the widest set of the machine. ``ranges``: of its numbers. ``can_fail``: whether an expression may stop
    the game.
    """

    def __init__(
        self,
        constants: Mapping[int, int],
        tables: Tables,
        functions: Mapping[str, Function],
        widest: int,
        ranges: Ranges,
        can_fail: Callable[[Expr], bool],
    ) -> None:
        self._constants = constants
        self._tables = tables
        self._functions = functions
        self._widest = widest
        self._ranges = ranges
        self._can_fail = can_fail

    # ---- What it is

    def value(self, expr: Expr) -> int | None:
        """What an expression surely is, with what is known of locals here; None where that is not known."""
        if isinstance(expr, Const):
            return expr.value
        if id(expr) in self._tables.changing:
            return None
        match expr:
            case Load(variable=Local(number=number)):
                return self._constants.get(number)
            case Lookup(table=table, index=index):
                at = self.value(index)
                return None if at is None or not 0 <= at < len(table.values) else table.values[at]
            case Op(name="if", args=(condition, then, otherwise)):
                holds = self.value(condition)
                return None if holds is None else self.value(then if holds else otherwise)
            case Op(name="and" | "or" as name, args=args):
                return self._chain(0 if name == "and" else 1, args)
            case Op(name=name, args=args):
                known: list[int] = []
                for part in args:
                    found = self.value(part)
                    if found is None:
                        if id(part) in self._tables.changing:
                            self._tables.changing[id(expr)] = expr
                        return None
                    known.append(found)
                return self._computed(name, known, args)
            case _:
                self._tables.changing[id(expr)] = expr
                return None

    def _chain(self, decided: int, args: Sequence[Expr]) -> int | None:
        """The value of ``and`` or ``or``: one part decides, unless a fault can stop the game before it is evaluated."""
        found = [self.value(part) for part in args]
        if decided not in found:
            return None if None in found else 1 - decided
        before = zip(args[: found.index(decided)], found, strict=False)
        return None if any(value is None and self._can_fail(part) for part, value in before) else decided

    def _computed(self, name: OpName, values: list[int], args: Sequence[Expr]) -> int | None:
        if name == "left":
            values.append((1 << bits_of(args[0], self._functions)) - 1)
        return computed(name, values)

    def range(self, expr: Expr) -> Interval:
        """Between which numbers it lies."""
        return self._ranges.known(expr)

    def tabulated(self, expr: Expr, words: int = 0) -> Expr | None:
        """An expression that depends on one small number only, as a lookup in a table of all that it can be."""
        if not isinstance(expr, Op | Lookup) or id(expr) in self._tables.plain:
            return None
        if not may_be_tabulated(expr):
            self._tables.plain[id(expr)] = expr
            return None
        key, known = (id(expr), words), self._tables.tabulated
        if key not in known or self._constants:
            found = tabulated(expr, words, self._ranges, self.value, computed)
            if self._constants:
                return found
            known[key] = (expr, found)
        return known[key][1]

    def is_interval(self, expr: Expr) -> bool:
        """Whether a set surely has no gap."""

        def known(part: Expr) -> Expr:
            value = self.value(part)
            return Const(value) if value is not None else self.tabulated(part, self.width(part)) or part

        return is_interval(expr, known)

    # ---- How wide it is

    def is_set(self, expr: Expr) -> bool:
        """Whether an expression is surely a set; a constant may be either."""
        match expr:
            case Op(name=name, args=args):
                return name in SETS or (name == "if" and (self.is_set(args[1]) or self.is_set(args[2])))
            case _:
                return bits_of(expr, self._functions) > 0

    def width(self, expr: Expr) -> int:
        """How many words a set expression takes; where nothing gives it a width, as many as the widest set."""
        return self.own_width(expr) or self._widest

    def width_of_both(self, left: Expr, right: Expr) -> int:
        """How many words two sets take that are compared."""
        return max(self.own_width(left), self.own_width(right)) or self._widest

    def own_width(self, expr: Expr) -> int:
        """How many words a set expression takes by itself; 0 where nothing gives it a width."""
        bits = bits_of(expr, self._functions)
        if bits:
            return words_for(bits)
        known = self.value(expr)
        return 0 if known is None else words_for(known.bit_length())


@cache
def _operation(name: OpName, count: int) -> Value:
    operands = [stored(number) for number in range(count)]
    return closure(reduce(partial(joined, VALUES[name]), operands) if name in CHAINED else joined(VALUES[name], *operands))


def computed(name: OpName, values: list[int]) -> int | None:
    """What an operator makes of numbers: the reference executor's own meaning of it. None: nothing, since it is never asked."""
    try:
        return _operation(name, len(values))(values)
    except (ArithmeticError, ValueError):
        return None
