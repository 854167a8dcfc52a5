"""What do environments have in common? The spaces in which observations lie, and who plays the seats that do not learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..simulate.extras import extra
from .observation import Array
from .tables import AdaptedTable

Bots = Callable[[Array, Array], Sequence[int]] | None
"""Chooses for some games at once: observations (n, width) and masks (n, options) give n options. None: at random."""

GAMES_LIMIT = 1000  # one after another, in which a learner has nothing to decide: then it never has


def space_of(table: AdaptedTable, observe: bool = True) -> Any:
    """The space of an observation: ``action_mask``, 1 for each legal option, and ``observation``, what the seat sees."""
    numpy, gymnasium = extra("numpy", "rl", "an environment"), extra("gymnasium", "rl", "an environment")
    box = gymnasium.spaces.Box
    spaces = {"action_mask": box(0, 1, (table.game.machine.options,), numpy.int8)}
    if observe:
        low, high = table.observations.limits
        spaces["observation"] = box(low, high, dtype=numpy.float32)
    return gymnasium.spaces.Dict(spaces)


def check_seat(seat: int | None, seats: int) -> None:
    """ValueError for a seat that there is not."""
    if seat is not None and not 0 <= seat < seats:
        raise ValueError(f"seats go from 0 to {seats - 1} here; there is no seat {seat}")


def check_whole(chosen: Array, count: int, who: str) -> None:
    """ValueError where options are not so many whole numbers. ``who``: in words, who brings them."""
    if chosen.shape != (count,) or chosen.dtype.kind not in "iu":
        raise ValueError(f"{who} {count} whole numbers, an action for each game")


def nothing_to_decide(table: AdaptedTable, seat: int | None) -> ValueError:
    """What to raise where a seat (None: any) decides nothing in `GAMES_LIMIT` games."""
    who = "nobody has anything" if seat is None else f"{table.game.seat_names[seat]} has nothing"
    return ValueError(f"{who} to decide in {table.game.name}: {GAMES_LIMIT} games came and went")
