"""Binds filters, which select members of a set, and rankings, which order them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce

from attrs import evolve

from ....common.nouns import with_article
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, TRUTH, Const, Expr, Type, Var
from ...visitor import walk
from ..names.scope import Attribute, Column, Pending, Scope, unclear, variable
from ..names.types import as_number, as_set, every_value, fits, of_noun
from .binding import expression
from .comparing import comparison, negate_if, some
from .spans import numbers_between


def filtered(base: Expr, filters: tuple[tree.Filter, ...], scope: Scope, span: Span, called: tree.Name | None = None) -> Expr:
    """The members of a set that pass all filters. ``called``: the name that the line gives to each of them."""
    for each in filters:
        if isinstance(each, tree.Within) and each.negated:  # of equal components, one for one
            base = model.Without(base, _those(each, base.type, scope), type=base.type, span=span)
            continue
        var = Var(base.type.noun, base.type.member)
        condition = passes(each, var, scope, called)
        if isinstance(condition, Const) and condition.type.base == "unknown":  # what is done with the members says nothing more
            return unclear(span)
        base = model.Filter(base, var, condition, type=base.type, span=span)
    return base


def meant(
    node: tree.Expression,
    noun: tree.Name,
    scope: Scope,
    narrow: Callable[[tree.Name, Expr, Scope], Expr] = of_noun,
    called: tree.Name | None = None,
) -> Expr:
    """The members of a set that a noun before it means; the filters behind the set are asked of these alone."""
    if isinstance(node, tree.Filtered):
        return filtered(meant(node.base, noun, scope, narrow, called), node.filters, scope, node.span, called)
    return narrow(noun, as_set(expression(node, scope), scope), scope)


def gone_through(node: tree.ForEach | tree.OverEach, scope: Scope) -> Expr:
    """The members that are gone through one by one: all that the noun names, those of a set, or the numbers of an interval."""
    called = node.name or node.noun
    if node.members is None:
        members = every_value(node.noun, scope)
    elif isinstance(node.members, tree.Interval):
        members = as_set(numbers_between(node.members, scope), scope)
    else:
        members = meant(node.members, node.noun, scope, called=called)
    return filtered(members, node.filters, scope, node.span, called)


def has_only(members: Expr, of_them: Expr, filters: tuple[tree.Filter, ...], scope: Scope, span: Span) -> Expr:
    """Whether every member of a set passes all filters: none of them fails one. ``of_them``: the members that the noun means."""
    var = Var(of_them.type.noun, of_them.type.member)
    first, *others = (passes(each, var, scope) for each in filters)
    if of_them is not members:
        others.append(model.IsIn(variable(var, span), of_them, type=TRUTH, span=span))
    whole = reduce(lambda one, other: model.Logic("and", one, other, type=TRUTH, span=span), others, first)
    failing = model.Filter(members, var, negate_if(True, whole, span), type=members.type, span=span)
    return negate_if(True, some(failing, span), span)


def passes(filter: tree.Filter, var: Var, scope: Scope, called: tree.Name | None = None) -> Expr:
    """Whether ``var`` passes a filter. ``called``: the name that the line gives to each that passes."""
    match filter:
        case tree.With(attribute=name, of=of, key=key, op=op, value=value_node):
            asked = applied(name, key, var, scope, of=of)
            if of is not None:
                of_players = var.type == model.PLAYER and key is None
                decides(asked, var, scope, f"leave `of {of.span.text}` out to ask every player" if of_players else "")
            return comparison(op, asked, expression(value_node, scope, asked.type), scope, filter.span)
        case tree.Where(negated=negated, condition=tree.Ref(name=word, of=None, key=key) as condition):
            asked = applied(tree.Name(word, span=condition.name_span), key, var, scope, condition.further)
            help = f"compare it: `with {word} ...`, or in brackets: `where ({word} ...)`"
        case tree.Where(negated=negated, condition=condition):
            asked, help = _asked(condition, var, scope, called), "compare it with something"
        case tree.Within(negated=negated):
            members = _those(filter, var.type.set, scope)
            return negate_if(negated, model.IsIn(variable(var, filter.span), members, type=TRUTH, span=filter.span), filter.span)
    if asked.type != TRUTH and asked.type.base != "unknown":
        text = condition.span.text
        if goes_on := _goes_on_behind(condition.span):
            help = f"put brackets around the whole condition: `where ({text} {goes_on}...)`"
            scope.faults.doubtful |= {var.type.noun}  # which is not known outside the brackets
        scope.complain("R204", f"`{text}` is {asked.type}, where a yes or no is wanted", condition.span, help=help)
        return unclear(condition.span)
    return negate_if(negated, asked, filter.span)


_COMPARING = ("has a", "has an", "has no", "has only", "is", "in", "not in", "touches", "at least", "at most", "<", ">")


def _goes_on_behind(condition: Span) -> str:
    """The comparison behind ``where mine`` in `where mine has a path from ...`, where only `mine` was read as the condition."""
    rest = condition.source.text[condition.end :].split("\n", 1)[0].lstrip(") ")
    return next((f"{word} " for word in _COMPARING if rest.startswith(f"{word} ")), "")


def _asked(condition: tree.Expression, var: Var, scope: Scope, called: tree.Name | None = None) -> Expr:
    """A condition in brackets: as in a ranking key, a bare attribute, zone or counter is that of the member.

    The member can also be called by the name that the line gives it, and by its noun where the lines around call nothing so.
    """
    noun = var.type.noun
    with scope.about(var) as inner:
        if called is not None:
            inner.locals[called.text] = variable(var, condition.span)
        free = inner.local(noun) is None
        if free:
            inner.locals[noun] = variable(var, condition.span)
        found = expression(condition, inner)
        around = inner.local(noun)
        if not free and isinstance(around, model.VarValue) and any(part.var is around.var for part in _variables(found)):
            help = f"`{noun}` is that of the lines around: leave `of {noun}` out to ask each of these"
        else:
            help = f"{_belonging(var)}; what holds of all or of none is asked by `if`"
        if found.type == TRUTH:
            decides(found, var, inner, help)
    return found


def _those(filter: tree.Within, members: Type, scope: Scope) -> Expr:
    """What stands after ``without`` and ``also in``: a set of the same things, or one of them."""
    node, noun = filter.of, members.noun
    symbol = scope.symbol(node.name) if isinstance(node, tree.Ref) and node.of is None and not scope.local(node.name) else None
    if filter.negated and isinstance(symbol, model.Variable) and symbol.owner == members.member.required:
        value = "0" if symbol.domain.type == NUMBER else "no" if symbol.domain.type == TRUTH else "none"
        scope.complain(
            "R204",
            f"`without` takes {noun}s out; `{symbol.name}` is what {with_article(noun)} has",
            node.span,
            help=f"write `with {symbol.name} {value}`",
        )
        return unclear(node.span)
    found = as_set(expression(node, scope, members.member.wide), scope)
    fits(found, members.required.wide, scope)
    return found


def applied(
    name: tree.Name,
    key: tree.Expression | None,
    var: Var,
    scope: Scope,
    further: tuple[tuple[tree.Place, tree.Expression], ...] = (),
    of: tree.Expression | None = None,
) -> Expr:
    """``name of var [for key [after ...]]``: a filter's or total's word, asked of a member; the keys are of the outside.

    With ``of`` that is given outside, too, and the member has another place: ``men of player for var``.
    """
    inner = scope.inner()
    inner.locals.pop(name.text, None)
    hidden = tree.Ref(name.text, None, None, span=name.span)
    inner.it = var
    if key is None and of is None:
        return expression(hidden, inner)

    def outside(place: tree.Place, value: tree.Expression) -> tree.Ref:
        """A key must not be asked of the member, so it is bound outside and handed in under a name nobody can write."""
        inner.locals[f" {place}"] = expression(value, scope, _key_type(name.text, place, scope))
        return tree.Ref(f" {place}", span=value.span)

    rest = tuple((place, outside(place, value)) for place, value in further)
    asked, belonging = (outside("for", key) if key is not None else None), (outside("of", of) if of is not None else None)
    return expression(evolve(hidden, key=asked, of=belonging, further=rest), inner)


def _key_type(name: str, place: tree.Place, scope: Scope) -> Type | None:
    match scope.symbol(name):
        case Pending(parameters=parameters) | model.Zone(parameters=parameters) | model.Variable(parameters=parameters):
            return next((parameter.type for parameter in parameters if parameter.place == place), None)
        case Column(table=table):
            return table.key
        case Attribute(key=key) if key:
            return Type("word", key)
        case _:
            return None


def of_each(attribute: tree.Name, key: tree.Expression | None, members: Expr, scope: Scope) -> tuple[Var, Expr]:
    var = Var(members.type.noun, members.type.member)
    return var, applied(attribute, key, var, scope)


def best(node: tree.Best, scope: Scope) -> Expr:
    members = as_set(expression(node.of, scope), scope)
    var = Var(members.type.noun, members.type.member)
    with scope.about(var) as about:
        keys = ranking(node.keys, about)
    type = members.type if node.all else members.type.member.maybe
    return model.Best(members, var, keys, node.all, type=type, span=node.span)


def decides(value: Expr, var: Var, scope: Scope, help: str = "") -> None:
    """A finding for a value that does not ask the thing of which it is to tell something."""
    asked = any(part.var is var for part in _variables(value))
    clear = not any(isinstance(part, model.Const) and part.type.base == "unknown" for part in walk(value))
    if not asked and clear:
        scope.complain(
            "R230",
            f"this is the same for every {var.type.noun}, so it decides nothing",
            value.span,
            help=help or _belonging(var),
        )


def _variables(value: Expr) -> Iterator[model.VarValue]:
    return (part for part in walk(value) if isinstance(part, model.VarValue))


def _belonging(var: Var) -> str:
    return f"name something that belongs to {with_article(var.type.noun)}"


def ranking(keys: tuple[tree.Key, ...], scope: Scope) -> tuple[model.Key, ...]:
    """The keys of a ranking, asked of ``scope.it``."""
    found = []
    for key in keys:
        if key.value is None:
            continue
        value = as_number(expression(key.value, scope), scope)
        if key.direction == "fits" and value.type == NUMBER:
            text = value.span.text
            help = f"write `highest {text}` or `lowest {text}`"
            scope.complain("R204", "this is a number, and it is not said which comes first", value.span, help=help)
        elif key.direction == "fits":
            fits(value, TRUTH, scope)
        elif value.type.is_set:
            value = model.Count(value, type=NUMBER, span=value.span)
        elif value.type.base not in ("number", "word", "unknown"):
            scope.complain("R204", f"this is {value.type}; a ranking needs a number or an ordered word", value.span)
        if scope.it is not None:
            decides(value, scope.it, scope)
        direction = {"most": "highest", "fewest": "lowest"}.get(key.direction, key.direction)
        label = key.label or key.span.text
        found.append(model.Key(direction, value, label, span=key.span))  # type: ignore[arg-type]
    return tuple(found)
