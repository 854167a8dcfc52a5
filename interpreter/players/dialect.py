"""The small part of Python that also runs inside a module: functions over a memory of bytes.

`wasm/emission/lowering/from_python.py` translates it.

A bot that thinks must choose the same wherever it plays. So it is written once, as functions whose first parameters are what
they work on: ``m``, something like `Words`, and ``at``, the addresses. In Python ``m`` holds a bytearray; in a module it is the
memory itself, and ``at`` is gone: addresses are constants there.

Numbers are whole: an ``int`` has 32 bits with its sign, a ``Word`` 64 bits without, and nothing may pass their ranges. There
are assignments to names, ``if``, ``while``, ``for .. in range``, ``break``, ``continue`` and ``return``; ``int(word)`` and
``Word(number)`` convert.
"""

from __future__ import annotations

from typing import Protocol

from ..machine.bitsets import select
from ..machine.random_streams import below, next_word

Word = int


class Memory(Protocol):
    """Loads and stores by address, little-endian; the random streams of `machine.random_streams`, each a word at an address."""

    def load8(self, address: int, /) -> int: ...
    def load16(self, address: int, /) -> int: ...
    def load32(self, address: int, /) -> int: ...
    def load64(self, address: int, /) -> Word: ...
    def store8(self, address: int, value: int, /) -> None: ...
    def store16(self, address: int, value: int, /) -> None: ...
    def store32(self, address: int, value: int, /) -> None: ...
    def store64(self, address: int, value: Word, /) -> None: ...
    def copy(self, to: int, source: int, size: int, /) -> None: ...
    def fill(self, address: int, value: int, size: int, /) -> None: ...
    def count(self, word: Word, /) -> int: ...
    def lowest(self, word: Word, /) -> int: ...
    def select(self, word: Word, k: int, /) -> int: ...
    def below(self, stream: int, n: int, /) -> int: ...


class Words:
    """A memory in Python."""

    def __init__(self, size: int) -> None:
        self.bytes = bytearray(size)

    def _load(self, address: int, size: int) -> int:
        return int.from_bytes(self.bytes[address : address + size], "little")

    def _store(self, address: int, value: int, size: int) -> None:
        self.bytes[address : address + size] = value.to_bytes(size, "little", signed=value < 0)

    def load8(self, address: int) -> int:
        return self.bytes[address]

    def load16(self, address: int) -> int:
        return self._load(address, 2)

    def load32(self, address: int) -> int:
        return int.from_bytes(self.bytes[address : address + 4], "little", signed=True)

    def load64(self, address: int) -> Word:
        return self._load(address, 8)

    def store8(self, address: int, value: int) -> None:
        self._store(address, value, 1)

    def store16(self, address: int, value: int) -> None:
        self._store(address, value, 2)

    def store32(self, address: int, value: int) -> None:
        self._store(address, value, 4)

    def store64(self, address: int, value: Word) -> None:
        self._store(address, value, 8)

    def copy(self, to: int, source: int, size: int) -> None:
        self.bytes[to : to + size] = self.bytes[source : source + size]

    def fill(self, address: int, value: int, size: int) -> None:
        self.bytes[address : address + size] = bytes([value]) * size

    def count(self, word: Word) -> int:
        """How many bits are 1."""
        return word.bit_count()

    def lowest(self, word: Word) -> int:
        """The number of the lowest bit of a word that is not 0."""
        return (word & -word).bit_length() - 1

    def select(self, word: Word, k: int) -> int:
        """The number of the k-th lowest bit."""
        return select(word, k)

    def below(self, stream: int, n: int) -> int:
        """A number below n from a stream."""
        state, found = below(self.load64(stream), n)
        self.store64(stream, state)
        return found

    def word(self, stream: int) -> Word:
        """The next word of a stream."""
        state, found = next_word(self.load64(stream))
        self.store64(stream, state)
        return found


def bits_between(m: Memory, bits: int, word: int, start: int, end: int) -> Word:
    """The word of that number of a set at ``bits``, without the members below ``start`` and from ``end`` on."""
    found = m.load64(bits + 8 * word)
    if start > word << 6:
        found = found >> (start & 63) << (start & 63)
    if end < (word + 1) << 6:
        found = found & ((Word(1) << (end & 63)) - 1)
    return found


def count_between(m: Memory, bits: int, start: int, end: int) -> int:
    """How many members of a set are at least ``start`` and below ``end``."""
    count = 0
    for word in range(start >> 6, (end + 63) >> 6):
        count += m.count(bits_between(m, bits, word, start, end))
    return count


def select_from(m: Memory, bits: int, start: int, k: int) -> int:
    """The k-th member of a set that is at least ``start``; there must be one."""
    word = start >> 6
    found = bits_between(m, bits, word, start, (word + 1) << 6)
    while k >= m.count(found):
        k -= m.count(found)
        word += 1
        found = m.load64(bits + 8 * word)
    return (word << 6) + m.select(found, k)
