"""What the book says otherwise with a variant, or with another value of an option: its sentences, compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from attrs import evolve, frozen

from ....common.rewrite import Matcher
from ....model import model as m
from ..telling.book import Block, Chapter, Item
from ..telling.names import STRONG, WEAK, Names
from ..telling.numbers import Tables, tables_for

Course = Callable[[Tables], tuple[Chapter, ...]]
"""The chapters on setup, play and scoring at some tables."""


@frozen(eq=False)
class Changes:
    """Compares the course of a game with others. ``options``: those with which the whole book is made."""

    game: m.Model
    tables: Tables
    variants: tuple[str, ...]
    options: Mapping[str, str | int | bool]
    course: Course
    teller: Names

    def of_variant(self, variant: m.Variant, told: tuple[Item, ...]) -> Item | None:
        """The sentences that read otherwise with a variant. ``told``: what its section says already."""
        settles = [each for each in variant.replaces if isinstance(each, m.Define | m.TableDeclaration)]
        if not variant.options and not settles:
            return None
        said = {_bare(item.text) for item in _below(told)}
        found = [(old, new) for old, new in self._with((*self.variants, variant.name), self.options) if new not in said]
        if not found:
            return None
        lines = [
            Item(self.teller.phrase("Instead of “{old}”: “{new}”", old=old.rstrip(".:。："), new=new.rstrip(".:。：")))
            for old, new in found
        ]
        return Item(self.teller.phrase("This changes in the rules:"), variant.span, tuple(lines))

    def counts(self, variant: m.Variant) -> tuple[int, ...]:
        """The numbers of players with which a variant can be played."""
        players = self.tables.counts[0] if len(self.tables.counts) == 1 else None
        return tables_for(self.game, players, (*self.variants, variant.name), self.options).counts

    def of_option(self, option: m.OptionDeclaration) -> Item | None:
        """The sentences in which the value of an option counts; of one that is yes or no, they name it themselves."""
        other = self._other(option)
        if other is None:
            return None
        found = list(dict.fromkeys(old for old, _ in self._with(self.variants, {**self.options, option.name: other})))
        if not found:
            return None
        lines = [Item(self.teller.phrase("“{sentence}”", sentence=old.rstrip(".:。："))) for old in found]
        return Item(self.teller.phrase("It counts here:"), option.span, tuple(lines))

    def _other(self, option: m.OptionDeclaration) -> int | None:
        domain = option.domain
        if domain.type.base != "number" or option.name in self.options:
            return None
        usual = self.teller.facts.numbers.of(option.default) or {}
        ends = [end.value for end in (domain.low, domain.high) if isinstance(end, m.Const)]
        return next((end for end in ends if end not in usual.values()), None)

    def _with(self, variants: tuple[str, ...], options: Mapping[str, str | int | bool]) -> list[tuple[str, str]]:
        """Sentences at these tables and what they become, where each becomes one other."""
        players = self.tables.counts[0] if len(self.tables.counts) == 1 else None
        others = tables_for(self.game, players, variants, options)
        shared = [count for count in others.counts if count in self.tables.found]
        if not shared:
            return []
        here = evolve(self.tables, found={count: self.tables.found[count] for count in shared})
        there = evolve(others, found={count: others.found[count] for count in shared})
        old, new = list(_sentences(self.course(here))), list(_sentences(self.course(there)))
        found: list[tuple[str, str]] = []
        for tag, start, end, new_start, new_end in Matcher(old, new, autojunk=False).get_opcodes():
            if tag == "replace" and end - start == new_end - new_start:
                found += zip(old[start:end], new[new_start:new_end], strict=True)
        return list(dict.fromkeys(found))


def with_places(chapter: Chapter | None, changes: Changes) -> Chapter | None:
    """The chapter on options, each with the sentences in which it counts."""

    def place(block: Block) -> Block:
        option = block.told[0] if isinstance(block, Item) and block.told else None
        below = changes.of_option(option) if isinstance(option, m.OptionDeclaration) else None
        return evolve(block, below=(*block.below, below)) if isinstance(block, Item) and below is not None else block

    if chapter is None:
        return None
    sections = tuple(evolve(each, blocks=tuple(place(block) for block in each.blocks)) for each in chapter.sections)
    return evolve(chapter, sections=sections)


def _sentences(chapters: tuple[Chapter, ...]) -> Iterator[str]:
    blocks = [block for chapter in chapters for section in chapter.sections for block in section.blocks]
    return (_bare(item.text) for item in _below(tuple(block for block in blocks if isinstance(block, Item))) if item.text)


def _below(items: tuple[Item, ...]) -> Iterator[Item]:
    for item in items:
        yield item
        yield from _below(item.below)


def _bare(text: str) -> str:
    return text.replace(STRONG, "").replace(WEAK, "")
