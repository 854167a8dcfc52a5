"""Reads a text that is being written: what stays as it was since the last time is not read anew.

The text is cut into blocks: a line at the left edge, the comments above it and what stands under it. What a block says depends on
nothing else, so the nodes of a block in which nothing is wrong are kept by its text. When the block stands elsewhere in the next
text, it is moved (`Block`), and its nodes with it. The result is equal to that of `parse`; the law of `tests/editing` holds this.

A text that does not divide in this way, by a fault of its layout, is left to `parse`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from itertools import pairwise
from typing import Final

from attrs import evolve, frozen

from ...common.diagnostics import Label
from ...common.source import Block, Source, Span
from .. import tree
from ..lines.reader import Reader, Sentence
from ..parsing.layout import Layout, LogicalLine, layout, refusal
from .from_text import MAKERS, Parsed, parse
from .notes import notes_taken

# A line that can only be the first of a block: it is not empty and no comment, and does not close what is open above.
_HEAD: Final = re.compile(r"^[^\s#)\]\ufeff]", re.MULTILINE)

_OF_ONE_BLOCK: Final = {"R005", "R103"}  # faults of the layout that say nothing about other blocks


@frozen(eq=False)
class _Read:
    """What a block was read as. ``offset``: where it stood then; the lines and sentences have the places of then.

    ``line``: None for a note.
    """

    at: Block
    offset: int
    line: LogicalLine | None
    nodes: tuple[tree.Line, ...]
    sentences: tuple[Sentence, ...]
    notes: tuple[tree.Note, ...]


class Blocks:
    """The blocks of one file as it was read last."""

    def __init__(self) -> None:
        self._kept: dict[str, list[_Read]] = {}
        self._last: tuple[Source, Parsed] | None = None

    def parse(self, source: Source) -> Parsed:
        """What `from_text.parse` makes of a text. What it made of the text before has the places of this one from now on."""
        if self._last is None or self._last[0] != source:
            self._last = source, self._parsed(source)
        return self._last[1]

    def _parsed(self, source: Source) -> Parsed:
        pieces = None if refusal(source) else _pieces(source, self._kept)
        if pieces is None:
            return parse(source)
        *blocks, (_, closing) = pieces
        reader = Reader(source, (), MAKERS)
        kept: dict[str, list[_Read]] = {}
        nodes: list[tree.Line] = []
        lines: list[LogicalLine] = []
        notes: list[tree.Note] = []
        sentences: list[Sentence] = []
        start = 0
        for text, arranged in blocks:
            is_clean = True
            if earlier := self._kept.get(text):
                read = earlier.pop()
                read.at.stands_in(source, start)
            else:  # it is new, or stands here more often than before
                before = reader.mark
                read = _read(reader, source, start, arranged or layout(Source(source.path, text)))
                is_clean = reader.mark == before
            way = start - read.offset
            sentences += (_moved(each, way) for each in read.sentences) if way else read.sentences
            if read.line is not None:
                lines.append(evolve(read.line, start=read.line.start + way, end=read.line.end + way) if way else read.line)
            nodes += read.nodes
            notes += read.notes
            if is_clean:
                kept.setdefault(text, []).append(read)
            start += len(text)
        self._kept = kept
        if not lines:
            return parse(source)  # nothing but notes
        whole = reader.file(nodes, lines, closing.closing if closing else ())
        whole = evolve(whole, notes=tuple(notes)) if whole is not None and notes else whole
        return Parsed(whole, reader.diagnostics(), frozenset(reader.doubtful), tuple(sentences))


def _read(reader: Reader, source: Source, start: int, arranged: Layout) -> _Read:
    """Read the one block of a layout, which begins at ``start``."""
    lines, at, so_far = arranged.lines, Block(source, start), len(reader.sentences)
    _shift(lines, start)
    for diagnostic in arranged.diagnostics:
        places = ((Span(source, start + each.span.start, start + each.span.end), each.text) for each in diagnostic.labels)
        reader.report(evolve(diagnostic, labels=tuple(Label(span, text) for span, text in places)))
    notes = notes_taken(lines, at)
    reader.source = at
    nodes = tuple(reader.nodes(lines, "file_line"))
    reader.source = source
    return _Read(at, start, next(iter(lines), None), nodes, tuple(reader.sentences[so_far:]), notes)


def _pieces(source: Source, known: Container[str]) -> list[tuple[str, Layout | None]] | None:
    """The texts of the blocks, and what stands below the last one, each with its layout if it is not known; None for a text that
    cannot be read block by block."""
    text = source.text
    heads = [found.start() for found in _HEAD.finditer(text)]
    if not heads or _end(text, 0, heads[0]) > 0:
        return None  # an indented line comes first
    starts = [0, *(_end(text, head, following) for head, following in pairwise((*heads, len(text))))]
    found: list[tuple[str, Layout | None]] = []
    for start, stop in pairwise(starts):
        if (piece := text[start:stop]) in known:
            found.append((piece, None))
            continue
        arranged = layout(Source(source.path, piece))
        if len(arranged.lines) != 1 or arranged.lines[0].indent or arranged.closing:
            return None
        if any(each.code not in _OF_ONE_BLOCK for each in arranged.diagnostics):
            return None
        found.append((piece, arranged))
    below = layout(Source(source.path, text[starts[-1] :]))
    return None if below.lines or below.diagnostics else [*found, ("", below)]


def _end(text: str, start: int, stop: int) -> int:
    """Behind the last line with content in a part of a text."""
    while stop > start:
        line = text.rfind("\n", start, stop - 1) + 1 or start
        content = text[line:stop].strip("\ufeff\u3000\xa0 \t\n")
        if content and content[0] != "#":
            break
        stop = line
    return stop


def _shift(lines: list[LogicalLine], way: int) -> None:
    for line in _all(lines):
        line.start += way
        line.end += way
        if line.unclosed is not None:
            line.unclosed += way


def _all(lines: list[LogicalLine]) -> Iterator[LogicalLine]:
    for line in lines:
        yield line
        yield from _all(line.children)


def _moved(sentence: Sentence, way: int) -> Sentence:
    return Sentence(sentence.base + way, sentence.from_base, sentence.start)
