"""Compiles expressions, texts and structured statements to Python closures.

Each is compiled once. A closure takes the *cells*, the list of numbers that is a running game, and nothing else; the place of
each variable is fixed in it. An expression's closure returns its value. A statement's returns a *signal*: None to go on, a label
to leave its block, a number when a function returned it (or, of a routine, `RETURNED`). The end of the game and faults are
exceptions inside this package: `GameOver` and `Faulted`.

The order of evaluation is part of what a machine means, since it decides which fault comes first: operands from left to right, an
index before the value that is stored, arguments before the call. ``and``, ``or`` and ``if`` evaluate no more than they need.
Rounds of loops count as `rounds.py` says, those in functions too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import assert_never

from attrs import frozen

from ...common.deadline import OutOfTime
from ..analysis.rounds import Rounds
from ..analysis.widths import bits_of
from ..faults import Faults
from ..machine import (
    ROUNDS_LIMIT,
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Const,
    Domain,
    Expr,
    Fail,
    Field,
    Finish,
    Function,
    If,
    Invoke,
    Layout,
    Leave,
    Load,
    Local,
    Lookup,
    Message,
    Note,
    Op,
    Return,
    Routine,
    Say,
    Show,
    Stmt,
    Variable,
    While,
)
from ..operators import CHAINED, TESTS, VALUES, Cells, Operand, Value, assigned, called, closure, constant, joined, stored
from ..traverse import only_narrates
from .observation import SHOWN, Observer, parts_of_set

STORY_LIMIT = 10_000  # notes between two stops; a real move has some dozens, and nobody reads more

Signal = int | str | None
Action = Callable[[Cells], Signal]
Text = Callable[[Cells], str]
Watcher = Callable[[Cells, int], object]  # hears of the value that goes through a function

RETURNED = 0  # the signal of a routine's Return

# What Python raises where a machine breaks a promise: a negative bit number, a division by 0, a function without a value, ...
BROKEN_PROMISES = (ArithmeticError, LookupError, TypeError, ValueError, MemoryError, RecursionError)


class GameOver(Exception):
    """`Finish` was reached, wherever it stands."""


class Faulted(Exception):
    """A fault stops the game. ``number``: as `Faults` numbers it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@frozen
class StoryLine:
    """A line of the story, as it came up while the machine ran. ``hidden``: what the seats outside ``seen`` get."""

    text: str
    seen: int
    hidden: str | None
    sentence: str = ""


@frozen
class Shown:
    """What some seats were shown. ``hidden``: what the others get."""

    text: str
    seen: int
    hidden: str | None
    sentence: str = ""


class Closures:
    """The closures of one machine's code.

    ``rounds`` says which loops count their rounds and which hear that they shall `leave_off`. With ``narrate``, lines of the
    story go to ``stories``, where a running game has its own list, by the identity of its cells; without it, they
    are not compiled. ``watched``: functions that give back what they are given, by name, and what hears of each call.
    ``speaks``: whether texts are in the language in which the machine speaks, instead of the words of the rules.

    Threads may share them: all that changes while a game runs is in its cells or in its own list. What is compiled late is the
    same whichever thread compiles it.
    """

    def __init__(
        self,
        layout: Layout,
        functions: Mapping[str, Function],
        routines: Mapping[str, Routine],
        faults: Faults,
        observer: Observer,
        rounds: Rounds,
        narrate: bool,
        watched: Mapping[str, Watcher],
        speaks: bool = False,
    ) -> None:
        self.layout = layout
        self.speaks = speaks
        self.functions = functions
        self.routines = routines
        self.faults = faults
        self.observer = observer
        self.rounds = rounds
        self.time_is_over = [False]
        self.narrate = narrate
        self.watched = watched
        self.stories: dict[int, list[StoryLine | Shown]] = {}
        self._function_bodies: dict[str, Action] = {}
        self._routine_bodies: dict[str, Action] = {}
        # by the identity of what is said, which stands in the machine: there are few of them, said again and again
        self._texts: dict[int, tuple[Message | Say, Text]] = {}

    def slot(self, variable: Variable) -> int:
        """Where the (first) element of a variable lies in the cells."""
        place = self.layout.record.get(variable)
        if place is not None:
            return place.slot
        assert isinstance(variable, Local), f"the field {variable.name} has no place"
        return self.layout.scratch[variable]

    # ---- Expressions

    def value(self, expr: Expr) -> Value:
        """The closure that gives an expression's value."""
        return closure(self._operand(expr))

    def test(self, expr: Expr) -> Value:
        """A closure that is true where the expression is 1, and false where it is 0; cheaper than its value."""
        return closure(self._tested(expr))

    def _tested(self, expr: Expr) -> Operand:
        """A condition as an operand."""
        match expr:
            case Op(name="and" | "or" as name, args=args):
                return self._chained(VALUES[name], [self._tested(part) for part in args])
            case Op(name="not", args=(part,)):
                return joined(TESTS["not"], self._tested(part))
            case Op(name=name, args=args) if name in TESTS:
                return joined(TESTS[name], *map(self._operand, args))
            case _:
                return self._operand(expr)

    def _operand(self, expr: Expr) -> Operand:
        """An expression as an operand."""
        match expr:
            case Const(value=value):
                return constant(value)
            case Load(variable=variable, index=None):
                return stored(self.slot(variable))
            case Load(variable=variable, index=Const(value=number)):
                return stored(self.slot(variable) + number)
            case Load(variable=variable, index=Op(name="+", args=(start, Const(value=number)))):
                return joined("cells[{0} + {1}]", constant(self.slot(variable) + number), self._operand(start))
            case Load(variable=variable, index=index) if index is not None:
                return joined("cells[{0} + {1}]", constant(self.slot(variable)), self._operand(index))
            case Lookup(table=table, index=Const(value=number)):
                return constant(table.values[number])
            case Lookup(table=table, index=index):
                return joined("{0}[{1}]", constant(table.values), self._operand(index))
            case Op(name="if", args=(condition, then, otherwise)):
                return joined(VALUES["if"], self._tested(condition), self._operand(then), self._operand(otherwise))
            case Op(name="not", args=(part,)):
                return joined(VALUES["not"], self._tested(part))
            case Op(name="left", args=(part, by)):
                every = (1 << bits_of(part, self.functions)) - 1
                return joined(VALUES["left"], self._operand(part), self._operand(by), constant(every))
            case Op(name=name, args=args):
                operands = [self._operand(part) for part in args]
                return self._chained(VALUES[name], operands) if name in CHAINED else joined(VALUES[name], *operands)
            case Invoke(function=function, args=args):
                return called(self._invoked(self.functions[function], [self.value(part) for part in args]))
            case Load():
                raise AssertionError("every index of a load has been asked for")
            case _:
                assert_never(expr)

    def _chained(self, text: str, operands: Sequence[Operand]) -> Operand:
        """``((a op b) op c) op ...``."""
        return reduce(partial(joined, text), operands)

    def _invoked(self, function: Function, args: Sequence[Value]) -> Value:
        watcher = self.watched.get(function.name)
        if watcher is not None:
            return _watched(args[0], watcher)
        body = self._function_body(function)
        slots = [self.slot(parameter) for parameter in function.parameters]
        match slots, args:
            case [], []:
                return body
            case [slot], [arg]:

                def invoke_with_one(cells: Cells) -> int:
                    cells[slot] = arg(cells)
                    return body(cells)

                return invoke_with_one
            case [first, second], [one, two]:

                def invoke_with_two(cells: Cells) -> int:
                    cells[first], cells[second] = one(cells), two(cells)
                    return body(cells)

                return invoke_with_two
            case _:

                def invoke(cells: Cells) -> int:
                    values = [arg(cells) for arg in args]
                    for slot, value in zip(slots, values, strict=True):
                        cells[slot] = value
                    return body(cells)

                return invoke

    def _function_body(self, function: Function) -> Value:
        known = self._function_bodies.get(function.name)
        if known is None:
            match function.body:
                case (Return(value=value),) if value is not None:
                    known = self.value(value)
                case body:
                    known = self.sequence(body)
            if function.restores:
                known = self._restoring(function.restores, known)  # type: ignore[arg-type]
            self._function_bodies[function.name] = known
        return known  # type: ignore[return-value]  # a function returns its value on every path: its signal is a number

    def _restoring(self, fields: Sequence[Field], body: Value) -> Value:
        """A function after which fields are as they were before; a fault leaves them as it finds them."""
        parts = [slice(self.slot(field), self.slot(field) + field.length) for field in fields]

        def run_and_restore(cells: Cells) -> int:
            saved = [cells[part] for part in parts]
            value = body(cells)
            for part, before in zip(parts, saved, strict=True):
                cells[part] = before
            return value

        return run_and_restore

    # ---- Texts

    def text(self, message: Message | Say) -> Text:
        """A closure that says a message of the machine, or one part of it. A part whose value faults is said as "?"."""
        made = self._texts.get(id(message))
        if made is None:
            parts = ((self.speaks and message.said) or message.parts) if isinstance(message, Message) else (message,)
            made = self._texts[id(message)] = (message, self._text(parts))
        return made[1]

    def _text(self, said: Sequence[str | Say]) -> Text:
        parts = [part if isinstance(part, str) else self._said(part) for part in said]

        def say(cells: Cells) -> str:
            return "".join([part if isinstance(part, str) else part(cells) for part in parts])

        return say

    def _said(self, part: Say) -> Text:
        value, domain, is_set = self.value(part.value), part.domain, part.is_set
        words = spoken if self.speaks else said

        def say(cells: Cells) -> str:
            try:
                return words(value(cells), domain, is_set)
            except (Faulted, *BROKEN_PROMISES):
                return "?"

        return say

    # ---- Statements

    def sequence(self, body: Sequence[Stmt]) -> Action:
        """Statements one after the other, up to the first that signals."""
        if not self.narrate:
            body = [stmt for stmt in body if not only_narrates(stmt)]
        actions = [self.action(stmt) for stmt in body]
        match actions:
            case []:
                return _nothing
            case [only]:
                return only
            case [one, two] if not _signals(body[0]):

                def run_two(cells: Cells) -> Signal:
                    one(cells)
                    return two(cells)

                return run_two
            case [one, two, three] if not _signals(body[0]) and not _signals(body[1]):

                def run_three(cells: Cells) -> Signal:
                    one(cells)
                    two(cells)
                    return three(cells)

                return run_three
            case [*plain, last] if not any(_signals(stmt) for stmt in body[:-1]):

                def run_plain(cells: Cells) -> Signal:
                    for action in plain:
                        action(cells)
                    return last(cells)

                return run_plain
            case _:

                def run(cells: Cells) -> Signal:
                    for action in actions:
                        signal = action(cells)
                        if signal is not None:
                            return signal
                    return None

                return run

    def action(self, stmt: Stmt) -> Action:
        """The closure of a statement without stops."""
        match stmt:
            case Assign(variable=variable, value=value, index=index):
                return self._assign(self.slot(variable), value, index)
            case If(condition=condition, then=then, otherwise=otherwise):
                done, instead = called(self.sequence(then)), called(self.sequence(otherwise)) if otherwise else constant(None)
                return closure(joined(VALUES["if"], self._tested(condition), done, instead))
            case While():
                return self._while(stmt)
            case Block(label=label, body=body):
                inside = self.sequence(body)

                def block(cells: Cells) -> Signal:
                    signal = inside(cells)
                    return None if signal == label else signal

                return block
            case Leave(label=label):
                return lambda cells: label
            case Return(value=result):
                return self.value(result) if result is not None else lambda cells: RETURNED
            case Call(routine=routine, args=args):
                return self._call(self.routines[routine], [self.value(part) for part in args])
            case Fail():
                number = self.faults.number(stmt)

                def fail(cells: Cells) -> Signal:
                    raise Faulted(number)

                return fail
            case Finish():

                def finish(cells: Cells) -> Signal:
                    raise GameOver

                return finish
            case Show():
                return self._show(stmt)
            case Note():
                return self.note(stmt.text, self.value(stmt.seen), stmt.hidden)
            case Choose() | Chance():
                raise AssertionError("a stop stands at the end of a basic block")
            case _:
                assert_never(stmt)

    def _assign(self, slot: int, value: Expr, index: Expr | None) -> Action:
        match index:
            case None:
                return assigned(slot, self._operand(value))
            case Const(value=number):
                return self._assign(slot + number, value, None)
            case _:
                at, found = self.value(index), self.value(value)

                def assign_element(cells: Cells) -> Signal:
                    element = slot + at(cells)
                    cells[element] = found(cells)
                    return None

                return assign_element

    def _while(self, stmt: While) -> Action:
        go_on = self.test(stmt.condition)
        body = self.sequence(stmt.body)
        number = self.faults.number(stmt)
        most = ROUNDS_LIMIT + 1 if self.rounds.counts(stmt) else None
        time_is_over = self.time_is_over

        def short_loop(cells: Cells) -> Signal:
            while go_on(cells):
                signal = body(cells)
                if signal is not None:
                    return signal
            return None

        def loop(cells: Cells) -> Signal:
            rounds = 0
            try:
                while go_on(cells):
                    rounds += 1
                    if rounds == most:
                        raise Faulted(number)
                    if time_is_over[0]:
                        raise OutOfTime
                    signal = body(cells)
                    if signal is not None:
                        return signal
            except OutOfTime as over:
                over.where = over.where or stmt.span
                raise
            return None

        return loop if self.rounds.hears(stmt) else short_loop

    def parameters(self, routine: Routine, args: Sequence[Value]) -> Callable[[Cells], None]:
        """Assign a routine's parameters, all arguments evaluated first."""
        slots = [self.slot(parameter) for parameter in routine.parameters]

        def assign(cells: Cells) -> None:
            values = [arg(cells) for arg in args]
            for slot, value in zip(slots, values, strict=True):
                cells[slot] = value

        return assign

    def _call(self, routine: Routine, args: Sequence[Value]) -> Action:
        body = self.routine_body(routine)
        assign = self.parameters(routine, args)

        def call(cells: Cells) -> Signal:
            assign(cells)
            body(cells)
            return None

        def call_without_arguments(cells: Cells) -> Signal:
            body(cells)
            return None

        return call if args else call_without_arguments

    def routine_body(self, routine: Routine) -> Action:
        """The body of a routine without stops."""
        known = self._routine_bodies.get(routine.name)
        if known is None:
            known = self._routine_bodies[routine.name] = self.sequence(routine.body)
        return known

    def _show(self, stmt: Show) -> Action:
        seats, value, site = self.value(stmt.seats), self.value(stmt.value), stmt.site
        observe = self.observer.observe
        bits = bits_of(stmt.value, self.functions)
        text = self.text(stmt.text) if self.narrate else None
        stories, sentence = self.stories, stmt.text.sentence

        def show(cells: Cells) -> Signal:
            seen = seats(cells)
            shown = value(cells)
            for part in parts_of_set(shown, bits) if bits else (shown,):
                observe(cells, seen, SHOWN, site, 0, part)
            if text is not None:
                story = stories.get(id(cells))
                if story is not None:
                    story.append(Shown(text(cells), seen, None, sentence))
            return None

        return show

    def note(self, text: Message, seen: Value, hidden: Message | None, line: type[StoryLine | Shown] = StoryLine) -> Action:
        """A line of the story; with it, `narrate` is on. Who sees it is asked like a text: it cannot fault."""
        say = self.text(text)
        say_hidden = self.text(hidden) if hidden is not None else None
        stories, sentence = self.stories, text.sentence

        def note(cells: Cells) -> Signal:
            story = stories.get(id(cells))
            if story is None or len(story) >= STORY_LIMIT:
                return None
            try:
                seats = seen(cells)
            except (Faulted, *BROKEN_PROMISES):
                seats = 0
            story.append(line(say(cells), seats, say_hidden(cells) if say_hidden is not None else None, sentence))
            return None

        return note


def said(value: int, domain: Domain | None, is_set: bool) -> str:
    """A value in the game's words: a number, a name of a domain, or the names of a set's members."""
    if domain is None:
        return str(value)
    if not is_set:
        return domain.name(value)
    return ", ".join(domain.name(member) for member in domain.members(value)) or "none"


def spoken(value: int, domain: Domain | None, is_set: bool) -> str:
    """A value in the words of the language in which the machine speaks."""
    if domain is None:
        return str(value)
    if not is_set:
        return domain.say(value)
    return domain.comma.join(domain.say(member) for member in domain.members(value)) or domain.unset


def _watched(value: Value, watcher: Watcher) -> Value:
    def through(cells: Cells) -> int:
        found = value(cells)
        watcher(cells, found)
        return found

    return through


def _nothing(cells: Cells) -> Signal:
    return None


def _signals(stmt: Stmt) -> bool:
    """Whether what follows a statement may be skipped."""
    return not isinstance(stmt, Assign | Call | Show | Note)
