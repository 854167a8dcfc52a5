"""Unreachable lines behind one that leaves their block (R326)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from attrs import fields

from ....common.diagnostics import Diagnostic, fault
from ....common.source import Source
from ....syntax import tree


def lines_after_the_end(whole: tree.Tree, file: Source) -> Iterator[Diagnostic]:
    """Lines that stand in a block behind one that leaves it (R326)."""
    for block in _blocks(whole):
        for line, following in pairwise(block):
            if isinstance(line, tree.End | tree.Wins | tree.BidAgain) and line.span.source == file:
                yield fault(
                    "R326",
                    "this never happens: the line above leaves before it",
                    following.span,
                    (line.span, "it leaves here"),
                    help="move it up, or remove it",
                )
                break


def _blocks(value: Any) -> Iterator[tuple[tree.Line, ...]]:
    if isinstance(value, tuple):
        if len(value) > 1 and all(isinstance(item, tree.Statement) for item in value):
            yield value
        for item in value:
            yield from _blocks(item)
    elif isinstance(value, tree.Line | tree.Tree):
        for part in fields(type(value)):
            yield from _blocks(getattr(value, part.name))
