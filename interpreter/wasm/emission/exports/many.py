"""The export that plays many games one after the other, and counts each row in the bins of its columns.

``play(seed, first, count, rows)`` plays the games of a seed by number, and copies their rows to an address that is not 0. It
stops early when the oddities (values outside the bins) have no room for another game. A fault traps: the games before it are
counted, and ``done`` says how many they are.
"""

from __future__ import annotations

from collections.abc import Callable

from ...binary.code import Code
from ...binary.module import Function
from ..lowering.emitter import Emitter
from ..lowering.memory import BINS, ODDITIES, Memory


def add_many(emitter: Emitter, name: str, game: Callable[[], int]) -> None:
    """Add an export (seed, first, count, rows) of this name; ``game`` gives the number of the function (seed, game)."""
    code = Code(["i64", "i64", "i32", "i32"], ["i32"])
    odd = emitter.add("runtime", "odd", lambda: _odd(emitter.memory))
    counted = emitter.add("runtime", "counted", lambda: _counted(emitter.memory, odd))
    emitter.exported(name, code, lambda code: _play(code, emitter.memory, game(), counted))


def _play(code: Code, memory: Memory, game: int, counted: int) -> None:
    seed, first, count, rows = range(4)
    done = code.local("i32")
    size = 4 * memory.columns
    with code.block() as full, code.block("loop") as more:
        code.get(done)
        code.get(count)
        code.add("i32.ge_u")
        code.br_if(full)
        code.i32(0)
        code.add("i32.load", memory.oddities)
        code.i32(ODDITIES - memory.columns)
        code.add("i32.gt_u")
        code.br_if(full)
        code.i32(0)
        code.get(done)
        code.add("i32.store", memory.done)
        code.get(seed)
        code.get(first)
        code.get(done)
        code.adds("i64.extend_i32_u", "i64.add")
        code.add("call", game)
        code.get(rows)
        with code.when():
            code.get(rows)
            code.i32(memory.row)
            code.i32(size)
            code.add("memory.copy")
            code.get(rows)
            code.i32(size)
            code.add("i32.add")
            code.set(rows)
        code.add("call", counted)
        code.get(done)
        code.i32(1)
        code.add("i32.add")
        code.set(done)
        code.br(more)
    code.i32(0)
    code.get(done)
    code.add("i32.store", memory.done)
    code.get(done)


def _counted(memory: Memory, odd: int) -> Function:
    """(): count the row, column by column. ``odd``: the function that tells of a value for which there is no bin."""
    code = Code()
    at = code.local("i32")
    for column in range(memory.columns):
        code.i32(0)
        code.add("i32.load", memory.row + 4 * column)
        code.i32(0)
        code.add("i32.load", memory.lows + 4 * column)
        code.add("i32.sub")
        code.tee(at)
        code.i32(BINS)
        code.add("i32.lt_u")
        with code.when():
            code.get(at)
            code.i32(2)
            code.add("i32.shl")
            code.tee(at)
            code.get(at)
            code.add("i32.load", memory.bins + 4 * BINS * column)
            code.i32(1)
            code.add("i32.add")
            code.add("i32.store", memory.bins + 4 * BINS * column)
            code.otherwise()
            code.i32(column)
            code.add("call", odd)
    return code.function("counted")


def _odd(memory: Memory) -> Function:
    """(column): tell of its value, for which there is no bin: 4 times the column's number, and the value."""
    code = Code(["i32"])
    at = code.local("i32")
    code.i32(0)
    code.add("i32.load", memory.oddities)
    code.i32(3)
    code.add("i32.shl")
    code.tee(at)
    code.get(0)
    code.i32(2)
    code.add("i32.shl")
    code.tee(0)
    code.add("i32.store", memory.oddities + 8)
    code.get(at)
    code.get(0)
    code.add("i32.load", memory.row)
    code.add("i32.store", memory.oddities + 12)
    code.i32(0)
    code.i32(0)
    code.add("i32.load", memory.oddities)
    code.i32(1)
    code.add("i32.add")
    code.add("i32.store", memory.oddities)
    return code.function("odd")
