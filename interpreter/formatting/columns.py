"""Aligns neighbouring lines in columns.

- The cells of a table, in all its rows.
- The parts behind the colon, in neighbouring lines of one sort: zones, counters, markers, attributes, tables of one line; and
  defines or lines of a score that take the same things (`of player for suit`). Lines are neighbours when no empty line and no
  block is between them. Options are sentences rather than entries of a list, and stay as they are.

A very wide part makes no column wider: it stands out of the column, and the others keep theirs.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from ..common.display import padded, width
from .sentences import Sentence, Written

WIDEST: Final = 60  # columns; half a line, and a file cannot grow without bounds


def set_in_columns(sentences: Sequence[Sentence], set_apart: Container[int]) -> None:
    """Move what stands in columns to its place. ``set_apart``: where the lines begin that follow an empty line."""
    for rows in _tables(sentences):
        cells = [row.text.split(" | ") for row in rows]
        for row, parts in zip(rows, _in_columns(cells), strict=True):
            row.text = " | ".join(parts)
    for entries in _entries(sentences, set_apart):
        heads = [entry.text.partition(": ") for entry in entries]
        for entry, parts in zip(entries, _in_columns([(f"{head}:", value) for head, _, value in heads]), strict=True):
            entry.text = " ".join(parts)


def _tables(sentences: Sequence[Sentence]) -> Iterable[list[Written]]:
    """The rows of each table: all that stand under one line."""
    tables: dict[Sentence | None, list[Written]] = {}
    for sentence in sentences:
        if len(sentence.written) == 1 and any(word.text == "|" for word in sentence.words):
            tables.setdefault(sentence.parent, []).append(sentence.written[0])
    return tables.values()


def _entries(sentences: Sequence[Sentence], set_apart: Container[int]) -> Iterator[list[Written]]:
    """Neighbouring lines of one sort."""
    number = 0

    def neighbours(sentence: Sentence) -> tuple[int, object]:
        nonlocal number
        number += sentence.line.start in set_apart
        return number, _sort(sentence)

    for (_, sort), run in groupby(sentences, neighbours):
        if sort is not None:
            yield [sentence.written[0] for sentence in run]


def _sort(sentence: Sentence) -> object:
    """What the neighbours of a line must have in common with it to stand in one column; None when it stands in none."""
    texts = [word.text for word in sentence.words]
    if ":" not in texts or sentence.line.children or len(sentence.written) > 1:
        return None
    taken = texts[1 : texts.index(":")]  # the name and what it takes, or only what it takes
    parent = sentence.parent
    above = parent and [word.text for word in parent.words]
    match above, texts[0]:
        case ((None | ["variant", *_]), "zone" | "counter" | "marker" | "table"):
            return parent, texts[0]
        case ((None | ["variant", *_]), "define"):
            return parent, tuple(taken[1:])
        case ["cards" | "tiles" | "pieces" | "dice" | "shape", *_], _:
            return parent, bool(taken)  # whether it is a marker
        case ["score", *_] | ["add", "to", "score"], _:
            return parent, tuple(taken)
    return None


def _in_columns(lines: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """The parts of each line with spaces behind all but the last, so that they begin in the same columns."""
    widths: dict[int, int] = {}
    for parts in lines:
        for column, part in enumerate(parts[:-1]):
            if width(part) <= WIDEST:
                widths[column] = max(width(part), widths.get(column, 0))
    for parts in lines:
        yield [*(padded(part, widths.get(column, 0)) for column, part in enumerate(parts[:-1])), parts[-1]]
