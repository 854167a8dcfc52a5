"""The seatings of a tournament: which bots sit at a table, and in which order.

Of b bots at a table for s seats, each line-up has every bot ``s // b`` times, and ``s % b`` of the bots once more, in every
choice of these. With more bots than seats these are all sets of s bots. A line-up sits down in every order if there are at most
`ALL` seatings in all. Otherwise it goes round the table, so that each bot still has each seat equally often.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from math import comb

from ..common.diagnostics import RulesError, fault
from ..common.source import Source, Span
from ..players.bots import Bot, bots_named

ALL = 120  # five bots in five seats; with more seatings a thousand games would be few deals
SEATINGS_LIMIT = 5_000  # each has a tally of its own

Seating = tuple[int, ...]  # the number of the bot in each seat


def contestants(texts: Sequence[str], seats: int) -> tuple[tuple[Bot, ...], tuple[Seating, ...]]:
    """The bots of a tournament, as ``--bots`` names them, and their seatings. Raises `RulesError` (R801)."""
    text = ",".join(texts)
    bots, whole = bots_named(text), Span(Source("--bots", text), 0, len(text))
    if seats < 2:
        told = "at a table for one player nobody plays against anybody"
        raise RulesError([fault("R801", told, help="choose more players: `--players 2`")])
    twice = next((bot for bot in bots if bots.count(bot) > 1), None)
    if twice is not None:
        help = "name each bot once: where there are more seats than bots, they repeat by themselves"
        raise RulesError([fault("R801", f"the bot `{twice}` is named twice", whole, help=help)])
    if len(bots) < 2:
        help = "name two or more, such as `--bots random --bots casual`"
        raise RulesError([fault("R801", "a tournament of one bot has nobody to win against", whole, help=help)])
    if comb(len(bots), seats % len(bots)) * seats > SEATINGS_LIMIT:
        told = f"{len(bots)} bots at {seats} seats are more than {SEATINGS_LIMIT:,} seatings"
        raise RulesError([fault("R801", told, whole, help="name fewer bots")])
    return bots, seatings(len(bots), seats)


def seatings(bots: int, seats: int) -> tuple[Seating, ...]:
    """All seatings of so many bots, or a fair part of them."""
    line_ups = [tuple(sorted([*range(bots)] * (seats // bots) + [*more])) for more in combinations(range(bots), seats % bots)]
    if len(line_ups) * _orders(bots, seats) <= ALL:
        return tuple(order for line_up in line_ups for order in sorted(set(permutations(line_up))))
    return tuple(line_up[turn:] + line_up[:turn] for line_up in line_ups for turn in range(seats))


def _orders(bots: int, seats: int) -> int:
    """In how many orders a line-up can sit: a multinomial coefficient."""
    each, more = divmod(seats, bots)
    found = 1
    for bot in range(bots):
        taken = each + (bot < more)
        found *= comb(seats, taken)
        seats -= taken
    return found
