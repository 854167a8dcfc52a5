"""Lowers rankings key by key: members that rank first by one key go on to the next.

``best of every played by trumping, then following, then highest rank`` becomes a function for each key, which narrows what
the one before it left::

    after trumping:      these = every played; fit = these ∩ trumping cards; some fit ? fit : these
    after following:     these = after trumping; ...
    after highest rank:  these = after following; keep those of the highest rank

One construct serves tricks, majorities, orders and winners. The stages have names of their own, so that the story of a game
can say which key decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from attrs import frozen

from ....model import model
from ....model.visitor import walk
from ...machine import NONE, Assign, Const, Constants, Expr, If, Invoke, Load, Local, Lookup, Op, Return, Say, Stmt, While
from ..building.builder import Builder
from ..building.lowering import bits_of_set, required, scalar_of
from ..building.values import Binding, Bits, Env, Scalar, op, some
from ..components.copies import block_of, copies_of, face_of_bit, for_members
from . import filters

Values = dict[int, int | None]  # of a key that is printed, for each member; None: it is none


@frozen
class Stage:
    """Those who are left after a key (``label`` "" before the first); there are never more than ``most``."""

    label: str
    expr: Expr
    most: int


def stages(node: model.Best, b: Builder, env: Env) -> list[Stage]:
    """What is left of the set before the first key and after each."""
    members = bits_of_set(node.of, b, env)
    parts: tuple[model.Node, ...] = (node.of,)
    found = [Stage("", members.expr, members.most)]
    width = b.width(node.of.type)
    for key in node.keys:
        parts = (*parts, key.value)
        narrowing = _narrow_by(key, node, b)

        def build(
            inside: Env,
            earlier: Expr = found[-1].expr,
            narrowing: Callable[[Expr, Env], list[Stmt]] = narrowing,
            key: model.Key = key,
        ) -> list[Stmt]:
            return narrowing(decided(earlier_inside(earlier, env, inside), key, node.of.type, b), inside)

        narrowed = b.function(f"best by {key.label}", parts, env, width, build)
        found.append(Stage(key.label, members.expr if members.most <= 1 else narrowed, members.most))
    return found


def decided(these: Expr, key: model.Key, type: model.Type, b: Builder) -> Expr:
    """Those between whom a key has to decide, marked; equal components are no tie."""
    among = b.components[type.of].first_bits if copies_of(type, b) else -1
    return b.marked(these, "tie", key.span, b.width(type), among=among)


def earlier_inside(earlier: Expr, outside: Env, inside: Env) -> Expr:
    """The call of an earlier stage with the parameters of this one in the place of the outer values."""
    values = {outside[var].value.expr: binding.value.expr for var, binding in inside.items()}

    def change(expr: Expr) -> Expr:
        if expr in values:
            return values[expr]
        match expr:
            case Invoke(function=function, args=args):
                return Invoke(function, tuple(change(a) for a in args))
            case Op(name=name, args=args):
                return Op(name, tuple(change(a) for a in args))
            case Lookup(table=table, index=index):
                return Lookup(table, change(index))
            case Load(variable=variable, index=index):
                return Load(variable, None if index is None else change(index))
            case _:
                return expr

    return change(earlier)


def _narrow_by(key: model.Key, node: model.Best, b: Builder) -> Callable[[Expr, Env], list[Stmt]]:
    """The body of a stage: keep those of ``these`` that come first by one key."""
    type, var = node.of.type, node.var
    width = b.width(type)
    these = b.local("these", width)

    def narrowing(earlier: Expr, env: Env) -> list[Stmt]:
        fits = filters.mask_of(key.value, var, (1 << width) - 1, b, env) if key.direction == "fits" else None
        if fits is not None:
            fitting = b.local("fitting", width)
            return [
                Assign(these, earlier),
                Assign(fitting, op("intersect", Load(these), fits.expr)),
                Return(op("if", some(Load(fitting)), Load(fitting), Load(these))),
            ]

        values = filters.static_values(key.value, var, b)
        if values is not None:
            return [*narrow_printed(these, earlier, key, values, type, b), Return(Load(these))]

        def value_of(member: Expr) -> Scalar:
            inside = env | {var: Binding(Scalar(member, 0, b.size(type) - 1))}
            return scalar_of(key.value, b, inside)

        return narrow(these, earlier, key, value_of, copies_of(type, b), b)

    return narrowing


def narrow(
    these: Local, of: Expr, key: model.Key, value_of: Callable[[Expr], Scalar], copies: tuple[int, ...], b: Builder
) -> list[Stmt]:
    """Keep those members of ``of`` that have the highest (or lowest) value; none comes last."""
    rest, bit, kept, best = b.local("rest", these.bits), b.local("bit"), b.local("kept", these.bits), b.local("best")
    each = b.local("value")
    value = value_of(Lookup(Constants("face of copy", copies), Load(bit)) if copies else Load(bit))
    better = op("<", Load(each), Load(best)) if key.direction == "lowest" else op("<", Load(best), Load(each))
    if key.value.type.optional:  # none may be among them: it loses against everything
        is_none, best_is_none = op("=", Load(each), Const(value.none)), op("=", Load(best), Const(value.none))
        better = op("and", op("not", is_none), op("or", best_is_none, better))
    better = op("or", op("=", Load(kept), Const(0)), better)
    same = op("=", Load(each), Load(best))
    body: list[Stmt] = [
        Assign(each, value.expr),
        If(
            better,
            (Assign(best, Load(each)), Assign(kept, op("bit", Load(bit)))),
            (If(same, (Assign(kept, op("union", Load(kept), op("bit", Load(bit)))),)),),
        ),
    ]
    return [
        Assign(these, of),
        If(op("<=", op("count", Load(these)), Const(1)), (Return(Load(these)),)),
        Assign(kept, Const(0)),
        Assign(best, Const(0)),
        *for_members(rest, Load(these), bit, body, (), key.span),
        Return(Load(kept)),
    ]


def narrow_printed(these: Local, of: Expr, key: model.Key, values: Values, type: model.Type, b: Builder) -> list[Stmt]:
    """Narrow a set by a key that is printed, into ``these``: digit by digit to the members that have the digit, if there are any.

    What is compared is how high each value ranks among all that there are, in binary. Where ranks only fall along the set, its
    first member is one of the best.
    """
    ranks = _ranks(key, values)
    code: list[Stmt] = [Assign(these, of)]
    if _falls(ranks, values, [-1]) and not copies_of(type, b):  # who is first in the set is first in the ranking
        return [*code, If(some(Load(these)), (Assign(these, op("bit", op("first", Load(these)))),))]
    if not copies_of(type, b) and all(ranks[values[one]] <= ranks[values[one - 1]] for one in sorted(values)[1:]):
        with_value = {value: sum(1 << one for one in values if values[one] == value) for value in ranks}
        masks = (0, *(with_value[values[one]] for one in sorted(values)))
        equal = Constants(f"as good as the first, by {key.label}", masks, these.bits)
        first = op("+", op("first", Load(these)), Const(1))
        return [*code, Assign(these, op("intersect", Load(these), Lookup(equal, first)))]
    having = b.local("having", these.bits)
    for digit in reversed(range((len(ranks) - 1).bit_length())):
        mask = sum(block_of(one, type, b) for one, value in values.items() if ranks[value] >> digit & 1)
        code.append(Assign(having, op("intersect", Load(these), Const(mask))))
        code.append(If(some(Load(having)), (Assign(these, Load(having)),)))
    return code


def _ranks(key: model.Key, values: Values) -> dict[int | None, int]:
    """How high each value ranks; none comes last."""
    numbers_ = sorted({value for value in values.values() if value is not None}, reverse=key.direction == "lowest")
    return {value: rank for rank, value in enumerate([None, *numbers_] if None in values.values() else numbers_)}


def _falls(ranks: dict[int | None, int], values: Values, within: Iterable[int]) -> bool:
    """Whether each member ranks below all that are before it, in each of some sets."""
    along = [[ranks[values[one]] for one in sorted(values) if mask >> one & 1] for mask in within]
    return all(next_one < one for found in along for one, next_one in pairwise(found))


def _within(these: Expr, bound: int) -> tuple[int, ...]:
    """Sets of which one has all members of a set, whatever it is: what is looked up in a table is one of its values."""
    match these:
        case Lookup(table=table):
            return table.values
        case Op(name="intersect", args=args):
            return min((_within(part, bound) for part in args), key=lambda sets: max(mask.bit_count() for mask in sets))
        case _:
            return (bound,)


def all_best(node: model.Best, b: Builder, env: Env) -> Bits:
    """All that share the first place."""
    members = bits_of_set(node.of, b, env)
    return Bits(stages(node, b, env)[-1].expr, members.bound, members.most)


def best(node: model.Best, b: Builder, env: Env) -> Scalar:
    """The one that comes first; a tie that is left stops the game."""
    type, (key, *_) = node.of.type, node.keys
    size = b.size(type)
    values, members = filters.static_values(key.value, node.var, b), bits_of_set(node.of, b, env)
    within = _within(members.expr, members.bound)
    if values is not None and not copies_of(type, b) and _falls(_ranks(key, values), values, within):
        return Scalar(op("first", decided(members.expr, key, type, b)), NONE, size - 1)
    found = stages(node, b, env)
    last = found[-1].expr
    first = face_of_bit(op("first", last), type, b)
    width = b.width(type)
    these, parts = b.local("these", width), (node.of, *(k.value for k in node.keys))

    def build(inside: Env) -> list[Stmt]:
        domain = b.domain(type)
        equal = _more_than_one_face(Load(these), type, b)
        failing = b.stop(
            "R605",
            node.span,
            "this does not decide between ",
            Say(Load(these), domain, True),
            help=f"say what decides then, as in `{node.span.text}, then {_another_key(node, b)}`",
        )
        return [
            Assign(these, earlier_inside(last, env, inside)),
            If(equal, (failing,)),
            Return(face_of_bit(op("first", Load(these)), type, b)),
        ]

    if found[-1].most <= 1 or _decides(node, b):
        return Scalar(first, NONE, size - 1)
    return Scalar(b.function("the best", parts, env, 0, build), NONE, size - 1)


def _another_key(node: model.Best, b: Builder) -> str:
    """What a ranking of components could go on with: an attribute that is a number, and by which it does not go yet."""
    asked = {part.attribute for key in node.keys for part in walk(key.value) if isinstance(part, model.AttributeOf)}
    kind = b.table.kinds.get(node.of.type.of) if node.of.type.base == "component" else None
    if kind is None or kind.owned:
        return "highest ..."
    left = [name for name, words in zip(kind.attributes, kind.words, strict=True) if words is None and name not in asked]
    return f"highest {left[0]}" if left else "highest ..."


def place(node: model.PlaceOf, b: Builder, env: Env) -> Scalar:
    """The place of a player: those who come first have the first place, those who come first of the rest the next, ..."""
    type = node.of.type
    rest = model.Var("rest", type)
    left, first, at, asked = b.local("left", b.players), b.local("first", b.players), b.local("place"), b.local("player")

    def build(inside: Env) -> list[Stmt]:
        members = bits_of_set(node.of, b, inside)
        among = model.Best(model.VarValue(rest, type=type, span=node.span), node.var, node.keys, True, type=type, span=node.span)
        come_first = all_best(among, b, inside | {rest: Binding(Bits(Load(left), members.bound, members.most))})
        alone: tuple[Stmt, ...] = (Return(Load(at)),)
        if node.tied == "nobody":
            alone = (If(op("<", Const(1), op("count", Load(first))), (Return(Const(NONE)),)), *alone)
        round_code: tuple[Stmt, ...] = (
            Assign(first, come_first.expr),
            If(op("has", Load(first), Load(asked)), alone),
            Assign(at, op("+", Load(at), op("count", Load(first)))),
            Assign(left, op("minus", Load(left), Load(first))),
        )
        return [
            Assign(asked, required(node.player, b, inside).expr),
            Assign(left, members.expr),
            Assign(at, Const(1)),
            If(op("has", Load(left), Load(asked)), (While(some(Load(left)), round_code, node.span, left.bits),)),
            Return(Const(NONE)),
        ]

    return Scalar(b.function("place", (node.player, node.of, *node.keys), env, 0, build), NONE, b.players)


def _more_than_one_face(these: Expr, type: model.Type, b: Builder) -> Expr:
    if copies_of(type, b):  # equal components are no tie
        these = op("intersect", these, Const(b.components[type.of].first_bits))
    return op("<", Const(1), op("count", these))


def _decides(node: model.Best, b: Builder) -> bool:
    """Whether a key has a different value for each member, so that no tie can be left."""
    for key in node.keys:
        if isinstance(key.value, model.SeatNumber) and isinstance(key.value.of, model.VarValue) and key.value.of.var is node.var:
            return True
        values = filters.static_values(key.value, node.var, b)
        if values is not None and len(set(values.values())) == len(values):
            return True
    return False
