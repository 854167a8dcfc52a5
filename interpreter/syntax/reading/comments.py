"""The comments of a text, and the lines that each is about.

The tree keeps the words of comments. This module gives their places, also in a file that cannot be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from ...common.source import Source, Span
from ..parsing.layout import MARKS, LogicalLine, layout, refusal


@frozen
class Comment:
    """``span``: from the ``#`` to the end of the line. ``lines``: the numbers (from 1) of the lines of the sentence that it
    stands beside, in or above; none for a comment with which the file ends."""

    span: Span
    lines: range


def comments(source: Source) -> Iterator[Comment]:
    """The comments of a text, in order."""
    if refusal(source) is not None:
        return
    sentences = sorted(_sentences(source, layout(source).lines), key=lambda lines: lines.start)
    following = 0
    for number, start in enumerate(source.line_starts, 1):
        text = source.line(number)
        mark = next((found.start() for found in MARKS.finditer(text) if found.group() == "#"), None)
        if mark is None:
            continue
        while following < len(sentences) and sentences[following].stop <= number:
            following += 1
        beside = range(number, number + 1)
        if text[:mark].strip() and (following == len(sentences) or number not in sentences[following]):
            lines = beside  # of a sentence that was left out, since it stands too deep
        else:
            lines = sentences[following] if following < len(sentences) else range(0)
        yield Comment(Span(source, start + mark, start + len(text)), lines)


def _sentences(source: Source, lines: Sequence[LogicalLine]) -> Iterator[range]:
    waiting = list(lines)
    while waiting:
        line = waiting.pop()
        waiting += line.children
        yield range(source.position(line.start)[0], source.position(line.end)[0] + 1)
