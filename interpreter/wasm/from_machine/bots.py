"""How are games of bots that are not all random played inside the module, and decisions counted?

``play_bots(seed, first, count, rows)`` is ``play`` for the bots that the host has named in the memory (`memory.py`), through the
flow that stops: what it does is written in `driver.py`. Where ``counting`` is not 0 it counts, too.
"""

from __future__ import annotations

from attrs import frozen

from ..from_python import FromPython, Known
from ..module import Function, ValueType
from . import runtime
from .code import Code
from .driver import bots_game
from .emitter import COUNTING, DECISIONS, FIRST, OPTIONS, Emitter
from .flow import Decide, FlowEmitter
from .memory import FLAG
from .playouts import PlayoutEmitter


@frozen
class _Places:
    """See `driver.Places`."""

    flag: int
    bots: int
    streams: int
    offered: int
    options: int
    group_count: int
    groups: int
    group_legal: int
    counting: int
    counted_options: int
    counted_offered: int
    counted_taken: int
    sites: int
    alternatives: int


def add_bots(emitter: Emitter, flow: FlowEmitter, playouts: PlayoutEmitter) -> None:
    """Add ``play_bots``. The exports for one game must be there."""
    variables = {"decisions": DECISIONS, "options": OPTIONS, "first": FIRST, "counting": COUNTING}

    def add(name: str, make):  # type: ignore[no-untyped-def]
        return emitter.add("bots", name, make)

    translated = FromPython(add, _known(emitter, flow, playouts), variables, _places(emitter, flow))
    playouts.many("play_bots", lambda: translated.function(bots_game).number)


def _known(emitter: Emitter, flow: FlowEmitter, playouts: PlayoutEmitter) -> dict[str, Known]:
    """What the functions can call."""

    def export(name: str, *parameters: ValueType, result: ValueType | None = "i32") -> Known:
        return Known(emitter.add("export", name, _missing), parameters, result)

    return {
        "select": Known(emitter.select64, ("i64", "i32"), "i32"),
        "below": Known(emitter.below, ("i32", "i32"), "i32"),
        "word": Known(emitter.add("runtime", "next word", runtime.next_word), ("i32",), "i64"),
        "site": Known(emitter.add("bots", "site", lambda: _site(flow)), (), "i32"),
        "reset": export("reset", "i64", "i64", result=None),
        "begin": export("begin", "i32"),
        "stop": export("stop"),
        "player": export("player"),
        "pick": export("pick", "i32"),
        "choose": export("choose", "i32"),
        "draw": export("draw"),
        "happen": export("happen", "i32"),
        "outcome": Known(playouts.outcome),
    }


def _missing() -> Function:
    raise AssertionError("the exports for one game are not there yet")


def _site(flow: FlowEmitter) -> Function:
    """() -> the field ``at site``."""
    code = Code([], ["i32"])
    code.i32(0)
    code.add({1: "i32.load8_u", 2: "i32.load16_u", 4: "i32.load"}[flow.site.width], flow.site.address)
    return code.function("site")


def _places(emitter: Emitter, flow: FlowEmitter) -> _Places:
    machine, memory = emitter.machine, emitter.memory
    groups = [(group.base, int(group.of_numbers)) for group in machine.groups]
    alternatives: list[tuple[int, int, int]] = []
    sites = [(0, 0)] * (max(flow.sites, default=0) + 1)
    for site in flow.sites:
        end, address, first = flow.end_of(site), memory.answers, len(alternatives)
        if isinstance(end, Decide):
            for alternative, size in zip(end.choose.alternatives, flow.sizes[site], strict=True):
                group = machine.groups[alternative.group]
                alternatives.append((address, group.base, group.size))
                address += 8 * size
        sites[site] = (first, len(alternatives))
    return _Places(
        flag=FLAG,
        bots=memory.bots,
        streams=flow.streams,
        offered=memory.offered,
        options=machine.options,
        group_count=len(groups),
        groups=_table(emitter, [*groups, (machine.options, 0)]),
        group_legal=memory.groups,
        counting=memory.counting,
        counted_options=memory.counts.options,
        counted_offered=memory.counts.offered,
        counted_taken=memory.counts.taken,
        sites=_table(emitter, sites),
        alternatives=_table(emitter, alternatives),
    )


def _table(emitter: Emitter, rows: list[tuple[int, ...]]) -> int:
    """The address of a table of numbers, 4 bytes each."""
    numbers = [number.to_bytes(4, "little", signed=True) for row in rows for number in row]
    return emitter.tables.add(numbers, 4).address
