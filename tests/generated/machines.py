"""Generates random machines from their nodes, whether or not a text of rules leads to them.

The language does not reach every corner of the machine: division of and by negative numbers, shifts of wide sets by whole words,
`Leave` out of three blocks, a game that ends inside a routine inside a loop. Here these are as likely as the rest.

Every machine is valid by construction. Numbers are made with their range: a number that could leave 32 bits, an index, a divisor
and a stored value are brought into their range first. Sets are made for a width, and no part of a set is wider
(`expressions.py`). Functions use earlier functions, routines call earlier routines, and every loop counts a local down or takes
members out of a set, so all of it ends. Locals are seen by what stands after their first assignment, in the same sequence of
statements or deeper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import evolve
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
    Leave,
    Load,
    Local,
    Machine,
    Note,
    Region,
    Return,
    Say,
    Show,
    Stmt,
    Term,
    While,
)
from rulesrun.interpreter.machine.random_streams import mix64

from ..machine.tables import LOOP, SPAN, fail, op, say
from .expressions import LEAST, MOST, Expressions, Range, Shape, Signature, pattern

CODES = ("R602", "R604", "R605", "R609", "R612")
STATEMENTS = {"function": 8, "routine": 14, "part": 35}  # at most so many in one
EXPRESSIONS = {"function": 100, "routine": 200, "part": 500}  # behind these only the simplest


class Machines(Expressions):
    """Draws one machine."""

    def __init__(self, draw: st.DrawFn) -> None:
        super().__init__(draw)
        self.statements = self.labels = 0  # statements that may still come; labels that there are
        self.routines: list[tuple[Signature, bool]] = []  # with whether they stop
        self.in_function: Signature | None = None
        self.may_stop = self.stops = False  # whether this routine may stop, and does

    def machine(self) -> Machine:
        for number in range(self.upto(3, 7)):
            self.fields(number)
        self.tables = [self.table(number) for number in range(self.upto(1, 3))]
        for number in range(self.upto(0, 4)):
            shapes = tuple(self.shape() for _ in range(self.upto(0, 3)))
            self.function(f"function {number}", shapes, self.shape())
        seats = self.build.seats
        named = [*(f"term {number}" for number in range(self.upto(1, 2))), "score", "score of team"]
        terms = [self.function(name, (Range(0, seats - 1),), Range(-99, 999)) for name in named][:-2]
        winner = self.function("winner", (seats,), seats)
        for number in range(self.upto(0, 3)):
            shapes = tuple(self.shape() for _ in range(self.upto(0, 3)))
            self.routine("routine", f"routine {number}", shapes, self.maybe(), ())
        main = [self.routine("part", "part 0", (), True, self.beginning())]
        for number in range(1, self.upto(1, 3)):
            main.append(self.routine("part", f"part {number}", (), self.maybe(), ()))
        if self.once_in(4):
            main.append(main[0])
        made = self.build.machine(*(part.name for part in main))
        lines = tuple(Term(term.name, term.name) for term in terms)
        return evolve(made, terms=lines, winner=winner.name)

    def fields(self, number: int) -> None:
        """A field; at times one of another region, whose elements differ in nothing."""
        length = self.pick((1, 1, self.build.seats, 7))
        region: Region = self.pick(("game", "game", "game", "knowledge", "index"))
        if self.maybe():
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
        return self.pick(self.widths) if self.maybe() else self.range()

    def table(self, number: int) -> Constants:
        """A table of numbers or sets, of a few elements or many."""
        length, seed = self.pick((1, 2, 5, 40, 300)), self.upto(0, 999)
        if self.maybe():
            width = self.pick(self.widths)
            return Constants(f"table {number}", tuple(pattern(width, mix64(seed + i)) for i in range(length)), width)
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

    def routine(self, kind: str, name: str, parameters: tuple[Shape, ...], may_stop: bool, first: tuple[Stmt, ...]) -> Signature:
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
        self.faults, self.level = False, 0
        self.scope = []
        return [self.local(shape) for shape in parameters]

    def local(self, shape: Shape) -> Local:
        """A new local, seen from here on."""
        made = self.build.local(f"local {self.build.locals}", shape if isinstance(shape, int) else 0)
        if isinstance(shape, Range):
            self.ranges[made] = shape
        self.scope.append(made)
        return made

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
            kinds += [self.either, self.either, self.repeat, self.each_member, self.block]
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
        value = self.sized(width, 1) if self.maybe() else self.number(1).expr
        seats = self.sets(self.build.seats, 2)
        text = say("it is ", Say(self.number(2).expr, None))
        if self.maybe():
            return (Note(text, seats, say("hidden") if self.maybe() else None),)
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

    def each_member(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        """A loop over at most three members of a set, known before or not; what is left of it is looked at, inside and behind."""
        width = self.pick(self.widths)
        few = Const(sum({1 << self.upto(0, width - 1) for _ in range(3)}))
        members = few if self.maybe() else op("intersect", self.sized(width, 2), few)
        rest = self.build.local(f"rest {self.build.locals}", width)
        seen = list(self.scope)
        member = self.local(Range(0, width - 1))
        lowest = op("first", Load(rest)) if self.maybe() else op("after", Load(rest), self.upto(0, width))
        head = (Assign(member, lowest), Assign(rest, op("minus", Load(rest), op("bit", Load(member)))))
        inside = Assign(self.local(width), Load(rest))
        loop = While(op("not", op("=", Load(rest), 0)), (*head, inside, *self.body(depth - 1, labels)), LOOP)
        self.scope = seen
        return (Assign(rest, members), loop, Assign(self.local(width), Load(rest)))

    def block(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        self.labels += 1
        label = f"label {self.labels}"
        return (Block(label, self.body(depth - 1, [*labels, label])),)

    def chance(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        self.stops = True
        domain = self.domain(self.pick(self.widths))
        pool, some = self.sets(domain.bits, 3), pattern(domain.bits, mix64(self.upto(0, 9))) or 1
        never_empty = op("if", op("=", pool, 0), some, pool) if self.maybe() else op("union", pool, some)
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
        if not self.build.groups or self.maybe():
            domains = [self.domain(self.pick((1, 2, 3, 8, 20, *self.widths)), named=True) for _ in range(self.upto(0, 3))]
            while _product(domains) > 700:
                domains.pop()
            self.build.group(f"verb {len(self.build.groups)}", *domains)
            if self.maybe():
                self.build.field(f"legal {len(self.build.groups)}", bits=self.build.groups[-1].size)
        number = self.upto(0, len(self.build.groups) - 1)
        group = self.build.groups[number]
        some, more = self.sets(group.size, 3), self.sets(group.size, 2)
        candidates = some if self.once_in(3) else op("union", some, pattern(group.size, mix64(self.upto(0, 9))) or 1)
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
        if not named and self.maybe():
            each = self.upto(1, 4)
            copies = tuple(bit // each for bit in range(bits))
            return Domain(tuple(f"face {value}" for value in range(copies[-1] + 1)), copies=copies)
        low = self.pick((0, 0, 1, -3, 40))
        return Domain(tuple(f"value {low + bit}" for bit in range(bits)), low)


def _product(domains: Sequence[Domain]) -> int:
    size = 1
    for domain in domains:
        size *= len(domain.names)
    return size


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    """Any machine."""
    return Machines(draw).machine()
