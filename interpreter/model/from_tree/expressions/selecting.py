"""Binds filters, which select members of a set, and rankings, which order them."""

from __future__ import annotations

from attrs import evolve

from ....common.nouns import with_article
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, TRUTH, Expr, Type, Var
from ...visitor import walk
from ..names.scope import Attribute, Column, Pending, Scope
from ..names.types import as_number, as_set, fits
from .binding import expression
from .comparing import comparison, negate_if


def filtered(base: Expr, filters: tuple[tree.Filter, ...], scope: Scope, span: Span) -> Expr:
    """The members of a set that pass all filters."""
    for each in filters:
        var = Var(base.type.noun, base.type.member)
        base = model.Filter(base, var, passes(each, var, scope), type=base.type, span=span)
    return base


def passes(filter: tree.Filter, var: Var, scope: Scope) -> Expr:
    """Whether ``var`` passes a filter."""
    asked = applied(filter.name if isinstance(filter, tree.Where) else filter.attribute, filter.key, var, scope)
    if isinstance(filter, tree.Where):
        if asked.type != TRUTH and asked.type.base != "unknown":
            name = filter.name.text
            scope.complain(
                "R204", f"`{name}` is {asked.type}, where a yes or no is wanted", filter.name.span,
                help=f"compare it: `with {name} ...`",
            )  # fmt: skip
        return negate_if(filter.negated, asked, filter.span)
    value = expression(filter.value, scope, asked.type)
    return comparison(filter.op, asked, value, scope, filter.span)


def applied(name: tree.Name, key: tree.Expression | None, var: Var, scope: Scope) -> Expr:
    """``name of var [for key]``: a filter's or total's word, asked of a member; the key is of the outside."""
    inner = scope.inner()
    inner.locals.pop(name.text, None)
    hidden = tree.Ref(name.text, None, None, span=name.span)
    inner.it = var
    if key is None:
        return expression(hidden, inner)
    # the key must not be asked of the member, so it is bound outside and handed in under a name nobody can write
    inner.locals[" key"] = expression(key, scope, _key_type(name.text, scope))
    return expression(evolve(hidden, key=tree.Ref(" key", span=key.span)), inner)


def _key_type(name: str, scope: Scope) -> Type | None:
    match scope.symbol(name):
        case Pending(line=line, parameters=parameters) if line.key is not None:
            return parameters[-1]
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
    with scope.asking(var) as asking:
        keys = ranking(node.keys, asking)
    type = members.type if node.all else members.type.member.maybe
    return model.Best(members, var, keys, node.all, type=type, span=node.span)


def ranking(keys: tuple[tree.Key, ...], scope: Scope) -> tuple[model.Key, ...]:
    """The keys of a ranking, asked of ``scope.it``."""
    found = []
    for key in keys:
        if key.value is None:
            continue
        value = as_number(expression(key.value, scope))
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
        parts = list(walk(value))
        asked = any(isinstance(part, model.VarValue) and part.var is scope.it for part in parts)
        clear = not any(isinstance(part, model.Const) and part.type.base == "unknown" for part in parts)
        if not asked and clear and scope.it is not None:
            scope.complain(
                "R230", f"this is the same for every {scope.it.type.noun}, so it decides nothing", value.span,
                help=f"name something that belongs to {with_article(scope.it.type.noun)}",
            )  # fmt: skip
        direction = {"most": "highest", "fewest": "lowest"}.get(key.direction, key.direction)
        label = key.label or key.span.text
        found.append(model.Key(direction, value, label, span=key.span))  # type: ignore[arg-type]
    return tuple(found)
