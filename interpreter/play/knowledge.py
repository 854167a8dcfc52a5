"""What is a seat certain of in places that it does not see, and what may be there?

This reads what `machine/from_table/components/knowledge.py` keeps in the record, and says there why it is kept so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..machine.bitsets import members
from ..machine.machine import NONE, Knowledge, Machine, ZoneView
from .places import content, places_of, sees_faces

Faces = Counter[int]


def certain(
    machine: Machine, kind: Knowledge, zone: ZoneView, owner: int | None, cells: Sequence[int], seat: int
) -> list[int]:
    """The faces, ascending and as often as there are copies, of which a seat (from 1) is certain that they lie in a place."""
    there = sorted(content(machine, zone, owner, cells))
    if zone.place is None or kind.may is None or sees_faces(zone, owner, seat):
        return there
    place = zone.place + (owner or 0)
    may = set(possible(machine, kind, zone, owner, cells, seat))
    found = []
    for face in dict.fromkeys(there):
        if kind.rows[face] == NONE:
            found += [face] * (face not in may)
        else:
            found += [face] * _certain_copies(machine, kind, place, face, there.count(face), cells, seat)
    return found


def _certain_copies(
    machine: Machine, kind: Knowledge, place: int, face: int, count: int, cells: Sequence[int], seat: int
) -> int:
    """How many of so many equal components in a place the seat is certain of."""
    assert kind.certain is not None, "kinds with equal components have rows"
    before = (where for where in _closed(machine, kind) if _number(where) < place)
    start = kind.rows[face] + sum(content(machine, *where, cells).count(face) for where in before)
    row = cells[machine.layout.record[kind.certain].slot + seat - 1]
    return (row >> start & ((1 << count) - 1)).bit_count()


def possible(
    machine: Machine, kind: Knowledge, zone: ZoneView, owner: int | None, cells: Sequence[int], seat: int
) -> list[int]:
    """The faces, ascending, of which there may be one in a place without the seat (from 1) being certain of it."""
    slot = None if zone.place is None else _slot(machine, kind, zone.place + (owner or 0), seat)
    return [] if slot is None else members(cells[slot])


def unlocated(machine: Machine, kind: Knowledge, cells: Sequence[int], seat: int) -> Faces:
    """For each face, how many copies there are of which the seat does not know where they lie."""
    domain = machine.kinds[kind.kind]
    left = Counter(domain.copies or range(len(domain.names)))
    for zone, owner in places_of(machine):
        if zone.kind == kind.kind:
            left.subtract(certain(machine, kind, zone, owner, cells, seat))
    return left


def forget(machine: Machine, before: Sequence[int], cells: list[int]) -> None:
    """Setting things up teaches nobody: what seats were not certain of before, they are not certain of in ``cells``.

    A seat still knows what lies in places that it sees. What it forgets may be in any place that it does not see.
    """
    for kind in machine.knowledge:
        for seat in range(1, machine.seats + 1):
            kept: dict[int, Faces] = {}
            forgotten: Faces = Counter()
            for zone, owner in _closed(machine, kind):
                now = Counter(certain(machine, kind, zone, owner, cells, seat))
                if not sees_faces(zone, owner, seat):
                    then = Counter(certain(machine, kind, zone, owner, before, seat))
                    forgotten += now - then
                    now &= then
                kept[_number((zone, owner))] = now
            for place in kept:
                slot = _slot(machine, kind, place, seat)
                if slot is not None:
                    cells[slot] |= sum(1 << face for face in forgotten)
            if kind.certain is not None:
                cells[machine.layout.record[kind.certain].slot + seat - 1] = _rows(machine, kind, cells, kept)


def _rows(machine: Machine, kind: Knowledge, cells: Sequence[int], known: dict[int, Faces]) -> int:
    """The rows of a seat that is certain of so many in each place."""
    found = 0
    for face, row in enumerate(kind.rows):
        at = row
        for where in _closed(machine, kind) if row != NONE else ():
            found |= ((1 << known[_number(where)][face]) - 1) << at
            at += content(machine, *where, cells).count(face)
    return found


def _slot(machine: Machine, kind: Knowledge, place: int, seat: int) -> int | None:
    """The cell that says what may be in a place for a seat (from 1); None where nothing can be, or the seat sees it."""
    if kind.may is None:
        return None
    element = kind.elements[(seat - 1) * kind.places + place]
    return None if element == NONE else machine.layout.record[kind.may].slot + element


def _number(where: tuple[ZoneView, int | None]) -> int:
    zone, owner = where
    assert zone.place is not None, "what is not open has a place"
    return zone.place + (owner or 0)


def _closed(machine: Machine, kind: Knowledge) -> list[tuple[ZoneView, int | None]]:
    """The places of a kind that are not open, in the order of their numbers."""
    found = [(zone, owner) for zone, owner in places_of(machine) if zone.kind == kind.kind and zone.place is not None]
    return sorted(found, key=_number)
