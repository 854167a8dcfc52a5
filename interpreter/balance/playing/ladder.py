"""Skill and luck: how often stronger players win, and how much of who wins the deals decide.

**Skill.** A *ladder* of bots goes from those that choose at random to the strongest. Two bots next to each other play every deal
twice: they take the seats (or teams) by turns, and then change places. Both have the same luck that way. The share of the win
that the stronger one has is 1/2 where strength is of no use. The odds of the steps are made points of Elo's scale.

**Luck.** The strongest bots play every deal twice with the same chance, but choose anew. What each side has of the win is then
compared: the *share of the deals* is the intraclass correlation, the covariance of the two games by the variance of one, over all
sides (Fisher, "Statistical Methods for Research Workers", 1925, section 38; the mean of each side is its own). 1 means that the
deal alone decides who wins, 0 that it decides nothing between players of equal strength.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log

from attrs import frozen

from ...machine.columns import Columns
from ...players.bots import Bot
from ...simulate.statistics.estimates import Measured, jackknifed, share
from ...simulate.statistics.ratings import POINTS

RANDOM, CASUAL = Bot("random"), Bot("casual")
FRACTIONS = (25, 5, 1)  # of the iterations of the strongest bot, for the upper rungs of the ladder
MOST_ODDS = 1000.0  # a player who won every game may be stronger still


@frozen
class Step:
    """Two bots that play against each other."""

    weaker: Bot
    stronger: Bot

    def __str__(self) -> str:
        return f"{self.stronger} > {self.weaker}"


def steps_of(strongest: Bot) -> tuple[Step, ...]:
    """The steps of the ladder up to a bot, and, where there are several, the lowest bot against the highest."""
    rungs = [RANDOM, CASUAL]
    if strongest.thinks:
        numbers = dict.fromkeys(max(1, strongest.playouts // part) for part in FRACTIONS)
        rungs += [Bot(strongest.kind, number) for number in numbers]
    elif strongest not in rungs:
        rungs.append(strongest)
    rungs = rungs[: rungs.index(strongest) + 1]
    found = [Step(one, two) for one, two in pairwise(rungs)]
    return (*found, Step(rungs[0], rungs[-1])) if len(found) > 1 else tuple(found)


def seatings_of(step: Step, columns: Columns, teams: Sequence[Sequence[int]]) -> tuple[tuple[Bot, ...], ...]:
    """Who sits where in the two games of a deal. ``teams``: seats from 1, none where everybody plays alone."""
    side_of = {seat: side for side, team in enumerate(teams or [(seat + 1,) for seat in range(columns.seats)]) for seat in team}
    pair = (step.stronger, step.weaker)
    return tuple(tuple(pair[(side_of[seat + 1] + turn) % 2] for seat in range(columns.seats)) for turn in (0, 1))


@frozen
class Deal:
    """``steps``: for each step the share of the win that the stronger bot had in the two games (None: one was stopped).
    ``again``: by side, the share of the win where the strongest bots chose anew (None: not played, or stopped)."""

    steps: tuple[float | None, ...]
    again: tuple[float, ...] | None


def share_of(columns: Columns, wins: Sequence[int], seats: Sequence[int]) -> float:
    """What some seats, whole teams, have of the win together. ``wins``: of each seat, as in a row."""
    return float(sum(columns.share(wins[seat]) for seat in seats)) / columns.team_size


def skill(deals: Mapping[int, Deal], step: int) -> Measured | None:
    """The share of the win that the stronger bot of a step has."""
    return share({number: value for number, deal in deals.items() if (value := deal.steps[step]) is not None})


def points(value: float) -> float:
    """A share of the win against another as a distance on Elo's scale."""
    odds = value / (1 - value) if value < 1 else MOST_ODDS
    return POINTS * log(min(MOST_ODDS, max(1 / MOST_ODDS, odds)))


def luck(first: Mapping[int, Sequence[float]], again: Mapping[int, Sequence[float]]) -> Measured | None:
    """The share of the deals. ``first``, ``again``: for each deal what each side has of the win, in the first game and in the
    other. None where there are too few deals, or every game ended alike."""
    games = [game for game in again if game in first]
    if len(games) < 3:
        return None
    sides = range(len(first[games[0]]))
    sums = [_Sums.none() for _ in sides]
    for game in games:
        sums = [total.plus(first[game][side], again[game][side], 1) for side, total in zip(sides, sums, strict=True)]
    value = _correlation(sums)
    if value is None:
        return None

    def without(game: int) -> float:
        left = [total.plus(first[game][side], again[game][side], -1) for side, total in zip(sides, sums, strict=True)]
        found = _correlation(left)
        return value if found is None else found

    return jackknifed(value, without, games, (-1.0, 1.0))


@frozen
class _Sums:
    """Of the games of one side: how many deals, the sum of both values, of their squares, of their products."""

    deals: int
    both: float
    squares: float
    products: float

    @classmethod
    def none(cls) -> _Sums:
        return cls(0, 0.0, 0.0, 0.0)

    def plus(self, one: float, two: float, sign: int) -> _Sums:
        return _Sums(
            self.deals + sign,
            self.both + sign * (one + two),
            self.squares + sign * (one * one + two * two),
            self.products + sign * one * two,
        )


def _correlation(sums: Sequence[_Sums]) -> float | None:
    """The intraclass correlation of two values a deal, over all sides."""
    together = alone = 0.0
    for each in sums:
        middle = each.both / (2 * each.deals)
        together += each.products / each.deals - middle * middle
        alone += each.squares / (2 * each.deals) - middle * middle
    return together / alone if alone > 1e-9 else None
