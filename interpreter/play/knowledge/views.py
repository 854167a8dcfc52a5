"""Views: the part of a position that a seat sees, namely open things, its own things, and what it knows of the rest."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import reduce

from attrs import evolve, field, frozen

from ...common.nouns import spoken
from ...machine.bitsets import members
from ...machine.knowledge import SeatKnowledge, closed_places, known_of, unlocated
from ...machine.machine import FOR, FOR_SAID, NONE, GridView, Machine, VariableView, ZoneView
from ...machine.places import content, places_of, sees_faces
from ...model.boards import column_name
from ...model.model import ASIDE, BOX
from ...words.kept import value_name
from ...words.words import ENGLISH, Words, filled, marked

OWNERS_SHOWN = 8  # whose a value is, in one line: more are counted


@frozen
class ComponentSeen:
    """A component that a seat sees or is certain of. ``face``: its number in its kind; equal components share one.

    ``cells``: on a grid, where its parts lie, by name.
    """

    kind: str
    face: int
    name: str
    cells: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} on {' '.join(self.cells)}" if self.cells else self.name


@frozen
class ZoneSeen:
    """A zone (of an owner, seat from 1; 0: of the table).

    ``count``: how many lie there; of a pile, how many can still be drawn, and ``removed`` how many were removed unseen.
    ``components``: those that the seat sees or is certain of. ``may``: names of which more may be among the others.
    ``cells``: of a grid, for every row from the top what stands on each of its cells, "" for an empty one.
    ``hexagonal``: each row lies half a cell further to the right than the one below it. ``kind``: of what lies there ("" for
    a grid, which can hold several). ``label``: what the zone is called in the language of the game.
    """

    name: str
    owner: int
    count: int
    components: tuple[ComponentSeen, ...]
    may: tuple[str, ...]
    shape: str
    removed: int = 0
    cells: tuple[tuple[str, ...], ...] = ()
    hexagonal: bool = False
    kind: str = ""
    label: str = ""
    on: str = "{component} on {cells}"

    @property
    def cards(self) -> tuple[str, ...]:
        """The components in words."""
        return tuple(
            filled(self.on, {"component": each.name, "cells": " ".join(each.cells)}) if each.cells else each.name
            for each in self.components
        )


@frozen
class ValueSeen:
    """A counter or marker; ``of`` says whose ("" for the table). ``owner``: the seat from 1 whose it is (0: no player's).

    ``label``: what it is called in the language of the game. ``whose``, ``which``: the two parts of ``of``, the player and which
    of several of that player it is ("" where each has one). ``unset``: whether its value is none.
    ``written``, ``written_of``: the value, and whose it is, in the rules' own words.
    """

    name: str
    of: str
    value: str
    owner: int = 0
    label: str = ""
    whose: str = ""
    which: str = ""
    unset: bool = False
    written: str = ""
    written_of: str = ""


@frozen
class View:
    """``seat``: whose view (None: everything is seen). ``words``: of the language in which it is told."""

    seat: int | None
    zones: tuple[ZoneSeen, ...]
    values: tuple[ValueSeen, ...]
    words: Words = field(default=ENGLISH, eq=False, repr=False)


def view_of(machine: Machine, cells: Sequence[int], seat: int | None, words: Words | None = None) -> View:
    """The view of a seat (from 1), or of somebody who sees everything. ``words``: of the language in which the machine speaks
    (None: it does not, and names are those of the rules)."""
    unseen = {} if seat is None else knowledge_of(machine, cells, seat)
    places = [(zone, owner) for zone, owner in places_of(machine) if is_shown(zone) and owner not in zone.unused]
    zones = [_zone(machine, zone, owner, cells, unseen, words) for zone, owner in places]
    zones += [
        _grid(machine, grid, owner, cells, words)
        for grid in machine.grids
        for owner in (range(machine.seats) if grid.owned else (None,))
    ]
    values = [value for variable in machine.variables for value in _values(machine, variable, cells, seat, words)]
    return View(seat, tuple(zones), tuple(values), words or ENGLISH)


def is_shown(zone: ZoneView) -> bool:
    """Whether it is a place on the table: no grid, which is shown as a whole, and none that only a construct needs."""
    return not zone.grid and not zone.unrolled and not zone.name.startswith(ASIDE)


def knowledge_of(machine: Machine, cells: Sequence[int], seat: int) -> dict[tuple[str, int | None], SeatKnowledge]:
    """What a seat knows of the places that it does not see: of what may be there, only that of which it knows not where it is."""
    found = {}
    for kind in machine.knowledge:
        known = known_of(machine, kind, cells, seat)
        free = unlocated(machine, kind, cells, known)
        for (zone, owner), each in zip(closed_places(machine, kind), known, strict=True):
            if not sees_faces(zone, owner, seat):
                found[zone.name, owner] = SeatKnowledge(each.certain, [face for face in each.may if free[face] > 0])
    return found


def _zone(
    machine: Machine,
    zone: ZoneView,
    owner: int | None,
    cells: Sequence[int],
    unseen: Mapping[tuple[str, int | None], SeatKnowledge],
    words: Words | None,
) -> ZoneSeen:
    names = zone.domain.names if words is None else zone.domain.said or zone.domain.names
    faces = content(machine, zone, owner, cells)
    known = unseen.get((zone.name, owner), SeatKnowledge(faces, []))
    certain = tuple(ComponentSeen(zone.kind, face, names[face]) for face in known.certain)
    may = () if len(certain) == len(faces) else tuple(names[face] for face in known.may)
    removed = 0 if zone.held is None else cells[machine.layout.record[zone.held].slot + (owner or 0)]
    seat, name = zone.seats[owner or 0] + 1, zone.name + zone.beside(owner or 0)
    if zone.owner is not None and not seat:
        name = f"{zone.name} of {zone.owner.names[owner or 0]}"
    label = spoken(name) if words is None else _label(zone, owner or 0, seat, words)
    on = ON if words is None else words.template(ON)
    return ZoneSeen(name, seat, len(faces) - removed, certain, may, zone.shape, removed, kind=zone.kind, label=label, on=on)


ON = marked("{component} on {cells}")
BOX_OF = f"{BOX} of "  # the name of where the components of a kind lie that are not in the game


def _label(zone: ZoneView, index: int, seat: int, words: Words) -> str:
    """What an instance of a zone is called: of a player's several, with what tells them apart; of nobody's, with whose it is."""
    name = words.name("zone", zone.name)
    if zone.name.startswith(BOX_OF):
        kinds = [words.name("kind", kind) for kind in zone.name.removeprefix(BOX_OF).split(" or ")]
        name = words.phrase("box of {things}", things=words.listed(kinds, "{first} or {last}"))
    if zone.owner is None:
        return name
    if not seat:
        return words.phrase("{zone} of {owner}", zone=name, owner=zone.owner.say(index))
    which = zone.said(index)
    return words.phrase("{zone} for {which}", zone=name, which=which) if which else name


def lying(machine: Machine, grid: GridView, owner: int | None, cells: Sequence[int]) -> Iterator[tuple[str, int, list[int]]]:
    """What lies on a grid: kind, face, and the cell of each part."""
    for zone in machine.zones:
        if zone.grid != grid.name:
            continue
        fields = grid.kinds[zone.kind]
        slots = [machine.layout.record[field].slot for field in fields]
        if fields[0].bits:
            faces = len(zone.domain.names)
            for face in range(faces):
                for cell in members(cells[slots[0] + (owner or 0) * faces + face]):
                    yield zone.kind, face, [cell]
        else:
            for face in content(machine, zone, owner, cells):
                yield zone.kind, face, [cells[slot + face] for slot in slots]


NO_POINT = " "  # where the picture of a board has no point


def _grid(machine: Machine, grid: GridView, owner: int | None, cells: Sequence[int], words: Words | None) -> ZoneSeen:
    texts = grid.texts if words is None else grid.said or grid.texts
    label, on = (spoken(grid.name), ON) if words is None else (words.name("grid", grid.name), words.template(ON))
    there = [""] * len(grid.domain.names)
    lies = []
    for kind, face, at in lying(machine, grid, owner, cells):
        cells_of = tuple(grid.domain.names[cell] for cell in at)
        names = machine.kinds[kind].names if words is None else machine.kinds[kind].said or machine.kinds[kind].names
        lies.append(ComponentSeen(kind, face, names[face], cells_of))
        for text, cell in zip(texts[kind], at, strict=True):
            there[cell] = text[face]
    whose = 0 if owner is None else owner + 1
    if grid.board and not grid.places:
        return ZoneSeen(grid.name, whose, len(lies), tuple(lies), (), "board", label=label, on=on)
    if grid.board:
        drawn = [[NO_POINT] * grid.width for _ in range(grid.height)]
        for (column, row), said in zip(grid.places, there, strict=True):
            drawn[row][column] = said
        rows = tuple(map(tuple, drawn))[::-1]
    else:
        rows = tuple(tuple(there[start : start + grid.width]) for start in range(0, len(there), grid.width))[::-1]
    found = ZoneSeen(grid.name, whose, len(lies), tuple(lies), (), "grid", label=label, on=on)
    return evolve(found, cells=rows, hexagonal=grid.hexagonal)


def elements_seen(machine: Machine, variable: VariableView, seat: int | None) -> list[int]:
    """Which elements of a counter or marker a seat (from 1; None: somebody who sees everything) sees."""
    every = range(machine.layout.record[variable.content].length)
    if seat is None or variable.visibility == "open":
        return list(every)
    return [index for index in every if variable.visibility == "private" and variable.seats[index] == seat - 1]


def _values(
    machine: Machine, variable: VariableView, cells: Sequence[int], seat: int | None, words: Words | None
) -> list[ValueSeen]:
    """All that the seat may see of a counter or marker."""
    place = machine.layout.record[variable.content]
    found = []
    for index in elements_seen(machine, variable, seat):
        if index in variable.unused:
            continue
        value = cells[place.slot + index]
        domain, owner = variable.domain, variable.owner
        unset = value == NONE and (variable.optional if domain is None else domain.low >= 0)
        if words is None:
            text = str(value) if domain is None else domain.name(value)
            of, label, none, between = "" if owner is None else owner.names[index], spoken(variable.name), "none", FOR
        else:
            text = str(value) if domain is None else domain.say(value)
            of, label = "" if owner is None else owner.say(index), value_name(variable.name, words)
            none, between = words.phrase("none"), FOR_SAID if owner is not None and FOR in owner.names[index] else "\0"
        whose, _, which = of.partition(between)
        written = "none" if unset else str(value) if domain is None else domain.name(value)
        written_of = "" if owner is None else owner.names[index]
        found.append(ValueSeen(
            variable.name, of, none if unset else text, variable.seats[index] + 1, label, whose, which, unset, written, written_of
        ))  # fmt: skip
    return found


MAY_LIMIT = 6  # more faces than these, "may be among the others" says nothing that one could use
NAMES_LIMIT = 12  # more components than these are only counted, unless they are one's own
WHOLE = 8  # cells: a grid that is no longer and no higher is drawn whole, so chessboards are
MARK = 4  # letters of a word on a cell of a drawn grid, where that is enough to tell the marks apart


def view_text(view: View, names: Sequence[str] = (), team: Sequence[int] = (), whole: bool = True) -> str:
    """A view as plain lines, its own things first. Empty zones and things that are none are left out.

    ``names``: what the seats are called ("seat 1", ... where none are given). ``team``: the seats that play together with
    the seat whose view it is, itself included. ``whole``: whether all is named, however much lies in one place.
    """
    mine = [zone for zone in view.zones if zone.owner and zone.owner == view.seat]
    others = [zone for zone in view.zones if zone not in mine]
    lines = [zone_line(zone, view, names) for zone in mine if zone.count or zone.cells]
    yours, values = value_lines(view, names, team)
    lines += yours
    lines += [zone_line(zone, view, names, whole) for zone in others if zone.count or zone.cells]
    return "\n".join((*lines, *values))


def value_lines(view: View, names: Sequence[str], team: Sequence[int]) -> tuple[list[str], list[str]]:
    """The counters and markers of the seat whose view it is, with its team; and all others. Those that are none are left out."""
    told, words = [value for value in view.values if not value.unset], view.words
    own = [value for value in told if value.owner and value.owner == view.seat]
    yours = [words.phrase("yours: {values}", values=words.row(_your_values(own, words)))] if own else []
    if len(team) > 1:
        you = words.phrase("you")
        team_names = [you if seat == view.seat else seat_name(seat, names, words) for seat in team]
        together = reduce(lambda first, last: words.phrase("{first} and {last}", first=first, last=last), team_names)
        yours.append(words.phrase("your team: {team}", team=together))
    return yours, _value_lines([value for value in told if value not in own], words)


def _your_values(values: Sequence[ValueSeen], words: Words) -> list[str]:
    """``coins 3``; of a player's several ``men (1: 3; 2, 3: 0)``."""
    by_name: dict[str, dict[str, list[str]]] = {}
    for value in values:
        by_name.setdefault(value.label or spoken(value.name), {}).setdefault(value.value, []).append(value.which)
    return [
        f"{name} ({'; '.join(f'{_some(which, words)}: {value}' for value, which in found.items())})"
        if any(map(any, found.values()))
        else words.phrase("{value} {now}", value=name, now=next(iter(found)))
        for name, found in by_name.items()
    ]


def _value_lines(values: Sequence[ValueSeen], words: Words) -> list[str]:
    """A line for each counter and marker; owners of equal values stand together."""
    by_name: dict[str, dict[str, list[ValueSeen]]] = {}
    for value in values:
        by_name.setdefault(value.label or spoken(value.name), {}).setdefault(value.value, []).append(value)
    lines = []
    for name, found in by_name.items():
        parts = [f"{_whose(same, words)}: {value}" if any(each.of for each in same) else value for value, same in found.items()]
        owned = any(each.of for same in found.values() for each in same)
        sentence = marked("{value} of {owners}") if owned else marked("{value}: {owners}")
        lines.append(words.phrase(sentence, value=name, owners="; ".join(parts)))
    return lines


def _whose(values: Sequence[ValueSeen], words: Words) -> str:
    """Whose a value is. A player is named once: ``Ann for 1, 2``."""
    if not any(value.which for value in values):
        return _some([value.of for value in values], words)
    whose: dict[str, list[str]] = {}
    for value in values:
        whose.setdefault(value.whose, []).append(value.which)
    told = (words.phrase("{player} for {which}", player=player, which=_some(which, words)) for player, which in whose.items())
    return words.row(told)


def _some(owners: Sequence[str], words: Words) -> str:
    """Whose a value is; of many only the first, and how many more there are."""
    more = len(owners) - OWNERS_SHOWN
    if more <= 1:
        return words.row(owners)
    return words.phrase("{things} and {number} more", things=words.row(owners[:OWNERS_SHOWN]), number=more)


def grids_text(view: View, names: Sequence[str]) -> list[str]:
    """The grids on which something lies, drawn."""
    drawn = (zone for zone in view.zones if zone.shape in ("grid", "board") and zone.count)
    return [line for zone in drawn for line in zone_line(zone, view, names).splitlines()]


def zone_line(zone: ZoneSeen, view: View, names: Sequence[str], whole: bool = True) -> str:
    """``your hand (3): red 5, blue 3; 1 unknown``; the number only where it is not said by what follows. A grid is drawn."""
    name, words = zone_name(zone, view, names), view.words
    if zone.shape == "grid":
        return "\n".join([f"{name}:", *_picture(zone)])
    unknown = zone.count + zone.removed - len(zone.cards)
    named = whole or len(zone.cards) <= NAMES_LIMIT
    known = words.row(zone.cards) if named else words.phrase("{number}, named by `view all`", number=len(zone.cards))
    parts = [known] if known else []
    if unknown:
        if 0 < len(zone.may) <= MAY_LIMIT:
            parts.append(words.phrase("{number} unknown among {things}", number=unknown, things=words.row(zone.may)))
        else:
            parts.append(words.phrase("{number} unknown", number=unknown))
    if zone.removed:
        parts.append(words.phrase("{number} of these removed unseen", number=zone.removed))
    count = f" ({zone.count})" if zone.cards and named and zone.shape != "slot" else ""
    return f"{name}{count}: {'; '.join(parts)}"


def zone_name(zone: ZoneSeen, view: View, names: Sequence[str]) -> str:
    """``your hand``, ``hand of Ann``, ``deck``."""
    name, words = zone.label or spoken(zone.name), view.words
    if not zone.owner:
        return name
    if zone.owner == view.seat:
        return words.phrase("your {zone}", zone=name)
    return words.phrase("{zone} of {owner}", zone=name, owner=seat_name(zone.owner, names, words))


def _picture(zone: ZoneSeen) -> list[str]:
    """A grid with the names of its columns and rows; of a large one the part on which something lies and a ring around it."""
    height = len(zone.cells)
    columns, rows = columns_and_rows(zone)
    marks = _marks({mark for row in zone.cells for mark in row if mark != NO_POINT}) | {NO_POINT: NO_POINT}
    table = [["", *(column_name(number) for number in columns)]]
    for number in rows:
        table.append([str(height - number), *(marks[zone.cells[number][column]] or "." for column in columns)])
    first = max(len(row[0]) for row in table)
    wide = max(len(text) for row in table for text in row[1:])
    if zone.hexagonal:  # the columns are named below, where their cells are not moved aside; half a cell is so many letters
        table = [*table[1:], table[0]]
        wide += wide % 2
    lines = []
    for below, row in zip(range(len(table) - 2, -2, -1), table, strict=True):
        aside = " " * (max(0, below) * (wide // 2 + 1)) if zone.hexagonal else ""
        lines.append("  " + "  ".join([row[0].ljust(first) + aside, *(text.ljust(wide) for text in row[1:])]).rstrip())
    return lines


def columns_and_rows(zone: ZoneSeen, squares: Container[str] = ()) -> tuple[range, range]:
    """The columns and rows of a grid that are drawn: where something lies, or one of these squares is, and a ring around it."""
    height, width = len(zone.cells), len(zone.cells[0])
    used = [
        (column, row)
        for row, line in enumerate(zone.cells)
        for column, said in enumerate(line)
        if said.strip() or square_name(zone, column, row) in squares
    ]
    columns, rows = {column for column, _ in used}, {row for _, row in used}
    return _with_ring(sorted(columns), width), _with_ring(sorted(rows), height)


def square_name(zone: ZoneSeen, column: int, row: int) -> str:
    """The name of a cell of a grid, as in ``c4``; ``row`` is counted from the top."""
    return f"{column_name(column)}{len(zone.cells) - row}"


def _with_ring(used: Sequence[int], count: int) -> range:
    """The rows or columns from the first used to the last, and one more at either end."""
    return range(count) if count <= WHOLE or not used else range(max(0, used[0] - 1), min(count, used[-1] + 2))


def _marks(texts: set[str]) -> dict[str, str]:
    """Short marks for what stands on cells: words are cut, but not so far that two of them look alike."""
    words = {text: re.sub(r" of (player )?", " ", text) for text in texts}
    longest = max(len(word) for text in words.values() for word in ("", *text.split()))
    for letters in range(MARK, longest):
        marks = {text: " ".join(word[:letters] for word in said.split()) for text, said in words.items()}
        if len(set(marks.values())) == len(marks):
            return marks
    return words if len(set(words.values())) == len(words) else {text: text for text in texts}


def seat_name(seat: int, names: Sequence[str], words: Words) -> str:
    """What a seat is called: by its name if names are given."""
    return names[seat - 1] if names else words.phrase("seat {number}", number=seat)
