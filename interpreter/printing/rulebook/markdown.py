"""A rulebook as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby

from ...common.source import Span
from ...words.words import Words
from .telling.book import Block, Book, Grid, Item, Picture
from .telling.names import STRONG, WEAK

Link = Callable[[Span], str]
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")


def markdown(book: Book, words: Words, link: Link | None = None) -> str:
    """The whole book. ``link``: the address of a line of the rules (None: no links)."""
    return "\n".join(_lines(book, words, link)).replace("\n\n\n", "\n\n").strip("\n") + "\n"


def _lines(book: Book, words: Words, link: Link | None) -> Iterator[str]:
    yield f"# {_text(book.title)}"
    yield ""
    if book.subtitle:
        yield f"*{_text(book.subtitle)}*"
        yield ""
    for chapter in book.chapters:
        yield ""
        yield f"## {_text(chapter.title)}"
        for section in chapter.sections:
            if section.heading:
                yield ""
                yield f"### {_text(section.heading)}"
            yield ""
            for block in section.blocks:
                yield from _block(block, link)
    if book.index:
        yield ""
        yield f"## {_text(words.phrase('Index'))}"
        yield ""
        for word, entries in groupby(book.index, lambda entry: entry.word):
            yield f"- {_text(word)}: {', '.join(_text(entry.heading) for entry in entries)}"
    yield ""
    yield _text(origin(book, words))


def origin(book: Book, words: Words) -> str:
    """The line that says from which rules a book is."""
    return words.phrase(
        "The rulebook, written from the rules in {file}, version {version}.", file=name_of_file(book.file), version=book.version
    )


def name_of_file(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


def _block(block: Block, link: Link | None) -> Iterator[str]:
    match block:
        case Item(text=""):
            yield from _list(block.below, block.form, "", link)
            yield ""
        case Item():
            yield from _item(block, "- ", "", link)
        case Grid():
            yield ""
            if block.title:
                yield f"**{_text(block.title)}**{_place(block.span, link)}"
                yield ""
            yield f"| {' | '.join(map(_text, block.head))} |"
            yield "|" + "---|" * len(block.head)
            for row in block.rows:
                yield f"| {' | '.join(map(_text, row))} |"
            yield ""
        case Picture():
            return


def _list(items: tuple[Item, ...], form: str, indent: str, link: Link | None) -> Iterator[str]:
    for number, item in enumerate(items, 1):
        yield from _item(item, f"{number}. " if form == "steps" else "- ", indent, link)


def _item(item: Item, mark: str, indent: str, link: Link | None) -> Iterator[str]:
    said = f"*{_text(item.text)}*" if item.story else _text(item.text)
    yield f"{indent}{mark}{said}{_place(item.span, link)}"
    yield from _list(item.below, item.form, indent + " " * len(mark), link)


def _place(span: Span | None, link: Link | None) -> str:
    return "" if span is None or link is None else f" [{span.line}]({link(span)})"


def _text(text: str) -> str:
    """A text in which nothing is taken for markup."""
    escaped = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return re.sub(f"{STRONG}(.*?){WEAK}", r"**\1**", escaped)
