"""The differences between two tables: for each statistic its difference, a confidence interval, and the size of the effect.

Second minus first, from tallies, and from `Pairs` where the games of both sides were played with common random numbers.

**Intervals** are those of the normal approximation, for 95 %: the difference plus or minus 1.96 standard errors.

- A mean (a share is the mean of 1/k, in a game whose win is shared by k) with variances va and vb over na and nb games: ``va / na
  + vb / nb - 2 nab cab / (na nb)`` is the square of the standard error, where cab is the covariance over the nab pairs; without
  pairs the last part is left out.
- ``options_mean`` is a ratio R of sums, options O by decisions D. Each game counts as ``(O - R D) / mean of D`` (linearisation:
  Cochran, "Sampling Techniques", 3rd edition, 1977, section 6.3). Without pairs the covariance of O and D is not known, and the
  variance is bounded by ``((deviation of O + R deviation of D) / mean of D) ** 2``: the interval is wider than it need be.
- A variance: its standard error is ``sqrt((m4 - variance ** 2) / n)`` with the fourth central moment m4; the sides count as
  independent.
- A quantile q: on each side the interval between the quantiles ``q +- 1.96 sqrt(q (1 - q) / n)`` (Woodruff, "Confidence intervals
  for medians and other position measures", Journal of the American Statistical Association 47, 1952); for the difference the
  distances of their limits are added as squares (Zou and Donner, "Construction of confidence limits about effect measures: a
  general approach", Statistics in Medicine 27, 2008). The least and the greatest value have no interval.

If a side has one game only, there are no intervals.

**Effect sizes** do not depend on the number of games. For means and quantiles: Cohen's d, the difference in units of the standard
deviation, ``sqrt((va + vb) / 2)`` (Cohen, "Statistical Power Analysis for the Behavioral Sciences", 2nd edition, 1988: 0.2 is
small, 0.5 medium, 0.8 large). For variances: the logarithm of the ratio of the standard deviations (lnVR: Nakagawa et al.,
"Meta-analysis of variation", Methods in Ecology and Evolution 6, 2015).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import log, sqrt

from attrs import frozen

from ...machine.columns import DECISIONS, OPTIONS, Columns
from .pairs import Pairs
from .statistics import OPTIONS_MEAN, Distribution, Statistic, in_order, means, quantiles, statistics, variances
from .tally import Tally

Z = 1.959963984540054  # the normal distribution lies within so many deviations of its mean with probability 0.95


@frozen
class Difference:
    """One statistic of two sides. ``first``, ``second``: None where a side has none; ``interval``: None where there is none."""

    statistic: Statistic
    first: Fraction | None
    second: Fraction | None
    interval: tuple[float, float] | None = None
    effect: float | None = None

    @property
    def difference(self) -> Fraction | None:
        return None if self.first is None or self.second is None else self.second - self.first

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.interval is not None and not self.interval[0] <= 0 <= self.interval[1]


@frozen(eq=False)
class Side:
    """What came of the games of one table."""

    columns: Columns
    tally: Tally


def differences(first: Side, second: Side, pairs: Pairs | None) -> dict[Statistic, Difference]:
    """Every statistic that one of the sides has. ``pairs``: None where the sides were not played together."""
    one, two = statistics(first.columns, first.tally), statistics(second.columns, second.tally)
    found = {s: Difference(s, one.get(s), two.get(s)) for s in in_order(dict.fromkeys((*one, *two)))}
    if not (first.tally.games and second.tally.games):
        return found
    uncertain = {
        **_means(first, second, pairs),
        **_quantiles(first, second),
        **_variances(first, second),
        OPTIONS_MEAN: _options(first, second, pairs),
    }
    too_few = min(first.tally.games, second.tally.games) < 2  # one game does not show how far games lie apart
    for statistic, (interval, effect) in uncertain.items():
        whole = found[statistic]
        if whole.difference is not None:
            found[statistic] = Difference(statistic, whole.first, whole.second, None if too_few else interval, effect)
    return found


_Uncertain = tuple[tuple[float, float] | None, float | None]  # interval, effect


def _means(first: Side, second: Side, pairs: Pairs | None) -> Mapping[Statistic, _Uncertain]:
    one, two = means(first.columns, first.tally), means(second.columns, second.tally)
    found: dict[Statistic, _Uncertain] = {}
    for statistic in one:
        if statistic in two:
            a, b = one[statistic], two[statistic]
            squared = a.variance / a.games + b.variance / b.games
            if pairs is not None and pairs.games:
                squared -= 2 * pairs.games * _covariance(pairs, statistic, a.scale * b.scale) / (a.games * b.games)
            found[statistic] = _around(b.mean - a.mean, squared), _cohen(a, b, b.mean - a.mean)
    return found


def _covariance(pairs: Pairs, statistic: Statistic, scale: int) -> Fraction:
    """The covariance of the numbers of a game on both sides, over the pairs."""
    n = pairs.games
    product = Fraction(pairs.products[statistic], n) - Fraction(pairs.first[statistic], n) * Fraction(pairs.second[statistic], n)
    return product / scale


def _options(first: Side, second: Side, pairs: Pairs | None) -> _Uncertain:
    sides = [(Distribution(s.tally.histograms[OPTIONS]), Distribution(s.tally.histograms[DECISIONS])) for s in (first, second)]
    if any(not decisions.mean for _, decisions in sides):
        return None, None
    (oa, da), (ob, db) = sides
    ra, rb = oa.mean / da.mean, ob.mean / db.mean
    if pairs is not None and pairs.games:
        own_a, own_b, decided, offered, a_with_b, b_with_a = (Fraction(total, pairs.games) for total in pairs.choices)
        va = (oa.moment(2) - 2 * ra * own_a + ra * ra * da.moment(2)) / (da.mean * da.mean)
        vb = (ob.moment(2) - 2 * rb * own_b + rb * rb * db.moment(2)) / (db.mean * db.mean)
        covariance = (offered - ra * a_with_b - rb * b_with_a + ra * rb * decided) / (da.mean * db.mean)
        shared = 2 * pairs.games * covariance / (oa.games * ob.games)
    else:
        va, vb = _bound(oa, da, ra), _bound(ob, db, rb)
        shared = Fraction(0)
    pooled = sqrt(max(0.0, float(va + vb) / 2))
    interval = _around(rb - ra, va / oa.games + vb / ob.games - shared)
    return interval, float(rb - ra) / pooled if pooled else None


def _bound(options: Distribution, decisions: Distribution, ratio: Fraction) -> Fraction:
    """The greatest variance that the ratio can have, whatever the covariance."""
    deviation = sqrt(options.variance) + float(ratio) * sqrt(decisions.variance)
    return Fraction(deviation**2) / (decisions.mean * decisions.mean)


def _variances(first: Side, second: Side) -> Mapping[Statistic, _Uncertain]:
    one, two = variances(first.columns, first.tally), variances(second.columns, second.tally)
    found: dict[Statistic, _Uncertain] = {}
    for statistic in one:
        if statistic in two:
            a, b = one[statistic], two[statistic]
            va, vb = a.variance, b.variance
            squared = (a.fourth_moment - va * va) / a.games + (b.fourth_moment - vb * vb) / b.games
            found[statistic] = _around(vb - va, squared), log(vb / va) / 2 if va and vb else None
    return found


def _quantiles(first: Side, second: Side) -> Mapping[Statistic, _Uncertain]:
    one, two = quantiles(first.columns, first.tally), quantiles(second.columns, second.tally)
    found: dict[Statistic, _Uncertain] = {}
    for statistic in one:
        if statistic in two:
            (a, share), (b, _) = one[statistic], two[statistic]
            ours, theirs = a.quantile(share), b.quantile(share)
            interval = None
            if 0 < share < 1:
                (low_a, high_a), (low_b, high_b) = _limits(a, share), _limits(b, share)
                below = sqrt((theirs - low_b) ** 2 + (high_a - ours) ** 2)
                above = sqrt((high_b - theirs) ** 2 + (ours - low_a) ** 2)
                interval = theirs - ours - below, theirs - ours + above
            found[statistic] = interval, _cohen(a, b, Fraction(theirs - ours))
    return found


def _limits(spread: Distribution, share: Fraction) -> tuple[int, int]:
    """Between which values a quantile lies, for 95 %."""
    half = Z * sqrt(share * (1 - share) / spread.games)
    return spread.quantile(Fraction(max(0.0, share - half))), spread.quantile(Fraction(min(1.0, share + half)))


def _around(difference: Fraction, squared_error: Fraction) -> tuple[float, float]:
    half = Z * sqrt(max(Fraction(0), squared_error))
    return float(difference) - half, float(difference) + half


def _cohen(a: Distribution, b: Distribution, difference: Fraction) -> float | None:
    """Cohen's d; None where nothing varies."""
    pooled = sqrt((a.variance + b.variance) / 2)
    return float(difference) / pooled if pooled else None
