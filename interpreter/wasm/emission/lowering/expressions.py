"""Emission of numbers and conditions, as code that leaves an i32 on the stack.

`sets.py` emits numbers that come from sets, `known.py` finds values that need no code, and `speculation.py` chooses between
values without a jump.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import assert_never

from ....machine.machine import Const, Expr, Function, Invoke, Load, Local, Lookup, Op, Variable
from ...binary.code import Code, Push
from ...layout.storage import InLocals, InMemory, Places, Tables, words_for
from ...optimize.known import StaticFacts
from ...optimize.speculation import Speculation, simple
from .sets import Sets

ARITHMETIC = {"+": "i32.add", "-": "i32.sub", "*": "i32.mul", "<": "i32.lt_s", "<=": "i32.le_s"}
NUMBER_LOADS = {1: "i32.load8_u", 2: "i32.load16_u", 4: "i32.load", 8: "i32.load"}
SIGNED_LOADS = {1: "i32.load8_s", 2: "i32.load16_s", 4: "i32.load"}


class Expressions:
    """Adds the code of expressions to one function.

    ``functions``: those of the machine, ``numbers``: the number of each in the module.
    """

    def __init__(
        self,
        code: Code,
        places: Places,
        tables: Tables,
        known: StaticFacts,
        functions: Mapping[str, Function],
        numbers: Callable[[str], int],
    ) -> None:
        self.code = code
        self.places = places
        self.tables = tables
        self.known = known
        self.speculation = Speculation(code, known)
        self.sets = Sets(self, functions)
        self.functions = functions
        self.numbers = numbers
        self.inlined: Callable[[Function, Sequence[Expr]], bool] = lambda function, args: False

    def condition(self, expr: Expr) -> None:
        """Leave a number on the stack that is not 0 where the condition holds."""
        known = self.known.value(expr)
        if known is not None:
            self.code.i32(known)
            return
        match expr:
            case Op(name="not", args=(Op(name="=", args=(left, right)),)):
                self._equal(left, right, "ne")
            case _:
                self.number(expr)

    def number(self, expr: Expr) -> None:
        """Leave the value of a number on the stack."""
        code = self.code
        known = self.known.value(expr)
        if known is not None:
            code.i32(known)
            return
        tabulated = self.known.tabulated(expr)
        if tabulated is not None:
            self.number(tabulated)
            return
        match expr:
            case Const(value=value):
                code.i32(value)
            case Load(variable=variable, index=index):
                place = self.places.place(variable)
                promoted = self.promoted(variable, index)
                if isinstance(place, InLocals):
                    code.get(place.indices[0])
                elif promoted is not None:
                    code.get(promoted)
                else:
                    self._load_number(place, index, NUMBER_LOADS)
                    self._add(place.low)
            case Lookup(table=table, index=index):
                where, signed = self.tables.place(table)
                self._load_number(where, index, SIGNED_LOADS if signed else NUMBER_LOADS)
            case Op():
                self._operation(expr)
            case Invoke():
                self.invoke(expr)
            case _:
                assert_never(expr)

    def promoted(self, variable: Variable, index: Expr | None) -> int | None:
        """The local in which an element of the record also lies."""
        if not self.places.promoted or isinstance(variable, Local):
            return None
        at = 0 if index is None else self.known.value(index)
        return None if at is None else self.places.promoted.get((variable, at))

    def _add(self, amount: int) -> None:
        if amount:
            self.code.i32(amount)
            self.code.add("i32.add")

    def _stored_number(self, expr: Expr, amount: int) -> bool:
        """Leave a number of the record and a constant more on the stack, as one sum; False where it is no such number."""
        if not isinstance(expr, Load) or self.known.value(expr) is not None:
            return False
        place = self.places.place(expr.variable)
        if not isinstance(place, InMemory) or self.promoted(expr.variable, expr.index) is not None:
            return False
        self._load_number(place, expr.index, NUMBER_LOADS)
        self._add(place.low + amount)
        return True

    def _load_number(self, place: InMemory, index: Expr | None, loads: Mapping[int, str]) -> None:
        offset = self.address(place, index)
        self.code.add(loads[place.width], offset)

    def address(self, place: InMemory, index: Expr | None) -> int:
        """Leave a base address on the stack; the offset to it."""
        at = 0 if index is None else self.known.value(index)
        if at is not None or index is None:
            self.code.i32(0)
            return place.address + (at or 0) * place.width
        self.number(index)
        if self.speculation.inside and self.known.range(index)[0] < 0:
            self.not_below_zero()
        self.scale(place.width)
        return place.address

    def scale(self, by: int) -> None:
        """Multiply the number on the stack."""
        if by & (by - 1):
            self.code.i32(by)
            self.code.add("i32.mul")
        elif by > 1:
            self.code.i32(by.bit_length() - 1)
            self.code.add("i32.shl")

    def _operation(self, expr: Op) -> None:
        code, args = self.code, expr.args
        match expr:
            case Op(name="+", args=(part, Const(value=value))) if self._stored_number(part, value):
                return
            case Op(name="-", args=(part, Const(value=value))) if self._stored_number(part, -value):
                return
            case Op(name="and", args=(Op(name="<=", args=(Const(value=low), part)), Op(name="<=", args=(same, most)))) if (
                part == same and simple(part) and isinstance(most, Const)
            ):
                self._within(part, low, most.value)
                return
        match expr.name:
            case "+" | "-" | "*" | "<" | "<=" as name:
                self.number(args[0])
                for part in args[1:]:
                    self.number(part)
                    code.add(ARITHMETIC[name])
            case "div" | "div up" | "mod" as name:
                self._division(name, args[0], args[1])
            case "min" | "max" as name:
                self._extreme("i32.lt_s" if name == "min" else "i32.gt_s", args)
            case "=":
                self._equal(args[0], args[1], "eq")
            case "and" | "or" as name:
                self._chained(name == "and", args)
            case "not":
                match args[0]:
                    case Op(name="="):
                        self.condition(expr)
                    case part:
                        self.number(part)
                        code.add("i32.eqz")
            case "if":
                condition, then, otherwise = args
                holds = self.known.value(condition)
                if holds is not None:
                    self.number(then if holds else otherwise)
                    return
                if self.speculation.cheap(then) and self.speculation.cheap(otherwise):
                    self.speculation.select(
                        lambda: self.number(then), lambda: self.number(otherwise), lambda: self.condition(condition)
                    )
                    return
                self.condition(condition)
                with code.when("i32"):
                    self.number(then)
                    code.otherwise()
                    self.number(otherwise)
            case "has":
                self.sets.has(args[0], args[1])
            case "count":
                self.sets.count(args[0])
            case "first":
                self.sets.first(args[0])
            case "after":
                self.sets.after(args[0], args[1])
            case "union" | "intersect" | "minus" | "flip" | "bit" | "left" | "right":
                raise AssertionError("this is a set")
            case _:
                assert_never(expr.name)

    def _equal(self, left: Expr, right: Expr, test: str) -> None:
        """``test``: eq or ne."""
        if self.known.is_set(left) or self.known.is_set(right):
            self.sets.equal(left, right, test)
            return
        self.number(left)
        if right == Const(0) and test == "eq":
            self.code.add("i32.eqz")
        else:
            self.number(right)
            self.code.add(f"i32.{test}")

    def _chained(self, conjunction: bool, args: Sequence[Expr]) -> None:
        """``and``, ``or``: what comes later is asked only where it matters; at once, where it can neither stop nor cost."""
        code = self.code
        args = [part for part in args if self.known.value(part) != int(conjunction)]
        if not args:
            code.i32(int(conjunction))
            return
        *earlier, last = args
        if not earlier:
            self.number(last)
        elif simple(last) or self.speculation.cheap(last):
            self._chained(conjunction, earlier)
            with self.speculation.perhaps():
                self.number(last)
            code.add("i32.and" if conjunction else "i32.or")
        else:
            self._chained(conjunction, earlier)
            with code.when("i32"):
                self.number(last) if conjunction else code.i32(1)
                code.otherwise()
                code.i32(0) if conjunction else self.number(last)

    def _within(self, part: Expr, low: int, high: int) -> None:
        """Whether a number lies between two others, asked at once: any number below them, less the lowest, is a great one."""
        code = self.code
        self.number(part)
        self._add(-low)
        code.i32(high - low)
        code.add("i32.le_u")

    def _extreme(self, better: str, args: Sequence[Expr]) -> None:
        code = self.code
        self.number(args[0])
        for part in args[1:]:
            one = code.temporary("i32")
            code.set(one)
            self.number(part)
            other = code.temporary("i32")
            code.set(other)
            code.get(one)
            code.get(other)
            code.get(one)
            code.get(other)
            code.adds(better, "select")

    def _division(self, name: str, dividend: Expr, divisor: Expr) -> None:
        """Python's division: the quotient is rounded down (or up), the rest has the sign of the divisor."""
        code = self.code
        match divisor:
            case Const(value=by) if by > 0 and by & (by - 1) == 0 and name != "div up":
                self.number(dividend)
                code.i32(by.bit_length() - 1 if name == "div" else by - 1)
                code.add("i32.shr_s" if name == "div" else "i32.and")
                return
            case Const(value=by) if by > 0 and self.known.range(dividend)[0] >= 0 and name != "div up":
                self.number(dividend)
                code.i32(by)
                code.add("i32.div_u" if name == "div" else "i32.rem_u")
                return
        a, b, quotient, rest = (code.temporary("i32") for _ in range(4))
        self.number(dividend)
        code.set(a)
        self.number(divisor)
        code.set(b)
        code.get(a)
        code.get(b)
        code.add("i32.rem_s")
        code.set(rest)
        if name == "mod":  # rest + (b where the rest is not 0 and its sign is another)
            code.get(rest)
            code.get(b)
            code.i32(0)
            self._uneven(rest, b, "i32.lt_s")
            code.adds("select", "i32.add")
            return
        code.get(a)
        code.get(b)
        code.add("i32.div_s")
        code.tee(quotient)
        self._uneven(rest, b, "i32.lt_s" if name == "div" else "i32.ge_s")
        code.add("i32.sub" if name == "div" else "i32.add")

    def _uneven(self, rest: int, divisor: int, sign: str) -> None:
        """1 where there is a rest, and its sign and the divisor's are different (``lt_s``) or equal (``ge_s``)."""
        code = self.code
        code.get(rest)
        code.i32(0)
        code.add("i32.ne")
        code.get(rest)
        code.get(divisor)
        code.add("i32.xor")
        code.i32(0)
        code.adds(sign, "i32.and")

    def invoke(self, expr: Invoke) -> None:
        """Call a function: its result is left on the stack, the words of a set the lowest first."""
        function = self.functions[expr.function]
        if self.inlined(function, expr.args):
            return
        for parameter, arg in zip(function.parameters, expr.args, strict=True):
            self.given(parameter, arg)
        self.code.add("call", self.numbers(expr.function))

    def given(self, variable: Variable, expr: Expr) -> None:
        """Leave what a variable is given on the stack: a number, or the words of a set, the lowest first."""
        if variable.bits:
            for word in self.sets.words(expr, words_for(variable.bits)):
                word()
        else:
            self.number(expr)

    def number_kept(self, expr: Expr) -> Push:
        """A number computed now, to be left on the stack as often as needed."""
        known = self.known.value(expr)
        if known is not None:
            return partial(self.code.i32, known)
        self.number(expr)
        return partial(self.code.get, self.code.keep("i32"))

    def not_below_zero(self) -> None:
        """Let the number on the stack be 0 where it is negative."""
        code = self.code
        number = code.temporary("i32")
        code.tee(number)
        code.get(number)
        code.i32(31)
        code.add("i32.shr_s")
        code.i32(-1)
        code.adds("i32.xor", "i32.and")
