"""Constructs that the model writes out in small steps, told by phrases of their own: auctions, dice and others."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from ....common.nouns import singular
from ....model import model as m
from ....model.visitor import walk_statements
from ....syntax import tree
from .book import Item
from .choices import Choices
from .sets import MANY
from .written import place_of


@frozen(eq=False)
class Constructs(Choices):
    """Tells constructs. ``run`` stands for the statements that the model has made of one line."""

    def value(self, node: tree.Node) -> str:
        """What an expression of the tree says."""
        if isinstance(node, tree.Number):
            return str(node.value)
        found = self.written.value(node)
        return node.span.text if found is None else self.thing(found)

    def construct(self, run: Sequence[m.Statement]) -> Item | None:
        """A line that the model has written out; None where there is nothing special about it."""
        span, first = run[0].span, run[0]
        told = tuple(walk_statements(tuple(run)))
        line = self.written.at(span, tree.Auction, tree.Roll, tree.Swap, tree.Pay, tree.Shuffle, tree.Wins, tree.ForEach)
        match line:
            case tree.Auction():
                return self._auction(line, run)
            case tree.Roll():
                return Item(self._roll(line, run), span, told=told)
            case tree.Swap():
                said = self.phrase("Exchange {one} and {other}.", one=self.value(line.one), other=self.value(line.other))
                return Item(said, span, told=told)
            case tree.Pay():
                return Item(self._pay(line, run), span, told=told)
            case tree.Shuffle() if isinstance(first, m.Move):
                if isinstance(first.what, m.AllOf):
                    said = self.phrase(
                        "Shuffle {things}. They are {pile}.", things=self.members(first.what), pile=self.spot(first.to)
                    )
                else:
                    said = self.phrase("Shuffle {things} into {pile}.", things=self.members(first.what), pile=self.spot(first.to))
                return Item(said, span, told=told)
            case tree.Wins(player=None):
                return Item(self.phrase("The game is over at once, and nobody has won."), span, told=told)
            case tree.Wins(player=player) if player is not None:
                return Item(
                    self.phrase("The game is over at once. The winner: {player}.", player=self.value(player)), span, told=told
                )
            case tree.ForEach() if isinstance(line.order, tree.AtOnce) and isinstance(first, m.Let):
                return self._at_once(run)
            case _:
                return None

    # ---- Payments and dice

    def _pay(self, line: tree.Pay, run: Sequence[m.Statement]) -> str:
        sets = [each for each in run if isinstance(each, m.SetVariable)]
        places = [self.of(self.words.name("value", each.name), each.owner) for each in sets]
        source, target = (places[0], places[-1]) if places else (line.source.span.text, line.target.span.text)
        if line.amount is None:
            return self.phrase("Pay everything from {source} to {target}.", source=source, target=target)
        return self.phrase(
            "Pay {number} from {source} to {target}.", number=self.value(line.amount), source=source, target=target
        )

    def _roll(self, line: tree.Roll, run: Sequence[m.Statement]) -> str:
        moves = [each for each in walk_statements(tuple(run)) if isinstance(each, m.Move)]
        if line.to is None and moves and isinstance(moves[0].what, m.ZoneContent):
            again = moves[0].what
            if isinstance(run[0], m.ForEach):  # over those who have such a place
                again = evolve(again, owner=None, every=True)
            return self.phrase("Roll {things}.", things=self.members(again))
        what = self.value(line.what)
        if line.noun is not None:
            many = int(what) if what.isdecimal() else MANY
            what = self.phrase("{number} {things}", number=what, things=self.words.names("kind", singular(line.noun.text), many))
        if not moves:
            return self.phrase("Roll {things}.", things=what)
        return self.phrase("Roll {things} into {place}.", things=what, place=self.spot(moves[-1].to))

    # ---- All at once

    def _at_once(self, run: Sequence[m.Statement]) -> Item:
        let = run[0]
        loops = [each for each in run if isinstance(each, m.ForEach)]
        assert isinstance(let, m.Let)
        among = self.phrase("all players") if isinstance(let.value, m.AllPlayers) else self.members(let.value)
        below: list[Item] = []
        choices = [each for each in walk_statements(loops[0].body) if isinstance(each, m.Choose)]
        verbs: list[str] = []
        for choose in choices:
            teller = self.to(choose.player)
            for option in choose.options:
                verbs.append(teller.title(evolve(option, secret=False, face_down=False)))
                below.append(teller.option(evolve(option, body=())))
        after = self.to(m.VarValue(loops[-1].var, type=loops[-1].var.type, span=loops[-1].span))
        done: list[Item] = []
        for number, body in enumerate(self._outcomes(loops[-1])):
            inside = after.body(tuple(each for each in body if not self._is_kept(each)))
            if inside and len(verbs) > 1 and number < len(verbs):
                done.append(Item(self.phrase("If you chose: {act}", act=verbs[number]), inside[0].span, inside))
            else:
                done += inside
        head = self.phrase("At the same time and in secret, this is for {players} to choose. Choose one:", players=among)
        revealed = (
            [Item(self.phrase("Then all choices are shown. For each player in turn:"), let.span, tuple(done))] if done else []
        )
        return Item(head, let.span, (*below, *revealed), told=tuple(walk_statements(tuple(run))))

    @staticmethod
    def _outcomes(loop: m.ForEach) -> list[m.Body]:
        """What is done for each of the options, in their order."""
        found: list[m.Body] = []
        inside: m.Body = loop.body
        while chain := [each for each in inside if isinstance(each, m.If)]:
            found.append(chain[0].then)
            inside = chain[0].otherwise
        return found

    @staticmethod
    def _is_kept(node: m.Statement) -> bool:
        """Whether a statement only keeps what was chosen."""
        return (
            isinstance(node, m.Announce)
            or (isinstance(node, m.SetVariable) and " " in node.name)
            or (isinstance(node, m.Let) and isinstance(node.value, m.VariableValue) and " " in node.value.name)
        )

    # ---- Auctions

    def _auction(self, line: tree.Auction, run: Sequence[m.Statement]) -> Item:
        told = tuple(walk_statements(tuple(run)))
        below = [Item(self.phrase("Who may bid: {players}.", players=self._bidders(line, run)), line.bidders.span)]
        below += [Item(self._bid(part, line), part.span) for part in line.bids]
        below.append(Item(self._ends(line), line.span))
        for condition, payment in line.payment:
            said = self._payment(payment)
            if condition is not None:
                found = self.written.value(condition)
                asked = condition.span.text if found is None else self.condition(found)
                said = self.phrase("If {condition}: {sentence}", condition=asked, sentence=said)
            elif len(line.payment) > 1:
                said = self.phrase("Otherwise: {sentence}", sentence=said)
            below.append(Item(said, payment.span))
        for body, head in (
            (line.won, self.phrase("The winner of the auction has paid. Then:")),
            (line.no_bids, self.phrase("If nobody bids:")),
            (line.cannot_pay, self.phrase("If the winner cannot pay:")),
        ):
            if body is not None:
                inside = self._lines(body, run)
                below.append(
                    Item(head, body[0].span if body else line.span, inside)
                    if inside
                    else Item(self.phrase("{head} nothing happens.", head=head), line.span)
                )
        return Item(self.strong(self.phrase("Auction: {lot}.", lot=self._lot(line))), line.span, tuple(below), told=told)

    def _lot(self, line: tree.Auction) -> str:
        return self.the(self.words.name("zone", line.lot.name)) if isinstance(line.lot, tree.Ref) else self.value(line.lot)

    def _bidders(self, line: tree.Auction, run: Sequence[m.Statement]) -> str:
        said = self.value(line.bidders)
        if isinstance(line.order, tree.Clockwise) and line.order.start is not None:
            return self.phrase("{players}, clockwise from {start}", players=said, start=self.value(line.order.start))
        return said

    def _bid(self, part: tree.BidPart, line: tree.Auction) -> str:
        if part.amounts is None:
            assert part.name is not None
            return self.phrase("A bid names {thing}.", thing=self.a(self.words.name("list", part.name.text)))
        low, high = self.value(part.amounts.low), self.value(part.amounts.high)
        if part.name is None:
            said = self.phrase("A bid is a number from {low} to {high}.", low=low, high=high)
        else:
            said = self.phrase(
                "A bid names {thing}, from {low} to {high}.",
                thing=self.words.name("argument", part.name.text),
                low=low,
                high=high,
            )
        if line.raise_by is not None:
            by = self.value(line.raise_by)
            more = (
                self.phrase("Each bid is higher than the last.")
                if by == "1"
                else self.phrase("Each bid is at least {number} higher than the last.", number=by)
            )
            said = self.phrase("{sentence} {more}", sentence=said, more=more)
        return said

    def _ends(self, line: tree.Auction) -> str:
        match line.ends:
            case "a pass is final":
                return self.phrase(
                    "Bid or pass in turn. Who passes is out of this auction. The last one left with the highest bid wins it."
                )
            case "a pass is not final":
                return self.phrase(
                    "Bid or pass in turn. Who passes may bid again later. When all others pass after a bid, it wins."
                )
            case "once around":
                return self.phrase("Everybody bids or passes once, in turn. The highest bid wins.")
            case "sealed":
                return self.phrase(
                    "All bid or pass at the same time, in secret. The highest bid wins; of equal bids, the first in order."
                )

    def _payment(self, payment: tree.Payment) -> str:
        if isinstance(payment, tree.PayCounter):
            return self.phrase(
                "The winner pays the price from {source} to {target}.",
                source=self.value(payment.source),
                target=self.value(payment.to),
            )
        source = self.written.value(payment.source)
        things = payment.source.span.text if source is None else self.members(source)
        to = self.written.value(payment.to)
        place = self.the(self.words.name("zone", payment.to.name)) if to is None else self.thing(to)
        if payment.measure.of is not None or payment.measure.key is not None:
            value = self.words.name("attribute", payment.measure.name)
            return self.phrase(
                "The winner pays with {things}, as many as come to the price in {value}; they go to {place}. No change is given.",
                things=things,
                value=value,
                place=place,
            )
        return self.phrase(
            "The winner pays with {things}, one for each point of the price; they go to {place}.", things=things, place=place
        )

    def _lines(self, lines: Sequence[tree.Line], run: Sequence[m.Statement]) -> tuple[Item, ...]:
        """What some lines under an auction do."""
        found: list[Item] = []
        every = [node for node in walk_statements(tuple(run)) if isinstance(node, m.Statement)]
        for line in lines:
            if isinstance(line, tree.BidAgain):
                if line.without is None:
                    found.append(Item(self.phrase("The bidding begins again."), line.span))
                else:
                    who = (
                        self.words.phrase("winner")
                        if line.without.text == "winner"
                        else self.words.name("argument", line.without.text)
                    )
                    found.append(Item(self.phrase("The bidding begins again without the {player}.", player=who), line.span))
                continue
            here = [node for node in every if place_of(node.span) == place_of(line.span)]
            inside = {id(below) for node in here for below in walk_statements(node) if below is not node}
            found += self.body(tuple(dict.fromkeys(node for node in here if id(node) not in inside)))
        return tuple(found)
