"""The export that counts sequences of acts: walks the tree of a game without chance depth first, inside the module.

``walk(base, depth, steps, room)`` goes on with a walk that the host has begun, for so many decisions at the most, and gives 1
where there is more to do, else 0. An act may take several decisions, of which only the first begins it (see `Choose` in
`machine.py`); ``room`` is how many decisions in a row there is room for. The state of the walk lies in the host's part of the
memory, from ``base`` on: the level at which it stands (4 bytes, -1 when all is done), how many sequences of ``depth`` acts there
are so far and how many of these end the game (8 bytes each, from `SEQUENCES` and `ENDED`), and from `FRAMES` on a frame for each
level: the option that was taken there last and how many acts were complete before (4 bytes each), a bit for each option that is
still to be taken, and all that the memory has of the stop: the record, what is on offer, the answers. To begin is to put the
first frame there.

What seats observe is left out, as in a playout. A fault traps, and the frames say by which acts it came about.
"""

from __future__ import annotations

from collections.abc import Callable

from ....machine.blocks import Decide
from ....machine.machine import Machine
from ...binary.code import Code
from ..lowering.emitter import Emitter
from ..lowering.expressions import NUMBER_LOADS
from ..lowering.flow import DECISION, OVER, FlowEmitter
from ..lowering.memory import Memory, answer_sizes

LEVEL, SEQUENCES, ENDED, FRAMES = 0, 8, 16, 24
ACTS, MASK = 4, 8  # where they lie in a frame


def stop_size(memory: Memory, machine: Machine) -> int:
    """Bytes of all that the memory has of a stop, from the record on."""
    answers = max((sum(sizes) for sizes in answer_sizes(machine).values()), default=0)
    return memory.answers + 8 * answers - memory.record


def frame_size(memory: Memory, machine: Machine) -> int:
    """Bytes of a frame."""
    return MASK + 8 * memory.option_words + stop_size(memory, machine)


def add_walking(emitter: Emitter, flow: FlowEmitter) -> None:
    """Add the export. Those for one game must be there."""
    emitter.exported("walk", Code(["i32", "i32", "i32", "i32"], ["i32"]), lambda code: _walk(code, emitter, flow))


def _walk(code: Code, emitter: Emitter, flow: FlowEmitter) -> None:
    base, depth, steps, room = range(4)
    memory = emitter.memory
    stop_in_frame, size = MASK + 8 * memory.option_words, stop_size(memory, emitter.machine)
    level, frame, at, option, kind, acts, going = (code.local("i32") for _ in range(7))
    further = [site for site in flow.sites if isinstance(end := flow.end_of(site), Decide) and end.choose.so_far is not None]
    word = code.local("i64")

    def copied(to: Callable[[], None], come: Callable[[], None], size: int) -> None:
        to()
        come()
        code.i32(size)
        code.add("memory.copy")

    def in_frame(offset: int) -> None:
        code.get(frame)
        code.i32(offset)
        code.add("i32.add")

    def find_frame() -> None:
        code.get(base)
        code.get(level)
        code.i32(frame_size(memory, emitter.machine))
        code.adds("i32.mul", "i32.add")
        code.i32(FRAMES)
        code.add("i32.add")
        code.set(frame)

    def go(to: int) -> None:
        """Go to the level so much deeper."""
        code.get(base)
        code.get(level)
        code.i32(to)
        code.add("i32.add")
        code.tee(level)
        code.add("i32.store", LEVEL)

    def one_more(offset: int) -> None:
        code.get(base)
        code.get(base)
        code.add("i64.load", offset)
        code.i64(1)
        code.add("i64.add")
        code.add("i64.store", offset)

    code.get(base)
    code.add("i32.load", LEVEL)
    code.set(level)
    with code.block("loop") as more:
        code.get(level)
        code.i32(0)
        code.add("i32.lt_s")
        with code.when():
            code.i32(0)
            code.add("return")
        code.get(steps)
        code.add("i32.eqz")
        with code.when():
            code.i32(1)
            code.add("return")
        find_frame()
        code.i32(0)
        code.set(at)
        with code.block() as found, code.block("loop") as next_word:
            code.get(frame)
            code.get(at)
            code.add("i32.add")
            code.add("i64.load", MASK)
            code.tee(word)
            code.adds("i64.eqz", "i32.eqz")
            code.br_if(found)
            code.get(at)
            code.i32(8)
            code.add("i32.add")
            code.tee(at)
            code.i32(8 * memory.option_words)
            code.add("i32.lt_u")
            code.br_if(next_word)
            go(-1)  # all options of this level have been taken
            code.br(more)
        code.get(steps)
        code.i32(1)
        code.add("i32.sub")
        code.set(steps)
        code.get(frame)
        code.get(at)
        code.i32(3)
        code.add("i32.shl")
        code.get(word)
        code.adds("i64.ctz", "i32.wrap_i64", "i32.add")
        code.tee(option)
        code.add("i32.store", 0)
        code.get(frame)
        code.get(at)
        code.add("i32.add")
        code.get(word)
        code.get(word)
        code.i64(1)
        code.adds("i64.sub", "i64.and")
        code.add("i64.store", MASK)
        copied(lambda: code.i32(memory.record), lambda: in_frame(stop_in_frame), size)
        _take(code, flow, option)
        code.set(kind)
        code.i32(0)
        code.set(going)
        if further:
            code.get(kind)
            code.i32(DECISION)
            code.add("i32.eq")
            with code.when():
                for site in further:
                    code.i32(0)
                    code.add(NUMBER_LOADS[flow.site.width], flow.site.address)
                    code.i32(site + 1)
                    code.add("i32.eq")
                    code.get(going)
                    code.add("i32.or")
                    code.set(going)
        code.get(frame)
        code.add("i32.load", ACTS)
        code.i32(1)
        code.add("i32.add")
        code.get(going)
        code.add("i32.sub")
        code.tee(acts)
        code.get(depth)
        code.add("i32.eq")
        code.get(going)
        code.adds("i32.eqz", "i32.and")
        with code.when():
            one_more(SEQUENCES)
            code.get(kind)
            code.i32(OVER)
            code.add("i32.eq")
            with code.when():
                one_more(ENDED)
            code.br(more)
        code.get(kind)
        code.i32(DECISION)
        code.add("i32.eq")
        with code.when():
            go(1)
            code.get(level)
            code.get(room)
            code.add("i32.ge_s")
            with code.when():
                code.add("unreachable")
            find_frame()
            code.get(frame)
            code.get(acts)
            code.add("i32.store", ACTS)
            copied(lambda: in_frame(stop_in_frame), lambda: code.i32(memory.record), size)
            copied(lambda: in_frame(MASK), lambda: code.i32(memory.offered), 8 * memory.option_words)
        code.br(more)
    code.i32(0)


def _take(code: Code, flow: FlowEmitter, option: int) -> None:
    """Leave on the stack what it comes to when the working record's player takes an option that is legal."""
    kind = code.local("i32")

    with code.block() as taken:

        def at(site: int) -> None:
            flow.count_anew(code)
            code.i32(flow.answered[site])
            code.get(option)
            code.add("call", flow.run_imagined())
            code.set(kind)
            code.br(taken)

        flow.by_site(code, [site for site in flow.sites if isinstance(flow.end_of(site), Decide)], at)
        code.add("unreachable")
    code.get(kind)
