"""The exports that play games of any bots inside the module, and that let a bot think about a game that is played elsewhere.

``play_bots(seed, first, count, rows)`` is ``play`` for the bots that the host has named in the memory (`memory.py`), through the
flow that stops; `driver.py` holds its code. Where ``counting`` is not 0 it counts decisions, too.

``ponder(seat, iterations, seed)`` and ``conclude()`` are a search in steps about the decision where the working record stands, of
which the host reads the tree: see `players/search.py`. What happened must be remembered: after ``moments`` was set to 0, and
``reset`` and ``begin(0)``, by ``live(stop, value)`` for each option and outcome, with the kind of the stop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from ....machine.analysis import derived
from ....machine.blocks import Decide
from ....machine.columns import Columns
from ....machine.machine import Machine
from ....players.search import conclude
from ....players.workspace import Workspace, workspace_for
from ...binary.code import Code
from ...binary.module import Function, ValueType
from ...layout.addresses import FLAG
from ..lowering import runtime
from ..lowering.emitter import COUNTING, DECISIONS, FIRST, OPTIONS, Emitter
from ..lowering.flow import FlowEmitter
from ..lowering.from_python import Callables, FromPython
from ..lowering.memory import Memory
from ..lowering.playing_on import PlayOnEmitter
from ..lowering.statements import IMAGINING
from .driver import Places, bots_game, lived, pondered
from .many import add_many
from .sight import call_export


def add_bots(emitter: Emitter, flow: FlowEmitter, columns: Columns, outcome: int) -> None:
    """Add ``play_bots``. The exports for one game must be there. ``outcome``: the number of the function that fills the row."""
    variables = {"decisions": DECISIONS, "options": OPTIONS, "first": FIRST, "counting": COUNTING, "imagining": IMAGINING}

    def add(name: str, make: Callable[[], Function]) -> int:
        return emitter.add("bots", name, make)

    translated = FromPython(add, _known(emitter, flow, outcome), variables, _places(emitter, flow, columns))
    translated.function(lived, "live")
    translated.function(pondered, "ponder")
    translated.function(conclude, "conclude")
    add_many(emitter, "play_bots", lambda: translated.function(bots_game).number)


def _known(emitter: Emitter, flow: FlowEmitter, outcome: int) -> dict[str, Callables]:
    """What the functions can call."""

    def export(name: str, *parameters: ValueType, result: ValueType | None = "i32") -> Callables:
        return Callables(emitter.add("export", name, _missing), parameters, result)

    return {
        "select": Callables(emitter.select64, ("i64", "i32"), "i32"),
        "below": Callables(emitter.below, ("i32", "i32"), "i32"),
        "word": Callables(emitter.add("runtime", "next word", runtime.next_word), ("i32",), "i64"),
        "site": Callables(emitter.add("bots", "site", lambda: _site(flow)), (), "i32"),
        "save": Callables(emitter.add("bots", "save", lambda: _save(flow)), ("i32",)),
        "restore": Callables(emitter.add("bots", "restore", lambda: _restore(emitter, flow)), ("i32",), "i32"),
        "play_on": Callables(emitter.add("bots", "play on", PlayOnEmitter(emitter, flow).play_on)),
        "sees": Callables(emitter.add("bots", "sees", lambda: flow.sees()), ("i32", "i32"), "i32"),
        "seen": Callables(emitter.add("bots", "seen", lambda: _seen(emitter, flow)), ("i32",), "i64"),
        "offered_to": Callables(emitter.add("bots", "offered to", lambda: _offered_to(flow)), ("i32",)),
        "reset": export("reset", "i64", "i64", result=None),
        "begin": export("begin", "i32"),
        "player": export("player"),
        "pick": export("pick", "i32"),
        "choose": export("choose", "i32"),
        "draw": export("draw"),
        "happen": export("happen", "i32"),
        "outcome": Callables(outcome),
    }


def _missing() -> Function:
    raise AssertionError("the exports for one game are not there yet")


def _site(flow: FlowEmitter) -> Function:
    """() -> the field ``at site``."""
    code = Code([], ["i32"])
    code.i32(0)
    code.add({1: "i32.load8_u", 2: "i32.load16_u", 4: "i32.load"}[flow.site.width], flow.site.address)
    return code.function("site")


def _save(flow: FlowEmitter) -> Function:
    """(address): the working record is written there."""
    code = Code(["i32"])
    code.get(0)
    code.i32(flow.memory.record)
    code.i32(flow.memory.record_size)
    code.add("memory.copy")
    return code.function("save")


def _restore(emitter: Emitter, flow: FlowEmitter) -> Function:
    """(address) -> where the record stands that lies there; it is the working record now."""
    code = Code(["i32"], ["i32"])
    code.i32(flow.memory.record)
    code.get(0)
    code.i32(flow.memory.record_size)
    code.add("memory.copy")
    call_export(code, emitter, "stop")
    return code.function("restore")


def _seen(emitter: Emitter, flow: FlowEmitter) -> Function:
    """(seat) -> the digest of all that it has observed."""
    code = Code(["i32"], ["i64"])
    code.get(0)
    code.i32(3)
    code.add("i32.shl")
    code.add("i64.load", flow.memory.record + emitter.machine.layout.record[derived.control(emitter.machine).digest].offset)
    return code.function("seen")


def _offered_to(flow: FlowEmitter) -> Function:
    """(address): the legal options are written there."""
    code = Code(["i32"])
    code.get(0)
    code.i32(flow.memory.offered)
    code.i32(8 * flow.memory.option_words)
    code.add("memory.copy")
    return code.function("offered to")


def workspace_in(machine: Machine, memory: Memory, columns: Columns, tables_at: int) -> tuple[Workspace, bytes]:
    """The workspace of a module, and its tables."""
    scores = columns.team_score(0) if columns.in_teams else columns.score(0)
    row = memory.row
    return workspace_for(machine, tables_at, memory.workspace, FLAG, row + 4 * columns.win(0), row + 4 * scores)


def _places(emitter: Emitter, flow: FlowEmitter, columns: Columns) -> Places:
    machine, memory = emitter.machine, emitter.memory
    tables_at = emitter.tables.add([], 4).address
    workspace, tables = workspace_in(machine, memory, columns, tables_at)
    emitter.tables.add([tables], len(tables))
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
    return Places(
        **attrs.asdict(workspace),
        bots=memory.bots,
        bot_streams=flow.streams + 8,
        offered=memory.offered,
        verbs=_table(emitter, [*groups, (machine.options, 0)]),
        group_legal=memory.groups,
        counting=memory.counting,
        counted_options=memory.counts.options,
        counted_offered=memory.counts.offered,
        counted_taken=memory.counts.taken,
        sites=_table(emitter, sites),
        alternatives=_table(emitter, alternatives),
    )


def _table(emitter: Emitter, rows: Sequence[tuple[int, ...]]) -> int:
    """The address of a table of numbers, 4 bytes each."""
    numbers = [number.to_bytes(4, "little", signed=True) for row in rows for number in row]
    return emitter.tables.add(numbers, 4).address
