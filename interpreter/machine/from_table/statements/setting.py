"""Lowers assignments to counters and markers, and how the choice of their value is told."""

from __future__ import annotations

from collections.abc import Sequence

from ....common.nouns import with_article
from ....common.source import Span
from ....model import model
from ....model.model import PLAYER
from ....model.model import Expr as ModelExpr
from ....model.visitor import walk, walk_statements
from ....table.figures import figures
from ....words.words import ENGLISH, marked
from ...machine import NONE, OPTIONS_LIMIT, Assign, Chance, Const, Domain, Expr, If, Load, Message, Note, Say, Stmt
from ..building.builder import Builder, kept
from ..building.defines import written_out
from ..building.lowering import bits_of_set, not_none, required, scalar_of
from ..building.saying import value_named
from ..building.values import Binding, Bits, Env, Scalar, is_empty, op, with_expr
from ..components.places import destinations, elsewhere, seers_of_all, settled_spots
from ..expressions.filters import numbers_below, numbers_upto
from ..expressions.rankings import stages
from .guarding import advice

VALUE, VALUE_OF = marked("{value}: {now}"), marked("{value} of {owner}: {now}")  # a counter or marker that has changed
KEYS_TOLD = 4  # a story tells by which of so many keys a ranking was decided; each doubles what it takes to tell


def _value(node: ModelExpr, b: Builder, env: Env, name: str, seen: Expr) -> tuple[list[Stmt], Scalar]:
    """The value that is set, by chance where the rules say so; with the story of how a ranking chose it.

    ``seen``: who sees it."""
    public = seen == Const(b.everybody)
    if isinstance(node, model.RandomNumber):
        return _random_number(node, b, env, name, seen)
    if isinstance(node, model.RandomOf):
        pool = bits_of_set(node.of, b, env)
        result = b.local(name)
        domain = b.domain(node.of.type)
        if domain is None:
            domain = Domain(tuple(str(n) for n in range(pool.bound.bit_length())))
        seen = seers_of_all(node.of, b, env) if public else seen
        text = b.parts("{value} by chance: {result}", value=value_named(b, name), result=Say(Load(result), domain))
        empty = b.stop("R604", node.span, "there is nothing to choose from by chance")
        hidden = b.parts("{value} is chosen by chance", value=value_named(b, name))
        event = Chance(b.site(), result, pool.expr, domain, seen, text, hidden, node.span)
        return [If(is_empty(pool.expr), (empty,)), event], Scalar(Load(result), 0, len(domain.names) - 1)
    return _why(node, b, env) if public else [], scalar_of(node, b, env)


def _random_number(node: model.RandomNumber, b: Builder, env: Env, name: str, seen: Expr) -> tuple[list[Stmt], Scalar]:
    low, high = required(node.low, b, env), required(node.high, b, env)
    if high.high < low.low or high.high - low.low >= OPTIONS_LIMIT:
        why = "there is none" if high.high < low.low else f"{OPTIONS_LIMIT} are allowed"
        places = [part.span.text for end in (node.low, node.high) for part in walk(written_out(end, b))]
        options = [name for name in b.table.option_words if name in places]  # what was folded keeps its place
        told = " and ".join(f"`{name}` is {b.table.option_words[name]}" for name in options)
        help = f"{told} at this table: choose others, or ask for another range" if told else "write `from 1..6`"
        b.complain("R216", f"a number from {low.low}..{high.high} by chance: {why}", node.span, help=help)
        return [], Scalar(Const(low.low), low.low, low.low)
    domain = Domain(tuple(str(n) for n in range(low.low, high.high + 1)), low.low)
    pool = op("minus", numbers_upto(high.expr, domain), numbers_below(low.expr, domain))
    result = b.local(name)
    text = b.parts("{value} by chance: {result}", value=value_named(b, name), result=Say(Load(result), domain))
    hidden = b.parts("{value} is chosen by chance", value=value_named(b, name))
    event = Chance(b.site(), result, pool, domain, seen, text, hidden, node.span)
    help = "let the second number be no less than the first"
    empty = b.stop("R604", node.span, "there is no number to choose by chance", help=help)
    guard: list[Stmt] = [] if low.high <= high.low else [If(op("<=", low.expr, high.expr), (), (empty,))]
    return [*guard, event], Scalar(Load(result), low.low, high.high)


def _why(node: ModelExpr, b: Builder, env: Env) -> list[Stmt]:
    """The story of a ranking: who came first, and by which key."""
    if isinstance(node, model.OwnerOf):
        return _why(node.of, b, env)
    if not isinstance(node, model.Best) or node.all or node.of.type.base not in ("component", "player"):
        return []
    sees = seers_of_all(node.of, b, env)
    if len(node.keys) > KEYS_TOLD or sees == Const(0):
        return []
    found = stages(node, b, env)
    if found[0].most <= 1:
        return []
    domain = b.domain(node.of.type)
    first = Say(found[-1].expr, domain, True)
    others = Say(op("minus", found[0].expr, found[-1].expr), domain, True)

    def told(index: int, deciding: tuple[str, ...]) -> Stmt:
        """What is told when the keys ``deciding`` narrowed the choice and the key at ``index`` comes next."""
        if index == len(found):
            return Note(b.parts("{first} beats {others} by {keys}", first=first, others=others, keys=_keys(deciding, b)), sees)
        fewer = op("<", op("count", found[index].expr), op("count", found[index - 1].expr))
        return If(fewer, (told(index + 1, (*deciding, found[index].label)),), (told(index + 1, deciding),))

    return [If(op("<", op("count", found[-1].expr), op("count", found[0].expr)), (told(1, ()),))]


def _keys(labels: tuple[str, ...], b: Builder) -> Message:
    """By which keys of a ranking something was decided: ``rank, then suit``."""
    if not labels:
        return Message(())
    found = _key(labels[0], b)
    for label in labels[1:]:
        found = b.parts("{keys}, then {key}", keys=found, key=_key(label, b))
    return found


def _key(label: str, b: Builder) -> Message:
    return Message((label,), () if b.words is ENGLISH else (b.words.key(label),))


def store(
    node: model.SetVariable, owner: Expr | None, value: Scalar, b: Builder, act: model.Option | None, whose: Sequence[str | Say]
) -> list[Stmt]:
    """Put a value into a counter or marker; one that could leave its domain is asked, one that must is a finding.

    ``act``: whose statement this is. ``whose``: the words for its owner, as in "of player 2".
    """
    variable, type, span = node.name, node.value.type, node.span
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
    words = f"{low}..{high}" if domain is None else with_article(declared.type.noun)
    if value.high < low or value.low > high:
        seen = str(value.low) if value.low == value.high else f"{value.low}..{value.high}"
        help = f"see that there is one here; declare `{variable}` as `... or none` only if none is meant to be possible"
        if node.value.span.text == "none":
            help = f"declare `{variable}` as `... or none`, or set it to {with_article(declared.type.noun)}"
        if declared.range is None:
            seen = "none"
        else:
            enough = f"{min(declared.range.low, value.low)}..{max(high, value.high)}"
            help = f"declare `{variable}` as `{enough}`, or change what is set here"
        option = node.value.span.text if node.value.span.text in b.table.options else None
        b.complain(
            "R301",
            f"`{variable}` would become {seen}, and it is {words}",
            span,
            (declared.span, "declared here"),
            *(() if declared.range is None or option else figures([span], b.table)),
            label="" if option is None else f"`{option}` is {seen}",
            help=help,
        )
    code, given = kept(value.expr, variable, b)
    inside, stored = op("and", op("<=", Const(low), given), op("<=", given, Const(high))), given
    if declared.type.optional and type.optional and value.none != low:  # of numbers below 0, none is another number
        is_none = op("=", given, Const(value.none))
        inside = op("or", is_none, op("and", op("<=", Const(0), given), op("<=", given, Const(high))))
        stored = op("if", is_none, Const(low), given)
    help = f"ask before whether there is one; declare `{variable}` as `... or none` only if none is meant to be possible"
    places: tuple[tuple[Span, str], ...] = ()
    if declared.range is not None:
        help, places = advice(node, value, declared.range, act, b)
    wrong = b.stop(
        "R602", span, f"`{variable}", *whose, "` would become ", Say(given, domain), f", and it is {words}",
        help=help, places=((declared.span, "declared here"), *places),
    )  # fmt: skip
    return [*code, If(inside, (), (wrong,)), Assign(target, stored, owner)]


def set_variable(node: model.SetVariable, b: Builder, env: Env, act: model.Option | None) -> list[Stmt]:
    """``act``: whose statement this is, where it is an act's."""
    declared = b.table.variables[node.name]
    public = declared.visibility == "open" and declared.form != "kept"  # bids and passes tell what an auction keeps
    sees: Expr = Const(b.everybody if public else 0)
    if declared.visibility == "private" and node.owner is not None and declared.owner == PLAYER:
        sees = op("bit", required(node.owner, b, env).expr)
    story, value = _value(node.value, b, env, node.name, sees)
    if declared.type == model.NUMBER:
        value = not_none(value, node.value, b)
    owner: Expr | None = None
    code = list(story)
    whose: list[str | Say] = []
    if node.owner is not None:
        who = scalar_of(node.owner, b, env)
        more, owner = kept(who.expr, "whose", b)
        code += more
        if who.constant == NONE:
            b.complain("R301", f"`{node.name}` of none is set: there is no such {node.owner.type.noun}", node.span)
            return []
        if who.low < 0:
            nobody = b.stop("R610", node.span, f"`{node.name}` of none is set", help="ask first: `if ... is not none`")
            code.append(If(op("<", owner, Const(0)), (nobody,)))
        whose = [" of ", Say(owner, b.domain(node.owner.type))]
    now = Load(b.fields[node.name], owner)
    if not public or isinstance(node.value, model.RandomOf | model.RandomNumber):
        return [*code, *store(node, owner, value, b, act, whose)]
    before = b.local("before")
    limits = None if declared.range is None else (declared.range.low, declared.range.high)
    value_name, here = value_named(b, node.name), Say(now, b.domain(declared.type, limits))
    text = b.parts(VALUE, value=value_name, now=here)
    if node.owner is not None and owner is not None:
        text = b.parts(VALUE_OF, value=value_name, owner=Say(owner, b.domain(node.owner.type)), now=here)
    told = Note(text, Const(b.everybody))
    news = If(op("=", now, Load(before)), (), (told,))
    return [*code, Assign(before, now), *store(node, owner, value, b, act, whose), news]


def let(node: model.Let, loop: model.Body, b: Builder, env: Env) -> list[Stmt]:
    """A name for a value as it is now. ``loop``: what the loop around it does."""
    var, value = node.var, node.value
    remember, spots = settled_spots(value if node.source is None else node.source, b, env)
    story: list[Stmt] = []
    found: Scalar | Bits
    if value.type.is_set:
        found = bits_of_set(value, b, env)
        local = b.local(var.name, b.width(value.type))
        binding = Binding(with_expr(found, Load(local)), spots, Const(0))
    else:
        story, found = _value(value, b, env, var.name, Const(b.everybody))
        local = b.local(var.name)
        binding = Binding(Scalar(Load(local), found.low, found.high), spots, Const(0))
    if node.source is not None:  # others have moved what they chose, each their own, and may have moved this
        chosen = [each.var for each in walk_statements(loop) if isinstance(each, model.Let) and each.source is not None]
        binding = elsewhere(binding, var.type, destinations(loop, b, own=chosen))
    env[var] = binding
    return [*story, *remember, Assign(local, found.expr)]
