"""How does a statement run? Loops, steps, draws and stores, in the machine's few words.

Every statement becomes a list of machine statements. What the rules declare public is also told (`Note`), so that a story
of the game can be read; playouts leave that out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from attrs import define, evolve, field

from ...model import model
from ...model.model import Body, Var
from ...model.model import Expr as ModelExpr
from ...source import Span
from ..machine import (
    NONE,
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Const,
    Constants,
    Domain,
    Expr,
    Finish,
    If,
    Leave,
    Load,
    Local,
    Lookup,
    Message,
    Note,
    Return,
    Routine,
    Say,
    Show,
    Stmt,
    While,
)
from ..traverse import every_statement
from . import knowledge, moves
from .builder import Binding, Bits, Builder, Env, Scalar, Spot, is_empty, op, some, with_expr
from .expressions import bits_of_set, copies_of, first_bit, lower, not_none, required, scalar_of
from .guards import negated
from .moves import Place, place_of, spots_of
from .rankings import narrow, stages
from .sets import static_values


@define(eq=False)
class Here:
    """Where a body stands: in which routine (``step``), inside which blocks, under which option."""

    step: str
    labels: dict[str, str] = field(factory=dict)
    acting: frozenset[Var] = frozenset()  # arguments of the option whose statements these are: their moves go without saying
    in_phase: bool = False

    def inside(self, **changes: object) -> Here:
        return evolve(self, **changes)  # type: ignore[arg-type]


def body(statements: Body, b: Builder, env: Env, here: Here) -> list[Stmt]:
    """The code of a block; a ``let`` is known to what comes after it."""
    env = dict(env)
    code: list[Stmt] = []
    for index, statement in enumerate(statements):
        following = statements[index + 1] if index + 1 < len(statements) else None
        code += _statement(statement, following, b, env, here)
        env = moves.after((statement,), b, env)
        if isinstance(statement, model.Move) and isinstance(statement.what, model.VarValue):
            env[statement.what.var] = evolve(env[statement.what.var], spots=(Spot(statement.to.zone),))
    return code


def _statement(
    node: model.Statement, following: model.Statement | None, b: Builder, env: Env, here: Here
) -> list[Stmt]:
    span = node.span
    match node:
        case model.Move(what=what, to=to):
            kind = what.type.of
            melted = isinstance(following, model.Mix) and following.pile.zone == to.zone
            return _move(what, place_of(to, kind, b, env), melted, b, env, here, span)
        case model.Draw():
            return _draw(node, b, env)
        case model.Mix(pile=pile):
            place = place_of(pile, b.table.zones[pile.zone].kind if pile.zone in b.table.zones else "", b, env)
            told = Note(Message((*moves.zone_text(place, b), " is shuffled")), Const(b.everybody))
            if place.zone is None or place.zone.name not in b.ordered:
                return [told]
            return [Call(moves.melt(place.zone, b), () if place.owner is None else (place.owner,)), told]
        case model.Reveal(what=what):
            return _reveal(what, b, env, span)
        case model.SetVariable():
            return _set(node, b, env)
        case model.Let(var=var, value=value):
            return _let(var, value, b, env, span)
        case model.If(condition=condition, then=then, otherwise=otherwise):
            test = scalar_of(condition, b, env).expr
            with b.where(condition):
                done = tuple(body(then, b, env, here))
            with b.where(negated(condition)):
                return [If(test, done, tuple(body(otherwise, b, env, here)))]
        case model.ForEach():
            return _for_each(node, b, env, here)
        case model.Repeat():
            return _repeat(node, b, env, here)
        case model.RepeatTimes(times=times, body=inner):
            left = b.local("rounds left")
            inside = moves.after(inner, b, env)
            round_code = (Assign(left, op("-", Load(left), Const(1))), *body(inner, b, inside, here))
            return [Assign(left, required(times, b, env).expr), While(op("<", Const(0), Load(left)), round_code, span)]
        case model.TakeTurns():
            return _take_turns(node, b, env, here)
        case model.Do(step=step, args=args):
            parameters = b.table.steps[step].parameters
            given = [lower(a, b, env) if p.type.is_set else required(a, b, env) for a, p in zip(args, parameters, strict=True)]
            return [Call(f"step {step}", tuple(value.expr for value in given))]
        case model.End(name="game"):
            return [Finish()]
        case model.End(name=name):
            if name not in here.labels:
                return [Return()]
            b.left.add(here.labels[name])
            return [Leave(here.labels[name])]
        case model.NamedBlock(name=name, body=inner):
            label = b.label(name)
            code = body(inner, b, env, here.inside(labels={**here.labels, name: label}, in_phase=False))
            return [Block(label, tuple(code))] if label in b.left else code
        case model.Choose():
            from .choices import choose  # choices hold statements, and statements choices

            return choose(node, b, env, here)
        case _:
            assert_never(node)


def kept(value: Expr, name: str, b: Builder, width: int = 0) -> tuple[list[Stmt], Expr]:
    """A value that is used more than once, computed once."""
    if isinstance(value, Const) or (isinstance(value, Load) and isinstance(value.variable, Local)):
        return [], value
    local = b.local(name, width)
    return [Assign(local, value)], Load(local)


# ---- Moving


def _fixed_owner(place: Place, b: Builder) -> tuple[list[Stmt], Place]:
    if place.owner is None:
        return [], place
    code, owner = kept(place.owner, "whose", b)
    return code, evolve(place, owner=owner)


def _move(what: ModelExpr, to: Place, melted: bool, b: Builder, env: Env, here: Here, span: Span) -> list[Stmt]:
    head, to = _fixed_owner(to, b)
    kind = to.kind
    domain = b.components[kind].domain
    if isinstance(what, model.RandomOf):
        return head + _move_random(what, to, b, env, span)
    if what.type.is_set:
        width = b.components[kind].bits
        told: list[Stmt] = []
        everything: list[str | Say] = [f"every {kind}"]
        if not (isinstance(what, model.Const) and what.value == b.components[kind].all):
            going = b.local("going", width)
            told = [Assign(going, bits_of_set(what, b, env).expr)]
            everything = [Say(Load(going), domain, True)]
            few: list[str | Say] = [Say(op("count", Load(going)), None), f" {kind}s"]
            note = moves.told(everything, few, to, _seen_moving(what, to, b, env), b)
            return [*head, *told, *moves.move_set(what, to, melted, b, env, span), If(some(Load(going)), (note,))]
        note = moves.told(everything, everything, to, Const(b.everybody), b)
        return [*head, *moves.move_set(what, to, melted, b, env, span), note]
    thing = scalar_of(what, b, env)
    code, face = kept(thing.expr, kind, b)
    spots = spots_of(what, b, env, now=True)
    seen = env[what.var].seen if isinstance(what, model.VarValue) and what.var in env else Const(0)
    moving = moves.move_one(face, spots, seen, to, b, span)
    if not (isinstance(what, model.VarValue) and what.var in here.acting):
        sees = Const(b.everybody) if seen is None else op("union", seen, _seen_moving(what, to, b, env))
        moving = [*moving, moves.told([Say(face, domain)], [f"a {kind}"], to, sees, b)]
    if thing.low < 0:
        return [*head, *code, If(op("<=", Const(0), face), tuple(moving))]
    return head + code + moving


def _seen_moving(what: ModelExpr, to: Place, b: Builder, env: Env) -> Expr:
    """Who sees the faces of what moves: all, when it comes from or goes to an open place; else who sees both ends."""
    sees = moves.viewers(to, b)
    spots = spots_of(what, b, env, now=True)
    for spot in spots or ():
        zone = b.table.zones.get(spot.zone)
        if zone is None or zone.visibility == "open":
            return Const(b.everybody)
        if len(spots or ()) == 1 and zone.visibility == "private" and spot.owner is not None:
            sees = op("union", sees, op("bit", spot.owner))
    return sees


def _move_random(what: model.RandomOf, to: Place, b: Builder, env: Env, span: Span) -> list[Stmt]:
    kind = to.kind
    pool = bits_of_set(what.of, b, env).expr
    face = b.local(kind)
    spots = spots_of(what.of, b, env, now=True)
    seen = _seen_moving(what.of, to, b, env)
    domain = b.components[kind].domain
    to_text = [" goes to ", *moves.zone_text(to, b)]
    event = Chance(
        b.site(), face, pool, domain, seen, Message(("by chance ", Say(Load(face), domain), *to_text)),
        Message((f"by chance a {kind}", *to_text)), span,
    )  # fmt: skip
    empty = b.stop(
        "R604", span, f"there is no {kind} to take by chance", help="ask first whether there is one: `if ... is not empty`"
    )
    return [If(is_empty(pool), (empty,)), event, *moves.move_one(Load(face), spots, seen, to, b, span)]


def _draw(node: model.Draw, b: Builder, env: Env) -> list[Stmt]:
    """Take from the top of a pile, one by one: from its ordered top, else by chance from the unordered rest."""
    zone = b.table.zones[node.source.zone]
    kind = zone.kind
    components = b.components[kind]
    head, come = _fixed_owner(place_of(node.source, kind, b, env), b)
    more, to = _fixed_owner(place_of(node.to, kind, b, env), b)
    head += more
    field_of = b.fields[zone.name]
    face = b.local(kind)
    seen = op("union", moves.viewers(come, b), moves.viewers(to, b))
    text, hidden = _draw_texts(come, to, face, components.domain, b)
    pool = Load(field_of, come.owner)
    empty = b.stop(
        "R604",
        node.span,
        *moves.zone_text(come, b),
        " is empty, and a card is to be drawn",
        help="ask first: `if ... is not empty`",
    )
    event = Chance(b.site(), face, pool, components.domain, seen, text, hidden, node.span)
    give = moves.give_one(to, Load(face), b, node.span)
    bit = op("bit", moves.bit_of(Load(face), kind, b))
    learned = moves.taught(come, to, bit, Const(1), Const(0), b)
    if zone.name in b.ordered:
        size, _ = b.pile_index(zone, come.owner)
        top = b.fields[f"top of {zone.name}"]
        last = op("-", Load(size, come.owner), Const(1))
        base = last if come.owner is None else op("+", op("*", come.owner, Const(components.bits)), last)
        story = Note(text, seen, hidden)
        from_top: tuple[Stmt, ...] = (
            Assign(face, Load(top, base)),
            Assign(top, Const(NONE), base),
            Assign(size, last, come.owner),
            *moves.shown(come, to, Load(face), Const(0), b),
            story,
        )
        by_chance: tuple[Stmt, ...] = (If(is_empty(pool), (empty,)), event, *moves.take_unordered(come, Load(face), b))
        one: list[Stmt] = [If(op("<", Const(0), Load(size, come.owner)), from_top, by_chance)]
    else:
        one = [If(is_empty(pool), (empty,)), event, *moves.take_one(come, Load(face), b)]
    one += [*give, *learned]
    count = required(node.count, b, env)
    if count.constant == 1:
        return head + one
    left = b.local("left to draw")
    loop = While(op("<", Const(0), Load(left)), (*one, Assign(left, op("-", Load(left), Const(1)))), node.span)
    return [*head, Assign(left, count.expr), loop]


def _draw_texts(come: Place, to: Place, face: Local, domain: Domain, b: Builder) -> tuple[Message, Message]:
    card = Say(Load(face), domain)
    if to.owner is not None:
        who = Say(to.owner, b.player_domain)
        return Message((who, " draws ", card)), Message((who, f" draws a {to.kind}"))
    place = moves.zone_text(to, b)
    return Message((card, " is drawn to ", *place)), Message((f"a {to.kind} is drawn to ", *place))


def _reveal(what: ModelExpr, b: Builder, env: Env, span: Span) -> list[Stmt]:
    """All see the faces: nothing moves, but everybody learns where they are."""
    kind = what.type.of
    if what.type.base != "component":
        b.complain("R204", f"only components can be revealed; this is {what.type}", span)
        return []
    components = b.components[kind]
    parts = moves.parts_of(what, b, env)
    if parts is None:
        b.complain("R204", "say which zone is revealed", span, help="`reveal hand of player`, `reveal every cup`")
        return []
    code: list[Stmt] = []
    for part in parts:
        number = moves.number_of(part.place, b)
        if number is None:
            continue
        copies = Constants(f"face of {kind}", components.domain.copies)
        shown, rest = b.local("shown", components.bits), b.local("rest", components.bits)
        bit, face = b.local("copy"), b.local(kind)
        others = op("minus", Const(b.everybody), moves.viewers(part.place, b))
        code.append(Assign(shown, part.bits))
        code += knowledge.learned(kind, number, Load(shown), others, b)
        text = Message((Say(Load(face), components.domain), " is revealed in ", *moves.zone_text(part.place, b)))
        step: tuple[Stmt, ...] = (
            Assign(bit, op("first", Load(rest))),
            Assign(rest, op("minus", Load(rest), op("bit", Load(bit)))),
            Assign(face, Load(bit) if components.distinct else Lookup(copies, Load(bit))),
            Show(b.site(), others, Load(face), text),
        )
        code += [Assign(rest, Load(shown)), While(some(Load(rest)), step, span)]
        code.append(
            Note(Message((*moves.zone_text(part.place, b), ": ", Say(Load(shown), components.domain, True))), Const(b.everybody))
        )
    return code


# ---- Setting


def _value(node: ModelExpr, b: Builder, env: Env, name: str, public: bool) -> tuple[list[Stmt], Scalar]:
    """The value that is set, by chance where the rules say so; with the story of how a ranking chose it."""
    if isinstance(node, model.RandomOf):
        pool = bits_of_set(node.of, b, env)
        result = b.local(name)
        domain = b.domain(node.of.type)
        if domain is None:
            domain = Domain(tuple(str(n) for n in range(pool.bound.bit_length())))
        seen = Const(b.everybody if public else 0)
        text = Message((f"{name} by chance: ", Say(Load(result), domain)))
        empty = b.stop("R604", node.span, "there is nothing to choose from by chance")
        event = Chance(b.site(), result, pool.expr, domain, seen, text, Message((f"{name} is chosen by chance",)), node.span)
        return [If(is_empty(pool.expr), (empty,)), event], Scalar(Load(result), 0, len(domain.names) - 1)
    return _why(node, b, env) if public else [], scalar_of(node, b, env)


def _why(node: ModelExpr, b: Builder, env: Env) -> list[Stmt]:
    """The story of a ranking: who came first, and by which key."""
    if isinstance(node, model.OwnerOf):
        return _why(node.of, b, env)
    if not isinstance(node, model.Best) or node.all or node.of.type.base not in ("component", "player"):
        return []
    found = stages(node, b, env)
    domain = b.domain(node.of.type)
    first = Say(found[-1].expr, domain, True)
    others = Say(op("minus", found[0].expr, found[-1].expr), domain, True)

    def told(index: int, deciding: tuple[str, ...]) -> Stmt:
        """What is told when the keys ``deciding`` narrowed the choice and the key at ``index`` comes next."""
        if index == len(found):
            return Note(Message((first, " beats ", others, f" by {', then '.join(deciding)}")), Const(b.everybody))
        fewer = op("<", op("count", found[index].expr), op("count", found[index - 1].expr))
        return If(fewer, (told(index + 1, (*deciding, found[index].label)),), (told(index + 1, deciding),))

    if len(found) > KEYS_TOLD + 1:
        return []
    return [If(op("<", op("count", found[-1].expr), op("count", found[0].expr)), (told(1, ()),))]


def store(variable: str, owner: Expr | None, value: Scalar, type: model.Type, b: Builder, span: Span) -> list[Stmt]:
    """Put a value into a counter or marker; one that could leave its domain is asked, one that must is a finding."""
    declared = b.table.variables[variable]
    if declared.range is not None:
        low, high = declared.range.low, declared.range.high
    else:
        low, high = 0, b.size(declared.type) - 1
    if declared.type.optional and type != model.NUMBER:  # a number is never none, though it may be -1
        low = NONE
    target = b.fields[variable]
    domain = b.domain(declared.type)
    if value.low >= low and value.high <= high:
        return [Assign(target, value.expr, owner)]
    words = f"{low}..{high}" if domain is None else f"a {declared.type.noun}"
    if value.high < low or value.low > high:
        seen = str(value.low) if value.low == value.high else f"{value.low}..{value.high}"
        if domain is not None:
            seen = "none"
        b.complain(
            "R301", f"`{variable}` would become {seen}, and it is {words}", span, (declared.span, "declared here"),
            help=f"widen the domain of `{variable}`, or change what is set" if domain is None else "declare it `... or none`",
        )  # fmt: skip
    code, given = kept(value.expr, variable, b)
    inside = op("and", op("<=", Const(low), given), op("<=", given, Const(high)))
    wrong = b.stop(
        "R602", span, f"`{variable}` would become ", Say(given, domain), f", and it is {words}",
        help=f"widen the domain of `{variable}`, or make the rules keep it inside",
    )  # fmt: skip
    return [*code, If(inside, (), (wrong,)), Assign(target, given, owner)]


def _set(node: model.SetVariable, b: Builder, env: Env) -> list[Stmt]:
    declared = b.table.variables[node.name]
    public = declared.visibility == "open"
    story, value = _value(node.value, b, env, node.name, public)
    if declared.type == model.NUMBER:
        value = not_none(value, node.value, b)
    owner: Expr | None = None
    code = list(story)
    whose: list[str | Say] = []
    if node.owner is not None:
        who = scalar_of(node.owner, b, env)
        more, owner = kept(who.expr, "whose", b)
        code += more
        if who.low < 0:
            nobody = b.stop("R610", node.span, f"`{node.name}` of none is set", help="ask first: `if ... is not none`")
            code.append(If(op("<", owner, Const(0)), (nobody,)))
        whose = [" of ", Say(owner, b.domain(node.owner.type))]
    now = Load(b.fields[node.name], owner)
    if not public or isinstance(node.value, model.RandomOf):
        return [*code, *store(node.name, owner, value, node.value.type, b, node.span)]
    before = b.local("before")
    told = Note(Message((node.name, *whose, ": ", Say(now, b.domain(declared.type)))), Const(b.everybody))
    news = If(op("=", now, Load(before)), (), (told,))
    return [*code, Assign(before, now), *store(node.name, owner, value, node.value.type, b, node.span), news]


def _let(var: Var, value: ModelExpr, b: Builder, env: Env, span: Span) -> list[Stmt]:
    spots = spots_of(value, b, env)
    if value.type.is_set:
        members = bits_of_set(value, b, env)
        local = b.local(var.name, b.width(value.type))
        env[var] = Binding(with_expr(members, Load(local)), spots, Const(0))
        return [Assign(local, members.expr)]
    story, found = _value(value, b, env, var.name, True)
    local = b.local(var.name)
    env[var] = Binding(Scalar(Load(local), found.low, found.high), spots, Const(0))
    return [*story, Assign(local, found.expr)]


# ---- Loops


def _for_each(node: model.ForEach, b: Builder, env: Env, here: Here) -> list[Stmt]:
    type = node.members.type
    width = b.width(type)
    rest, bit = b.local("rest", width), b.local("copy" if copies_of(type, b) else node.var.name)
    members = bits_of_set(node.members, b, env)
    member = b.local(node.var.name) if copies_of(type, b) else bit
    spots = spots_of(node.members, b, env)
    found = Binding(Scalar(Load(member), 0, b.size(type) - 1), spots, Const(0))
    others = moves.destinations(node.body, b, own=node.var)
    inner_env = moves.after(node.body, b, env) | {node.var: moves.elsewhere(found, type, others)}
    inner = body(node.body, b, inner_env, here.inside(in_phase=False))
    head: list[Stmt] = [Assign(rest, members.expr)]
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
            return _in_ranking(node, var, keys, (rest, bit, member), members, inner, b, env)
        case model.InRandomOrder():
            domain = b.domain(type) or Domain(())
            text = Message((f"the next {node.var.name}: ", Say(Load(member), domain)))
            event = Chance(b.site(), member, Load(rest), domain, Const(b.everybody), text, text, node.span)
            one = op("bit", first_bit(Load(member), type.member, b))
            less = knowledge.less(
                Load(rest), one, b.components[type.of], b
            ) if copies_of(type, b) else op("minus", Load(rest), one)
            return [*head, While(some(Load(rest)), (event, Assign(rest, less), *inner), node.span)]
    turn.append(Assign(rest, op("minus", Load(rest), op("bit", Load(bit)))))
    if member is not bit:
        turn.append(Assign(member, Lookup(Constants(f"face of {type.of}", copies_of(type, b)), Load(bit))))
    return [*head, While(some(Load(rest)), (*turn, *inner), node.span)]


def _arc(start: int, stop: int, players: int) -> int:
    """The seats clockwise from one to another, both included."""
    return sum(1 << ((start + i) % players) for i in range((stop - start) % players + 1))


def _in_ranking(
    node: model.ForEach, var: Var, keys: tuple[model.Key, ...], names: tuple[Local, Local, Local], members: Bits,
    inner: list[Stmt], b: Builder, env: Env,
) -> list[Stmt]:  # fmt: skip
    """Best first; members that rank alike in the order they are declared. The order is settled before the first turn."""
    rest, bit, member = names
    type = node.members.type
    copies = copies_of(type, b)

    def pick(left: Local) -> list[Stmt]:
        """The next in the ranking of what is left, as ``bit``."""
        code: list[Stmt] = []
        these: Expr = Load(left)
        for key in keys:
            found = b.local("these", b.width(type))

            def value_of(one: Expr, key: model.Key = key) -> Scalar:
                return scalar_of(key.value, b, env | {var: Binding(Scalar(one, 0, b.size(type) - 1))})

            label = b.label("narrowed")
            narrowed = narrow(found, these, key, value_of, copies, b)
            code.append(Block(label, tuple(_without_return(narrowed, found, label))))
            these = Load(found)
        return [*code, Assign(bit, op("first", these))]

    face = [Assign(member, Lookup(Constants(f"face of {type.of}", copies), Load(bit)))] if copies else []
    less = Assign(rest, op("minus", Load(rest), op("bit", Load(bit))))
    if all(static_values(k.value, var, b) is not None for k in keys):  # nothing that happens in a turn changes the order
        loop = While(some(Load(rest)), (*pick(rest), less, *face, *inner), node.span)
        return [Assign(rest, members.expr), loop]
    order = b.field(f"order {b.label('of turns')}", "game", b.width(type), low=NONE, high=b.width(type) - 1)
    place, count = b.local("place"), b.local("count")
    settle = While(
        some(Load(rest)),
        (*pick(rest), less, Assign(order, Load(bit), Load(count)), Assign(count, op("+", Load(count), Const(1)))),
        node.span,
    )
    following: list[Stmt] = [
        Assign(bit, Load(order, Load(place))),
        Assign(order, Const(NONE), Load(place)),
        Assign(place, op("+", Load(place), Const(1))),
    ]
    forget: list[Stmt] = [While(op("<", Load(place), Load(count)), tuple(following[1:]), node.span)]
    turn = While(op("<", Load(place), Load(count)), (*following, *face, *_before_leaving(inner, forget)), node.span)
    return [Assign(rest, members.expr), Assign(count, Const(0)), settle, Assign(place, Const(0)), turn]


def _before_leaving(code: Iterable[Stmt], first: list[Stmt]) -> list[Stmt]:
    """The same code, with something done before it leaves all of this code."""
    inside = {s.label for s in every_statement(tuple(code)) if isinstance(s, Block)}

    def change(statements: Iterable[Stmt]) -> tuple[Stmt, ...]:
        return tuple(new for s in statements for new in changed(s))

    def changed(statement: Stmt) -> list[Stmt]:
        match statement:
            case Return():
                return [*first, statement]
            case Leave(label=label):
                return [statement] if label in inside else [*first, statement]
            case If(then=then, otherwise=otherwise):
                return [evolve(statement, then=change(then), otherwise=change(otherwise))]
            case While(body=inner) | Block(body=inner):
                return [evolve(statement, body=change(inner))]
            case Choose(alternatives=alternatives, impossible=impossible):
                done = tuple(evolve(a, body=change(a.body)) for a in alternatives)
                return [evolve(statement, alternatives=done, impossible=change(impossible))]
            case _:
                return [statement]

    return list(change(code))


def _without_return(code: list[Stmt], found: Local, label: str) -> list[Stmt]:
    """A stage of a ranking as part of a flow: what it would return is put into ``found``."""
    changed: list[Stmt] = []
    for statement in code:
        match statement:
            case Return(value=value) if value is not None:
                changed += [Assign(found, value), Leave(label)]
            case If(condition=condition, then=then, otherwise=otherwise):
                changed.append(
                    If(
                        condition,
                        tuple(_without_return(list(then), found, label)),
                        tuple(_without_return(list(otherwise), found, label)),
                    )
                )
            case _:
                changed.append(statement)
    return changed


def _repeat(node: model.Repeat, b: Builder, env: Env, here: Here) -> list[Stmt]:
    env = moves.after(node.body, b, env)
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
    loop = While(again, (Assign(left, op("-", Load(left), Const(1))), *inner), node.span)
    return [Assign(left, most.expr), loop, If(op("not", over), tuple(rest))]


KEYS_TOLD = 4  # a story tells by which of so many keys a ranking was decided; each doubles what it takes to tell
ROUND = "\n"  # a note that says no more than that a round begins


def _take_turns(node: model.TakeTurns, b: Builder, env: Env, here: Here) -> list[Stmt]:
    seat = b.local("player")
    inside = moves.after(node.body, b, env) | {node.var: Binding(Scalar(Load(seat), 0, b.players - 1))}
    inner = body(node.body, b, inside, here.inside(in_phase=False))
    among = bits_of_set(node.among, b, env)
    turn: list[Stmt] = inner
    if among.expr != Const(b.everybody):
        turn = [If(op("has", among.expr, Load(seat)), tuple(inner))]
    following = Assign(seat, op("mod", op("+", Load(seat), Const(1)), Const(b.players)))
    over = scalar_of(node.until, b, env).expr
    return [Assign(seat, required(node.start, b, env).expr), While(op("not", over), (*turn, following), node.span)]


# ---- Steps


def routine(step: model.Step, b: Builder) -> Routine:
    """A step, phase or setup as a routine."""
    parameters: list[Local] = []
    env: Env = {}
    for var in step.parameters:
        local = b.local(var.name)
        parameters.append(local)
        low, high = b.span_of(var.type) if var.type.base != "number" else (-(2**31), 2**31)
        env[var] = Binding(Scalar(Load(local), low, high))
    label = b.label(step.name)
    here = Here(step.name, {step.name: label}, in_phase=step.form == "phase")
    code = body(step.body, b, env, here)
    if step.form != "step":
        code = [Note(Message((f"{ROUND}{step.name}",)), Const(b.everybody)), *code]
    if label in b.left:
        code = [Block(label, tuple(code))]
    return Routine(name_of(step), tuple(parameters), tuple(code), False)


def name_of(step: model.Step) -> str:
    return step.form if step.form == "setup" else f"{step.form} {step.name}"

