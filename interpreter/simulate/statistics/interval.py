"""How sure one statistic of one table is.

The intervals are those of `compare.py` for one side alone: of a mean and of a variance by the normal approximation, of a quantile
by Woodruff's method. The interval of ``options_mean`` is wider than it need be, since a tally does not hold the covariance.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

from attrs import frozen

from ...machine.columns import DECISIONS, OPTIONS
from .compare import Side, Z
from .statistics import OPTIONS_MEAN, Distribution, Statistic, means, options_mean, quantiles, variances


@frozen
class Interval:
    """A value, and between which limits it is."""

    value: float
    low: float
    high: float

    def is_outside(self, low: float, high: float) -> bool:
        """Whether the whole interval lies outside of a range."""
        return self.high < low or self.low > high

    def is_inside(self, low: float, high: float) -> bool:
        return low <= self.low and self.high <= high


def interval(side: Side, statistic: Statistic, deviations: float = Z) -> Interval | None:
    """A statistic of a table, plus and minus so many standard errors; None where fewer than two games came to their end."""
    columns, tally = side.columns, side.tally
    if tally.games < 2:
        return None
    if spread := means(columns, tally).get(statistic):
        return _around(spread.mean, spread.variance / spread.games, deviations)
    if spread := variances(columns, tally).get(statistic):
        value = spread.variance
        return _around(value, (spread.fourth_moment - value * value) / spread.games, deviations)
    if statistic == OPTIONS_MEAN:
        options, decisions = (Distribution(tally.histograms[column]) for column in (OPTIONS, DECISIONS))
        ratio = options_mean(tally)
        if ratio is None:
            return None
        deviation = sqrt(options.variance) + float(ratio) * sqrt(decisions.variance)
        return _around(ratio, Fraction((deviation / float(decisions.mean)) ** 2) / tally.games, deviations)
    spread, share = quantiles(columns, tally)[statistic]
    half = deviations * sqrt(share * (1 - share) / spread.games)
    low, high = (spread.quantile(Fraction(min(1.0, max(0.0, share + way * half)))) for way in (-1, 1))
    return Interval(float(spread.quantile(share)), float(low), float(high))


def _around(value: Fraction, squared_error: Fraction, deviations: float) -> Interval:
    half = deviations * sqrt(max(Fraction(0), squared_error))
    return Interval(float(value), float(value) - half, float(value) + half)
