"""A rulebook as one HTML page that asks no other place for anything, and as PDF."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby

from ...common.source import Source, Span
from ...words.words import Words
from ..components.pdf import pdf as printed
from .markdown import name_of_file, origin
from .telling.book import Block, Book, Drawn, Grid, Item, Picture, anchor_of, items_of
from .telling.names import STRONG, WEAK

LONG = 20  # rows of a table that is printed small
WIDE, HIGH = 30.0, 26.0  # millimetres of a picture of a component

STYLE = """
@page { size: A4; margin: 18mm 16mm; @bottom-center { content: counter(page); font-size: 9pt; color: #666 } }
html { font: 11pt/1.45 "Noto Sans", "Noto Sans CJK JP", "Noto Sans JP", "DejaVu Sans", sans-serif }
html { color: #1d1d1d; background: #fff }
body { max-width: 46rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
h1 { font-size: 2rem; margin: 0.5rem 0 0 }
h2 { border-bottom: 2px solid #b88a2d; padding-bottom: 0.2rem; margin-top: 2rem; break-after: avoid }
h3 { margin-bottom: 0.3rem; break-after: avoid }
strong { unicode-bidi: isolate }
h1, h2, h3, caption, th, td { unicode-bidi: plaintext }
.version { color: #555; font-size: 0.85rem }
li { margin: 0.15rem 0 }
table { border-collapse: collapse; margin: 0.5rem 0 1rem; font-size: 0.9rem }
caption { text-align: left; font-weight: bold; padding: 0.2rem 0 }
th, td { border: 1px solid #ccc; padding: 0.15rem 0.5rem; text-align: left }
th { background: #f4efe2 }
tr { break-inside: avoid }
a.line { font-size: 0.7rem; color: #767676; text-decoration: none; vertical-align: super }
.story { font-style: italic }
.drawn { display: inline-block; position: relative; overflow: hidden; margin: 0.8mm; vertical-align: middle }
.drawn .slot { left: 0; top: 0; transform-origin: 0 0 }
.pictures { margin: 0.3rem 0 0.8rem }
.many { columns: 2; column-gap: 2rem }
.small { display: inline-table; vertical-align: top; margin-right: 1rem }
.small td, .small th { padding: 0 0.35rem; font-size: 0.75rem }
pre { font-size: 0.75rem; overflow-x: auto }
pre span:target { background: #fff1a8 }
nav li { display: inline-block; margin-right: 1rem }
@media (prefers-color-scheme: dark) { html { background: #1b1b1b; color: #e8e6e1 }
th { background: #33302a }
th, td { border-color: #555 } }
@media print { nav, .rules { display: none }
html { background: #fff; color: #000; font-size: 10pt }
body { padding: 0; max-width: none } }
"""


def html(book: Book, words: Words, with_rules: bool = True, style: str = "") -> str:
    """The whole page. ``with_rules``: the rules stand at its end, and every sentence leads to its line there. ``style``: what
    is added to the style sheet."""
    return "\n".join(_page(book, words, with_rules, style)) + "\n"


def pdf(book: Book, words: Words) -> bytes:
    """The book as PDF, made by WeasyPrint. Raises `RulesError` where that is not installed, or no font has a letter."""
    return printed(html(book, words, with_rules=False))


def _page(book: Book, words: Words, with_rules: bool, style: str) -> Iterator[str]:
    yield "<!doctype html>"
    yield f'<html lang="{escape(book.language)}"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(book.title)}</title><style>{book.look}{STYLE}{style}</style></head><body>"
    yield f"<h1>{_text(book.title)}</h1>"
    if book.subtitle:
        yield f"<p><em>{_text(book.subtitle)}</em></p>"
    chapters = "".join(f'<li><a href="#{chapter.key}">{_text(chapter.title)}</a></li>' for chapter in book.chapters)
    yield f"<nav><ul>{chapters}</ul></nav>"
    sources = _sources(book) if with_rules else {}
    for chapter in book.chapters:
        yield f'<section id="{chapter.key}"><h2>{_text(chapter.title)}</h2>'
        for number, section in enumerate(chapter.sections):
            if section.heading:
                yield f'<h3 id="{anchor_of(chapter, number)}">{_text(section.heading)}</h3>'
            yield from _blocks(section.blocks, sources)
        yield "</section>"
    if book.index:
        yield f'<section id="index"><h2>{_text(words.phrase("Index"))}</h2><ul class="many">'
        for word, entries in groupby(book.index, lambda entry: entry.word):
            places = ", ".join(f'<a href="#{entry.anchor}">{_text(entry.heading)}</a>' for entry in entries)
            yield f"<li>{_text(word)}: {places}</li>"
        yield "</ul></section>"
    yield f'<p class="version">{_text(origin(book, words))}</p>'
    if sources:
        yield f'<section class="rules"><h2>{_text(words.phrase("The rules"))}</h2>'
        for source, name in sources.items():
            lines = source.text.split("\n")
            numbered = "\n".join(
                f'<span id="{name}{number}">{number:4}  {escape(line)}</span>' for number, line in enumerate(lines, 1)
            )
            yield f"<h3>{escape(name_of_file(source.path))}</h3><pre>{numbered}</pre>"
        yield "</section>"
    yield "</body></html>"


def _sources(book: Book) -> dict[Source, str]:
    """The files from which the book comes, each with the beginning of the names of its lines."""
    found: dict[Source, str] = {}
    for span in (item.span for item in items_of(book) if item.span is not None):
        found.setdefault(span.source, "L" if not found else f"F{len(found)}L")
    return found


def _blocks(blocks: tuple[Block, ...], sources: dict[Source, str]) -> Iterator[str]:
    opened = False
    for block in blocks:
        is_point = isinstance(block, Item) and block.text != ""
        if is_point != opened:
            yield "<ul>" if is_point else "</ul>"
            opened = is_point
        match block:
            case Item(text=""):
                yield from _list(block.below, block.form, sources)
            case Item():
                yield from _item(block, sources)
            case Grid():
                yield from _grid(block, sources)
            case Picture():
                if block.drawn:
                    yield f'<div class="pictures">{"".join(map(_drawn, block.drawn))}</div>'
    if opened:
        yield "</ul>"


def _grid(grid: Grid, sources: dict[Source, str]) -> Iterator[str]:
    """A table; a long one is small, in several parts side by side."""
    parts = 1 if len(grid.rows) <= LONG else 3 if len(grid.head) < 5 else 2
    many = -(-len(grid.rows) // parts) or 1
    if parts > 1 and grid.title:
        yield f"<p><strong>{_text(grid.title)}</strong>{_place(grid.span, sources)}</p>"
    for start in range(0, max(1, len(grid.rows)), many):
        yield "<table>" if parts == 1 else '<table class="small">'
        if parts == 1 and grid.title:
            yield f"<caption>{_text(grid.title)}{_place(grid.span, sources)}</caption>"
        if any(grid.head):
            yield f"<tr>{''.join(f'<th>{_text(cell)}</th>' for cell in grid.head)}</tr>"
        rows = grid.rows[start : start + many]
        yield from (f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>" for row in rows)
        yield "</table>"


def _drawn(drawn: Drawn) -> str:
    """A component, made smaller as a whole."""
    scale = min(1, WIDE / drawn.width, HIGH / drawn.height)
    size = f"width:{drawn.width:g}mm;height:{drawn.height:g}mm"
    names = f"--w:{drawn.width:g}mm;--h:{drawn.height:g}mm;--size:{drawn.letters:g}mm;--bleed:0mm"
    box = f"width:{drawn.width * scale:.2f}mm;height:{drawn.height * scale:.2f}mm"
    shown = f'role="img" aria-label="{escape(drawn.text)}"' if drawn.text else 'aria-hidden="true"'
    slot = f'<div class="slot" style="{size};{names};transform:scale({scale:.3f})">{drawn.html}</div>'
    return f'<div class="drawn" style="{box}" {shown}>{slot}</div>'


def _list(items: tuple[Item, ...], form: str, sources: dict[Source, str]) -> Iterator[str]:
    tag = "ol" if form == "steps" else "ul"
    if items:
        yield f"<{tag}>"
        for item in items:
            yield from _item(item, sources)
        yield f"</{tag}>"


def _item(item: Item, sources: dict[Source, str]) -> Iterator[str]:
    story = ' class="story"' if item.story else ""
    yield f"<li{story}>{_text(item.text)}{_place(item.span, sources)}"
    yield from _list(item.below, item.form, sources)
    yield "</li>"


def _place(span: Span | None, sources: dict[Source, str]) -> str:
    if span is None or span.source not in sources:
        return ""
    return f' <a class="line" href="#{sources[span.source]}{span.line}">{span.line}</a>'


def _text(text: str) -> str:
    escaped = escape(text)
    return re.sub(f"{STRONG}(.*?){WEAK}", r"<strong>\1</strong>", escaped)
