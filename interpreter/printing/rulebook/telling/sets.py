"""Sets and what belongs to whom as noun phrases: "the cards in your hand", "each card that is a joker", "the highest rank"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from attrs import evolve, frozen

from ....model import model as m
from .names import Names

MANY = 5  # so many stand for several different numbers where a language has forms for numbers


@frozen(eq=False)
class Sets(Names):
    """Says sets by their members. Single things are said by a class that builds on this one."""

    def thing(self, node: m.Expr) -> str:
        raise NotImplementedError

    def condition(self, node: m.Expr) -> str:
        raise NotImplementedError

    def to(self, you: m.Expr | None) -> Self:
        """The same for sentences to a player."""
        return evolve(self, you=you)

    def of(self, name: str, owner: m.Expr | None) -> str:
        """``the stack``, ``your hand``, ``the hand of the leader``, ``the crate for the shelf``."""
        if owner is None:
            return self.the(name)
        if isinstance(owner, m.VarValue) and owner.var is self.ranked:
            return name
        parts = owner.parts if isinstance(owner, m.Index) else (owner,)
        first, *rest = parts
        if self.is_you(first):
            said = self.phrase("your {thing}", thing=name)
        elif first.type.base == "player" and isinstance(first, m.VarValue | m.VariableValue) and self.is_short(first):
            said = self.phrase("{owner}’s {thing}", thing=name, owner=self.thing(first))
        else:
            said = self.phrase("the {thing} of {owner}", thing=name, owner=self.thing(first))
        if rest:
            said = self.phrase("{thing} for {others}", thing=said, others=self.listed([self.thing(each) for each in rest]))
        return said

    @staticmethod
    def is_short(node: m.Expr) -> bool:
        """Whether a thing is one with a plain name, which an ``’s`` can follow."""
        return not isinstance(node, m.VariableValue) or node.owner is None

    def place(self, node: m.ZoneContent) -> str:
        """A zone as a place."""
        if node.zone == m.BOX:
            return self.phrase("the box")
        role = "grid" if node.zone in self.facts.grids else "zone"
        name = self.words.name("grid" if role == "grid" else "zone", node.zone)
        if node.every:
            zone = self.facts.zones.get(node.zone)
            if zone is not None and all(each.type.base != "player" for each in zone.parameters):
                return self.phrase("every {zone}", zone=name)
            return self.phrase("every player’s {zone}", zone=name)
        return self.of(name, node.owner)

    def spot(self, spot: m.Spot) -> str:
        if spot.zone == m.BOX:
            return self.phrase("the box")
        if spot.zone in (m.ASIDE, "discard") and spot.zone not in self.facts.zones:
            return self.phrase("aside")
        return self.of(self.words.name("zone", spot.zone), spot.owner)

    def grid(self, name: str, owner: m.Expr | None) -> str:
        return self.of(self.words.name("grid", name), owner)

    def members(self, node: m.Expr) -> str:
        """A set as the things in it: ``the cards in your hand``."""
        node = self._of_one_kind(node)
        match node:
            case m.ZoneContent() if node.type.base == "component":
                zone = self.facts.zones.get(node.zone)
                many = 1 if zone is not None and zone.shape == "slot" and not node.every else 2
                return self.phrase("the {things} in {place}", things=self.noun(node.type, many), place=self.place(node))
            case m.AllOf() | m.AllPlayers():
                return self.phrase("all {things}", things=self.noun(node.type, 2))
            case m.Const(value=value) if node.type.is_set and node.type.base == "word":
                if value == (1 << len(self.facts.lists.get(node.type.of, ()))) - 1:
                    return self.phrase("all {things}", things=self.noun(node.type, 2))
                return self.thing(node)
            case _:
                return self.thing(node)

    def each(self, var: m.Var, node: m.Expr) -> str:
        """What a loop goes through: ``each card in your hand``."""
        name = self.variable(var)
        node = self._of_one_kind(node)
        match node:
            case m.Filter():
                inner = self.each(var, node.of)
                return self.phrase("{things} {which}", things=inner, which=self.which(node, one=True))
            case m.AllPlayers() | m.AllOf():
                return self.phrase("each {thing}", thing=name)
            case m.Const() if self.members(node) != self.thing(node):
                return self.phrase("each {thing}", thing=name)
            case m.ZoneContent():
                return self.phrase("each {thing} in {place}", thing=name, place=self.place(node))
            case m.Regions():
                return self.phrase("each {thing} of {grid}", thing=name, grid=self.thing(node.of)) + self._alike(node)
            case _:
                return self.phrase("each {thing} among {things}", thing=name, things=self.members(node))

    def _of_one_kind(self, node: m.Expr) -> m.Expr:
        """A set of which only one kind is meant, as a set of that kind: ``the seeds in the bank``."""
        if isinstance(node, m.Filter) and isinstance(node.of, m.ZoneContent) and isinstance(node.condition, m.AttributeOf):
            kind = node.condition.attribute
            if kind in self.facts.kinds and isinstance(node.condition.of, m.VarValue) and node.condition.of.var is node.var:
                return evolve(node.of, type=evolve(node.of.type, only=(kind,)))
        return node

    def which(self, node: m.Filter, one: bool = False) -> str:
        """The condition of a filter, as it follows what it filters. ``one``: that is a single thing."""
        match _plainly(node.condition):
            case m.Apply(define=define, args=(m.VarValue(var=var),)) if var is node.var:
                word = self.quoted(self.words.name("define", define))
                return self.phrase("that is {word}", word=word) if one else self.phrase("that are {word}", word=word)
            case m.Compare(op="=", left=m.AttributeOf(attribute=attribute, of=m.VarValue(var=var)), right=right) if (
                var is node.var and not (isinstance(right, m.Const) and right.value == -1 and right.type.optional)
            ):
                return self.phrase(
                    "with {attribute} {value}", attribute=self.words.name("attribute", attribute), value=self.thing(right)
                )
            case m.AttributeOf(attribute=kind) if kind in self.facts.kinds:
                return self.phrase("that are {word}", word=self.words.names("kind", kind, 2))
            case m.Some(of=m.ZoneContent(owner=m.VarValue(var=var)) as zone) if var is node.var:
                return self.phrase(
                    "with {contents} in {zone}", contents=self.noun(zone.type, 2), zone=self.words.name("zone", zone.zone)
                )
            case m.Not(value=m.Some(of=m.ZoneContent(owner=m.VarValue(var=var)) as zone)) if var is node.var:
                return self.phrase(
                    "without {contents} in {zone}", contents=self.noun(zone.type, 2), zone=self.words.name("zone", zone.zone)
                )
            case m.Apply(define=define, args=(m.VarValue(var=var), *others)) if var is node.var:
                return self.phrase(
                    "who fit {word} for {others}" if var.type.base == "player" else "that fit {word} for {others}",
                    word=self.quoted(self.words.name("define", define)),
                    others=self.listed([self.thing(each) for each in others]),
                )
            case condition:
                return self.phrase("where {condition}", condition=self.condition(condition))

    def amount(self, node: m.Expr, kinds: tuple[str, ...]) -> str:
        """``3 cards``: a number of components."""
        values = self.facts.numbers.of(node)
        if values is not None and len(set(values.values())) == 1:
            number = next(iter(values.values()))
            if number == 1:
                return self.a(self.kind(kinds))
            return self.phrase("{number} {things}", number=self.thing(node), things=self.kind(kinds, number))
        if values is None:
            return self.phrase("as many {things} as this: {number}", things=self.kind(kinds, 2), number=self.thing(node))
        numbers, counts = self.rows(values)
        things = self.kind(kinds, MANY)
        return self.phrase("{numbers} {things} (with {counts} players)", numbers=numbers, things=things, counts=counts)

    def number(self, node: m.Expr) -> str | None:
        """The value of a closed expression where it is one for all, or those for each number of players."""
        if isinstance(node, m.Const | m.PlayerCount):
            return None
        values = self.facts.numbers.of(node)
        if values is None:
            return None
        if len(set(values.values())) == 1:
            return self.constant(next(iter(values.values())), m.NUMBER)
        return self.by_count(values)

    def by_count(self, values: Mapping[int, int]) -> str:
        """``24 / 12 / 0 with 2 / 3 / 4 players``."""
        numbers, counts = self.rows(values)
        return self.phrase("{numbers} with {counts} players", numbers=numbers, counts=counts)

    def rows(self, values: Mapping[int, int]) -> tuple[str, str]:
        numbers = [self.constant(value, m.NUMBER) for value in values.values()]
        return " / ".join(numbers), " / ".join(map(str, values))

    def varying(self, node: m.Expr) -> tuple[str, str] | None:
        """A number that differs with how many play: the numbers, and with how many."""
        values = self.facts.numbers.of(node)
        return None if values is None or len(set(values.values())) == 1 else self.rows(values)

    def name_of(self, node: m.Expr) -> str | None:
        """The name of an option, a word or a column."""
        match node:
            case m.OptionValue(name=name):
                return self.words.name("option", name)
            case m.Apply(define=define):
                return self.words.name("define", define)
            case m.ColumnFor(column=column):
                return self.words.name("column", column)
            case _:
                return None

    def _alike(self, node: m.Regions) -> str:
        attribute = self.words.name("attribute", node.attribute)
        return self.phrase(" (squares of the same {attribute} that are connected along their sides)", attribute=attribute)

    def _plain(self, node: m.Expr) -> str:
        """Members without an article, for ``the number of``."""
        node = self._of_one_kind(node)
        match node:
            case m.ZoneContent() if node.type.base == "component":
                return self.phrase("{things} in {place}", things=self.noun(node.type, 2), place=self.place(node))
            case m.Filter():
                return self.phrase("{things} {which}", things=self._plain(node.of), which=self.which(node))
            case m.AllOf() | m.AllPlayers():
                return self.noun(node.type, 2)
            case m.Const() if node.type.base == "word" and self.members(node) != self.thing(node):
                return self.noun(node.type, 2)
            case m.VarValue(var=var) if var.type.base == "region" or (var.type.base == "cell" and var.type.is_set):
                return self.phrase("{things} in {place}", things=self.noun(m.Type("cell"), 2), place=self.thing(node))
            case _:
                return self.members(node)

    def _plain_value(self, node: m.Expr, var: m.Var) -> str:
        """A value asked of a member: ``rank`` for ``the rank of the card``."""
        match node:
            case m.AttributeOf(attribute=attribute, of=m.VarValue(var=asked)) if asked is var:
                return self.words.name("attribute", attribute)
            case m.VariableValue(name=name, owner=m.VarValue(var=asked)) if asked is var:
                return self.words.name("value", name)
            case m.Apply(define=define, args=(m.VarValue(var=asked),)) if asked is var:
                return self.words.name("define", define)
            case m.ScoreOf(of=m.VarValue(var=asked), term=None, team=False) if asked is var:
                return self.phrase("score")
            case m.SeatNumber(of=m.VarValue(var=asked)) if asked is var:
                return self.phrase("seat number")
            case m.Count(of=m.VarValue(var=asked)) if asked is var:
                return self.phrase("size")
            case m.NumberOf(of=m.VarValue(var=asked)) if asked is var:
                return self.variable(asked)
            case _:
                return self.thing(node)

    def _is_asked_of(self, node: m.Expr, var: m.Var) -> bool:
        """Whether a value is simply one that each member has."""
        return self._plain_value(node, var) != self.thing(node)

    def keys(self, keys: tuple[m.Key, ...], var: m.Var) -> str:
        """A ranking: ``highest rank, then lowest seat number``."""
        said, about = "", evolve(self, ranked=var)
        for key in keys:
            match key:
                case m.Key(direction="fits", value=m.Apply(define=define, args=(m.VarValue(var=same),))) if same is var:
                    one = self.phrase("{word} before all others", word=self.quoted(self.words.name("define", define)))
                case m.Key(direction="fits"):
                    one = self.phrase("first those where {condition}", condition=self.condition(key.value))
                case m.Key(direction="highest"):
                    one = self.phrase("the highest {value}", value=about._plain_key(key.value, var))
                case _:
                    one = self.phrase("the lowest {value}", value=about._plain_key(key.value, var))
            said = one if not said else self.phrase("{first}, then {next}", first=said, next=one)
        return said

    def _plain_key(self, node: m.Expr, var: m.Var) -> str:
        if isinstance(node, m.Count):
            return self.phrase("number of {things}", things=self._plain(node.of))
        if isinstance(node, m.Total):
            value = self._plain_value(node.value, node.var)
            return self.phrase("total {value} of {things}", value=value, things=self.members(node.of))
        return self._plain_value(node, var)


def _plainly(node: m.Expr) -> m.Expr:
    """A condition without double negation."""
    while isinstance(node, m.Not) and isinstance(node.value, m.Not):
        node = node.value.value
    return node
