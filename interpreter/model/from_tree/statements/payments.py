"""The payment by the winner of an auction, and whether it is possible.

Cards are paid by a selection (see `selections`): the winner takes one after the other until it is enough, and then they move
together. Whether it can be enough is tested before it begins, so nobody is left with half a payment.
"""

from __future__ import annotations

from attrs import frozen

from ....common.nouns import plural
from ....syntax import tree
from ....words.words import marked
from ... import model
from ...model import NUMBER, TRUTH, Body, Const, Expr, Var
from ..expressions import number, truth
from ..expressions.selecting import meant
from ..names.scope import Scope, variable
from ..names.types import several_of, singular
from . import selections, texts
from .targets import change, held_by, spot, target_of


@frozen
class Price:
    """What is to be paid. ``positive``: it is at least 1. ``most``: it is never more than this."""

    amount: Expr
    positive: bool
    most: Expr


@frozen
class Payment:
    """``possible``: whether the winner can pay (None: always). ``body``: what is done."""

    possible: Expr | None
    body: Body


def payment(cases: tuple[tuple[tree.Expression | None, tree.Payment], ...], price: Price, winner: Expr, scope: Scope) -> Payment:
    """All cases of a payment, of which there is at least one; where none of them holds, nothing is paid."""
    span = cases[0][1].span
    yes = Const(1, type=TRUTH, span=span)
    found = [
        (None if condition is None else truth(condition, scope), _paid(paying, price, winner, scope))
        for condition, paying in cases
    ]
    body: Body = ()
    possible: Expr = yes
    for test, paid in reversed(found):
        can = paid.possible or yes
        if test is None:
            body, possible = paid.body, can
        else:
            body = (model.If(test, paid.body, body, span=test.span),)
            possible = model.Cases(((test, can),), possible, type=TRUTH, span=span)
    return Payment(None if all(paid.possible is None for _, paid in found) else possible, body)


def _paid(line: tree.Payment, price: Price, winner: Expr, scope: Scope) -> Payment:
    match line:
        case tree.PayCounter():
            return _from_counter(line, price, scope)
        case tree.PayComponents():
            return _with_components(line, price, winner, scope)


def _from_counter(line: tree.PayCounter, price: Price, scope: Scope) -> Payment:
    """One counter pays into another."""
    span = line.span
    declared, owner = target_of(line.source, scope)
    taken = tuple(change(line.source, "-", price.amount, span, scope))
    given = tuple(change(line.to, "+", price.amount, span, scope))
    if declared is None or declared.domain.low is None:
        return Payment(None, ())
    there = model.VariableValue(declared.name, owner, type=NUMBER, span=line.source.span)
    lowest = declared.domain.low
    if price.most == there and isinstance(lowest, Const) and lowest.value <= 0:
        return Payment(None, (*taken, *given))
    left = model.Arithmetic("-", there, lowest, type=NUMBER, span=span)
    return Payment(model.Compare("<=", price.amount, left, type=TRUTH, span=span), (*taken, *given))


def _with_components(line: tree.PayComponents, price: Price, winner: Expr, scope: Scope) -> Payment:
    """So many components, or components that are worth so much."""
    span = line.span
    noun = line.measure
    while isinstance(noun.of, tree.Ref):
        noun = noun.of
    name = tree.Name(noun.name, span=noun.span)
    source = meant(line.source, name, scope, several_of)
    place, held = spot(line.to, scope)
    if source.type.base not in ("component", "unknown"):
        scope.complain("R204", f"one can pay with components; these are {plural(source.type.noun)}", source.span)
        return Payment(None, ())
    if held is not None and source.type.base == "component" and not held_by(source.type, held):
        message = f"`{line.to.name}` holds {plural(held.noun)}, and these are {plural(source.type.noun)}"
        scope.complain("R204", message, line.to.span)
        return Payment(None, ())
    everything = source
    one_of_them = singular(name, source.type, scope)
    zero, one = Const(0, type=NUMBER, span=span), Const(1, type=NUMBER, span=span)
    member = Var(source.type.noun, source.type.member)

    def worth(of: Var) -> Expr:
        inner = scope.inner()
        inner.locals[noun.name] = variable(of, noun.span)
        return number(line.measure, inner)

    if noun is line.measure:
        least = price.amount

        def measured(members: Expr) -> Expr:
            return selections.counted(members, span)

    else:
        each = Var(member.name, member.type)
        useful = model.Compare("<", zero, worth(each), type=TRUTH, span=span)
        source = model.Filter(source, each, useful, type=source.type, span=source.span)
        least = one if price.positive else zero

        def measured(members: Expr) -> Expr:
            each = Var(member.name, member.type)
            return model.Total(members, each, worth(each), type=NUMBER, span=span)

    chosen = Var(noun.name, source.type)
    paid = variable(chosen, span)
    enough = model.Compare("<=", price.amount, measured(paid), type=TRUTH, span=span)
    amount = selections.counted(paid, span)
    how_many = selections.number_of(amount, tree.Name(noun.name, span=noun.span), one_of_them, scope)
    put_down: tuple[str | Expr, ...] = (paid, " (", measured(paid), ")")
    so_far = texts.told(
        ("to pay: ", price.amount, "; chosen so far: ", *put_down),
        marked("to pay: {amount}; chosen so far: {chosen} ({sum})"),
        span,
        amount=0,
        chosen=1,
        sum=2,
    )
    told = texts.told(
        (winner, ": pay ", *how_many),
        marked("{player}: pay {things}"),
        span,
        player=0,
        things=model.Named("kind", one_of_them, 1),
    )
    body: Body = (
        model.Gather(chosen, source, least, True, span=span),
        selections.one_by_one(winner, "pay", None, chosen, source, member, (), enough, so_far, span),
        model.Announce(winner, amount, told, span=span),
        model.Move(paid, place, span=span),
    )
    if repr(price.most) in (repr(measured(source)), repr(measured(everything))):  # what is bound in them goes by its name
        return Payment(None, body)
    return Payment(model.Compare("<=", price.amount, measured(source), type=TRUTH, span=span), body)
