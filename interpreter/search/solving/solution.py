"""Solves a small game: its size, the returns of uniform play and of the best answer to it, and its value.

A game of perfect information is walked by its states and solved by backward induction; any other is walked by its histories, and
CFR+ finds its value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf, isinf, log10
from threading import current_thread, main_thread
from time import monotonic

from attrs import frozen

from ...common.deadline import OutOfTime, deadline, too_long
from ...common.diagnostics import RulesError, fault
from ...play.game import Game
from ...simulate.engines.engine import EngineName
from . import induction, regret
from .histories import TooLarge, Walked, guessed_ends, walk
from .regret import Value
from .sequences import Sequences
from .states import CHANCE, OVER, States, states_of

LIMIT = 5_000_000  # states or histories; each takes some two hundred bytes
STEP = 1.5  # seconds that a single step may take beyond the time that there is
HOPELESS = 10  # a game that is guessed so many times larger than that is not begun with


@frozen
class Solution:
    """``chance``, ``decisions``, ``ends``: histories, which lead to so many ``states``.

    ``value``: to the first player, exact where it is a fraction; None: ``why_no_value``.
    """

    game: Game
    chance: int
    decisions: int
    ends: int
    states: int
    information_states: tuple[int, ...]
    uniform_values: tuple[float, ...]
    nash_conv: float
    value: Value | Fraction | None
    why_no_value: str


def solution(game: Game, engine: EngineName, seconds: float, accuracy: float) -> Solution:
    """Solve a game in so many seconds; to ``accuracy``, if they are enough.

    Raises `RulesError`: R830 where it is too large, R833 where play goes round, R820 where a step takes too long.
    """
    until = monotonic() + seconds

    def go_on() -> bool:
        return monotonic() < until

    guessed = inf
    walked: Walked | None = None
    try:
        with deadline(seconds + STEP if current_thread() is main_thread() else None):
            states = states_of(game, engine, LIMIT, go_on)
            if states is None:
                guessed = guessed_ends(game, engine, go_on)
                if guessed > HOPELESS * LIMIT:
                    raise _too_large(_about(guessed))
                walked = walk(game, engine, LIMIT, go_on)
        if states is not None:
            return _of_states(game, states)
    except OutOfTime as late:
        raise RulesError([too_long("one step of the game", seconds, late.where)]) from None
    except TooLarge as left_off:
        over = "" if go_on() else f", when {seconds:g} s were over"
        size = _about(guessed) if left_off.ends < guessed < inf else f"{left_off.ends:,} of them are ends"
        told = f"left off after {left_off.count:,} {left_off.what}{over}; {size}"
        in_time = go_on() or LIMIT < guessed < inf  # else more time could be enough
        raise _too_large(told, "" if in_time else "give it more time by `--max-seconds`, or ") from None
    assert walked is not None, "a game that is not walked by its states is walked by its histories"
    return _of_histories(game, walked, accuracy, go_on)


def _of_states(game: Game, states: States) -> Solution:
    """What follows from all states of a game of perfect information."""
    ways = induction.histories(states)
    counts = {
        seat: sum(each for each, who in zip(ways, states.seats, strict=True) if who == seat)
        for seat in (CHANCE, OVER, *range(game.players))
    }
    decisions = tuple(counts[seat] for seat in range(game.players))
    uniform = tuple(induction.uniform(states, seat) for seat in range(game.players))
    gained = sum(induction.best_answer(states, seat) - uniform[seat] for seat in range(game.players))
    why_not, _ = _sum_of_both(game, map(sum, states.returns.values()))
    value = None if why_not else induction.value(states)
    return Solution(game, counts[CHANCE], sum(decisions), counts[OVER], len(states), decisions, uniform, gained, value, why_not)


def _of_histories(game: Game, walked: Walked, accuracy: float, go_on: Callable[[], bool]) -> Solution:
    """What follows from all histories of a game."""
    sequences = walked.sequences
    uniform = sequences.uniform
    why_not, both = _sum_of_both(game, _sums(sequences))
    return Solution(
        game,
        walked.chance,
        walked.decisions,
        walked.ends,
        walked.states,
        tuple(len(player.before) for player in sequences.players),
        tuple(sequences.value(number, uniform) for number in range(game.players)),
        sequences.nash_conv(uniform),
        None if why_not else regret.solve(sequences, both, accuracy, go_on),
        why_not,
    )


def _sums(game: Sequences) -> Iterable[float]:
    """What all players get together, at each end."""
    for likely, *pays in zip(game.ends.likely, *game.ends.pays, strict=True):
        yield sum(pays) / likely


def _sum_of_both(game: Game, sums: Iterable[float]) -> tuple[str, float]:
    """Why the game has no value that can be found here, or "" and what both players get together, at every end the same."""
    if game.players != 2:
        return "a value is worked out for two players", 0.0
    found = list(sums)
    if max(found) - min(found) > 1e-6:
        return "a value is worked out where one player gets what the other loses", 0.0
    return "", found[0]


def _too_large(told: str, first: str = "") -> RulesError:
    help = f"{first}choose a smaller table by `--players` and `--set`; `rulesrun simulate` plays games of any size"
    return RulesError([fault("R830", f"this game is too large to be solved: {told}", help=help)])


def _about(ends: float) -> str:
    if isinf(ends):
        return "it has more ends than can be counted"
    return f"it has about {ends:,.0f} ends" if ends < 1e6 else f"it has about 10^{log10(ends):.0f} ends"
