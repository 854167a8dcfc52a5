"""A WebAssembly module as values, before it is bytes or text.

Only the parts of the format that the emitter needs (WebAssembly Core Specification 2.0): functions, one memory of fixed size,
mutable globals, data and exports; no imports, no tables. An instruction is a tuple: its name in the text format, then its
immediate numbers (the 16 lanes of a constant or a shuffle, too). A load or store has the byte offset alone (the alignment hint is
always one byte); a ``block``, ``loop`` or ``if`` has the type of its result, if there is one.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

ValueType = Literal["i32", "i64", "v128"]
Instruction = tuple[str | int, ...]

PAGE = 65_536  # bytes


@frozen(eq=False)
class Function:
    """``locals``: types of the parameters first, then of the other locals. ``export``: the name it has outside ("": none)."""

    name: str
    parameters: tuple[ValueType, ...]
    results: tuple[ValueType, ...]
    locals: tuple[ValueType, ...]
    body: tuple[Instruction, ...] = field(repr=False)
    export: str = ""


@frozen
class Global:
    """A mutable global; it begins at 0."""

    name: str
    type: ValueType


@frozen
class Data:
    """Bytes that lie in the memory from the beginning."""

    offset: int
    content: bytes = field(repr=False)


@frozen(eq=False)
class Module:
    """``pages``: size of the memory, which never grows; it is exported as ``memory``."""

    functions: tuple[Function, ...]
    globals: tuple[Global, ...]
    data: tuple[Data, ...]
    pages: int
