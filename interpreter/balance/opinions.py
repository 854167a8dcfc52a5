"""What search thinks of the options of a decision, and whether the decision matters.

A choice at random would cost the mean distance between the option that search takes and all options, in shares of the win. A
decision *matters* if that is `MATTERS` or more, and more than two standard errors: with few iterations for each option, much of
the difference between options is luck. The error of an option's share s after v iterations is ``sqrt(s' (1 - s') / v)`` with
``s' = (s v + 1) / (v + 2)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from attrs import frozen

MATTERS = 0.05  # of the win


@frozen
class Opinion:
    """``shares``: of each option, what its seat may expect of the win. ``visits``: so many iterations say so. ``taken``: which
    one is taken, by its place."""

    shares: Sequence[float]
    visits: Sequence[int]
    taken: int

    @property
    def expected(self) -> float:
        """The share of the win that the seat may expect."""
        return self.shares[self.taken]

    @property
    def cost(self) -> float:
        """What a choice at random would cost, in shares of the win. It can be below 0 where search knows little."""
        tried = [share for share, visits in zip(self.shares, self.visits, strict=True) if visits]
        return self.expected - sum(tried) / len(tried) if tried else 0.0

    @property
    def matters(self) -> bool:
        squares = [_squared_error(share, visits) for share, visits in zip(self.shares, self.visits, strict=True) if visits]
        if not squares:
            return False
        error = sqrt(_squared_error(self.expected, self.visits[self.taken]) + sum(squares) / len(squares) ** 2)
        return self.cost >= MATTERS and self.cost > 2 * error


def _squared_error(share: float, visits: int) -> float:
    likely = (share * visits + 1) / (visits + 2)
    return likely * (1 - likely) / max(visits, 1)
