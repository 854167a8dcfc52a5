"""Bad arguments for the Python API, and the errors that name them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from itertools import count
from types import MappingProxyType
from typing import Any

import rulesrun
from hypothesis import strategies as st
from rulesrun.interpreter.play.game import Event

SAID: tuple[type[Exception], ...] = (rulesrun.ArgumentError, rulesrun.IllegalMove, rulesrun.RulesError, rulesrun.NoWorld)


class Unshowable:
    """What not even a message can show."""

    def __repr__(self) -> str:
        raise RuntimeError


NOTHING: list[Any] = ["", b"", [], (), {}, set(), frozenset(), bytearray(), memoryview(b""), MappingProxyType({}), iter(())]
HUGE: list[Any] = [10**30, -(10**30), 10**5000, 2**63, 2**64, -1, 1e308, float("nan"), float("inf"), Decimal("NaN")]
OTHER: list[Any] = [
    True,
    False,
    1.0,
    1j,
    Fraction(1),
    Decimal(1),
    object(),
    Unshowable(),
    [Unshowable()],
    None,
    ...,
    {1},
    {"a": 1},
]
LONG: list[Any] = [
    "x" * 100_000,
    "\0",
    "\ud800",
    b"\xff" * 100,
    [[]],
    [None],
    [1],
    ["a"],
    {"": ""},
    {None: 1},
    [b"a"],
    [("a", 1)],
]

JUNK = st.one_of(
    st.sampled_from([*NOTHING, *HUGE, *OTHER, *LONG]),
    st.builds(count),  # which never ends
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.lists(st.one_of(st.integers(), st.text(max_size=3)), max_size=3),
    st.dictionaries(st.text(max_size=3), st.one_of(st.integers(), st.text(max_size=3), st.none()), max_size=2),
    st.builds(Event, st.sampled_from(["act", "x"]), st.integers(), st.integers(), st.just("a"), st.just(0), st.none()).map(
        lambda e: [e]
    ),
)


@contextmanager
def may_be_refused() -> Generator[None]:
    """Here one of the documented errors may be raised, and it says something."""
    try:
        yield
    except SAID as said:
        if not str(said):
            raise AssertionError("an error without a word") from said
