"""Sets as Python ints: lists their members and selects one without looking at every bit."""

from __future__ import annotations

_IN_BYTE = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))


def members(bits: int, base: int = 0) -> list[int]:
    """``base`` + each bit number of a set, ascending; in time linear in the length of the set, also for 65,536 bits."""
    found: list[int] = []
    for index, byte in enumerate(bits.to_bytes((bits.bit_length() + 7) // 8, "little")):
        if byte:
            start = base + 8 * index
            found += [start + bit for bit in _IN_BYTE[byte]]
    return found


def select(bits: int, k: int) -> int:
    """The k-th lowest bit number of a set, k from 0; the set has more than k bits.

    By halving: the lower half is thrown away while k is not in it.
    """
    start = 0
    width = bits.bit_length()
    while width > 8:
        half = width >> 1
        lower = bits & ((1 << half) - 1)
        count = lower.bit_count()
        if k < count:
            bits, width = lower, half
        else:
            k -= count
            start += half
            bits >>= half
            width -= half
    return start + _IN_BYTE[bits][k]


def lowest(bits: int) -> int:
    """The lowest bit number, -1 of the empty set."""
    return (bits & -bits).bit_length() - 1


def lowest_from(bits: int, n: int) -> int:
    """The lowest bit number >= n, else the lowest of all; -1 of the empty set. ``n`` >= 0."""
    rest = bits >> n << n or bits
    return (rest & -rest).bit_length() - 1


def trailing_ones(word: int) -> int:
    """How many of the lowest bits are 1, before the first that is 0."""
    return (~word & (word + 1)).bit_length() - 1
