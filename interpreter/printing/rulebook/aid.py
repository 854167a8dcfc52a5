"""A player aid: what one looks up during a game, on one page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import evolve, frozen

from ...common.nouns import counted, listed
from ...words.words import Words
from ..components.pdf import content_of, laid_out
from .html import html
from .telling.book import Block, Book, Chapter, Grid, Item, Key, Picture, Section, items_of

KEPT: Final[tuple[Key, ...]] = ("setup", "play", "scoring", "tables")
SIZES: Final = (9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5)  # points of letters; the largest with which all has room on the page
DEPTHS: Final = (9, 5, 4, 3, 2, 1)  # how many lists lie in one another at most; fewer where there is no room
_LONG: Final = 14  # rows of a table that is left out where there is no room for the lists alone
_STYLE: Final = """
@page { size: A4; margin: 9mm; @bottom-center { content: none } }
@media print { html { font-size: %gpt; line-height: 1.3 }
body { columns: 2; column-gap: 7mm; font-size: 1rem }
h1 { column-span: all; font-size: 1.6rem; margin: 0 }
h2 { font-size: 1.2rem; margin: 0.6rem 0 0.2rem; padding: 0; border-bottom-width: 1px }
h3 { font-size: 1rem; margin: 0.4rem 0 0.1rem }
p, ul, ol { margin: 0.1rem 0 }
ul, ol { padding-left: 1.1rem }
li { margin: 0 }
table { margin: 0.2rem 0 0.4rem }
.version { display: none } }
"""


def aid_of(book: Book, words: Words) -> Book:
    """The chapters of a book that belong on a player aid. The notes stay; stories, pictures, the index and the words go.

    Of variants that are not in play, none is told.
    """
    chapters = tuple(_shorter(chapter) for chapter in book.chapters if chapter.key in KEPT)
    subtitle = words.phrase("{game}: {variants}", game=book.title, variants=book.subtitle) if book.subtitle else book.title
    kept = tuple(chapter for chapter in chapters if chapter.sections)
    return evolve(book, title=words.phrase("Player aid"), subtitle=subtitle, chapters=kept, index=(), look="")


@frozen
class Fitted:
    """A player aid as PDF. ``left_out``: for what there was no room, in words ("": all is there)."""

    content: bytes
    left_out: str


def aid_pdf(aid: Book, words: Words) -> Fitted:
    """A player aid as PDF, on one page of A4 in two columns.

    The letters are as large as they can be. Where even the smallest are too large, the innermost lists are left out, one level
    after another, then long tables, and in the end what does not stand on the first page. Raises `RulesError` where WeasyPrint or
    what it needs is not installed, or no font has a letter.
    """
    made: Any = None
    shorter = aid
    for shorter in _levels(aid):
        made = _rendered(shorter, words, SIZES[-1])
        if len(made.pages) == 1:
            low, high = 0, len(SIZES) - 1  # the first size that fits lies between them
            while low < high:
                middle = (low + high) // 2
                tried = _rendered(shorter, words, SIZES[middle])
                if len(tried.pages) == 1:
                    made, high = tried, middle
                else:
                    low = middle + 1
            break
    return Fitted(content_of(made.copy(made.pages[:1])), _left_out(aid, shorter, len(made.pages) - 1))


def _left_out(aid: Book, shorter: Book, pages: int) -> str:
    """What an aid has and a shorter one has not. ``pages``: of the shorter one that are not printed."""
    fewer = sum(1 for _ in items_of(aid)) - sum(1 for _ in items_of(shorter))
    kept = _tables(shorter)
    tables = [table.title or listed(list(filter(None, table.head)), "by") for table in _tables(aid) if table not in kept]
    return listed(
        [
            *([f"{counted(fewer, 'sentence')} that stand under others"] if fewer else []),
            *([f"the long tables ({', '.join(tables)})"] if tables else []),
            *([f"all after the first page ({counted(pages, 'page')})"] if pages else []),
        ]
    )


def _tables(aid: Book) -> list[Grid]:
    sections = (section for chapter in aid.chapters for section in chapter.sections)
    return [block for section in sections for block in section.blocks if isinstance(block, Grid)]


def _levels(aid: Book) -> Iterator[Book]:
    """The aid with less and less detail."""
    for depth in DEPTHS:
        yield _cut(aid, depth, True)
    yield _cut(aid, 1, False)


def _rendered(aid: Book, words: Words, size: float) -> Any:
    return laid_out(html(aid, words, with_rules=False, style=_STYLE % size))


def _shorter(chapter: Chapter) -> Chapter:
    sections = []
    for section in chapter.sections:
        blocks = tuple(
            block
            for block in section.blocks
            if not isinstance(block, Picture) and not (isinstance(block, Item) and (block.story or chapter.key == "setup"))
        )
        if blocks:
            sections.append(Section(section.heading, blocks, section.name, section.span))
    return evolve(chapter, sections=tuple(sections))


def _cut(aid: Book, depth: int, tables: bool) -> Book:
    """The aid with lists of so many levels; without ``tables``, long ones are left out."""

    def block(each: Block) -> Block:
        return _flat(each, depth + (each.text == "")) if isinstance(each, Item) else each

    def section(each: Section) -> Section:
        kept = (one for one in each.blocks if tables or not isinstance(one, Grid) or len(one.rows) <= _LONG)
        return evolve(each, blocks=tuple(map(block, kept)))

    chapters = (evolve(chapter, sections=tuple(map(section, chapter.sections))) for chapter in aid.chapters)
    return evolve(aid, chapters=tuple(chapters))


def _flat(item: Item, depth: int) -> Item:
    return evolve(item, below=tuple(_flat(each, depth - 1) for each in item.below) if depth > 1 else ())
