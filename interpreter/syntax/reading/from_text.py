"""Parses the text of a `.rules` file to a tree.

The text is cut into nested lines (`layout`); each line is parsed by the start rule of the place where it stands (`sentence`); the
lines become nodes (`reader`, with `declarations`, `statements`, `auctions` and `edits`). A line that fails yields one diagnostic
and is left out; its neighbours and its block are read all the same, so a file with ten faults gives ten messages.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from attrs import evolve, frozen

from ...common.diagnostics import Diagnostic, fault
from ...common.source import Source
from .. import tree
from ..lines import auctions, declarations, edits, statements
from ..lines.reader import Makers, Reader, Sentence
from ..parsing.layout import layout, refusal
from .notes import notes_taken

MAKERS: Final = Makers(
    leaves={**declarations.LEAVES, **statements.LEAVES, **auctions.LEAVES, **edits.LEAVES},
    heads={**declarations.HEADS, **statements.HEADS, **auctions.HEADS, **edits.HEADS},
)


@frozen
class Parsed:
    """What could be read of a file.

    ``tree``: without the lines that failed; None when nothing was there to read, or the line that says what this file extends
    failed. ``doubtful``: the words on lines that failed and in blocks skipped because of it; a name among them may well have
    been declared there. ``sentences``: all lines that were read, those that failed among them.
    """

    tree: tree.Tree | tree.Extension | None
    diagnostics: tuple[Diagnostic, ...]
    doubtful: frozenset[str]
    sentences: tuple[Sentence, ...] = ()


@lru_cache(4)  # who writes a file asks for its lines again and again, and at each key for those of the files that it extends
def parse(source: Source) -> Parsed:
    """Read a whole file. Never raises: whatever is wrong is a diagnostic."""
    if refused := refusal(source):
        return Parsed(None, (refused,), frozenset())
    arranged = layout(source)
    if not arranged.lines:
        found = fault("R004", f"`{source.path}` says nothing", help="begin with a line like `game my_game`")
        return Parsed(None, (found, *arranged.diagnostics), frozenset())
    notes = notes_taken(arranged.lines, source)
    if not arranged.lines:
        found = fault("R004", f"`{source.path}` says nothing but notes", help="begin with a line like `game my_game`")
        return Parsed(None, (found, *arranged.diagnostics), frozenset())
    reader = Reader(source, arranged.diagnostics, MAKERS)
    whole = reader.file(reader.nodes(arranged.lines, "file_line"), arranged.lines, arranged.closing)
    whole = evolve(whole, notes=notes) if whole is not None and notes else whole
    return Parsed(whole, reader.diagnostics(), frozenset(reader.doubtful), tuple(reader.sentences))
