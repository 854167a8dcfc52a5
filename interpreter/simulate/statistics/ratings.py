"""Ratings of players from the wins at tables of any size, with confidence intervals.

**The model** is Luce's: at a table, a player with the strength exp(r) wins with the probability that its strength has in the
sum of all strengths there (Luce, "Individual choice behavior", 1959). It is the first place of the Plackett-Luce model, and for
two players the model of Bradley and Terry. A team plays with the mean rating of its members. A shared win is a part of a win
for each.

The ratings are those of the greatest likelihood. Its logarithm is concave, and Newton's method with halved steps finds the
maximum. (Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32, 2004, compares it with an
algorithm whose steps are simpler but many.) A player who always wins would have no finite rating, so each player also has one
drawn game against an imaginary player of the rating 0 (compare Turner et al., "Modelling rankings in R: the PlackettLuce
package", Computational Statistics 35, 2020).

**Intervals** do not rely on the model: games of one deal are not independent, and luck that falls on all seatings of a deal
alike cancels out. With the curvature H of the likelihood at its maximum and the covariance M of what the players get from all
deals, the covariance of the ratings is ``H^-1 M H^-1`` (White, "Maximum likelihood estimation of misspecified models",
Econometrica 50, 1982). An imaginary game adds to M what it would if it were won or lost with equal chance. So no interval is a
single point, and that of a player who always wins is wide. The limits are those of Student's t with one degree of freedom less
than deals (Abramowitz and Stegun, "Handbook of mathematical functions", 1964, 26.7.5). Ratings are given as distances to their
mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt

from attrs import frozen

from .compare import Z

POINTS = 400 / log(10)  # as in Elo's scale: the odds of two players 400 points apart are 10 to 1
_STEPS = 200  # of Newton's method, which takes some ten
_CLOSE = 1e-12

Matrix = list[list[float]]


@frozen
class Contest:
    """Games of one seating. ``sides``: who plays on each side; ``wins``: of each; shared wins in parts. Their sum: the games."""

    sides: tuple[tuple[int, ...], ...]
    wins: tuple[float, ...]


@frozen
class Rating:
    """On Elo's scale, the mean of all players being 0. ``interval``: for 95 %; None where there are fewer than two deals."""

    points: float
    interval: tuple[float, float] | None


def ratings(players: int, contests: Sequence[Contest], covariance: Matrix | None, deals: int) -> tuple[Rating, ...]:
    """The rating of each player. ``covariance``: of what they get from all deals together (see `Deals`), in wins of a side.

    A win of a team counts for each member as a part of its size.
    """
    found = _most_likely(players, contests)
    mean = sum(found) / players
    points = [POINTS * (rating - mean) for rating in found]
    if covariance is None:
        return tuple(Rating(point, None) for point in points)
    _, _, curvature = _likelihood(found, contests)
    moved = [[cell + (i == j) * _lottery(found[i]) for j, cell in enumerate(row)] for i, row in enumerate(covariance)]
    inverse = _solved(curvature, [[float(i == j) for j in range(players)] for i in range(players)])
    centred = [[cell - sum(column) / players for cell, column in zip(row, _columns(inverse), strict=True)] for row in inverse]
    wide = POINTS * t_quantile(deals - 1)
    halves = [wide * sqrt(max(0.0, _quadratic(row, moved))) for row in centred]
    return tuple(Rating(point, (point - half, point + half)) for point, half in zip(points, halves, strict=True))


def t_quantile(degrees: int) -> float:
    """Within how many deviations Student's t lies with probability 0.95. It is exact to 3 % for two degrees, 0.1 % for five."""
    z = Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(float(term / degrees**power) for power, term in enumerate(terms, 1))


def _most_likely(players: int, contests: Sequence[Contest]) -> list[float]:
    found = [0.0] * players
    value, slope, curvature = _likelihood(found, contests)
    for _ in range(_STEPS):
        step = [row[0] for row in _solved(curvature, [[part] for part in slope])]
        part = 1.0
        while True:
            tried = [at + part * move for at, move in zip(found, step, strict=True)]
            better, new_slope, new_curvature = _likelihood(tried, contests)
            if better >= value or part < _CLOSE:
                break
            part /= 2
        done = max(abs(part * move) for move in step) < _CLOSE or better <= value
        if better >= value:
            found, value, slope, curvature = tried, better, new_slope, new_curvature
        if done:
            break
    return found


def _likelihood(found: Sequence[float], contests: Sequence[Contest]) -> tuple[float, list[float], Matrix]:
    """The logarithm of the likelihood, its slope, and its curvature with the sign turned."""
    players = range(len(found))
    value = sum(-log(1 + exp(-rating)) / 2 - log(1 + exp(rating)) / 2 for rating in found)
    slope = [0.5 - _even(rating) for rating in found]
    curvature = [[(i == j) * _even(found[i]) * (1 - _even(found[i])) for j in players] for i in players]
    for contest in contests:
        games = sum(contest.wins)
        if not games:
            continue
        parts = [[side.count(player) / len(side) for player in players] for side in contest.sides]
        strength = [sum(part * rating for part, rating in zip(row, found, strict=True)) for row in parts]
        most = max(strength)
        weights = [exp(each - most) for each in strength]
        total = sum(weights)
        chances = [weight / total for weight in weights]
        value += sum(wins * each for wins, each in zip(contest.wins, strength, strict=True)) - games * (most + log(total))
        middle = [sum(chance * row[i] for chance, row in zip(chances, parts, strict=True)) for i in players]
        for i in players:
            slope[i] += sum(wins * row[i] for wins, row in zip(contest.wins, parts, strict=True)) - games * middle[i]
            for j in players:
                both = sum(chance * row[i] * row[j] for chance, row in zip(chances, parts, strict=True))
                curvature[i][j] += games * (both - middle[i] * middle[j])
    return value, slope, curvature


def _even(rating: float) -> float:
    """The probability of a win against the imaginary player."""
    return 1 / (1 + exp(-rating))


def _lottery(rating: float) -> float:
    """The mean square of what an imaginary game adds to the slope, if it is won or lost with equal chance."""
    return 0.25 + (0.5 - _even(rating)) ** 2


def _solved(matrix: Matrix, right: Matrix) -> Matrix:
    """X with ``matrix X = right``, by Gauss's elimination; the matrix is positive definite."""
    rows = [[*row, *other] for row, other in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda j: abs(rows[j][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [cell / rows[i][i] for cell in rows[i]]
        for j, row in enumerate(rows):
            if j != i:
                rows[j] = [cell - row[i] * own for cell, own in zip(row, rows[i], strict=True)]
    return [row[len(rows) :] for row in rows]


def _columns(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def _quadratic(row: Sequence[float], matrix: Matrix) -> float:
    """``row matrix row^T``."""
    return sum(one * cell * two for one, line in zip(row, matrix, strict=True) for cell, two in zip(line, row, strict=True))
