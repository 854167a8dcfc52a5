"""Bounds on the returns of a seat and on the length of a game, by which algorithms scale and allocate.

Where there are few positions, all of them are gone through, and the bounds are exact. Otherwise the bounds of the returns are
those that are proved (`checks/lints/scores.py`), and the length follows from the loops (`machine/analysis/lengths.py`).
"""

from __future__ import annotations

from attrs import frozen

from ..checks.abstract.domain.values import NUMBER
from ..checks.explored.playing.exhausting import Node, Search
from ..checks.lints.scores import scores
from ..machine.analysis.lengths import length_of
from ..search.walker import Walker
from ..table.table import Table
from .totals import total_of

POSITIONS_LIMIT = 10_000  # that are gone through: some tenths of a second
CHANCE_LIMIT = 1 << 30  # chance events in a game of which nothing is known; OpenSpiel adds to it in 32 bits


@frozen
class Bounds:
    """``least``, ``most``: that any seat can get. ``decisions``, ``chance``: the most of them in one game.

    ``total``: what all seats get together in every game; None where that is not known, or not always the same.
    """

    least: int
    most: int
    decisions: int
    chance: int
    total: int | None = None


def bounds_of(walker: Walker, table: Table) -> Bounds:
    """The bounds of a table."""
    search = Search(walker)
    if search.is_through(lambda: len(search.nodes) > POSITIONS_LIMIT, hopeless={}) and search.returns:
        longest = _longest(search.nodes)
        if longest is not None:
            every = [each for by_seat in search.returns for each in by_seat]
            totals = {sum(by_seat) for by_seat in search.returns}
            return Bounds(min(every), max(every), *longest, totals.pop() if len(totals) == 1 else None)
    proved = scores(table)
    least, most = NUMBER if proved is None else proved.returns
    length = length_of(walker.game.machine)
    total = total_of(walker.game.machine, NUMBER if proved is None else proved.score)
    return Bounds(least, most, int(length.decisions), int(min(length.chance, CHANCE_LIMIT)), total)


def _longest(nodes: list[Node]) -> tuple[int, int] | None:
    """The most decisions and the most chance events on any way through positions; None where one can come again.

    From the ends backwards: a position is done when all that follow it are (Kahn, 1962).
    """
    before: list[list[int]] = [[] for _ in nodes]
    left = [len(set(node.next.values())) for node in nodes]
    for node in nodes:
        for number in set(node.next.values()):
            before[number].append(node.number)
    decisions, chance = [0] * len(nodes), [0] * len(nodes)
    todo = [node.number for node in nodes if not left[node.number]]
    done = 0
    while todo:
        number = todo.pop()
        done += 1
        for earlier in before[number]:
            kind = nodes[earlier].kind
            decisions[earlier] = max(decisions[earlier], decisions[number] + (kind == "decision"))
            chance[earlier] = max(chance[earlier], chance[number] + (kind == "chance"))
            left[earlier] -= 1
            if not left[earlier]:
                todo.append(earlier)
    return (decisions[0], chance[0]) if done == len(nodes) else None
