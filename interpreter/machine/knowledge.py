"""Knowledge of a seat about places that it does not see: the components that surely are there, and those that may be.

This reads what `machine/from_table/components/knowledge.py` keeps in the record; that module explains why it is kept so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attrs import frozen

from .bitsets import members
from .machine import NONE, Field, Knowledge, Machine, ZoneView
from .places import content, places_of, sees_faces

Faces = Counter[int]


@frozen
class SeatKnowledge:
    """What a seat knows of a place.

    ``certain``: the faces, ascending and as often as there are copies, that it sees there or is certain of. ``may``: the
    faces, ascending, of which there may be others.
    """

    certain: list[int]
    may: list[int]


def known_of(machine: Machine, knowledge: Knowledge, cells: Sequence[int], seat: int) -> list[SeatKnowledge]:
    """What a seat (from 1) knows of the places of a kind that are not open to all, by their numbers."""
    rows = list(knowledge.rows)
    row = 0 if knowledge.certain is None else cells[machine.layout.record[knowledge.certain].slot + seat - 1]
    found = []
    for number, (zone, owner) in enumerate(closed_places(machine, knowledge)):
        there = Counter(content(machine, zone, owner, cells))
        slot = _slot(machine, knowledge, number, seat)
        may = 0 if slot is None else cells[slot]
        certain: list[int] = []
        for face in sorted(there):
            count = there[face]
            if not rows or rows[face] == NONE:
                certain += [face] * (0 if may >> face & 1 else count)
            else:
                sure = (row >> rows[face] & ((1 << count) - 1)).bit_count()
                certain += [face] * (count if sees_faces(zone, owner, seat) else sure)
                rows[face] += count
        found.append(SeatKnowledge(certain, members(may)))
    return found


def unlocated(machine: Machine, knowledge: Knowledge, cells: Sequence[int], known: Sequence[SeatKnowledge]) -> Faces:
    """For each face, how many copies there are of which a seat that knows so much does not know where they lie."""
    domain = machine.kinds[knowledge.kind]
    left = Counter(domain.copies or range(len(domain.names)))
    for zone, owner in places_of(machine):
        if zone.kind == knowledge.kind and zone.place is None:
            left.subtract(content(machine, zone, owner, cells))
    for each in known:
        left.subtract(each.certain)
    return left


def forget(machine: Machine, before: Sequence[int], cells: list[int]) -> None:
    """Setting things up teaches nobody: what seats were not certain of before, they are not certain of in ``cells``.

    A seat still knows what lies in places that it sees. What it forgets may be in any place that it does not see.
    """
    for knowledge in machine.knowledge:
        closed = closed_places(machine, knowledge)
        for seat in range(1, machine.seats + 1):
            then, now = known_of(machine, knowledge, before, seat), known_of(machine, knowledge, cells, seat)
            kept = []
            forgotten: Faces = Counter()
            for (zone, owner), old, new in zip(closed, then, now, strict=True):
                certain = Counter(new.certain)
                if not sees_faces(zone, owner, seat):
                    forgotten += certain - Counter(old.certain)
                    certain &= Counter(old.certain)
                kept.append(certain)
            slots = [_slot(machine, knowledge, number, seat) for number in range(len(closed))]
            if knowledge.may is not None and knowledge.elsewhere:
                slots.append(_elsewhere(machine, knowledge.may, seat))
            for slot in slots:
                if slot is not None:
                    cells[slot] |= sum(1 << face for face in forgotten)
            if knowledge.certain is not None:
                cells[machine.layout.record[knowledge.certain].slot + seat - 1] = _row(machine, knowledge, cells, kept)


def closed_places(machine: Machine, knowledge: Knowledge) -> list[tuple[ZoneView, int | None]]:
    """The places of a kind that are not open to all, in the order of their numbers."""
    found = [
        (zone.place + (owner or 0), zone, owner)
        for zone, owner in places_of(machine)
        if zone.kind == knowledge.kind and zone.place is not None
    ]
    return [(zone, owner) for _, zone, owner in sorted(found, key=lambda numbered: numbered[0])]


def _row(machine: Machine, knowledge: Knowledge, cells: Sequence[int], known: Sequence[Faces]) -> int:
    """The row of a seat that is certain of so many in each place."""
    found, rows = 0, list(knowledge.rows)
    for (zone, owner), certain in zip(closed_places(machine, knowledge), known, strict=True):
        for face, count in Counter(content(machine, zone, owner, cells)).items():
            if rows[face] != NONE:
                found |= ((1 << certain[face]) - 1) << rows[face]
                rows[face] += count
    return found


def _elsewhere(machine: Machine, may: Field, seat: int) -> int:
    """The cell of what a seat (from 1) cannot place anywhere, since a test has put it there."""
    return machine.layout.record[may].slot + seat * (may.length // machine.seats) - 1


def _slot(machine: Machine, knowledge: Knowledge, place: int, seat: int) -> int | None:
    """The cell that says what may be in a place for a seat (from 1); None where nothing can be, or the seat sees it."""
    if knowledge.may is None:
        return None
    element = knowledge.elements[(seat - 1) * knowledge.places + place]
    return None if element == NONE else machine.layout.record[knowledge.may].slot + element
