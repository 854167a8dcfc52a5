"""Notes and stories: lines that a designer writes for the readers of the rulebook, and that no rule depends on.

They are taken out of the lines of a file before these are parsed, as comments are, so that they may stand under any line and at
the left edge. A line that only looks like one stays, and is then told to be no sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from ...common.source import Source, Span
from ..parsing.layout import LogicalLine
from ..tree import Note

_NOTE: Final = re.compile(r'(note\s+instead|note|story)\s+"([^"]*)"')
_FORMS: Final[dict[str, Literal["note", "instead", "story"]]] = {"note": "note", "note instead": "instead", "story": "story"}

NOTE_WORDS: Final = tuple(_FORMS)  # with which a note or story begins


def words_and_text(note: Note) -> tuple[Span, Span]:
    """The words with which a note begins, and its text with the quotation marks."""
    source, start = note.span.source, note.span.start
    written = source.text[start : note.span.end]
    words = written.partition('"')[0]
    said = Span(source, start + len(words) - len(words.lstrip()), start + len(words.rstrip()))
    return said, Span(source, start + len(words), start + written.rindex('"') + 1)


def notes_taken(lines: list[LogicalLine], source: Source) -> tuple[Note, ...]:
    """Take the notes out of lines and of the blocks under them; the notes, in the order of the file."""
    return tuple(_taken(lines, None, source))


def _taken(lines: list[LogicalLine], about: LogicalLine | None, source: Source) -> Iterator[Note]:
    kept: list[LogicalLine] = []
    for line in lines:
        found = None if line.children or line.cut_off else _NOTE.fullmatch(line.text.strip())
        if found is None:
            kept.append(line)
            yield from _taken(line.children, line, source)
        else:
            above = None if about is None else Span(source, about.start, about.end)
            text = " ".join(found[2].split())
            yield Note(_FORMS[" ".join(found[1].split())], text, above, span=Span(source, line.start, line.end))
    lines[:] = kept
