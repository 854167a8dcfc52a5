"""Abstract values of set operations: unions, differences, members, and owners."""

from __future__ import annotations

from ....common.intervals import Interval, join, join_all, meet
from ....table.table import Table
from .values import NO, NOBODY, NONE, NUMBER, TRUTH, YES, AbstractValue, Cells, Group, Members, Place, plus


def joined_sets(one: AbstractValue, other: AbstractValue) -> AbstractValue:
    """What is in one of two sets."""
    match one, other:
        case Members(), Members():
            return Members(one.surely | other.surely, one.maybe | other.maybe)
        case Cells(), Cells():
            return Cells((max(one.count[0], other.count[0]), one.count[1] + other.count[1]), one.grid)
        case Group(), Group():
            shared = one.parts.keys() & other.parts.keys()
            count = plus(one.count, other.count)
            parts = {**one.parts, **other.parts}
            for place in shared:
                here, there = one.parts[place], other.parts[place]
                parts[place] = max(here[0], there[0]), here[1] + there[1]
            if shared:
                count = max(one.count[0], other.count[0]), count[1]
            return Group(one.kind, count, parts, one.faces | other.faces)
        case _:
            return one


def without(one: AbstractValue, other: AbstractValue) -> AbstractValue:
    """What is in one set and not in another."""
    match one, other:
        case Members(), Members():
            return Members(one.surely & ~other.maybe, one.maybe & ~other.surely)
        case Cells(), _:
            return Cells((0, one.count[1]), one.grid)
        case Group(), Group():
            less = other.count[1]
            parts = {place: (max(0, low - less), high) for place, (low, high) in one.parts.items()}
            return Group(one.kind, (max(0, one.count[0] - less), one.count[1]), parts, one.faces)
        case _:
            return one


def some_member(of: AbstractValue) -> AbstractValue:
    """Some member of a set, or none of an empty one."""
    match of:
        case Group(count=(low, high)):
            single = len(of.parts) == 1
            least, most = min(1, low), min(1, high)
            parts = {place: (least if single else 0, min(most, part[1])) for place, part in of.parts.items()}
            return Group(of.kind, (least, most), parts, of.faces)
        case Members(surely=surely):
            members = list(of.listed)
            if not members:
                return NONE, NONE
            return members[0] if surely else NONE, members[-1]
        case _:
            return NUMBER


def some_members(of: AbstractValue) -> AbstractValue:
    """Some members of a set, at least one if it has any."""
    match of:
        case Group(count=(low, high)):
            parts = {place: (0, part[1]) for place, part in of.parts.items()}
            return Group(of.kind, (min(1, low), high), parts, of.faces)
        case Members(surely=surely, maybe=maybe):
            return Members(surely if maybe == surely and maybe.bit_count() == 1 else 0, maybe)
        case _:
            return of


def is_in(one: AbstractValue, these: AbstractValue) -> Interval:
    """Whether something is in a set."""
    if isinstance(one, tuple) and isinstance(these, Members):
        possible = range(max(0, one[0]), min(one[1], these.maybe.bit_length()) + 1)
        surely = one[0] >= 0 and all(these.surely >> member & 1 for member in range(one[0], min(one[1], 1 << 10) + 1))
        return int(surely), int(any(these.maybe >> member & 1 for member in possible))
    if isinstance(these, Group) and these.count == NO:
        return NO
    return TRUTH


def same_components(one: Group, other: Group) -> Interval:
    """Whether two components, or two sets, are the same; or whether there is none."""
    if meet(one.count, other.count) is None:
        return NO
    if one.count == NO and other.count == NO:
        return YES
    if one.count[0] and other.count[0] and not one.faces & other.faces:
        return NO
    return TRUTH


def owner_of(of: Group, table: Table) -> Interval:
    """Who owns the place where a component lies."""
    seats = [seat_of(place, table) for place, (_, high) in of.parts.items() if high]
    owners = [(seat, seat) for seat in seats]
    found = join_all(owners) if owners else (NONE, NONE)
    return found if of.count[0] else join(found, (NONE, NONE))


def seat_of(place: Place, table: Table) -> int:
    """The player to whom a place belongs; nobody's where it belongs to none."""
    zone = table.zones.get(place[0])
    return NOBODY if zone is None or place[1] == NOBODY else table.seats_of(zone.owner)[place[1]]


def any_one(group: Group, faces: int) -> Group:
    """Any one component of a group that has one of some faces, and lies where any of them may."""
    return Group(group.kind, YES, dict.fromkeys(group.parts, (0, 1)), faces)
