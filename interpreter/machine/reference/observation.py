"""Digests: everything that each seat has observed, in order, in one 64-bit word.

An observation is a word: ``kind + 4 * site + (player << 18) + ((value + 1) << 24)`` modulo 2**64. A seat that observes it
goes on from its digest d to ``mix64(d ^ (word * ODD mod 2**64))``. So two seats, or one seat in two games, have equal digests
where they observed the same, and different ones else (but for chance, 2**-64 for each pair).

==========================  ======================  ======================================
what happened               to those who see it     to the others
==========================  ======================  ======================================
``player`` took an option   ACT, the option         ACT_UNSEEN, the number of its group
a chance event              CHANCE, the value       CHANCE_UNSEEN, -1
something is shown          SHOWN, the value        nothing
==========================  ======================  ======================================

Of an act that is ``secret`` the others observe nothing. ``player`` is 0 where there is none. SHOWN is the same kind as CHANCE:
their sites differ. A set is shown in parts of 32 bits, the lowest first, as many as its width has. A chance event is observed
where nothing else could come, too: what came is seen.
"""

from __future__ import annotations

from ..machine import NONE
from ..operators import Cells
from ..random_streams import MASK, mix64

ACT, ACT_UNSEEN, CHANCE, CHANCE_UNSEEN = 0, 1, 2, 3
SHOWN = CHANCE
ODD = 0xD6E8_FEB8_6659_FD93
UNSEEN = NONE  # the value of a chance event to those who do not see it


class Observer:
    """Observations of one machine's seats; ``slot`` is that of the first seat's digest."""

    def __init__(self, slot: int, seats: int) -> None:
        self._slots = tuple(enumerate(range(slot, slot + seats)))

    def observe(self, cells: Cells, seats: int, kind: int, site: int, player: int, value: int) -> None:
        """The seats in the set ``seats`` observe a value."""
        word = observed(kind, site, player, value)
        for seat, slot in self._slots:
            if seats >> seat & 1:
                cells[slot] = mix64(cells[slot] ^ word)

    def observe_or_else(self, cells: Cells, seats: int, seen: int, unseen: int) -> None:
        """The seats in the set observe one word (of `observed`), the others another."""
        for seat, slot in self._slots:
            cells[slot] = mix64(cells[slot] ^ (seen if seats >> seat & 1 else unseen))


def observed(kind: int, site: int, player: int, value: int) -> int:
    """The word of an observation, times ODD."""
    return (kind + 4 * site + (player << 18) + ((value + 1) << 24)) * ODD & MASK


def parts_of_set(value: int, bits: int) -> list[int]:
    """A set as numbers of 32 bits, the lowest first."""
    return [value >> shift & 0xFFFF_FFFF for shift in range(0, bits, 32)]
