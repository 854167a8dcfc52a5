"""Quotation marks inside quotation marks, as each language sets them: «… „…“ …», “… ‘…’ …”, 「… 『…』 …」."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from .telling.book import Block, Book, Grid, Item, Section

_INNER: Final = {"«": ("»", "„", "“"), "“": ("”", "‘", "’"), "「": ("」", "『", "』")}
"""Opening marks, each with the closing one, and the two that stand inside."""


def nested(text: str) -> str:
    """A text in which marks inside marks are the inner ones. Marks that do not fit together stay as they are."""
    for opening, (closing, inner_opening, inner_closing) in _INNER.items():
        if opening not in text or (opening == "“" and "„" in text):
            continue
        depth = 0
        found: list[str] = []
        for sign in text:
            if sign == opening:
                depth += 1
                found.append(sign if depth % 2 else inner_opening)
            elif sign == closing and depth:
                found.append(sign if depth % 2 else inner_closing)
                depth -= 1
            else:
                found.append(sign)
        if depth == 0:
            text = "".join(found)
    return text


def with_nested_quotes(book: Book) -> Book:
    """The book with the marks in all its sentences, headings and tables set right."""
    return evolve(
        book,
        chapters=tuple(evolve(each, sections=tuple(_section(part) for part in each.sections)) for each in book.chapters),
    )


def _section(section: Section) -> Section:
    return evolve(section, heading=nested(section.heading), blocks=tuple(_block(block) for block in section.blocks))


def _block(block: Block) -> Block:
    match block:
        case Item():
            return _item(block)
        case Grid():
            return evolve(block, rows=tuple(tuple(nested(cell) for cell in row) for row in block.rows))
        case _:
            return block


def _item(item: Item) -> Item:
    return evolve(item, text=nested(item.text), below=tuple(_item(each) for each in item.below))
