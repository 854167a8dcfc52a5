"""How little and how much can a seat come to, and how long can a game take? What algorithms scale and allocate by.

Where there are few positions, all of them are gone through, and the bounds are exact. Else the scores are the ranges that are
proved of the score sheet (`checks/proved/scores.py`), and a game makes no more decisions than any is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, frozen

from ..checks.played.walking import Position, Walker
from ..checks.proved.amounts import NUMBER
from ..checks.proved.scores import scores
from ..machine.machine import DECISIONS_LIMIT
from ..table.table import Table

POSITIONS_LIMIT = 10_000  # that are gone through: some tenths of a second
CHANCE_LIMIT = 1 << 30  # chance events in a game of which nothing is known; OpenSpiel adds to it in 32 bits


@frozen
class Bounds:
    """``least``, ``most``: of any seat's score. ``decisions``, ``chance``: the most of them in one game.

    ``total``: what the scores of all seats come to in every game; None where that is not known, or not always the same.
    """

    least: int
    most: int
    decisions: int
    chance: int
    total: int | None = None


def bounds_of(walker: Walker, table: Table) -> Bounds:
    """The bounds of a table."""
    found = _Search(walker).bounds()
    if found is not None:
        return found
    proved = scores(table)
    least, most = NUMBER if proved is None else proved.score
    return Bounds(least, most, DECISIONS_LIMIT, CHANCE_LIMIT)


@define(eq=False)
class _Node:
    """A position on the way. ``left``: what is still to be tried. ``decisions``, ``chance``: the most that can follow."""

    identity: bytes
    position: Position
    left: Iterator[int]
    decisions: int = 0
    chance: int = 0


class _Search:
    """Depth first: the longest way from a position is known when those from all that follow are."""

    def __init__(self, walker: Walker) -> None:
        self.walker = walker
        self.known: dict[bytes, tuple[int, int] | None] = {}  # None: it is on the way
        self.ends: set[tuple[int, ...]] = set()

    def bounds(self) -> Bounds | None:
        """None where there are too many positions, or one can come again, or none is an end."""
        first = self.walker.begin()
        way = [self._node(first, self.walker.identity(first))]
        while True:
            node = way[-1]
            value = next(node.left, None)
            if value is None:
                self.known[node.identity] = node.decisions, node.chance
                way.pop()
                if not way:
                    return self._found(node)
                self._longer(way[-1], node.decisions, node.chance)
                continue
            position = self.walker.after(node.position, value)
            identity = self.walker.identity(position)
            if identity not in self.known:
                if len(self.known) == POSITIONS_LIMIT:
                    return None
                way.append(self._node(position, identity))
                continue
            after = self.known[identity]
            if after is None:
                return None
            self._longer(node, *after)

    def _node(self, position: Position, identity: bytes) -> _Node:
        self.known[identity] = None
        if position.outcome is not None:
            self.ends.add(tuple(position.outcome.scores))
        return _Node(identity, position, iter(position.answers))

    def _longer(self, node: _Node, decisions: int, chance: int) -> None:
        node.decisions = max(node.decisions, decisions + (node.position.kind == "decision"))
        node.chance = max(node.chance, chance + (node.position.kind == "chance"))

    def _found(self, node: _Node) -> Bounds | None:
        if not self.ends:
            return None
        every = [score for scores in self.ends for score in scores]
        totals = {sum(scores) for scores in self.ends}
        return Bounds(min(every), max(every), node.decisions, node.chance, totals.pop() if len(totals) == 1 else None)
