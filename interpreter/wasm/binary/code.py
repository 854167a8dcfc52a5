"""The code of one WebAssembly function in the making.

`Code` collects instructions, hands out locals, and tracks how deep inside blocks it stands, so that a jump can name its target
and not a depth. Temporary locals are lent to one statement at a time (`Code.statement`) and used again by the next.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from .module import Function, Instruction, ValueType

Push = Callable[[], None]  # adds the code that leaves a value on the stack

MOST_CLEARED = 256  # bytes that are cleared or copied by stores
CLEARING: list[tuple[int, Instruction, str]] = [  # bytes of a zero, the zero, its store
    (16, ("v128.const", *[0] * 16), "v128.store"),
    (8, ("i64.const", 0), "i64.store"),
    (4, ("i32.const", 0), "i32.store"),
    (2, ("i32.const", 0), "i32.store16"),
    (1, ("i32.const", 0), "i32.store8"),
]
COPYING = [  # bytes, how they are loaded and stored
    (16, "v128.load", "v128.store"),
    (8, "i64.load", "i64.store"),
    (4, "i32.load", "i32.store"),
    (2, "i32.load16_u", "i32.store16"),
    (1, "i32.load8_u", "i32.store8"),
]


class Code:
    """The code of one function in the making."""

    def __init__(self, parameters: Sequence[ValueType] = (), results: Sequence[ValueType] = ()) -> None:
        self.parameters = tuple(parameters)
        self.results = tuple(results)
        self.locals: list[ValueType] = list(parameters)
        self.out: list[Instruction] = []
        self.depth = 0
        self._idle: dict[ValueType, list[int]] = {"i32": [], "i64": [], "v128": []}
        self._lent: list[int] = []

    def function(self, name: str, export: str = "") -> Function:
        """The finished function."""
        return Function(name, self.parameters, self.results, tuple(self.locals), tuple(self.out), export)

    # ---- Instructions

    def add(self, *instruction: str | int) -> None:
        """Add an instruction."""
        self.out.append(instruction)

    def adds(self, *names: str) -> None:
        """Add instructions without immediates."""
        self.out.extend((name,) for name in names)

    def i32(self, value: int) -> None:
        self.out.append(("i32.const", (value + (1 << 31) & 0xFFFF_FFFF) - (1 << 31)))

    def i64(self, value: int) -> None:
        self.out.append(("i64.const", value & 0xFFFF_FFFF_FFFF_FFFF))

    def get(self, local: int) -> None:
        self.out.append(("local.get", local))

    def set(self, local: int) -> None:
        self.out.append(("local.set", local))

    def tee(self, local: int) -> None:
        self.out.append(("local.tee", local))

    def clear(self, start: int, end: int) -> None:
        """Let the bytes from one address up to another be 0; a few by stores, since ``memory.fill`` calls out of the module."""
        if end - start > MOST_CLEARED:
            self.i32(start)
            self.i32(0)
            self.i32(end - start)
            self.add("memory.fill")
            return
        for width, zero, store in CLEARING:
            while end - start >= width:
                self.i32(0)
                self.add(*zero)
                self.add(store, start)
                start += width

    def copy(self, to: int, start: int, length: int) -> None:
        """Copy bytes from one address to another; a few by loads and stores."""
        if length > MOST_CLEARED:
            self.i32(to)
            self.i32(start)
            self.i32(length)
            self.add("memory.copy")
            return
        for width, load, store in COPYING:
            while length >= width:
                self.i32(0)
                self.i32(0)
                self.add(load, start)
                self.add(store, to)
                to, start, length = to + width, start + width, length - width

    # ---- Locals

    def local(self, kind: ValueType) -> int:
        """A local of the whole function."""
        self.locals.append(kind)
        return len(self.locals) - 1

    def temporary(self, kind: ValueType) -> int:
        """A local until the end of the statement."""
        idle = self._idle[kind]
        found = idle.pop() if idle else self.local(kind)
        self._lent.append(found)
        return found

    def keep(self, kind: ValueType) -> int:
        """Take what is on the stack into a temporary local."""
        local = self.temporary(kind)
        self.set(local)
        return local

    @contextmanager
    def statement(self) -> Generator[None]:
        """Temporary locals that are lent inside can be lent again afterwards."""
        before = len(self._lent)
        yield
        for local in self._lent[before:]:
            self._idle[self.locals[local]].append(local)
        del self._lent[before:]

    # ---- Blocks

    @contextmanager
    def block(self, kind: str = "block", result: ValueType | None = None) -> Generator[int]:
        """A block (or ``loop``, ``if``); gives its label, for `br` and `br_if`. A jump to a loop's label goes to its head."""
        self.add(*((kind,) if result is None else (kind, result)))
        self.depth += 1
        yield self.depth
        self.depth -= 1
        self.add("end")

    @contextmanager
    def when(self, result: ValueType | None = None) -> Generator[None]:
        """``if``, on the number on the stack; `otherwise` begins the other branch."""
        if result is None:
            self.add("if")
        else:
            self.add("if", result)
        self.depth += 1
        yield
        self.depth -= 1
        self.add("end")

    def otherwise(self) -> None:
        self.add("else")

    def br(self, label: int) -> None:
        self.add("br", self.depth - label)

    def br_if(self, label: int) -> None:
        self.add("br_if", self.depth - label)
