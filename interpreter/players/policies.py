"""The policies of bots: random, casual, or by a thought about worlds that their seat cannot tell from the real one.

- ``random``: each legal option with the same chance (`Executor.pick`).
- ``casual``: first a verb, each one that has a legal option with the same chance; then its arguments. If these are plain numbers,
  one near the least: the least with chance 1/2, the next with 1/4 and so on, the greatest with what is left, so that bids do not
  run away. Otherwise each with the same chance.
- ``rollouts:N``: every legal option is tried in N worlds that the seat cannot tell from the real one, and the best is taken
  (`rollouts.py`).
- ``search:N``: a search of N iterations in a tree of information sets (`search.py`).

With a single option a bot that thinks draws nothing, otherwise the seed of the thought.

Every bot draws from its own seat's stream only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import assert_never

from ..machine.bitsets import select, trailing_ones
from ..machine.machine import Machine
from ..machine.operators import Cells
from ..machine.reference.executor import Executor
from .bots import Bot
from .reference_table import OnCells

Policy = Callable[[Executor, Cells, int, Sequence[int]], int]
"""Chooses an option for a seat (from 0) that is to decide: (executor, cells, seat, all options and outcomes so far).

Threads may share one.
"""


def policy_for(bot: Bot, machine: Machine) -> Policy:
    """What chooses for a bot of rulesrun at a table; for players from outside see `play.bots.outside.policy_of`."""
    match bot.kind:
        case "random":
            return lambda executor, cells, seat, history: executor.pick(cells, seat)
        case "casual":
            return _casual(machine)
        case "rollouts" | "search":
            return _thinking(machine, bot)
        case "python":
            raise ValueError("a player from outside needs the whole game: see `play.bots.outside.policy_of`")
        case _:
            assert_never(bot.kind)


# ---- The casual bot


def _casual(machine: Machine) -> Policy:
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


# ---- Bots that think


def _thinking(machine: Machine, bot: Bot) -> Policy:
    thoughts, turn = OnCells(machine), Lock()

    def pick(executor: Executor, cells: Cells, seat: int, history: Sequence[int]) -> int:
        options = executor.options(cells)
        if len(options) == 1:
            return options[0]
        seed = executor.draw_word(cells, seat)
        with turn:
            return thoughts.option(cells, history, seat, bot, seed)

    return pick
