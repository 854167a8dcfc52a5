"""The part of a score sheet that a seat can work out during a game: what is made only of things that it sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...machine.machine import Const, Expr, Field, Invoke, Load, Machine, Op, earlier
from ...machine.places import content, content_slots, places_of, sees_faces
from ...machine.traverse import every_expression, every_statement, expressions, operands
from ...model.model import GAMES_PLAYED
from .views import elements_seen, knowledge_of


def open_slots(machine: Machine, seat: int) -> frozenset[int]:
    """The cells of a record whose values a seat (from 1) sees."""
    found: set[int] = set()
    record = machine.layout.record
    for zone, owner in places_of(machine):
        if sees_faces(zone, owner, seat):
            found.update(content_slots(machine, zone, owner))
    public = {name for variable in machine.variables if variable.visibility == "open" for name in (variable.content.name,)}
    public |= {GAMES_PLAYED, *(earlier(term.name) for term in machine.terms)}  # games that are over are scored in the open
    grids = {grid.name for grid in machine.grids}
    for variable in machine.variables:
        found.update(record[variable.content].slot + element for element in elements_seen(machine, variable, seat))
    for field, place in record.items():
        if isinstance(field, Field) and (_is_of_grid(field, grids) or field.name.removesuffix(" by value") in public):
            found.update(range(place.slot, place.slot + place.length))
    for grid in machine.grids:
        for fields in grid.kinds.values():
            for field in fields:
                found.update(range(record[field].slot, record[field].slot + record[field].length))
    return frozenset(found)


def known_slots(machine: Machine, cells: Sequence[int], seat: int) -> set[int]:
    """The cells of a record that hold what a seat (from 1) does not see, but is certain of. The order of a pile is not meant."""
    known = knowledge_of(machine, cells, seat)
    return {
        slot
        for zone, owner in places_of(machine)
        if zone.top is None
        and (zone.name, owner) in known
        and len(known[zone.name, owner].certain) == len(content(machine, zone, owner, cells))
        for slot in content_slots(machine, zone, owner)
    }


def counted_slots(machine: Machine, function: str) -> frozenset[int]:
    """The cells that say what lies in a zone, of those of which a function takes no more than how many lie there: that is known
    to all."""
    counted: set[Field] = set()
    used: set[Field] = set()
    names, done = [function], set[str]()
    while names:
        name = names.pop()
        if name in done:
            continue
        done.add(name)
        for stmt in every_statement(machine.functions[name].body):
            for outermost in expressions(stmt):
                for expr in every_expression(outermost):
                    if isinstance(expr, Invoke):
                        names.append(expr.function)
                    for each in operands(expr):
                        if isinstance(each, Load) and isinstance(each.variable, Field):
                            (counted if _only_counts(expr) else used).add(each.variable)
                if isinstance(outermost, Load) and isinstance(outermost.variable, Field):
                    used.add(outermost.variable)
    record = machine.layout.record
    only = counted - used
    return frozenset(record[zone.content].slot + (owner or 0) for zone, owner in places_of(machine) if zone.content in only)


def _only_counts(expr: Expr) -> bool:
    """Whether a set is only counted in an expression, or asked whether it is empty."""
    match expr:
        case Op(name="count"):
            return True
        case Op(name="=", args=(_, Const(0)) | (Const(0), _)):
            return True
        case _:
            return False


def _is_of_grid(field: Field, grids: set[str]) -> bool:
    """Whether a field only repeats what lies on a grid."""
    return field.region == "index" and (
        field.name in grids or field.name.partition(", ")[0] in grids or field.name.rpartition(" on ")[2] in grids
    )


def stored_slots(machine: Machine) -> frozenset[int]:
    """The cells of a record that hold something of the game, and nothing that only lasts while it is worked out."""
    return frozenset(
        slot
        for field, place in machine.layout.record.items()
        if isinstance(field, Field)
        for slot in range(place.slot, place.slot + place.length)
    )


class _Noting(list[int]):
    """Cells that take note of which of them are read."""

    def __init__(self, cells: Sequence[int]) -> None:
        super().__init__(cells)
        self.read: set[int] = set()

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            self.read.update(range(*key.indices(len(self))))
        else:
            self.read.add(key)
        return list.__getitem__(self, key)


def asked(cells: Sequence[int], ask: Callable[[list[int]], int]) -> tuple[int, set[int]]:
    """An answer worked out from cells, and those that it took."""
    noting = _Noting(cells)
    return ask(noting), noting.read
