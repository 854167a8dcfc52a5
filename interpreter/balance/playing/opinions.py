"""Asks a search what it thinks of the options of a decision, and whether the decision matters.

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
    one is taken, by its place. ``proved``: whether a share is certain."""

    shares: Sequence[float]
    visits: Sequence[int]
    proved: Sequence[bool]
    taken: int

    @property
    def expected(self) -> float:
        """The share of the win that the seat may expect."""
        return self.shares[self.taken]

    @property
    def cost(self) -> float:
        """What a choice at random would cost, in shares of the win. It can be below 0 where search knows little."""
        known = [self.shares[index] for index in self._known]
        return self.expected - sum(known) / len(known) if known else 0.0

    @property
    def may_matter(self) -> bool:
        """Whether it matters, or seems to, but for what chance in the search explains as well."""
        return self.cost >= MATTERS

    @property
    def matters(self) -> bool:
        squares = [self._squared_error(index) for index in self._known]
        error = sqrt(self._squared_error(self.taken) + sum(squares) / len(squares) ** 2) if squares else 0.0
        return self.may_matter and self.cost > 2 * error

    @property
    def _known(self) -> list[int]:
        """The places of the options of which something is known."""
        return [index for index, visits in enumerate(self.visits) if visits or self.proved[index]]

    def _squared_error(self, index: int) -> float:
        visits = self.visits[index]
        likely = (self.shares[index] * visits + 1) / (visits + 2)
        return 0.0 if self.proved[index] else likely * (1 - likely) / max(visits, 1)
