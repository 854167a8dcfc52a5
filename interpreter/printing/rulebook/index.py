"""The index of a rulebook: its acts, places, counters, components and other names, with the sections that tell of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .telling.alphabet import alphabetical
from .telling.book import Chapter, Grid, Indexed, Item, anchor_of
from .telling.names import STRONG, WEAK

_NAMED = re.compile(f"^(?:[0-9]+ )?{STRONG}(?:[0-9]+ )?(.*?)[.:]?{WEAK}")
_WITHOUT = ("story", "players", "example", "list", "index")  # chapters in which nothing is looked up


def index_of(chapters: tuple[Chapter, ...], language: str) -> tuple[Indexed, ...]:
    """The words, in the alphabetical order of a language; one that stands in several sections is there for each of them."""
    found: dict[tuple[str, str], Indexed] = {}
    for chapter in chapters:
        if chapter.key in _WITHOUT:
            continue
        for number, section in enumerate(chapter.sections):
            heading = section.heading or chapter.title
            anchor = anchor_of(chapter, number)
            if section.heading and section.span is not None:
                found.setdefault((heading, chapter.title), Indexed(heading, chapter.title, anchor))
            for name in (name for block in section.blocks for name in _names(block)):
                word = name[:1].upper() + name[1:]
                if word != heading:
                    found.setdefault((word, heading), Indexed(word, heading, anchor))
    return tuple(sorted(found.values(), key=lambda each: alphabetical(each.word, language)))


def _names(block: object) -> Iterator[str]:
    match block:
        case Item():
            if named := _NAMED.match(block.text):
                yield named[1]
            for each in block.below:
                yield from _names(each)
        case Grid() if block.title:
            yield block.title
