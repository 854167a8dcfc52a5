"""Choices of players as lists: what each act takes, when it is allowed, and what it does."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, field, frozen

from ....common.nouns import singular
from ....model import model as m
from ....model.visitor import walk_statements
from ....syntax import tree
from .book import Item
from .conditions import Conditions
from .sets import MANY
from .written import Written


@frozen(eq=False)
class Choices(Conditions):
    """Tells choices. What statements do is told by the class that builds on this one."""

    written: Written = field(kw_only=True)

    def body(self, body: m.Body) -> tuple[Item, ...]:
        raise NotImplementedError

    def choose(self, node: m.Choose) -> Item:
        teller = self.to(node.player)
        below = [teller.option(option) for option in node.options]
        last = [] if node.impossible is None else [teller.impossible(node)]
        if len(below) == 1:
            only = below[0]
            if self.is_you(node.player):
                said = self.phrase("You must do this: {act}", act=only.text)
            else:
                who = self.sentence(self.thing(node.player))
                said = self.phrase("{player} (“you”) must do this: {act}", player=who, act=only.text)
            return evolve(only, text=said, below=(*only.below, *last), told=(node, *only.told))
        if self.is_you(node.player):
            said = self.phrase("Choose one:")
        else:
            said = self.phrase("{player} (“you”) chooses one:", player=self.sentence(self.thing(node.player)))
        return Item(said, node.span, (*below, *last), told=(node,))

    def impossible(self, node: m.Choose) -> Item:
        assert node.impossible is not None
        inside = self.body(node.impossible)
        if not inside:
            return Item(self.phrase("If nothing is possible, nothing happens."), node.span)
        return Item(self.phrase("If nothing is possible:"), inside[0].span, inside)

    def option(self, option: m.Option) -> Item:
        below = [*self._room(option), *self._conditions(option), *self.body(tuple(self._done(option)))]
        made = [node for node in walk_statements(option.body) if self._is_made(node, option)]
        return Item(self.title(option), option.span, tuple(below), "bullets", (option, *made))

    # ---- The act

    def title(self, option: m.Option) -> str:
        """``Play a card from your hand``."""
        words = self.words
        said = words.text("act", option.text) if option.text is not None else words.name("act", option.verb)
        arguments = list(self._arguments(option))
        if arguments:
            said = self.phrase("{act} {argument}", act=said, argument=self.listed(arguments))
        if option.secret and not option.told and not self._gathered(option):
            said = self.phrase("{act} (secretly)", act=said)
        elif option.face_down and not self._gathered(option):
            said = self.phrase("{act} (face down)", act=said)
        return self.phrase("{act}.", act=self.strong(self.sentence(said)))

    def _arguments(self, option: m.Option) -> Iterator[str]:
        gathered = self._gathered(option)
        for argument in option.arguments:
            if gathered is not None and argument is option.arguments[-1]:
                yield self.several(gathered)
            elif option.text is not None and argument.source is None:
                yield self.variable(argument.var)
            else:
                yield self.argument(argument)

    def argument(self, argument: m.Argument) -> str:
        name = self.variable(argument.var)
        match argument.source:
            case None:
                return self.a(name)
            case (low, high) if argument.var.name.strip() != "number":
                return self.phrase("{thing} from {low} to {high}", thing=self.a(name), low=self.thing(low), high=self.thing(high))
            case (low, high):
                return self.phrase("a number from {low} to {high}", low=self.thing(low), high=self.thing(high))
            case m.Ways() as ways:
                return self.phrase("{thing} on {place}", thing=self.thing(ways.piece), place=self.grid(ways.grid, ways.owner))
            case m.ZoneContent() as zone:
                return self.phrase("{thing} from {place}", thing=self.a(name), place=self.place(zone))
            case source:
                return self.phrase("{thing} from {place}", thing=self.a(name), place=self.members(source))

    def _gathered(self, option: m.Option) -> tree.Several | None:
        first = next((each for each in option.body if isinstance(each, m.Gather)), None)
        found = None if first is None else self.written.at(first.span, tree.Several)
        return found if isinstance(found, tree.Several) else None

    def several(self, node: tree.Several) -> str:
        """``up to 3 seeds from the bank, all of different colours``."""
        source = self.written.value(node.source)
        count = None if node.count is None else self.written.value(node.count)
        values = None if count is None else self.facts.numbers.of(count)
        varies = values is not None and len(set(values.values())) > 1
        one = values is not None and set(values.values()) == {1}
        things = self.phrase("cards") if source is None else self.noun(source.type.member, MANY if varies else 1 if one else 2)
        where = self.phrase("somewhere") if source is None else self.members(source)
        if isinstance(source, m.ZoneContent):
            where = self.place(source)
        if count is None:
            said = self.phrase("any number of {things} from {place}", things=things, place=where)
        else:
            number = self.rows(values)[0] if values is not None and varies else self.thing(count)
            said = self.phrase(
                "up to {number} {things} from {place}" if node.up_to else "exactly {number} {things} from {place}",
                number=number,
                things=things,
                place=where,
            )
        if values is not None and varies:
            said = self.phrase("{act} (with {counts} players)", act=said, counts=self.rows(values)[1])
        for each in node.whole:
            said = self.phrase("{act}, {demand}", act=said, demand=self._whole(each))
        return said

    def _whole(self, node: tree.Alike | tree.WithTotal) -> str:
        if isinstance(node, tree.WithTotal):
            value = self.written.value(node.value)
            number = node.value.span.text if value is None else self.thing(value)
            name = self.words.name("attribute", node.attribute.text)
            return {
                "at least": self.phrase("with {value} of at least {number} together", value=name, number=number),
                ">=": self.phrase("with {value} of at least {number} together", value=name, number=number),
                "at most": self.phrase("with {value} of at most {number} together", value=name, number=number),
                "<=": self.phrase("with {value} of at most {number} together", value=name, number=number),
                ">": self.phrase("with {value} of more than {number} together", value=name, number=number),
                "<": self.phrase("with {value} of less than {number} together", value=name, number=number),
            }.get(node.op, self.phrase("with {value} of exactly {number} together", value=name, number=number))
        if node.attribute is None:
            return self.phrase("all different") if node.different else self.phrase("all alike")
        name = self.words.name("attribute", singular(node.attribute.text))
        if node.different:
            return self.phrase("all with a different {value}", value=name)
        return self.phrase("all with the same {value}", value=name)

    # ---- When it is allowed

    def _room(self, option: m.Option) -> Iterator[Item]:
        """That what is laid needs free squares."""
        for argument in option.arguments:
            if isinstance(argument.source, m.Ways):
                if self.squares_of(argument.source.piece.type) == 1:
                    yield Item(self.phrase("Its square must be free."), option.span)
                else:
                    yield Item(self.phrase("All its squares must lie on free squares. You may turn it."), option.span)

    def _conditions(self, option: m.Option) -> Iterator[Item]:
        counters = {limit.counter for limit in option.limits}
        gathered = self._gathered(option)
        for condition in option.conditions:
            if self._asks(condition.test, counters):
                continue
            if gathered is not None and condition.span == gathered.span:
                continue
            yield self.demand(condition)
        for limit in option.limits:
            yield Item(self._limited(limit), limit.span)

    def _limited(self, limit: m.Limit) -> str:
        step, number = self.quoted(self.words.name("step", limit.step)), self.thing(limit.count)
        if number == "1":
            return self.phrase("At most once in each {step}.", step=step)
        if (varies := self.varying(limit.count)) is not None:
            numbers, counts = varies
            return self.phrase(
                "At most {numbers} times in each {step} (with {counts} players).", numbers=numbers, step=step, counts=counts
            )
        return self.phrase("At most this often in each {step}: {number}.", step=step, number=number)

    def demand(self, condition: m.Condition) -> Item:
        test = self.condition(condition.test)
        if condition.laid:
            said = self.phrase("It must lie so that {condition}.", condition=test)
        elif condition.where_possible:
            said = self.phrase("Only if {condition}, unless nothing like that is possible.", condition=test)
        else:
            said = self.phrase("Only if {condition}.", condition=test)
        return Item(said, condition.span)

    def announced(self, text: m.Reason) -> str:
        """A text of the rules that is said aloud, with what stands in its places between angled quotation marks."""
        return "".join(part if isinstance(part, str) else f"‹{self.short(part)}›" for part in text.parts)

    def short(self, node: m.Expr) -> str:
        """A thing by its name alone."""
        match node:
            case m.VarValue(var=var):
                return self.variable(var)
            case m.Apply(define=name):
                return self.words.name("define", name)
            case m.VariableValue(name=name):
                return self.words.name("value", name)
            case _:
                return self.thing(node)

    @staticmethod
    def _asks(test: m.Expr, counters: set[str]) -> bool:
        return isinstance(test, m.Compare) and any(
            isinstance(side, m.VariableValue) and side.name in counters for side in (test.left, test.right)
        )

    # ---- What it does

    def _is_made(self, node: m.Node, option: m.Option) -> bool:
        """Whether a node of an option's body was made by the construct, and so is told by its title."""
        if isinstance(node, m.SetVariable) and any(limit.counter == node.name for limit in option.limits):
            return True
        gathered = self._gathered(option)
        return gathered is not None and (node.span == gathered.span or isinstance(node, m.Gather | m.Include))

    def _done(self, option: m.Option) -> Iterator[m.Statement]:
        return (statement for statement in option.body if not self._is_made(statement, option))
