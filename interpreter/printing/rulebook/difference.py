"""What differs between two rulebooks: sentences and rows of tables, as their readers see them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...common.rewrite import Matcher
from ...play.page import Line, Page
from ...words.words import ENGLISH, Words
from .telling.book import Block, Book, Grid, Item
from .telling.names import STRONG, WEAK


def sentences(book: Book) -> list[tuple[str, str]]:
    """All sentences of a book, each behind the title of its chapter; a row of a table is one sentence."""
    return [
        (chapter.title, text)
        for chapter in book.chapters
        if chapter.key != "example"
        for section in chapter.sections
        for text in (*([section.heading] if section.heading else []), *(t for block in section.blocks for t in _said(block)))
    ]


def _said(block: Block) -> Iterator[str]:
    match block:
        case Item():
            if block.text:
                yield re.sub(f"[{STRONG}{WEAK}]", "", block.text)
            for each in block.below:
                yield from _said(each)
        case Grid():
            yield from (" | ".join(row) for row in (block.head, *block.rows))
        case _:
            return


def difference(first: Book, second: Book) -> list[tuple[str, str, str]]:
    """What differs: a chapter, ``-`` or ``+``, and a sentence that only the first or only the second book has there."""
    old, new = sentences(first), sentences(second)
    found: list[tuple[str, str, str]] = []
    for tag, start, end, new_start, new_end in Matcher(old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            found += [(chapter, "-", text) for chapter, text in old[start:end]]
            found += [(chapter, "+", text) for chapter, text in new[new_start:new_end]]
    return found


def page(first: Book, second: Book, sides: tuple[str, str], words: Words = ENGLISH) -> Page:
    """The difference to be read, chapter by chapter. ``words``: of the language of both."""
    lines = [Line("title", first.title), Line("gone", f"- {sides[0]}"), Line("come", f"+ {sides[1]}")]
    found = difference(first, second)
    if not found:
        return (*lines, Line("round", words.phrase("No sentence of the rulebook differs")))
    chapter = ""
    for title, sign, text in found:
        if title != chapter:
            lines.append(Line("round", title))
            chapter = title
        lines.append(Line("gone" if sign == "-" else "come", f"{sign} {text}"))
    return tuple(lines)
