"""What a rulebook leaves out, and why: each line of the rules is told by a sentence of the book, or stands in this list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...common.source import Source, Span
from ...model import model as m
from ...model.show import name_of
from ...syntax.parsing.layout import LogicalLine, layout
from .telling.book import Book, Grid, LeftOut, items_of, told_by

NOTHING: Final = "no sentence tells of it"
_HEADS: Final = {
    "test": "a test is for who writes the rules",
    "game": "its name is in the title of the book",
    "title": "it is the title of the book",
    "list": "its words stand where they are used",
    "note": "it stands with the sentence that it explains",
    "story": "it stands with the sentence that it explains",
    "position": "what makes up a position is told where it is remembered",
    "extends": "what it extends is told as a part of the game",
}


def left_out(book: Book, whole: m.Model, source: Source) -> tuple[LeftOut, ...]:
    """What is left out of a book of a game: of its declarations, and of the lines of its file."""
    lines = {item.span.line for item in items_of(book) if item.span is not None and item.span.source.path == source.path}
    lines |= {node.span.line for node in told_by(book) if node.span.source.path == source.path}
    for chapter in book.chapters:
        for section in chapter.sections:
            spans = [section.span, *(block.span for block in section.blocks if isinstance(block, Grid))]
            lines |= {span.line for span in spans if span is not None and span.source.path == source.path}
    return (*_declarations(whole), *(found for line in layout(source).lines for found in _line(line, source, lines, 0)))


def _line(line: LogicalLine, source: Source, told: set[int], above: int) -> Iterator[LeftOut]:
    """A line and those below it. ``above``: the last line around it of which the book tells (0: none)."""
    span = Span(source, line.start, line.end)
    head = line.text.split()[0].rstrip(":") if line.text.split() else ""
    if span.line in told:
        above = span.line
    else:
        below = [number for each in line.children for number in _told_in(each, source, told)]
        if head in _HEADS:
            reason = _HEADS[head]
        elif above:
            reason = f"it is a part of what line {above} says"
        elif below:
            reason = f"it is said by what stands below it, from line {min(below)} on"
        else:
            reason = NOTHING
        yield LeftOut(None, span, reason)
        if head == "test":
            return
    for each in line.children:
        yield from _line(each, source, told, above)


def _told_in(line: LogicalLine, source: Source, told: set[int]) -> Iterator[int]:
    number = Span(source, line.start, line.end).line
    if number in told:
        yield number
    for each in line.children:
        yield from _told_in(each, source, told)


def _declarations(whole: m.Model) -> Iterator[LeftOut]:
    """What no reader of a rulebook asks for."""
    for each in (*whole.declarations, *(added for variant in whole.variants for added in variant.adds)):
        if isinstance(each, m.Variable) and (not each.is_written or each.form not in ("counter", "marker")):
            yield LeftOut(each, each.span, f"{name_of(each)} is kept by a construct, which tells what it is for")
        elif isinstance(each, m.Position):
            yield LeftOut(each, each.span, "what makes up a position is told where it is remembered")
