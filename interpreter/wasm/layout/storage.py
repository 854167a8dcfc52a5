"""The storage of the machine's variables and tables in a module.

Fields of the record lie in the memory, at fixed addresses behind that of the working record. Locals are WebAssembly locals,
except in the flow that stops and goes on: there a local that outlives a stop lies in the record.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field, frozen

from ...machine.machine import Constants, Expr, Field, Layout, Local, Variable
from ..binary.code import Code
from ..binary.module import Data

WORD = 64  # bits


def words_for(bits: int) -> int:
    """How many words of 64 bits a set takes."""
    return max(1, (bits + WORD - 1) // WORD)


@frozen
class InMemory:
    """``width``: bytes of one element; a number is stored as ``value - low``; a set has ``bits`` (0: a number)."""

    address: int
    width: int
    low: int
    bits: int


@frozen
class InLocals:
    """A number in one i32, or the words of a set in i64s, the lowest first."""

    indices: tuple[int, ...]
    bits: int


@define(eq=False)
class Tables:
    """The constant tables of a module, laid out one after the other from ``start``."""

    start: int
    content: bytearray = field(factory=bytearray)
    tabulated: dict[tuple[int, int], tuple[Expr, Expr | None]] = field(factory=dict)  # `Known.tabulated`
    plain: dict[int, Expr] = field(factory=dict)  # expressions by identity that are no table, wherever they stand
    changing: dict[int, Expr] = field(factory=dict)  # expressions by identity that are never known (`Known.value`)
    _known: dict[int, tuple[Constants, InMemory, bool]] = field(factory=dict)
    _by_content: dict[tuple[int, tuple[int, ...]], tuple[InMemory, bool]] = field(factory=dict)

    @property
    def end(self) -> int:
        return self.start + len(self.content)

    def place(self, table: Constants) -> tuple[InMemory, bool]:
        """Where a table lies, and whether its numbers are signed. Equal tables lie in one place."""
        known = self._known.get(id(table))
        if known is None:
            content = (table.bits, table.values)
            if content not in self._by_content:
                self._by_content[content] = self._add(table)
            known = self._known[id(table)] = (table, *self._by_content[content])
        return known[1:]

    def _add(self, table: Constants) -> tuple[InMemory, bool]:
        if table.bits:
            width = 8 * words_for(table.bits)
            return self.add([value.to_bytes(width, "little") for value in table.values], width, table.bits), False
        low, high = min(table.values, default=0), max(table.values, default=0)
        signed = low < 0
        needed = max(high.bit_length(), (-low - 1).bit_length() if signed else 0) + signed
        width = next(width for width in (1, 2, 4) if needed <= 8 * width)
        rows = [value.to_bytes(width, "little", signed=signed) for value in table.values]
        return self.add(rows, width), signed

    def add(self, rows: Sequence[bytes], width: int, bits: int = 0) -> InMemory:
        """Add rows of equal width, from a multiple of 8 on."""
        self.content += bytes(-len(self.content) % 8)
        found = InMemory(self.start + len(self.content), width, 0, bits)
        self.content += b"".join(rows)
        return found

    def data(self) -> Data:
        return Data(self.start, bytes(self.content))


class Places:
    """Where variables lie, in the code of one function. ``record``: the address of the working record.

    ``stored``: whether locals of the record lie there (in the flow that stops).
    """

    def __init__(self, code: Code, layout: Layout, record: int, stored: bool) -> None:
        self.code = code
        self.layout = layout
        self.record = record
        self.stored = stored
        self._locals: dict[int, InLocals] = {}
        self.promoted: dict[tuple[Field, int], int] = {}  # elements of fields that also lie in a local (`promotion.py`)
        self.constants: dict[int, int] = {}  # by number of a local: what it surely is, where code is being added now

    def place(self, variable: Variable) -> InMemory | InLocals:
        if isinstance(variable, Local) and (not self.stored or variable not in self.layout.record):
            return self._locals.get(variable.number) or self.declare(variable)
        found = self.layout.record[variable]
        return InMemory(self.record + found.offset, found.width, found.low, variable.bits)

    def declare(self, local: Local) -> InLocals:
        """Give a local its place among those of the function."""
        count = words_for(local.bits) if local.bits else 1
        return self.parameter(local, tuple(self.code.local("i64" if local.bits else "i32") for _ in range(count)))

    def parameter(self, local: Local, indices: tuple[int, ...]) -> InLocals:
        """A local that lies in given locals of the function."""
        found = self._locals[local.number] = InLocals(indices, local.bits)
        return found
