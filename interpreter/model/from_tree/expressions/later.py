"""Binds what a condition of an option asks of the position after it, and of the other options of its choice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve

from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import TRUTH, Expr, Type, Var
from ...visitor import substituted, walk, with_parts
from ..names.scope import Scope, unclear
from .binding import truth


def later(node: tree.AfterThis | tree.Possible, scope: Scope) -> Expr:
    match node:
        case tree.AfterThis(condition=condition):
            if scope.verbs is None:
                scope.complain(
                    "R247",
                    "`after this` asks of what one option leads to, and here is none",
                    node.span,
                    help="it stands in an `only if` under an option with statements of its own",
                )
                return unclear(node.span)
            test = truth(condition, scope)
            if any(isinstance(part, model.After) for part in walk(test)):
                scope.complain("R247", "`after this` is asked once, not of what comes after that", node.span)
                return unclear(node.span)
            return model.After(test, type=TRUTH, span=node.span)
        case tree.Possible(verb=verb):
            if scope.verbs is None:
                scope.complain(
                    "R247",
                    f"whether `{verb}` is possible is known only where it is an option",
                    node.span,
                    help=f"ask in an `only if` under an option of the choice that offers `{verb}`",
                )
                return unclear(node.span)
            if verb not in scope.verbs:
                return scope.unknown(verb, node.span, "option", set(scope.verbs))
            return model.Possible(verb, type=TRUTH, span=node.span)


def parts_of_position(scope: Scope, span: Span) -> tuple[Expr, ...]:
    """What may make up a position, as expressions."""
    found: list[Expr] = []
    for name in dict.fromkeys(scope.faults.positions):
        match scope.symbol(name):
            case model.Grid():
                found.append(model.ZoneContent(name, None, type=Type("cell", name).set, span=span))
            case model.Zone(type=type, owned=owned):
                found.append(model.ZoneContent(name, None, owned, type=type.set, span=span))
            case model.Variable(domain=domain):
                found.append(model.VariableValue(name, None, type=domain.type, span=span))
            case _:
                pass
    return tuple(found)


def knowing(test: Expr, values: Mapping[Var, Expr]) -> Expr:
    """A condition whose `model.After` keep what names stand for before the option is carried out. ``values``: of these names."""

    def change(part: Any) -> Any:
        if not isinstance(part, model.After):
            return with_parts(part, change)
        used = dict.fromkeys(each.var for each in walk(part.test) if isinstance(each, model.VarValue) and each.var in values)
        names = {var: Var(var.name, var.type) for var in used}
        before = tuple(model.Let(names[var], values[var], span=part.span) for var in used)
        asked = {var: model.VarValue(new, type=new.type, span=part.span) for var, new in names.items()}
        return evolve(part, test=substituted(part.test, asked), before=before)

    return change(test)  # type: ignore[no-any-return]


def asks_later(node: object) -> bool:
    """Whether something asks of the position after an option, or of other options."""
    return any(isinstance(part, model.After | model.Possible) for part in walk(node))


def with_possible(options: Iterable[model.Option]) -> tuple[model.Option, ...]:
    """The options of a choice, where each `model.Possible` knows the options that it asks for.

    These are asked without their own questions of that kind, which would lead in a circle.
    """
    given = tuple(options)
    asked = (part for each in given for condition in each.conditions for part in walk(condition))
    verbs = {part.verb for part in asked if isinstance(part, model.Possible)}
    if not verbs:
        return given
    plain = {verb: tuple(_asked(each) for each in given if each.verb == verb) for verb in verbs}

    def change(part: Any) -> Any:
        if isinstance(part, model.Possible):
            return evolve(part, options=plain[part.verb])
        return with_parts(part, change) if isinstance(part, model.Node) else part

    return tuple(evolve(each, conditions=tuple(change(condition) for condition in each.conditions)) for each in given)


def _asked(option: model.Option) -> model.Option:
    """An option as a question: with names of its own, and without what it does."""
    names = {argument.var: Var(argument.var.name, argument.var.type) for argument in option.arguments}
    values = {var: model.VarValue(new, type=new.type, span=option.span) for var, new in names.items()}
    conditions = tuple(
        substituted(condition, values)
        for condition in option.conditions
        if not condition.where_possible and not asks_later(condition)
    )
    arguments = tuple(evolve(substituted(argument, values), var=names[argument.var]) for argument in option.arguments)
    return evolve(option, arguments=arguments, conditions=conditions, body=(), limits=())
