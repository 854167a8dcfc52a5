"""Expands an act that takes several things: one decision for each of them, after which the act happens once.

While somebody selects, what is selected stays where it is, in a set that nobody else sees. Its order is forgotten, for a set
has none. ``discard 3 cards from hand of player`` becomes::

    option discard(card in hand[player]) face down secretly
        only if 3 <= count(hand[player]) otherwise "3 cards are wanted, and there are {count(hand[player])}"
        gather cards from hand[player], at least 3
        include card in cards
        repeat until 3 <= count(cards)
            choose player
                option discard(card in hand[player] without cards) face down secretly
                    include card in cards
        announce cards to all but player "{player}: discard {cards}"
        move cards to discard
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from attrs import evolve

from ....common.nouns import plural
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, TRUTH, Body, Const, Expr, Type, Var
from ..expressions import expression, number
from ..names.scope import Scope, unclear, variable
from ..names.types import as_set, singular
from . import options


def option(line: tree.Option, chooser: Expr, scope: Scope) -> model.Option:
    """An option that takes several members of a set."""
    assert not isinstance(line.arguments, tree.Placing)
    several = next(argument for argument in line.arguments if isinstance(argument, tree.Several))
    scope = scope.inner()
    for other in (argument for argument in line.arguments if argument is not several):
        name = other.name or other.noun
        scope.bind(name.text, unclear(name.span), name.span)
        scope.complain(
            "R204", "what is selected one by one cannot be joined with something else", other.span,
            help="let the other thing be chosen before or after, in a `chooses` of its own",
        )  # fmt: skip
    span, verb = several.span, line.verb.text
    count = number(several.count, scope)
    if isinstance(count, Const) and count.type == NUMBER and count.value < 1:
        scope.complain("R215", "at least 1 is selected", several.count.span)
    for clause in line.clauses:
        if isinstance(clause, tree.OnlyIf) and clause.where_possible:
            scope.complain(
                "R247", "`unless impossible` is asked of whole acts, and these are chosen one by one", clause.span,
                help="say when it holds: `only if ... unless ...`",
            )  # fmt: skip
    source = as_set(expression(several.source, scope), scope)
    member = Var(singular(several.noun, source.type, scope), source.type.member)
    chosen = Var((several.name or several.noun).text, source.type)
    members = model.VarValue(chosen, type=chosen.type, span=span)
    conditions, shared = _conditions(line, member, scope)
    limits = options.limits_of(line, scope)
    only_limits = tuple(clause for clause in line.clauses if isinstance(clause, tree.Limit))
    within, _ = options.conditions(evolve(line, clauses=only_limits, body=()), scope, limits)
    following = evolve(member)
    enough = model.Compare("<=", count, counted(members, span), type=TRUTH, span=span)
    told: Expr = counted(members, span) if line.face_down else members
    said = f": {line.text or verb} "
    wanted = number_of(count, several.noun, member.name, scope)
    given = (*number_of(told, several.noun, member.name, scope), ", face down") if line.face_down else (told,)
    done: Body = (
        model.Gather(chosen, source, count, line.face_down, span=span),
        model.Include(chosen, variable(member, span), span=span),
        one_by_one(
            chooser, verb, line.text, chosen, source, following, _conditions(line, following, scope)[0], enough,
            (f"to {line.text or verb}: ", *wanted, "; chosen so far: ", members), span,
        ),
        *options.one_more(limits),
        announced(chooser, told, (said, *given), span),
        *options.done(line, _with(scope, several.name or several.noun, members), shared),
    )
    are_wanted = number_of(count, several.noun, member.name, scope, (" are", " is"))
    offered = (*within, *_enough(count, _fitting(line, source, member, scope), are_wanted, several.noun.text, span), *conditions)
    arguments = (model.Argument(member, source, span=span),)
    return model.Option(verb, line.text, arguments, True, offered, done, limits, secret=True, span=line.span)


def one_by_one(
    chooser: Expr, verb: str, text: str | None, chosen: Var, source: Expr, member: Var,
    conditions: tuple[model.Condition, ...], enough: Expr, so_far: tuple[str | Expr, ...], span: Span,
) -> model.Repeat:  # fmt: skip
    """One decision after another, each for one more ``member`` of ``source``, until there is enough in ``chosen``.

    ``so_far``: what the chooser is told meanwhile.
    """
    members = model.VarValue(chosen, type=chosen.type, span=span)
    rest = model.Without(source, members, type=source.type, span=source.span)
    include = model.Include(chosen, variable(member, span), span=span)
    more = model.Option(
        verb, text, (model.Argument(member, rest, span=span),), True, conditions, (include,), secret=True, span=span
    )
    choice = model.Choose(chooser, (more,), None, model.Reason(so_far, span=span), span=span)
    return model.Repeat(enough, None, (choice,), None, span=span)


def announced(player: Expr, value: Expr, said: tuple[str | Expr, ...], span: Span) -> model.Announce:
    """The end of a secret act: the others learn that it was done."""
    return model.Announce(player, value, model.Reason((player, *(part for part in said if part)), span=span), span=span)


def counted(members: Expr, span: Span) -> Expr:
    return model.Count(members, type=NUMBER, span=span)


def number_of(count: Expr, noun: tree.Name, one: str, scope: Scope, verb: tuple[str, str] = ("", "")) -> tuple[str | Expr, ...]:
    """``3 cards``, ``1 card``, as the parts of a text.

    ``one``: what one of them is called. ``verb``: what follows, of many and of one.
    """
    many = noun.text if noun.text != one else plural(one)
    forms = f" {many}{verb[0]}", f" {one}{verb[1]}"
    if isinstance(count, Const):
        return count, forms[count.value == 1]
    type = Type("word", f"{forms[0].strip()} or {forms[1].strip()}")  # a list that nobody can declare: it has a space in its name
    scope.faults.forms[type.of] = forms
    of_many, of_one = (Const(index, type=type, span=noun.span) for index in (0, 1))
    is_one = model.Compare("=", count, Const(1, type=NUMBER, span=noun.span), type=TRUTH, span=noun.span)
    return count, model.Cases(((is_one, of_one),), of_many, type=type, span=noun.span)


def _with(scope: Scope, name: tree.Name, value: Expr) -> Scope:
    """The scope with one more name."""
    inner = scope.inner()
    inner.bind(name.text, value, name.span)
    return inner


def _conditions(line: tree.Option, member: Var, scope: Scope) -> tuple[tuple[model.Condition, ...], frozenset[str]]:
    """The conditions of the option, asked of one member, and the names above them that they use."""
    name = tree.Name(member.name, span=line.span)
    return options.conditions(line, _with(scope, name, variable(member, line.span)))


def _fitting(line: tree.Option, source: Expr, member: Var, scope: Scope) -> Expr:
    """The members that may be selected."""
    var = evolve(member)
    tests = [condition.test for condition in _conditions(line, var, scope)[0]]
    if not tests:
        return source
    every = reduce(lambda one, other: model.Logic("and", one, other, type=TRUTH, span=line.span), tests)
    return model.Filter(source, var, every, type=source.type, span=line.span)


def _enough(
    count: Expr, fitting: Expr, are_wanted: tuple[str | Expr, ...], noun: str, span: Span
) -> Iterator[model.Condition]:
    """Whether as many can be selected as must be."""
    if not isinstance(count, Const):
        positive = model.Compare("<", Const(0, type=NUMBER, span=span), count, type=TRUTH, span=span)
        yield model.Condition(positive, model.Reason((f"there are no {noun} to select",), span=span), span=span)
    there = counted(fitting, span)
    said = model.Reason((*are_wanted, " wanted, and there are ", there), span=span)
    yield model.Condition(model.Compare("<=", count, there, type=TRUTH, span=span), said, span=span)
