"""Estimates with intervals of 95 %, from games that were drawn independently.

Every measure comes with the *influence* of each game (or deal): by how much the value would change, times the number of games, if
the game counted a little more. The square of the standard error is the mean square of the influences divided by the number of
games less one (Hampel, "The influence curve and its role in robust estimation", Journal of the American Statistical Association
69, 1974). For a mean the influence is the distance to the mean; for a ratio of sums it is the residual by the mean of the lower
sum (linearisation: Cochran, "Sampling Techniques", 3rd edition, 1977, section 6.3); for a correlation it is found by leaving out
each game in turn (the jackknife: Efron and Stein, Annals of Statistics 9, 1981).

- A number: the value plus or minus t standard errors, with Student's t for one degree of freedom less than games.
- A share: Wilson's interval ("Probable inference, the law of succession, and statistical inference", Journal of the American
  Statistical Association 22, 1927) for so many independent games as would have the same standard error. It is honest at 0 % and
  100 %, too.
- A difference between two tables: from the differences of the influences in the games that both played with the same luck. Where
  these tell nothing, as for a share that is 0 % on both sides: from both intervals (Zou and Donner, "Construction of confidence
  limits about effect measures: a general approach", Statistics in Medicine 27, 2008).
- A quantile: Woodruff's interval, as in `simulate/statistics/compare.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf, sqrt

from attrs import frozen

from .compare import Z
from .ratings import t_quantile
from .statistics import Distribution


@frozen
class Estimate:
    """``low``, ``high``: the interval of 95 %; None where there are too few games for one. ``games``: that were looked at."""

    value: float
    low: float | None
    high: float | None
    games: int

    @property
    def has_interval(self) -> bool:
        return self.low is not None and self.high is not None

    def leaves_out(self, value: float) -> bool:
        """Whether the interval says that it is another value."""
        return self.low is not None and self.high is not None and not self.low <= value <= self.high

    def is_above(self, value: float) -> bool:
        """Whether the whole interval is above a value."""
        return self.low is not None and self.low > value

    def is_below(self, value: float) -> bool:
        return self.high is not None and self.high < value


@frozen(eq=False)
class Measured:
    """A number, with the influence of each game by its number. ``bounds``: between which it lies whatever happens."""

    value: float
    influence: Mapping[int, float]
    bounds: tuple[float, float] = (-inf, inf)

    @property
    def games(self) -> int:
        return len(self.influence)

    @property
    def is_share(self) -> bool:
        return self.bounds == (0.0, 1.0)

    def estimate(self, most: float = inf) -> Estimate:
        """``most``: so many independent observations there are at the most; it counts for shares."""
        n = self.games
        if n < 2:
            return Estimate(self.value, None, None, n)
        error = _error(self.influence.values())
        if self.is_share:
            return Estimate(self.value, *_wilson(self.value, error, n, most), n)
        half = t_quantile(n - 1) * error
        low, high = self.bounds
        return Estimate(self.value, max(low, self.value - half), min(high, self.value + half), n)


def difference(first: Measured, second: Measured) -> Estimate:
    """Second minus first, over the games of both."""
    common = [game for game in first.influence if game in second.influence]
    value = second.value - first.value
    if len(common) < 2:
        return Estimate(value, None, None, len(common))
    half = t_quantile(len(common) - 1) * _error(second.influence[game] - first.influence[game] for game in common)
    if not half and first.is_share and second.is_share:
        return _apart(first.estimate(), second.estimate())
    return Estimate(value, value - half, value + half, len(common))


def _apart(first: Estimate, second: Estimate) -> Estimate:
    """Second minus first for shares whose games tell nothing of the error: the distances of their limits are added as squares."""
    assert first.low is not None
    assert first.high is not None
    assert second.low is not None
    assert second.high is not None
    value = second.value - first.value
    below = sqrt((second.value - second.low) ** 2 + (first.high - first.value) ** 2)
    above = sqrt((second.high - second.value) ** 2 + (first.value - first.low) ** 2)
    return Estimate(value, value - below, value + above, min(first.games, second.games))


def mean(values: Mapping[int, float], bounds: tuple[float, float] = (-inf, inf)) -> Measured | None:
    """The mean of a number of each game, by the game's number. None where there is no game."""
    return ratio({game: (value, 1) for game, value in values.items()}, bounds)


def share(values: Mapping[int, float]) -> Measured | None:
    """The mean of a number from 0 to 1."""
    return mean(values, (0.0, 1.0))


def ratio(parts: Mapping[int, tuple[float, float]], bounds: tuple[float, float] = (-inf, inf)) -> Measured | None:
    """A sum over all games divided by another one. Games in which the second is 0 do not count. None where all are such."""
    parts = {game: part for game, part in parts.items() if part[1]}
    below = sum(part for _, part in parts.values())
    if not parts or not below:
        return None
    value = sum(part for part, _ in parts.values()) / below
    scale = len(parts) / below
    return Measured(value, {game: (one - value * two) * scale for game, (one, two) in parts.items()}, bounds)


def jackknifed(value: float, without: Callable[[int], float], games: Sequence[int], bounds: tuple[float, float]) -> Measured:
    """A number of many games. ``without``: what it is without one of them, by its number."""
    n = len(games)
    return Measured(value, {game: (n - 1) * (value - without(game)) for game in games}, bounds)


def quantile(values: Iterable[int], part: Fraction) -> Estimate | None:
    """A quantile of whole numbers, with the interval of Woodruff."""
    counts: dict[int, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    if not counts:
        return None
    spread = Distribution(counts)
    n, found = spread.games, float(spread.quantile(part))
    if n < 2:
        return Estimate(found, None, None, n)
    half = Z * sqrt(part * (1 - part) / n)
    low, high = (spread.quantile(Fraction(min(1.0, max(0.0, float(part) + side * half)))) for side in (-1, 1))
    return Estimate(found, float(low), float(high), n)


def _error(influences: Iterable[float]) -> float:
    """The standard error of a mean with these influences."""
    found = list(influences)
    n = len(found)
    middle = sum(found) / n
    return sqrt(sum((each - middle) ** 2 for each in found) / (n * (n - 1)))


def _wilson(value: float, error: float, games: int, most: float) -> tuple[float, float]:
    """Wilson's interval. ``games``: so many are independent where the error tells nothing; ``most``: so many at the most."""
    spread = value * (1 - value)
    independent = min(spread / error**2 if error > 0 and spread > 0 else games, most, 1e12)
    z = t_quantile(games - 1)
    below = 1 + z * z / independent
    middle = (value + z * z / (2 * independent)) / below
    half = z / below * sqrt(spread / independent + z * z / (4 * independent * independent))
    return max(0.0, min(value, middle - half)), min(1.0, max(value, middle + half))
