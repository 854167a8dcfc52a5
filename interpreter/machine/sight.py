"""The parts of a record that each seat sees."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from .machine import NONE, Field, Machine, Visibility


@frozen
class Sight:
    """Parts of the record (offset, bytes). ``common``: those that all see. ``own``: those that only a seat sees, by seat."""

    common: tuple[tuple[int, int], ...]
    own: tuple[tuple[tuple[int, int], ...], ...]


def sight_of(machine: Machine, more: Sequence[tuple[Field, bool]] = (), knowledge: bool = False) -> Sight:
    """Zones, grids and variables that seats see.

    ``more``: fields beside these, each with whether all see it; of another one each seat sees its own element. ``knowledge``:
    also which faces may be where, as far as a seat knows.
    """
    common: list[tuple[int, int]] = []
    own: list[list[tuple[int, int]]] = [[] for _ in range(machine.seats)]

    def add(field: Field | None, visibility: Visibility, seats: Sequence[int] = ()) -> None:
        if field is None:
            return
        place = machine.layout.record[field]
        if visibility == "open":
            common.append((place.offset, place.width * place.length))
        elif visibility == "private":
            size = place.width * place.length // len(seats)
            for index, seat in enumerate(seats):
                own[seat].append((place.offset + index * size, size))

    for field, for_all in more:
        add(field, "open" if for_all else "private", range(machine.seats))
    for zone in machine.zones:
        for part in (zone.content, zone.top, zone.size):
            add(part, zone.visibility, zone.seats)
        add(zone.held, "open")
    for grid in machine.grids:
        for fields in grid.kinds.values():
            for part in fields:
                add(part, "open")
    for variable in machine.variables:
        add(variable.content, variable.visibility, variable.seats)
    for known in machine.knowledge if knowledge else ():
        if known.may is not None:
            place = machine.layout.record[known.may]
            for number, element in enumerate(known.elements):
                if element != NONE:
                    own[number // known.places].append((place.offset + element * place.width, place.width))
    return Sight(tuple(_merged(common)), tuple(tuple(_merged(parts)) for parts in own))


def _merged(parts: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Parts that touch or overlap as one."""
    found: list[tuple[int, int]] = []
    for start, size in sorted(parts):
        if found and start <= sum(found[-1]):
            found[-1] = (found[-1][0], max(sum(found[-1]), start + size) - found[-1][0])
        else:
            found.append((start, size))
    return found
