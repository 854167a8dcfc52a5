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

from collections.abc import Callable, Iterator, Sequence
from functools import reduce

from attrs import evolve, frozen

from ....common.nouns import plural, spoken
from ....common.source import Span
from ....syntax import tree
from ....words.words import marked
from ... import model
from ...model import NUMBER, TRUTH, Body, Const, Expr, Type, Var
from ..expressions import number
from ..expressions.comparing import negate_if, some
from ..expressions.later import with_possible
from ..expressions.selecting import meant
from ..names.scope import Scope, unclear, variable
from ..names.types import several_of, singular
from . import options, texts, wholes

ENOUGH = "enough"  # the verb by which somebody ends a selection of up to so many


@frozen
class Selection:
    """An act that takes several members, in pieces.

    ``option``: the first decision, without what it does. ``chosen``: all that are taken. ``gathering``: the decisions after it.
    ``announced``: what the others learn. ``done``: what happens then. ``most``: how many there can be (None: any number).
    """

    option: model.Option
    chosen: Var
    gathering: Body
    announced: model.Announce
    done: Body
    most: Expr | None


def options_of(lines: Sequence[tree.Option], chooser: Expr, scope: Scope) -> tuple[model.Option, ...]:
    """The options of a choice of ``chooser``."""
    verbs = frozenset(line.verb.text for line in lines)
    return with_possible(option(line, chooser, scope, verbs) for line in lines)


def option(line: tree.Option, chooser: Expr, scope: Scope, verbs: frozenset[str] | None = None) -> model.Option:
    """An option of ``chooser``. ``verbs``: of its choice, where its conditions may ask of these and of what it leads to."""
    several = not isinstance(line.arguments, tree.Placing) and any(isinstance(each, tree.Several) for each in line.arguments)
    return _several(line, chooser, scope) if several else options.option(line, chooser, scope, verbs)


def _several(line: tree.Option, chooser: Expr, scope: Scope) -> model.Option:
    """An option that takes several members of a set."""
    found = selection(line, chooser, scope)
    limits = found.option.limits
    return evolve(found.option, body=(*found.gathering, *options.one_more(limits), found.announced, *found.done))


def selection(line: tree.Option, chooser: Expr, scope: Scope) -> Selection:
    """What an option that takes several members stands for."""
    assert not isinstance(line.arguments, tree.Placing)
    several = next(argument for argument in line.arguments if isinstance(argument, tree.Several))
    scope = scope.inner()
    for other in (argument for argument in line.arguments if argument is not several):
        name = other.name or other.noun
        scope.bind(name.text, unclear(name.span), name.span)
        scope.complain(
            "R204",
            "what is selected one by one cannot be joined with something else",
            other.span,
            help="let the other thing be chosen before or after, in a `chooses` of its own",
        )
    span, verb = several.span, line.verb.text
    count = None if several.count is None else number(several.count, scope)
    if several.count is not None and isinstance(count, Const) and count.type == NUMBER and count.value < 1:
        scope.complain("R215", "at least 1 is selected", several.count.span)
    for clause in line.clauses:
        if isinstance(clause, tree.OnlyIf) and clause.where_possible:
            scope.complain(
                "R247",
                "`unless impossible` is asked of whole acts, and these are chosen one by one",
                clause.span,
                help="say when it holds: `only if ... unless ...`",
            )
    source = meant(several.source, several.noun, scope, several_of, several.name)
    member = Var(singular(several.noun, source.type, scope), source.type.member)
    chosen = Var((several.name or several.noun).text, source.type)
    members = model.VarValue(chosen, type=chosen.type, span=span)
    fitting = _fitting(line, source, member, scope)
    whole = wholes.demands(several, verb, line.text or verb, fitting, count, scope)
    source = whole.useful(source)
    conditions, shared = _conditions(line, member, scope)
    limits = options.limits_of(line, scope)
    only_limits = tuple(clause for clause in line.clauses if isinstance(clause, tree.Limit))
    within, _ = options.conditions(evolve(line, clauses=only_limits, body=()), scope, limits)

    def asked(one: Var) -> tuple[model.Condition, ...]:
        """What is asked of one more member, after the first."""
        return *_conditions(line, one, scope)[0], *whole.conditions(one, members)

    told: Expr = counted(members, span) if line.face_down else members
    said = f": {line.text or spoken(verb)} "
    given = (*number_of(told, several.noun, member.name, scope), ", face down") if line.face_down else (told,)
    wanted: tuple[str | Expr, ...] = (several.noun.text,)
    act, things = model.Named("act", line.text or verb), member.name
    asked_for: model.Said = model.Named("kind", things)
    if count is not None:
        wanted = (*(("up to ",) if several.up_to else ()), *number_of(count, several.noun, member.name, scope))
        asked_for = model.Named("kind", things, 0)
        if several.up_to:
            asked_for = model.Sentence(marked("up to {things}"), (("things", asked_for),))
    parts = f"to {line.text or spoken(verb)}: ", *wanted, "; chosen so far: ", members
    so_far = texts.told(
        parts, marked("to {act}: {things}; chosen so far: {chosen}"), span, act=act, things=asked_for, chosen=_values(parts) - 1
    )
    if line.face_down:
        done_text = marked("{player}: {act} {things}, face down")
        number_there = model.Named("kind", things, 1)
        done_told = texts.told((chooser, said, *given), done_text, span, player=0, act=act, things=number_there)
    else:
        done_text = marked("{player}: {act} {things}")
        done_told = texts.told((chooser, said, *given), done_text, span, player=0, act=act, things=1)
    gathering = (
        model.Gather(chosen, source, count if count is not None and whole.exact else _one(span), line.face_down, span=span),
        model.Include(chosen, variable(member, span), span=span),
        *_until_enough(chooser, line, chosen, source, member, asked, whole, so_far),
    )
    offered = (*within, *_possible(whole, several, member.name, scope), *conditions, *whole.conditions(member, None))
    arguments = (model.Argument(member, source, span=span),)
    shown = not line.face_down
    text = texts.of_option(line.text, line.span, scope)
    option = model.Option(verb, text, arguments, True, offered, (), limits, secret=True, told=shown, span=line.span)
    announcement = model.Announce(chooser, told, done_told, span=span)
    done = tuple(options.done(line, _with(scope, several.name or several.noun, members), shared))
    return Selection(option, chosen, gathering, announcement, done, count)


def _one(span: Span) -> Const:
    return Const(1, type=NUMBER, span=span)


def _until_enough(
    chooser: Expr,
    line: tree.Option,
    chosen: Var,
    source: Expr,
    member: Var,
    asked: Callable[[Var], tuple[model.Condition, ...]],
    whole: wholes.Whole,
    so_far: model.Reason,
) -> Body:
    """The decisions after the first; where the chooser may stop, with an option `ENOUGH`."""
    span, text = whole.line.span, line.text
    members = variable(chosen, span)
    ends = whole.enough(members)
    stop: tuple[model.Option, ...] = ()
    block = f"selection of {chosen.name}"
    if whole.may_stop:  # it also ends where nothing more can be chosen
        other = evolve(member)
        rest: Expr = model.Without(source, members, type=source.type, span=source.span)
        if conditions := asked(other):
            rest = model.Filter(rest, other, _every([each.test for each in conditions], span), type=source.type, span=span)
        ends.append(negate_if(True, some(rest, span), span))
        stop = (model.Option(ENOUGH, None, (), True, (), (model.End(block, span=span),), secret=True, span=span),)
    following = evolve(member)
    until = reduce(lambda one, more: model.Logic("or", one, more, type=TRUTH, span=span), ends)
    repeat = one_by_one(
        chooser, line.verb.text, text, chosen, source, following, asked(following), until, so_far, span, *stop,
        told=not line.face_down,
    )  # fmt: skip
    return (model.NamedBlock(block, (repeat,), span=span),) if stop else (repeat,)


def one_by_one(
    chooser: Expr, verb: str, text: str | None, chosen: Var, source: Expr, member: Var,
    conditions: tuple[model.Condition, ...], enough: Expr, so_far: model.Reason, span: Span, *others: model.Option,
    told: bool = False,
) -> model.Repeat:  # fmt: skip
    """One decision after another, each for one more ``member`` of ``source``, until there is enough in ``chosen``.

    ``so_far``: what the chooser is told meanwhile. ``others``: what else they can choose. ``told``: whether all
    are told in the end.
    """
    members = model.VarValue(chosen, type=chosen.type, span=span)
    rest = model.Without(source, members, type=source.type, span=source.span)
    include = model.Include(chosen, variable(member, span), span=span)
    more = model.Option(
        verb, text, (model.Argument(member, rest, span=span),), True, conditions, (include,), secret=True, told=told, span=span
    )
    choice = model.Choose(chooser, (more, *others), None, so_far, span=span)
    return model.Repeat(enough, None, (choice,), None, span=span)


def _values(parts: Sequence[str | Expr]) -> int:
    """How many values a text has."""
    return sum(not isinstance(part, str) for part in parts)


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
    scope.faults.lists[type.of] = forms
    of_many, of_one = (Const(index, type=type, span=noun.span) for index in (0, 1))
    is_one = model.Compare("=", count, Const(1, type=NUMBER, span=noun.span), type=TRUTH, span=noun.span)
    return count, model.Cases(((is_one, of_one),), of_many, type=type, span=noun.span)


def _with(scope: Scope, name: tree.Name, value: Expr, help: str = "") -> Scope:
    """The scope with one more name."""
    inner = scope.inner()
    inner.bind(name.text, value, name.span, help)
    return inner


def _conditions(line: tree.Option, member: Var, scope: Scope) -> tuple[tuple[model.Condition, ...], frozenset[str]]:
    """The conditions of the option, asked of one member, and the names above them that they use.

    What is selected under a name of its own leaves the noun to the lines around, unless a condition asks of one member by it.
    """
    assert not isinstance(line.arguments, tree.Placing)
    several = next(argument for argument in line.arguments if isinstance(argument, tree.Several))
    asked = any(isinstance(clause, tree.OnlyIf) for clause in line.clauses)
    if several.name and scope.local(member.name) and not asked:
        return options.conditions(line, scope)
    name = tree.Name(member.name, span=several.noun.span)
    help = f"put a name behind the noun, as in `2 {plural(member.name)} chosen`"
    if asked:
        help = f"here it is each one that is selected: give the other one a name where it comes from, as in `{member.name} other`"
    return options.conditions(line, _with(scope, name, variable(member, line.span), help))


def _fitting(line: tree.Option, source: Expr, member: Var, scope: Scope) -> Expr:
    """The members that may be selected."""
    var = evolve(member)
    tests = [condition.test for condition in _conditions(line, var, scope)[0]]
    if not tests:
        return source
    return model.Filter(source, var, _every(tests, line.span), type=source.type, span=line.span)


def _every(tests: Sequence[Expr], span: Span) -> Expr:
    return reduce(lambda one, other: model.Logic("and", one, other, type=TRUTH, span=span), tests)


def _possible(whole: wholes.Whole, several: tree.Several, one: str, scope: Scope) -> Iterator[model.Condition]:
    """Whether as many can be selected as must be."""
    count, noun, span = whole.count, several.noun, several.span
    if count is None:
        return
    if not isinstance(count, Const):
        positive = model.Compare("<", Const(0, type=NUMBER, span=span), count, type=TRUTH, span=span)
        none = (f"there are no {noun.text} to select",)
        things = model.Named("kind", one)
        said = texts.told(none, marked("there are no {things} to select"), span, things=things)
        yield model.Condition(positive, said, span=span)
    if whole.exact:
        there = counted(whole.source, span)
        are_wanted = number_of(count, noun, one, scope, (" are", " is"))
        parts = *are_wanted, " wanted, and there are ", there
        wanted = model.Named("kind", one, 0)
        text = marked("{things} are wanted, and there are {number}")
        said = texts.told(parts, text, span, things=wanted, number=_values(parts) - 1)
        yield model.Condition(model.Compare("<=", count, there, type=TRUTH, span=span), said, span=span)
