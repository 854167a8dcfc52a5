"""The observation of a seat as numbers: named fields side by side, the same for every seat of a table.

====================================  ==========================================================================================
field                                 numbers
====================================  ==========================================================================================
``seat``                              1 for the seat that sees this, by seat
``decides``                           1 for the seat that has to choose, by seat
``asked``                             1 for the choice that this seat has to make, by place in the rules
``ZONE``, ``ZONE of PLAYER``          how many lie there; where the seat sees them, how many of each face
``top of ZONE``                       of a pile that may have a known order and is seen: 1 for the face on its top
``GRID``, ``GRID of PLAYER``          for each cell, from the lower left, row by row: 1 for each thing that stands on it
``COUNTER``, ``COUNTER of PLAYER``    the number, as the rules have it; -1 for none
``MARKER``, ``MARKER of PLAYER``      1 for the value; all 0 for none
====================================  ==========================================================================================

What the seat may not see is 0. Only what lies before its eyes is here: what it remembers is its information state. Many records
are read at once, by the same few steps for all fields of a sort, so that it costs little for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from ..common.extras import extra
from ..machine.analysis import derived
from ..machine.machine import NONE, Domain, Field, Machine, VariableView, ZoneView
from ..machine.places import places_of, sees_faces
from ..machine.traverse import decisions
from ..play.knowledge.views import elements_seen

Array = Any  # of numpy, which is there only with the extras


@frozen
class Part:
    """A field: ``size`` numbers from ``start`` on, in the shape ``shape``, each between ``low`` and ``high``.

    ``meaning``: what each number (of the last axis) stands for.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: tuple[str, ...]
    low: int = 0
    high: int = 1

    @property
    def size(self) -> int:
        size = 1
        for length in self.shape:
            size *= length
        return size

    @property
    def told(self) -> dict[str, Any]:
        """The field as plain data, for json."""
        return {
            "name": self.name,
            "start": self.start,
            "shape": list(self.shape),
            "meaning": list(self.meaning),
            "low": self.low,
            "high": self.high,
        }


@frozen
class _Number:
    """A number of the record: ``width`` bytes from ``offset`` on, stored less ``low``."""

    offset: int
    width: int
    low: int


@frozen
class _Mark:
    """At the number's value, times ``stride``, behind ``column`` stands a 1, if it is one of ``count`` values from ``first`` on.

    ``guard``: a bit of the record without which it does not (-1: none).
    """

    number: _Number
    first: int
    count: int
    column: int
    stride: int = 1
    guard: int = -1


@frozen
class _Top:
    """The known order of a pile: ``size`` of ``most`` numbers, the first being ``bottom``.

    ``column``: of the first of ``faces``, of which that on top gets a 1. ``counted``: of the first face's count, where all of the
    order are added, since they are no part of the pile's bits.
    """

    bottom: _Number
    most: int
    size: _Number
    column: int
    faces: int
    counted: int


@define(eq=False)
class _Plan:
    """Where each column comes from. ``bits``: for a column the bits of the record that are counted.

    ``numbers``: what is added to a column; ``present``: what counts 1 there unless it is none. ``unseen``: columns, by seat.
    """

    parts: list[Part] = field(factory=list)
    width: int = 0
    bits: dict[int, list[int]] = field(factory=dict)
    numbers: list[tuple[int, _Number]] = field(factory=list)
    present: list[tuple[int, _Number]] = field(factory=list)
    marks: list[_Mark] = field(factory=list)
    tops: list[_Top] = field(factory=list)
    unseen: list[list[int]] = field(factory=list)

    def part(self, name: str, shape: tuple[int, ...], meaning: Sequence[str], low: int = 0, high: int = 1) -> int:
        found = Part(name, self.width, shape, tuple(meaning), low, high)
        self.parts.append(found)
        self.width += found.size
        return found.start

    def hide(self, seats: Sequence[int], start: int, size: int) -> None:
        for seat in seats:
            self.unseen[seat] += range(start, start + size)


class Observations:
    """The observations of a machine's seats. ``parts``: its fields; ``width``: numbers in all."""

    def __init__(self, machine: Machine) -> None:
        self._numpy = numpy = extra("numpy", "rl", "an observation of numbers")
        self._machine = machine
        plan = _plan(machine)
        self.parts, self.width = tuple(plan.parts), plan.width
        by_name = {part.name: part for part in self.parts}
        self._decides, self._asked = by_name["decides"].start, by_name["asked"].start
        self._site = _number(machine, derived.control(machine).site)
        self._site_columns = numpy.full(_last_site(machine) + 1, -1)
        for column, site in enumerate(_sites(machine)):
            self._site_columns[site] = self._asked + column
        self._seen = numpy.ones((machine.seats, plan.width), dtype=numpy.float32)
        for seat, columns in enumerate(plan.unseen):
            self._seen[seat, columns] = 0
        self._hides = any(plan.unseen)
        self._bits(plan)
        self._numbers(plan)
        self._plan = plan

    @property
    def limits(self) -> tuple[Array, Array]:
        """The least and the greatest each number can be (0 is what is not seen)."""
        low, high = (self._numpy.zeros(self.width, dtype=self._numpy.float32) for _ in range(2))
        for part in self.parts:
            low[part.start : part.start + part.size] = min(part.low, 0)
            high[part.start : part.start + part.size] = max(part.high, 1)
        return low, high

    def _bits(self, plan: _Plan) -> None:
        """What is one bit of the record is copied, runs of columns at once; of what is counted, the bytes are."""
        numpy = self._numpy
        single = {column: bits[0] for column, bits in plan.bits.items() if len(bits) == 1}
        guards = [mark.guard for mark in plan.marks if mark.guard >= 0]
        used = sorted({bit // 8 for bit in (*single.values(), *guards)})
        place = {byte: 8 * index for index, byte in enumerate(used)}
        self._bytes = numpy.array(used, dtype=numpy.intp)
        runs = _runs({column: place[bit // 8] + bit % 8 for column, bit in single.items()})
        alone = [(columns.start, bits.start) for columns, bits in runs if bits.stop == bits.start + 1]
        self._runs = [(columns, bits) for columns, bits in runs if bits.stop > bits.start + 1]
        self._alone = numpy.array(alone, dtype=numpy.intp).reshape(-1, 2).T
        self._guards = {bit: place[bit // 8] + bit % 8 for bit in guards}
        counted: dict[tuple[int, int], list[tuple[int, bytes, list[int]]]] = {}
        for column, bits in plan.bits.items():
            for part, (places, mask) in enumerate(_words(bits) if len(bits) > 1 else ()):
                counted.setdefault((part, len(mask)), []).append((column, mask, places))
        self._counted = []
        for (_, width), those in sorted(counted.items()):
            offsets = numpy.array([place for _, _, places in those for place in places], dtype=numpy.intp)
            masks = numpy.frombuffer(b"".join(mask for _, mask, _ in those), dtype=f"u{width}")
            self._counted.append((numpy.array([column for column, _, _ in those], dtype=numpy.intp), offsets, masks))

    def _numbers(self, plan: _Plan) -> None:
        """All numbers that are read, in groups of equal width, and what is done with each."""
        numpy = self._numpy
        every = [number for _, number in (*plan.numbers, *plan.present)] + [mark.number for mark in plan.marks]
        order = sorted(range(len(every)), key=lambda index: every[index].width)
        self._groups = []
        for width in sorted({number.width for number in every}):
            offsets = [every[index].offset + byte for index in order if every[index].width == width for byte in range(width)]
            self._groups.append((numpy.array(offsets, dtype=numpy.intp), numpy.dtype(f"<u{width}")))
        self._order = numpy.argsort(numpy.array(order, dtype=numpy.intp))
        self._lows = numpy.array([number.low for number in every], dtype=numpy.int64)
        self._added = numpy.array([column for column, _ in plan.numbers], dtype=numpy.intp)
        self._present = numpy.array([column for column, _ in plan.present], dtype=numpy.intp)
        marks = [(mark.first, mark.count, mark.column, mark.stride) for mark in plan.marks]
        self._marks = numpy.array(marks, dtype=numpy.int64).reshape(-1, 4).T
        guarded = [(index, self._guards[mark.guard]) for index, mark in enumerate(plan.marks) if mark.guard >= 0]
        self._guarded = numpy.array(guarded, dtype=numpy.intp).reshape(-1, 2).T

    def read(self, records: Array, seats: Array, deciders: Array) -> Array:
        """What some seats see: ``records``, bytes by game (n, size); ``seats`` (n) see them; ``deciders`` (n, -1: nobody) choose.

        Gives float32 (n, width).
        """
        out = self.read_all(records, deciders)
        rows = self._numpy.arange(len(records))
        if self._hides:
            out *= self._seen[seats]
        out[rows, seats] = 1  # the first field
        asked = self._site_columns[self._numpy.minimum(self._value(records, self._site), len(self._site_columns) - 1)]
        own = (deciders == seats) & (asked >= 0)
        out[rows[own], asked[own]] = 1
        return out

    def read_all(self, records: Array, deciders: Array) -> Array:
        """What all seats see together, whoever of them it is."""
        numpy = self._numpy
        count = len(records)
        rows = numpy.arange(count)
        out = numpy.zeros((count, self.width), dtype=numpy.float32)
        bits = None
        if len(self._bytes):
            bits = numpy.unpackbits(records.take(self._bytes, axis=1), axis=1, bitorder="little")
            for columns, run in self._runs:
                out[:, columns] = bits[:, run]
            alone, sources = self._alone
            if len(alone):
                out[:, alone] = bits.take(sources, axis=1)
        for columns, offsets, masks in self._counted:
            out[:, columns] += numpy.bitwise_count(records.take(offsets, axis=1).view(masks.dtype) & masks)
        if self._groups:
            self._read_numbers(records, out, bits)
        for top in self._plan.tops:
            self._read_top(records, out, top)
        chosen = deciders >= 0
        out[rows[chosen], self._decides + deciders[chosen]] = 1
        return out

    def _read_numbers(self, records: Array, out: Array, bits: Array | None) -> None:
        numpy = self._numpy
        parts = [records.take(offsets, axis=1).view(kind) for offsets, kind in self._groups]
        values = numpy.concatenate(parts, axis=1, dtype=numpy.int64).take(self._order, axis=1) + self._lows
        added, present = len(self._added), len(self._present)
        if added:
            out[:, self._added] += values[:, :added]
        if present:
            out[:, self._present] += values[:, added : added + present] != NONE
        first, many, column, stride = self._marks
        marked = values[:, added + present :] - first
        there = (marked >= 0) & (marked < many)
        marks, guards = self._guarded
        if bits is not None and len(marks):
            there[:, marks] &= bits.take(guards, axis=1) == 1
        at, which = numpy.nonzero(there)
        out.reshape(-1)[at * self.width + column[which] + stride[which] * marked[at, which]] = 1

    def _read_top(self, records: Array, out: Array, top: _Top) -> None:
        numpy, end = self._numpy, top.bottom.offset + top.most * top.bottom.width
        order = numpy.ascontiguousarray(records[:, top.bottom.offset : end]).view(f"<u{top.bottom.width}").astype(numpy.int64)
        order += top.bottom.low
        size = self._value(records, top.size)[:, None]
        used = (numpy.arange(top.most) < size) & (order >= 0) & (order < top.faces)
        at, place = numpy.nonzero(used)
        numpy.add.at(out, (at, top.counted + order[at, place]), 1)
        at, place = numpy.nonzero(used & (numpy.arange(top.most) == size - 1))
        out[at, top.column + order[at, place]] = 1

    def _value(self, records: Array, number: _Number) -> Array:
        found = records[:, number.offset : number.offset + number.width].astype(self._numpy.int64)
        value = found[:, 0]
        for index in range(1, number.width):
            value = value | found[:, index] << 8 * index
        return value + number.low


def _runs(bits: Mapping[int, int]) -> list[tuple[slice, slice]]:
    """Columns and their bits, where bits that follow each other are for columns that do, with the same gap each."""
    found: list[tuple[list[int], int]] = []  # columns, the first bit
    for bit, column in sorted((bit, column) for column, bit in bits.items()):
        columns, first = found[-1] if found else ([], 0)
        if (
            columns
            and bit == first + len(columns)
            and column > columns[-1]
            and (len(columns) == 1 or column - columns[-1] == columns[1] - columns[0])
        ):
            columns.append(column)
        else:
            found.append(([column], bit))
    gaps = [columns[1] - columns[0] if len(columns) > 1 else 1 for columns, _ in found]
    return [
        (slice(columns[0], columns[-1] + 1, gap), slice(first, first + len(columns)))
        for (columns, first), gap in zip(found, gaps, strict=True)
    ]


def _words(bits: Sequence[int]) -> Iterator[tuple[list[int], bytes]]:
    """Bits of a record as bytes of it with a mask for each, 1, 2, 4 or 8 at once."""
    masks: dict[int, int] = {}
    for bit in bits:
        masks[bit // 8] = masks.get(bit // 8, 0) | 1 << bit % 8
    places = sorted(masks)
    for start in range(0, len(places), 8):
        these = places[start : start + 8]
        missing = (1 << (len(these) - 1).bit_length()) - len(these)
        yield [*these, *these[:1] * missing], bytes([*(masks[place] for place in these), *[0] * missing])


def _plan(machine: Machine) -> _Plan:
    plan = _Plan(unseen=[[] for _ in range(machine.seats)])
    plan.part("seat", (machine.seats,), machine.seat_names)
    plan.part("decides", (machine.seats,), machine.seat_names)
    sites = _sites(machine)
    plan.part("asked", (len(sites),), [f"line {span_line}" for span_line in sites.values()])
    for zone, owner in places_of(machine):
        if not zone.grid:
            _zone(plan, machine, zone, owner)
    _grids(plan, machine)
    for variable in machine.variables:
        _variable(plan, machine, variable)
    return plan


def _zone(plan: _Plan, machine: Machine, zone: ZoneView, owner: int | None) -> None:
    place = machine.layout.record[zone.content]
    index = owner or 0
    who = "" if zone.owner is None else f" of {zone.owner.names[index]}"
    names, most = zone.domain.names, zone.domain.bits
    blind = [seat for seat in range(machine.seats) if not sees_faces(zone, owner, seat + 1)]
    faces = len(names) if len(blind) < machine.seats else 0
    start = plan.part(zone.name + who, (1 + faces,), ("count", *names[:faces]), high=most)
    plan.hide(blind, start + 1, faces)
    if zone.shape == "slot":
        number = _number(machine, zone.content, index)
        plan.present.append((start, number))
        if faces:
            plan.marks.append(_Mark(number, 0, faces, start + 1))
        return
    bits = range(8 * (place.offset + index * place.width), 8 * (place.offset + index * place.width) + most)
    plan.bits[start] = list(bits)
    if zone.size is not None:
        plan.numbers.append((start, _number(machine, zone.size, index)))
    for face, there in enumerate(_copies(zone.domain) if faces else ()):
        plan.bits[start + 1 + face] = [bits[bit] for bit in there]
    if faces and zone.top is not None and zone.size is not None:
        top = plan.part(f"top of {zone.name}{who}", (faces,), names)
        plan.hide(blind, top, faces)
        bottom = _number(machine, zone.top, index * most)
        plan.tops.append(_Top(bottom, most, _number(machine, zone.size, index), top, faces, start + 1))


def _copies(domain: Domain) -> list[list[int]]:
    """The bits of each face."""
    faces = domain.copies or tuple(range(domain.low, domain.low + len(domain.names)))
    return [[bit for bit, face in enumerate(faces) if face == value] for value in range(len(domain.names))]


def _grids(plan: _Plan, machine: Machine) -> None:
    for grid in machine.grids:
        texts = sorted({text for parts in grid.texts.values() for part in parts for text in part})
        cells = len(grid.domain.names)
        for owner in range(machine.seats if grid.owned else 1):
            name = f"{grid.name} of {machine.seat_names[owner]}" if grid.owned else grid.name
            start = plan.part(name, (cells, len(texts)), texts)
            for zone in machine.zones:
                if zone.grid != grid.name:
                    continue
                fields, faces = grid.kinds[zone.kind], len(zone.domain.names)
                for where, said in zip(fields, grid.texts[zone.kind], strict=True):
                    for face in range(faces):
                        column = start + texts.index(said[face])
                        if where.bits:
                            place = machine.layout.record[where]
                            first = 8 * (place.offset + (owner * faces + face) * place.width)
                            for cell in range(cells):
                                plan.bits.setdefault(column + cell * len(texts), []).append(first + cell)
                        else:
                            content = machine.layout.record[zone.content]
                            guard = 8 * (content.offset + owner * content.width) + face
                            number = _number(machine, where, face)
                            plan.marks.append(_Mark(number, 0, cells, column, len(texts), guard))


def _variable(plan: _Plan, machine: Machine, variable: VariableView) -> None:
    content = variable.content
    for index in range(machine.layout.record[content].length):
        if index in variable.unused:
            continue
        name = variable.name if variable.owner is None else f"{variable.name} of {variable.owner.names[index]}"
        blind = [s for s in range(machine.seats) if index not in elements_seen(machine, variable, s + 1)]
        if len(blind) == machine.seats:
            continue
        number = _number(machine, content, index)
        if variable.domain is None:
            start = plan.part(name, (1,), ("number",), content.low, content.high)
            plan.numbers.append((start, number))
            plan.hide(blind, start, 1)
        else:
            names = variable.domain.names
            start = plan.part(name, (len(names),), names)
            plan.marks.append(_Mark(number, variable.domain.low, len(names), start))
            plan.hide(blind, start, len(names))


def _number(machine: Machine, content: Field, index: int = 0) -> _Number:
    place = machine.layout.record[content]
    return _Number(place.offset + index * place.width, place.width, place.low)


def _sites(machine: Machine) -> dict[int, int]:
    """By what the record says of where the flow stands at a decision (its site, and 1): the line of the rules."""
    return {stmt.site + 1: stmt.span.line for stmt in decisions(machine)}


def _last_site(machine: Machine) -> int:
    return max(_sites(machine), default=0) + 1
