"""The common parts of environments: the spaces of observations and actions, and checks of what callers give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..common.extras import extra
from ..play.arguments import ArgumentError, shown
from .adapted_tables import AdaptedTable
from .observation import Array

Bots = Callable[[Array, Array], Sequence[int]]
"""Chooses for some games at once: observations (n, width) and masks (n, options) give n options."""

GAMES_LIMIT = 1000  # one after another, in which a learner has nothing to decide: then it never has


def check_bots(bots: object) -> None:
    """ArgumentError for what cannot play a seat."""
    if bots is not None and not callable(bots):
        raise ArgumentError(f"bots are a function of observations and masks, or None (they play at random), not {shown(bots)}")


def space_of(table: AdaptedTable, observe: bool = True) -> Any:
    """The space of an observation: ``action_mask``, 1 for each legal option, and ``observation``, what the seat sees."""
    numpy, gymnasium = extra("numpy", "rl", "an environment"), extra("gymnasium", "rl", "an environment")
    box = gymnasium.spaces.Box
    spaces = {"action_mask": box(0, 1, (table.game.machine.options,), numpy.int8)}
    if observe:
        low, high = table.observations.limits
        spaces["observation"] = box(low, high, dtype=numpy.float32)
    return gymnasium.spaces.Dict(spaces)


def actions_of(table: AdaptedTable) -> Any:
    """The space of an action. ValueError where the rules offer no choice: there is no space of nothing."""
    count = table.game.machine.options
    if not count:
        raise ValueError(f"nobody has anything to decide in {table.game.name}: its rules offer no choice at this table")
    return extra("gymnasium", "rl", "an environment").spaces.Discrete(count)


def check_no_options(options: object) -> None:
    """ArgumentError where a reset is told something: a table is chosen when an environment is made."""
    if says_something(options):
        raise ArgumentError(no_options(options))


def says_something(options: object) -> bool:
    """Whether a reset is told something: nothing is None or an empty dictionary."""
    return options is not None and options != {}


def no_options(options: object) -> str:
    """What to say where a reset is told something."""
    return f"reset has no options here: a table is chosen when the environment is made, not by {shown(options)}"


def array_of(chosen: object, who: str) -> Array:
    """What is chosen for each game, as an array. ArgumentError where it can be none. ``who``: as in `check_whole`."""
    try:
        return extra("numpy", "rl", "an environment").asarray(chosen)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{who} whole numbers, an action for each game, not {shown(chosen)}") from None


def check_whole(chosen: Array, count: int, who: str) -> None:
    """ArgumentError where options are not so many whole numbers. ``who``: in words, who brings them."""
    if chosen.shape != (count,) or chosen.dtype.kind not in "iu":
        raise ArgumentError(f"{who} {count} whole numbers, an action for each game")


def nothing_to_decide(table: AdaptedTable, seat: int | None) -> ValueError:
    """What to raise where a seat (None: any) decides nothing in `GAMES_LIMIT` games."""
    who = "nobody has anything" if seat is None else f"{table.game.seat_names[seat]} has nothing"
    return ValueError(f"{who} to decide in {table.game.name}: {GAMES_LIMIT} games came and went")
