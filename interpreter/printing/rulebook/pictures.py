"""Pictures of components for a rulebook: a few of each kind, drawn as `rulesrun print` draws them."""

from __future__ import annotations

from importlib.resources import files
from itertools import groupby

from attrs import evolve

from ...common.diagnostics import Diagnostic, RulesError
from ...rules import Rules
from ...words.words import Words
from .. import components
from ..components.looks import look_of, whole
from ..components.markup import Markup, element
from ..components.sheets import PAPERS
from ..components.sizes import sizes_in
from ..components.supply import Design, supply_of
from .telling.book import Block, Book, Drawn, Picture
from .telling.numbers import Tables

SHOWN = 6  # of each kind
_STYLE = files(components.__name__) / "sheets.css"


def with_pictures(book: Book, rules: Rules, tables: Tables, words: Words) -> Book:
    """The book with pictures of its components. It stays as it is where they cannot be drawn, or are too many to be printed."""
    look = look_of(rules.path)
    source = None if isinstance(look, Diagnostic) else look
    made = [(each.table, each.declarations) for each in tables.found.values() if each.table is not None]
    try:
        supply = supply_of(made, sizes_in(source), book.title, words, PAPERS["A4"])
    except RulesError:
        return book
    of_kinds = [design for design in supply.designs if design.role == "kind"]
    drawn = {kind: _drawn(list(designs)) for kind, designs in groupby(of_kinds, lambda design: design.kind)}

    named = {(design.kind, design.name): _side(design, design.front, design.name) for design in of_kinds}

    def block(each: Block) -> Block:
        if not isinstance(each, Picture):
            return each
        if each.names:
            return evolve(each, drawn=tuple(named[each.kind, name] for name in each.names if (each.kind, name) in named))
        return evolve(each, drawn=drawn.get(each.kind, ()))

    chapters = tuple(
        evolve(chapter, sections=tuple(evolve(each, blocks=tuple(map(block, each.blocks))) for each in chapter.sections))
        for chapter in book.chapters
    )
    own = "" if source is None else whole(source)
    return evolve(book, chapters=chapters, look=f"{_STYLE.read_text(encoding='utf-8')}\n{own}")


def _drawn(designs: list[Design]) -> tuple[Drawn, ...]:
    """Some fronts, those between equally far apart, and the back where there is another one."""
    last = len(designs) - 1
    places = range(len(designs)) if last < SHOWN else [round(n * last / (SHOWN - 1)) for n in range(SHOWN)]
    sides = [(designs[place], designs[place].front, designs[place].name) for place in places]
    if designs[0].back and designs[0].back != designs[0].front:
        sides.append((designs[0], designs[0].back, ""))
    return tuple(_side(*each) for each in sides)


def _side(design: Design, side: Markup, name: str) -> Drawn:
    inside = element("div", {"class": "zone", "data-zone": design.zone}, side) if design.zone else side
    return Drawn(str(inside), design.size.width, design.size.height, design.size.letters, name)
