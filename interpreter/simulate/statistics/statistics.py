"""Means, variances, quantiles and shares of many games, computed from a tally alone, in exact fractions.

Fractions become floating-point numbers only where they are printed, so equal tallies give equal numbers. Variances are population
variances. The quantile q is the least value that at least a share q of the games do not exceed (the inverse of the empirical
distribution function: definition 1 of Hyndman and Fan, "Sample quantiles in statistical packages", The American Statistician 50,
1996). Where no game came to its end, there is no number: None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from attrs import frozen

from ...machine.columns import DECISIONS, OPTIONS, Columns
from .tally import Histogram, Tally

QUANTILES: dict[str, Fraction] = {
    name: Fraction(name) for name in ("0", "0.05", "0.25", "0.5", "0.75", "0.95", "1")
}  # 0 is the least, 1 the greatest


@frozen
class Statistic:
    """Which number. ``part``: a line of the score sheet or a quantile; ``seat``: from 1 (0: of the whole table)."""

    name: str
    part: str = ""
    seat: int = 0

    def __str__(self) -> str:
        """As it is written in a condition: ``terms_mean[coins][seat 1]``."""
        return f"{self.name}{f'[{self.part}]' if self.part else ''}{f'[seat {self.seat}]' if self.seat else ''}"


@frozen
class Distribution:
    """How a number of each game is spread: the number is ``value / scale``."""

    counts: Histogram
    scale: int = 1

    @property
    def games(self) -> int:
        return sum(self.counts.values())

    def moment(self, power: int) -> Fraction:
        """The mean of a power of the number. ZeroDivisionError where there is no game."""
        total = sum(value**power * count for value, count in self.counts.items())
        return Fraction(total, self.games * int(self.scale**power))

    @property
    def mean(self) -> Fraction:
        return self.moment(1)

    @property
    def variance(self) -> Fraction:
        mean = self.mean
        return self.moment(2) - mean * mean

    @property
    def fourth_moment(self) -> Fraction:
        """The mean of the fourth power of the distance to the mean."""
        mean = self.mean
        squares = ((Fraction(value, self.scale) - mean) * (Fraction(value, self.scale) - mean) for value in self.counts)
        total = sum((square * square * count for square, count in zip(squares, self.counts.values(), strict=True)), Fraction(0))
        return total / self.games

    def quantile(self, share: Fraction) -> int:
        """The quantile of a distribution with scale 1."""
        wanted, seen = share * self.games, 0
        for value in sorted(self.counts):
            seen += self.counts[value]
            if seen >= wanted:
                return value
        raise ValueError("there is no game")


def means(columns: Columns, tally: Tally) -> dict[Statistic, Distribution]:
    """All statistics that are the mean of a number that every game has, each with how it is spread."""
    counts, seats = tally.histograms, range(columns.seats)
    found = {Statistic("decisions_mean"): Distribution(counts[DECISIONS])}
    found |= {Statistic("score_mean", "", seat + 1): Distribution(counts[columns.score(seat)]) for seat in seats}
    found |= {Statistic("win_share", "", seat + 1): _shares(columns, counts[columns.win(seat)]) for seat in seats}
    found[Statistic("first_seat_win_share")] = _shares(columns, counts[columns.turn_win(0)])
    found |= {
        Statistic("terms_mean", term, seat + 1): Distribution(counts[columns.term(number, seat)])
        for number, term in enumerate(columns.terms)
        for seat in seats
    }
    found[Statistic("ties_share")] = _ties(columns, tally)
    if columns.in_teams:
        scores = {Statistic("team_scores_mean", "", seat + 1): counts[columns.team_score(seat)] for seat in seats}
        found |= {statistic: Distribution(spread) for statistic, spread in scores.items()}
    if columns.returns:
        found |= {Statistic("returns_mean", "", seat + 1): Distribution(counts[columns.return_(seat)]) for seat in seats}
    return found


def turn_shares(columns: Columns, tally: Tally) -> list[Distribution]:
    """The shares of the win in turn order, beginning with the seat that made the first decision."""
    return [_shares(columns, tally.histograms[columns.turn_win(turn)]) for turn in range(columns.seats)]


def share_scale(columns: Columns) -> int:
    """A number that every share of a win times it is a whole number."""
    return lcm(*range(1, columns.seats // columns.team_size + 1))


def _shares(columns: Columns, wins: Histogram) -> Distribution:
    scale = share_scale(columns)
    return Distribution({int(columns.share(win) * scale): count for win, count in wins.items()}, scale)


def _ties(columns: Columns, tally: Tally) -> Distribution:
    """1 for a game whose win is shared by seats that are not of one team. A game with k winners is in k columns."""
    winners: dict[int, int] = {}
    for seat in range(columns.seats):
        for win, count in tally.histograms[columns.win(seat)].items():
            winners[win] = winners.get(win, 0) + count
    tied = sum(count // win for win, count in winners.items() if win > columns.team_size)
    return Distribution({value: count for value, count in ((0, tally.games - tied), (1, tied)) if count})


def quantiles(columns: Columns, tally: Tally) -> dict[Statistic, tuple[Distribution, Fraction]]:
    """All statistics that are quantiles, each with the distribution and the share."""
    counts = tally.histograms
    found = {
        Statistic("score_quantiles", name, seat + 1): (Distribution(counts[columns.score(seat)]), share)
        for name, share in QUANTILES.items()
        for seat in range(columns.seats)
    }
    return found | {
        Statistic("length_quantiles", name): (Distribution(counts[DECISIONS]), share) for name, share in QUANTILES.items()
    }


def variances(columns: Columns, tally: Tally) -> dict[Statistic, Distribution]:
    """All statistics that are variances."""
    found = {Statistic("decisions_var"): Distribution(tally.histograms[DECISIONS])}
    seats = range(columns.seats)
    return found | {Statistic("score_var", "", seat + 1): Distribution(tally.histograms[columns.score(seat)]) for seat in seats}


OPTIONS_MEAN = Statistic("options_mean")
_ORDER = (
    "decisions_mean", "decisions_var", "options_mean", "score_mean", "score_var", "score_quantiles", "win_share",
    "first_seat_win_share", "terms_mean", "team_scores_mean", "returns_mean", "ties_share", "length_quantiles",
)  # fmt: skip


def statistics(columns: Columns, tally: Tally) -> dict[Statistic, Fraction | None]:
    """Every statistic of a table, in the order of the json."""
    found: dict[Statistic, Fraction | None] = {}
    ended = tally.games > 0
    for statistic, spread in means(columns, tally).items():
        found[statistic] = spread.mean if ended else None
    for statistic, spread in variances(columns, tally).items():
        found[statistic] = spread.variance if ended else None
    for statistic, (spread, share) in quantiles(columns, tally).items():
        found[statistic] = Fraction(spread.quantile(share)) if ended else None
    found[OPTIONS_MEAN] = options_mean(tally)
    return {statistic: found[statistic] for statistic in in_order(found)}


def in_order(found: Iterable[Statistic]) -> list[Statistic]:
    """Statistics in the order of the json; those of one name stay as they are."""
    return sorted(found, key=lambda statistic: _ORDER.index(statistic.name))


def options_mean(tally: Tally) -> Fraction | None:
    """Legal options per decision, over all decisions of all games that came to their end."""
    options, decisions = (
        sum(value * count for value, count in tally.histograms[column].items()) for column in (OPTIONS, DECISIONS)
    )
    return Fraction(options, decisions) if decisions else None


def nested(found: Mapping[Statistic, Any]) -> dict[str, Any]:
    """Values by statistic as json has them: by name, then by part, then a list by seat."""
    data: dict[str, Any] = {}
    for statistic, value in found.items():
        if statistic.part and statistic.seat:
            data.setdefault(statistic.name, {}).setdefault(statistic.part, []).append(value)
        elif statistic.part:
            data.setdefault(statistic.name, {})[statistic.part] = value
        elif statistic.seat:
            data.setdefault(statistic.name, []).append(value)
        else:
            data[statistic.name] = value
    return data


def number(statistic: Statistic, value: Fraction | None) -> float | int | None:
    """As it is printed: a quantile is a whole number, any other the nearest floating-point number."""
    if value is None:
        return None
    return value.numerator if statistic.name.endswith("_quantiles") else float(value)


def buckets(counts: Histogram, most: int) -> Iterator[tuple[int, int, int]]:
    """A histogram in at most so many steps of equal width (1, 2, 5, 10, ...): of each the least and greatest value, the count."""
    if not counts:
        return
    low, high = min(counts), max(counts)
    width = next(w for w in _widths() if high // w - low // w < most)
    found: dict[int, int] = {}
    for value, count in counts.items():
        found[value // width] = found.get(value // width, 0) + count
    for step in range(low // width, high // width + 1):
        yield step * width, (step + 1) * width - 1, found.get(step, 0)


def _widths() -> Iterator[int]:
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10
