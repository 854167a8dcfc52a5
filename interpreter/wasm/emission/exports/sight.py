"""The export ``see(seat, address)``, which writes the record as a seat may see it, for hosts that show or learn from it.

Parts that the seat does not see are zero bytes. It sees open zones and values, its own private ones, all grids, its digest, which
faces may be where (`Knowledge.may`), whether the game is over, and the stop at which it decides itself. It does not see random
streams, counts of decisions (some are secret) and locals; nor `Knowledge.certain`, since where a bit of that stands depends on
what lies in other places. Behind the record stand the amounts that all know: for each place (`places_of`) in two bytes how many
components lie there, those that were removed unseen included.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....machine import machine as m
from ....machine.places import places_of
from ....machine.sight import sight_of
from ...binary.code import Code
from ...binary.module import Function
from ...layout.storage import InMemory, words_for
from ..lowering.emitter import Emitter
from ..lowering.expressions import NUMBER_LOADS


def size_of_sight(machine: m.Machine) -> int:
    """How many bytes ``see`` writes: the record, then two for each place."""
    return machine.layout.size + 2 * len(places_of(machine))


def add_sight(emitter: Emitter) -> None:
    """Add ``see``. The exports for one game must be there."""
    emitter.exported("see", Code(["i32", "i32"], ["i32"]), lambda code: _see(code, emitter))


def _see(code: Code, emitter: Emitter) -> None:
    """(seat, address) -> how many bytes were written."""
    machine, record = emitter.machine, emitter.memory.record
    seat, address = 0, 1
    sight = sight_of(machine, ((emitter.control.status, True), (emitter.control.digest, False)), knowledge=True)
    code.get(address)
    code.i32(0)
    code.i32(machine.layout.size)
    code.add("memory.fill")
    _copy(code, address, record, sight.common)
    for each, parts in enumerate(sight.own):
        code.get(seat)
        code.i32(each)
        code.add("i32.eq")
        with code.when():
            _copy(code, address, record, parts)
    call_export(code, emitter, "player")
    code.get(seat)
    code.add("i32.eq")
    with code.when():
        site = machine.layout.record[emitter.control.site]
        _copy(code, address, record, [(site.offset, site.width)])
    for number, (zone, owner) in enumerate(places_of(machine)):
        code.get(address)
        _amount(code, emitter, zone, owner or 0)
        code.add("i32.store16", machine.layout.size + 2 * number)
    code.i32(size_of_sight(machine))


def call_export(code: Code, emitter: Emitter, name: str, family: str = "export") -> None:
    """Call a function that the outside has, too. It has been added before."""

    def missing() -> Function:
        raise AssertionError(f"there is no {name} yet")

    code.add("call", emitter.add(family, name, missing))


def _copy(code: Code, address: int, record: int, parts: Sequence[tuple[int, int]]) -> None:
    """Copy parts of the working record to where they lie in the one that is written."""
    for offset, size in parts:
        code.get(address)
        code.i32(offset)
        code.add("i32.add")
        code.i32(record + offset)
        code.i32(size)
        code.add("memory.copy")


def _amount(code: Code, emitter: Emitter, zone: m.ZoneView, owner: int) -> None:
    """Leave on the stack how many components lie in a zone (`views.amount`)."""
    place = emitter.field(zone.content)
    at = place.address + owner * place.width
    if zone.shape == "slot":
        _load(code, place, at)
        code.i32(m.NONE - place.low)
        code.add("i32.ne")
        return
    if place.width < 8:
        _load(code, place, at)
        code.add("i32.popcnt")
    else:
        for number in range(words_for(place.bits)):
            code.i32(0)
            code.add("i64.load", at + 8 * number)
            code.adds("i64.popcnt", "i32.wrap_i64")
            if number:
                code.add("i32.add")
    if zone.size is not None:
        size = emitter.field(zone.size)
        _load(code, size, size.address + owner * size.width)
        code.add("i32.add")


def _load(code: Code, place: InMemory, address: int) -> None:
    code.i32(0)
    code.add(NUMBER_LOADS[place.width], address)
