"""The information state of a seat as numbers: a row for each act and chance event that it has observed, in order.

A row: who acted (by seat); for an act that the seat saw, 1 for the option, and otherwise for its verb; for a chance event, 1 for
the outcome if the seat saw it, and otherwise 1 in the last column. Behind the rows stand the 64 bits of the digest of all that
the seat observed, what it was shown included, so that no two information states have the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

from attrs import frozen

from ..machine.machine import Chance, Choose
from .adapted_tables import AdaptedTable
from .moments import Moment

SIZE_LIMIT = 65_536  # numbers: longer histories are for text, or for networks that read them step by step
DIGEST = 64  # bits


@frozen(eq=False, slots=False)
class Histories:
    """The layout at one table. ``rows``: the most acts and chance events in one game."""

    table: AdaptedTable

    @property
    def rows(self) -> int:
        return self.table.bounds.decisions + self.table.bounds.chance

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What the numbers of a row stand for."""
        game = self.table.game
        acts = [game.option_text(number) for number in range(game.machine.options)]
        verbs = [f"{group.text}, unseen" for group in game.machine.groups]
        chance = [name for event in self.table.chance for name in event.domain.names]
        return (*game.seat_names, *acts, *verbs, *chance, "by chance, unseen")

    @property
    def fits(self) -> bool:
        """Whether a table is small enough for this."""
        return self.rows * len(self.columns) < SIZE_LIMIT

    def write(self, moment: Moment, seat: int, rows: Any, digest: Any) -> None:
        """Write what a seat has observed into two arrays of zeros: ``rows`` (rows, columns) and ``digest`` (64)."""
        for at, columns in enumerate(self._observed(moment, seat)):
            rows[at, columns] = 1
        known = self.table.walker.digest(moment.position, seat)
        for bit in range(DIGEST):
            digest[bit] = known >> bit & 1

    def _observed(self, moment: Moment, seat: int) -> Iterator[list[int]]:
        """For each row, the columns with a 1."""
        seats, machine = self.table.seats, self.table.game.machine
        acts, verbs = seats, seats + machine.options
        chance = verbs + len(machine.groups)
        for before, after in pairwise(moment.way):
            value, seen = after.taken, before.seen(after.taken) >> seat & 1
            node = before.position.node
            if isinstance(node, Chance):
                at = 0
                for event in self.table.chance:
                    if event.domain == node.domain:
                        break
                    at += len(event.domain.names)
                yield [chance + at + value - node.domain.low if seen else len(self.columns) - 1]
                continue
            assert isinstance(node, Choose)
            number = next(n for n, group in enumerate(machine.groups) if 0 <= value - group.base < group.size)
            secret = any(offer.secret for offer in node.alternatives if offer.group == number)
            if seen:
                yield [before.player, acts + value]
            elif not secret:
                yield [before.player, verbs + number]
