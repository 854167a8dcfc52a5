"""Names for the components that a seat sees, and what moved from where to where between two of its views.

A component that exists once has always the same name. Equal components are numbered; those that stay where they are keep their
numbers, and those that are gone from one place and appear in another are taken for the same. All this follows from the views of
one seat, so that nobody learns more from a name than from what they see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from ..machine.machine import Machine
from ..play.knowledge.views import ComponentSeen, View, ZoneSeen


@frozen
class At:
    """A place on the table: a zone, whose it is (a seat from 1; 0: the table's), and the cells of what lies on a grid."""

    zone: str
    owner: int
    cells: tuple[str, ...] = ()


@frozen
class Move:
    """A component that moved. ``id``, ``face``: None where the seat does not know which it is; a place is None if unknown."""

    kind: str
    id: str | None
    face: int | None
    start: At | None
    end: At | None


class Identities:
    """Keeps track of the names for one seat."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._places: dict[tuple[str, int], dict[str, At]] = {}  # of each face, by name
        self._unknown: Counter[tuple[str, At]] = Counter()

    def ids(self, zone: ZoneSeen) -> list[str]:
        """The names of a zone's components, in their order, in the view that came last."""
        taken: Counter[tuple[int, At]] = Counter()
        found = []
        for component in zone.components:
            at = _at(zone, component)
            here = [id for id, place in self._places[component.kind, component.face].items() if place == at]
            found.append(here[taken[component.face, at]])
            taken[component.face, at] += 1
        return found

    def named(self, kind: str, face: int) -> dict[str, At]:
        """The components of a face that are seen, by name, and where they are."""
        return self._places.get((kind, face), {})

    def update(self, view: View) -> list[Move]:
        """Go on to a later view; what moved."""
        now: dict[tuple[str, int], list[At]] = {}
        unknown: Counter[tuple[str, At]] = Counter()
        for zone in view.zones:
            for component in zone.components:
                now.setdefault((component.kind, component.face), []).append(_at(zone, component))
            hidden = zone.count + zone.removed - len(zone.components)
            if hidden and zone.kind:
                unknown[zone.kind, At(zone.name, zone.owner)] += hidden
        left, come = self._unknown - unknown, unknown - self._unknown
        moves: list[Move] = []
        for key in {**self._places, **now}:
            moves += self._face(*key, now.get(key, []), left, come)
        for kind in sorted({kind for kind, _ in left} | {kind for kind, _ in come}):
            moves += _of_unknown(kind, _those(kind, left), _those(kind, come))
        self._unknown = unknown
        return moves

    def _face(
        self, kind: str, face: int, now: Sequence[At], left: Counter[tuple[str, At]], come: Counter[tuple[str, At]]
    ) -> Iterator[Move]:
        """The moves of the components of one face; places of unknown ones that explain them are used up."""
        before = self._places.get((kind, face), {})
        places = list(now)
        after: dict[str, At] = {}
        gone: list[str] = []
        for id, at in before.items():
            if at in places:
                places.remove(at)
                after[id] = at
            else:
                gone.append(id)
        for at in places:
            id = gone.pop(0) if gone else self._new_name(kind, face, before, after)
            start = before.get(id)
            if start is None:
                start = _taken(kind, left, at)
            if start is not None and start != At(at.zone, at.owner):
                yield Move(kind, id, face, start, at)
            after[id] = at
        for id in gone:
            end = _taken(kind, come, before[id])
            if end != At(before[id].zone, before[id].owner):
                yield Move(kind, id, face, before[id], end)
        self._places[kind, face] = after

    def _new_name(self, kind: str, face: int, *taken: dict[str, At]) -> str:
        domain = self.machine.kinds[kind]
        name = f"{kind}:{domain.names[face]}"
        if domain.copies.count(face) <= 1:
            return name
        number = 1
        while any(f"{name}#{number}" in names for names in taken):
            number += 1
        return f"{name}#{number}"


def _at(zone: ZoneSeen, component: ComponentSeen) -> At:
    return At(zone.name, zone.owner, component.cells)


def _those(kind: str, counted: Counter[tuple[str, At]]) -> list[At]:
    return [at for (each, at), count in counted.items() if each == kind for _ in range(count)]


def _taken(kind: str, counted: Counter[tuple[str, At]], near: At) -> At | None:
    """A place out of these, which is used up; the one given is preferred, since then nothing has moved."""
    own = At(near.zone, near.owner)
    for at in (own, *_those(kind, counted)):
        if counted[kind, at] > 0:
            counted[kind, at] -= 1
            return at
    return None


def _of_unknown(kind: str, left: Iterable[At], come: Iterable[At]) -> Iterator[Move]:
    for start, end in zip(left, come, strict=False):
        yield Move(kind, None, None, start, end)
