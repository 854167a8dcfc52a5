"""The exports for one game, which work on the working record.

A host copies a record into the memory, calls, and copies it out again; a record is all of a game. Every export that runs the game
returns the kind of stop (`flow.py`: a decision 1, a chance event 2, the end 3, a routine's end 4); a fault traps, and the record
then says which (`machine/faults.py`).
"""

from __future__ import annotations

from ....machine.analysis.layout import FAULT
from ....machine.analysis.layout import OVER as STATUS_OVER
from ...binary.code import Code
from ...binary.module import Function, ValueType
from ...layout.storage import words_for
from ..lowering import runtime
from ..lowering.drawing import draw, draw_from_memory, draw_rank
from ..lowering.emitter import Emitter, parameter_types
from ..lowering.flow import CHANCE_EVENT, DECISION, FAULTED, HALT, OVER, FlowEmitter

ILLEGAL = -1  # an option or value that is not possible here


def add_interface(emitter: Emitter, flow: FlowEmitter) -> None:
    """Add all exports for one game."""
    emitter.exported("reset", Code(["i64", "i64"]), lambda code: _reset(code, emitter, flow))
    emitter.exported("begin", Code(["i32"], ["i32"]), lambda code: _begin(code, emitter, flow))
    emitter.exported("stop", Code([], ["i32"]), lambda code: _stop(code, flow))
    emitter.exported("player", Code([], ["i32"]), lambda code: _player(code, emitter, flow))
    emitter.exported("pick", Code(["i32"], ["i32"]), lambda code: _pick(code, emitter, flow))
    emitter.exported("choose", Code(["i32"], ["i32"]), lambda code: _choose(code, emitter, flow))
    emitter.exported("draw", Code([], ["i32"]), lambda code: _draw(code, emitter, flow))
    emitter.exported("happen", Code(["i32"], ["i32"]), lambda code: _happen(code, flow))
    machine = emitter.machine
    names = {machine.winner, *(term.function for term in machine.terms), *(key.function for key in machine.keys)}
    names |= {name for name in ("score", "score of team", "earlier score", machine.returns) if name in machine.functions}
    for name in sorted(names):
        evaluated(emitter, flow, name)


def evaluated(emitter: Emitter, flow: FlowEmitter, name: str) -> int:
    """The number of ``evaluate NAME``: a function of the machine over the working record."""
    function = emitter.machine.functions[name]

    def make() -> Function:
        results: list[ValueType] = ["i64"] * words_for(function.bits) if function.bits else ["i32"]
        code = Code(parameter_types(function.parameters), results)
        for number in range(len(code.parameters)):
            code.get(number)
        code.add("call", emitter.function(name))
        return code.function(f"evaluate {name}", f"evaluate {name}")

    return emitter.add("evaluate", name, make)


def _reset(code: Code, emitter: Emitter, flow: FlowEmitter) -> None:
    """(seed, game): the working record is a game that has not begun."""
    code.clear(flow.memory.record, flow.memory.record + flow.memory.record_size)
    runtime.keys_of_streams(code, emitter.mix64, flow.streams, 1 + emitter.machine.seats, 0, 1)


def _begin(code: Code, emitter: Emitter, flow: FlowEmitter) -> None:
    """(n): run from the n-th part of the main flow on; 0 is the beginning."""
    starts = emitter.tables.add([number.to_bytes(4, "little") for number in flow.flow.main], 4).address

    def entry() -> None:
        code.get(0)
        code.i32(2)
        code.add("i32.shl")
        code.add("i32.load", starts)

    flow.enter(code, entry)


def _stop(code: Code, flow: FlowEmitter) -> None:
    """() -> where the record stands. What is legal or possible there is worked out anew."""
    code.i32(0)
    code.add("i32.load8_u", flow.status.address)
    code.i32(STATUS_OVER)
    code.add("i32.eq")
    with code.when():
        code.i32(OVER)
        code.add("return")
    code.i32(0)
    code.add("i32.load8_u", flow.status.address)
    code.i32(FAULT)
    code.add("i32.eq")
    with code.when():
        code.i32(FAULTED)
        code.add("return")

    def at(site: int) -> None:
        code.add("call", flow.ask(site))
        code.add("drop")
        code.i32(DECISION if _is_decision(flow, site) else CHANCE_EVENT)
        code.add("return")

    flow.by_site(code, flow.sites, at)
    code.i32(HALT)


def _is_decision(flow: FlowEmitter, site: int) -> bool:
    return hasattr(flow.end_of(site), "choose")


def _decisions(flow: FlowEmitter) -> list[int]:
    return [site for site in flow.sites if _is_decision(flow, site)]


def _events(flow: FlowEmitter) -> list[int]:
    return [site for site in flow.sites if not _is_decision(flow, site)]


def _player(code: Code, emitter: Emitter, flow: FlowEmitter) -> None:
    """() -> the seat, from 0, that decides; -1 where nobody does."""
    values = emitter.values(code, emitter.places(code, stored=True))

    def at(site: int) -> None:
        end = flow.end_of(site)
        values.number(end.choose.player)  # type: ignore[union-attr]
        code.add("return")

    flow.by_site(code, _decisions(flow), at)
    code.i32(-1)


def _pick(code: Code, emitter: Emitter, flow: FlowEmitter) -> None:
    """(seat) -> the option that the random bot of a seat takes, by its own stream; ILLEGAL where there is no such seat, or
    the game is at no decision."""
    code.get(0)
    code.i32(emitter.machine.seats)
    code.add("i32.ge_u")
    with code.when():
        code.i32(ILLEGAL)
        code.add("return")
    with code.block() as deciding:
        flow.by_site(code, _decisions(flow), lambda site: code.br(deciding))
        code.i32(ILLEGAL)
        code.add("return")
    code.i32(flow.streams + 8)
    code.get(0)
    code.i32(3)
    code.adds("i32.shl", "i32.add")
    stream = code.local("i32")
    code.set(stream)
    draw_from_memory(code, emitter, flow.memory.offered, flow.memory.option_words, stream)


def _choose(code: Code, emitter: Emitter, flow: FlowEmitter) -> None:
    """(option) -> what it came to; ILLEGAL where it may not be taken, or the game is at no decision."""
    code.get(0)
    code.i32(emitter.machine.options)
    code.add("i32.ge_u")
    with code.when():
        code.i32(ILLEGAL)
        code.add("return")
    code.get(0)
    code.i32(3)
    code.add("i32.shr_u")
    code.add("i32.load8_u", flow.memory.offered)
    code.get(0)
    code.i32(7)
    code.adds("i32.and", "i32.shr_u")
    code.i32(1)
    code.adds("i32.and", "i32.eqz")
    with code.when():
        code.i32(ILLEGAL)
        code.add("return")
    _answer(code, flow, _decisions(flow))


def _answer(code: Code, flow: FlowEmitter, sites: list[int]) -> None:
    """Take the option, where the record stands at one of these."""

    def at(site: int) -> None:
        flow.count_anew(code)
        code.i32(flow.answered[site])
        code.get(0)
        code.add("call", flow.run)
        code.add("return")

    flow.by_site(code, sites, at)
    code.i32(ILLEGAL)


def _draw(code: Code, emitter: Emitter, flow: FlowEmitter) -> None:
    """() -> a value for the chance event, from the game's own stream; ILLEGAL where there is none."""

    def at(site: int) -> None:
        _draw_at(code, emitter, flow, site)
        code.add("return")

    flow.by_site(code, _events(flow), at)
    code.i32(ILLEGAL)


def _draw_at(code: Code, emitter: Emitter, flow: FlowEmitter, site: int) -> None:
    """Leave a value for the chance event of a site on the stack."""
    words = []
    for number in range(flow.sizes[site][0]):
        code.i32(0)
        code.add("i64.load", flow.memory.answers + 8 * number)
        code.set(word := code.temporary("i64"))
        words.append(word)
    domain = flow.end_of(site).chance.domain  # type: ignore[union-attr]
    bit = draw(code, emitter, words, domain.bits, lambda total: draw_rank(code, flow.streams, total))
    flow.value_of_bit(code, domain, bit)


def _happen(code: Code, flow: FlowEmitter) -> None:
    """(value) -> what it came to; ILLEGAL where the chance event cannot have it, or there is none."""
    bit = code.local("i32")

    def is_possible() -> None:
        """Leave 1 on the stack where the bit is in the pool."""
        code.get(bit)
        code.i32(3)
        code.add("i32.shr_u")
        code.add("i32.load8_u", flow.memory.answers)
        code.get(bit)
        code.i32(7)
        code.adds("i32.and", "i32.shr_u")
        code.i32(1)
        code.add("i32.and")

    def at(site: int) -> None:
        domain = flow.end_of(site).chance.domain  # type: ignore[union-attr]
        with code.block() as possible:
            with code.block() as impossible:
                if domain.copies:
                    code.i32(0)
                    code.set(bit)
                    with code.block("loop") as more:
                        is_possible()
                        flow.value_of_bit(code, domain, bit)
                        code.get(0)
                        code.adds("i32.eq", "i32.and")
                        code.br_if(possible)
                        code.get(bit)
                        code.i32(1)
                        code.add("i32.add")
                        code.tee(bit)
                        code.i32(domain.bits)
                        code.add("i32.lt_u")
                        code.br_if(more)
                else:
                    code.get(0)
                    code.i32(domain.low)
                    code.add("i32.sub")
                    code.tee(bit)
                    code.i32(domain.bits)
                    code.add("i32.ge_u")
                    code.br_if(impossible)
                    is_possible()
                    code.br_if(possible)
            code.i32(ILLEGAL)
            code.add("return")
        code.i32(flow.answered[site])
        code.get(0)
        code.add("call", flow.run)
        code.add("return")

    flow.by_site(code, _events(flow), at)
    code.i32(ILLEGAL)
