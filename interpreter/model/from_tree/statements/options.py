"""Binds an option of a choice: its arguments, its conditions and its limits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ....common.nouns import with_article
from ....syntax import tree
from ....words.words import marked
from ... import model
from ...model import NUMBER, TRUTH, Const, Expr, Var
from ...visitor import substituted, walk
from ..expressions import expression, number, truth
from ..expressions.later import knowing
from ..expressions.selecting import meant
from ..names.scope import Scope, unclear, variable
from ..names.types import every_value, must_be_fixed, of_something, too_long
from . import placing
from .binding import body
from .texts import of_option, reason, told


def option(line: tree.Option, chooser: Expr, scope: Scope, verbs: frozenset[str] | None = None) -> model.Option:
    """An option of ``chooser``; what it takes is in scope for its clauses and its statements.

    ``verbs``: the options of its choice, where its conditions may ask of them and of the position to which it leads.
    """
    inner = scope.inner()
    arguments = []
    laid: tuple[model.Statement, ...] = ()
    if isinstance(line.arguments, tree.Placing):
        found = placing.chosen_way(line.arguments, inner)
        if found is not None:
            arguments.append(found[0])
            laid = (found[1],)
    for argument in () if isinstance(line.arguments, tree.Placing) else line.arguments:
        source: Expr | tuple[Expr, Expr] | None = None
        match argument.source:
            case None:
                everything = every_value(argument.noun, scope)
                type = everything.type.member
                source = everything if type.only else None
            case tree.Interval(low=low, high=high):
                source = (number(low, inner), number(high, inner))
                type = NUMBER
            case given:
                members = meant(given, argument.noun, inner, called=argument.name or argument.noun)
                source, type = members, members.type.member
        name = argument.name or argument.noun
        var = Var(name.text, type)
        help = f"put a name behind the noun: `{line.verb.text} {with_article(name.text)} other`"
        inner.bind(name.text, variable(var, name.span), name.span, help)
        arguments.append(model.Argument(var, source, span=argument.span))
    limits = limits_of(line, inner)
    clauses, shared = conditions(line, inner, limits, laying=isinstance(line.arguments, tree.Placing), verbs=verbs)
    return model.Option(
        line.verb.text,
        of_option(line.text, line.span, scope),
        tuple(arguments),
        line.face_down,
        (*_apart(arguments), *clauses),
        (*one_more(limits), *laid, *done(line, inner, shared)),
        limits,
        span=line.span,
    )


def _apart(arguments: list[model.Argument]) -> Iterator[model.Condition]:
    """No act takes one component twice, unless there are two of it.

    ``serve a card from hand of player and a card other from hand of player`` asks besides, as a designer would write it::

        only if other is in hand of player without card otherwise "that is the same card twice"

    Where they take from different sets, there must be as many of a face in all these sets together as are taken of it. That
    is asked of every group of arguments, since other arguments bring in sets of which the face may be no member.
    """
    for place, argument in enumerate(arguments):
        if argument.var.type.base != "component":
            continue
        alike = [earlier for earlier in arguments[:place] if earlier.var.type == argument.var.type]
        rivals = [earlier for earlier in alike if _may_meet(earlier, argument)]
        same = all(earlier.source == argument.source for earlier in rivals)
        for count in range(len(rivals) if same else 1, len(rivals) + 1):
            yield from (_not_among(argument, others) for others in combinations(rivals, count) if others)


def _not_among(argument: model.Argument, others: tuple[model.Argument, ...]) -> model.Condition:
    span, type = argument.span, argument.var.type.set
    all_of = model.AllOf(type.only, type=type, span=span)
    sets = tuple(dict.fromkeys(all_of if not isinstance(a.source, model.Typed) else a.source for a in (*others, argument)))
    everything: Expr = sets[0] if len(sets) == 1 else model.Union(sets, type=type, span=span)
    taken = model.SetOf(tuple(variable(other.var, span) for other in others), type=type, span=span)
    left = model.Without(everything, taken, type=type, span=span)
    noun = argument.var.type.noun
    thing = model.Named("kind", noun)
    why = told((f"that is the same {noun} twice",), marked("that is the same {thing} twice"), span, thing=thing)
    return model.Condition(model.IsIn(variable(argument.var, span), left, type=TRUTH, span=span), why, span=span)


def _may_meet(one: model.Argument, other: model.Argument) -> bool:
    """Whether two arguments can take the same component: not from zones of which none has the name of another."""
    zones = _zones(one.source), _zones(other.source)
    return zones[0] is None or zones[1] is None or bool(zones[0] & zones[1])


def _zones(source: object) -> set[str] | None:
    """The zones from which an argument takes; None where it may take from anywhere."""
    match source:
        case model.ZoneContent(zone=zone):
            return {zone}
        case model.Filter(of=of) | model.Without(left=of):
            return _zones(of)
        case model.Join(left=left, right=right):
            parts = [_zones(left), _zones(right)]
        case model.SetOf(members=members):
            parts = [_zones(member) for member in members]
        case _:
            return None
    found = [each for each in parts if each is not None]
    return set().union(*found) if len(found) == len(parts) else None


def conditions(
    line: tree.Option,
    scope: Scope,
    limits: tuple[model.Limit, ...] = (),
    *,
    laying: bool = False,
    verbs: frozenset[str] | None = None,
) -> tuple[tuple[model.Condition, ...], frozenset[str]]:
    """The conditions of an option, with its arguments in scope, and the names of the lines above them that they use.

    ``limits``: what `limits_of` it are, where they are asked. ``laying``: whether it lays something on a grid. ``verbs``: as in
    `option`.
    """
    scope, values, late = _named_above(line, scope)
    inner = scope.inner()
    inner.verbs = verbs
    found: list[model.Condition] = []
    counted = iter(limits)
    for clause in line.clauses:
        match clause:
            case tree.Limit():
                if (limit := next(counted, None)) is not None:
                    within = model.Compare("<", _counted(limit), limit.count, type=TRUTH, span=clause.span)
                    found.append(model.Condition(within, reason(clause.reason, clause.span, scope), span=clause.span))
            case tree.SoThat():
                found += placing.so_that(clause, laying, scope)
            case tree.OnlyIf():
                test = truth(clause.condition, inner)
                if clause.unless is not None:
                    test = model.Logic("or", test, truth(clause.unless, inner), type=TRUTH, span=clause.span)
                why = reason(clause.reason, clause.span, scope)
                test = knowing(test, values)
                found.append(model.Condition(test, why, where_possible=clause.where_possible, span=clause.span))
    used = {part.var for part in walk(tuple(found)) if isinstance(part, model.VarValue) and part.var in values}
    for var in (each for each in late if each in used):
        naming, before = late[var]
        when = "the line above it is done" if before else "this line comes"
        message = f"the conditions cannot know `{var.name}`: they are asked before {when}"
        others = [(before.span, "this is done when the option is chosen")] if before else []
        scope.complain("R107", message, naming.span, *others, help="write this line above all others of the option")
    return tuple(substituted(each, values) for each in found), frozenset(var.name for var in used)


def _named_above(
    line: tree.Option, scope: Scope
) -> tuple[Scope, dict[Var, Expr], dict[Var, tuple[tree.Statement, tree.Statement | None]]]:
    """The scope of the conditions of an option, the values of the names that the lines above them give, and names given too late.

    Conditions are asked before anything is done, so these lines must be the first of the option, as in::

        play a card from hand of player
            let led be suit of best of table by lowest order
            only if suit of card is led unless hand of player has no card with suit led otherwise "follow suit"
    """
    inner, values, late = scope.inner(), dict[Var, Expr](), dict[Var, tuple[tree.Statement, tree.Statement | None]]()
    last = max((clause.span.start for clause in line.clauses), default=0)
    above: tree.Statement | None = None
    for each in line.body:
        below = each.span.start > last
        if not isinstance(each, tree.Let):
            above = above or each
            continue
        name = each.name.text
        if below and (inner.local(name) or scope.symbol(name) or scope.lists_with(name)):
            continue  # it is known as something else
        value: Expr = unclear(each.span)
        if above is None and not below:
            bound = substituted(of_something(expression(each.value, inner), inner), values)
            value = value if too_long(bound, inner) else bound
        var = Var(name, value.type)
        values[var] = value
        if above is not None or below:
            late[var] = each, None if below else above
        inner.locals[name] = variable(var, each.name.span)
    return inner, values, late


def done(line: tree.Option, scope: Scope, shared: frozenset[str]) -> model.Body:
    """What an option does. ``shared``: names that its conditions use; those that nothing else uses are left out."""
    found = body(line.body, scope)
    used = {part.var for part in walk(found) if isinstance(part, model.VarValue)}
    return tuple(each for each in found if not isinstance(each, model.Let) or each.var.name not in shared or each.var in used)


def limits_of(line: tree.Option, scope: Scope) -> tuple[model.Limit, ...]:
    """The limits of an option, each with a counter of its own."""
    clauses = [clause for clause in line.clauses if isinstance(clause, tree.Limit)]
    first: dict[str, tree.Limit] = {}
    for clause in clauses:
        earlier = first.setdefault(clause.step.text, clause)
        if earlier is not clause:
            scope.complain(
                "R202",
                f"`{line.verb.text}` has two limits per `{clause.step.text}`",
                clause.span,
                (earlier.span, "the first"),
                help="leave one of them out",
            )
    return tuple(_limit(line.verb.text, clause, scope) for clause in clauses)


def _limit(verb: str, line: tree.Limit, scope: Scope) -> model.Limit:
    step = line.step.text
    if step not in scope.all_steps():
        scope.unknown(step, line.step.span, "step or phase", scope.all_steps())
    count = must_be_fixed(number(line.count, scope), "a limit", scope)
    counter = scope.faults.fresh(f"{verb} per {step}")
    options = tuple(dict.fromkeys(part.name for part in walk(count) if isinstance(part, model.OptionValue)))
    return model.Limit(counter, count, step, options, span=line.span)


def one_more(limits: tuple[model.Limit, ...]) -> Iterator[model.Statement]:
    """What an option with limits does first when it is chosen."""
    for limit in limits:
        one = Const(1, type=NUMBER, span=limit.span)
        more = model.Arithmetic("+", _counted(limit), one, type=NUMBER, span=limit.span)
        yield model.SetVariable(limit.counter, None, more, span=limit.span)


def _counted(limit: model.Limit) -> model.VariableValue:
    return model.VariableValue(limit.counter, None, type=NUMBER, span=limit.span)
