"""Checks the arguments of callers in Python: whole numbers, seeds, seats, tables; for the API and for all adapters.

Whole numbers are those of Python and of numpy, as far as 64 bits hold them. Truth values, floats and texts are not accepted as
numbers, even if they could be converted. An argument that does not fit raises `ArgumentError`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from operator import index
from pathlib import Path
from random import Random
from typing import Any

NAMES_LIMIT = 1000  # of a list of names: nobody has so many players or variants
LARGEST = 1 << 64  # no number that is asked for is larger
SHOWN = 60  # signs of what was given


class ArgumentError(ValueError, TypeError):
    """An argument that a call cannot take: it is of another type, out of range, or of another table."""


def shown(value: object) -> str:
    """What was given, in a message: shortened, whatever it is."""
    try:
        text = repr(value)
    except Exception:  # a number of thousands of digits, or a class with a fault of its own
        text = f"this {type(value).__name__}"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def whole(value: Any) -> int | None:
    """A whole number as Python's own; None for everything else."""
    try:
        found = None if isinstance(value, bool) else index(value)
    except TypeError:
        return None
    return found if found is not None and abs(found) <= LARGEST else None


def whole_given(value: object, what: str) -> int:
    """ArgumentError for what is no whole number. ``what``: a plain noun, with its article."""
    found = whole(value)
    if found is None:
        raise ArgumentError(f"{what} is a whole number, not {shown(value)}")
    return found


def truth_given(value: object, what: str) -> bool:
    """ArgumentError for what is neither True nor False."""
    if isinstance(value, bool):
        return value
    if getattr(getattr(value, "dtype", None), "kind", "") == "b" and getattr(value, "ndim", None) == 0:
        return bool(value)  # numpy's own
    raise ArgumentError(f"{what} is True or False, not {shown(value)}")


def text_given(value: object, what: str) -> str:
    """ArgumentError for what is no text."""
    if not isinstance(value, str):
        raise ArgumentError(f"{what} is a text, not {shown(value)}")
    return value


def function_given(value: Any, what: str) -> Any:
    """ArgumentError for what cannot be called."""
    if not callable(value):
        raise ArgumentError(f"{what} is a function, not {shown(value)}")
    return value


def path_given(path: object) -> str | Path:
    """ArgumentError for what names no file."""
    if isinstance(path, str | Path):
        return path
    if isinstance(path, os.PathLike) and isinstance(named := os.fspath(path), str):
        return named
    raise ArgumentError(f"a path is a text or a `Path`, not {shown(path)}")


def seed_given(seed: object) -> int:
    """ArgumentError for what is no seed."""
    return _word(seed, "a seed")


def game_number_given(number: object) -> int:
    """ArgumentError for what is no number of a game under a seed."""
    return _word(number, "the number of a game")


def _word(value: object, what: str) -> int:
    found = whole(value)
    if found is None or not 0 <= found < 1 << 64:
        raise ArgumentError(f"{what} is a whole number from 0 to 2**64 - 1, not {shown(value)}")
    return found


def seat_given(seat: object, seats: int, first: int) -> int:
    """A seat, counted from ``first``. ArgumentError where there is none."""
    found = whole(seat)
    if found is None or not first <= found < first + seats:
        here = "" if first else " here"  # where others count from 0
        told = shown(seat) if found is None else found
        raise ArgumentError(f"seats go from {first} to {first + seats - 1}{here}; there is no seat {told}")
    return found


def option_given(option: object, options: int) -> int:
    """The number of an option. ArgumentError for one that the game does not have."""
    found = whole_given(option, "an option")
    if not 0 <= found < options:
        raise ArgumentError(f"the game has {options} options, so no option {found}")
    return found


def random_given(random: object) -> Random:
    """ArgumentError for what is no source of random numbers of Python's own."""
    if not isinstance(random, Random):
        raise ArgumentError(f"random is a `random.Random`, as in `Random(1)`, not {shown(random)}")
    return random


def tries_given(tries: object) -> int:
    """ArgumentError for what is no whole number from 1."""
    found = whole(tries)
    if found is None or found < 1:
        raise ArgumentError(f"tries are a whole number from 1, not {shown(tries)}")
    return found


def bytes_given(data: object, size: int | None = None) -> bytes:
    """ArgumentError for what are no bytes, or not so many."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ArgumentError(f"the bytes of `State.to_bytes` are needed, not {shown(data)}")
    found = bytes(data)
    if size is not None and len(found) != size:
        raise ArgumentError(f"a record of this game has {size} bytes, not {len(found)}")
    return found


def listed(values: object, limit: int, each: Callable[[object], bool], what: str) -> list[Any]:
    """What stands in a list, or comes one by one; ArgumentError for a text, bytes, a dictionary, and where something in it is not
    what it should be, or there is more than anybody has."""
    if isinstance(values, Iterable) and not isinstance(values, (str, bytes, bytearray, memoryview, Mapping)):
        try:
            found = list(islice(values, limit + 1))
        except TypeError:  # an array of no dimension
            found = [values]
        if len(found) <= limit and all(each(value) for value in found):
            return found
    raise ArgumentError(f"{what}, not {shown(values)}")


def players_given(players: object) -> int | None:
    """How many players; None stays None. ArgumentError for what is no number."""
    return None if players is None else whole_given(players, "players")


def names_given(names: object, what: str) -> tuple[str, ...]:
    """A list of names. ``what``: of what. ArgumentError for one text, and for what is no list of texts."""
    return tuple(listed(names, NAMES_LIMIT, lambda name: isinstance(name, str), f"{what} are a list of names"))


def seats_given(seats: object, players: int) -> tuple[str, ...]:
    """The players' names; of none, they are called by their number. ArgumentError unless each has one of its own."""
    names = names_given(seats, "seats")
    if names and (len(names) != players or len(set(names)) != players or not all(name.strip() for name in names)):
        raise ArgumentError(f"seats are {players} different names, one for each player, not {shown(list(names))}")
    return names


def options_given(options: object) -> dict[str, str | int | bool]:
    """Values of options by name; None is nothing. ArgumentError for anything else."""
    if options is None:
        return {}
    if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
        raise ArgumentError(f"options are values by name, as in {{'jokers': True}}, not {shown(options)}")
    return {name: _value(name, value) for name, value in options.items()}


def _value(name: str, value: object) -> str | int | bool:
    found = value if isinstance(value, str | bool) else whole(value)
    if found is None:
        raise ArgumentError(f"an option is a number, True or False, or a word: `{name}` cannot be {shown(value)}")
    return found
