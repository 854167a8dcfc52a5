"""Puts the designer's notes and stories into a book, in the places of the sentences that they explain."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from attrs import evolve

from ...common.source import Span
from ...syntax.tree import Note
from ...words.words import Words
from .telling.book import Block, Book, Chapter, Item, Section, items_of
from .telling.names import WEAK

_Line = tuple[str, int]


def with_notes(book: Book, notes: Iterable[Note], words: Words) -> Book:
    """The book with these notes. A plain note stands beside what a template says of its line; one that is written so takes the
    place of it, but not of a name. A note of a line of which no sentence tells stands with the last sentence before it."""
    items = {(item.span.source.path, item.span.line) for item in items_of(book) if item.span is not None}
    sections = {
        (part.span.source.path, part.span.line) for chapter in book.chapters for part in chapter.sections if part.span is not None
    }
    placer = _Placer(tuple(notes), words, sorted(items | sections), sections - items)
    if not placer.notes:
        return book
    chapters = tuple(evolve(chapter, sections=tuple(map(placer.section, chapter.sections))) for chapter in book.chapters)
    opening = [note for note in placer.notes if note.about is None]
    if opening:
        told = tuple(Item(words.text("note", note.text), note.span, story=note.form == "story") for note in opening)
        first = Chapter("story", words.phrase("About the game"), (Section("", told),))
        chapters = (first, *chapters)
    return evolve(book, chapters=chapters)


class _Placer:
    def __init__(self, notes: tuple[Note, ...], words: Words, lines: list[_Line], headings: set[_Line]) -> None:
        self.notes = notes
        self._words = words
        self._headings = headings  # of sections of which no sentence tells on the same line
        self._at: dict[_Line, list[Note]] = {}
        for note in notes:
            if note.about is not None:
                about = (note.about.source.path, note.about.line)
                place = bisect_right(lines, about)
                if place and lines[place - 1][0] == about[0]:
                    self._at.setdefault(lines[place - 1], []).append(note)

    def section(self, section: Section) -> Section:
        blocks: list[Block] = []
        line = None if section.span is None else (section.span.source.path, section.span.line)
        if line in self._headings:
            blocks += [self._alone(note) for note in self._of(section.span)]
        for block in section.blocks:
            if isinstance(block, Item):
                if block.text == "":
                    blocks += [self._alone(note) for note in self._of(block.span)]
                blocks.append(self.item(block))
            else:
                blocks.append(block)
        return evolve(section, blocks=tuple(blocks))

    def _of(self, span: Span | None) -> list[Note]:
        """The notes of a line; each is told once, with the first and outermost sentence of its line."""
        return [] if span is None else self._at.pop((span.source.path, span.line), [])

    def _alone(self, note: Note) -> Item:
        return Item(self._words.text("note", note.text), note.span, story=note.form == "story")

    def item(self, item: Item) -> Item:
        found = self._of(item.span) if item.text else []
        for note in found:
            text = self._words.text("note", note.text)
            if note.form == "instead":
                item = self._replaced(item, text)
            elif note.form == "note":
                item = evolve(item, text=self._beside(item.text, text))
        stories = tuple(self._alone(note) for note in found if note.form == "story")
        return evolve(item, below=(*stories, *map(self.item, item.below)))

    def _replaced(self, item: Item, text: str) -> Item:
        """The note in the place of the sentence and of what it says on its line; the name in front of it stays."""
        label, end, _ = item.text.partition(WEAK)
        said = self._words.phrase("{name}: {value}", name=label + end, value=text) if end else text
        below = tuple(each for each in item.below if each.span is None or item.span is None or each.span.line != item.span.line)
        return evolve(item, text=said, below=below)

    def _beside(self, sentence: str, text: str) -> str:
        """A sentence and a note after it; before it where the sentence leads to what stands below."""
        first, second = (text, sentence) if sentence.endswith((":", "：")) else (sentence, text)
        return self._words.phrase("{first} {second}", first=first, second=second)
