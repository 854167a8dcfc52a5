"""Lowers loops. Members and order are settled when a loop begins; locals hold the members that are left."""

from __future__ import annotations

from collections.abc import Iterable

from ....model import model
from ....model.model import Var
from ...machine import (
    NONE,
    Assign,
    Block,
    Chance,
    Const,
    Constants,
    Domain,
    Expr,
    If,
    Leave,
    Load,
    Local,
    Lookup,
    Message,
    Note,
    Return,
    Say,
    Stmt,
    While,
)
from ...traverse import every_statement, replaced
from ..building.builder import Builder, Here, kept
from ..building.lowering import bits_of_set, required, scalar_of
from ..building.saying import thing
from ..building.values import Binding, Bits, Env, Scalar, op, some
from ..components import copies, places
from ..components.copies import copies_of, first_bit
from ..expressions.filters import static_values
from ..expressions.guards import membership
from ..expressions.rankings import decided, narrow, narrow_printed
from ..grids import regions
from .block import body

ROUND = "\n"  # a note that says no more than that a round begins


def for_each(node: model.ForEach, b: Builder, env: Env, here: Here) -> list[Stmt]:
    if regions.is_region(node.members):
        inside = here.inside(in_phase=False)
        around = places.after(node.body, b, env)
        return regions.region_loop(node.members, node.var, lambda bound: body(node.body, b, bound, inside), b, around, True)
    type = node.members.type
    width = b.width(type)
    rest, bit = b.local("rest", width), b.local("copy" if copies_of(type, b) else node.var.name)
    members = bits_of_set(node.members, b, env)
    member = b.local(node.var.name) if copies_of(type, b) else bit
    remember, spots = places.settled_spots(node.members, b, env)
    found = Binding(Scalar(Load(member), 0, b.size(type) - 1), spots, Const(0))
    others = places.destinations(node.body, b, own=(node.var,))
    inner_env = places.after(node.body, b, env) | {node.var: places.elsewhere(found, type, others)}
    with b.where(*membership(node.members, node.var, b)):
        inner = body(node.body, b, inner_env, here.inside(in_phase=False, loop=node.body))
    head: list[Stmt] = [*remember, Assign(rest, members.expr)]
    turn: list[Stmt] = []
    match node.order:
        case None:
            turn = [Assign(bit, op("first", Load(rest)))]
        case model.Clockwise(start=start, stop=stop):
            first: Expr = Const(0)
            if start is not None:
                code, first = kept(required(start, b, env).expr, "first", b)
                head += code
            if stop is not None:
                end = required(stop, b, env).expr
                arcs = tuple(_arc(s, t, b.players) for s in range(b.players) for t in range(b.players))
                arc = Lookup(
                    Constants("seats from one to another", arcs, b.players), op("+", op("*", first, Const(b.players)), end)
                )
                head.append(Assign(rest, op("intersect", Load(rest), arc)))
            turn = [Assign(bit, op("after", Load(rest), first))]
        case model.ByKeys(var=var, keys=keys):
            return remember + _in_ranking(node, var, keys, (rest, bit, member), members, inner, b, env)
        case model.InRandomOrder():
            domain = b.domain(type) or Domain(())
            name = thing(b, node.var.name)
            text = b.parts("the next {thing}: {which}", thing=name, which=Say(Load(member), domain))
            hidden = b.parts("the next {thing}", thing=name)
            sees = places.seers_of_all(node.members, b, env)
            event = Chance(b.site(), member, Load(rest), domain, sees, text, hidden, node.span)
            one = op("bit", first_bit(Load(member), type.member, b))
            less = copies.less(Load(rest), one, b.components[type.of], b) if copies_of(type, b) else op("minus", Load(rest), one)
            return [*head, While(some(Load(rest)), (event, Assign(rest, less), *inner), node.span, members.most)]
    turn.append(Assign(rest, op("minus", Load(rest), op("bit", Load(bit)))))
    if member is not bit:
        turn.append(Assign(member, Lookup(Constants(f"face of {type.of}", copies_of(type, b)), Load(bit))))
    return [*head, While(some(Load(rest)), (*turn, *inner), node.span, members.most)]


def _arc(start: int, stop: int, players: int) -> int:
    """The seats clockwise from one to another, both included."""
    return sum(1 << ((start + i) % players) for i in range((stop - start) % players + 1))


def _in_ranking(
    node: model.ForEach,
    var: Var,
    keys: tuple[model.Key, ...],
    names: tuple[Local, Local, Local],
    members: Bits,
    inner: list[Stmt],
    b: Builder,
    env: Env,
) -> list[Stmt]:
    """Best first; members that rank alike in the order they are declared. The order is settled before the first turn."""
    rest, bit, member = names
    type = node.members.type
    copies = copies_of(type, b)

    def pick(left: Local) -> list[Stmt]:
        """The next in the ranking of what is left, as ``bit``."""
        code: list[Stmt] = []
        these: Expr = Load(left)
        for key in keys:
            these = decided(these, key, type, b)
            found = b.local("these", b.width(type))

            def value_of(one: Expr, key: model.Key = key) -> Scalar:
                return scalar_of(key.value, b, env | {var: Binding(Scalar(one, 0, b.size(type) - 1))})

            values = static_values(key.value, var, b)
            if values is not None:
                code += narrow_printed(found, these, key, values, type, b)
                these = Load(found)
                continue
            label = b.label("narrowed")
            narrowed = narrow(found, these, key, value_of, copies, b)
            code.append(Block(label, tuple(_without_return(narrowed, found, label))))
            these = Load(found)
        return [*code, Assign(bit, op("first", these))]

    face = [Assign(member, Lookup(Constants(f"face of {type.of}", copies), Load(bit)))] if copies else []
    less = Assign(rest, op("minus", Load(rest), op("bit", Load(bit))))
    if all(static_values(k.value, var, b) is not None for k in keys):  # nothing that happens in a turn changes the order
        loop = While(some(Load(rest)), (*pick(rest), less, *face, *inner), node.span, members.most)
        return [Assign(rest, members.expr), loop]
    order = b.field(f"order {b.label('of turns')}", "game", b.width(type), low=NONE, high=b.width(type) - 1)
    place, count = b.local("place"), b.local("count")
    settle = While(
        some(Load(rest)),
        (*pick(rest), less, Assign(order, Load(bit), Load(count)), Assign(count, op("+", Load(count), Const(1)))),
        node.span,
        members.most,
    )
    following: list[Stmt] = [
        Assign(bit, Load(order, Load(place))),
        Assign(order, Const(NONE), Load(place)),
        Assign(place, op("+", Load(place), Const(1))),
    ]
    forget: list[Stmt] = [While(op("<", Load(place), Load(count)), tuple(following[1:]), node.span, members.most)]
    turn = While(op("<", Load(place), Load(count)), (*following, *face, *_before_leaving(inner, forget)), node.span, members.most)
    return [Assign(rest, members.expr), Assign(count, Const(0)), settle, Assign(place, Const(0)), turn]


def _before_leaving(code: Iterable[Stmt], first: list[Stmt]) -> list[Stmt]:
    """The code with something done before it leaves all of this code."""
    inside = {s.label for s in every_statement(tuple(code)) if isinstance(s, Block)}

    def before(statement: Stmt) -> list[Stmt] | None:
        leaves = isinstance(statement, Return) or (isinstance(statement, Leave) and statement.label not in inside)
        return [*first, statement] if leaves else None

    return list(replaced(code, before))


def _without_return(code: list[Stmt], found: Local, label: str) -> list[Stmt]:
    """A stage of a ranking as part of a flow: what it would return is put into ``found``."""

    def put(statement: Stmt) -> list[Stmt] | None:
        if isinstance(statement, Return) and statement.value is not None:
            return [Assign(found, statement.value), Leave(label)]
        return None

    return list(replaced(code, put))


def repeat(node: model.Repeat, b: Builder, env: Env, here: Here) -> list[Stmt]:
    env = places.after(node.body, b, env)
    over = scalar_of(node.until, b, env).expr
    inner = body(node.body, b, env, here.inside(in_phase=False))
    if here.in_phase:
        inner = [Note(Message((ROUND,)), Const(b.everybody)), *inner]
    if node.at_most is None:
        return [While(op("not", over), tuple(inner), node.span)]
    left = b.local("rounds left")
    most = required(node.at_most, b, env)
    if node.otherwise is None:
        many = Say(most.expr, None)
        late = b.stop("R608", node.span, "this is not over after ", many, " rounds", help="say what then: a line `otherwise`")
        rest: list[Stmt] = [late]
    else:
        rest = body(node.otherwise, b, env, here)
    again = op("and", op("not", over), op("<", Const(0), Load(left)))
    loop = While(again, (Assign(left, op("-", Load(left), Const(1))), *inner), node.span, max(0, most.high))
    return [Assign(left, most.expr), loop, If(op("not", over), tuple(rest))]


def take_turns(node: model.TakeTurns, b: Builder, env: Env, here: Here) -> list[Stmt]:
    seat = b.local(node.var.name)
    inside = places.after(node.body, b, env) | {node.var: Binding(Scalar(Load(seat), 0, b.players - 1))}
    inner = body(node.body, b, inside, here.inside(in_phase=False))
    among = bits_of_set(node.among, b, env).expr
    over = scalar_of(node.until, b, env).expr
    start = required(node.start, b, env).expr
    following = op("+", Load(seat), Const(1))
    if among == Const(b.everybody):
        turn = (*inner, Assign(seat, op("mod", following, Const(b.players))))
        return [Assign(seat, start), While(op("not", over), turn, node.span)]
    first = b.local("next")  # from here on the next one is looked for: who takes no part has no turn that could be over
    one = If(some(among), (Assign(seat, op("after", among, Load(first))), *inner, Assign(first, following)))
    return [Assign(first, start), While(op("not", over), (one,), node.span)]
