"""The lines under a line of the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import fields

from ..common.nodes import getter
from . import tree


class _Parts(dict[type, Callable[[Any], tuple[Any, ...]] | None]):
    """For each class, what gives the fields of a line, the last one first; None for what is no line."""

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
        line = issubclass(kind, tree.Line)
        self[kind] = getter([field.name for field in reversed(fields(kind))]) if line else None
        return self[kind]


_PARTS = _Parts()


def lines_within(node: object) -> Iterator[tree.Line]:
    """A line and all lines below it, in the order of the file; also of a tuple of lines."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack += item[::-1]
        elif (parts := _PARTS[type(item)]) is not None:
            yield item  # type: ignore[misc]  # only lines have parts
            stack += parts(item)
