"""Lowers sets that grow member by member unseen, and the announcement of their members at the end."""

from __future__ import annotations

from ....model import model
from ...machine import Assign, Const, Load, Local, Show, Stmt
from ..building.builder import Builder
from ..building.lowering import bits_of_set, lower, required, scalar_of
from ..building.values import Binding, Bits, Env, op
from ..components.copies import join, put, single
from ..components.places import settled_spots
from ..expressions.texts import message_of


def gather(node: model.Gather, b: Builder, env: Env) -> list[Stmt]:
    """An empty set, and where its members are going to be found; a finding where there can never be enough of them."""
    remember, spots = settled_spots(node.of, b, env)
    members = bits_of_set(node.of, b, env)
    least = required(node.least, b, env)
    if least.low > members.most:
        b.complain(
            "R242",
            f"{_amount(least.low, node.var.type)} can never be found here",
            node.span,
            (node.of.span, f"there {'is' if members.most == 1 else 'are'} never more than {members.most}"),
            help="take fewer, or take them from a larger set",
        )
    local = b.local(node.var.name, b.width(node.var.type))
    seen = Const(0) if node.face_down else None
    env[node.var] = Binding(Bits(Load(local), members.bound, members.most), spots, seen)
    return [*remember, Assign(local, Const(0))]


def _amount(count: int, type: model.Type) -> str:
    return f"{count} {type.noun}{'' if count == 1 else 's'}"


def include(node: model.Include, b: Builder, env: Env) -> list[Stmt]:
    """One more member, counted beside its equals."""
    so_far = env[node.var].value
    assert isinstance(so_far, Bits)
    assert isinstance(so_far.expr, Load)
    assert isinstance(so_far.expr.variable, Local)
    one, kind = scalar_of(node.member, b, env), node.member.type.kind
    more = join(so_far, single(one, node.member.type, b), kind, b).expr
    if kind and one.low >= 0:
        more = put(so_far.expr, one.expr, b.components[kind])
    return [Assign(so_far.expr.variable, more)]


def announce(node: model.Announce, b: Builder, env: Env) -> list[Stmt]:
    """The others observe the value."""
    player = scalar_of(node.player, b, env).expr
    others = op("minus", Const(b.everybody), op("bit", player))
    value = lower(node.value, b, env)
    return [Show(b.site(), others, value.expr, message_of(node.text, b, env))]
