"""The chapters on the end of the game: the score sheet, and who wins."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from ....model import model as m
from ....syntax import tree
from ..telling.book import Block, Chapter, Item, Section
from ..telling.meanings import cases
from ..telling.statements import Statements


@frozen(eq=False)
class Ending:
    """Makes the chapters about scoring and winning."""

    teller: Statements
    declarations: tuple[m.Declaration, ...]

    def scoring(self) -> Chapter:
        teller = self.teller
        lines = [self.term(each) for each in self.declarations if isinstance(each, m.Term)]
        blocks: list[Block] = []
        phases = [each for each in self.declarations if isinstance(each, m.Step) and each.form == "phase"]
        if phases:
            name = teller.quoted(teller.words.name("phase", phases[-1].name))
            blocks.append(Item(teller.phrase("The game ends with the phase {phase}.", phase=name)))
        if lines:
            blocks.append(Item(teller.phrase("Your score is the sum of these lines:"), None, tuple(lines)))
        sections = [Section("", tuple(blocks))] if blocks else []
        who = [item for each in self.declarations for item in self.winning(each)]
        if who:
            sections.append(Section(teller.phrase("Who wins"), tuple(who)))
        return Chapter("scoring", teller.phrase("End and scoring"), tuple(sections))

    def winning(self, each: m.Declaration) -> Iterator[Item]:
        match each:
            case m.Winner():
                yield self.winner(each)
            case m.Match(winner=m.Winner() as winner):
                yield Item(self.teller.phrase("Over all games together:"), each.span, (self.winner(winner),))
            case m.Define(name=m.RETURNS, value=value, parameters=(you, *_)):
                teller = self.teller.to(m.VarValue(you, type=you.type, span=each.span))
                said = teller.phrase("What you get in the end: {value}.", value=teller.thing(value))
                yield Item(said, each.span, told=(each,))
            case _:
                pass

    def term(self, node: m.Term) -> Item:
        who = m.VarValue(node.player, type=node.player.type, span=node.span)
        teller = self.teller.to(who)
        name = teller.strong(teller.sentence(teller.words.name("score", node.name)))
        majority = self._majority(node)
        if majority is not None:
            head = teller.phrase("{name}: a majority.", name=name)
            if node.each is not None and node.members is not None:
                head = teller.phrase(
                    "{name}: a majority, for {each} on its own.", name=name, each=teller.each(node.each, node.members)
                )
            return Item(head, node.span, tuple(self.majority(majority, node)), told=(node,))
        points = teller.thing(node.value)
        below: tuple[Item, ...] = ()
        if isinstance(node.value, m.Cases):
            points = teller.phrase("the first of these that fits")
            below = tuple(cases(node.value, teller))
        if node.each is not None and node.members is not None:
            said = teller.phrase(
                "{name}: for {each}, {points}.", name=name, each=teller.each(node.each, node.members), points=points
            )
        else:
            said = teller.phrase("{name}: {points}.", name=name, points=points)
        if node.condition is not None:
            said = teller.phrase("{sentence} Only if {condition}.", sentence=said, condition=teller.condition(node.condition))
        return Item(said, node.span, below, told=(node,))

    def _majority(self, node: m.Term) -> tree.Majority | None:
        found = self.teller.written.at(node.span, tree.Name)
        if found is None or not isinstance(node.value, m.Cases):
            return None
        lines = (line for lines in self.teller.written.nodes.values() for line in lines if isinstance(line, tree.Majority))
        return next((line for line in lines if line.name.span == node.span), None)

    def majority(self, line: tree.Majority, node: m.Term) -> Iterator[Item]:
        teller = self.teller
        place = teller.facts.defines.get(f"place for {node.name}")
        assert place is not None
        assert isinstance(place.value, m.PlaceOf)
        ranking = place.value
        if not isinstance(ranking.of, m.AllPlayers):
            yield Item(
                teller.phrase("Only these count: {players}.", players=teller.members(ranking.of)),
                line.among.span,
                told=(place,),
            )
        keys = teller.keys(ranking.keys, ranking.var)
        yield Item(teller.phrase("First is who has {keys}.", keys=keys), line.keys[0].span, told=(place,))
        for number, prize in enumerate(line.prizes, 1):
            points = teller.thing(self._prize(node, number - 1))
            yield Item(teller.phrase("Place {number} scores: {points}.", number=number, points=points), prize.span)
        match line.keys[-1].direction:
            case "split":
                said = teller.phrase("Players who tie divide the prizes of the places that they take, rounded down.")
            case "nobody":
                said = teller.phrase("Players who tie get nothing.")
            case _:
                said = teller.phrase("Players who tie all get the prize of their place. As many places after it are skipped.")
        yield Item(said, line.keys[-1].span)

    @staticmethod
    def _prize(node: m.Term, place: int) -> m.Expr:
        """The prize of a place, from 0; where ties divide the prizes, of one who is not tied."""
        assert isinstance(node.value, m.Cases)
        value = node.value.cases[place][1]
        if isinstance(value, m.Arithmetic) and value.op == "div" and isinstance(value.right, m.Arithmetic):
            value = value.left
            while isinstance(value, m.Arithmetic) and value.op == "+" and isinstance(value.right, m.Cases):
                value = value.left
        return value

    def winner(self, node: m.Winner) -> Item:
        teller = self.teller
        below: list[Item] = []
        first, *others = node.keys or (None,)
        said = teller.phrase("All win together.")
        if first is not None:
            highest = teller.keys((first,), node.var)
            if first.direction == "fits" and isinstance(first.value, m.Apply):
                word = teller.quoted(teller.words.name("define", first.value.define))
                said = teller.phrase("A player who is {word} wins.", word=word)
            elif any(isinstance(each, m.Teams) for each in self.declarations):
                said = teller.phrase("The team with {key} wins.", key=highest)
            else:
                said = teller.phrase("The player with {key} wins.", key=highest)
        for number, key in enumerate(others, 1):
            one = teller.keys((key,), node.var)
            if number == 1:
                below.append(Item(teller.phrase("If there is a tie: {key}.", key=one), key.span))
            else:
                below.append(Item(teller.phrase("If there is still a tie: {key}.", key=one), key.span))
        if first is not None and node.undecided == "shared":
            last = teller.phrase(
                "If they are still tied, they share the victory." if others else "If there is a tie, they share the victory."
            )
            below.append(Item(last, node.span))
        elif first is not None:
            last = teller.phrase("If they are still tied, nobody wins." if others else "If there is a tie, nobody wins.")
            below.append(Item(last, node.span))
        return Item(said, node.span, tuple(below), told=(node,))
