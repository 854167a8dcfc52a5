"""Sums over pairs of games that two tables played with common random numbers.

Game n of both tables draws from the same streams, so luck on one side is mostly luck on the other, and the difference is known
better than from independent games. Only pairs in which both games came to their end count. The sums are those of each number on
either side, and of their products.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import compress
from operator import mul

from attrs import field, frozen

from ...machine.columns import DECISIONS, FAULT, OPTIONS, Columns
from .statistics import Statistic, share_scale

Numbers = Mapping[Statistic, Sequence[int]]  # for each statistic that is a mean, the number of each game, times its scale


@frozen
class Pairs:
    """``games``: how many pairs. ``first``, ``second``, ``products``: the sums, by statistic.

    ``choices``: sums of products that `options_mean` needs: decisions and options of the first side, of the second; of both
    the decisions, the options, first decisions with second options, first options with second decisions.
    """

    games: int = 0
    first: Mapping[Statistic, int] = field(factory=dict)
    second: Mapping[Statistic, int] = field(factory=dict)
    products: Mapping[Statistic, int] = field(factory=dict)
    choices: tuple[int, ...] = (0,) * 6

    def __add__(self, other: Pairs) -> Pairs:
        return Pairs(
            self.games + other.games,
            _add(self.first, other.first),
            _add(self.second, other.second),
            _add(self.products, other.products),
            tuple(one + two for one, two in zip(self.choices, other.choices, strict=True)),
        )


def pairs_of(first: Columns, first_rows: array[int], second: Columns, second_rows: array[int]) -> Pairs:
    """The sums over rows of the same games on both sides."""
    ended = [not (a or b) for a, b in zip(first_rows[FAULT :: len(first)], second_rows[FAULT :: len(second)], strict=True)]
    one, two = _columns(first, first_rows, ended), _columns(second, second_rows, ended)
    a, b = numbers(first, one), numbers(second, two)
    common = [statistic for statistic in a if statistic in b]
    decisions, options, others, other_options = one[DECISIONS], one[OPTIONS], two[DECISIONS], two[OPTIONS]
    crossed = (
        (decisions, options),
        (others, other_options),
        (decisions, others),
        (options, other_options),
        (decisions, other_options),
        (options, others),
    )
    return Pairs(
        sum(ended),
        {statistic: sum(a[statistic]) for statistic in common},
        {statistic: sum(b[statistic]) for statistic in common},
        {statistic: sum(map(mul, a[statistic], b[statistic])) for statistic in common},
        tuple(sum(map(mul, one, two)) for one, two in crossed),
    )


def _columns(columns: Columns, rows: array[int], ended: list[bool]) -> list[Sequence[int]]:
    """Each column, of the games that are counted."""
    width = len(columns)
    if all(ended):
        return [rows[column::width] for column in range(width)]
    return [list(compress(rows[column::width], ended)) for column in range(width)]


def numbers(columns: Columns, values: Sequence[Sequence[int]]) -> Numbers:
    """The numbers of each game whose means are statistics (see `statistics.means`), from its columns."""
    scale = share_scale(columns)
    shares = [int(columns.share(win) * scale) for win in range(columns.seats + 1)]
    seats = range(columns.seats)
    found: dict[Statistic, Sequence[int]] = {Statistic("decisions_mean"): values[DECISIONS]}
    for seat in seats:
        found[Statistic("score_mean", "", seat + 1)] = values[columns.score(seat)]
        found[Statistic("win_share", "", seat + 1)] = [shares[win] for win in values[columns.win(seat)]]
        for number, term in enumerate(columns.terms):
            found[Statistic("terms_mean", term, seat + 1)] = values[columns.term(number, seat)]
        if columns.in_teams:
            found[Statistic("team_scores_mean", "", seat + 1)] = values[columns.team_score(seat)]
        if columns.returns:
            found[Statistic("returns_mean", "", seat + 1)] = values[columns.return_(seat)]
    found[Statistic("first_seat_win_share")] = [shares[win] for win in values[columns.turn_win(0)]]
    wins = [values[columns.win(seat)] for seat in seats]
    found[Statistic("ties_share")] = [int(max(of_game) > columns.team_size) for of_game in zip(*wins, strict=True)]
    return found


def _add(one: Mapping[Statistic, int], two: Mapping[Statistic, int]) -> Mapping[Statistic, int]:
    return {statistic: one.get(statistic, 0) + value for statistic, value in two.items()} if two else one
