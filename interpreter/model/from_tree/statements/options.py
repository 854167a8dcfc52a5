"""Binds an option of a choice: its arguments, its conditions and its limits."""

from __future__ import annotations

from collections.abc import Iterator

from ....syntax import tree
from ... import model
from ...model import NUMBER, TRUTH, Const, Expr, Var
from ...visitor import walk
from ..expressions import expression, number, truth
from ..names.scope import Scope, variable
from ..names.types import as_set, every_value, must_be_fixed, noun_fits, together
from . import placing
from .binding import body
from .texts import reason


def option(line: tree.Option, chooser: Expr, scope: Scope) -> model.Option:
    """An option of ``chooser``; what it takes is in scope for its clauses and its statements."""
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
                type = every_value(argument.noun, scope).type.member
            case tree.Interval(low=low, high=high):
                source = (number(low, inner), number(high, inner))
                type = NUMBER
            case given:
                members = as_set(expression(given, inner), inner)
                noun_fits(argument.noun, members.type, inner)
                source, type = members, members.type.member
        name = argument.name or argument.noun
        var = Var(name.text, type)
        inner.bind(name.text, variable(var, name.span), name.span)
        arguments.append(model.Argument(var, source, span=argument.span))
    limits = limits_of(line, inner)
    clauses = conditions(line.clauses, inner, limits, laying=isinstance(line.arguments, tree.Placing))
    return model.Option(
        line.verb.text, line.text, tuple(arguments), line.face_down, (*_apart(arguments), *clauses),
        (*one_more(limits), *laid, *body(line.body, inner)), limits, span=line.span,
    )  # fmt: skip


def _apart(arguments: list[model.Argument]) -> Iterator[model.Condition]:
    """No act takes one component twice.

    ``serve a card from hand of player and a card other from hand of player`` asks besides, as a designer would write it::

        only if other is in hand of player without card otherwise "that is the same card twice"
    """
    for place, argument in enumerate(arguments):
        if argument.var.type.base != "component":
            continue
        for earlier in arguments[:place]:
            span, type = argument.span, argument.var.type.set
            both = _all_of(earlier, argument) if earlier.var.type == argument.var.type else None
            if both is None:
                continue
            taken = model.SetOf((model.VarValue(earlier.var, type=earlier.var.type, span=span),), type=type, span=span)
            left = model.Without(both, taken, type=type, span=span)
            value = model.VarValue(argument.var, type=argument.var.type, span=span)
            why = model.Reason((f"that is the same {argument.var.type.noun} twice",), span=span)
            yield model.Condition(model.IsIn(value, left, type=TRUTH, span=span), why, span=span)


def _all_of(earlier: model.Argument, argument: model.Argument) -> Expr | None:
    """All that two arguments can take, or more; None where they take from different zones."""
    type, span = argument.var.type.set, argument.span
    if earlier.source == argument.source and isinstance(argument.source, model.Typed):
        return argument.source
    one, other = _sets(earlier.source), _sets(argument.source)
    if one is None or other is None:
        return model.AllOf(type=type, span=span)
    names = [{part.zone for part in sets if isinstance(part, model.ZoneContent)} for sets in (one, other)]
    if all(isinstance(part, model.ZoneContent) for part in (*one, *other)) and not names[0] & names[1]:
        return None
    of_all = {part.zone for part in (*one, *other) if isinstance(part, model.ZoneContent) and part.every}
    parts = [
        part for part in dict.fromkeys((*one, *other))
        if not isinstance(part, model.ZoneContent) or part.every or part.zone not in of_all
    ]  # fmt: skip
    return together([part if part.type.is_set else model.SetOf((part,), type=type, span=span) for part in parts], type, span)


def _sets(source: Expr | tuple[Expr, Expr] | None) -> list[Expr] | None:
    """The zones, and the sets that have a name, from which an argument takes; None where it may take from anywhere."""
    match source:
        case model.ZoneContent() | model.VarValue():
            return [source]
        case model.Filter(of=of) | model.Without(left=of):
            return _sets(of)
        case model.Join(left=left, right=right):
            parts = [_sets(left), _sets(right)]
        case model.SetOf(members=members):
            parts = [_sets(member) for member in members]
        case _:
            return None
    return None if None in parts else [each for part in parts if part is not None for each in part]


def conditions(
    clauses: tuple[tree.Clause, ...], scope: Scope, limits: tuple[model.Limit, ...] = (), *, laying: bool = False
) -> tuple[model.Condition, ...]:
    """The conditions of an option, with its arguments in scope.

    ``limits``: what `limits_of` it are, where they are asked. ``laying``: whether it lays something on a grid.
    """
    found: list[model.Condition] = []
    counted = iter(limits)
    for clause in clauses:
        match clause:
            case tree.Limit():
                if (limit := next(counted, None)) is not None:
                    within = model.Compare("<", _counted(limit), limit.count, type=TRUTH, span=clause.span)
                    found.append(model.Condition(within, reason(clause.reason, clause.span, scope), span=clause.span))
            case tree.SoThat():
                found += placing.so_that(clause, laying, scope)
            case tree.OnlyIf():
                test = truth(clause.condition, scope)
                if clause.unless is not None:
                    test = model.Logic("or", test, truth(clause.unless, scope), type=TRUTH, span=clause.span)
                found.append(model.Condition(test, reason(clause.reason, clause.span, scope), span=clause.span))
    return tuple(found)


def limits_of(line: tree.Option, scope: Scope) -> tuple[model.Limit, ...]:
    """The limits of an option, each with a counter of its own."""
    clauses = [clause for clause in line.clauses if isinstance(clause, tree.Limit)]
    first: dict[str, tree.Limit] = {}
    for clause in clauses:
        earlier = first.setdefault(clause.step.text, clause)
        if earlier is not clause:
            scope.complain(
                "R202", f"`{line.verb.text}` has two limits per `{clause.step.text}`", clause.span, (earlier.span, "the first"),
                help="leave one of them out",
            )  # fmt: skip
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
