"""Expands an auction into statements that exist.

What all may see of it is kept in variables that nobody declares, and is none when it is over: the highest bid, whose it is,
and how each bidder stands. A sealed bid is kept where only its bidder sees it. An auction with ``a pass is final``::

    step auction for lot
        let bidders = {...}
        gather failed to pay from bidders, at least 0
        repeat until no
            step bidding for lot
                for each bidder in bidders
                    set bidding for lot[bidder] = could not pay if bidder in failed to pay, else still bidding
                take turns from ... among bidders where bidding for lot = still bidding until ...
                    choose bidder                                (until only the one who bid highest is left, or nobody)
                        option bid(price in 1..30)
                            only if highest bidder for lot = none or highest bid for lot + 1 <= price
                            set highest bid for lot = price
                            set highest bidder for lot = bidder
                        option pass()
                            set bidding for lot[bidder] = has passed
                if highest bidder for lot = none
                    ...                                          (all is none again, then `no bids`)
                    end auction for lot
                let winner = highest bidder for lot
                let price = highest bid for lot
                if not ...                                       (the winner can pay)
                    tell "{winner} cannot pay {price}"
                    include winner in failed to pay
                    ...                                          (`cannot pay`; `bid again` is `end bidding for lot`)
                    end auction for lot
                ...                                              (the payment, all is none again, then `won`)
                end auction for lot
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from attrs import evolve, frozen

from ....common.source import Span
from ....syntax import tree
from ....words.words import marked
from ... import model
from ...model import NUMBER, PLAYER, TRUTH, UNKNOWN, Body, Const, Expr, Type, Var
from ...sizes import AMOUNTS_LIMIT
from ..expressions import expression, number, wanted
from ..names.scope import Attribute, Auction, Scope, variable
from ..names.types import fixed, of_something
from .binding import body
from .payments import Payment, Price, payment
from .targets import order_of
from .texts import told

PRICE: Final = "price"  # what an amount is called that has no name

_STANDING: Final = Type("word", "standing in an auction")
_WORDS: Final = marked("still bidding"), marked("has bid"), marked("has passed"), marked("could not pay")
_Standing = Literal["still bidding", "has bid", "has passed", "could not pay"]


def auction(line: tree.Auction, scope: Scope) -> Iterator[model.Statement]:
    """What an auction does."""
    if scope.auction is not None:
        scope.complain(
            "R107",
            "an auction cannot stand inside another",
            line.span,
            (scope.auction.span, "inside this one"),
            help="let it be a step of its own, and write `do STEP` here",
        )
        return
    of_something(expression(line.lot, scope), scope)
    yield _Auctioneer(line, scope).run()


def bid_again(line: tree.BidAgain, scope: Scope) -> Iterator[model.Statement]:
    """Leave the bidding, which begins anew."""
    around = scope.auction
    if around is None or around.failed is None:
        scope.complain(
            "R107",
            "`bid again` stands under `cannot pay`",
            line.span,
            help="it is what happens when the winner of an auction cannot pay; other repetition is `repeat until`",
        )
        return
    around.bids_again = True
    if line.without is not None:
        if line.without.text != "winner":
            scope.complain(
                "R204",
                "it is the winner who stays out when the bidding begins anew",
                line.without.span,
                help="write `bid again without winner`",
            )
        yield model.Include(around.failed, variable(around.winner, line.span), span=line.span)
    text = told(("the bidding begins anew",), marked("the bidding begins anew"), line.span)
    if line.without is not None:
        parts = "the bidding begins anew", " without ", variable(around.winner, line.span)
        text = told(parts, marked("the bidding begins anew without {player}"), line.span, player=0)
    yield model.Tell(text, span=line.span)
    yield model.End(_bidding(around.name), span=line.span)


def _bidding(name: str) -> str:
    return f"{model.BIDDING}{name}"


@frozen
class _Part:
    """One part of a bid: an amount ``source`` or (None) a word of a list; where the highest and a sealed one are kept."""

    var: Var
    source: tuple[Expr, Expr] | None
    highest: model.Variable
    sealed: model.Variable | None
    span: Span

    def best(self) -> Expr:
        """The highest so far, where there is one."""
        return model.VariableValue(self.highest.name, None, type=self.var.type, span=self.span)


class _Auctioneer:
    """Writes the statements of one auction."""

    def __init__(self, line: tree.Auction, scope: Scope) -> None:
        self.line, self.scope, self.span = line, scope, line.span
        self.lot = " ".join(line.lot.span.text.split())
        self.name = f"auction for {self.lot}"
        members = wanted(line.bidders, scope, PLAYER.set)
        self.bidders = Var("bidders", PLAYER.set)
        self.before: list[model.Statement] = [model.Let(self.bidders, members, span=members.span)]
        self.order = self._settled(order_of(line.order, PLAYER, scope))
        self.failed = Var("failed to pay", PLAYER.set)
        self.winner = Var("winner", PLAYER)
        self.around = Auction(self.name, self.winner, self.span)
        self.step = self._raise()
        self.bidder = Var("bidder", PLAYER)
        self.parts = self._parts()
        domain = model.Domain(PLAYER.maybe)
        scope.faults.lists[_STANDING.of] = _WORDS
        self.leader = scope.keep(f"highest bidder for {self.lot}", None, domain, "open", self.span)
        self.standing = scope.keep(f"bidding for {self.lot}", PLAYER, model.Domain(_STANDING.maybe), "open", self.span)

    # ---- What is said of bids

    def _settled(
        self, order: model.Clockwise | model.ByKeys | model.InRandomOrder | None
    ) -> model.Clockwise | model.ByKeys | model.InRandomOrder | None:
        """The order, begun at the same seat in every round."""
        if not isinstance(order, model.Clockwise):
            return order
        kept: list[Expr | None] = []
        for name, end in (("first bidder", order.start), ("last bidder", order.stop)):
            if end is None:
                kept.append(None)
                continue
            var = Var(name, end.type)
            self.before.append(model.Let(var, end, span=end.span))
            kept.append(variable(var, end.span))
        return model.Clockwise(kept[0], kept[1], span=order.span)

    def _raise(self) -> Expr | None:
        """By how much a bid must be higher than the last; a finding where the bidding might never end."""
        line, at = self.line, self.line.bids[0].span
        if line.raise_by is None:
            if line.ends in ("a pass is final", "a pass is not final"):
                self.scope.complain(
                    "R243",
                    "this bidding need never end: a bid need not be higher than the last",
                    at,
                    help="write `bids: ..., each higher than the last`, or let it end `once around`",
                )
            return None
        step = number(line.raise_by, self.scope)
        if line.ends == "sealed":
            self.scope.complain(
                "R243",
                "sealed bids do not follow one another",
                line.raise_by.span,
                help="leave out `each ... higher than the last`: the highest wins",
            )
        elif not self._positive(step):
            self.scope.complain(
                "R243",
                "this bidding need never end: this can be less than 1",
                line.raise_by.span,
                help="what begins at 1 can stand here: a number, an option from 1..5",
            )
        if len(line.bids) > 1 and step != Const(1, type=NUMBER, span=at):
            self.scope.complain(
                "R204", "a bid of several parts has no steps", line.raise_by.span, help="write `each higher than the last`"
            )
        return step

    def _positive(self, value: Expr) -> bool:
        """Whether a number is at least 1, as far as declarations say."""
        match value:
            case Const(value=amount):
                return amount >= 1 or value.type.base == "unknown"
            case model.OptionValue(name=name) | model.VariableValue(name=name):
                declared = self.scope.symbol(name)
                assert isinstance(declared, model.OptionDeclaration | model.Variable)
                return declared.domain.low is not None and self._positive(declared.domain.low)
            case model.PlayerCount():
                return True
            case _:
                return False

    def _parts(self) -> tuple[_Part, ...]:
        found: dict[str, _Part] = {}
        inner = self._asking(self.bidder)
        for line in self.line.bids:
            name = PRICE if line.name is None else line.name.text
            if name in found:
                self.scope.complain("R202", f"two parts of a bid are called `{name}`", (line.name or line).span)
                continue
            taken = self.scope.symbol(name) if line.name is None or line.amounts is not None else None
            if line.name is not None and isinstance(taken, model.WordList | model.Kind | Attribute):
                taken = None  # these are asked `of` something, or stand for one of them
            if taken is not None or (line.name is None and self.scope.local(name) is not None):
                self.scope.complain(
                    "R205",
                    f"what is bid is called `{name}`, and that would hide another `{name}`",
                    line.span,
                    help=f"give it a name of its own: `bids: {'amount' if name != 'amount' else 'bid'} from 1..20`",
                )
            source: tuple[Expr, Expr] | None = None
            if line.amounts is not None:
                source = number(line.amounts.low, inner), number(line.amounts.high, inner)
                domain = self._domain(source, line.amounts)
            else:
                type = self.scope.type_named(name) or UNKNOWN
                if type.base != "word":
                    lists = self.scope.names_of(model.WordList)
                    self.scope.unknown(name, line.span, "list", lists)
                    type = UNKNOWN
                domain = model.Domain(type.maybe)
            said = "bid" if line.name is None and len(self.line.bids) == 1 else name
            highest = self.scope.keep(f"highest {said} for {self.lot}", None, domain, "open", line.span)
            sealed = None
            if self.line.ends == "sealed":
                sealed = self.scope.keep(f"sealed {said} for {self.lot}", PLAYER, domain, "private", line.span)
            found[name] = _Part(Var(name, domain.type.required), source, highest, sealed, line.span)
        return tuple(found.values())

    def _asking(self, bidder: Var) -> Scope:
        """The scope of the ends of a bid, in which ``bidder`` is who bids (unless the rules have another)."""
        inner = self.scope.inner()
        if inner.local("bidder") is None and inner.symbol("bidder") is None:
            inner.locals["bidder"] = variable(bidder, self.span)
        return inner

    def _domain(self, source: tuple[Expr, Expr], line: tree.Interval) -> model.Domain:
        """The amounts that can ever be bid; what is not settled before the game is only known to be no large number."""
        low, high = source
        if isinstance(low, Const) and low.value < 0:
            self.scope.complain("R215", "nobody can bid less than 0", low.span)
        if isinstance(low, Const) and isinstance(high, Const) and low.value > high.value and low.type == high.type == NUMBER:
            swapped = f"did you mean {high.value}..{low.value}?"
            self.scope.complain("R215", f"there is no number from {low.value} to {high.value}", line.span, help=swapped)
            high = low
        if isinstance(high, model.VariableValue):
            declared = self.scope.symbol(high.name)
            high = declared.domain.high if isinstance(declared, model.Variable) and declared.domain.high is not None else high
        least = low if fixed(low) else Const(0, type=NUMBER, span=low.span)
        most = high if fixed(high) else Const(AMOUNTS_LIMIT, type=NUMBER, span=high.span)
        return model.Domain(NUMBER.maybe, least, most)

    # ---- The whole

    def run(self) -> model.NamedBlock:
        line, span = self.line, self.span
        before, after = self.scope.inner(), self.scope.inner()
        before.auction = after.auction = self.around
        after.locals["winner"] = variable(self.winner, span)
        names: list[model.Statement] = [self._let(self.winner, self.leader)]
        for part in self.parts:
            after.locals[part.var.name] = variable(part.var, part.span)
            names.append(self._let(part.var, part.highest))
        paying = self._payment(after)
        nobody = model.Compare("=", self._value(self.leader), _none(PLAYER, span), type=TRUTH, span=span)
        no_bids: Body = (*self._reset(), *body(line.no_bids or (), before), self._end())
        rounds: Body = (
            *self._asked(),
            model.If(nobody, no_bids, (), span=span),
            *names,
            *self._failing(paying, after),
            *paying.body,
            *self._reset(),
            *body(line.won or (), after),
            self._end(),
        )
        opened: Body = (self._each((self._stand(self._first_standing()),)), *rounds)
        if self.around.bids_again:
            never = Const(0, type=TRUTH, span=span)
            nobody_yet = Const(0, type=NUMBER, span=span)
            members = variable(self.bidders, span)
            self.before.append(model.Gather(self.failed, members, nobody_yet, False, span=span))
            opened = (model.Repeat(never, None, (model.NamedBlock(_bidding(self.name), opened, span=span),), None, span=span),)
        return model.NamedBlock(self.name, (*self.before, *opened), span=span)

    def _first_standing(self) -> Expr:
        if not self.around.bids_again:
            return self._word("still bidding")
        failed = model.IsIn(variable(self.bidder, self.span), variable(self.failed, self.span), type=TRUTH, span=self.span)
        return model.Cases(((failed, self._word("could not pay")),), self._word("still bidding"), type=_STANDING, span=self.span)

    def _failing(self, paying: Payment, scope: Scope) -> Body:
        """What happens when the winner cannot pay."""
        lines = self.line.cannot_pay
        if lines is None:
            if paying.possible is not None and "pay" not in self.scope.faults.doubtful:
                self.scope.complain(
                    "R244",
                    "this does not say what happens when the winner cannot pay",
                    self.line.payment[0][1].span,
                    help="add `cannot pay` with what happens then, such as `bid again without winner`",
                )
            return ()
        if not self.line.payment and "payment" not in self.scope.faults.doubtful:
            self.scope.complain(
                "R244",
                "nothing is paid in this auction, so nobody fails to pay",
                self.span,
                help="say what is paid: `payment: coins of winner to bank`",
            )
        inner = scope.inner()
        self.around.failed = self.failed
        failing = body(lines, inner)
        self.around.failed = None
        if paying.possible is None:
            return ()
        cannot = model.Not(paying.possible, type=TRUTH, span=paying.possible.span)
        part = self.parts[0]
        parts = variable(self.winner, self.span), " cannot pay ", variable(part.var, part.span)
        text = told(parts, marked("{player} cannot pay {amount}"), self.span, player=0, amount=1)
        return (model.If(cannot, (model.Tell(text, span=self.span), *self._reset(), *failing, self._end()), (), span=self.span),)

    # ---- Bidding

    def _asked(self) -> Body:
        """The bidding itself."""
        may_bid = self._stands("still bidding")
        match self.line.ends:
            case "once around":
                return (self._each((model.If(may_bid, (self._choice(),), (), span=self.span),), self.order),)
            case "sealed":
                asked = self._each((model.If(may_bid, (self._sealed_choice(),), (), span=self.span),), self.order)
                return asked, self._each((model.If(may_bid, self._opened(), (), span=self.span),), self.order)
            case "a pass is final" | "a pass is not final":
                going_on = self._going_on()
                over = model.Not(going_on, type=TRUTH, span=self.span)
                if self.order is None or (isinstance(self.order, model.Clockwise) and self.order.stop is None):
                    return (self._in_turns(None if self.order is None else self.order.start, over),)
                turn = model.If(self._and(may_bid, going_on), (self._choice(),), (), span=self.span)
                return (model.Repeat(over, None, (self._each((turn,), self.order),), None, span=self.span),)

    def _in_turns(self, start: Expr | None, over: Expr) -> model.TakeTurns:
        """Round after round clockwise from the same seat: that is one after the other of those who are left."""
        other = Var("other", PLAYER)
        members = variable(self.bidders, self.span)
        left = model.Filter(members, other, self._stands("still bidding", other), type=PLAYER.set, span=self.span)
        first = Const(0, type=PLAYER, span=self.span) if start is None else start
        return model.TakeTurns(self.bidder, first, left, over, (self._choice(),), span=self.span)

    def _going_on(self) -> Expr:
        """Whether somebody is left who could outbid."""
        other = Var("other", PLAYER)
        may_bid = self._stands("still bidding", other)
        leads = model.Compare("=", variable(other, self.span), self._value(self.leader), type=TRUTH, span=self.span)
        rival = self._and(may_bid, model.Not(leads, type=TRUTH, span=self.span))
        rivals = model.Filter(variable(self.bidders, self.span), other, rival, type=PLAYER.set, span=self.span)
        return model.Some(rivals, type=TRUTH, span=self.span)

    def _choice(self) -> model.Choose:
        """Bid or pass, seen by all."""
        bid: list[model.Statement] = [self._set(part.highest, variable(part.var, part.span)) for part in self.parts]
        bid.append(self._set(self.leader, variable(self.bidder, self.span)))
        mine = [(part.best(), variable(part.var, part.span)) for part in self.parts]
        conditions: tuple[model.Condition, ...] = ()
        if self.step is not None:
            conditions = (model.Condition(self._first_or(self._higher(mine)), self._why(), span=self.line.bids[0].span),)
        else:
            bid = [model.If(self._first_or(self._higher(mine)), tuple(bid), (), span=self.span)]
        match self.line.ends:
            case "a pass is not final":
                other = Var("other", PLAYER)
                again = self._stand(self._word("still bidding"), other)
                passed = model.If(self._stands("has passed", other), (again,), (), span=self.span)
                bid.append(model.ForEach(other, variable(self.bidders, self.span), None, (passed,), span=self.span))
            case "once around":
                bid.append(self._stand(self._word("has bid")))
            case _:
                pass
        return self._bid_or_pass(conditions, tuple(bid), (self._stand(self._word("has passed")),), secret=False)

    def _sealed_choice(self) -> model.Choose:
        """Bid or pass, seen by nobody else."""
        bid = [
            model.SetVariable(part.sealed.name, variable(self.bidder, self.span), variable(part.var, part.span), span=part.span)
            for part in self.parts
            if part.sealed is not None
        ]
        return self._bid_or_pass((), tuple(bid), (), secret=True)

    def _opened(self) -> Body:
        """A sealed bid is seen by all, and counts."""
        bidder, span = variable(self.bidder, self.span), self.span
        sealed = [(part, part.sealed) for part in self.parts if part.sealed is not None]
        theirs: list[Expr] = [model.VariableValue(kept.name, bidder, type=part.var.type, span=part.span) for part, kept in sealed]
        first = evolve(theirs[0], type=theirs[0].type.maybe)
        passed = model.Compare("=", first, _none(first.type, span), type=TRUTH, span=span)
        passes = model.Announce(bidder, first, told((bidder, ": pass"), marked("{player}: pass"), span, player=0), span=span)
        best = [self._set(part.highest, value) for (part, _), value in zip(sealed, theirs, strict=True)]
        higher = self._higher([(part.best(), value) for (part, _), value in zip(sealed, theirs, strict=True)])
        counted: Body = (
            *(self._shown(part, value) for (part, _), value in zip(sealed, theirs, strict=True)),
            self._stand(self._word("has bid")),
            model.If(self._first_or(higher), (*best, self._set(self.leader, bidder)), (), span=span),
            *(model.SetVariable(kept.name, bidder, _none(part.var.type, span), span=span) for part, kept in sealed),
        )
        return (model.If(passed, (passes, self._stand(self._word("has passed"))), counted, span=span),)

    def _shown(self, part: _Part, value: Expr) -> model.Announce:
        bidder = variable(self.bidder, self.span)
        if len(self.parts) == 1:
            text = told((bidder, ": bid ", value), marked("{player}: bid {amount}"), self.span, player=0, amount=1)
        else:
            what = model.Named("argument", part.var.name)
            parts = bidder, f": {part.var.name} ", value
            text = told(parts, marked("{player}: {what} {amount}"), self.span, player=0, what=what, amount=1)
        return model.Announce(bidder, value, text, span=self.span)

    def _bid_or_pass(self, conditions: tuple[model.Condition, ...], bid: Body, passed: Body, *, secret: bool) -> model.Choose:
        at = self.line.bids[0].span
        arguments = tuple(model.Argument(part.var, part.source, span=part.span) for part in self.parts)
        options = (
            model.Option("bid", None, arguments, secret, conditions, bid, secret=secret, told=secret, span=at),
            model.Option("pass", None, (), secret, (), passed, secret=secret, span=at),
        )
        return model.Choose(variable(self.bidder, self.span), options, None, span=self.span)

    def _higher(self, bids: Sequence[tuple[Expr, Expr]]) -> Expr:
        """Whether a bid is enough above the highest: the first part in which they differ decides. Pairs of highest and bid."""
        (best, mine), *rest = bids
        if not rest and self.step is not None and self.step != Const(1, type=NUMBER, span=self.span):
            least = model.Arithmetic("+", best, self.step, type=NUMBER, span=self.span)
            return model.Compare("<=", least, mine, type=TRUTH, span=self.span)
        more = model.Compare("<", best, mine, type=TRUTH, span=self.span)
        if not rest:
            return more
        same = model.Compare("=", best, mine, type=TRUTH, span=self.span)
        return model.Logic("or", more, self._and(same, self._higher(rest)), type=TRUTH, span=self.span)

    def _first_or(self, higher: Expr) -> Expr:
        first = model.Compare("=", self._value(self.leader), _none(PLAYER, self.span), type=TRUTH, span=self.span)
        return model.Logic("or", first, higher, type=TRUTH, span=self.span)

    def _why(self) -> model.Reason:
        """Why a bid is too low."""
        best: list[str | Expr] = [part for each in self.parts for part in (" ", each.best())]
        step: list[str | Expr] = []
        if self.step is not None and self.step != Const(1, type=NUMBER, span=self.span):
            step = [", and each is at least ", self.step, " higher"]
        count = len(self.parts)
        bid: model.Said = count - 1
        for place in reversed(range(count - 1)):
            bid = model.Sentence(marked("{things} {more}"), (("things", place), ("more", bid)))
        parts = "the highest bid is", *best, *step
        if not step:
            return told(parts, marked("the highest bid is {bid}"), self.span, bid=bid)
        text = marked("the highest bid is {bid}, and each is at least {step} higher")
        return told(parts, text, self.span, bid=bid, step=count)

    # ---- Paying

    def _payment(self, scope: Scope) -> Payment:
        """What the winner pays, and whether they can."""
        cases, part = self.line.payment, self.parts[0]
        if not cases:
            return Payment(None, ())
        if any(each.var.type.base == "unknown" for each in self.parts):
            return Payment(None, ())
        if len(self.parts) > 1 or part.source is None:
            self.scope.complain(
                "R204",
                "what is paid is an amount, and a bid is none here",
                cases[0][1].span,
                help="a payment needs `bids: A..B`; other costs can be written under `won`",
            )
            return Payment(None, ())
        amounts = self.line.bids[0].amounts
        assert amounts is not None
        most = expression(amounts.high, self._asking(self.winner))
        amount = Price(variable(part.var, part.span), self._positive(part.source[0]), most)
        return payment(cases, amount, variable(self.winner, self.span), scope)

    # ---- Small statements and expressions

    def _each(self, body: Body, order: model.Clockwise | model.ByKeys | model.InRandomOrder | None = None) -> model.ForEach:
        return model.ForEach(self.bidder, variable(self.bidders, self.span), order, body, span=self.span)

    def _let(self, var: Var, kept: model.Variable) -> model.Let:
        """A name for what is kept, which is not none here."""
        return model.Let(var, model.VariableValue(kept.name, None, type=var.type, span=self.span), span=self.span)

    def _set(self, kept: model.Variable, value: Expr) -> model.SetVariable:
        return model.SetVariable(kept.name, None, value, span=self.span)

    def _stand(self, word: Expr, who: Var | None = None) -> model.SetVariable:
        return model.SetVariable(self.standing.name, variable(who or self.bidder, self.span), word, span=self.span)

    def _stands(self, word: _Standing, who: Var | None = None) -> Expr:
        player = variable(who or self.bidder, self.span)
        standing = model.VariableValue(self.standing.name, player, type=_STANDING.maybe, span=self.span)
        return model.Compare("=", standing, self._word(word), type=TRUTH, span=self.span)

    def _word(self, word: _Standing) -> Const:
        return Const(_WORDS.index(word), type=_STANDING, span=self.span)

    def _value(self, kept: model.Variable) -> Expr:
        return model.VariableValue(kept.name, None, type=kept.domain.type, span=self.span)

    def _reset(self) -> Iterator[model.Statement]:
        """All that was kept is none again."""
        yield self._each((self._stand(_none(_STANDING, self.span)),))
        for part in self.parts:
            yield self._set(part.highest, _none(part.var.type, self.span))
        yield self._set(self.leader, _none(PLAYER, self.span))

    def _end(self) -> model.End:
        return model.End(self.name, span=self.span)

    def _and(self, one: Expr, other: Expr) -> Expr:
        return model.Logic("and", one, other, type=TRUTH, span=self.span)


def _none(type: Type, span: Span) -> Const:
    return Const(-1, type=type.maybe, span=span)
