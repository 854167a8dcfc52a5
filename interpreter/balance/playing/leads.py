"""Follows the lead in the course of a game: lead changes, comebacks, drama, when the game is decided.

The measures are after Browne, "Automatic Generation and Evaluation of Recombination Games" (PhD thesis, Queensland University of
Technology, 2008), who takes them from an evaluation of each position; here it is the score on the table, or the share of the win
that search expects. They are stated for any number of players, teams counting as one:

- *lead change*: another side leads alone than the one that led alone before.
- *settled*: the part of the game after which the winner leads alone to the end; 1 where it does so only when all is over.
- *comeback*: by how much the winner was behind at worst; its mean is the greatest *drama*.
- *drama*: the mean root of the distance by which the winner is behind, over the decisions at which it is; 0 where it never is.
- *decided*: the part of the game after which the winner's expectation first exceeds all that anybody else had in this game
  (Browne's threshold of *decisiveness*).
- *run-away*: who leads alone after a quarter of the game leads alone to the end and wins.

A game whose win is shared has no winner here, only lead changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

from attrs import frozen

PHASES = 10  # parts of a game
NOBODY = -1  # leads alone


@frozen
class Lead:
    """``changes``: of the lead. ``leaders``: who led alone at the beginning of each tenth of the game. The rest is None where the
    win is shared. ``comeback`` and ``drama`` are in the units of what was compared."""

    changes: int
    leaders: tuple[int, ...]
    settled: float | None = None
    comeback: float | None = None
    drama: float | None = None
    decided: float | None = None
    ran_away: bool | None = None


def lead_of(course: Sequence[Sequence[float]], winner: int | None) -> Lead | None:
    """``course``: at each decision, what each side has. ``winner``: the side that won alone. None where nobody ever leads."""
    leaders = [_leader(position) for position in course]
    alone = [leader for leader in leaders if leader != NOBODY]
    if not alone:
        return None
    changes = sum(one != two for one, two in pairwise(alone))
    length = len(course)
    at = tuple(leaders[phase * length // PHASES] for phase in range(PHASES))
    if winner is None:
        return Lead(changes, at)
    settled = next((i + 1 for i in range(length - 1, -1, -1) if leaders[i] != winner), 0)
    others = [max(value for side, value in enumerate(position) if side != winner) for position in course]
    behind = [other - position[winner] for other, position in zip(others, course, strict=True)]
    trailing = [distance for distance in behind if distance > 0]
    threshold = max(others)
    decided = next((i for i, position in enumerate(course) if position[winner] > threshold), length)
    return Lead(
        changes,
        at,
        settled / length,
        max(0.0, *behind) if behind else 0.0,
        sum(map(sqrt, trailing)) / len(trailing) if trailing else 0.0,
        decided / length,
        settled <= length // 4,
    )


def _leader(position: Sequence[float]) -> int:
    most = max(position)
    found = [side for side, value in enumerate(position) if value == most]
    return found[0] if len(found) == 1 else NOBODY
