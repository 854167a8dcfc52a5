"""Which machines could there be, whether or not a text of rules leads to them? Random ones, put together from its nodes.

The language does not reach every corner of the machine: division of and by negative numbers, shifts of wide sets by whole
words, `Leave` out of three blocks, a game that ends inside a routine inside a loop. Here these are as likely as the rest.

Every machine is valid by construction. Numbers are made with their range (`Number`): what could leave 32 bits, an index, a
divisor, what is stored, is brought into its range first (`fit`). Sets are made for a width, and no part of a set is wider.
Functions use earlier functions, routines call earlier routines, and every loop counts a local down, so all of it ends. Locals
are seen by what stands after their first assignment, in the same sequence of statements or deeper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from attrs import evolve, frozen
from hypothesis import strategies as st
from rulesrun.interpreter.machine.machine import (
    Alternative,
    Assign,
    Block,
    Call,
    Condition,
    Const,
    Constants,
    Domain,
    Expr,
    Field,
    Finish,
    If,
    Invoke,
    Leave,
    Load,
    Local,
    Lookup,
    Machine,
    Note,
    OpName,
    Region,
    Return,
    Say,
    Show,
    Stmt,
    Term,
    While,
)
from rulesrun.interpreter.machine.random_streams import mix64
from rulesrun.interpreter.machine.widths import bits_of

from ..machine.tables import LOOP, SPAN, Build, fail, op, say

_Kind = TypeVar("_Kind")

LEAST, MOST = -(1 << 31), (1 << 31) - 1
WIDTHS = (1, 2, 5, 8, 9, 16, 17, 31, 32, 33, 40, 63, 64, 65, 100, 127, 128, 129, 191, 192, 256, 320, 511, 700)
EDGES = (LEAST, LEAST + 1, -(1 << 16), -256, -129, -128, -7, -3, -2, -1, 0, 1, 2, 3, 7, 127, 255, 256, 1 << 16, MOST - 1, MOST)
DIVISORS = ((1, 1), (2, 2), (3, 3), (7, 7), (64, 64), (1, 9), (1, MOST), (-1, -1), (-3, -3), (-9, -1), (LEAST, -1))
SHIFTS = (0, 1, 3, 8, 31, 32, 63, 64, 65, 100, 127, 128, 192, 256, 512)
CODES = ("R602", "R604", "R605", "R609", "R612")
STATEMENTS = {"function": 8, "routine": 14, "part": 35}  # at most so many in one
EXPRESSIONS = {"function": 100, "routine": 200, "part": 500}  # behind these only the simplest


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


class Machines:
    """Draws one machine."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.build = Build(self.pick((2, 1, 3, 5)))
        self.widths = sorted({self.pick(WIDTHS) for _ in range(self.upto(1, 4))} | {self.build.seats})
        self.statements = self.expressions = self.labels = 0  # what may still come; labels that there are
        self.ranges: dict[Field | Local, Range] = {}
        self.tables: list[Constants] = []
        self.functions: list[Signature] = []
        self.routines: list[tuple[Signature, bool]] = []  # with whether they stop
        self.scope: list[Local] = []
        self.plain = False  # whether nothing may fault now
        self.in_function: Signature | None = None
        self.faults = self.may_stop = self.stops = False
        self.level = 0
        self.domains: dict[int, list[Domain]] = {}

    # ---- Choices

    def upto(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def pick(self, among: Sequence[_Kind]) -> _Kind:
        return among[self.draw(st.integers(0, len(among) - 1))]

    def once_in(self, n: int) -> bool:
        """True one time in so many; simpler machines have less of it."""
        return self.draw(st.integers(0, n - 1)) == n - 1

    # ---- The whole

    def machine(self) -> Machine:
        for number in range(self.upto(3, 7)):
            self.fields(number)
        self.tables = [self.table(number) for number in range(self.upto(1, 3))]
        for number in range(self.upto(0, 4)):
            shapes = tuple(self.shape() for _ in range(self.upto(0, 3)))
            self.function(f"function {number}", shapes, self.shape())
        seats = self.build.seats
        terms = [self.function(f"term {number}", (Range(0, seats - 1),), Range(-99, 999)) for number in range(self.upto(1, 2))]
        winner = self.function("winner", (seats,), seats)
        for number in range(self.upto(0, 3)):
            shapes = tuple(self.shape() for _ in range(self.upto(0, 3)))
            self.routine("routine", f"routine {number}", shapes, self.draw(st.booleans()), ())
        main = [self.routine("part", "part 0", (), True, self.beginning())]
        for number in range(1, self.upto(1, 3)):
            main.append(self.routine("part", f"part {number}", (), self.draw(st.booleans()), ()))
        if self.once_in(4):
            main.append(main[0])
        made = self.build.machine(*(part.name for part in main))
        lines = tuple(Term(term.name, term.name) for term in terms)
        return evolve(made, terms=lines, winner=winner.name)

    def fields(self, number: int) -> None:
        """A field; at times one of another region, whose elements differ in nothing."""
        length = self.pick((1, 1, self.build.seats, 7))
        region: Region = self.pick(("game", "game", "game", "knowledge", "index"))
        if self.draw(st.booleans()):
            self.build.field(f"set {number}", length=length, bits=self.pick(self.widths), region=region)
        else:
            held = self.range()
            field = self.build.field(f"number {number}", length=length, low=held.low, high=held.high, region=region)
            self.ranges[field] = held

    def range(self) -> Range:
        """A range of a number, from a flag to all 32 bits."""
        return self.pick(
            (Range(0, 1), Range(-1, 6), Range(0, 255), Range(-128, 127), Range(0, 256), Range(-300, 40_000), Range(0, 65_535),
             Range(-5, 65_531), Range(0, 70_000), Range(-2_000_000, 2_000_000), Range(0, MOST), Range(LEAST, MOST))
        )  # fmt: skip

    def shape(self) -> Shape:
        return self.pick(self.widths) if self.draw(st.booleans()) else self.range()

    def table(self, number: int) -> Constants:
        """A table of numbers or sets, of a few elements or many."""
        length, seed = self.pick((1, 2, 5, 40, 300)), self.upto(0, 999)
        if self.draw(st.booleans()):
            width = self.pick(self.widths)
            return Constants(f"table {number}", tuple(_pattern(width, mix64(seed + i)) for i in range(length)), width)
        held = self.range()
        size = held.high - held.low + 1
        return Constants(f"table {number}", tuple(held.low + mix64(seed + i) % size for i in range(length)))

    def beginning(self) -> tuple[Stmt, ...]:
        """Something in most fields, so that games do not begin with nothing but zeros."""
        found: list[Stmt] = []
        for field in self.build.fields:
            for _ in range(self.upto(0, 2)):
                index = Const(self.upto(0, field.length - 1)) if field.length > 1 else None
                held = self.ranges.get(field)
                value = self.constant_set(field.bits) if held is None else Const(self.constant(held.low, held.high))
                found.append(Assign(field, value, index))
        return tuple(found)

    def function(self, name: str, parameters: tuple[Shape, ...], result: Shape) -> Signature:
        given = self.open("function", parameters)
        self.may_stop = False
        self.in_function = Signature(name, parameters, result, False, 0)
        body = self.body(2, [])
        body += (Return(self.shaped(result, 3)),)
        self.build.function(name, given, *body, bits=result if isinstance(result, int) else 0)
        made = Signature(name, parameters, result, self.faults, self.level)
        self.functions.append(made)
        self.in_function = None
        return made

    def routine(
        self, kind: str, name: str, parameters: tuple[Shape, ...], may_stop: bool, first: tuple[Stmt, ...]
    ) -> Signature:
        given = self.open(kind, parameters)
        self.may_stop, self.stops = may_stop, False
        body = first + self.body(3, [], 1)
        if kind == "part" and may_stop:
            body += self.turns()
        self.build.routine(name, given, *body, stops=self.stops)
        made = Signature(name, parameters, 0, self.faults, self.level)
        self.routines.append((made, self.stops))
        return made

    def open(self, kind: str, parameters: tuple[Shape, ...]) -> list[Local]:
        """Begin a function or routine; its parameters."""
        self.statements, self.expressions = STATEMENTS[kind], EXPRESSIONS[kind]
        self.scope, self.faults, self.level = [], False, 0
        return [self.local(shape) for shape in parameters]

    def local(self, shape: Shape) -> Local:
        """A new local, seen from here on."""
        made = self.build.local(f"local {self.build.locals}", shape if isinstance(shape, int) else 0)
        if isinstance(shape, Range):
            self.ranges[made] = shape
        self.scope.append(made)
        return made

    # ---- Statements

    def body(self, depth: int, labels: list[str], least: int = 0) -> tuple[Stmt, ...]:
        """Some statements; what they declare is not seen behind them."""
        seen = list(self.scope)
        found = tuple(stmt for _ in range(self.upto(least, least + 4)) for stmt in self.statement(depth, labels))
        self.scope = seen
        return found

    def turns(self) -> tuple[Stmt, ...]:
        """Some rounds, each with a decision for certain."""
        counter = self.build.local(f"counter {self.build.locals}")
        self.ranges[counter] = Range(0, 6)
        round_ = (*self.body(2, [], 1), *self.decide(2, []), *self.body(2, []))
        loop = While(op("<", 0, Load(counter)), (Assign(counter, op("-", Load(counter), 1)), *round_), LOOP)
        return (Assign(counter, Const(self.upto(1, 6))), loop, *self.body(2, []))

    def statement(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        self.statements -= 1
        if self.statements < 0:
            return ()
        kinds: list[Callable[[int, list[str]], tuple[Stmt, ...]]] = [self.declare, self.change, self.change, self.jump]
        if self.in_function is None:
            kinds += [self.store, self.store, self.store, self.tell, self.call, self.call]
            if self.may_stop:
                kinds += [self.chance]
        if depth:
            kinds += [self.either, self.either, self.repeat, self.block]
            if self.in_function is None and self.may_stop:
                kinds += [self.decide] * 4
        return self.pick(kinds)(depth, labels)

    def declare(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        shape = self.shape()
        value = self.shaped(shape, 3)
        return (Assign(self.local(shape), value),)

    def change(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        """Another value for a local."""
        if not self.scope:
            return self.declare(depth, labels)
        local = self.pick(self.scope)
        return (Assign(local, self.shaped(self.shape_of(local), 3)),)

    def shape_of(self, variable: Field | Local) -> Shape:
        return self.ranges.get(variable) or variable.bits

    def store(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        field = self.pick(self.build.fields)
        index = self.index(field.length)
        return (Assign(field, self.shaped(self.shape_of(field), 3), index),)

    def index(self, length: int) -> Expr | None:
        return self.within(0, length - 1, 2) if length > 1 else self.pick((None, Const(0)))

    def jump(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        """Out of a block, of a function, or of the game; seldom without a condition, so that something follows."""
        kind = self.upto(0, 5)
        condition = self.test(2)
        if kind <= 2 and labels:
            jump: Stmt = Leave(self.pick(labels))
        elif kind == 3 and self.in_function is not None:
            jump = Return(self.shaped(self.in_function.result, 2))
        elif kind == 3:
            jump = Return()
        elif kind == 4 and self.in_function is None:
            jump, condition = Finish(), self.rarely()
        elif kind == 5:
            self.faults = True
            jump, condition = fail(self.pick(CODES), "it is ", Say(self.number(1).expr, None)), self.rarely()
        else:
            return self.change(depth, labels)
        return (jump,) if self.once_in(12) and not isinstance(jump, Finish) else (If(condition, (jump,)),)

    def rarely(self) -> Expr:
        """A condition that seldom holds."""
        return op("=", self.within(0, 12, 2), self.upto(0, 12))

    def tell(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        width = self.pick(self.widths)
        value = self.sized(width, 1) if self.draw(st.booleans()) else self.number(1).expr
        seats = self.sets(self.build.seats, 2)
        text = say("it is ", Say(self.number(2).expr, None))
        if self.draw(st.booleans()):
            return (Note(text, seats, say("hidden") if self.draw(st.booleans()) else None),)
        return (Show(self.build.site(), seats, value, text),)

    def call(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        able = [known for known in self.routines if (self.may_stop or not known[1]) and known[0].level < 2]
        if not able:
            return self.store(depth, labels)
        routine, stops = self.pick(able)
        self.stops |= stops
        self.faults |= routine.faults
        self.level = max(self.level, routine.level + 1)
        return (Call(routine.name, tuple(self.shaped(shape, 2) for shape in routine.parameters)),)

    def either(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        condition = self.test(3)
        then = self.body(depth - 1, labels)
        return (If(condition, then, self.body(depth - 1, labels)),)

    def repeat(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        """A loop of at most three rounds, at times with another condition beside the count."""
        rounds = self.upto(1, 3)
        seen = list(self.scope)
        counter = self.build.local(f"counter {self.build.locals}")
        self.ranges[counter] = Range(0, rounds)
        left = op("<", 0, Load(counter))
        condition = op("and", left, self.test(2)) if self.once_in(3) else left
        less = Assign(counter, op("-", Load(counter), 1))
        loop = While(condition, (less, *self.body(depth - 1, labels)), LOOP)
        self.scope = seen
        return (Assign(counter, Const(rounds)), loop)

    def block(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        self.labels += 1
        label = f"label {self.labels}"
        return (Block(label, self.body(depth - 1, [*labels, label])),)

    def chance(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        self.stops = True
        domain = self.domain(self.pick(self.widths))
        pool, some = self.sets(domain.bits, 3), _pattern(domain.bits, mix64(self.upto(0, 9))) or 1
        never_empty = op("if", op("=", pool, 0), some, pool) if self.draw(st.booleans()) else op("union", pool, some)
        values = domain.copies or (domain.low, domain.low + domain.bits - 1)
        seats = self.sets(self.build.seats, 1)
        result = self.local(Range(min(values), max(values)))
        return (self.build.draw(result, never_empty, domain, seats),)

    def decide(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        self.stops = True
        self.plain = True  # who decides is asked from outside too, where no fault can stop the game
        player = self.within(0, self.build.seats - 1, 2)
        self.plain = False
        alternatives = [self.alternative(depth, labels) for _ in range(self.upto(1, 3))]
        impossible = self.body(depth - 1, labels)
        return (self.build.decide(player, *alternatives, impossible=impossible),)

    def alternative(self, depth: int, labels: list[str]) -> Alternative:
        """An option line of a group of its own, or of one that was there before."""
        if not self.build.groups or self.draw(st.booleans()):
            domains = [self.domain(self.pick((1, 2, 3, 8, 20, *self.widths)), named=True) for _ in range(self.upto(0, 3))]
            while _product(domains) > 700:
                domains.pop()
            self.build.group(f"verb {len(self.build.groups)}", *domains)
            if self.draw(st.booleans()):
                self.build.field(f"legal {len(self.build.groups)}", bits=self.build.groups[-1].size)
        number = self.upto(0, len(self.build.groups) - 1)
        group = self.build.groups[number]
        some, more = self.sets(group.size, 3), self.sets(group.size, 2)
        candidates = some if self.once_in(3) else op("union", some, _pattern(group.size, mix64(self.upto(0, 9))) or 1)
        legal = op("intersect", candidates, more) if self.once_in(3) else candidates
        seen = list(self.scope)
        arguments = tuple(self.local(Range(domain.low, domain.low + len(domain.names) - 1)) for domain in group.arguments)
        conditions = tuple(Condition(self.test(2), say("no"), SPAN) for _ in range(self.upto(0, 1)))
        seen_by = self.sets(self.build.seats, 2)
        body = self.body(depth - 1, labels)
        self.scope = seen
        return Alternative(number, arguments, candidates, legal, say("no"), conditions, seen_by, body, SPAN, self.once_in(4))

    def domain(self, bits: int, named: bool = False) -> Domain:
        """A domain of so many bits: each a value of its own, or (not where options are ``named`` by it) with copies."""
        if not named and self.draw(st.booleans()):
            each = self.upto(1, 4)
            copies = tuple(bit // each for bit in range(bits))
            return Domain(tuple(f"face {value}" for value in range(copies[-1] + 1)), copies=copies)
        low = self.pick((0, 0, 1, -3, 40))
        return Domain(tuple(f"value {low + bit}" for bit in range(bits)), low)

    # ---- Values

    def shaped(self, shape: Shape, depth: int) -> Expr:
        return self.sets(shape, depth) if isinstance(shape, int) else self.within(shape.low, shape.high, depth)

    def constant(self, low: int, high: int) -> int:
        """A number of the range: at an edge, or anywhere."""
        near = [n for n in (*EDGES, low, high, low + 1, high - 1) if low <= n <= high]
        if low > 9_999 or self.draw(st.booleans()):
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
        if size > MOST or self.draw(st.booleans()):
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
                width = self.pick(self.widths)
                one, other = self.sized(width, depth - 1), self.sets(width, depth - 1)
                return op("=", one, other) if self.draw(st.booleans()) else op("=", other, one)
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
        return Const(_pattern(width, mix64(self.upto(0, 40))))

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
                name = "left" if self.draw(st.booleans()) and bits_of(moved, self.build.functions) else "right"
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


def _product(domains: Sequence[Domain]) -> int:
    size = 1
    for domain in domains:
        size *= len(domain.names)
    return size


def _pattern(width: int, word: int) -> int:
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


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    """Any machine."""
    return Machines(draw).machine()

