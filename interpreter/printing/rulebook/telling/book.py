"""A rulebook as a value: chapters of sentences, lists and tables, each with the place in the rules from which it comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from attrs import frozen

from ....common.source import Span
from ....model.model import Node


@frozen
class Item:
    """A sentence, and what is said under it. ``span``: the line of the rules that says it (None: nothing of the rules does).

    ``told``: the nodes of the model that it tells. ``form``: of what stands under it. ``story``: it is there for the mood.
    """

    text: str
    span: Span | None = None
    below: tuple[Item, ...] = ()
    form: Literal["bullets", "steps"] = "bullets"
    told: tuple[Node, ...] = ()
    story: bool = False


@frozen
class Grid:
    """A table: the names of its columns, and its rows, each as long as the head. ``title``: what stands above it."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    span: Span | None = None
    told: tuple[Node, ...] = ()


@frozen
class Picture:
    """Some components as they look, drawn where the form can draw. ``kind``: their kind; ``faces``: numbers of faces.

    ``drawn``: each as HTML, in the look of `Book.look`, with its size in millimetres and what it shows. ``names``: of those that
    are shown (none: some of the kind, and its back).
    """

    kind: str
    faces: tuple[int, ...]
    text: str
    drawn: tuple[Drawn, ...] = ()
    names: tuple[str, ...] = ()


@frozen
class Drawn:
    """A component as HTML. ``width``, ``height``: of it as it is printed, in millimetres; ``letters``: of the look."""

    html: str
    width: float
    height: float
    letters: float
    text: str


Block = Item | Grid | Picture
Key = Literal[
    "story", "goal", "players", "components", "setup", "play", "end", "scoring", "example", "variants", "options", "words",
    "tables", "list", "index",
]  # fmt: skip


@frozen
class Section:
    """A part of a chapter under its own heading; ``heading`` "": the beginning of the chapter."""

    heading: str
    blocks: tuple[Block, ...]
    name: str = ""
    span: Span | None = None
    numbered: bool = False


@frozen
class Chapter:
    key: Key
    title: str
    sections: tuple[Section, ...]


@frozen
class Indexed:
    """A word of the index. ``heading``: of the section that tells of it; ``anchor``: of that section in a page."""

    word: str
    heading: str
    anchor: str


@frozen
class LeftOut:
    """Something in the rules of which the book has no sentence, and why. ``node``: of the model; None for a line."""

    node: Node | None
    span: Span
    reason: str


@frozen
class Book:
    """``version``: of the rules, as a short digest of their text. ``file``: the path of the rules. ``told_for``: the numbers of
    players for which it holds. ``index``: words, each with the heading under which it is explained and the key of its chapter.
    ``look``: the style sheet of its pictures ("": it has none)."""

    language: str
    title: str
    subtitle: str
    version: str
    file: str
    told_for: tuple[int, ...]
    chapters: tuple[Chapter, ...]
    index: tuple[Indexed, ...]
    left_out: tuple[LeftOut, ...]
    look: str = ""


def items_of(book: Book) -> Iterator[Item]:
    """All items of a book, the outer ones first."""
    todo: list[Block] = [b for chapter in book.chapters for section in chapter.sections for b in section.blocks][::-1]
    while todo:
        block = todo.pop()
        if isinstance(block, Item):
            yield block
            todo += block.below[::-1]


def anchor_of(chapter: Chapter, number: int) -> str:
    """The name of a section of a chapter in a page, by its number in it from 0; that of the chapter itself for the beginning."""
    return f"{chapter.key}-{number}" if chapter.sections[number].heading else chapter.key


def told_by(book: Book) -> Iterator[Node]:
    """The nodes of the model that a book tells."""
    for item in items_of(book):
        yield from item.told
    for chapter in book.chapters:
        for section in chapter.sections:
            yield from (node for block in section.blocks if isinstance(block, Grid) for node in block.told)
