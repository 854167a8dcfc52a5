"""The rules of a file, or of one table, piece by piece, so that two of them can be compared.

A piece is anything with a name: a declaration, a step with its own lines (steps written in it are pieces of their own), a line of
the score. Its meaning is compared, and its lines are shown; lines that variants insert stand where they are done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from attrs import evolve, frozen

from ..model import model
from ..model.model import Expr
from ..model.show import name_of, show_part
from ..model.visitor import part_names, walk, with_parts
from ..rules import Rules
from ..table.from_model import Specialised
from ..table.from_model.components import is_left_out
from ..table.from_model.fold import Settled
from ..table.table import Table
from .written import Lines, Written, block, deeper, part, under, with_head


@frozen
class Piece:
    """``meaning``: equal for pieces that say the same. ``value``: what it comes to at a table ("": nothing of the kind).
    ``in_order``: its lines are done one after the other, so what stands around a line helps to find it."""

    meaning: tuple[object, ...]
    lines: Lines
    value: str = ""
    in_order: bool = False


@frozen
class Side:
    """``label``: what it is. ``pieces``: by name, in the order of the file."""

    label: str
    rules: Rules
    pieces: Mapping[str, Piece]


def whole_side(rules: Rules, in_words: bool) -> Side:
    """A file with all that it says. ``in_words``: words are compared as they are written, for other lists may number them
    otherwise. Raises `RulesError`."""
    whole = rules.required()
    maker = _Maker(whole, (), in_words)
    return Side(rules.path, rules, dict((_players(whole), *maker.pieces(whole.declarations), *maker.variants())))


def table_side(rules: Rules, found: Specialised, in_words: bool) -> Side:
    """One table of a file."""
    whole, table = rules.required(), found.table
    assert table is not None
    chosen = tuple(variant for variant in whole.variants if variant.name in table.variants)
    maker = _Maker(whole, chosen, in_words, table, found.settled)
    label = f"{rules.path} with {' and '.join(table.variants)}" if table.variants else f"{rules.path} without variants"
    return Side(label, rules, dict((_players(whole), *maker.pieces(found.declarations))))


def _players(whole: model.Model) -> tuple[str, Piece]:
    return "players", Piece((whole.players,), (part(whole.players_span),))


@frozen(slots=False)
class _Maker:
    """Makes the pieces of one side. ``chosen``: the variants in play; ``table``, ``settled``: None for a whole file."""

    whole: model.Model
    chosen: tuple[model.Variant, ...]
    in_words: bool
    table: Table | None = None
    settled: Settled | None = None

    @cached_property
    def replaced(self) -> dict[str, model.Step | model.NamedBlock]:
        """The steps that variants in play put in the place of others, by name."""
        return {r.name: r for v in self.chosen for r in v.replaces if isinstance(r, model.Step | model.NamedBlock)}

    def meaning(self, node: model.Declaration | model.Variant | model.Body) -> str:
        return show_part(node, self.whole.lists) if self.in_words else repr(node)

    def words(self, domains: Iterable[model.Domain]) -> tuple[object, ...]:
        """The words that stand in domains themselves, and so are declared by no `list`."""
        declared = {d.name for d in self.whole.declarations if isinstance(d, model.WordList)}
        return tuple(self.whole.lists.get(d.type.of, ()) for d in domains if d.type.of not in declared)

    def variants(self) -> Iterator[tuple[str, Piece]]:
        for variant in self.whole.variants:
            yield f"variant {variant.name}", Piece((self.meaning(variant),), block(variant.span), in_order=True)

    def pieces(self, declarations: Iterable[model.Declaration]) -> Iterator[tuple[str, Piece]]:
        """The pieces of declarations, as the variants in play leave them."""
        declarations = list(declarations)
        made = {d.name: d for d in declarations if isinstance(d, model.Define) and " " in d.name}
        for declaration in declarations:
            match declaration:
                case model.Variable() if not declaration.is_written:
                    pass  # it is part of the auction that keeps it
                case model.Define(name=name) if name in made:
                    pass  # it is part of a majority
                case model.Term():
                    places = [made[n.define] for n in walk(declaration) if isinstance(n, model.Apply) and n.define in made]
                    whole = self.meaning(declaration), *map(self.meaning, places)
                    yield name_of(declaration), Piece(whole, block(declaration.span))
                case model.Step(entered=None):
                    yield from self.step(self.before(declaration), name_of(declaration))
                case model.Kind():
                    yield name_of(declaration), self.kind(declaration)
                case model.TableDeclaration():
                    yield name_of(declaration), self.rows(declaration)
                case model.Winner(keys=keys, undecided=undecided, span=span):
                    last = Written(span.source.path, span.line, 0, undecided)
                    yield "winner", Piece((self.meaning(declaration),), (*map(_ranking_line, keys), last))
                case model.OptionDeclaration(domain=domain):
                    meaning = (self.meaning(declaration), *self.words([domain]))
                    yield name_of(declaration), Piece(meaning, self.setting(declaration), self.value_of(declaration))
                case model.Variable(domain=domain):
                    meaning = (self.meaning(declaration), *self.words([domain]))
                    yield name_of(declaration), Piece(meaning, block(declaration.span))
                case _:
                    lines = with_head(block(declaration.span), lambda text: text.removeprefix("replace "))
                    yield name_of(declaration), Piece((self.meaning(declaration),), lines)

    # ---- Options and components

    def value_of(self, option: model.OptionDeclaration) -> str:
        return "" if self.table is None else self.table.option_words[option.name]

    def setting(self, option: model.OptionDeclaration) -> Lines:
        """The line that settles an option: a variant's, or its declaration."""
        values = [value for variant in self.chosen for name, value in variant.options if name == option.name]
        return block((values[0] if values else option).span)

    def kind(self, kind: model.Kind) -> Piece:
        """The head and the attributes, then the rows in words: their order and their place do not count."""
        rows = kind.rows or ()
        if self.settled is not None:
            rows = tuple(row for row in rows if not is_left_out(row, kind, self.settled))
        listed = {(row.span.source.path, row.span.line) for row in rows}
        head = tuple(line for line in block(kind.span) if (line.path, line.number) not in listed)
        said = sorted(((self.row(row, kind), row) for row in rows), key=lambda pair: pair[0])
        lines = tuple(Written(row.span.source.path, row.span.line, 0, text) for text, row in said)
        bare = self.meaning(evolve(kind, rows=None, left_out=() if self.table is not None else kind.left_out))
        meaning = (bare, self.words(a.domain for a in kind.attributes), tuple(text for text, _ in said))
        here = None if self.table is None else self.table.kind(kind.name)
        return Piece(meaning, (*head, *lines), "" if here is None else _counted(here.bits))

    def row(self, row: model.WrittenRow, kind: model.Kind) -> str:
        """A row of components, in words."""
        types = {attribute.name: attribute.domain.type for attribute in kind.attributes}
        said = [f"{name} {self.word(value, types.get(name, model.NUMBER.maybe))}" for name, value in row.values.items()]
        return ", ".join(said) + (f", {row.copies} times" if row.copies != 1 else "")

    def word(self, value: int, type: model.Type) -> str:
        words = ("no", "yes") if type.base == "truth" else self.whole.lists.get(type.of, ())
        return "none" if value == -1 and type.optional else words[value] if words else str(value)

    def rows(self, table: model.TableDeclaration) -> Piece:
        """The head of a table, then its rows; their order does not count."""
        rows = sorted(table.rows, key=lambda row: _key(row.key))
        listed = {(row.span.source.path, row.span.line) for row in rows}
        head = [line for line in block(table.span) if (line.path, line.number) not in listed]
        if not head:  # `table points by cards: 1: 3, 2: 5`
            whole = block(table.span)[0]
            head = [evolve(whole, text=whole.text.partition(":")[0])]
        lines = (*with_head(tuple(head), lambda text: text.removeprefix("replace ")), *(part(row.span) for row in rows))
        return Piece((self.meaning(evolve(table, rows=tuple(rows))),), lines)

    # ---- Steps

    def before(self, step: model.Step) -> model.Step | model.NamedBlock:
        """A step before other variants put something into it: as it is declared, or as a variant in play replaces it."""
        declared = (d for source in (self.whole.declarations, *(v.adds for v in self.chosen)) for d in source)
        own = {d.name: d for d in declared if isinstance(d, model.Step)}
        return self.replaced.get(step.name) or own.get(step.name) or step

    def step(self, step: model.Step | model.NamedBlock, name: str) -> Iterator[tuple[str, Piece]]:
        """A step, and the steps written in it."""
        inside = list(_blocks(step.body))
        lines = with_head(block(step.span), lambda text: text.removeprefix("replace ").partition(":")[0])
        if len(lines) == 1:
            lines = (*lines, *deeper(under(block(step.span)), 4))
        for inner in inside:
            lines = self.folded(lines, inner)
        meaning: list[object] = [self.meaning(tuple(_emptied(s) for s in step.body))]
        if isinstance(step, model.Step):
            meaning.append(repr(step.parameters))
            lines = (lines[0], *self.added("before", step.name, 4), *lines[1:], *self.added("after", step.name, 4))
            meaning += [self.insertions(step.name)]
        meaning += [self.insertions(inner.name) for inner in inside]
        yield name, Piece(tuple(meaning), lines, in_order=True)
        for inner in inside:
            yield from self.step(self.replaced.get(inner.name, inner), f"step {inner.name}")

    def folded(self, lines: Lines, inner: model.NamedBlock) -> Lines:
        """The lines with a step in them reduced to its head, and what variants put before and after it."""
        own = {(line.path, line.number) for line in block(inner.span)}
        found: list[Written] = []
        for line in lines:
            if (line.path, line.number) == (inner.span.source.path, inner.span.line):
                found += self.added("before", inner.name, line.depth)
                found.append(evolve(line, text=f"step {inner.name}"))
                found += self.added("after", inner.name, line.depth)
            elif (line.path, line.number) not in own:
                found.append(line)
        return tuple(found)

    def added(self, where: str, step: str, depth: int) -> Lines:
        found = (i for variant in self.chosen for i in variant.insertions if (i.where, i.step) == (where, step))
        return tuple(line for insertion in found for line in deeper(under(block(insertion.span)), depth))

    def insertions(self, step: str) -> tuple[object, ...]:
        found = (i for variant in self.chosen for i in variant.insertions if i.step == step)
        return tuple((i.where, self.meaning(i.body)) for i in found)


def _ranking_line(key: model.Key) -> Written:
    """A key of the winner line; one that a ``for each`` makes for a word is told with its name: ``cards for church: ...``."""
    line = part(key.span)
    return evolve(line, text=f"{key.label}: {line.text}") if " " in key.label and key.label != key.span.text else line


def _counted(components: int) -> str:
    return f"{components} component{'' if components == 1 else 's'}"


def _key(key: Expr | None) -> int:
    """Rows are compared by their keys; `otherwise` comes last."""
    return key.value if isinstance(key, model.Const) else 1 << 40


def _blocks(node: Any) -> Iterator[model.NamedBlock]:
    """The steps written in a step, but not those in them."""
    if isinstance(node, tuple):
        for item in node:
            yield from _blocks(item)
    elif isinstance(node, model.NamedBlock) and node.is_written:
        yield node
    elif isinstance(node, model.Node):
        for name in part_names(type(node)):
            yield from _blocks(getattr(node, name))


def _emptied(node: Any) -> Any:
    """A statement with the steps written in it emptied."""
    emptied = isinstance(node, model.NamedBlock) and node.is_written
    return evolve(node, body=()) if emptied else with_parts(node, _emptied)
