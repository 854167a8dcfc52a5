"""How does an expression become WebAssembly?

A number is an i32 on the stack. A set is *words*: for each 64 bits of it, the lowest first, a small function that adds the code
which leaves this word on the stack. Words are independent of each other, so ``a intersect b`` costs one load or local and one
``and`` for each word, and nothing is kept in between. What must be computed once and in its turn (calls, since they may
stop the game; what shifts and comparisons need of other words) is kept in locals when the words are prepared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import assert_never

from ...machine.machine import NONE, Const, Expr, Field, Function, Invoke, Load, Local, Lookup, Op, OpName, Variable
from ...machine.operators import CHAINED, VALUES, Operand, Value, closure
from ...machine.ranges import Ranges
from ...machine.widths import bits_of
from .code import Code
from .intervals import is_interval
from .places import WORD, InLocals, InMemory, Places, Tables, words_for
from .tabulation import tabulated

Word = Callable[[], None]
Words = Sequence[Word]

ALL = (1 << WORD) - 1
CHEAP = 24  # operations that cost less than a branch that is guessed wrongly
DEAR = 1000
SETS = frozenset(("union", "intersect", "minus", "flip", "bit", "left", "right"))
POINTWISE = {"union": ("i64.or",), "intersect": ("i64.and",), "flip": ("i64.xor",)}
ARITHMETIC = {"+": "i32.add", "-": "i32.sub", "*": "i32.mul", "<": "i32.lt_s", "<=": "i32.le_s"}
LOADS = {1: "i64.load8_u", 2: "i64.load16_u", 4: "i64.load32_u"}
NUMBER_LOADS = {1: "i32.load8_u", 2: "i32.load16_u", 4: "i32.load", 8: "i32.load"}
SIGNED_LOADS = {1: "i32.load8_s", 2: "i32.load16_s", 4: "i32.load"}


class Expressions:
    """Adds the code of expressions to one function. ``numbers``: the number of each function of the machine in the module.

    ``widest``: words of the widest set of the machine. ``ranges``: of its numbers. ``can_fail``: whether an expression may stop
    the game.
    """

    def __init__(
        self,
        code: Code,
        places: Places,
        tables: Tables,
        functions: Mapping[str, Function],
        numbers: Callable[[str], int],
        widest: int,
        ranges: Ranges,
        can_fail: Callable[[Expr], bool],
    ) -> None:
        self.code = code
        self.places = places
        self.tables = tables
        self.functions = functions
        self.numbers = numbers
        self.widest = widest
        self.ranges = ranges
        self.can_fail = can_fail
        self.filled: Expr | None = None  # a set that is surely not empty, where code is being added now
        self._unasked = False  # whether code is being added for a value that is perhaps not asked for
        self.inlined: Callable[[Function, Sequence[Expr]], bool] = lambda function, args: False

    def static(self, expr: Expr) -> int | None:
        """What an expression surely is, with what is known of locals here; None where that is not known."""
        if id(expr) in self.tables.changing:
            return None
        match expr:
            case Const(value=value):
                return value
            case Load(variable=Local(number=number)):
                return self.places.constants.get(number)
            case Lookup(table=table, index=index):
                at = self.static(index)
                return None if at is None or not 0 <= at < len(table.values) else table.values[at]
            case Op(name="if", args=(condition, then, otherwise)):
                holds = self.static(condition)
                return None if holds is None else self.static(then if holds else otherwise)
            case Op(name="and" | "or" as name, args=args):
                return self._static_chain(0 if name == "and" else 1, args)
            case Op(name=name, args=args):
                known: list[int] = []
                for part in args:
                    found = self.static(part)
                    if found is None:
                        if id(part) in self.tables.changing:
                            self.tables.changing[id(expr)] = expr
                        return None
                    known.append(found)
                return self._computed(name, known, args)
            case _:
                self.tables.changing[id(expr)] = expr
                return None

    def _static_chain(self, decided: int, args: Sequence[Expr]) -> int | None:
        """Of ``and``, ``or``: one part decides, unless a fault can stop the game before it is asked."""
        found = [self.static(part) for part in args]
        if decided not in found:
            return None if None in found else 1 - decided
        before = zip(args[: found.index(decided)], found, strict=False)
        return None if any(value is None and self.can_fail(part) for part, value in before) else decided

    def _computed(self, name: OpName, values: list[int], args: Sequence[Expr]) -> int | None:
        if name == "left":
            values.append((1 << bits_of(args[0], self.functions)) - 1)
        return computed(name, values)

    # ---- Tables of what depends on one number

    def _tabulated(self, expr: Expr, words: int = 0) -> Expr | None:
        """An expression that depends on one small number only, as a lookup in a table of all that it can be."""
        if not isinstance(expr, Op | Lookup):
            return None
        key, known = (id(expr), words), self.tables.tabulated
        if key not in known or self.places.constants:
            found = tabulated(expr, words, self.ranges, self.static, computed)
            if self.places.constants:
                return found
            known[key] = (expr, found)
        return known[key][1]

    def is_interval(self, expr: Expr) -> bool:
        """Whether a set surely has no gap."""

        def known(part: Expr) -> Expr:
            value = self.static(part)
            return Const(value) if value is not None else self._tabulated(part, self.width(part)) or part

        return is_interval(expr, known)

    # ---- Numbers

    def condition(self, expr: Expr) -> None:
        """Leave a number on the stack that is not 0 where the condition holds."""
        known = self.static(expr)
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
        known = self.static(expr)
        if known is not None:
            code.i32(known)
            return
        tabulated = self._tabulated(expr)
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
        at = 0 if index is None else self.static(index)
        return None if at is None else self.places.promoted.get((variable, at))

    def load(self, field: Field, at: int) -> None:
        """Leave an element of the record on the stack: a number, or a set of one word."""
        place = self.places.place(field)
        assert isinstance(place, InMemory)
        if place.bits:
            self._loaded(place, Const(at), 1)[0]()
        else:
            self._load_number(place, Const(at), NUMBER_LOADS)
            self._add(place.low)

    def _add(self, amount: int) -> None:
        if amount:
            self.code.i32(amount)
            self.code.add("i32.add")

    def _stored_number(self, expr: Expr, amount: int) -> bool:
        """Leave a number of the record and a constant more on the stack, as one sum; False where it is no such number."""
        if not isinstance(expr, Load) or self.static(expr) is not None:
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
        at = 0 if index is None else self.static(index)
        if at is not None or index is None:
            self.code.i32(0)
            return place.address + (at or 0) * place.width
        self.number(index)
        if self._unasked and self.ranges.known(index)[0] < 0:
            self._not_below_zero()
        self.scale(place.width)
        return place.address

    def _not_below_zero(self) -> None:
        """Let the number on the stack be 0 where it is negative."""
        code = self.code
        number = code.temporary("i32")
        code.tee(number)
        code.get(number)
        code.i32(31)
        code.add("i32.shr_s")
        code.i32(-1)
        code.adds("i32.xor", "i32.and")

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
                holds = self.static(condition)
                if holds is not None:
                    self.number(then if holds else otherwise)
                    return
                if self.cheap(then) and self.cheap(otherwise):
                    self._select(lambda: self.number(then), lambda: self.number(otherwise), condition)
                    return
                self.condition(condition)
                with code.when("i32"):
                    self.number(then)
                    code.otherwise()
                    self.number(otherwise)
            case "has":
                self._has(args[0], args[1])
            case "count":
                for number, word in enumerate(self.words(args[0])):
                    word()
                    code.adds("i64.popcnt", "i32.wrap_i64")
                    if number:
                        code.add("i32.add")
            case "first":
                if args[0] == self.filled and self.width(args[0]) == 1:
                    self.words(args[0])[0]()
                    code.adds("i64.ctz", "i32.wrap_i64")
                else:
                    self._lowest(self.kept(self.words(args[0])))
            case "after":
                if args[0] == self.filled and self.width(args[0]) == 1 and self.ranges.known(args[1])[1] < WORD:
                    self._next(args[0], args[1])
                else:
                    self._after(args[0], args[1])
            case "union" | "intersect" | "minus" | "flip" | "bit" | "left" | "right":
                raise AssertionError("this is a set")
            case _:
                assert_never(expr.name)

    def _chained(self, conjunction: bool, args: Sequence[Expr]) -> None:
        """``and``, ``or``: what comes later is asked only where it matters; at once, where it can neither stop nor cost."""
        code = self.code
        args = [part for part in args if self.static(part) != int(conjunction)]
        if not args:
            code.i32(int(conjunction))
            return
        *earlier, last = args
        if not earlier:
            self.number(last)
        elif simple(last) or self.cheap(last):
            self._chained(conjunction, earlier)
            with self._perhaps_unasked():
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
            case Const(value=by) if by > 0 and self.ranges.known(dividend)[0] >= 0 and name != "div up":
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
            self.argument(parameter, arg)
        self.code.add("call", self.numbers(expr.function))

    def argument(self, parameter: Variable, arg: Expr) -> None:
        """Leave what a parameter takes on the stack."""
        if parameter.bits:
            for word in self.words(arg, words_for(parameter.bits)):
                word()
        else:
            self.number(arg)

    # ---- Questions about sets

    def is_set(self, expr: Expr) -> bool:
        """Whether an expression is surely a set; a constant may be either."""
        match expr:
            case Op(name=name, args=args):
                return name in SETS or (name == "if" and (self.is_set(args[1]) or self.is_set(args[2])))
            case _:
                return bits_of(expr, self.functions) > 0

    def _equal(self, left: Expr, right: Expr, test: str) -> None:
        """``test``: eq or ne."""
        code = self.code
        if not self.is_set(left) and not self.is_set(right):
            self.number(left)
            if right == Const(0) and test == "eq":
                code.add("i32.eqz")
            else:
                self.number(right)
                code.add(f"i32.{test}")
            return
        count = max(self._known_width(left), self._known_width(right)) or self.widest
        if right == Const(0):
            for number, word in enumerate(self.words(left, count)):
                word()
                if number:
                    code.add("i64.or")
        else:
            pairs = zip(self.words(left, count), self.words(right, count), strict=True)
            for number, (one, other) in enumerate(pairs):
                one()
                other()
                code.add("i64.xor")
                if number:
                    code.add("i64.or")
        if test == "eq":
            code.add("i64.eqz")
        else:
            code.i64(0)
            code.add("i64.ne")

    def _has(self, members: Expr, member: Expr) -> None:
        code = self.code
        count = self.width(members)
        if count == 1:
            words = self.words(members)
            words[0]()
            number = self.number_kept(member)
            number()
            code.adds("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
            code.i32(1)
            code.add("i32.and")
            if not 0 <= self.ranges.known(member)[0] <= self.ranges.known(member)[1] < WORD:
                number()
                code.i32(WORD)
                code.adds("i32.lt_u", "i32.and")
            return
        at = self._element(members)
        if at is not None:
            base, offset = at
            number = self.number_kept(member)
            number()
            code.i32(count * WORD)
            code.add("i32.lt_u")
            with code.when("i32"):
                base()
                number()
                code.i32(3)
                code.adds("i32.shr_u", "i32.add")
                code.add("i32.load8_u", offset)
                number()
                code.i32(7)
                code.adds("i32.and", "i32.shr_u")
                code.i32(1)
                code.add("i32.and")
                code.otherwise()
                code.i32(0)
            return
        kept = self.kept(self.words(members))
        number = self.number_kept(member)
        code.i64(0)
        for position, word in enumerate(kept):
            code.get(word)
            number()
            code.i32(6)
            code.add("i32.shr_u")
            code.i32(position)
            code.adds("i32.ne", "select")
        number()
        code.adds("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
        code.i32(1)
        code.add("i32.and")

    def _element(self, members: Expr) -> tuple[Word, int] | None:
        """Where in the memory a set lies as it is, as a base address and an offset to it."""
        match members:
            case Load(variable=variable, index=index):
                place = self.places.place(variable)
                if isinstance(place, InLocals):
                    return None
            case Lookup(table=table, index=index):
                place, _ = self.tables.place(table)
            case _:
                return None
        offset = self.address(place, index)
        base = self.code.temporary("i32")
        self.code.set(base)
        return lambda: self.code.get(base), offset

    def _lowest(self, kept: Sequence[int]) -> None:
        """The lowest bit number of words in locals, -1 where there is none."""
        code = self.code
        *_, last = kept
        if len(kept) == 1:
            code.get(last)
            code.adds("i64.ctz", "i32.wrap_i64")
            code.i32(NONE)
            code.get(last)
            code.i64(0)
            code.adds("i64.ne", "select")
            return
        found = code.temporary("i32")
        code.i32(NONE)
        code.set(found)
        with code.block() as done:
            for position, word in enumerate(kept):
                code.get(word)
                code.adds("i64.eqz", "i32.eqz")
                with code.when():
                    code.get(word)
                    code.adds("i64.ctz", "i32.wrap_i64")
                    code.i32(WORD * position)
                    code.add("i32.add")
                    code.set(found)
                    code.br(done)
        code.get(found)

    def _next(self, members: Expr, start: Expr) -> None:
        """The lowest member that is not below a number, else the lowest of all, of a set of one word that is not empty."""
        code = self.code
        word = self.kept(self.words(members))[0]
        rest = code.temporary("i64")
        code.get(word)
        code.i64(ALL)
        self.number(start)
        if self.ranges.known(start)[0] < 0:
            self._not_below_zero()
        code.adds("i64.extend_i32_u", "i64.shl", "i64.and")
        code.tee(rest)
        code.get(word)
        code.get(rest)
        code.i64(0)
        code.adds("i64.ne", "select", "i64.ctz", "i32.wrap_i64")

    def _after(self, members: Expr, start: Expr) -> None:
        code = self.code
        kept = self.kept(self.words(members))
        number = self.number_kept(start)
        rest = []
        for position, word in enumerate(kept):  # the members of this word that are >= the number
            shift = code.temporary("i32")
            number()
            code.i32(WORD * position)
            code.add("i32.sub")
            code.set(shift)
            code.get(word)
            code.i64(ALL)
            code.get(shift)
            code.i32(0)
            code.get(shift)
            code.i32(0)
            code.adds("i32.gt_s", "select", "i64.extend_i32_u", "i64.shl", "i64.and")
            code.i64(0)
            code.get(shift)
            code.i32(WORD)
            code.adds("i32.lt_s", "select")
            code.set(word_left := code.temporary("i64"))
            rest.append(word_left)
        chosen = []
        for word, word_left in zip(kept, rest, strict=True):
            code.get(word_left)
            code.get(word)
            for number_of, each in enumerate(rest):
                code.get(each)
                if number_of:
                    code.add("i64.or")
            code.i64(0)
            code.adds("i64.ne", "select")
            code.set(chosen_word := code.temporary("i64"))
            chosen.append(chosen_word)
        self._lowest(chosen)

    # ---- Sets

    def width(self, expr: Expr) -> int:
        """How many words a set expression takes by itself; where nothing gives it a width, as many as the widest set."""
        return self._known_width(expr) or self.widest

    def _known_width(self, expr: Expr) -> int:
        bits = bits_of(expr, self.functions)
        if bits:
            return words_for(bits)
        known = self.static(expr)
        return 0 if known is None else words_for(known.bit_length())

    def words(self, expr: Expr, count: int = 0) -> Words:
        """The words of a set, ``count`` of them (0: as many as it has)."""
        own = self._known_width(expr)
        if not count:
            count = own or self.widest
        return self._words(expr, max(own, count))[:count]

    def _words(self, expr: Expr, count: int) -> Words:
        code = self.code
        known = self.static(expr)
        if known is not None:
            return [self._constant(known >> WORD * number & ALL) for number in range(count)]
        tabulated = self._tabulated(expr, count)
        if tabulated is not None:
            return self._words(tabulated, count)
        match expr:
            case Const(value=value):
                return [self._constant(value >> WORD * number & ALL) for number in range(count)]
            case Load(variable=variable, index=index):
                place = self.places.place(variable)
                if isinstance(place, InLocals):
                    return self._filled([self._getter(local) for local in place.indices], count)
                promoted = self.promoted(variable, index)
                if promoted is not None:
                    return self._filled([self._getter(promoted)], count)
                return self._loaded(place, index, count)
            case Lookup(table=table, index=index):
                return self._loaded(self.tables.place(table)[0], index, count)
            case Op(name="union" | "intersect" | "flip" as name, args=args):
                parts = [self._words(part, count) for part in args]
                return [self._joined([part[number] for part in parts], POINTWISE[name]) for number in range(count)]
            case Op(name="minus", args=(left, right)):
                one = self._words(left, count)
                taken = self.static(right)
                if taken is not None:
                    masks = [self._constant(~taken >> WORD * number & ALL) for number in range(count)]
                    return [self._joined([one[number], masks[number]], ("i64.and",)) for number in range(count)]
                other = self._words(right, count)
                return [self._without(one[number], other[number]) for number in range(count)]
            case Op(name="bit", args=(member,)):
                return self._bit(member, count)
            case Op(name="left" | "right" as name, args=(part, by)):
                return self._shifted(name == "left", part, by, count)
            case Op(name="if", args=(condition, then, otherwise)):
                return self._either(condition, then, otherwise, count)
            case Invoke(function=name):
                self.invoke(expr)
                results = [code.temporary("i64") for _ in range(words_for(self.functions[name].bits))]
                for local in reversed(results):
                    code.set(local)
                return self._filled([self._getter(local) for local in results], count)
            case _:
                raise AssertionError(f"{expr} is no set")

    def kept(self, words: Words) -> list[int]:
        """Words computed now, in locals."""
        return [self._kept_word(word) for word in words]

    def number_kept(self, expr: Expr) -> Word:
        """A number computed now, to be left on the stack as often as needed."""
        known = self.static(expr)
        if known is not None:
            return self._number_constant(known)
        self.number(expr)
        local = self.code.temporary("i32")
        self.code.set(local)
        return self._getter(local)

    def _number_constant(self, value: int) -> Word:
        return lambda: self.code.i32(value)

    def _constant(self, value: int) -> Word:
        return lambda: self.code.i64(value)

    def _getter(self, local: int) -> Word:
        return lambda: self.code.get(local)

    def _filled(self, words: list[Word], count: int) -> Words:
        """Words of zero behind those of a narrower set."""
        return words + [self._constant(0)] * (count - len(words))

    def _joined(self, parts: Sequence[Word], join: tuple[str, ...]) -> Word:
        def word() -> None:
            parts[0]()
            for part in parts[1:]:
                part()
                self.code.adds(*join)

        return word

    def _without(self, left: Word, right: Word) -> Word:
        def word() -> None:
            left()
            right()
            self.code.i64(ALL)
            self.code.adds("i64.xor", "i64.and")

        return word

    def _loaded(self, place: InMemory, index: Expr | None, count: int) -> Words:
        code = self.code
        load = LOADS.get(place.width, "i64.load")
        own = words_for(8 * place.width)
        at = 0 if index is None else self.static(index)
        if at is not None or index is None:
            base = self._number_constant(0)
            offset = place.address + (at or 0) * place.width
        else:
            offset = self.address(place, index)
            local = code.temporary("i32")
            code.set(local)
            base = self._getter(local)

        def loaded(number: int) -> Word:
            def word() -> None:
                base()
                code.add(load, offset + 8 * number)

            return word

        return self._filled([loaded(number) for number in range(min(own, count))], count)

    def _bit(self, member: Expr, count: int) -> Words:
        code = self.code
        number = self.number_kept(member)

        def shifted() -> None:
            code.i64(1)
            number()
            code.adds("i64.extend_i32_u", "i64.shl")

        if count == 1:
            return [shifted]
        shifted()
        local = code.temporary("i64")
        code.set(local)

        def chosen(position: int) -> Word:
            def word() -> None:
                code.get(local)
                code.i64(0)
                number()
                code.i32(6)
                code.add("i32.shr_u")
                code.i32(position)
                code.adds("i32.eq", "select")

            return word

        return [chosen(position) for position in range(count)]

    def _shifted(self, left: bool, part: Expr, by: Expr, count: int) -> Words:
        assert isinstance(by, Const), "a set is moved by a constant"
        code = self.code
        bits = bits_of(part, self.functions)
        far, near = divmod(by.value, WORD)
        own = words_for(bits)
        source: Words = self._words(part, own)
        if own > 1:
            source = [self._getter(local) for local in self.kept(source)]

        def moved(position: int) -> Word:
            first, second = (position - far, position - far - 1) if left else (position + far, position + far + 1)
            ways = ("i64.shl", "i64.shr_u") if left else ("i64.shr_u", "i64.shl")
            mask = min(max(bits - WORD * position, 0), WORD)

            def word() -> None:
                if not mask or not (0 <= first < own or (near and 0 <= second < own)):
                    code.i64(0)
                    return
                some = False
                for number, shift, way in ((first, near, ways[0]), (second, WORD - near, ways[1])):
                    if 0 <= number < own and shift < WORD:
                        source[number]()
                        if shift:
                            code.i64(shift)
                            code.add(way)
                        if some:
                            code.add("i64.or")
                        some = True
                if left and mask < WORD:
                    code.i64((1 << mask) - 1)
                    code.add("i64.and")

            return word

        return self._filled([moved(position) for position in range(min(own, count))], count)

    def _either(self, condition: Expr, then: Expr, otherwise: Expr, count: int) -> Words:
        code = self.code
        holds = self.static(condition)
        if holds is not None:
            return self._words(then if holds else otherwise, count)
        if count <= 2 and self.cheap(then) and self.cheap(otherwise):
            return self._selected(condition, then, otherwise, count)
        results = [code.temporary("i64") for _ in range(count)]
        self.condition(condition)
        with code.when():
            for local, word in zip(results, self._words(then, count), strict=True):
                word()
                code.set(local)
            code.otherwise()
            for local, word in zip(results, self._words(otherwise, count), strict=True):
                word()
                code.set(local)
        return [self._getter(local) for local in results]

    # ---- What is evaluated though it is perhaps not asked for

    def cheap(self, expr: Expr) -> bool:
        """Whether an expression may be evaluated where it need not be: it cannot trap, and costs less than a wrong guess."""
        return self._cost(expr) <= CHEAP

    def _cost(self, expr: Expr) -> int:
        """Operations, roughly; more than `CHEAP` where evaluating it might trap."""
        if self.static(expr) is not None:
            return 0
        match expr:
            case Const() | Load(variable=Local()) | Load(index=None):
                return 1
            case Load(variable=Field(length=length), index=index) if index is not None:
                return self._cost_of_element(index, length)
            case Lookup(table=table, index=index):
                return self._cost_of_element(index, len(table.values))
            case Op(name="div" | "div up" | "mod", args=(_, divisor)) if not isinstance(divisor, Const):
                return DEAR
            case Op(args=args):
                return 1 + sum(self._cost(part) for part in args)
            case _:
                return DEAR

    def _cost_of_element(self, index: Expr, length: int) -> int:
        low, high = self.ranges.known(index)
        return 2 + (2 if low < 0 else 0) + self._cost(index) if low >= -1 and high < length else DEAR

    @contextmanager
    def _perhaps_unasked(self) -> Iterator[None]:
        """What is added inside is evaluated though it is perhaps not asked for."""
        before, self._unasked = self._unasked, True
        yield
        self._unasked = before

    def _select(self, then: Word, otherwise: Word, condition: Expr) -> None:
        """Leave one of two values on the stack, both evaluated."""
        with self._perhaps_unasked():
            then()
            otherwise()
        self.condition(condition)
        self.code.add("select")

    def _selected(self, condition: Expr, then: Expr, otherwise: Expr, count: int) -> Words:
        """The same of sets."""
        code = self.code
        self.condition(condition)
        code.set(holds := code.temporary("i32"))
        with self._perhaps_unasked():
            pairs = list(zip(self._words(then, count), self._words(otherwise, count), strict=True))
            kept = [(self._kept_word(one), self._kept_word(other)) for one, other in pairs]

        def chosen(one: int, other: int) -> Word:
            def word() -> None:
                code.get(one)
                code.get(other)
                code.get(holds)
                code.add("select")

            return word

        return [chosen(one, other) for one, other in kept]

    def _kept_word(self, word: Word) -> int:
        word()
        local = self.code.temporary("i64")
        self.code.set(local)
        return local


@cache
def _operation(name: OpName, count: int) -> Value:
    operands = [Operand("variable", number) for number in range(count)]
    if name not in CHAINED:
        return closure(VALUES[name], *operands)
    found = closure(VALUES[name], operands[0], operands[1])
    for operand in operands[2:]:
        found = closure(VALUES[name], Operand("closure", found), operand)
    return found


def computed(name: OpName, values: list[int]) -> int | None:
    """What an operator makes of numbers: the reference executor's own meaning of it. None: nothing, since it is never asked."""
    try:
        return _operation(name, len(values))(values)
    except (ArithmeticError, ValueError):
        return None


def simple(expr: Expr) -> bool:
    """Whether an expression can be evaluated where it need not be: it cannot stop the game, and costs next to nothing."""
    match expr:
        case Const() | Load(index=None | Const()):
            return True
        case Op(name="=" | "<" | "<=" | "not" | "has" | "union" | "intersect" | "minus" | "count" | "+" | "-", args=args):
            return all(simple(part) for part in args)
        case _:
            return False
