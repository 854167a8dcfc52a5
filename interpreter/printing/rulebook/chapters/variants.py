"""The chapter on variants: what each of them asks for, and what it changes."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from ....model import model as m
from ..telling.book import Block, Chapter, Item, Section
from ..telling.statements import Statements
from .changes import Changes
from .ending import Ending
from .opening import Opening
from .playing import Playing
from .reference import Reference


@frozen(eq=False)
class Variants:
    """Tells variants as changes. ``title``: a variant's name in the language of the book."""

    teller: Statements
    opening: Opening
    playing: Playing
    ending: Ending
    reference: Reference
    changes: Changes

    def chapter(self, variants: tuple[m.Variant, ...]) -> Chapter | None:
        if not variants:
            return None
        said = self.teller.phrase("Agree before the game with which of these you play.")
        first = Section("", (Item(said),))
        return Chapter("variants", self.teller.phrase("Variants"), (first, *(self.variant(each) for each in variants)))

    def title(self, variant: m.Variant) -> str:
        teller = self.teller
        texts = dict(variant.texts)
        found = texts.get(teller.words.language) or texts.get("en") or texts.get("")
        if found is None:
            return teller.sentence(teller.words.name("variant", variant.name))
        return teller.words.text("variant", found)

    def variant(self, variant: m.Variant) -> Section:
        told = tuple(self._told(variant))
        changes = self.changes.of_variant(variant, tuple(block for block in told if isinstance(block, Item)))
        return Section(self.title(variant), told if changes is None else (*told, changes), variant.name, variant.span)

    def _told(self, variant: m.Variant) -> Iterator[Block]:
        teller = self.teller
        for need in variant.needs:
            yield Item(self.teller.phrase("Only if {condition}.", condition=teller.condition(need)), need.span)
        for other in variant.builds_on:
            yield Item(
                self.teller.phrase("Needs this variant as well: {variant}.", variant=teller.words.name("variant", other.variant)),
                other.span,
            )
        for other in variant.excludes:
            yield Item(
                self.teller.phrase(
                    "Cannot be played together with this variant: {variant}.", variant=teller.words.name("variant", other.variant)
                ),
                other.span,
            )
        for condition in variant.always:
            yield Item(
                self.teller.phrase("Always in play if {condition}.", condition=teller.condition(condition)), condition.span
            )
        for name, value in variant.options:
            yield Item(self._set(variant, name, value), value.span)
        for added in variant.adds:
            yield from self.declaration(added)
        for replaced in variant.replaces:
            yield from self._replaced(replaced)
        for insertion in variant.insertions:
            step = teller.quoted(teller.words.name("step", insertion.step))
            said = (
                self.teller.phrase("Before {step}:", step=step)
                if insertion.where == "before"
                else self.teller.phrase("After {step}:", step=step)
            )
            yield Item(said, insertion.span, teller.body(insertion.body), "steps")
        for removal in variant.removes:
            if removal.source == "score":
                said = self.teller.phrase(
                    "This line of the score does not count: {name}.", name=teller.words.name("score", removal.name)
                )
            else:
                said = self.teller.phrase(
                    "This does not count in the ranking: {name}.", name=teller.words.name("score", removal.name)
                )
            yield Item(said, removal.span)

    def _set(self, variant: m.Variant, name: str, value: m.Expr) -> str:
        """``Rounds: 12 instead of 6.``"""
        teller, said = self.teller, self.teller.thing(value)
        strong = teller.strong(teller.sentence(teller.words.name("option", name)))
        option = next(
            (each for each in self.reference.declarations if isinstance(each, m.OptionDeclaration) and each.name == name), None
        )
        usual = None if option is None else teller.facts.numbers.of(option.default)
        here = [number for count, number in (usual or {}).items() if count in self.changes.counts(variant)]
        if len(set(here)) == 1:
            number = teller.constant(here[0], m.NUMBER)
            return teller.phrase("{name}: {value} instead of {usual}.", name=strong, value=said, usual=number)
        return teller.phrase("{name}: {value}.", name=strong, value=said)

    def _replaced(self, node: m.Declaration | m.NamedBlock) -> Iterator[Block]:
        teller = self.teller
        if isinstance(node, m.NamedBlock):
            said = teller.phrase("Instead of {step}:", step=teller.quoted(teller.words.name("step", node.name)))
            yield Item(said, node.span, teller.body(node.body), "steps", (node,))
            return
        first = True
        for block in self.declaration(node):
            if first and isinstance(block, Item) and not isinstance(node, m.Step):
                yield Item(teller.phrase("Instead of what the game says:"), node.span, (block,))
            else:
                yield block
            first = False

    def declaration(self, node: m.Declaration) -> Iterator[Block]:
        """What a declaration says, on its own."""
        teller = self.teller
        match node:
            case m.Term():
                yield Item(teller.phrase("One more line of the score:"), node.span, (self.ending.term(node),))
            case m.Winner():
                yield self.ending.winner(node)
            case m.Define() if " " not in node.name:
                yield self.reference.define(node)
            case m.Define():
                yield from self.ending.winning(node)
            case m.OptionDeclaration():
                yield self.reference.option(node)
            case m.TableDeclaration():
                yield self.reference.table(node)
            case m.Zone() | m.Grid():
                place = self.opening._place(node)
                assert place is not None
                yield place
            case m.Variable() if node.is_written and node.form in ("counter", "marker"):
                yield self.opening._variable(node)
            case m.Kind():
                yield self.opening._kind(node)
                if node.rows:
                    yield self.reference._rows(node)
            case m.Teams():
                yield self.opening._teams(node)
            case m.Match():
                yield from self.opening._match(node)
                yield from self.ending.winning(node)
            case m.Step():
                if node.form == "setup":
                    yield Item(teller.phrase("The setup is this instead:"), node.span, teller.body(node.body), "steps", (node,))
                else:
                    section = self.playing.whenever(node) if node.entered is not None else self.playing.step(node)
                    inside = tuple(block for block in section.blocks if isinstance(block, Item))
                    if len(inside) == 1 and not inside[0].text:
                        inside = inside[0].below
                    said = teller.phrase("{name} is this:", name=teller.quoted(section.heading))
                    yield Item(said, node.span, inside, "steps")
            case m.WordList():
                words = teller.listed([teller.words.name("word", word) for word in node.words])
                yield Item(teller.phrase("{name}: {value}.", name=teller.words.name("list", node.name), value=words), node.span)
            case m.Variable() | m.Position():
                return
