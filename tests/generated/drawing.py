"""Random draws, and the parts that generated files are made of: lines, and nouns that stand for one thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from attrs import frozen
from hypothesis import strategies as st

_Kind = TypeVar("_Kind")

Lines = list[str]


@frozen
class Noun:
    """A name that stands for one thing in the lines below: what it is called, and what sort of thing it is."""

    name: str
    sort: str


class Drawing:
    """Random choices. The first of several is the simplest, to which a failing example shrinks."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def upto(self, low: int, high: int) -> int:
        """A number ``low..high``."""
        return self.draw(st.integers(low, high))

    def pick(self, among: Sequence[_Kind]) -> _Kind:
        return among[self.draw(st.integers(0, len(among) - 1))]

    def maybe(self) -> bool:
        return self.draw(st.booleans())

    def once_in(self, n: int) -> bool:
        """True one time in so many; simpler examples have less of it."""
        return self.draw(st.integers(0, n - 1)) == n - 1


def indented(lines: Lines) -> Lines:
    """Lines one level deeper."""
    return [f"    {line}" for line in lines]
