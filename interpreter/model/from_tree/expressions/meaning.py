"""The meaning of each kind of expression: the one place where all kinds are listed."""

from __future__ import annotations

from functools import reduce
from typing import Literal, assert_never

from attrs import evolve

from ....common.nouns import with_article
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, PLAYER, TRUTH, UNKNOWN, Const, Expr, Type, Var
from ..names.scope import Scope, unclear, variable
from ..names.types import as_number, as_set, every_value, fits, noun_is, several_of, singular, the_noun, together
from . import distances, grids, later, lines, names, selecting
from .binding import belonging, expression, fitted, number, truth, wanted
from .comparing import comparison, negate_if, one_of, some
from .words import every, pick, special, word


@expression.register(tree.Expression)
def _meaning(node: tree.Expression, scope: Scope, expected: Type | None = None) -> Expr:
    span = node.span
    match node:
        case tree.Number(value=value):
            numbers = () if expected is None else scope.numbers_of(expected)
            if expected is not None and expected.base == "word" and (value in numbers or not numbers):
                return word(str(value), span, scope, expected)
            return Const(value, type=NUMBER, span=span)
        case tree.Special(word=said):
            return special(said, span, expected)
        case tree.Ref():
            return names.reference(node, scope, expected)
        case tree.Pick():
            return pick(node, scope, expected)
        case tree.Every(name=name):
            return every(name, span, scope)
        case tree.PlayerNumber(number=0):
            scope.complain("R215", "players are counted from 1", span)
            return unclear(span)
        case tree.PlayerNumber(number=seat):
            return Const(seat - 1, type=PLAYER, span=span)
        case tree.SeatsAway(count=count, direction=direction, of=of):
            player = wanted(of, scope, PLAYER)
            return model.SeatsAway(number(count, scope), direction == "right", player, type=belonging(player, PLAYER), span=span)
        case tree.Filtered(base=base, filters=filters):
            return selecting.filtered(as_set(expression(base, scope, expected), scope), filters, scope, span)
        case tree.Arithmetic(op=op, left=left, right=right):
            return _arithmetic(op, left, right, span, scope, expected)
        case tree.Division(left=left, right=right, rounded=rounded):
            whole, part = number(left, scope), number(right, scope)
            return model.Arithmetic("div" if rounded == "down" else "div up", whole, part, type=NUMBER, span=span)
        case tree.Negative(value=value_node):
            value_expr = number(value_node, scope)
            if isinstance(value_expr, Const):
                return evolve(value_expr, value=-value_expr.value, span=span)
            return model.Arithmetic("-", Const(0, type=NUMBER, span=span), value_expr, type=NUMBER, span=span)
        case tree.Comparison(op=compare_op, left=left, right=right):
            one, other = _two(left, right, scope)
            if one.type.base == "unknown" and isinstance(left, tree.Filtered):
                return unclear(span)  # of `table where rank > 2`, the comparison is meant to stand inside the filter
            return comparison(compare_op, one, other, scope, span)
        case tree.Membership(negated=negated, member=member, of=within):
            return negate_if(negated, _membership(member, within, span, scope), span)
        case tree.Logic(op=logic_op, left=left, right=right):
            return model.Logic(logic_op, truth(left, scope), truth(right, scope), type=TRUTH, span=span)
        case tree.Not(value=value_node):
            return model.Not(truth(value_node, scope), type=TRUTH, span=span)
        case tree.IsA(what=thing, negated=negated, noun=noun):
            return negate_if(negated, _is_a(expression(thing, scope), noun, scope, span), span)
        case tree.Has(base=base, negated=negated, noun=noun, filters=filters):
            members = as_set(expression(base, scope), scope)
            members = the_noun(noun, members, scope)
            return negate_if(negated, some(selecting.filtered(members, filters, scope, span), span), span)
        case tree.HasOnly(base=base, noun=noun, filters=filters):
            members = as_set(expression(base, scope), scope)
            singular(noun, members.type, scope)
            return selecting.has_only(members, several_of(noun, members, scope), filters, scope, span)
        case tree.EmptyCells() | tree.CellsNextTo() | tree.Shifted() | tree.Regions() | tree.Touches():
            return grids.on_grid(node, scope)
        case tree.Repeats(times=times):
            return model.Repeats(number(times, scope), later.parts_of_position(scope, span), type=TRUTH, span=span)
        case tree.AfterThis() | tree.Possible():
            return later.later(node, scope)
        case tree.HasLine() | tree.LongestLine() | tree.HasPath() | tree.LinesFrom():
            return lines.along_lines(node, scope)
        case tree.Somebody(negated=negated, among=among, filters=filters):
            those = model.AllPlayers(type=PLAYER.set, span=span) if among is None else wanted(among, scope, PLAYER.set)
            return negate_if(negated, some(selecting.filtered(those, filters, scope, span), span), span)
        case tree.Count(of=of):
            return model.Count(as_set(expression(of, scope), scope), type=NUMBER, span=span)
        case tree.Total(attribute=attribute, key=key, of=of):
            members = as_set(expression(of, scope), scope)
            var, value_of = selecting.of_each(attribute, key, members, scope)
            return model.Total(members, var, as_number(value_of, scope), type=NUMBER, span=span)
        case tree.OverEach(what=what):
            var, members, value_of = _over_each(node, scope)
            if what == "total":
                return model.Total(members, var, value_of, type=NUMBER, span=span)
            return model.Extreme(what, members, var, value_of, type=value_of.type.maybe, span=span)
        case tree.Extreme(direction=extreme, attribute=attribute, key=key, among=among):
            members = as_set(expression(among, scope), scope)
            var, value_of = selecting.of_each(attribute, key, members, scope)
            if value_of.type.is_set:
                value_of = model.Count(value_of, type=NUMBER, span=value_of.span)
            return model.Extreme(extreme, members, var, value_of, type=value_of.type.maybe, span=span)
        case tree.First(noun=noun, filters=filters, start=start):
            everybody = model.AllPlayers(type=PLAYER.set, span=span)
            noun_is(noun, everybody.type, scope)
            among_players = selecting.filtered(everybody, filters, scope, span)
            return model.First(among_players, wanted(start, scope, PLAYER), type=PLAYER.maybe, span=span)
        case tree.Best():
            return selecting.best(node, scope)
        case tree.LargerOf(left=left, right=right, smaller=smaller):
            which: Literal["min", "max"] = "min" if smaller else "max"
            return model.Arithmetic(which, number(left, scope), number(right, scope), type=NUMBER, span=span)
        case tree.Distance(left=left, right=right):
            return distances.between(*_two(left, right, scope), scope, span)
        case tree.AnyOne(noun=noun, source=source):
            members = selecting.meant(source, noun, scope, the_noun)
            return model.AnyOf(members, type=members.type.member.maybe, span=span)
        case tree.RandomOne(noun=noun, source=among):
            if isinstance(among, tree.Interval):
                low, high = number(among.low, scope), number(among.high, scope)
                return model.RandomNumber(low, high, type=NUMBER, span=span)
            members = every_value(noun, scope) if among is None else selecting.meant(among, noun, scope, the_noun)
            return model.RandomOf(members, type=members.type.member, span=span)
        case tree.Group(members=group):
            parts = [expression(m, scope, expected.member if expected else None) for m in group]
            kind = next((p.type.member if p.type.is_set else p.type for p in parts if p.type.base != "unknown"), UNKNOWN)
            if kind == UNKNOWN and not any(isinstance(m, tree.Special) for m in group):
                return unclear(span)  # complained about already
            if kind.base in ("number", "truth"):
                scope.complain(
                    "R204",
                    "only things of the game and words can be gathered in a set",
                    span,
                    help="numbers: `x in (1, 2, 3)` or `x in 1..3`",
                )
                return unclear(span)
            for part in parts:
                fits(part, (kind.set if part.type.is_set else kind).wide, scope)
            kind = reduce(Type.beside, (part.type for part in parts if part.type.base != "unknown"), kind)
            sets = [part for part in parts if part.type.is_set]
            single = tuple(part for part in parts if not part.type.is_set)
            if single:
                sets.insert(0, model.SetOf(single, type=kind.set, span=span))
            return together(sets, kind.set, span)
        case _:
            assert_never(node)


def _is_a(value: Expr, noun: tree.Name, scope: Scope, span: Span) -> Expr:
    """Whether a component is of a kind: of what can be nothing else, that is known."""
    if value.type.base == "unknown":
        return unclear(span)
    if not isinstance(scope.symbol(noun.text), model.Kind):
        return scope.unknown(noun.text, noun.span, "kind of component", scope.names_of(model.Kind))
    if value.type.is_set or noun.text not in value.type.kinds or (value.type.kinds == (noun.text,) and not value.type.optional):
        always = "always" if noun.text in value.type.kinds and not value.type.is_set else "never"
        scope.complain("R204", f"this is {value.type}, so it is {always} {with_article(noun.text)}", value.span)
        return unclear(span)
    type = scope.component(noun.text)
    return model.IsIn(value, model.AllOf(type.only, type=type.set, span=noun.span), type=TRUTH, span=span)


def _over_each(node: tree.OverEach, scope: Scope) -> tuple[Var, Expr, Expr]:
    """A name for each member of a set, the set, and the number that each gives."""
    members, name = selecting.gone_through(node, scope), node.name or node.noun
    var, inner = Var(name.text, members.type.member), scope.inner()
    inner.bind(name.text, variable(var, name.span), name.span)
    return var, members, number(node.value, inner)


def _arithmetic(op: str, left: tree.Expression, right: tree.Expression, span: Span, scope: Scope, expected: Type | None) -> Expr:
    a, b = expression(left, scope, expected), expression(right, scope, expected)
    a, b = (x if x.type.is_set and not isinstance(x, model.AllPlayers) else as_number(x, scope) for x in (a, b))
    if op == "+" and any(x.type.is_set or x.type.base in ("component", "player", "cell") for x in (a, b)):
        a, b = as_set(a, scope), as_set(b, scope)
        fits(b, a.type.wide, scope)
        return model.Join(a, b, type=a.type.beside(b.type) if a.type.base != "unknown" else b.type, span=span)
    if op == "+" and a.type.base == b.type.base == "unknown":
        return unclear(span)  # a number or a set
    fits(a, NUMBER, scope)
    fits(b, NUMBER, scope)
    return model.Arithmetic(op, a, b, type=NUMBER, span=span)  # type: ignore[arg-type]


def _meant_of_a_kind(member: tree.Expression, of: Expr, scope: Scope) -> str:
    """The help where a kind stands before `in`: ``every gem in bank``, ``count of gem in bank``, ``gem in bank``; else ""."""
    counted = isinstance(member, tree.Count)
    node = member.of if isinstance(member, tree.Count) else member
    if not isinstance(node, tree.Every) and not (isinstance(node, tree.Ref) and not node.arguments):
        return ""
    kind = scope.symbol(node.name)
    if not isinstance(kind, model.Kind) or scope.local(node.name) is not None or kind.name not in of.type.kinds:
        return ""
    if isinstance(node, tree.Ref) and not counted:
        return f"write `{of.span.text} has {with_article(kind.name)}`" if kind.attributes else ""
    of_them = of.span.text if len(of.type.kinds) == 1 else f"{kind.name} of {of.span.text}"
    return f"write `count of {of_them}`" if counted else f"write `{of_them}`"


def _two(left: tree.Expression, right: tree.Expression, scope: Scope) -> tuple[Expr, Expr]:
    """Two things to compare; a bare word or ``none`` takes its type from the other side."""
    vague = isinstance(left, tree.Special) or (
        isinstance(left, tree.Ref)
        and scope.local(left.name) is None
        and scope.symbol(left.name) is None
        and len(scope.lists_with(left.name)) != 1
    )
    if vague:
        b = expression(right, scope)
        return expression(left, scope, b.type), b
    a = expression(left, scope)
    if a.type == UNKNOWN and isinstance(right, tree.Ref) and scope.lists_with(right.name):
        return a, unclear(right.span)  # a word may be meant, whatever else has its name
    return a, expression(right, scope, a.type)


def _membership(member: tree.Expression, of: tree.Expression | tree.Interval, span: Span, scope: Scope) -> Expr:
    if isinstance(of, tree.Interval):
        value = number(member, scope)
        low = comparison("at least", value, number(of.low, scope), scope, span)
        high = comparison("at most", value, number(of.high, scope), scope, span)
        return model.Logic("and", low, high, type=TRUTH, span=span)
    if isinstance(of, tree.Group):
        value = expression(member, scope)
        if value.type.base in ("number", "truth"):
            return one_of(value, [expression(m, scope, value.type) for m in of.members], scope, span)
    members = as_set(expression(of, scope), scope)
    meant = _meant_of_a_kind(member, members, scope)
    if meant:
        scope.complain("R204", f"`{span.text}` asks whether one thing is in a set, and this is no thing", member.span, help=meant)
        return unclear(span)
    value = expression(member, scope, members.type.member.wide)
    if members.type.base == "unknown":
        return unclear(span)  # of `every card in box`, all of it is meant
    if value.type.is_set and not members.type.member.is_set:  # all are: nothing is left of them without the others
        outside = model.Without(fitted(value, scope, members.type), members, type=members.type, span=span)
        return model.Not(model.Some(outside, type=TRUTH, span=span), type=TRUTH, span=span)
    return model.IsIn(fitted(value, scope, members.type.member.wide), members, type=TRUTH, span=span)
