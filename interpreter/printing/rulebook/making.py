"""Makes the rulebook of a game from its rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from hashlib import sha256

from attrs import evolve

from ...common.diagnostics import RulesError
from ...common.nouns import spoken
from ...model import model as m
from ...rules import Rules
from ...words.words import ENGLISH, Words
from .chapters.changes import Changes, with_places
from .chapters.ending import Ending
from .chapters.example import example
from .chapters.opening import Opening
from .chapters.playing import Playing
from .chapters.reference import Reference
from .chapters.variants import Variants
from .index import index_of
from .left_out import left_out
from .notes import with_notes
from .pictures import with_pictures
from .quotes import with_nested_quotes
from .telling.book import Book, Chapter, Grid, Section
from .telling.names import Facts
from .telling.numbers import Numbers, Tables, tables_for
from .telling.statements import Statements
from .telling.written import written

_SMALL = 20  # rows of tables that stand beside the scoring


def rulebook(
    rules: Rules,
    words: Words = ENGLISH,
    players: int | None = None,
    variants: tuple[str, ...] = (),
    options: Mapping[str, str | int | bool] | None = None,
    with_example: bool = True,
    pictures: bool = False,
) -> Book:
    """The rulebook of a game with these variants. ``players`` None: for all numbers of players; it says what differs.

    ``with_example``: a game is played, whose score sheet is shown. ``pictures``: components are drawn.

    Raises `RulesError` when the rules have errors, or when there is no such table.
    """
    whole = rules.required()
    tables = tables_for(whole, players, variants, options)
    if not tables.found:
        raise RulesError(tables.refused)
    chosen = bool(variants) or players is not None
    teller, declarations = _teller(rules, whole, tables, words, chosen)
    opening, playing = Opening(teller, tables, declarations), Playing(teller, tables, declarations)
    ending = Ending(teller, declarations)
    reference = Reference(teller, declarations, opening, ending)
    changes = Changes(whole, tables, variants, options or {}, partial(_course, rules, whole, words), teller)
    telling = Variants(teller, opening, playing, ending, reference, changes)
    in_play = tuple(
        each for each in whole.variants if all(each.name in made.table.variants for made in tables.found.values() if made.table)
    )
    others = tuple(each for each in whole.variants if each not in in_play)
    found = reference.tables()
    is_small = found is not None and _rows(found) <= _SMALL
    made: list[Chapter | None] = [
        opening.players(whole), opening.components(), playing.setup(), playing.play(), ending.scoring(),
        found if is_small else None, example(rules, tables, teller) if with_example else None,
        telling.chapter(others), with_places(reference.options(), changes), reference.words(), None if is_small else found,
        reference.list(),
    ]  # fmt: skip
    chapters = tuple(chapter for chapter in made if chapter is not None)
    titles = dict(whole.titles)
    english = titles.get("en") or titles.get("") or teller.sentence(spoken(whole.game))
    title = titles.get(words.language) or words.text("title", english)
    subtitle = teller.listed([telling.title(each) for each in in_play])
    book = Book(words.language, title, subtitle, version_of(rules), rules.path, tables.counts, chapters, (), ())
    assert rules.tree is not None
    assert rules.source is not None
    book = with_nested_quotes(with_notes(book, rules.tree.notes, words))
    book = evolve(book, index=index_of(book.chapters, words.language), left_out=left_out(book, whole, rules.source))
    return with_pictures(book, rules, tables, words) if pictures else book


def _rows(chapter: Chapter) -> int:
    return sum(len(block.rows) for section in chapter.sections for block in section.blocks if isinstance(block, Grid))


def _teller(
    rules: Rules, whole: m.Model, tables: Tables, words: Words, chosen: bool
) -> tuple[Statements, tuple[m.Declaration, ...]]:
    """What tells the rules at some tables, and the declarations that hold there."""
    assert rules.tree is not None
    declarations = _declared(whole, tables, chosen)
    everything = (*declarations, *whole.declarations, *whole.variants)
    return Statements(words, _facts(whole, tables, declarations), written=written(rules.tree, everything)), declarations


def _course(rules: Rules, whole: m.Model, words: Words, tables: Tables) -> tuple[Chapter, ...]:
    """The chapters of a book that tell what there is and how a game goes."""
    teller, declarations = _teller(rules, whole, tables, words, True)
    opening, playing = Opening(teller, tables, declarations), Playing(teller, tables, declarations)
    ending = Ending(teller, declarations)
    reference = Reference(teller, declarations, opening, ending)
    added = [each for variant in whole.variants for each in variant.adds]
    meant = tuple(reference.define(each) for each in added if isinstance(each, m.Define) and " " not in each.name)
    of_variants = Chapter("variants", "", (Section("", meant),))
    made = (opening.components(), playing.setup(), playing.play(), ending.scoring(), reference.words(), of_variants)
    return tuple(chapter for chapter in made if chapter is not None)


def version_of(rules: Rules) -> str:
    """A short digest of the text of rules and of the files that they read."""
    texts = [source.text for source in (rules.source, *rules.beside) if source is not None]
    return sha256("\0".join(texts).encode("utf-8")).hexdigest()[:8]


def _declared(whole: m.Model, tables: Tables, chosen: bool) -> tuple[m.Declaration, ...]:
    """The declarations that the book tells: with variants those of the table, else those of the game as it stands."""
    return tables.first.declarations if chosen else whole.declarations


def _facts(whole: m.Model, tables: Tables, declarations: tuple[m.Declaration, ...]) -> Facts:
    added = [each for variant in whole.variants for each in variant.adds]
    everything = [*added, *declarations]
    defines = {each.name: each for each in everything if isinstance(each, m.Define)}
    settled = {count: made.settled for count, made in tables.found.items()}
    return Facts(
        whole.lists,
        {each.name: each for each in everything if isinstance(each, m.Kind)},
        {each.name: each for each in everything if isinstance(each, m.Zone)},
        {each.name: each for each in everything if isinstance(each, m.Grid)},
        {each.name: each for each in everything if isinstance(each, m.Variable)},
        defines,
        {each.name: each for each in everything if isinstance(each, m.Step)},
        {each.name: each for each in everything if isinstance(each, m.TableDeclaration)},
        Numbers(settled, defines),
    )
