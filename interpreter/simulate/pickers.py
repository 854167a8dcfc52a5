"""How do bots choose? At random, casually, or by playing on in worlds that their seat cannot tell from the real one.

- ``random``: each legal option with the same chance (`Executor.pick`).
- ``casual``: first a verb, each one that has a legal option with the same chance; then what it takes. Where that is plain
  numbers, one near the least: the least with chance 1/2, the next with 1/4 and so on, the greatest with what is left, so that
  bids do not run away. Else each with the same chance.
- ``rollouts:N``: flat Monte Carlo. N worlds are drawn that the seat cannot tell from the real one (`play/determinise.py`); in
  each of them every legal option is tried, and the game is played to its end by random bots. The option with the greatest
  mean share of the win is taken, of several the one with the greatest mean score (of the team), of these the one with the
  lowest number. All options are tried in the same worlds, which makes their means easier to tell apart.

Every bot draws from its own seat's stream only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import assert_never

from ..machine.bitsets import select
from ..machine.columns import Columns
from ..machine.machine import Machine
from ..machine.operators import Cells
from ..machine.reference.executor import Executor, FunctionFault
from ..play.determinise import NoWorld, Worlds
from .bots import Bot
from .outcome import outcome_of

Picker = Callable[[Executor, Cells, int, Sequence[int]], int]
"""Chooses an option for a seat (from 0) that is to decide: (executor, cells, seat, all options and outcomes so far)."""


def picker_for(bot: Bot, machine: Machine) -> Picker:
    """What chooses for a bot at a table."""
    match bot.kind:
        case "random":
            return lambda executor, cells, seat, history: executor.pick(cells, seat)
        case "casual":
            return _casual(machine)
        case "rollouts":
            return _rollouts(machine, bot.playouts)
        case _:
            assert_never(bot.kind)


# ---- The casual bot


def _casual(machine: Machine) -> Picker:
    numbers = {group.base: group.of_numbers for group in machine.groups}

    def pick(executor: Executor, cells: Cells, seat: int, history: Sequence[int]) -> int:
        groups = [(base, legal) for base, legal in executor.legal_by_group(cells) if legal]
        base, legal = groups[executor.draw_below(cells, seat, len(groups))]
        count = legal.bit_count()
        if count == 1:
            index = 0  # nothing is drawn
        elif numbers[base]:
            word = executor.draw_word(cells, seat)
            index = min(trailing_ones(word), count - 1)
        else:
            index = executor.draw_below(cells, seat, count)
        return base + select(legal, index)

    return pick


def trailing_ones(word: int) -> int:
    """How many of the lowest bits are 1, before the first that is 0."""
    return (~word & (word + 1)).bit_length() - 1


# ---- The bot that plays rollouts


def _rollouts(machine: Machine, playouts: int) -> Picker:
    columns = Columns.of(machine)
    inner = Executor(machine)  # of its own: what it imagines is not counted as played

    def pick(executor: Executor, cells: Cells, seat: int, history: Sequence[int]) -> int:
        options = executor.options(cells)
        if len(options) == 1:
            return options[0]
        random = Random(executor.draw_word(cells, seat))
        worlds = Worlds(inner, history, seat)
        totals = {option: (Fraction(0), 0) for option in options}
        for _ in range(playouts):
            try:
                world = worlds.draw(random)
            except NoWorld:
                continue  # the others count
            for option in options:
                share, score = _played_on(inner, columns, list(world.cells), option, seat)
                total_share, total_score = totals[option]
                totals[option] = total_share + share, total_score + score
        return max(options, key=lambda option: (*totals[option], -option))

    return pick


def _played_on(executor: Executor, columns: Columns, cells: Cells, option: int, seat: int) -> tuple[Fraction, int]:
    """A seat's share of the win and its score (its team's) when it takes an option, and all play at random from there.

    A game that a fault stops is not won, and has no score.
    """
    try:
        stop = executor.choose(cells, option)
        while stop.node is not None:
            if stop.kind == "chance":
                stop = executor.happen(cells, executor.draw(cells))
            else:
                stop = executor.choose(cells, executor.pick(cells, executor.player(cells)))
        if stop.kind == "fault":
            return Fraction(0), 0
        found = outcome_of(executor, cells)
    except FunctionFault:
        return Fraction(0), 0
    return columns.share(found.wins[seat]), found.team_scores[seat]
