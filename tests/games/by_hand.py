"""Plays a game that was written by hand in plain Python, alone or side by side with the machine.

Such a game is a generator, a second opinion on a rules file. It yields the next event, `Draw` or `Turn`, with everything that is
possible there, and is sent the text of what did happen. At its end it returns the score sheet and the ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping
from math import gcd
from random import Random
from typing import TypeVar

from attrs import frozen
from rulesrun import State


@frozen
class Draw:
    """Chance: one of these, by name, each with its weight."""

    possible: Mapping[str, int]


@frozen
class Turn:
    """A seat (from 0) takes one of these."""

    seat: int
    legal: frozenset[str]


@frozen
class Result:
    """``terms``: the score sheet, by term and seat. ``ranking``: the seats (from 1), best first; who shares a place together."""

    terms: dict[str, list[int]]
    ranking: list[list[int]]


T = TypeVar("T")
Course = Generator[Draw | Turn, str, T]
Play = Course[Result]
Choose = Callable[[Draw | Turn], str]


def drawn(names: Iterable[str]) -> Course[str]:
    """One of these by chance; equal names are one outcome with their weight. Where only one is left nothing is asked."""
    possible = Counter(names)
    if possible.total() > 1:
        return (yield Draw(possible))
    (name,) = possible
    return name


def ranked(keys: list[tuple[int, ...]]) -> list[list[int]]:
    """The seats (from 1) by their keys, highest first."""
    return [[seat for seat, own in enumerate(keys, 1) if own == key] for key in sorted(set(keys), reverse=True)]


def at_random(seed: int, favoured: Callable[[list[str]], list[str]] = list) -> Choose:
    """Chance and players by one seed. ``favoured``: those of the legal options (sorted) from which players pick."""
    chance = Random(seed)

    def choose(stop: Draw | Turn) -> str:
        if isinstance(stop, Turn):
            return chance.choice(favoured(sorted(stop.legal)) or sorted(stop.legal))
        names = sorted(stop.possible)
        return chance.choices(names, [stop.possible[name] for name in names])[0]

    return choose


def noted(choose: Choose, log: list[tuple[Draw | Turn, str]]) -> Choose:
    """A choice function that also writes each choice to the log, with the stop at which it was made."""

    def note(stop: Draw | Turn) -> str:
        happened = choose(stop)
        log.append((stop, happened))
        return happened

    return note


def alone(play: Course[T], choose: Choose) -> T:
    """Play to the end."""
    try:
        stop = next(play)
        while True:
            stop = play.send(choose(stop))
    except StopIteration as end:
        result: T = end.value
        return result


def side_by_side(state: State, play: Play, choose: Choose, said: Callable[[str], str] = str) -> Result:
    """Play to the end, here and there, and compare every chance event and every decision on the way.

    ``state``: at the start, with chance driven by hand. ``said``: how the game by hand says an option or outcome of the machine.
    """

    def ask(stop: Draw | Turn) -> str:
        happened = choose(stop)
        if isinstance(stop, Draw):
            event = state.chance
            assert event is not None, f"no chance event; by hand: {stop}"
            outcomes = {said(outcome.text): outcome for outcome in event.outcomes}
            assert len(outcomes) == len(event.outcomes)
            agree(shares({text: outcome.weight for text, outcome in outcomes.items()}), shares(stop.possible))
            state.happen(outcomes[happened].number)
        else:
            assert state.player == stop.seat + 1, f"player {state.player} has to choose; by hand: {stop}"
            options = {said(state.game.option_text(number)): number for number in state.legal}
            assert len(options) == len(state.legal)
            agree(set(options), set(stop.legal))
            state.play(options[happened])
        return happened

    result = alone(play, ask)
    assert state.is_over
    assert state.fault is None
    return result


def shares(weights: Mapping[str, int]) -> set[tuple[str, int]]:
    """Names with weights that stand in the same ratios and are as small as they can be."""
    common = gcd(*weights.values())
    return {(name, weight // common) for name, weight in weights.items()}


def agree(machine: set[T], by_hand: set[T]) -> None:
    assert machine == by_hand, f"only the machine has {machine - by_hand}; only the game by hand has {by_hand - machine}"
