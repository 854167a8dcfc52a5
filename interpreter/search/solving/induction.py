"""Backward induction: the value of a game of perfect information, computed from the ends backwards, state by state.

Where everything is seen, no player has a reason to choose by chance or to consider how play came to a state. So the value of a
state follows from those of the next states: the best of them for the player who decides there, and their mean at a chance event
(E. Zermelo, 1913). The value is exact, as a fraction. The values of uniform play, and of the best answer to it, are computed
alike.
"""

from __future__ import annotations

from fractions import Fraction

from .states import CHANCE, OVER, States


def value(states: States) -> Fraction:
    """What the first of two players gets if both play perfectly, where one gets what the other loses."""
    values: list[Fraction | int] = []
    following, weights = states.next, states.weights
    for number, seat in enumerate(states.seats):
        ways = states.ways(number)
        if seat == OVER:
            values.append(states.returns[number][0])
        elif seat == CHANCE:
            sum_of_weights = sum(weights[way] for way in ways)
            values.append(Fraction(sum(weights[way] * values[following[way]] for way in ways)) / sum_of_weights)
        else:
            best = max if seat == 0 else min
            values.append(best([values[following[way]] for way in ways]))
    return Fraction(values[-1])


def uniform(states: States, seat: int) -> float:
    """What a seat gets as a mean if all take every option with the same chance."""
    return _mean(states, seat, None)


def best_answer(states: States, seat: int) -> float:
    """What a seat gets at the most if all others do."""
    return _mean(states, seat, seat)


def _mean(states: States, to: int, choosing: int | None) -> float:
    """What seat ``to`` gets as a mean, where ``choosing`` takes the best option for it, and all others any one."""
    values: list[float] = []
    following, weights = states.next, states.weights
    for number, seat in enumerate(states.seats):
        start, stop = states.first[number], states.first[number + 1]
        if seat == OVER:
            values.append(states.returns[number][to])
            continue
        coming = [values[each] for each in following[start:stop]]
        if seat == choosing:
            values.append(max(coming))
        elif seat == CHANCE:
            likely = weights[start:stop]
            values.append(sum(weight * each for weight, each in zip(likely, coming, strict=True)) / sum(likely))
        else:
            values.append(sum(coming) / len(coming))
    return values[-1]


def histories(states: States) -> list[int]:
    """How many histories lead to each state."""
    found = [0] * len(states)
    found[-1] = 1
    for number in range(len(states) - 1, -1, -1):
        for way in states.ways(number):
            found[states.next[way]] += found[number]
    return found
