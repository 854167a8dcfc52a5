"""Which of many differences are more than chance: Holm's procedure.

"A simple sequentially rejective multiple test procedure" (Holm, Scandinavian Journal of Statistics 6, 1979) keeps the probability
that anything is called a difference by chance alone below a bound, over all questions together.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt

from .compare import Z

ERROR = 0.05  # the probability that chance alone makes anything stand out


def chance_of(difference: float, interval: tuple[float, float]) -> float:
    """How probable so great a difference is if there is none. ``interval``: of 95 %, by the normal approximation."""
    error = (interval[1] - interval[0]) / 2 / Z
    if not difference:
        return 1.0
    return erfc(abs(difference) / error / sqrt(2)) if error else 0.0


def beyond_chance(chances: Sequence[float], error: float = ERROR) -> list[bool]:
    """Of each question whether chance alone does not explain it."""
    found = [False] * len(chances)
    for rank, index in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        if chances[index] > error / (len(chances) - rank):
            break
        found[index] = True
    return found
