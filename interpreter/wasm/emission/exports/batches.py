"""Exports that step many games in one call, for hosts that play thousands side by side: learners, searches.

A state is a record; states lie one behind the other in the host's part of the memory, and a clone is a copy of bytes. Each call
lets every state go on to its next decision, or its end; chance comes from the state's own stream on the way.

``start_many(count, states, seed, first, results)``: the games of a seed from number ``first`` on, begun.
``step_many(count, states, options, results)``: each state takes its option, a number of 4 bytes; -1: the one that the random bot
of its seat takes. A state that stands at chance only goes on to a decision. One that is over stays as it is.

A result (`result_size` bytes): the kind of stop (4 bytes: a decision 1, the end 3; -1 where the option was not legal, and the
state is as it was), the seat that decides (4 bytes, -1: nobody), a bit for each legal option (as ``offered``), at the end the
score of each seat (4 bytes each), and what each seat gets (as many), unless that is its score. A fault traps: the working record
says which, and ``done`` how many states came before.
"""

from __future__ import annotations

from collections.abc import Callable

from ....machine.machine import RETURNS, Machine
from ...binary.code import Code
from ..lowering.emitter import Emitter
from ..lowering.flow import CHANCE_EVENT, DECISION, OVER
from .interface import ILLEGAL
from .sight import call_export

KIND, PLAYER, MASK = 0, 4, 8  # where they lie in a result


def scores_in_result(option_words: int) -> int:
    """Where the scores lie in a result."""
    return MASK + 8 * option_words


def returns_in_result(option_words: int, machine: Machine) -> int:
    """Where lies what each seat gets."""
    return scores_in_result(option_words) + 4 * machine.seats * (machine.returns == RETURNS)


def result_size(option_words: int, machine: Machine) -> int:
    """Bytes of a result."""
    return (returns_in_result(option_words, machine) + 4 * machine.seats + 7) // 8 * 8


def add_batches(emitter: Emitter) -> None:
    """Add the exports for many states. Those for one game must be there."""
    emitter.exported("start_many", Code(["i32", "i32", "i64", "i64", "i32"]), lambda code: _start_many(code, emitter))
    emitter.exported("step_many", Code(["i32", "i32", "i32", "i32"]), lambda code: _step_many(code, emitter))


def _start_many(code: Code, emitter: Emitter) -> None:
    count, states, seed, first, results = range(5)

    def one(at: int, kind: int) -> None:
        code.get(seed)
        code.get(first)
        code.get(at)
        code.adds("i64.extend_i32_u", "i64.add")
        call_export(code, emitter, "reset")
        code.i32(0)
        call_export(code, emitter, "begin")
        code.set(kind)

    _each(code, emitter, count, states, results, one)


def _step_many(code: Code, emitter: Emitter) -> None:
    count, states, options, results = range(4)
    size = emitter.memory.record_size
    option = code.local("i32")

    def one(at: int, kind: int) -> None:
        code.i32(emitter.memory.record)
        code.get(states)
        code.i32(size)
        code.add("memory.copy")
        call_export(code, emitter, "stop")
        code.tee(kind)
        code.i32(DECISION)
        code.add("i32.eq")
        with code.when():
            code.get(options)
            code.get(at)
            code.i32(2)
            code.adds("i32.shl", "i32.add")
            code.add("i32.load", 0)
            code.tee(option)
            code.i32(-1)
            code.add("i32.eq")
            with code.when():
                call_export(code, emitter, "player")
                call_export(code, emitter, "pick")
                code.set(option)
            code.get(option)
            call_export(code, emitter, "choose")
            code.set(kind)

    _each(code, emitter, count, states, results, one)


def _each(code: Code, emitter: Emitter, count: int, states: int, results: int, one: Callable[[int, int], None]) -> None:
    """Do something with each state, which leaves the game in the working record; then go on to a decision and tell of it."""
    memory = emitter.memory
    at, kind = code.local("i32"), code.local("i32")
    with code.block() as done, code.block("loop") as more:
        code.i32(0)
        code.get(at)
        code.add("i32.store", memory.done)
        code.get(at)
        code.get(count)
        code.add("i32.ge_u")
        code.br_if(done)
        one(at, kind)
        with code.block() as settled, code.block("loop") as chance:
            code.get(kind)
            code.i32(CHANCE_EVENT)
            code.add("i32.ne")
            code.br_if(settled)
            call_export(code, emitter, "draw")
            call_export(code, emitter, "happen")
            code.set(kind)
            code.br(chance)
        _tell(code, emitter, kind, results)
        code.get(states)
        code.i32(memory.record)
        code.i32(memory.record_size)
        code.add("memory.copy")
        for local, size in ((states, memory.record_size), (results, result_size(memory.option_words, emitter.machine)), (at, 1)):
            code.get(local)
            code.i32(size)
            code.add("i32.add")
            code.set(local)
        code.br(more)


def _tell(code: Code, emitter: Emitter, kind: int, results: int) -> None:
    memory, machine = emitter.memory, emitter.machine
    code.get(results)
    code.get(kind)
    code.add("i32.store", KIND)
    code.get(results)
    call_export(code, emitter, "player")
    code.add("i32.store", PLAYER)
    code.get(results)
    code.i32(MASK)
    code.add("i32.add")
    code.i32(0)
    code.i32(result_size(memory.option_words, machine) - MASK)
    code.add("memory.fill")
    code.get(kind)
    code.i32(DECISION)
    code.add("i32.eq")
    code.get(kind)
    code.i32(ILLEGAL)
    code.adds("i32.eq", "i32.or")
    with code.when():
        code.get(results)
        code.i32(MASK)
        code.add("i32.add")
        code.i32(memory.offered)
        code.i32(8 * memory.option_words)
        code.add("memory.copy")
    if "score" not in machine.functions:
        return
    told = {"score": scores_in_result(memory.option_words), machine.returns: returns_in_result(memory.option_words, machine)}
    code.get(kind)
    code.i32(OVER)
    code.add("i32.eq")
    with code.when():
        for name, first in told.items():
            for seat in range(machine.seats):
                code.get(results)
                code.i32(seat)
                call_export(code, emitter, name, "evaluate")
                code.add("i32.store", first + 4 * seat)
