"""The content of each place in a position, and who sees it there."""

from __future__ import annotations

from collections.abc import Sequence

from .machine import NONE, Machine, ZoneView


def places_of(machine: Machine) -> list[tuple[ZoneView, int | None]]:
    """Every zone, or each instance of it with its number (from 0; None: there is one)."""
    return [(zone, index) for zone in machine.zones for index in ((None,) if zone.owner is None else range(len(zone.seats)))]


def amount(machine: Machine, zone: ZoneView, owner: int | None, cells: Sequence[int]) -> int:
    """How many components lie in a zone: all know that."""
    found = cells[machine.layout.record[zone.content].slot + (owner or 0)]
    if zone.shape == "slot":
        return int(found != NONE)
    size = 0 if zone.size is None else cells[machine.layout.record[zone.size].slot + (owner or 0)]
    return found.bit_count() + size


def content(machine: Machine, zone: ZoneView, owner: int | None, cells: Sequence[int]) -> list[int]:
    """The faces in a zone: of a pile with an ordered top, that top first; else in the order of the component list."""
    index = owner or 0
    slot = machine.layout.record[zone.content].slot + index
    if zone.shape == "slot":
        return [] if cells[slot] == NONE else [cells[slot]]
    found = zone.domain.members(cells[slot])
    if zone.top is None or zone.size is None:
        return found
    size = cells[machine.layout.record[zone.size].slot + index]
    top = machine.layout.record[zone.top].slot + index * zone.domain.bits
    return [cells[top + place] for place in reversed(range(size))] + found


def content_slots(machine: Machine, zone: ZoneView, owner: int | None) -> list[int]:
    """The cells that say what lies in a zone, its known order included: equal ones have equal `content`."""
    index = owner or 0
    record = machine.layout.record
    found = [record[zone.content].slot + index]
    if zone.top is not None and zone.size is not None:
        top = record[zone.top].slot + index * zone.domain.bits
        found += [record[zone.size].slot + index, *range(top, top + zone.domain.bits)]
    return found


def sees_faces(zone: ZoneView, owner: int | None, seat: int) -> bool:
    """Whether a seat (from 1) sees what lies in an instance of a zone (from 0)."""
    return zone.visibility == "open" or (zone.visibility == "private" and zone.seats[owner or 0] == seat - 1)
