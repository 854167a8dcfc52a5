"""What each word of a file is, for an editor that colours by meaning."""

from __future__ import annotations

from typing import Final, Literal

from attrs import frozen

from ..common.source import Span
from ..syntax.parsing.sentence import taken
from ..syntax.reading.comments import comments
from ..syntax.reading.notes import words_and_text
from .names import Sort
from .workspace import Document

Colour = Literal[
    "keyword", "comment", "string", "number", "class", "enum", "enumMember", "property", "variable", "parameter", "function"
]
PLAIN: Final = frozenset({"keyword", "comment", "string", "number"})  # what can be told without knowing any names

# As editors call the things of programs that are most like ours, so that every theme has a colour for them.
_OF_SORTS: Final[dict[Sort, Colour]] = {
    "game": "class", "option": "parameter", "list": "enum", "kind": "class", "attribute": "property", "zone": "variable",
    "counter": "variable", "marker": "variable", "table": "function", "column": "property", "define": "function",
    "phase": "function", "step": "function", "score term": "property", "variant": "class", "word": "enumMember",
    "point": "enumMember", "act": "function", "player": "parameter", "name": "parameter",
}  # fmt: skip


@frozen
class Coloured:
    """Some text of one line. ``declares``: a name where it is declared."""

    span: Span
    colour: Colour
    declares: bool = False


def colours(document: Document) -> list[Coloured]:
    """The coloured parts of a file, in its order; none overlaps another or goes over a line end."""
    source = document.source
    found = {
        each.span.start: Coloured(each.span, _OF_SORTS[each.symbol.sort], each.declares)
        for each in document.names.in_file(source.path)
    }
    for sentence in document.parsed.sentences:
        for part in taken(sentence.words, sentence.start):
            words = sentence.words[part.first : part.first + part.count]
            if part.is_keyword:
                for word in words:
                    if word.shape in ("word", "number"):
                        colour: Colour = "keyword" if word.shape == "word" else "number"
                        found.setdefault(word.start, Coloured(Span(source, word.start, word.end), colour))
            elif part.terminal in ("NUMBER", "STRING"):
                colour = "number" if part.terminal == "NUMBER" else "string"
                found[words[0].start] = Coloured(Span(source, words[0].start, words[0].end), colour)
    for note in document.parsed.tree.notes if document.parsed.tree is not None else ():
        said, text = words_and_text(note)
        found[said.start], found[text.start] = Coloured(said, "keyword"), Coloured(text, "string")
    for comment in comments(source):
        found[comment.span.start] = Coloured(comment.span, "comment")
    result: list[Coloured] = []
    for start in sorted(found):
        if not result or start >= result[-1].span.end:
            result.append(found[start])
    return result
