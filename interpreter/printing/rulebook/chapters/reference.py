"""The last chapters: what can be agreed, the words of the game, its tables, and a list of all components."""

from __future__ import annotations

from collections import Counter

from attrs import frozen

from ....model import model as m
from ..telling.alphabet import alphabetical
from ..telling.book import Block, Chapter, Grid, Item, Section
from ..telling.meanings import meaning
from ..telling.statements import Statements
from .ending import Ending
from .opening import Opening


@frozen(eq=False)
class Reference:
    """Makes the chapters in which one looks things up."""

    teller: Statements
    declarations: tuple[m.Declaration, ...]
    opening: Opening
    ending: Ending

    def options(self) -> Chapter | None:
        found = [self.option(each) for each in self.declarations if isinstance(each, m.OptionDeclaration)]
        return Chapter("options", self.teller.phrase("What you can agree on"), (Section("", tuple(found)),)) if found else None

    def option(self, each: m.OptionDeclaration) -> Item:
        teller = self.teller
        name = teller.strong(teller.sentence(teller.words.name("option", each.name)))
        usual = (
            teller.constant(each.default.value, each.domain.type) if isinstance(each.default, m.Const) else self._default(each)
        )
        said = teller.phrase(
            "{name}: {values}; usually {usual}.", name=name, values=self.opening.domain(each.domain), usual=usual
        )
        return Item(said, each.span, told=(each,))

    def _default(self, each: m.OptionDeclaration) -> str:
        found = self.teller.facts.numbers.of(each.default)
        if found is None or len(set(found.values())) == 1:
            return self.teller.thing(each.default)
        pairs = [
            self.teller.phrase("{number} with {count} players", number=number, count=count) for count, number in found.items()
        ]
        return self.teller.listed(pairs)

    # ---- Words

    def words(self) -> Chapter | None:
        found = [self.define(each) for each in self.declarations if isinstance(each, m.Define) and " " not in each.name]
        language = self.teller.words.language
        found.sort(key=lambda item: alphabetical(item.text, language))
        return Chapter("words", self.teller.phrase("What the words mean"), (Section("", tuple(found)),)) if found else None

    def define(self, each: m.Define) -> Item:
        return meaning(each, self.teller)

    # ---- Tables and components

    def tables(self) -> Chapter | None:
        teller = self.teller
        found: list[Block] = []
        for each in self.declarations:
            if isinstance(each, m.TableDeclaration) and not (each.by == "players" and not each.parameters):
                found.append(self.table(each))
        return Chapter("tables", teller.phrase("Tables"), (Section("", tuple(found)),)) if found else None

    def table(self, each: m.TableDeclaration) -> Grid:
        teller = self.teller
        key = teller.words.name("list", each.by) if each.by else teller.noun(each.key)
        if each.parameters:
            key = teller.listed([teller.noun(parameter.type) for parameter in each.parameters])
        head = (teller.sentence(key), *(teller.sentence(teller.words.name("column", name)) for name in each.columns))
        rows = []
        for row in each.rows:
            first = teller.phrase("otherwise") if row.key is None else teller.thing(row.key)
            rows.append((first, *(teller.thing(value) for value in row.values)))
        return Grid(head, tuple(rows), teller.sentence(teller.words.name("table", each.name)), each.span, (each,))

    def list(self) -> Chapter | None:
        """Every component that is listed one by one."""
        teller = self.teller
        grids = [self._rows(each) for each in self.declarations if isinstance(each, m.Kind) and each.rows]
        return Chapter("list", teller.phrase("All components"), (Section("", tuple(grids)),)) if grids else None

    def _rows(self, kind: m.Kind) -> Grid:
        teller = self.teller
        assert kind.rows is not None
        types = {each.name: each.domain.type for each in kind.attributes}
        names = list(dict.fromkeys(name for row in kind.rows for name in row.values))
        counted: Counter[tuple[str, ...]] = Counter()
        for row in kind.rows:
            values = tuple(self._value(row.values.get(name), types.get(name, m.NUMBER.maybe)) for name in names)
            counted[values] += row.copies
        parts = {f"{each.name}_{part.name}": (each.name, part.name) for each in kind.part_attributes for part in kind.parts}
        said = [
            " ".join((teller.words.name("attribute", parts.get(name, (name, ""))[0]), parts.get(name, ("", ""))[1]))
            for name in names
        ]
        head = [teller.sentence(name.strip()) for name in said]
        rows = tuple((str(copies), *values) for values, copies in counted.items())
        title = teller.sentence(teller.words.names("kind", kind.name, 2))
        if all(copies == 1 for copies in counted.values()):
            return Grid(tuple(head), tuple(row[1:] for row in rows), title, kind.span)
        return Grid((teller.phrase("Copies"), *head), rows, title, kind.span)

    def _value(self, value: int | None, type: m.Type) -> str:
        return "–" if value is None or (value == -1 and type.optional) else self.teller.constant(value, type)
