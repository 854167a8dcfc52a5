"""Finds the lines behind a number that a message names: rows for these players, options, and defines that are a number here."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..common.source import Span
from ..model.model import NUMBER, Const
from .table import Table


def figures(sentences: Iterable[Span], table: Table) -> list[tuple[Span, str]]:
    """The places on which the numbers in some sentences depend at a table, each with ``NAME is 3 here``; the nearest first."""
    found: dict[Span, str] = {}
    todo = [name for sentence in sentences for name in _names(sentence)]
    known: set[str] = set()
    while todo:
        name = todo.pop(0)
        if name in known:
            continue
        known.add(name)
        for (_, column), values in table.columns.items():
            if column == name and list(values.rows) == [table.players]:
                found.setdefault(values.rows[table.players], f"`{name}` is {values.values[table.players]} here")
        if name in table.option_spans:
            found.setdefault(table.option_spans[name], f"`{name}` is {table.option_words[name]} here")
        define = table.defines.get(name)
        if define is not None and define.value.type == NUMBER and isinstance(define.value, Const):
            found.setdefault(define.span, f"`{name}` is {define.value.value} here")
            todo += _names(define.value.span)
    return list(found.items())


def _names(sentence: Span) -> list[str]:
    return re.findall(r"\w+", re.sub(r'"[^"]*"', "", sentence.text))
