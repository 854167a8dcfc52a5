"""Lowers a choice: each option line becomes an alternative with a set of legal positions.

``play a card from hand of player / only if following of card unless ...``: the candidates are the hand, each clause is a mask
(see `filters`), and the legal options are their intersection. The same clauses, evaluated for one card, say why it is not
allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

from attrs import evolve

from ....common.nouns import spoken, with_article
from ....model import model
from ....model.model import Expr as ModelExpr
from ....model.model import Var
from ....model.visitor import walk
from ....words.words import ENGLISH
from ...machine import (
    NONE,
    OPTIONS_LIMIT,
    Alternative,
    Assign,
    Choose,
    Condition,
    Const,
    Domain,
    Expr,
    Group,
    If,
    Invoke,
    Load,
    Local,
    Message,
    Return,
    Say,
    Stmt,
)
from ..building import defines
from ..building.builder import Builder, Here
from ..building.lowering import bits_of_set, scalar_of
from ..building.saying import act_names, named
from ..building.values import Binding, Bits, Env, Scalar, Spot, bits_of, op, some, with_expr
from ..components.copies import face_numbers, for_members
from ..components.places import seers_of_all, settled_spots, spots_of, spots_of_cells
from ..expressions.filters import asked_cell, mask_of, mask_of_numbers, numbers_below, numbers_upto
from ..expressions.guards import membership
from ..expressions.ranges import range_of
from ..expressions.texts import message_of
from ..grids import ways
from . import legal_placements, steps, trying
from .block import body


@scalar_of.register
def _possible(node: model.Possible, b: Builder, env: Env) -> Scalar:
    """Whether one of these options would be allowed."""
    found: Expr = Const(0)
    for option in node.options:
        found = op("or", found, _is_possible(option, b, env))
    return Scalar(found, 0, 1)


def _is_possible(option: model.Option, b: Builder, env: Env) -> Expr:
    """Whether an option would be allowed; of several arguments, the first combination that fits is enough."""
    domains, tests = signature(option, b)[1], [condition.test for condition in option.conditions]
    several = len(option.arguments) > 1 and steps.of_option(option, b) is None
    if not several or _is_number_for_each(option, domains, tests, b, env):
        return some(_positions(option, domains, b, env)[1].expr)

    def build(inside: Env) -> list[Stmt]:
        return [*_combinations(option, domains, tests, lambda _: Return(Const(1)), b, inside), Return(Const(0))]

    around = {v: x for v, x in env.items() if v not in {argument.var for argument in option.arguments}}
    return b.function(f"whether to {option.verb}", (*tests, *_sources(option)), around, 0, build)


def choose(node: model.Choose, b: Builder, env: Env, here: Here) -> list[Stmt]:
    """A decision."""
    player = scalar_of(node.player, b, env)
    alternatives = [_alternative(option, player.expr, b, env, here) for option in node.options]
    alternatives.sort(key=lambda a: b.group_list[a.group].base)
    if node.impossible is not None:
        impossible = tuple(body(node.impossible, b, env, here))
    else:
        who = Say(player.expr, b.player_domain)
        verbs = " or ".join(dict.fromkeys(f"`{option.verb}`" for option in node.options))
        looser = next((form for option in node.options if (form := _only_where_possible(option))), "")
        help = f"loosen what {verbs} asks for{looser}, or say below it what happens then: `if impossible: ...`"
        impossible = (b.stop("R601", node.span, who, " must choose, and nothing is allowed", help=help),)
    site = b.site()
    impossible = (*b.mark("impossible", node.span, str(site)), *impossible)
    so_far = None if node.so_far is None else message_of(node.so_far, b, env)
    code: list[Stmt] = [Choose(site, player.expr, tuple(alternatives), impossible, node.span, so_far, node.at_once)]
    if player.low < 0:
        nobody = b.stop("R610", node.span, "there is nobody to choose", help="ask first: `if ... is not none`")
        code.insert(0, If(op("<", player.expr, Const(0)), (nobody,)))
    return code


def _only_where_possible(option: model.Option) -> str:
    """How a condition of what an option takes is asked only where something meets it; "" where that is no short sentence."""
    for condition in option.conditions:
        match condition.test, option.arguments:
            case model.Apply(define=name, args=(model.VarValue(var=asked),)), (model.Argument(var=var, source=source),) if (
                asked == var and isinstance(source, model.Typed) and source.type.is_set
            ):
                form = f"only if {condition.test.span.text} unless {source.span.text} has no {var.type.noun} where {name}"
                return f", as in `{' '.join(form.split())}`"
            case _:
                continue
    return ""


def signature(option: model.Option, b: Builder) -> tuple[str, tuple[Domain, ...]]:
    """What makes two option lines the same act: the verb and what it takes."""
    stepping = steps.of_option(option, b)
    if stepping is not None:
        return option.verb, (steps.domain(stepping, b),)
    return option.verb, tuple(_argument_domain(argument, b) for argument in option.arguments)


def _argument_domain(argument: model.Argument, b: Builder) -> Domain:
    type = argument.var.type
    if isinstance(argument.source, tuple):
        low, high = (range_of(end, b) for end in argument.source)
        top, bottom = high[1], low[0]
        if top - bottom >= OPTIONS_LIMIT:
            b.complain(
                "R216",
                f"these are {top - bottom + 1} numbers; {OPTIONS_LIMIT} options are allowed",
                argument.span,
                help="the ends of `from A..B` are numbers, options or counters with a small range",
            )
            top = bottom
        return Domain(tuple(str(n) for n in range(bottom, max(bottom, top) + 1)), bottom, sort="number")
    domain = b.domain(type)
    if domain is None:
        b.complain("R204", f"an option cannot take {type}", argument.span, help="say from which numbers: `a number from 1..6`")
        return Domain(("?",))
    return domain


def number_groups(options: list[model.Option], b: Builder) -> None:
    """Give every act its numbers, in the order in which the acts stand in the files: the game's first, then what extends it."""
    ways.name_all(options, b)
    base = 0
    for option in sorted(options, key=lambda o: (b.table.files.index(o.span.source.path), o.span.start)):
        key = signature(option, b)
        if key in b.groups:
            continue
        size = 1
        for domain in key[1]:
            size *= len(domain.names)
        if base + size > OPTIONS_LIMIT:
            several = len(key[1]) > 1 and len(set(key[1])) < len(key[1])
            help = "let each be taken by a choice of its own, or, where all go the same way, `pass 3 cards from ...`"
            help = help if several else "let the act take less"
            b.complain("R216", f"with `{option.verb}` there are more than {OPTIONS_LIMIT:,} options", option.span, help=help)
            size = 1
        b.groups[key] = Group(
            option.verb, option.text or spoken(option.verb), key[1], base, size, *act_names(option.text or option.verb, b)
        )
        base += size
    b.group_list = list(b.groups.values())


def _alternative(option: model.Option, player: Expr, b: Builder, env: Env, here: Here) -> Alternative:
    option = trying.with_acts(option)
    group = b.group_list.index(b.groups[signature(option, b)])
    domains = b.group_list[group].arguments
    seen: Expr | None = op("bit", player) if option.face_down else None
    arguments: list[Local] = []
    taken_from: list[tuple[tuple[str, bool], ...]] = []
    inside, chosen = dict(env), dict(env)  # while the options are asked about; once one is chosen
    remember: list[Stmt] = []
    stepping = steps.of_option(option, b)
    if stepping is not None:
        arguments.append(b.local("step"))
        for var, binding in steps.bound(stepping, Load(arguments[0]), b, env).items():
            inside[var] = evolve(binding, seen=seen)
            local = b.local(var.name)
            remember.append(Assign(local, binding.value.expr))
            chosen[var] = Binding(with_expr(binding.value, Load(local)), binding.spots, seen)
    for argument, domain in () if stepping is not None else zip(option.arguments, domains, strict=True):
        local = b.local(argument.var.name)
        arguments.append(local)
        spots: tuple[Spot, ...] | None = None
        later: tuple[Spot, ...] | None = None
        if isinstance(argument.source, model.Typed):
            spots = spots_of(argument.source, b, inside)
            more, later = settled_spots(argument.source, b, chosen)
            remember += more
        taken_from.append(tuple(dict.fromkeys((spot.zone, spot.owner == player) for spot in spots or ())))
        value = Scalar(Load(local), domain.low, domain.low + len(domain.names) - 1)
        inside[argument.var] = Binding(value, spots, seen)
        chosen[argument.var] = Binding(value, later, seen)
    asked = evolve(option, conditions=tuple(each for each in option.conditions if not each.where_possible))
    conditions = _conditions(asked, arguments, b, inside)
    candidates, legal = _positions(asked, domains, b, env)
    for condition in option.conditions:
        if condition.where_possible:
            legal = _where_possible(condition, legal, asked, domains, b, env)
            fits = op("has", legal.expr, _position(arguments, domains))
            conditions = (*conditions, Condition(fits, _reason(condition, b, inside), condition.span))
    outside, not_candidate = _not_offered(option, arguments, domains, b, inside)
    sources = (fact for argument in option.arguments for fact in membership(argument.source, argument.var, b))
    with b.where(*sources, *(c.test for c in asked.conditions if not trying.tries(c))):
        acting = frozenset(argument.var for argument in option.arguments)
        code = remember + body(option.body, b, chosen, here.inside(acting=acting, act=option, in_phase=False))
    offered = b.marked(legal.expr, "offer", option.span, b.group_list[group].size, option.verb)
    return Alternative(
        group, tuple(arguments), candidates.expr, offered, not_candidate, conditions,
        Const(b.everybody) if seen is None else seen, tuple(code), option.span, option.secret, _piece(option, player, b, env),
        option.told, tuple(taken_from), outside,
    )  # fmt: skip


def _position(arguments: list[Local], domains: tuple[Domain, ...]) -> Expr:
    """The position of an act in its group."""
    place: Expr = Const(0)
    for argument, domain in zip(arguments, domains, strict=True):
        value = op("-", Load(argument), Const(domain.low)) if domain.low else Load(argument)
        place = op("+", op("*", place, Const(len(domain.names))), value) if place != Const(0) else value
    return place


def _where_possible(
    condition: model.Condition, legal: Bits, option: model.Option, domains: tuple[Domain, ...], b: Builder, env: Env
) -> Bits:
    """The legal positions that fit a condition; all of them, if none does."""
    width = prod(len(domain.names) for domain in domains)
    these = Var(" these", model.Type("word", "position").set)
    own = {argument.var for argument in option.arguments}
    around = {v: x for v, x in env.items() if v not in own} | {these: Binding(legal)}

    def build(inside: Env) -> list[Stmt]:
        rest, position, kept = b.local("rest", width), b.local("position"), b.local("kept", width)
        some = inside[these].value.expr
        known = _bound_at(option, domains, Load(position), b, inside)
        test = scalar_of(condition.test, b, known).expr
        keep = If(test, (Assign(kept, op("union", Load(kept), op("bit", Load(position)))),))
        loop = for_members(rest, some, position, [keep], (), condition.span)
        result = op("if", op("=", Load(kept), Const(0)), some, Load(kept))
        return [Assign(kept, Const(0)), *loop, Return(result)]

    handed = model.VarValue(these, type=these.type, span=option.span)
    parts = (handed, condition.test, *_sources(option))
    call = b.function(f"where possible, {option.verb}", parts, around, width, build, widths={these: width})
    b.scalar_loops.append((call.function, f"{condition.span.place}: {condition.span.text}"))
    return Bits(call, legal.bound, legal.most)


def _bound_at(option: model.Option, domains: tuple[Domain, ...], position: Expr, b: Builder, env: Env) -> Env:
    """What an option takes, by name, at a position of its group."""
    stepping = steps.of_option(option, b)
    if stepping is not None:
        return env | steps.bound(stepping, position, b, env)
    known = dict(env)
    below = prod(len(domain.names) for domain in domains)
    for number, (argument, domain) in enumerate(zip(option.arguments, domains, strict=True)):
        count = len(domain.names)
        below //= count
        place = op("div", position, Const(below)) if below > 1 else position
        place = op("mod", place, Const(count)) if number else place
        value = op("+", place, Const(domain.low)) if domain.low else place
        spots = spots_of(argument.source, b, known) if isinstance(argument.source, model.Typed) else None
        known[argument.var] = Binding(Scalar(value, domain.low, domain.low + count - 1), spots)
    return known


def _piece(option: model.Option, player: Expr, b: Builder, env: Env) -> Say | None:
    """What an option lays, as ``player`` is told of it: none where they do not see which component it is."""
    laid = ways.of_option(option)
    if laid is None:
        return None
    face = scalar_of(laid.piece, b, env).expr
    seers = seers_of_all(laid.piece, b, env)
    if isinstance(laid.piece, model.VarValue) and laid.piece.var in env:
        seen = env[laid.piece.var].seen
        seers = Const(b.everybody) if seen is None else op("union", seers, seen)
    return Say(op("if", op("has", seers, player), face, Const(NONE)), b.components[laid.piece.type.of].domain)


def _conditions(option: model.Option, arguments: list[Local], b: Builder, env: Env) -> tuple[Condition, ...]:
    """The conditions, asked of one act: why it is not allowed. Those that always hold at this table are left out."""
    laid = ways.of_option(option)
    found: list[Condition] = []
    after = env
    if laid is not None:
        found.append(ways.empty_first(laid, Load(arguments[0]), b, env, option.span))
        if any(c.laid for c in option.conditions):
            after = ways.with_it_laid(laid, Load(arguments[0]), b, env)
    for condition in option.conditions:
        asked = after if condition.laid else env
        test = scalar_of(condition.test, b, asked).expr
        if test != Const(1):
            found.append(Condition(test, _reason(condition, b, asked), condition.span))
    return tuple(found)


def _reason(condition: model.Condition, b: Builder, env: Env) -> Message:
    if not condition.reason.parts:
        text = condition.span.text.split(" otherwise ")[0].strip()
        return Message((text,), () if b.words is ENGLISH else (b.words.text("reason", text),))
    return message_of(condition.reason, b, env)


def _not_offered(
    option: model.Option, arguments: list[Local], domains: tuple[Domain, ...], b: Builder, env: Env
) -> tuple[tuple[Condition, ...], Message]:
    """Why something is no candidate: it is not in the set from which the option takes. Of several arguments, whether each but the
    last is one that it can be; and what is said of the last, or where all are."""
    laid = ways.of_option(option)
    if laid is not None:
        return (), ways.not_offered(laid, b)
    if steps.of_option(option, b) is not None:
        return (), _outside(option.arguments[0], b, env)
    asked = [each for each in zip(option.arguments, arguments, domains, strict=True) if each[0].source is not None]
    if not asked:
        return (), b.parts("it is not offered")
    outside = []
    for argument, local, domain in asked[:-1]:
        place = op("-", Load(local), Const(domain.low)) if domain.low else Load(local)
        fits = op("has", _candidates(argument, domain, b, env).expr, place)
        outside.append(Condition(fits, _outside(argument, b, env), argument.span))
    return tuple(outside), _outside(asked[-1][0], b, env)


def _outside(argument: model.Argument, b: Builder, env: Env) -> Message:
    """Why an argument cannot be what it is not among."""
    source = argument.source
    if isinstance(source, model.ZoneContent) and source.owner is not None:
        whose = Say(scalar_of(source.owner, b, env).expr, b.domain(source.owner.type))
        found = b.parts("it is not in {zone} of {owner}", zone=named(b, "zone", source.zone), owner=whose)
        return evolve(found, parts=(f"it is not in {source.zone} of ", whose))
    if isinstance(source, model.Typed):
        return _not_in(source, b, env)
    if isinstance(source, tuple):
        low, high = (Say(scalar_of(end, b, env).expr, None) for end in source)
        return b.parts("it goes from {low} to {high}", low=low, high=high)
    return b.parts("it is not offered")


def _not_in(source: model.Typed, b: Builder, env: Env) -> Message:
    """Why something is no candidate: it is not in a set, which is named as in the rules, with players by their names; in other
    languages by its kind."""
    text, every = spoken(source.span.text), "every "
    rest = text.removeprefix(every)
    english = ("it is not in ", *_with_players(source, b, env)) if rest == text else (f"it is not {with_article(rest)}",)
    if rest != text and rest in b.table.kinds:
        found = b.parts("it is no {thing}", thing=named(b, "kind", rest))
    elif isinstance(source, model.ZoneContent):
        found = b.parts("it is not in {zone}", zone=named(b, "grid" if source.zone in b.table.grids else "zone", text))
    else:
        found = b.parts("it is not among those that can be chosen")
    return evolve(found, parts=english)


def _with_players(source: model.Typed, b: Builder, env: Env) -> Iterator[str | Say]:
    """The text of an expression in which it says, for each variable, which player that is."""
    whole = source.span
    at = whole.start
    for node in sorted(walk(source), key=lambda node: node.span.start):
        span = node.span
        if not (isinstance(node, model.VarValue) and node.type == model.PLAYER and node.var in env):
            continue
        if span.source is whole.source and at <= span.start and span.end <= whole.end:
            yield spoken(whole.source.text[at : span.start])
            yield Say(env[node.var].value.expr, b.domain(node.type))
            at = span.end
    if at < whole.end:
        yield spoken(whole.source.text[at : whole.end])


def _positions(option: model.Option, domains: tuple[Domain, ...], b: Builder, env: Env) -> tuple[Bits, Bits]:
    """The positions of the group that are candidates, and those that are legal."""
    laid = ways.of_option(option)
    if laid is not None:
        return legal_placements.positions(option, laid, b, env)
    stepping = steps.of_option(option, b)
    if stepping is not None:
        return steps.positions(option, stepping, b, env)
    tests = [c.test for c in option.conditions]
    if not option.arguments:
        allowed: Expr = Const(1)
        for test in tests:
            allowed = op("and", allowed, scalar_of(test, b, env).expr)
        return bits_of(1), Bits(op("if", allowed, Const(1), Const(0)), 1, 1)
    if len(option.arguments) == 1:
        return _positions_of_one(option.arguments[0], domains[0], tests, b, env)
    return _positions_of_many(option, domains, tests, b, env)


def _candidates(argument: model.Argument, domain: Domain, b: Builder, env: Env) -> Bits:
    """The values that an argument can take, as positions in its domain."""
    count = len(domain.names)
    if isinstance(argument.source, tuple):
        low, high = (scalar_of(end, b, env).expr for end in argument.source)
        return Bits(op("minus", numbers_upto(high, domain), numbers_below(low, domain)), (1 << count) - 1, count)
    if argument.source is None:
        return bits_of((1 << count) - 1)
    members = bits_of_set(argument.source, b, env)
    if not domain.copies:
        return members
    return Bits(face_numbers(members.expr, b.components[argument.var.type.of], b), (1 << count) - 1, count)


def _positions_of_one(
    argument: model.Argument, domain: Domain, tests: list[ModelExpr], b: Builder, env: Env
) -> tuple[Bits, Bits]:
    """One argument: the legal positions by set algebra where the clauses decompose."""
    candidates = _candidates(argument, domain, b, env)
    count = len(domain.names)
    legal = candidates
    loops: list[ModelExpr] = []
    if argument.var.type.base == "cell" and isinstance(argument.source, model.Typed):
        env = env | {argument.var: asked_cell(argument.source, b, env)}
    for test in tests:
        if isinstance(argument.source, tuple):
            mask = mask_of_numbers(test, argument.var, domain, b, env)
        else:
            mask = mask_of(test, argument.var, (1 << count) - 1, b, env) if not domain.copies else None
        if mask is None:
            loops.append(test)
        else:
            legal = Bits(op("intersect", legal.expr, mask.expr), legal.bound & mask.bound, min(legal.most, mask.most))
    everything = (1 << count) - 1
    of_sets = isinstance(argument.source, model.Typed) and not domain.copies
    for asked, easy in _in_groups(loops, lambda test: of_sets and mask_of(test, argument.var, everything, b, env) is not None):
        call = _ask_each(legal, argument, domain, asked, b, env, easy)
        b.scalar_loops += [(call.function, f"{test.span.place}: {test.span.text}") for test in asked]
        legal = Bits(call, legal.bound, legal.most)
    return candidates, legal


def _in_groups(
    tests: list[ModelExpr], is_easy: Callable[[ModelExpr], bool]
) -> Iterator[tuple[list[ModelExpr], ModelExpr | None]]:
    """Conditions that are asked of each member, in order; and for what members they need not be asked, for these fit anyway."""
    together: list[ModelExpr] = []
    for test in tests:
        if isinstance(test, model.Logic) and test.op == "or" and is_easy(test.left):
            if together:
                yield together, None
            together = []
            yield [test.right], test.left
        else:
            together.append(test)
    if together:
        yield together, None


def _ask_each(
    legal: Bits,
    argument: model.Argument,
    domain: Domain,
    tests: list[ModelExpr],
    b: Builder,
    env: Env,
    easy: ModelExpr | None = None,
) -> Invoke:
    """The members that fit all conditions, or else ``easy``, of which there is a mask."""
    count = len(domain.names)
    rest, position, kept = b.local("rest", count), b.local(argument.var.name), b.local("kept", count)
    these = Var(" these", argument.var.type.set)
    around = {v: x for v, x in env.items() if v is not argument.var} | {these: Binding(Bits(legal.expr, legal.bound, legal.most))}

    def build(inside: Env) -> list[Stmt]:
        value = op("+", Load(position), Const(domain.low))
        spots = spots_of(argument.source, b, inside) if isinstance(argument.source, model.Typed) else None
        on_grid = spots if argument.var.type.base == "cell" else None
        asked = inside | {argument.var: Binding(Scalar(value, domain.low, domain.low + count - 1), on_grid)}
        allowed: Expr = Const(1)
        for test in tests:
            allowed = op("and", allowed, scalar_of(test, b, asked).expr)
        keep = If(allowed, (Assign(kept, op("union", Load(kept), op("bit", Load(position)))),))
        some_of_them = inside[these].value.expr
        surely: Expr = Const(0)
        if easy is not None and isinstance(argument.source, model.Typed):
            anywhere = inside | ({argument.var: asked_cell(argument.source, b, inside)} if on_grid is not None else {})
            mask = mask_of(easy, argument.var, (1 << count) - 1, b, anywhere)
            assert mask is not None
            surely = op("intersect", some_of_them, mask.expr)
            some_of_them = op("minus", some_of_them, Load(kept))
        loop = for_members(rest, some_of_them, position, [keep], (), argument.span)
        return [Assign(kept, surely), *loop, Return(Load(kept))]

    handed = model.VarValue(these, type=these.type, span=argument.span)
    from_where = [argument.source] if isinstance(argument.source, model.Typed) else []
    known = [] if easy is None else [easy]
    return b.function("options that fit", (handed, *tests, *known, *from_where), around, count, build, widths={these: count})


ROWS_LIMIT = 16  # things for each of which there is a row of numbers; with more, a loop is shorter


def _is_number_for_each(option: model.Option, domains: tuple[Domain, ...], tests: list[ModelExpr], b: Builder, env: Env) -> bool:
    """Whether an option takes one of a few things and a number, of which all conditions only ask how large it is."""
    if len(domains) != 2 or len(domains[0].names) > ROWS_LIMIT or not isinstance(option.arguments[1].source, tuple):
        return False
    first, number = option.arguments
    known = env | {first.var: Binding(Scalar(Const(domains[0].low), domains[0].low, domains[0].low))}
    return first.var.type.base != "cell" and all(
        mask_of_numbers(test, number.var, domains[1], b, known) is not None for test in tests
    )


def _number_for_each(
    option: model.Option, domains: tuple[Domain, ...], tests: list[ModelExpr], size: int, b: Builder, env: Env
) -> Invoke:
    """The numbers that can be taken with the first thing, behind them those with the second, and so on."""
    first, number = option.arguments
    things, numbers = domains
    around = {v: x for v, x in env.items() if v not in (first.var, number.var)}
    legal = b.local("kept", size)

    def build(inside: Env) -> list[Stmt]:
        there = _candidates(first, things, b, inside)
        code: list[Stmt] = [Assign(legal, Const(0))]
        for position in reversed(range(len(things.names))):
            value = things.low + position
            known = inside | {first.var: Binding(Scalar(Const(value), value, value))}
            row = _candidates(number, numbers, b, known).expr
            for test in tests:
                mask = mask_of_numbers(test, number.var, numbers, b, known)
                assert mask is not None
                row = op("intersect", row, mask.expr)
            if there.expr != Const(there.bound):
                row = op("if", op("has", there.expr, Const(position)), row, Const(0))
            before = Const(0) if len(code) == 1 else op("left", Load(legal), Const(len(numbers.names)))
            code.append(Assign(legal, op("union", before, row)))
        return [*code, Return(Load(legal))]

    sources = [part for each in option.arguments for part in (each.source if isinstance(each.source, tuple) else [each.source])]
    parts = [part for part in (*sources, *tests) if part is not None]
    return b.function(f"ways to {option.verb}", parts, around, size, build)


def _sources(option: model.Option) -> list[model.Node]:
    """From what an option takes its arguments."""
    sources = [part for each in option.arguments for part in (each.source if isinstance(each.source, tuple) else [each.source])]
    return [part for part in sources if part is not None]


def _combinations(
    option: model.Option, domains: tuple[Domain, ...], ask: list[ModelExpr], act: Callable[[Expr], Stmt], b: Builder, env: Env
) -> list[Stmt]:
    """Go through all combinations of arguments, and do something with the position of each that is allowed.

    A condition is asked as soon as all arguments that it is about are known, but not before the conditions above it: so one that
    is about no argument is asked once, before all loops.
    """
    locals_of = [b.local(a.var.name) for a in option.arguments]
    known = dict(env)
    place: Expr = Const(0)
    for domain, local in zip(domains, locals_of, strict=True):
        place = op("+", op("*", place, Const(len(domain.names))), Load(local))
    loops: list[tuple[Local, Expr, Local]] = []
    for argument, domain, local in zip(option.arguments, domains, locals_of, strict=True):
        rest = b.local("rest", len(domain.names))
        loops.append((rest, _candidates(argument, domain, b, known).expr, local))
        value = op("+", Load(local), Const(domain.low))
        spots = spots_of_cells(argument.source, b, known) if isinstance(argument.source, model.Typed) else None
        known[argument.var] = Binding(Scalar(value, domain.low, domain.low + len(domain.names) - 1), spots)
    allowed: list[Expr] = [Const(1)] * (len(loops) + 1)  # within so many loops
    depth = 0
    for parts in map(_conjuncts, ask):
        for number, test in enumerate(parts):
            depth = max([depth, *(1 + at for at, each in enumerate(option.arguments) if defines.uses(test, each.var))])
            with b.where(*parts[:number]):
                allowed[depth] = op("and", allowed[depth], scalar_of(test, b, known).expr)
    code = _where(allowed[-1], [act(place)])
    for (rest, of, local), before in zip(reversed(loops), reversed(allowed[:-1]), strict=True):
        code = _where(before, for_members(rest, of, local, code, (), option.span))
    return code


def _where(allowed: Expr, code: list[Stmt]) -> list[Stmt]:
    return code if allowed == Const(1) else [If(allowed, tuple(code))]


def _conjuncts(test: ModelExpr) -> list[ModelExpr]:
    """The conditions of which all must hold, in order."""
    if isinstance(test, model.Logic) and test.op == "and":
        return [*_conjuncts(test.left), *_conjuncts(test.right)]
    return [test]


def _positions_of_many(
    option: model.Option, domains: tuple[Domain, ...], tests: list[ModelExpr], b: Builder, env: Env
) -> tuple[Bits, Bits]:
    """Several arguments: numbers for each of a few things by set algebra; else every combination is asked."""
    size = 1
    for domain in domains:
        size *= len(domain.names)
    if _is_number_for_each(option, domains, tests, b, env):
        everything = (1 << size) - 1
        candidates = _number_for_each(option, domains, [], size, b, env)
        legal = _number_for_each(option, domains, tests, size, b, env)
        return Bits(candidates, everything, size), Bits(legal, everything, size)
    parts = (*tests, *_sources(option))
    own = {a.var for a in option.arguments}
    around = {v: x for v, x in env.items() if v not in own}

    def code(ask: list[ModelExpr]) -> Invoke:
        kept = b.local("kept", size)

        def keep(place: Expr) -> Stmt:
            return Assign(kept, op("union", Load(kept), op("bit", place)))

        def build(inside: Env) -> list[Stmt]:
            return [Assign(kept, Const(0)), *_combinations(option, domains, ask, keep, b, inside), Return(Load(kept))]

        return b.function(f"ways to {option.verb}", parts, around, size, build)

    everything = (1 << size) - 1
    offered, allowed = code([]), code(tests)
    if tests:
        b.scalar_loops.append((allowed.function, f"{option.span.place}: {option.verb}, every combination"))
    return Bits(offered, everything, size), Bits(allowed, everything, size)
