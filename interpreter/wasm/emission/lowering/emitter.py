"""The state that all parts of the emitter share: function numbers, memory, tables; and the emission of functions and routines.

Functions are emitted when they are first called, so a function that nothing calls is not in the module. A routine without stops
is emitted as it is, and once more for playouts if it differs there (`unobserved.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property

from ....machine import machine as m
from ....machine.analysis import derived
from ....machine.analysis.ranges import Ranges
from ....machine.analysis.widths import bits_of
from ....machine.reference.observation import SHOWN
from ....machine.traverse import routines_with
from ...binary.code import Code
from ...binary.module import Function, Global, ValueType
from ...layout.storage import InMemory, Places, Tables, words_for
from ...optimize.known import StaticFacts
from ...optimize.unobserved import Unseen
from . import runtime
from .expressions import Expressions
from .memory import Memory, memory_for, restored
from .statements import IMAGINING, Statements

GLOBALS = (
    Global("decisions", "i32"),  # of a playout: decisions so far,
    Global("options", "i32"),  # legal options at all of them together,
    Global("first", "i32"),  # the seat that took the first, plus 1
    Global("counting", "i32"),  # 1 where it is counted how often nothing is legal
    Global("imagining", "i32"),  # 1 while a bot thinks: nobody needs what seats know
)
DECISIONS, OPTIONS, FIRST, COUNTING = range(4)
assert GLOBALS[IMAGINING].name == "imagining"


class Emitter:
    """Collects the functions of one machine's module."""

    def __init__(self, machine: m.Machine, columns: int) -> None:
        self.machine = machine
        self.flow, self.faults, self.control = derived.flow(machine), derived.faults(machine), derived.control(machine)
        self.memory: Memory = memory_for(machine, columns)
        self.tables = Tables(self.memory.tables)
        self.rounds_of = derived.rounds(machine)
        self.ranges = Ranges(machine)
        self.unseen = Unseen(machine, self.rounds_of)
        self.ends = routines_with(machine.routines, m.Finish)
        self.sizes: dict[str, int] = {}  # of functions, by name (`statements.size_of`)
        self.copies: dict[tuple[int, ...], int] = {}  # by values of bits: the address of their table
        self.widest = words_for(max(variable.bits for variable in (*machine.layout.record, *machine.layout.scratch)))
        self.functions: list[Function | None] = []
        self._waiting: list[tuple[int, Callable[[], Function]]] = []
        self._numbers: dict[tuple[str, str], int] = {}
        self.rounds = self.field(self.control.rounds).address
        self.select_table = self.tables.add([runtime.select_table()], 2048).address

    # ---- The functions of `runtime`, by number

    @cached_property
    def fail(self) -> int:
        status, site = self.field(self.control.status), self.field(self.control.site)
        return self.add("runtime", "fail", lambda: runtime.fail(status.address, site.address, site.width))

    @cached_property
    def mix64(self) -> int:
        return self.add("runtime", "mix64", runtime.mix64)

    @cached_property
    def below(self) -> int:
        return self.add("runtime", "below", runtime.below)

    @cached_property
    def select64(self) -> int:
        return self.add("runtime", "select64", lambda: runtime.select64(self.select_table))

    @cached_property
    def list_members(self) -> int:
        return self.add("runtime", "list members", lambda: runtime.list_members(self.select_table))

    @cached_property
    def observe(self) -> int:
        digests, mix64 = self.field(self.control.digest).address, self.mix64
        return self.add("runtime", "observe", lambda: runtime.observe(digests, self.machine.seats, mix64))

    @cached_property
    def observe_or_else(self) -> int:
        digests, mix64 = self.field(self.control.digest).address, self.mix64
        return self.add("runtime", "observe or else", lambda: runtime.observe_or_else(digests, self.machine.seats, mix64))

    # ---- All functions

    def add(self, family: str, name: str, make: Callable[[], Function]) -> int:
        """The number of a function, made once and later."""
        known = self._numbers.get((family, name))
        if known is None:
            known = self._numbers[family, name] = len(self.functions)
            self.functions.append(None)
            self._waiting.append((known, make))
        return known

    def finish(self) -> tuple[Function, ...]:
        """All functions, those included that others turn out to call."""
        while self._waiting:
            number, make = self._waiting.pop(0)
            self.functions[number] = make()
        return tuple(function for function in self.functions if function is not None)

    def field(self, field: m.Field) -> InMemory:
        """Where a field of the record lies."""
        found = self.machine.layout.record[field]
        return InMemory(self.memory.record + found.offset, found.width, found.low, field.bits)

    def exported(self, name: str, code: Code, build: Callable[[Code], None]) -> int:
        """A function for the outside."""

        def make() -> Function:
            build(code)
            return code.function(name, name)

        return self.add("export", name, make)

    # ---- Functions and routines without stops

    def places(self, code: Code, stored: bool = False) -> Places:
        return Places(code, self.machine.layout, self.memory.record, stored)

    def values(self, code: Code, places: Places) -> Expressions:
        functions = self.machine.functions
        known = StaticFacts(places.constants, self.tables, functions, self.widest, self.ranges, self.unseen.can_fail)
        return Expressions(code, places, self.tables, known, functions, self.function)

    def function(self, name: str) -> int:
        """The number of a pure function."""
        return self.add("function", name, lambda: self._function(name))

    def routine(self, name: str, playing: bool) -> tuple[int, bool]:
        """The number of a routine without stops, and whether it can end the game. ``playing``: in a playout."""
        if playing and name not in self.unseen.different:
            playing = False
        return self.add("playing" if playing else "routine", name, lambda: self._routine(name, playing)), name in self.ends

    def _function(self, name: str) -> Function:
        function = self.machine.functions[name]
        return self._restoring(function) if function.restores else self._pure(function)

    def _restoring(self, function: m.Function) -> Function:
        """A function that saves fields, runs another that may store to them, and puts them back under what it returns."""
        runs = restored(self.machine, function)
        code = Code(parameter_types(function.parameters), result_types(function))
        save = self.memory.saved
        for start, length in runs:
            code.copy(save, self.memory.record + start, length)
            save += length
        for parameter in range(len(code.parameters)):
            code.get(parameter)
        code.add("call", self.add("tried", function.name, lambda: self._pure(function)))
        save = self.memory.saved
        for start, length in runs:
            code.copy(self.memory.record + start, save, length)
            save += length
        return code.function(function.name)

    def _pure(self, function: m.Function) -> Function:
        code = Code(parameter_types(function.parameters), result_types(function))
        places = self.places(code)
        assign_parameters(places, function.parameters)
        self.statements(code, places, False, lambda: None).definition(function)
        code.add("unreachable")  # every path has returned
        return code.function(f"{function.name}, tried" if function.restores else function.name)

    def _routine(self, name: str, playing: bool) -> Function:
        routine = self.machine.routines[name]
        ends = name in self.ends
        code = Code(parameter_types(routine.parameters), ["i32"] if ends else [])
        places = self.places(code)
        assign_parameters(places, routine.parameters)

        def finish() -> None:
            code.i32(1)
            code.add("return")

        self.statements(code, places, playing, finish).definition(routine)
        if ends:
            code.i32(0)
        return code.function(f"{name}, playing" if playing else name)

    def statements(
        self,
        code: Code,
        places: Places,
        playing: bool,
        finish: Callable[[], None],
        stop: Callable[[m.Choose | m.Chance], None] | None = None,
        call: Callable[[str], tuple[int, bool]] | None = None,
        separate: Callable[[str], bool] = lambda name: False,
        around_loop: Callable[[m.While], AbstractContextManager[None]] = lambda loop: nullcontext(),
        once: Container[str] = (),
    ) -> Statements:
        """What adds statements to a function. ``playing``: leave out what nobody sees in a playout."""
        values = self.values(code, places)
        return Statements(
            values,
            self.faults,
            self.fail,
            self.rounds,
            self.rounds_of,
            self.sizes,
            self.machine.routines,
            call or (lambda name: self.routine(name, playing)),
            finish,
            lambda show: self._show(values, show),
            self.unseen.keeps if playing else (lambda stmt: True),
            stop,
            separate,
            around_loop,
            once,
            lambda stmt: not playing and isinstance(stmt, m.Call) and not self.unseen.keeps(stmt),
        )

    def _show(self, values: Expressions, show: m.Show) -> None:
        code = values.code
        seats = values.sets.kept(show.seats, 1)[0]
        bits = bits_of(show.value, self.machine.functions)
        if not bits:
            values.number(show.value)
            code.add("i64.extend_i32_s")
            value = code.temporary("i64")
            code.set(value)
            self.observed(code, self.observe, seats, [(SHOWN, show.site, None, lambda: code.get(value))])
            return
        kept = values.sets.kept(show.value, words_for(bits))
        for start in range(0, bits, 32):
            word = kept[start // 64]

            def part(word: int = word, start: int = start) -> None:
                code.get(word)
                if start % 64:
                    code.i64(32)
                    code.add("i64.shr_u")
                code.i64(0xFFFF_FFFF)
                code.add("i64.and")

            self.observed(code, self.observe, seats, [(SHOWN, show.site, None, part)])

    def observed(
        self,
        code: Code,
        observe: int,
        seats: int,
        words: Sequence[tuple[int, int, int | None, Callable[[], None] | int]],
    ) -> None:
        """Let seats (a set, in a local) observe words: kind, site, player (in a local), and a value (a number, or as an i64)."""
        code.get(seats)
        for kind, site, player, value in words:
            constant = kind + 4 * site
            if isinstance(value, int):
                code.i64(constant + ((value + 1) << 24))
            else:
                value()
                code.i64(24)
                code.add("i64.shl")
                code.i64(constant + (1 << 24))
                code.add("i64.add")
            if player is not None:
                code.get(player)
                code.add("i64.extend_i32_u")
                code.i64(18)
                code.adds("i64.shl", "i64.add")
        code.add("call", observe)


def parameter_types(parameters: Sequence[m.Local]) -> list[ValueType]:
    found: list[ValueType] = []
    for parameter in parameters:
        words: list[ValueType] = ["i64"] * words_for(parameter.bits) if parameter.bits else ["i32"]
        found += words
    return found


def result_types(function: m.Function) -> list[ValueType]:
    return ["i64"] * words_for(function.bits) if function.bits else ["i32"]


def assign_parameters(places: Places, parameters: Sequence[m.Local]) -> None:
    """Let parameters lie where the function gets them."""
    at = 0
    for parameter in parameters:
        count = words_for(parameter.bits) if parameter.bits else 1
        places.parameter(parameter, tuple(range(at, at + count)))
        at += count
