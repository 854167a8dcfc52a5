"""The lines of the rules on which a thing is written, without comments and layout, each with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from attrs import evolve, frozen

from ..common.nouns import listed
from ..common.source import Source, Span

_PIECES = re.compile(r'"[^"]*"?|#.*|\s+|[^"#\s]+')


@frozen
class Written:
    """A line, or a part of one. ``number``: of the line, from 1. ``depth``: spaces by which it is indented below the first
    line of its thing."""

    path: str
    number: int
    depth: int
    text: str

    @property
    def place(self) -> str:
        return f"{self.path}:{self.number}"


Lines = tuple[Written, ...]


def plain(text: str) -> str:
    """A line without its comment, one space where there are several; a text in quotes stays as it is."""
    pieces = (piece for piece in _PIECES.findall(text) if not piece.startswith("#"))
    return "".join(" " if piece.isspace() else piece for piece in pieces).strip()


def part(span: Span) -> Written:
    """The part of a line that a span covers."""
    return Written(span.source.path, span.line, 0, plain(span.text))


def block(span: Span) -> Lines:
    """The line on which a span begins, and what stands under it."""
    source = span.source
    first = _indent(source, span.line)
    found = [_line(source, span.line, 0)]
    for number in range(span.line + 1, len(source.line_starts) + 1):
        text = plain(source.line(number))
        if not text:
            continue
        depth = _indent(source, number) - first
        if depth <= 0 and text[0] not in ")]":
            break
        found.append(_line(source, number, max(depth, 0)))
    return tuple(found)


def _line(source: Source, number: int, depth: int) -> Written:
    return Written(source.path, number, depth, plain(source.line(number)))


def _indent(source: Source, number: int) -> int:
    text = source.line(number)
    return len(text) - len(text.lstrip())


def under(lines: Lines) -> Lines:
    """What stands under the first line, or behind its colon, as lines of their own."""
    head, *others = lines
    if not others:
        return (evolve(head, text=head.text.partition(": ")[2]),)
    least = min(line.depth for line in others)
    return tuple(evolve(line, depth=line.depth - least) for line in others)


def deeper(lines: Lines, depth: int) -> Lines:
    return tuple(evolve(line, depth=line.depth + depth) for line in lines)


def with_head(lines: Lines, change: Callable[[str], str]) -> Lines:
    """The lines with the text of the first changed."""
    return (evolve(lines[0], text=change(lines[0].text)), *lines[1:])


def number_of_players(counts: Iterable[int]) -> str:
    """``2 to 4 players``, ``2 and 4 players``."""
    found = list(counts)
    if not found:
        return "no number of players"
    if found == list(range(found[0], found[-1] + 1)) and len(found) > 2:
        said = f"{found[0]} to {found[-1]}"
    else:
        said = listed([str(count) for count in found])
    return f"{said} player{'' if found == [1] else 's'}"
