"""How do bots choose? At random, casually, or by playing on in worlds that their seat cannot tell from the real one.

- ``random``: each legal option with the same chance (`Executor.pick`).
- ``casual``: first a verb, each one that has a legal option with the same chance; then what it takes. Where that is plain
  numbers, one near the least: the least with chance 1/2, the next with 1/4 and so on, the greatest with what is left, so that
  bids do not run away. Else each with the same chance.
- ``rollouts:N``: every legal option is tried in N worlds that the seat cannot tell from the real one, and the best is taken
  (`rollouts.py`). With a single option nothing is drawn, else the seed of the thought.

Every bot draws from its own seat's stream only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, assert_never, get_args

from attrs import frozen

from ..diagnostics import Diagnostic, RulesError, did_you_mean, fault
from ..machine.bitsets import select
from ..machine.machine import Machine
from ..machine.operators import Cells
from ..machine.reference.executor import Executor
from ..source import Source, Span
from .on_cells import OnCells

Kind = Literal["random", "casual", "rollouts"]
KINDS: tuple[Kind, ...] = get_args(Kind)
PLAYOUTS_LIMIT = 1_000_000  # a choice with more takes longer than anybody waits

Picker = Callable[[Executor, Cells, int, Sequence[int]], int]
"""Chooses an option for a seat (from 0) that is to decide: (executor, cells, seat, all options and outcomes so far)."""


@frozen
class Bot:
    """``playouts``: of a bot that plays rollouts, how many worlds it draws for a choice."""

    kind: Kind
    playouts: int = 0

    def __str__(self) -> str:
        return f"{self.kind}:{self.playouts}" if self.playouts else self.kind


def bots_from(text: str, seats: int) -> tuple[Bot, ...]:
    """The bots that a text such as ``random`` or ``rollouts:50,random,random`` names, one for each seat.

    Raises `RulesError` (R801) for an unknown bot and for a list that is not as long as there are seats.
    """
    source = Source("--bots", text)
    found: list[Bot] = []
    start = 0
    for part in text.split(","):
        bot = _bot(part.strip(), Span(source, start, start + len(part)))
        if isinstance(bot, Diagnostic):
            raise RulesError([bot])
        found.append(bot)
        start += len(part) + 1
    if len(found) not in (1, seats):
        told = f"these are {len(found)} bots, and there are {seats} seats"
        where = Span(source, 0, len(text))
        raise RulesError([fault("R801", told, where, help="name one bot for all seats, or one for each, in order of the seats")])
    return tuple(found) if len(found) == seats else (found[0],) * seats


def _bot(text: str, where: Span) -> Bot | Diagnostic:
    kind, colon, number = text.partition(":")
    for known in KINDS:
        if kind == known and bool(colon) == (known == "rollouts"):
            if not colon:
                return Bot(known)
            if number.isascii() and number.isdecimal() and len(number) < 12 and 1 <= int(number) <= PLAYOUTS_LIMIT:
                return Bot(known, int(number))
            told = f"`{number}` is no number of playouts"
            return fault("R801", told, where, help=f"write 1 to {PLAYOUTS_LIMIT:,}, such as `rollouts:50`")
    if kind == "rollouts":
        return fault("R801", "it is not said how many playouts", where, help="write `rollouts:50` for 50 playouts of each option")
    if kind in KINDS:
        return fault("R801", f"the bot `{kind}` takes no number", where, help=f"write `{kind}`")
    known_bots = "the bots are `random`, `casual` and `rollouts:N`"
    return fault("R801", f"there is no bot `{kind}`", where, help=did_you_mean(kind, KINDS, known_bots))


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
    thoughts = OnCells(machine)

    def pick(executor: Executor, cells: Cells, seat: int, history: Sequence[int]) -> int:
        options = executor.options(cells)
        if len(options) == 1:
            return options[0]
        seed = executor.draw_word(cells, seat)
        return thoughts.option(cells, history, seat, playouts, seed)

    return pick
