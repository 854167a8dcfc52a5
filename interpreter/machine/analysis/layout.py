"""The layout of the record: the place of each variable in it, and which locals need none.

The problem. The record must hold all that a game needs to go on from a stop, and nothing else: it is copied at every node of
a search, it is the saved game, and its first region is hashed to recognise positions. Two things would spoil it. Locals that
nobody reads after a stop make it long. Locals that keep an old value after their last use make equal positions unequal: a
search would see the same table twice, and counting positions would count histories.

What was chosen. Locals of functions and of routines without stops never need a place. For the others, liveness
(`liveness.py`) says which may be read after some stop; these, and only these, are in the record, the rest is *scratch*. A
local in the record is kept at zero bytes wherever it is dead and the machine stands still:

- when the flow stops in its own routine at a site where it is dead: ``clear[site]`` (both executors obey it);
- when its routine calls another that stops, and it is dead behind the call: `clear_at_calls`, at that call;
- when its routine returns: `clear_at_calls`, at the exit.

So at every stop, a local has a value exactly where it may still be read, and zero bytes elsewhere, also in routines that are
not running: the last two rules make this exact for a routine that is called from several places, where a list for each site
alone could only guess from where. When the game is over, everything of the flow is cleared.

Why not a frame for each call on a stack in the record: calls never recurse, so each local can have a place of its own; and
the same position reached through other calls would lie differently.

Order: the regions game, knowledge, digest, run, index, each from a multiple of 8; within a region, the declared fields in their
order, then control, then locals. An element lies at a multiple of its width, up to 8. A number is stored as ``value - low``,
so that zero bytes are the fresh record. A local number has no declared range: it has four bytes, signed by ``LOCAL_LOW``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from ..blocks import Enter, Exit, Flow, flatten
from ..faults import faults_of
from ..machine import DECISIONS_LIMIT, Field, Function, Layout, Local, Place, Region, Routine, Variable
from .liveness import live_locals, own_locals
from .rounds import depths

LOCAL_LOW = -(1 << 31)  # a local number is a signed 32-bit number, as both executors compute
REGIONS: tuple[Region, ...] = ("game", "knowledge", "digest", "run", "index")

RUNNING, OVER, FAULT = 0, 1, 2  # values of the field `status`


@frozen
class Control:
    """The fields that the executors need for themselves. Their names hold spaces, so no name of a game can be one of them.

    ``site``: at a stop, its site + 1; in a record stopped by a fault, the fault's number + 1; else 0. ``status``: RUNNING,
    OVER or FAULT. ``returns``: for each routine that stops the number of the call it returns to. ``decisions``: how many
    were made. ``rounds``: how many rounds of loops were counted since the last one, for each depth (`rounds.py`). ``streams``:
    the states of the random streams, chance first, then each seat's bot. ``digest``: for each seat a digest of all it observed.
    """

    site: Field
    status: Field
    returns: dict[str, Field]
    decisions: Field
    rounds: Field
    streams: Field
    digest: Field


def control_fields(functions: Mapping[str, Function], routines: Mapping[str, Routine], flow: Flow, seats: int) -> Control:
    """The control fields of a machine; they follow from its code."""
    word = (1 << 64) - 1
    last = max([len(faults_of(functions, routines).table), *(site + 1 for site in flow.sites)])
    return Control(
        Field("at site", "game", high=last),
        Field("its status", "game", high=FAULT),
        {name: Field(f"return to {name}", "game", high=calls) for name, calls in flow.calls.items()},
        Field("decisions made", "run", high=max(DECISIONS_LIMIT, (1 << 32) - 1)),
        Field("rounds since then", "run", length=1 + max(depths(routines).values(), default=0), high=(1 << 32) - 1),
        Field("random streams", "run", length=1 + seats, high=word),
        Field("seen by seat", "digest", length=seats, high=word),
    )


def allocate(
    fields: Sequence[Field],
    functions: Mapping[str, Function],
    routines: Mapping[str, Routine],
    main: tuple[str, ...],
    seats: int,
) -> tuple[Layout, dict[int, tuple[Variable, ...]]]:
    """The layout for declared fields and code, and the locals to clear at each site (`Machine.layout`, `Machine.clear`)."""
    flow = flatten(routines, main)
    control = control_fields(functions, routines, flow, seats)
    live = live_locals(flow)
    outlive = 0
    for found in (*live.at_stop.values(), *live.across.values()):
        outlive |= found
    own_by_routine = _own_by_routine(routines)
    everyone: dict[int, Local] = {}
    for locals_ in (*map(own_locals, functions.values()), *own_by_routine.values()):
        everyone |= locals_
    kept = [everyone[number] for number in sorted(everyone) if outlive >> number & 1]
    scratch = [everyone[number] for number in sorted(everyone) if not outlive >> number & 1]
    own = [control.site, control.status, *control.returns.values(), control.digest]
    own += [control.decisions, control.rounds, control.streams]
    layout = _lay_out([*fields, *own], kept, scratch)
    return layout, _clear_at_stops(own_by_routine, flow, live.at_stop, layout)


def extended(layout: Layout, field: Field) -> Layout:
    """A layout with one more field."""
    fields = [variable for variable in layout.record if isinstance(variable, Field)]
    kept = [variable for variable in layout.record if isinstance(variable, Local)]
    return _lay_out([*fields, field], kept, list(layout.scratch))


def clear_at_calls(routines: Mapping[str, Routine], flow: Flow, layout: Layout) -> dict[int, tuple[Local, ...]]:
    """Which locals of the record to clear at the end of a block: of the caller at a call, of the routine at its exit."""
    live = live_locals(flow)
    own = _own_by_routine(routines)
    found = {}
    for number, block in enumerate(flow.blocks):
        match block.end:
            case Enter() if block.routine:
                found[number] = _in_record(own[block.routine], layout, live.across[number])
            case Exit():
                found[number] = _in_record(own[block.routine], layout, 0)
            case _:
                pass
    return found


def _clear_at_stops(
    own: Mapping[str, Mapping[int, Local]], flow: Flow, at_stop: Mapping[int, int], layout: Layout
) -> dict[int, tuple[Variable, ...]]:
    cleared: dict[int, tuple[Variable, ...]] = {}
    for site, live in sorted(at_stop.items()):
        cleared[site] = _in_record(own[flow.blocks[flow.sites[site]].routine], layout, live)
    return cleared


def _own_by_routine(routines: Mapping[str, Routine]) -> dict[str, dict[int, Local]]:
    """The locals of each routine, by number, in this order."""
    return {name: dict(sorted(own_locals(routine).items())) for name, routine in routines.items()}


def _in_record(own: Mapping[int, Local], layout: Layout, live: int) -> tuple[Local, ...]:
    """The locals of a routine that have a place in the record and are not live."""
    return tuple(local for number, local in own.items() if local in layout.record and not live >> number & 1)


def _lay_out(fields: Sequence[Field], kept: Sequence[Local], scratch: Sequence[Local]) -> Layout:
    record: dict[Variable, Place] = {}
    regions: dict[Region, tuple[int, int]] = {}
    offset = slot = 0
    for region in REGIONS:
        start = offset = _aligned(offset, 8)
        members: list[Variable] = [field for field in fields if field.region == region]
        if region == "game":
            members += kept
        for variable in members:
            width, length, low = _shape(variable)
            offset = _aligned(offset, min(width, 8))
            if variable in record:
                raise ValueError(f"the field {variable.name} is declared twice")
            record[variable] = Place(offset, width, length, low, slot)
            offset += width * length
            slot += length
        regions[region] = (start, offset)
    first = slot
    return Layout(
        record,
        {local: first + index for index, local in enumerate(scratch)},
        regions,
        _aligned(offset, 8),
        first + len(scratch),
    )


def _shape(variable: Variable) -> tuple[int, int, int]:
    """Width and number of elements, and the value of zero bytes."""
    match variable:
        case Field():
            return variable.width, variable.length, 0 if variable.bits else variable.low
        case Local(name=name, bits=bits):
            if bits:
                return Field(name, "game", bits=bits).width, 1, 0
            return 4, 1, LOCAL_LOW


def _aligned(offset: int, to: int) -> int:
    return (offset + to - 1) // to * to
