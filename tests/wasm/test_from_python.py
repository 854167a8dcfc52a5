"""Functions in the small subset of Python do the same in a module as in Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.machine.random_streams import MASK
from rulesrun.interpreter.players.dialect import Memory, Word, Words, count_between, select_from
from rulesrun.interpreter.wasm.binary.encoding import encode
from rulesrun.interpreter.wasm.binary.module import Data, Function, Global, Module
from rulesrun.interpreter.wasm.emission.lowering import runtime
from rulesrun.interpreter.wasm.emission.lowering.from_python import Callables, FromPython
from rulesrun.interpreter.wasm.running.compiled import Compiled
from rulesrun.interpreter.wasm.running.instance import Instance

TABLE = 4096  # where the table of `select64` lies
SIZE = 256


class At:
    start = 80


def divisor(m: Memory, number: int, least: int) -> int:
    """It returns from inside a loop, changes its parameter, and has a loop and names of its own."""
    for index in range(2, 9):
        least += 1
        while number % index == 0:
            if index >= least:
                return index
            break
    return number


def note(m: Memory, at: At, number: int) -> None:
    if number < 3:
        return
    m.store8(at.start + 40, number)


def everything(m: Memory, at: At, number: int, word: Word) -> Word:
    """Each statement and operator once."""
    found = Word(0)
    for index in range(2, 9):
        if index == number:
            continue
        if index > 7 and number >= 0:
            break
        note(m, at, divisor(m, index, divisor(m, index + 30, 0) & 1))
        found += Word(index * index // 3 % 5 + (index ^ 5) - (index | 1))
    while number != 0:
        number = number // 2 if number > 0 else number + 1
        found = found + Word(1) & word | word >> 3
    m.store8(at.start, number + 7)
    m.store16(at.start + 2, 515)
    m.store32(at.start + 4, -1 - number)
    m.store64(at.start + 8, word)
    m.copy(at.start + 16, at.start, 16)
    m.fill(at.start + 1, 255, 1)
    found ^= m.load64(at.start + 8) << Word(m.load8(at.start + 16) & 7)
    if (number in (0, 4) and not (word == found and number == 0)) or m.load16(at.start) < m.load32(at.start + 20):
        found = found & 1048575
    return found % 1000003 + Word(m.count(word)) + Word(m.below(at.start + 8, 12))


@cache
def instance() -> Instance:
    functions: list[Function | None] = []
    waiting: list[tuple[int, Callable[[], Function]]] = []

    def add(name: str, make: Callable[[], Function]) -> int:
        waiting.append((len(functions), make))
        functions.append(None)
        return len(functions) - 1

    known = {
        "select": Callables(add("select64", lambda: runtime.select64(TABLE)), ("i64", "i32"), "i32"),
        "below": Callables(add("below", runtime.below), ("i32", "i32"), "i32"),
    }
    translated = FromPython(add, known, {}, At())
    for function in (everything, count_between, select_from):
        translated.function(function, function.__name__)
    while waiting:
        number, make = waiting.pop(0)
        functions[number] = make()
    made = tuple(function for function in functions if function is not None)
    module = Module(made, (Global("none", "i32"),), (Data(TABLE, runtime.select_table()),), 1)
    return Instance(Compiled(encode(module), {"exports": {}}))


@given(st.integers(-50, 1000), st.integers(0, MASK >> 8))
def test_each_statement_and_operator(number: int, word: int) -> None:
    memory = Words(SIZE)
    instance().memory[:SIZE] = bytes(SIZE)
    assert everything(memory, At(), number, word) == instance().export("everything")(number, word)
    assert memory.bytes == instance().memory[:SIZE].tobytes()


@given(st.binary(min_size=40, max_size=40), st.data())
def test_sets_in_memory(content: bytes, data: st.DataObject) -> None:
    memory = Words(SIZE)
    memory.bytes[80:120] = content
    instance().memory[80:120] = content
    members = [bit for bit in range(320) if content[bit // 8] >> bit % 8 & 1]
    start = data.draw(st.integers(0, 320))
    end = data.draw(st.integers(start, 320))
    within = [bit for bit in members if start <= bit < end]
    assert count_between(memory, 80, start, end) == instance().export("count_between")(80, start, end) == len(within)
    if within:
        k = data.draw(st.integers(0, len(within) - 1))
        assert select_from(memory, 80, start, k) == instance().export("select_from")(80, start, k) == within[k]


def unknown(m: Memory, number: int) -> int:
    assert number
    return number


def test_other_words_are_not_understood() -> None:
    def add(name: str, make: Callable[[], Function]) -> int:
        make()
        return 0

    translated = FromPython(add, {}, {}, At())
    with pytest.raises(AssertionError, match="no statement that can be translated"):
        translated.function(unknown)
