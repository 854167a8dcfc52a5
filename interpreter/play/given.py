"""What did a caller in Python give: a whole number, a seed, a seat, a table? Checked here, for the API and for all adapters.

Whole numbers are those of Python and of numpy. A truth value is none, nor is a float or a text, whatever it could be made into.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import index
from random import Random
from typing import Any


def whole(value: Any) -> int | None:
    """A whole number as Python's own; None for everything else."""
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def seed_given(seed: object) -> int:
    """ValueError for what is no seed."""
    return _word(seed, "a seed")


def game_number_given(number: object) -> int:
    """ValueError for what is no number of a game under a seed."""
    return _word(number, "the number of a game")


def _word(value: object, what: str) -> int:
    found = whole(value)
    if found is None or not 0 <= found < 1 << 64:
        raise ValueError(f"{what} is a whole number from 0 to 2**64 - 1, not {value!r}")
    return found


def seat_given(seat: object, seats: int, first: int) -> int:
    """A seat, counted from ``first``. ValueError where there is none."""
    found = whole(seat)
    if found is None or not first <= found < first + seats:
        here = "" if first else " here"  # where others count from 0
        told = repr(seat) if found is None else found
        raise ValueError(f"seats go from {first} to {first + seats - 1}{here}; there is no seat {told}")
    return found


def random_given(random: object) -> Random:
    """TypeError for what is no source of random numbers of Python's own."""
    if not isinstance(random, Random):
        raise TypeError(f"random is a `random.Random`, as in `Random(1)`, not {random!r}")
    return random


def tries_given(tries: object) -> int:
    """ValueError for what is no whole number from 1."""
    found = whole(tries)
    if found is None or found < 1:
        raise ValueError(f"tries are a whole number from 1, not {tries!r}")
    return found


def bytes_given(data: object) -> bytes:
    """TypeError for what are no bytes."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"the bytes of `State.to_bytes` are needed, not {data!r}")
    return bytes(data)


def players_given(players: object) -> int | None:
    """How many players; None stays None. TypeError for what is no number."""
    found = whole(players)
    if found is None and players is not None:
        raise TypeError(f"players is a whole number, not {players!r}")
    return found


def names_given(names: object, what: str) -> tuple[str, ...]:
    """A list of names. ``what``: of what. TypeError for one text, and for what is no list of texts."""
    if isinstance(names, Iterable) and not isinstance(names, str):
        given = list(names)
        found = tuple(name for name in given if isinstance(name, str))
        if len(found) == len(given):
            return found
    raise TypeError(f"{what} are a list of names, not {names!r}")


def seats_given(seats: object, players: int) -> tuple[str, ...]:
    """The players' names; of none, they are called by their number. ValueError unless each has one of its own."""
    names = names_given(seats, "seats")
    if names and (len(names) != players or len(set(names)) != players or not all(name.strip() for name in names)):
        raise ValueError(f"seats are {players} different names, one for each player, not {list(names)!r}")
    return names


def options_given(options: object) -> dict[str, str | int | bool]:
    """Values of options by name; None is nothing. TypeError for anything else."""
    if options is None:
        return {}
    if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
        raise TypeError(f"options are values by name, as in {{'jokers': True}}, not {options!r}")
    return {name: _value(name, value) for name, value in options.items()}


def _value(name: str, value: object) -> str | int | bool:
    found = value if isinstance(value, str | bool) else whole(value)
    if found is None:
        raise TypeError(f"an option is a number, True or False, or a word: `{name}` cannot be {value!r}")
    return found
