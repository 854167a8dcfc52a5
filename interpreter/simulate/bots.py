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
from typing import Literal, assert_never, get_args

from attrs import frozen

from ..diagnostics import Diagnostic, RulesError, did_you_mean, fault
from ..machine.bitsets import select
from ..machine.columns import Columns
from ..machine.machine import Machine
from ..machine.operators import Cells
from ..machine.reference.executor import Executor, FunctionFault
from ..play.determinise import NoWorld, Worlds
from ..source import Source, Span
from .outcome import outcome_of

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
