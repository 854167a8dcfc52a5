"""Emission of statements without a stop; `flow.py` and `playouts.py` emit stops, each in its own way.

Statements that only a narrator needs (`Note`) are left out. A routine that can end the game from the middle (`Finish`) returns a
number: 1 where it did. A fault calls ``fail``, which writes its number into the record and traps.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import takewhile
from typing import assert_never

from attrs import evolve, frozen

from ....machine.analysis.rounds import Rounds
from ....machine.bitsets import lowest_from
from ....machine.faults import Faults
from ....machine.machine import (
    ROUNDS_LIMIT,
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Const,
    Expr,
    Fail,
    Field,
    Finish,
    Function,
    If,
    Leave,
    Load,
    Local,
    Note,
    Op,
    Return,
    Routine,
    Show,
    Stmt,
    While,
)
from ....machine.traverse import every_expression, every_statement, expressions, expressions_within, members_of, only_narrates
from ...binary.code import Code
from ...layout.addresses import FLAG
from ...layout.storage import WORD, InLocals, InMemory, words_for
from ...optimize.idle import is_idle
from .expressions import Expressions

IMAGINING = 4  # the number of the global that is 1 while a bot thinks: nobody needs what seats know

STORES = {1: "i64.store8", 2: "i64.store16", 4: "i64.store32"}
NUMBER_STORES = {1: "i32.store8", 2: "i32.store16", 4: "i32.store"}


UNROLLED_SIZE = 800  # expressions and statements of all rounds of a loop that is written out
STEPS = 2  # of a loop that looks for a fixed point, in one round
INLINED_SIZE = 60  # of a function that is written where it is called,
INLINED_SIZE_WITH_CONSTANT = 200  # and where an argument is known
INLINED_UP_TO = 12_000  # instructions of one function


@frozen
class _Returning:
    """A function that is being written into another: where it returns to, and where its result goes (``words`` of a set)."""

    label: int
    words: int
    results: list[int]


class Statements:
    """Adds the code of statements to one function.

    ``fail``: the number of that function. ``rounds``: the address where rounds are counted. ``sizes``: of functions by name, as
    far as they are known, shared by all code of a module. ``call``: the number of a routine, and whether it can end the game.
    ``finish``, ``leave_routine``, ``stop``, ``show``, ``around_loop``: what is added for these. ``kept``: whether a statement is
    not left out. ``once``: the routines that are written where they are called, which is one place.
    ``learns``: whether a statement only says what seats know, which is left out while a bot thinks.
    """

    def __init__(
        self,
        values: Expressions,
        faults: Faults,
        fail: int,
        rounds: int,
        rounds_of: Rounds,
        sizes: dict[str, int],
        routines: Mapping[str, Routine],
        call: Callable[[str], tuple[int, bool]],
        finish: Callable[[], None],
        show: Callable[[Show], None],
        kept: Callable[[Stmt], bool],
        stop: Callable[[Choose | Chance], None] | None = None,
        separate: Callable[[str], bool] = lambda name: False,
        around_loop: Callable[[While], AbstractContextManager[None]] = lambda loop: nullcontext(),
        once: Container[str] = (),
        learns: Callable[[Stmt], bool] = lambda stmt: False,
    ) -> None:
        self.values = values
        self.code: Code = values.code
        self.faults = faults
        self.fail = fail
        self.rounds = rounds
        self.rounds_of = rounds_of
        self.sizes = sizes
        self.routines = routines
        self.call = call
        self.finish = finish
        self.show = show
        self.kept = kept
        self.stop = stop
        self.separate = separate
        self.around_loop = around_loop
        self.once = once
        self.learns = learns
        self._leaving: list[int] = []  # labels behind the routines that are being written into this one
        self._labels: dict[str, int] = {}
        self._assigned: dict[int, int] = {}  # by number of a local, how many assignments it has in what is added here
        self._written: set[str] = set()
        self._returning: list[_Returning] = []  # the functions that are being written into this one
        values.inlined = self._inlined

    def definition(self, definition: Function | Routine) -> None:
        """The whole code of a function or routine."""
        self.will_assign(definition)
        self.sequence(definition.body)

    def will_assign(self, definition: Function | Routine) -> None:
        """Look through code that is to be added: what is assigned once, may be a constant."""
        for stmt in every_statement(definition.body):
            match stmt:
                case Assign(variable=Local(number=number)):
                    self._assigned[number] = self._assigned.get(number, 0) + 1
                case Chance(result=Local(number=number)):
                    self._assigned[number] = self._assigned.get(number, 0) + 2
                case Choose(alternatives=alternatives):
                    for alternative in alternatives:
                        for argument in alternative.arguments:
                            self._assigned[argument.number] = self._assigned.get(argument.number, 0) + 2
        for parameter in definition.parameters:
            self._assigned[parameter.number] = self._assigned.get(parameter.number, 0) + 1

    def sequence(self, body: Sequence[Stmt]) -> None:
        kept = [stmt for stmt in body if not only_narrates(stmt) and self.kept(stmt)]
        number = 0
        while number < len(kept):
            learning = list(takewhile(self.learns, kept[number:]))
            if learning:
                self._learn(learning)
                number += len(learning)
                continue
            stmt = kept[number]
            between = list(takewhile(_stores_by_the_way, kept[number + 1 :]))
            following = kept[number + len(between) + 1] if number + len(between) + 1 < len(kept) else None
            with self.code.statement():
                if isinstance(stmt, Assign) and isinstance(following, While) and self._unrolled(stmt, between, following):
                    number += len(between) + 2
                    continue
                before = kept[number - 1] if number else None
                if isinstance(stmt, If) and is_idle(before, self._as_kept(stmt), self.values.speculation.cheap):
                    self.sequence(stmt.then)
                else:
                    self.statement(stmt)
                number += 1

    def _learn(self, learning: Sequence[Stmt]) -> None:
        """Let seats know something, unless a bot thinks."""
        self.code.add("global.get", IMAGINING)
        self.code.add("i32.eqz")
        with self.code.when():
            for stmt in learning:
                with self.code.statement():
                    self.statement(stmt)

    def _as_kept(self, stmt: If) -> If:
        """Without what is left out."""
        return evolve(stmt, then=tuple(each for each in stmt.then if not only_narrates(each) and self.kept(each)))

    def _unrolled(self, start: Assign, between: Sequence[Stmt], loop: While) -> bool:
        """A loop over few members that are known now is written out, round by round. ``between``: stores in the record."""
        rest = members_of(loop)
        if rest is None or start.variable != rest:
            return False
        members = self.values.known.value(start.value)
        head = loop.body[0]
        assert isinstance(head, Assign)
        if members is None or not isinstance(head.variable, Local) or self._assigned.get(head.variable.number) != 1:
            return False
        body = loop.body[2:]
        times = members.bit_count()
        if times > 1 and (any(map(self._is_written_long, every_statement(body))) or times * size_of(body) > UNROLLED_SIZE):
            return False
        assert isinstance(head.value, Op)
        start_at = self.values.known.value(head.value.args[1]) if head.value.name == "after" else 0
        if start_at is None:
            return False
        self.assign(start)
        self.sequence(between)
        while members:
            member = lowest_from(members, start_at)
            members &= ~(1 << member)
            self.assign(Assign(rest, Const(members)))
            self.values.places.constants[head.variable.number] = member
            self.sequence(body)
        self.values.places.constants.pop(head.variable.number, None)
        return True

    def _is_written_long(self, stmt: Stmt) -> bool:
        """Whether a statement becomes far more code than its size tells: a stop, or a routine that is written in its place."""
        return isinstance(stmt, Choose | Chance) or (isinstance(stmt, Call) and stmt.routine in self.once)

    def statement(self, stmt: Stmt) -> None:
        code, values = self.code, self.values
        match stmt:
            case Assign():
                self.assign(stmt)
            case If(condition=condition, then=then, otherwise=otherwise):
                holds = values.known.value(condition)
                if holds is not None:
                    self.sequence(then if holds else otherwise)
                    return
                if self._chosen(stmt):
                    return
                values.condition(condition)
                with code.when():
                    self._where(condition, then)
                    if otherwise:
                        code.otherwise()
                        self.sequence(otherwise)
            case While():
                self._while(stmt)
            case Block(label=label, body=body):
                with code.block() as found:
                    self._labels[label] = found
                    self.sequence(body)
            case Leave(label=label):
                code.br(self._labels[label])
            case Return(value=None):
                self.leave_routine()
            case Return(value=value):
                assert value is not None
                self._return(value)
            case Call(routine=name, args=args) if name in self.once:
                self._written_here(self.routines[name], args)
            case Call(routine=name, args=args):
                for parameter, arg in zip(self.routines[name].parameters, args, strict=True):
                    values.given(parameter, arg)
                number, ends = self.call(name)
                code.add("call", number)
                if ends:
                    with code.when():
                        self.finish()
            case Fail():
                self.failed(self.faults.number(stmt))
            case Finish():
                self.finish()
            case Show():
                self.show(stmt)
            case Note():
                raise AssertionError("a note is left out")
            case Choose() | Chance():
                assert self.stop is not None, "a stop stands at the end of a basic block"
                self.stop(stmt)
            case _:
                assert_never(stmt)

    def _where(self, condition: Expr, then: Sequence[Stmt]) -> None:
        """What is done where a condition holds: right at the beginning, a set is not empty that was asked for."""
        match condition, then:
            case (
                Op(name="not", args=(Op(name="=", args=(some, Const(value=0))),)),
                (Assign(value=Op(name="first" | "after")) as first, *others),
            ) if self.kept(first):
                with self.code.statement():
                    self.values.sets.filled = some
                    self.statement(first)
                    self.values.sets.filled = None
                self.sequence(others)
            case _:
                self.sequence(then)

    def leave_routine(self) -> None:
        """Return from a routine in the middle: from this one, or from one that is being written into it."""
        if self._leaving:
            self.code.br(self._leaving[-1])
            return
        if self.code.results:
            self.code.i32(0)
        self.code.add("return")

    def _chosen(self, stmt: If) -> bool:
        """Where a condition only decides what a local becomes, both are worked out, and nothing jumps."""
        match stmt:
            case If(then=(Assign(variable=Local() as local, value=value),), otherwise=()):
                otherwise: Expr = Load(local)
            case If(
                then=(Assign(variable=Local() as local, value=value),),
                otherwise=(Assign(variable=Local() as same, value=otherwise),),
            ) if same == local:
                pass
            case _:
                return False
        values = self.values
        place = values.places.place(local)
        if not isinstance(place, InLocals) or self._assigned.get(local.number) == 1 or len(place.indices) > 2:
            return False
        if not (values.speculation.cheap(value) and values.speculation.cheap(otherwise)):
            return False
        values.given(local, Op("if", (stmt.condition, value, otherwise)))
        for index in reversed(place.indices):
            self.code.set(index)
        return True

    def _return(self, value: Expr) -> None:
        """Return from a function: from this one, or from one that is being written into it."""
        if not self._returning:
            self.result(value, words=len(self.code.results) if self.code.results[0] == "i64" else 0)
            self.code.add("return")
            return
        returning = self._returning[-1]
        self.result(value, returning.words)
        for local in reversed(returning.results):
            self.code.set(local)
        self.code.br(returning.label)

    def result(self, value: Expr, words: int) -> None:
        """Leave what a function returns on the stack. ``words``: of a set; 0 for a number."""
        if words:
            for word in self.values.sets.words(value, words):
                word()
        else:
            self.values.number(value)

    # ---- Routines and functions written into others

    def _written_here(self, routine: Routine, args: Sequence[Expr]) -> None:
        """Write a routine that is called nowhere else where it is called."""
        values, code = self.values, self.code
        self.will_assign(routine)
        known = [values.known.value(arg) for arg in args]
        given = [
            (parameter, arg, value if self._assigned[parameter.number] == 1 else None)
            for parameter, arg, value in zip(routine.parameters, args, known, strict=True)
        ]
        for parameter, arg, value in given:
            if value is None:
                values.given(parameter, arg)
        for parameter, _, value in reversed(given):
            if value is None:
                values.places.constants.pop(parameter.number, None)
                place = values.places.place(parameter)
                assert isinstance(place, InLocals)
                for local in reversed(place.indices):
                    code.set(local)
            else:
                values.places.constants[parameter.number] = value
        with code.block() as label:
            self._leaving.append(label)
            self.sequence(routine.body)
            self._leaving.pop()

    def _inlined(self, function: Function, args: Sequence[Expr]) -> bool:
        """Write a small function where it is called; its result is left on the stack. False where it is to be called."""
        if function.restores or self.separate(function.name) or len(self.code.out) > INLINED_UP_TO:
            return False
        values, places = self.values, self.values.places
        constant = [values.known.value(arg) for arg in args]
        most = INLINED_SIZE if all(value is None for value in constant) else INLINED_SIZE_WITH_CONSTANT
        size = self.sizes.get(function.name)
        if size is None:
            size = self.sizes[function.name] = size_of(function.body)
        if size > most:
            return False
        if function.name not in self._written:
            self._written.add(function.name)
            self.will_assign(function)
        bound = [self._bound(p, arg, value) for p, arg, value in zip(function.parameters, args, constant, strict=True)]
        for parameter, value in zip(function.parameters, bound, strict=True):
            places.constants.pop(parameter.number, None)
            if isinstance(value, int):
                places.constants[parameter.number] = value
            else:
                places.parameter(parameter, value)
        words = words_for(function.bits) if function.bits else 0
        *before, last = function.body
        if not before and isinstance(last, Return) and last.value is not None:
            self.result(last.value, words)
            return True
        results = [self.code.temporary("i64") for _ in range(words)] or [self.code.temporary("i32")]
        with self.code.block() as label:
            self._returning.append(_Returning(label, words, results))
            self.sequence(function.body)
            self._returning.pop()
            if not isinstance(last, Return):
                self.code.add("unreachable")
        for local in results:
            self.code.get(local)
        return True

    def _bound(self, parameter: Local, arg: Expr, constant: int | None) -> int | tuple[int, ...]:
        """What a parameter is inside: a constant, the caller's own locals, or others."""
        values, code = self.values, self.code
        unchanged = self._assigned.get(parameter.number) == 1
        if constant is not None and unchanged:
            return constant
        match arg:
            case Load(variable=Local() as variable, index=None) if unchanged and variable.bits == parameter.bits:
                place = values.places.place(variable)
                if isinstance(place, InLocals) and variable.number not in values.places.constants:
                    return place.indices
            case _:
                pass
        if parameter.bits:
            return tuple(values.sets.kept(arg, words_for(parameter.bits)))
        values.number(arg)
        local = code.temporary("i32")
        code.set(local)
        return (local,)

    def failed(self, number: int) -> None:
        self.code.i32(number)
        self.code.add("call", self.fail)
        self.code.add("unreachable")

    def _while(self, stmt: While) -> None:
        code = self.code
        holds = self.values.known.value(stmt.condition)
        if holds == 0:
            return
        own = None
        if self.rounds_of.counts(stmt) and not self.rounds_of.stops(stmt):
            own = code.local("i32")
            code.i32(0)
            code.set(own)
        elif self.rounds_of.counts(stmt):
            self.begin_loop(stmt)
        with self.around_loop(stmt), code.block() as after, code.block("loop") as head:
            with code.statement():
                self.values.condition(stmt.condition)
                code.add("i32.eqz")
                code.br_if(after)
            self.count_round(stmt, own)
            rest = members_of(stmt)
            if rest is None:
                self.sequence(stmt.body if self.rounds_of.counts(stmt) else fixed_point_steps(stmt, STEPS))
            else:
                self._members(rest, stmt.body)
            code.br(head)

    def _members(self, rest: Local, body: Sequence[Stmt]) -> None:
        """A round of a loop over the members of a set, which is not empty at first."""
        first, less, *others = body
        with self.code.statement():
            self.values.sets.filled = Load(rest)
            self.statement(first)
            self.values.sets.filled = None
        self.sequence((less, *others))

    def begin_loop(self, stmt: While) -> None:
        """No round of a loop was made yet whose rounds the record counts."""
        self.code.i32(0)
        self.code.i32(0)
        self.code.add("i32.store", self.rounds + 4 * self.rounds_of.depth(stmt))

    def count_round(self, stmt: While, own: int | None = None) -> None:
        """One more round; one too many is a fault. Where there can be very many, the module can be asked to leave off.

        ``own``: the local in which the rounds are counted; None: the record counts them, if anybody does.
        """
        code = self.code
        counts, hears = self.rounds_of.counts(stmt), self.rounds_of.hears(stmt)
        if not counts and not hears:
            return
        with code.statement():
            if counts:
                now = code.temporary("i32") if own is None else own
                if own is None:
                    code.i32(0)
                    code.i32(0)
                    code.add("i32.load", self.rounds + 4 * self.rounds_of.depth(stmt))
                else:
                    code.get(own)
                code.i32(1)
                code.add("i32.add")
                code.tee(now)
                if own is None:
                    code.add("i32.store", self.rounds + 4 * self.rounds_of.depth(stmt))
                    code.get(now)
                code.i32(ROUNDS_LIMIT)
                code.add("i32.gt_u")
            if hears:
                code.i32(0)
                code.add("i32.load", FLAG)
                if counts:
                    code.add("i32.or")
            with code.when():
                self.failed(self.faults.number(stmt))

    # ---- Assignments

    def assign(self, stmt: Assign) -> None:
        place = self.values.places.place(stmt.variable)
        if isinstance(place, InLocals):
            assert isinstance(stmt.variable, Local)
            number, value = stmt.variable.number, self.values.known.value(stmt.value)
            if value is not None and self._assigned.get(number) == 1:
                self.values.places.constants[number] = value
                return
            self.values.places.constants.pop(number, None)
            self.values.given(stmt.variable, stmt.value)
            for local in reversed(place.indices):
                self.code.set(local)
        elif place.bits:
            self._assign_set(place, stmt)
        else:
            self._assign_number(place, stmt)

    def _assign_number(self, place: InMemory, stmt: Assign) -> None:
        offset = self.values.address(place, stmt.index)
        self.values.number(stmt.value)
        self._promote(stmt)
        self.store_number(place, offset)

    def _promote(self, stmt: Assign) -> None:
        """Keep what is on the stack and goes into the record in a local as well."""
        promoted = self.values.promoted(stmt.variable, stmt.index)
        if promoted is not None:
            self.code.tee(promoted)

    def promote(self, elements: Iterable[tuple[Field, int]]) -> None:
        """Let elements of the record lie in locals as well, from here on."""
        for field, at in elements:
            local = self.code.local("i64" if field.bits else "i32")
            self.values.given(field, Load(field, Const(at)))
            self.code.set(local)
            self.values.places.promoted[field, at] = local

    def store_number(self, place: InMemory, offset: int) -> None:
        """Store the number on the stack at the address below it."""
        if place.low:
            self.code.i32(place.low)
            self.code.add("i32.sub")
        self.code.add(NUMBER_STORES[place.width], offset)

    def _assign_set(self, place: InMemory, stmt: Assign) -> None:
        code, values = self.code, self.values
        count = words_for(8 * place.width)
        if count > 1 and self._change_one_word(place, stmt):
            return
        offset = values.address(place, stmt.index)
        if count == 1:
            values.sets.words(stmt.value, 1)[0]()
            self._promote(stmt)
            code.add(STORES.get(place.width, "i64.store"), offset)
            return
        base = code.temporary("i32")
        code.set(base)
        kept = values.sets.kept(stmt.value, count)
        for number, local in enumerate(kept):
            code.get(base)
            code.get(local)
            code.add("i64.store", offset + 8 * number)

    def _change_one_word(self, place: InMemory, stmt: Assign) -> bool:
        """A set of several words to which one bit is added, or from which one is taken, where it lies."""
        code, values = self.code, self.values
        match stmt.value:
            case Op(name="union" | "minus" as name, args=(Load(variable=same, index=index), Op(name="bit", args=(member,)))):
                if same != stmt.variable or index != stmt.index:
                    return False
            case _:
                return False
        offset = values.address(place, stmt.index)
        base = code.temporary("i32")
        code.set(base)
        number = values.number_kept(member)
        code.get(base)
        number()
        code.i32(6)
        code.add("i32.shr_u")
        code.i32(3)
        code.adds("i32.shl", "i32.add")
        code.tee(base)
        code.get(base)
        code.add("i64.load", offset)
        code.i64(1)
        number()
        code.adds("i64.extend_i32_u", "i64.shl")
        if name == "union":
            code.add("i64.or")
        else:
            code.i64((1 << WORD) - 1)
            code.adds("i64.xor", "i64.and")
        code.add("i64.store", offset)
        return True


def _stores_by_the_way(stmt: Stmt) -> bool:
    """Whether a statement stores something in the record, and so changes no local."""
    return isinstance(stmt, Assign) and isinstance(stmt.variable, Field)


def leave_off_if_asked(code: Code) -> None:
    """A trap where the flag of the module asks playouts to leave off."""
    code.i32(0)
    code.add("i32.load", FLAG)
    with code.when():
        code.add("unreachable")


def fixed_point_steps(loop: While, steps: int) -> tuple[Stmt, ...]:
    """The body of a loop that goes on until a step changes nothing: several steps, of which the last says whether to go on.

    A step more of what nothing changes any more changes nothing, and how many steps it takes can seldom be guessed.
    """
    match loop.condition, loop.body:
        case (
            Op(name="not", args=(Op(name="=", args=(Load(variable=Local() as found), Load(variable=Local() as before))),)),
            (Assign(variable=kept, value=Load(variable=same)) as keep, *step),
        ) if kept == before and same == found and all(isinstance(s, Assign) and s.variable == found for s in step):
            if not any(before == part.variable for part in expressions_within(tuple(step)) if isinstance(part, Load)):
                return (*step * (steps - 1), keep, *step)
        case _:
            pass
    return loop.body


def size_of(body: Sequence[Stmt]) -> int:
    """How many statements and expressions there are in statements."""
    found = 0
    for stmt in every_statement(tuple(body)):
        if not only_narrates(stmt):
            found += 1 + sum(1 for expr in expressions(stmt) for _ in every_expression(expr))
    return found
