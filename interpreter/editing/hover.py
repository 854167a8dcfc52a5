"""Says what a word of a rules file is: a name with its declaration and its value, a word of the rules with its explanation."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from attrs import frozen

from ..common.nouns import counted
from ..common.source import Span
from ..syntax import tree
from ..syntax.lines.reader import Sentence
from ..syntax.parsing.sentence import taken
from ..syntax.traverse import lines_within
from ..table.table import Table
from .names import Symbol
from .reference import Entry, entry
from .tables import default_table, value_of
from .workspace import Document

LINES: Final = 12  # of a declaration that are shown


@frozen
class Hover:
    """What is shown beside a word: Markdown, and where the word stands."""

    text: str
    span: Span


def hover(document: Document, offset: int) -> Hover | None:
    """What there is to say about the word at a place; None where there is nothing."""
    found = document.names.at(document.source.path, offset)
    if found is not None:
        return Hover(about(found.symbol, document), found.span)
    return _keyword(document, offset)


def about(symbol: Symbol, document: Document) -> str:
    """A symbol in Markdown: what it is, its declaration with the comments beside it, its value at the default table."""
    title = f"**{symbol.name}**: {_kind_of_thing(symbol)}"
    parts = [title, f"```rules\n{_declaration(symbol)}\n```"]
    table = default_table(document)
    if table is not None and (value := _at_table(symbol, table)):
        parts.append(f"{value} ({counted(table.players, 'player')})")
    comment = _comment(symbol.line)
    parts += [comment] if comment else []
    return "\n\n".join(parts)


def _kind_of_thing(symbol: Symbol) -> str:
    match symbol.sort:
        case "word":
            return f"a word of {' and '.join(f'`{name}`' for name in symbol.lists)}" if symbol.lists else "a word"
        case "name":
            return "a name for the lines of this block"
        case "player":
            return "a player of this test"
        case "act":
            return "what a player can do"
        case "kind":
            return f"a kind of {symbol.line.form}" if isinstance(symbol.line, tree.Kind) else "a kind"
        case sort:
            return f"{'an' if sort[0] in 'ao' else 'a'} {sort}"


def _declaration(symbol: Symbol) -> str:
    """The lines that declare a symbol, without what is indented around them; of a long block its beginning."""
    source = symbol.line.span.source
    first = source.position(symbol.line.span.start)[0]
    last = (
        max(source.position(max(line.span.end - 1, line.span.start))[0] for line in lines_within(symbol.line))
        if isinstance(symbol.line, tree.Line)
        else first
    )
    lines = [source.line(number) for number in range(first, last + 1)]
    indent = len(lines[0]) - len(lines[0].lstrip())
    shown = [line[indent:] if line[:indent].isspace() or not indent else line for line in lines[:LINES]]
    return "\n".join([*shown, *(["..."] if len(lines) > LINES else [])])


def _comment(line: tree.Line) -> str:
    """The comment lines right above a line, as one paragraph: those behind an empty line are about something else."""
    before = list(line.comments.before)
    while before and not before[-1].strip():
        before.pop()
    own: list[str] = []
    while before and before[-1].strip() and not before[-1].startswith("----"):
        own.insert(0, before.pop().strip())
    return " ".join(own)


def _at_table(symbol: Symbol, table: Table) -> str:
    match symbol.sort:
        case "kind":
            kind = table.kind(symbol.name)
            return "" if kind is None else counted(kind.bits, "component")
        case "option" | "define" | "table" | "column":
            value = value_of(symbol.name, table)
            return "" if value is None else f"now {value}"
        case "counter":
            variable = table.variables.get(symbol.name)
            return "" if variable is None or variable.range is None else f"{variable.range.low} to {variable.range.high}"
        case "list":
            return counted(len(table.lists.get(symbol.name, ())), "word")
        case _:
            return ""


def sentence_at(sentences: Sequence[Sentence], offset: int) -> Sentence | None:
    """The line that was read at a place."""
    read = sorted((each for each in sentences if each.words), key=lambda each: each.words[0].start)
    at = bisect_right([each.words[0].start for each in read], offset) - 1
    return read[at] if at >= 0 and offset <= read[at].words[-1].end else None


@lru_cache(1_000)  # a list of what can follow asks for dozens
def about_word(phrase: str) -> str:
    """A word or phrase of the rules in Markdown, as the reference explains it; "" where it does not."""
    found = entry(phrase)
    return "" if found is None else _explained(phrase, found)


def _explained(phrase: str, found: Entry) -> str:
    text = f"**{phrase}** ({found.section})"
    text += f"\n\n{found.text}" if found.text else ""
    return text + (f"\n\n```rules\n{found.example}\n```" if found.example else "")


def _keyword(document: Document, offset: int) -> Hover | None:
    sentence = sentence_at(document.parsed.sentences, offset)
    if sentence is None:
        return None
    for part in taken(sentence.words, sentence.start):
        words = sentence.words[part.first : part.first + part.count]
        if part.is_keyword and words[0].start <= offset <= words[-1].end and any(word.shape == "word" for word in words):
            phrase = " ".join(word.text for word in words if word.shape == "word")
            found = entry(phrase, sentence.start if part.first == 0 else None)
            if found is None:
                return None
            return Hover(_explained(phrase, found), Span(document.source, words[0].start, words[-1].end))
    return None
