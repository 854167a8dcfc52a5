"""How do statements become WebAssembly? Those without a stop; how a stop is done, differs (`flow.py`, `playouts.py`).

What only a narrator needs (`Note`) is left out. A routine that can end the game from the middle (`Finish`) gives a number: 1
where it did. A fault calls ``fail``, which writes its number into the record and traps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from ...machine.faults import Faults
from ...machine.machine import (
    ROUNDS_LIMIT,
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Expr,
    Fail,
    Finish,
    If,
    Leave,
    Load,
    Note,
    Op,
    Return,
    Routine,
    Show,
    Stmt,
    While,
)
from ...machine.traverse import only_tells
from .code import Code
from .expressions import Expressions
from .places import WORD, InLocals, InMemory, words_for

STORES = {1: "i64.store8", 2: "i64.store16", 4: "i64.store32"}
NUMBER_STORES = {1: "i32.store8", 2: "i32.store16", 4: "i32.store"}


class Statements:
    """Adds the code of statements to one function.

    ``fail``, ``rounds``: numbers of the function ``fail`` and of the global that counts rounds. ``call``: the number of a
    routine, and whether it can end the game. ``finish``, ``leave_routine``, ``stop``, ``show``: what is added for these.
    ``kept``: whether a statement is not left out.
    """

    def __init__(
        self,
        values: Expressions,
        faults: Faults,
        fail: int,
        rounds: int,
        routines: Mapping[str, Routine],
        call: Callable[[str], tuple[int, bool]],
        finish: Callable[[], None],
        show: Callable[[Show], None],
        kept: Callable[[Stmt], bool],
        stop: Callable[[Choose | Chance], None] | None = None,
    ) -> None:
        self.values = values
        self.code: Code = values.code
        self.faults = faults
        self.fail = fail
        self.rounds = rounds
        self.routines = routines
        self.call = call
        self.finish = finish
        self.show = show
        self.kept = kept
        self.stop = stop
        self._labels: dict[str, int] = {}

    def sequence(self, body: Sequence[Stmt]) -> None:
        for stmt in body:
            if not only_tells(stmt) and self.kept(stmt):
                with self.code.statement():
                    self.statement(stmt)

    def statement(self, stmt: Stmt) -> None:
        code, values = self.code, self.values
        match stmt:
            case Assign():
                self.assign(stmt)
            case If(condition=condition, then=then, otherwise=otherwise):
                values.condition(condition)
                with code.when():
                    self.sequence(then)
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
                self.result(value)
                code.add("return")
            case Call(routine=name, args=args):
                for parameter, arg in zip(self.routines[name].parameters, args, strict=True):
                    values.argument(parameter, arg)
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

    def leave_routine(self) -> None:
        """Return from a routine in the middle."""
        if self.code.results:
            self.code.i32(0)
        self.code.add("return")

    def result(self, value: Expr) -> None:
        """Leave what a function returns on the stack."""
        if self.code.results[0] == "i64":
            for word in self.values.words(value, len(self.code.results)):
                word()
        else:
            self.values.number(value)

    def failed(self, number: int) -> None:
        self.code.i32(number)
        self.code.add("call", self.fail)
        self.code.add("unreachable")

    def _while(self, stmt: While) -> None:
        code = self.code
        with code.block() as after, code.block("loop") as head:
            with code.statement():
                self.values.condition(stmt.condition)
                code.add("i32.eqz")
                code.br_if(after)
            self.count_round(stmt)
            self.sequence(stmt.body)
            code.br(head)

    def count_round(self, stmt: While) -> None:
        """One more round; one too many is a fault."""
        code = self.code
        with code.statement():
            now = code.temporary("i32")
            code.add("global.get", self.rounds)
            code.i32(1)
            code.add("i32.add")
            code.tee(now)
            code.add("global.set", self.rounds)
            code.get(now)
            code.i32(ROUNDS_LIMIT)
            code.add("i32.gt_u")
            with code.when():
                self.failed(self.faults.number(stmt))

    # ---- Assignments

    def assign(self, stmt: Assign) -> None:
        place = self.values.places.place(stmt.variable)
        if isinstance(place, InLocals):
            self._assign_local(place, stmt.value)
        elif place.bits:
            self._assign_set(place, stmt)
        else:
            self._assign_number(place, stmt.value, stmt.index)

    def _assign_local(self, place: InLocals, value: Expr) -> None:
        if not place.bits:
            self.values.number(value)
            self.code.set(place.indices[0])
            return
        for word in self.values.words(value, len(place.indices)):
            word()
        for local in reversed(place.indices):
            self.code.set(local)

    def _assign_number(self, place: InMemory, value: Expr, index: Expr | None) -> None:
        code = self.code
        offset = self.values.address(place, index)
        self.values.number(value)
        self.store_number(place, offset)

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
            values.words(stmt.value, 1)[0]()
            code.add(STORES.get(place.width, "i64.store"), offset)
            return
        base = code.temporary("i32")
        code.set(base)
        kept = values.kept(values.words(stmt.value, count))
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
