"""Abstract positions: bounds on the content of each place and on the value of each counter.

A `AbstractState` stands for all positions that are possible at one point of the rules: for each place the least and the greatest
number of components, for each counter and marker the least and the greatest value. `Ground` holds the fixed facts of a table,
such as its places. A marker on components has a single range, which covers all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from attrs import define, field

from ....common.intervals import Interval, join, meet
from ....model.model import BOX, Type, Var, to_roll
from ....table.table import Table, Variable
from ...dataflow.effects import Zones
from .values import MOST, NO, NOBODY, NONE, AbstractValue, Group, Place, one_of

Index = tuple[str, int]  # a counter or marker and the player or word to which it belongs (`NOBODY` where it has no owner)

K = TypeVar("K")

OWNERS_LIMIT = 64  # of what belongs to more, nothing is known

UNKNOWN, POSSIBLE, CERTAIN = 0, 1, 2  # whether a point is reached: nobody can say; in some games; in all that come so far


@define(eq=False)
class Ground:
    """What a table says of its places and counters. ``places``: those of each kind, the box first. ``unknown``: what each counter
    and marker can be where nothing is known of it, and ``empty`` the places in which nothing ever lies (see `overall`); and
    ``extents`` how wide and high what lies on a grid can be (see `extents`)."""

    table: Table
    places: dict[str, tuple[Place, ...]]
    empty: frozenset[Place] = frozenset()
    extents: Mapping[tuple[str, str], int] = field(factory=dict)
    unknown: dict[str, dict[Index, Interval]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        for variable in self.table.variables.values():
            domain = self.domain(variable)
            self.unknown[variable.name] = {(variable.name, owner): domain for owner in self.owners(variable)}

    def most(self, place: Place) -> int:
        """How many components a place can hold; for a grid, as many as there are."""
        zone = self.table.zones.get(place[0])
        return 1 if zone is not None and zone.shape == "slot" else MOST

    def places_in(self, kind: str, zones: Zones | None) -> Sequence[Place]:
        """The places for a kind in some zones and outside of all zones; None: all places."""
        if zones is None:
            return self.places[kind]
        of_zone = self.table.zones
        return [place for place in self.places[kind] if place[0] not in of_zone or of_zone[place[0]].said in zones]

    def zones_of(self, group: Group) -> Zones:
        """Where components can lie, by the names of zones and grids."""
        of_zone = self.table.zones
        return frozenset(of_zone[name].said if name in of_zone else BOX for name, _ in group.parts)

    def owners(self, variable: Variable) -> Sequence[int]:
        """The numbers of those to whom a counter or marker belongs; one for all components to which it does."""
        match variable.owner:
            case None | Type(base="component"):
                return (NOBODY,)
            case Type(base="player"):
                return range(self.table.players)
            case Type(base="word" | "index") as type if self.table.size(type) <= OWNERS_LIMIT:
                return range(self.table.size(type))
            case _:
                return ()

    def domain(self, variable: Variable) -> Interval:
        """Between which numbers a counter or marker always is, what is not set yet included (as none)."""
        if variable.range is not None:
            low = variable.range.low
            return (min(NONE, low) if variable.type.optional else low), variable.range.high
        return (0 if variable.type.base == "truth" else NONE), self.size(variable.type) - 1

    def size(self, type: Type) -> int:
        """How many values a type has, none not counted; of numbers, which have no end, the most."""
        match type.base:
            case "truth" | "player" | "word" | "component" | "index":
                return self.table.size(type)
            case _:
                return MOST

    def start(self, variable: Variable) -> Interval:
        """What a counter or marker is when a game begins; of an option, and of one that a match keeps, all that it can be."""
        low, high = self.domain(variable)
        if variable.form == "option":
            return (low if variable.range is not None or variable.type.optional else 0), high
        if self.table.match is not None and variable.name in (*self.table.match.kept, "games_played"):
            return low, high
        counts = variable.range is not None and not variable.type.optional
        value = 0 if counts and low <= 0 <= high else low
        return value, value


def ground_of(table: Table) -> Ground:
    places: dict[str, list[Place]] = {kind: [box_of(kind)] for kind in table.kinds}
    for zone in table.zones.values():
        owners = range(table.size(zone.owner)) if zone.owned else (NOBODY,)
        places[zone.kind] += [(zone.name, owner) for owner in owners]
        if zone.shape == "pile":
            places[zone.kind] += [held_in((zone.name, owner)) for owner in owners]
    return Ground(table, {kind: tuple(found) for kind, found in places.items()})


def box_of(kind: str) -> Place:
    return f"{BOX} of {kind}", NOBODY


def held_in(pile: Place) -> Place:
    """Where those of a pile are that were removed unseen: still in it, but never drawn."""
    return f"removed from {pile[0]}", pile[1]


@define(eq=False)
class AbstractState:
    """``names``: what the names around stand for. ``reach``: see `UNKNOWN`."""

    ground: Ground
    content: dict[Place, Interval]
    variables: dict[Index, Interval]
    names: dict[Var, AbstractValue]
    reach: int

    def copy(self, reach: int | None = None) -> AbstractState:
        reach = self.reach if reach is None else reach
        return AbstractState(self.ground, dict(self.content), dict(self.variables), dict(self.names), reach)

    def move(self, group: Group, to: Sequence[Place], moved: Var | None = None) -> None:
        """Components go to one of some places; ``moved`` is the name they have, which goes with them."""
        whole = self.table_count(group.kind)
        for place, (least, most) in group.parts.items():
            low, high = self.content[place]
            self.content[place] = max(0, low - most), max(0, high - least)
        least, most = group.count if len(to) == 1 else (0, group.count[1])
        for place in to:
            (low, high), room = self.content[place], min(whole, self.ground.most(place))
            self.content[place] = min(low + least, room), min(high + most, room)
        self._follow(group, to, moved)

    def _follow(self, group: Group, to: Sequence[Place], moved: Var | None) -> None:
        """What has a name may be among those that moved."""
        for name, value in self.names.items():
            if not isinstance(value, Group) or value.kind != group.kind:
                continue
            if name is moved or (group.token > 0 and value.token == group.token):
                more = value.count if len(to) == 1 else (0, value.count[1])
                self.names[name] = value.lying(dict.fromkeys(to, more))
            elif (not group.token or value.token != -group.token) and not group.parts.keys().isdisjoint(value.parts):
                parts = dict(value.parts)
                for place in group.parts.keys() & parts.keys():
                    if self.content[place][1] == 0 and place not in to:
                        del parts[place]
                    else:
                        parts[place] = 0, parts[place][1]
                parts |= dict.fromkeys(to, (0, value.count[1]))
                self.names[name] = value.lying(parts)

    def table_count(self, kind: str) -> int:
        """How many components of a kind there are."""
        return self.ground.table.kinds[kind].bits

    def forget(self, kinds: Iterable[str], variables: Iterable[str], zones: Zones | None = None) -> None:
        """Nothing is known any more of where components of these kinds are, and of these counters and markers.

        ``zones``: their content alone may have changed, and that of the boxes; None: all may have.
        """
        gone = {kind: self.ground.places_in(kind, zones) for kind in kinds}
        for kind, places in gone.items():
            for place in places:
                if place not in self.ground.empty:
                    self.content[place] = 0, min(self.table_count(kind), self.ground.most(place))
        for name in variables:
            self.variables |= self.ground.unknown[name]
        for var, value in self.names.items():
            if isinstance(value, Group) and value.kind in gone:
                self.names[var] = value.lying(dict.fromkeys((*value.parts, *gone[value.kind]), (0, value.count[1])))

    def hold_no_more(self, held: Mapping[Place, Interval]) -> None:
        """These places hold no more than they held before."""
        for place, (_, most) in held.items():
            low, high = self.content[place]
            if high > most:
                self.content[place] = min(low, most), most

    def is_same_as(self, other: AbstractState) -> bool:
        """Whether exactly the same positions are meant, if they can be reached."""
        return (self.content, self.variables, self.names) == (other.content, other.variables, other.names)

    def widen(self, before: AbstractState, forgotten: AbstractState) -> None:
        """Know no more about values that differ from before than ``forgotten`` says, and nothing about such names."""
        self.content = {key: now if now == before.content[key] else forgotten.content[key] for key, now in self.content.items()}
        self.variables = {
            key: now if now == before.variables[key] else forgotten.variables[key] for key, now in self.variables.items()
        }
        self.names = {name: now for name, now in self.names.items() if now == before.names[name]}


def beginning(ground: Ground) -> AbstractState:
    """The position in which a game begins: everything in its box, dice to be rolled, except for what a match keeps."""
    table = ground.table
    content: dict[Place, Interval] = {place: NO for places in ground.places.values() for place in places}
    for kind in table.kinds.values():
        first = (to_roll(kind.name), NOBODY) if to_roll(kind.name) in table.zones else box_of(kind.name)
        content[first] = kind.bits, kind.bits
    variables = {(v.name, owner): ground.start(v) for v in table.variables.values() for owner in ground.owners(v)}
    found = AbstractState(ground, content, variables, {}, CERTAIN)
    if table.match is not None:
        found.forget({table.zones[name].kind for name in table.match.kept if name in table.zones}, ())
    return found


def together(positions: Sequence[AbstractState], reach: int) -> AbstractState | None:
    """One position that stands for all of these; None of none."""
    if len(positions) < 2:
        return positions[0].copy(reach) if positions else None
    content, variables, names = positions[0].content, positions[0].variables, positions[0].names
    for other in positions[1:]:
        content = _either(content, other.content)
        variables = _either(variables, other.variables)
        names = {
            name: here if here is other.names[name] else one_of([here, other.names[name]])
            for name, here in names.items()
            if name in other.names
        }
    return AbstractState(positions[0].ground, content, variables, names, reach)


def likeliest(positions: Sequence[AbstractState]) -> AbstractState | None:
    """Join positions as `together` does; the result is reached as surely as the surest of them."""
    return together(positions, max((each.reach for each in positions), default=UNKNOWN))


def _either(ones: dict[K, Interval], others: dict[K, Interval]) -> dict[K, Interval]:
    """What is known where it is one or the other. Most is the same: this is asked at every fork of the rules, so it is quick."""
    if ones == others:
        return dict(ones)
    return {key: here if here == (there := others[key]) else join(here, there) for key, here in ones.items()}


def narrowed(values: dict[Index, Interval] | dict[Place, Interval], key: Index | Place, to: Interval) -> bool:
    """Keep of what is known only what lies in a range too; False when nothing does."""
    found = meet(values[key], to)
    if found is None:
        return False
    values[key] = found
    return True
