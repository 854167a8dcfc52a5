"""Components as they are drawn: what the page of a table gets of them, taken from the table itself.

A look is written for the page. So the values here are named as its code names them (`web/table/thing.js`): a thing has facts by
attribute, in the words of the rules; a style says in which form a kind is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from attrs import frozen

from ...machine.from_table.components.words import names_of
from ...table.table import Kind, Table
from ...words.words import Words
from .colours import word_colours
from .playing_cards import are_ranks, are_suits

Form = Literal["tile", "die", "piece", "playing-card", "card"]
_DIE: Final = re.compile(r"die|dice")


@frozen
class Attribute:
    """An attribute of a kind, with its values in the order of the rules; ``numbers``: whether they are numbers."""

    name: str
    values: tuple[str, ...]
    numbers: bool


@frozen
class Part:
    """A part of a tile: its place, x to the right and y up, and its facts."""

    x: int
    y: int
    facts: tuple[tuple[str, str], ...]


@frozen
class Thing:
    """A component. ``name``: as players say it. ``facts``: values by attribute, without those that it has not. ``seat``: whose it
    is, 0 for nobody's."""

    kind: str
    name: str
    facts: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...] = ()
    seat: int = 0


@frozen(eq=False)
class Style:
    """How a kind is drawn. ``colours``: of all words of the table. ``across``, ``down``: of a tile, how many parts."""

    form: Form
    attributes: tuple[Attribute, ...]
    colours: dict[str, str]
    across: int = 1
    down: int = 1

    def about(self, name: str) -> Attribute | None:
        return next((one for one in self.attributes if one.name == name), None)


def kinds_of(table: Table) -> tuple[Kind, ...]:
    """The kinds as they were declared: in place of a joint kind, those that it joins."""
    return tuple(each for kind in table.kinds.values() for each in (kind.joint or (kind,)))


def styles_of(table: Table) -> dict[str, Style]:
    """The style of each kind of a table."""
    kinds = kinds_of(table)
    attributes = {kind.name: _attributes(kind) for kind in kinds}
    words: dict[str, dict[str, None]] = {}
    for kind in kinds:
        for attribute in attributes[kind.name]:
            if not attribute.numbers:
                whole = next((part for part in kind.part_attributes if attribute.name.startswith(f"{part}_")), attribute.name)
                words.setdefault(whole, {}).update(dict.fromkeys(attribute.values))
    colours = word_colours({name: tuple(values) for name, values in words.items()})
    found = {}
    for kind in kinds:
        columns, rows = [part.column for part in kind.parts], [part.row for part in kind.parts]
        across, down = max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
        found[kind.name] = Style(_form(kind, attributes[kind.name]), attributes[kind.name], colours, across, down)
    return found


def things_of(kind: Kind, players: int, words: Words) -> tuple[Thing, ...]:
    """The faces of a kind as things, in their order."""
    seats = tuple(words.phrase("player {number}", number=seat) for seat in range(1, players + 1))
    names = names_of(kind, seats, words)
    return tuple(_thing(kind, face, name) for face, name in enumerate(names))


def _thing(kind: Kind, face: int, name: str) -> Thing:
    parts = tuple(
        Part(part.column, part.row, tuple(
            (attribute, text)
            for attribute in kind.part_attributes
            for _, text in _facts(kind, face, [f"{attribute}_{part.name}"])
        ))
        for part in kind.parts
    ) if len(kind.parts) > 1 else ()  # fmt: skip
    seat = kind.faces[face].values[0] + 1 if kind.owned else 0
    return Thing(kind.name, name, tuple(_facts(kind, face, kind.attributes)), parts, seat)


def _facts(kind: Kind, face: int, attributes: Sequence[str]) -> Iterable[tuple[str, str]]:
    for name in attributes:
        value, words = kind.printed(name)[face], kind.words[kind.attributes.index(name)]
        if value is not None:
            yield name, str(value) if words is None else words[value]


def _attributes(kind: Kind) -> tuple[Attribute, ...]:
    found = []
    for name, words in zip(kind.attributes, kind.words, strict=True):
        numbers = sorted({value for value in kind.printed(name) if value is not None}) if words is None else ()
        found.append(Attribute(name, tuple(map(str, numbers)) if words is None else tuple(words), words is None))
    return tuple(found)


def _form(kind: Kind, attributes: Sequence[Attribute]) -> Form:
    names = [attribute.name for attribute in attributes]

    def words(name: str) -> tuple[str, ...]:
        return next((one.values for one in attributes if one.name == name and not one.numbers), ())

    if len(kind.parts) > 1:
        return "tile"
    if _DIE.fullmatch(kind.name) or (names == ["face"] and attributes[0].numbers):
        return "die"
    if kind.owned or not names:
        return "piece"
    if are_suits(words("suit")) or (are_ranks(words("rank")) and set(names) <= {"rank", "suit"}):
        return "playing-card"
    return "card"


__all__ = ["Attribute", "Form", "Part", "Style", "Thing", "kinds_of", "styles_of", "things_of"]
