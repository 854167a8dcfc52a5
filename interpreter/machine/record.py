"""Converts the cells of a running game to a record of bytes, and back.

A running game is a list of ints, one for each element of the record (indexed by `Place.slot`), then scratch. A saved game is the
record: little-endian, each element as ``value - low`` in its width, padding zero. Sets are bit patterns.
"""

from __future__ import annotations

import struct
from hashlib import blake2b

from .machine import Layout

_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}


class Record:
    """The byte form of one layout's records."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.lows: list[int] = []  # the value of zero bytes, for each slot
        self._wide: list[tuple[int, int]] = []  # slot and width of each element of more than 8 bytes
        form, offset = "<", 0
        for place in layout.record.values():
            form += "x" * (place.offset - offset)
            code = _CODES.get(place.width)
            form += f"{place.length}{code}" if code else f"{place.width}s" * place.length
            if code is None:
                self._wide += [(place.slot + i, place.width) for i in range(place.length)]
            self.lows += [place.low] * place.length
            offset = place.offset + place.width * place.length
        self._struct = struct.Struct(form + "x" * (layout.size - offset))
        self._shifted = [(slot, low) for slot, low in enumerate(self.lows) if low]

    def fresh(self) -> list[int]:
        """The elements of a record of zero bytes, then zeros for scratch."""
        return self.lows + [0] * (self.layout.slots - len(self.lows))

    def pack(self, cells: list[int]) -> bytes:
        """The record of ``cells``; what follows its elements in the list is left out. ValueError where a value does not fit."""
        stored: list[int | bytes] = list(cells[: len(self.lows)])
        for slot, low in self._shifted:
            stored[slot] = cells[slot] - low
        try:
            for slot, width in self._wide:
                stored[slot] = cells[slot].to_bytes(width, "little")
            return self._struct.pack(*stored)
        except (struct.error, OverflowError) as error:
            raise ValueError(f"{self._misfits(cells)} does not fit the record") from error

    def unpack(self, data: bytes) -> list[int]:
        """The elements of a record, then zeros for scratch. ValueError for another size than the layout's."""
        if len(data) != self.layout.size:
            raise ValueError(f"a record of this game has {self.layout.size} bytes, not {len(data)}")
        cells = list(self._struct.unpack(data))
        for slot, low in self._shifted:
            cells[slot] += low
        for slot, _ in self._wide:
            cells[slot] = int.from_bytes(cells[slot], "little")
        return cells + [0] * (self.layout.slots - len(cells))

    def game(self, data: bytes) -> bytes:
        """The region of a packed record in which equal positions have equal bytes."""
        start, end = self.layout.regions["game"]
        return data[start:end]

    def _misfits(self, cells: list[int]) -> str:
        for variable, place in self.layout.record.items():
            for i in range(place.length):
                value = cells[place.slot + i]
                if not 0 <= value - place.low < 1 << 8 * place.width:
                    return f"{value} in {variable.name}"
        raise AssertionError("every value fits")


def hash_of(game: bytes) -> int:
    """A 64-bit hash of the game region's bytes (BLAKE2b), the same on every machine and in every version of Python."""
    return int.from_bytes(blake2b(game, digest_size=8).digest(), "little")
