"""Flattened code does what the structured code says, whatever stops where.

Random programs (nested loops, blocks, returns, calls, decisions, chance events) are played by the executor, and by a naive
interpreter that walks the tree and stops by Python's own ``yield``.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.machine import (
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Const,
    Domain,
    Expr,
    Field,
    Finish,
    If,
    Leave,
    Load,
    Local,
    Machine,
    Op,
    Return,
    Stmt,
    Variable,
    While,
)
from rulesrun.interpreter.machine.reference.executor import Executor

from .tables import LOOP, Build, op

COIN = Domain(("heads", "tails"))


class Programs:
    """Draws a program: routine i calls only later ones, and every loop counts down a local of its own."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.build = Build()
        self.trace = self.build.field("trace", high=1_000_003)
        self.labels = 0
        self.size = 0
        self.stops: list[bool] = []
        self.locals: list[Local] = []

    def machine(self) -> Machine:
        for number in range(3, -1, -1):
            parameter, other = self.build.local("parameter"), self.build.local("other")
            self.locals = [parameter, other]
            self.number = number
            self.may_stop = number < 2 or self.draw(st.booleans())
            self.stopped = False
            body = self.body(3, [])
            start = (Assign(other, Const(number)),)
            self.build.routine(f"r{number}", [parameter], *start, *body, stops=self.stopped)
            self.stops.insert(0, self.stopped)
        self.locals = []
        self.build.routine("first", [], Call("r0", (Const(1),)), self.note(), Call("r1", (Const(2),)), stops=any(self.stops[:2]))
        self.build.routine("second", [], self.note(), Call("r2", (Const(3),)), stops=self.stops[2])
        return self.build.machine("first", "second", "first")

    def note(self) -> Stmt:
        """Let the trace remember that we were here, and the values of the locals."""
        value: Expr = op("+", op("*", Load(self.trace), 31), self.draw(st.integers(1, 9)))
        for local in self.locals[:2]:
            value = op("+", value, Load(local))
        return Assign(self.trace, op("mod", value, 1_000_003))

    def body(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        return tuple(stmt for _ in range(self.draw(st.integers(0, 4))) for stmt in self.statement(depth, labels))

    def statement(self, depth: int, labels: list[str]) -> tuple[Stmt, ...]:
        self.size += 1
        simple = ["note", "note", "change", "leave", "return", "call", "chance", "finish"]
        kinds = simple + (["if", "if", "while", "block", "choose", "choose"] if depth and self.size < 60 else [])
        match self.draw(st.sampled_from(kinds)):
            case "change":
                local = self.draw(st.sampled_from(self.locals[:2]))
                return (Assign(local, op("mod", op("+", Load(local), self.draw(st.integers(0, 5))), 7)),)
            case "leave" if labels:
                return (If(self.condition(), (Leave(self.draw(st.sampled_from(labels))),)),)
            case "return":
                return (If(self.condition(), (self.note(), Return())),)
            case "call" if self.number < 3:
                callee = self.draw(st.integers(self.number + 1, 3))
                if self.stops[callee - self.number - 1]:
                    if not self.may_stop:
                        return ()
                    self.stopped = True
                return (Call(f"r{callee}", (Load(self.locals[0]),)),)
            case "chance" if self.may_stop:
                self.stopped = True
                result = self.build.local("result")
                pool = self.draw(st.sampled_from([0b01, 0b11, 0b11]))
                return (self.build.draw(result, pool, COIN), Assign(self.locals[0], Load(result)), self.note())
            case "finish" if self.draw(st.integers(0, 20)) == 0:
                return (If(self.condition(), (Finish(),)),)
            case "if":
                return (If(self.condition(), self.body(depth - 1, labels), self.body(depth - 1, labels)),)
            case "while":
                counter = self.build.local("counter")
                step = Assign(counter, op("-", Load(counter), 1))
                loop = While(op("<", 0, Load(counter)), (step, *self.body(depth - 1, labels)), LOOP)
                return (Assign(counter, Const(self.draw(st.integers(1, 3)))), loop)
            case "block":
                self.labels += 1
                label = f"label {self.labels}"
                return (Block(label, self.body(depth - 1, [*labels, label])),)
            case "choose" if self.may_stop:
                self.stopped = True
                alternatives = [self.build.verb(f"verb {self.size}.{i}", *self.body(depth - 1, labels)) for i in range(2)]
                if self.draw(st.integers(0, 3)) == 0:
                    blocked = [evolve(each, legal=Const(0)) for each in alternatives]
                    return (self.build.decide(0, *blocked, impossible=self.body(depth - 1, labels)),)
                return (self.build.decide(1, *alternatives, impossible=(self.note(),)),)
            case _:
                return (self.note(),)

    def condition(self) -> Expr:
        variables: list[Variable] = [self.trace, *self.locals[:2]]
        of = self.draw(st.sampled_from(variables))
        return op("=", op("mod", Load(of), self.draw(st.integers(2, 4))), 0)


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    return Programs(draw).machine()


class _Left(Exception):
    """`Leave`, by its label."""


class _Returned(Exception):
    pass


class _Finished(Exception):
    pass


class Walker:
    """The naive interpreter: yields at each stop, and is sent the option or the value."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.values: dict[Variable, int] = {}
        self.running: list[str] = []

    def play(self) -> Generator[tuple[str, int], int, None]:
        with suppress(_Finished):
            for name in self.machine.main:
                yield from self.call(name, [])

    def call(self, name: str, values: list[int]) -> Generator[tuple[str, int], int, None]:
        routine = self.machine.routines[name]
        self.values.update(zip(routine.parameters, values, strict=True))
        self.running.append(name)
        with suppress(_Returned):
            yield from self.run(routine.body)
        self.running.pop()

    def run(self, body: tuple[Stmt, ...]) -> Generator[tuple[str, int], int, None]:
        for stmt in body:
            match stmt:
                case Assign(variable=variable, value=value):
                    self.values[variable] = self.value(value)
                case If(condition=condition, then=then, otherwise=otherwise):
                    yield from self.run(then if self.value(condition) else otherwise)
                case While(condition=condition, body=inner):
                    while self.value(condition):
                        yield from self.run(inner)
                case Block(label=label, body=inner):
                    try:
                        yield from self.run(inner)
                    except _Left as left:
                        if left.args != (label,):
                            raise
                case Leave(label=label):
                    raise _Left(label)
                case Return():
                    raise _Returned
                case Finish():
                    raise _Finished
                case Call(routine=routine, args=args):
                    yield from self.call(routine, [self.value(arg) for arg in args])
                case Choose(site=site, alternatives=alternatives, impossible=impossible):
                    if all(self.value(alternative.legal) == 0 for alternative in alternatives):
                        yield from self.run(impossible)
                    else:
                        option = yield ("decision", site)
                        bases = [self.machine.groups[alternative.group].base for alternative in alternatives]
                        yield from self.run(alternatives[bases.index(option)].body)
                case Chance(site=site, result=result, pool=pool):
                    bits = self.value(pool)
                    self.values[result] = (yield ("chance", site)) if bits & (bits - 1) else bits.bit_length() - 1
                case _:
                    raise AssertionError(stmt)

    def value(self, expr: Expr) -> int:
        match expr:
            case Const(value=value):
                return value
            case Load(variable=variable):
                return self.values.get(variable, 0)
            case Op(name=name, args=(a, b)):
                x, y = self.value(a), self.value(b)
                return {"+": x + y, "-": x - y, "*": x * y, "mod": x % y if y else 0, "=": int(x == y), "<": int(x < y)}[name]
            case _:
                raise AssertionError(expr)


def trace_of(machine: Machine) -> Field:
    return next(field for field in machine.layout.record if isinstance(field, Field) and field.name == "trace")


def returns(machine: Machine, cells: list[int]) -> set[str]:
    """The routines whose return field is set."""
    prefix = "return to "
    places = [(variable.name, place.slot) for variable, place in machine.layout.record.items()]
    return {name.removeprefix(prefix) for name, slot in places if name.startswith(prefix) and cells[slot]}


def answers(seed: int) -> Iterator[int]:
    while True:
        seed = (seed * 1_103_515_245 + 12_345) % 2**31
        yield seed >> 16


@pytest.mark.slow
@settings(max_examples=120)
@given(machines(), st.integers(0, 2**31))
def test_flattened_programs_do_what_they_say(machine: Machine, seed: int) -> None:
    assert violations(machine) == []
    executor = Executor(machine)
    cells = executor.fresh()
    trace = machine.layout.record[trace_of(machine)].slot
    walker = Walker(machine)
    walk = walker.play()
    site: tuple[str, int] | None
    site = next(walk, None)
    stop = executor.enter(cells)
    for answer, _ in zip(answers(seed), range(2000), strict=False):
        # Saved, loaded, with scratch full of rubbish and one record for both: nothing may change.
        cells = executor.unpack(executor.pack(cells))
        for slot in machine.layout.scratch.values():
            cells[slot] = 77_777
        assert executor.stop(cells) == stop
        assert cells[trace] == walker.values.get(trace_of(machine), 0)
        if stop.node is None:
            assert (stop.kind, site) == ("over", None)
            break
        assert (stop.kind, stop.node.site) == site
        assert returns(machine, cells) == {name for name in walker.running if machine.routines[name].stops}
        if isinstance(stop.node, Choose):
            options = executor.options(cells)
            taken = options[answer % len(options)]
            stop = executor.choose(cells, taken)
        else:
            taken = answer % 2
            stop = executor.happen(cells, taken)
        try:
            site = walk.send(taken)
        except StopIteration:
            site = None


@pytest.mark.slow
@settings(max_examples=80)
@given(machines(), st.integers(0, 2**31))
def test_dead_locals_are_zero_bytes(machine: Machine, seed: int) -> None:
    """Whatever is zeroed has no meaning: rubbish in its place changes nothing but itself."""
    executor = Executor(machine)
    cells = executor.fresh()
    stop = executor.enter(cells)
    for answer, _ in zip(answers(seed), range(50), strict=False):
        if stop.node is None:
            break
        for local in machine.clear[stop.node.site]:
            place = machine.layout.record[local]
            assert isinstance(local, Local)
            assert cells[place.slot] == place.low
        rubbish = list(cells)
        for local in machine.clear[stop.node.site]:
            rubbish[machine.layout.record[local].slot] = 5
        if isinstance(stop.node, Choose):
            options = executor.options(cells)
            taken = options[answer % len(options)]
            stop, other = executor.choose(cells, taken), executor.choose(rubbish, taken)
        else:
            stop, other = executor.happen(cells, answer % 2), executor.happen(rubbish, answer % 2)
        assert stop == other
        assert rubbish[machine.layout.record[trace_of(machine)].slot] == cells[machine.layout.record[trace_of(machine)].slot]
