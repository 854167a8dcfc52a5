"""Lays out rules in the one style: the same sentences and comments, in the layout of the shipped games.

The text is cut into sentences as the parser cuts it (`syntax/parsing/layout.py`), and each is written anew (`sentences.py`) with
the gaps between them (`gaps.py`) and aligned columns (`columns.py`). The result depends on words, comments, empty lines and where
a sentence continues below, and on no other space: so laying it out again changes nothing. Only layout changes; no word is added,
left out or moved, and no line is broken or joined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..common.diagnostics import Diagnostic, fault
from ..common.display import width
from ..common.files import SIZE_LIMIT, text_of
from ..common.rewrite import Rewrite
from ..common.source import Source, Span
from ..syntax.lines.reader import MAX_LINE
from ..syntax.parsing.layout import layout, refusal
from ..syntax.reading.from_text import parse
from .columns import set_in_columns
from .gaps import gaps
from .sentences import LEVEL, Sentence, Written, dashes_of, sentences

# From 0: where the comment begins at the end of a line that leaves two spaces before it; else some levels further.
COMMENT_COLUMN: Final = 53

_TABS: Final = re.compile(r"^\t+(?=\S)", re.M)
_SPACES: Final = re.compile(r"^\t*[^\S\n\t][^\S\n]*\S", re.M)  # at the left of a line that is not empty


def laid_out(source: Source) -> str | tuple[Diagnostic, ...]:
    """The text in the one style, with `\\n` as line ends; or the faults that keep it from being read."""
    parsed = parse(source)
    if [d.code for d in parsed.diagnostics] == ["R104"] and not _SPACES.search(source.text):
        # Indented by tabs alone: there is no doubt what is meant, as there is where some count a tab as eight.
        source = Source(source.path, _TABS.sub(lambda tabs: " " * LEVEL * len(tabs.group()), source.text))
        parsed = parse(source)
    if parsed.tree is None or parsed.diagnostics:
        return parsed.diagnostics
    found = sentences(source, layout(source).lines, dashes_of(parsed.tree))
    between = gaps(source, found)
    set_in_columns(found, {sentence.line.start for sentence, gap in zip(found, between[:-1], strict=True) if gap.parts})
    lines: list[Written] = []
    for sentence, gap, following in zip(found, between, between[1:], strict=False):
        lines += gap.lines
        lines += sentence.written
        lines[-1].comment = following.behind
    lines += between[-1].lines
    text = "".join(_line(line) for line in lines)
    grown = _grown_too_large(source, found, text)
    return text if grown is None else (grown,)


def _grown_too_large(source: Source, found: Sequence[Sentence], text: str) -> Diagnostic | None:
    """What is wrong when the text in the one style is too large to be read; what people write never comes to that."""
    for sentence in found:
        *others, last = sentence.written
        length = sum(len(_line(line)) for line in others) + len(last.text)
        if length > MAX_LINE:
            return fault(
                "R005",
                f"this line would be {length:,} characters long in the one style",
                Span(source, sentence.line.start, sentence.line.start + 1),
                help=f"at most {MAX_LINE:,} are read; a long table can stand in rows underneath",
            )
    # Lines may end with two bytes.
    if refusal(Source(source.path, text)) or len(text.encode()) + text.count("\n") > SIZE_LIMIT:
        return fault("R003", f"`{source.path}` would be too large to be read in the one style", help="nothing is changed in it")
    return None


def _line(line: Written) -> str:
    if line.comment is None:
        return f"{' ' * line.indent}{line.text}".rstrip() + "\n"
    text = " " * line.indent + line.text
    if line.text:
        room = COMMENT_COLUMN - width(text)
        text += " " * (room if room >= 2 else 2 + (room - 2) % LEVEL)
    return f"{text}{line.comment}\n"


def in_one_style(name: str, content: bytes) -> Rewrite | tuple[Diagnostic, ...]:
    """A file of rules in the one style, or the faults that keep it from being read."""
    source = text_of(name, content)
    if isinstance(source, Diagnostic):
        return (source,)
    text = laid_out(source)
    return Rewrite.to(text, name, content) if isinstance(text, str) else text
