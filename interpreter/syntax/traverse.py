"""The lines under a line of the tree."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import fields

from . import tree


def lines_within(node: object) -> Iterator[tree.Line]:
    """A line and all lines below it, in the order of the file; also of a tuple of lines."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(reversed(item))
        elif isinstance(item, tree.Line):
            yield item
            stack.extend(getattr(item, field.name) for field in reversed(fields(type(item))))
