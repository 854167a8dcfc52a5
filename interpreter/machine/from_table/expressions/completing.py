"""Lowers the question whether a selection can be completed: dynamic programming over numbers of members and their totals.

A set of bits holds what can be reached with the members looked at so far: bit ``n * stride + total`` stands for n members that
come to a total. One more member moves all of them up by ``stride`` and its value. Of members with one key, only one may come
in, so each of them moves what was reached before the first of them. Where any number will do, no members are counted.
"""

from __future__ import annotations

from ....model import model
from ...machine import NONE, Assign, Const, Expr, If, Load, Local, Return, Stmt, While
from ..building.builder import Builder
from ..building.lowering import bits_of_set, required, scalar_of
from ..building.values import Env, Scalar, op, some
from ..components.copies import copies_of, face_of_bit, for_members, member_binding

BITS_LIMIT = 4096  # of what can be reached: ten members that come to 400


def completable(node: model.Completable, b: Builder, env: Env) -> Scalar:
    """Whether some members of a set meet all demands."""
    parts = [part for part in (node.of, node.key, node.value, node.count, node.low, node.high) if part is not None]
    call = b.function("can be completed", parts, env, 0, lambda inside: _code(node, b, inside))
    return Scalar(call, 0, 1)


def _code(node: model.Completable, b: Builder, env: Env) -> list[Stmt]:
    members = bits_of_set(node.of, b, env)
    most = members.most
    count = None if node.count is None else required(node.count, b, env)
    if count is not None:
        most = max(0, min(most, count.high))
    rest, member = b.local("rest", b.width(node.of.type)), b.local(node.var.name)
    inside = env | {node.var: member_binding(member, node.of.type, b)}
    value = Scalar(Const(0), 0, 0) if node.value is None else scalar_of(node.value, b, inside)
    if value.low < 0 and not (node.value is not None and node.value.type.optional and value.low == -1):
        b.complain(
            "R204",
            "values below 0 cannot be aimed at by a selection",
            node.value.span if node.value else node.span,
            help="let them be 0 or more, or choose one by one",
        )
        return [Return(Const(0))]
    stride = max(0, value.high) * most + 1
    if count is None and node.high is not None:  # what is more than enough falls off the end
        stride = min(stride, max(0, scalar_of(node.high, b, env).high) + 1)
    bits = stride if count is None else stride * (most + 1)
    if bits > BITS_LIMIT:
        b.complain(
            "R216",
            f"too much to look ahead: {most} members that can come to {stride - 1}",
            node.span,
            help="select fewer at once, or let the chooser stop: `up to`, `at most`",
        )
        return [Return(Const(0))]
    reached, before, moved = (b.local(name, bits) for name in ("reached", "before", "moved"))
    add = _one_more(reached, before, moved, 0 if count is None else stride, value, b)
    copies = copies_of(node.of.type, b)
    if node.key is None:
        code = for_members(rest, members.expr, member, [Assign(before, Load(reached)), *add], copies, node.span)
    else:
        code = _by_key(node, node.key, (rest, member), members.expr, (reached, before), add, b, env)
    return [Assign(reached, Const(1)), *code, *_met(node, reached, stride, most, b, env)]


def _by_key(
    node: model.Completable,
    key: model.Expr,
    members: tuple[Local, Local],
    these: Expr,
    reach: tuple[Local, Local],
    add: list[Stmt],
    b: Builder,
    env: Env,
) -> list[Stmt]:
    """For each key, what is reached with one of its members or none."""
    (rest, member), (reached, before) = members, reach
    others, bit, mine = b.local("others", rest.bits), b.local("copy"), b.local("key")
    face = face_of_bit(Load(bit), node.of.type, b)
    asked = scalar_of(key, b, env | {node.var: member_binding(member, node.of.type, b)}).expr
    mates: tuple[Stmt, ...] = (
        Assign(bit, op("first", Load(others))),
        Assign(others, op("minus", Load(others), op("bit", Load(bit)))),
        Assign(member, face),
        If(op("=", asked, Load(mine)), (Assign(rest, op("minus", Load(rest), op("bit", Load(bit)))), *add)),
    )
    each: tuple[Stmt, ...] = (
        Assign(bit, op("first", Load(rest))),
        Assign(member, face),
        Assign(mine, asked),
        Assign(before, Load(reached)),
        Assign(others, Load(rest)),
        While(some(Load(others)), mates, node.span),
    )
    return [Assign(rest, these), While(some(Load(rest)), each, node.span)]


def _met(node: model.Completable, reached: Local, stride: int, most: int, b: Builder, env: Env) -> list[Stmt]:
    """Whether something that is reached meets the demands, number by number of members."""
    number, found, least = b.local("members"), b.local("total"), b.local("least")
    row = op("intersect", Load(reached), Const((1 << stride) - 1))
    head: list[Stmt] = [Assign(least, Const(0) if node.low is None else op("max", Const(0), required(node.low, b, env).expr))]
    met = op("<=", Load(least), Load(found))
    if node.high is not None:
        highest = b.local("most")
        head.append(Assign(highest, required(node.high, b, env).expr))
        met = op("and", met, op("<=", Load(found), Load(highest)))
    if node.count is not None:
        wanted = b.local("wanted")
        head.append(Assign(wanted, required(node.count, b, env).expr))
        met = op("and", met, op("=" if node.exact else "<=", Load(number), Load(wanted)))
    there = op("after", row, op("min", Load(least), Const(stride - 1)))
    look: list[Stmt] = [
        Assign(found, op("if", op("<", Load(least), Const(stride)), there, Const(NONE))),
        If(met, (Return(Const(1)),)),
    ]
    if node.count is None:
        return [*head, *look, Return(Const(0))]
    look += [Assign(reached, op("right", Load(reached), Const(stride))), Assign(number, op("+", Load(number), Const(1)))]
    loop = While(op("<=", Load(number), Const(most)), tuple(look), node.span, most + 1)
    return [*head, Assign(number, Const(0)), loop, Return(Const(0))]


def _one_more(reached: Local, before: Local, moved: Local, stride: int, value: Scalar, b: Builder) -> list[Stmt]:
    """What is reached with a member of this value as well, of what was reached ``before``."""
    worth = b.local("worth")
    code: list[Stmt] = [
        Assign(moved, op("left", Load(before), Const(stride)) if stride else Load(before)),
        Assign(worth, op("max", Const(0), value.expr)),
    ]
    power = 1
    while power <= value.high:
        has = op("=", op("mod", op("div", Load(worth), Const(power)), Const(2)), Const(1))
        code.append(If(has, (Assign(moved, op("left", Load(moved), Const(power))),)))
        power *= 2
    return [*code, Assign(reached, op("union", Load(reached), Load(moved)))]
