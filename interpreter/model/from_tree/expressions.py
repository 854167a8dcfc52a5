"""What does an expression mean, and is it of the right type?

`expression` gives every tree expression its meaning; `wanted` does the same where a certain type is needed and says so if it
is another. After a fault the expression is of the unknown type, which fits everywhere: one fault, one message.
"""

from __future__ import annotations

from typing import assert_never

from attrs import evolve

from ...source import Span
from ...syntax import tree
from .. import model
from ..model import NUMBER, PLAYER, TRUTH, UNKNOWN, Const, Expr, Type, Var
from ..rebuild import walk
from .scope import Attribute, Column, Pending, Scope, variable


def expression(node: tree.Expression, scope: Scope, expected: Type | None = None) -> Expr:
    """The meaning of an expression; ``expected`` helps with words that stand in several lists."""
    span = node.span
    match node:
        case tree.Number(value=value):
            if expected is not None and expected.base == "word":
                return _word(str(value), span, scope, expected)
            return Const(value, type=NUMBER, span=span)
        case tree.Special(word=word):
            return _special(word, span, expected)
        case tree.Ref():
            return _reference(node, scope, expected)
        case tree.Pick():
            return _pick(node, scope, expected)
        case tree.Every(name=name):
            return _every(name, span, scope)
        case tree.PlayerNumber(number=0):
            scope.complain("R215", "players are counted from 1", span)
            return Const(0, type=UNKNOWN, span=span)
        case tree.PlayerNumber(number=seat):
            return Const(seat - 1, type=PLAYER, span=span)
        case tree.SeatsAway(count=count, direction=direction, of=of):
            player = wanted(of, scope, PLAYER)
            return model.SeatsAway(number(count, scope), direction == "right", player, type=_of(player, PLAYER), span=span)
        case tree.Filtered(base=base, filters=filters):
            return filtered(as_set(expression(base, scope, expected), scope), filters, scope, span)
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
            return comparison(compare_op, *_two(left, right, scope), scope, span)
        case tree.Membership(negated=negated, member=member, of=within):
            return _negate_if(negated, _membership(member, within, span, scope), span)
        case tree.Logic(op=logic_op, left=left, right=right):
            return model.Logic(logic_op, truth(left, scope), truth(right, scope), type=TRUTH, span=span)
        case tree.Not(value=value_node):
            return model.Not(truth(value_node, scope), type=TRUTH, span=span)
        case tree.Has(base=base, negated=negated, noun=noun, filters=filters):
            members = as_set(expression(base, scope), scope)
            if not noun_is(noun, members.type, scope):
                members = Const(0, type=UNKNOWN.set, span=members.span)
            return _negate_if(negated, _some(filtered(members, filters, scope, span), span), span)
        case tree.Somebody(negated=negated, filters=filters):
            everybody = model.AllPlayers(type=PLAYER.set, span=span)
            return _negate_if(negated, _some(filtered(everybody, filters, scope, span), span), span)
        case tree.Count(of=of):
            return model.Count(as_set(expression(of, scope), scope), type=NUMBER, span=span)
        case tree.Total(attribute=attribute, key=key, of=of):
            members = as_set(expression(of, scope), scope)
            var, value_of = _of_each(attribute, key, members, scope)
            return model.Total(members, var, _as_number(value_of, scope), type=NUMBER, span=span)
        case tree.Extreme(direction=extreme, attribute=attribute, key=key, among=among):
            members = as_set(expression(among, scope), scope)
            var, value_of = _of_each(attribute, key, members, scope)
            if value_of.type.is_set:
                value_of = model.Count(value_of, type=NUMBER, span=value_of.span)
            return model.Extreme(extreme, members, var, value_of, type=value_of.type.maybe, span=span)
        case tree.First(noun=noun, filters=filters, start=start):
            everybody = model.AllPlayers(type=PLAYER.set, span=span)
            noun_is(noun, everybody.type, scope)
            among_players = filtered(everybody, filters, scope, span)
            return model.First(among_players, wanted(start, scope, PLAYER), type=PLAYER.maybe, span=span)
        case tree.Best():
            return _best(node, scope)
        case tree.AnyOne(noun=noun, source=source):
            members = as_set(expression(source, scope), scope)
            noun_is(noun, members.type, scope)
            return model.AnyOf(members, type=members.type.member.maybe, span=span)
        case tree.RandomOne(noun=noun, source=random_source):
            if random_source is None:
                members = every_value(noun, scope)
            else:
                members = as_set(expression(random_source, scope), scope)
                noun_is(noun, members.type, scope)
            return model.RandomOf(members, type=members.type.member, span=span)
        case tree.Group(members=group):
            parts = [expression(m, scope, expected.member if expected else None) for m in group]
            kind = next((p.type for p in parts if p.type.base != "unknown"), UNKNOWN)
            if kind == UNKNOWN and not any(isinstance(m, tree.Special) for m in group):
                return Const(0, type=UNKNOWN, span=span)  # complained about already
            if kind.base in ("number", "truth"):
                scope.complain(
                    "R204",
                    "only things of the game and words can be gathered in a set",
                    span,
                    help="numbers: `x in (1, 2, 3)` or `x in 1..3`",
                )
                return Const(0, type=UNKNOWN, span=span)
            for part in parts:
                fits(part, kind, scope)
            return model.SetOf(tuple(parts), type=kind.set, span=span)
        case _:
            assert_never(node)


# ---- Types


def wanted(node: tree.Expression, scope: Scope, type: Type) -> Expr:
    """The meaning of an expression that must be of a type (none is let through: it is asked about when the game runs)."""
    value = expression(node, scope, type)
    if type.is_set:
        value = as_set(value, scope)
    elif type == NUMBER:
        value = _as_number(value, scope)
    fits(value, type, scope)
    return value


def _of(thing: Expr, type: Type) -> Type:
    """The type of what belongs to a thing: ``X of none`` is none."""
    return type.maybe if thing.type.optional else type


def number(node: tree.Expression, scope: Scope) -> Expr:
    return wanted(node, scope, NUMBER)


def truth(node: tree.Expression, scope: Scope) -> Expr:
    return wanted(node, scope, TRUTH)


def _as_number(value: Expr, scope: Scope) -> Expr:
    if isinstance(value, model.AllPlayers):
        return model.PlayerCount(type=NUMBER, span=value.span)
    return value


def fits(value: Expr, type: Type, scope: Scope) -> bool:
    """Whether a value is of a type; a finding if not."""
    have = value.type
    if "unknown" in (have.base, type.base):
        return True
    if isinstance(value, Const) and value.value == -1 and have.optional and not type.is_set and type.base != "truth":
        return True  # none
    if (have.base, have.of, have.is_set) == (type.base, type.of, type.is_set):
        return True
    help = ""
    if type.required == PLAYER and isinstance(value, Const) and have == NUMBER and value.value > 0:
        help = f"write `player {value.value}`"
    elif have.is_set and not type.is_set and have.member == type.required:
        noun = type.noun
        help = f"say which {noun} of them is meant: `best of ...`, `any {noun} from ...`, `a random {noun} from ...`"
    elif have.is_set and type == NUMBER:
        help = "write `count of ...` for how many they are"
    scope.complain("R204", f"this is {have}, where {type} is wanted", value.span, help=help)
    return False


def as_set(value: Expr, scope: Scope) -> Expr:
    """A component or a player where a set is wanted is the set of just that."""
    value = of_something(value, scope)
    if value.type.is_set or value.type.base == "unknown":
        return value
    if value.type.base in ("number", "truth"):
        scope.complain("R204", f"this is {value.type}, where a set is wanted", value.span)
        return Const(0, type=UNKNOWN, span=value.span)
    return model.SetOf((value,), type=value.type.set, span=value.span)


def of_something(value: Expr, scope: Scope) -> Expr:
    """The value; a finding for `none` or `empty` where nothing around says of what."""
    if value.type.base == "unknown" and (value.type.is_set or value.type.optional):
        scope.complain(
            "R204", f"it is not clear what is {value.span.text} here", value.span,
            help="compare something with it, or set something to it",
        )  # fmt: skip
        return Const(0, type=UNKNOWN, span=value.span)
    return value


def noun_fits(noun: tree.Name, members: Type, scope: Scope) -> bool:
    """Whether a noun can stand for a member (a finding if not): a type's name only for its own, else any word but a value."""
    named = scope.type_named(noun.text)
    if members.base == "unknown" or named == members.member:
        return True
    if named is not None:
        scope.complain("R204", f"these are {members.noun}s, and no {noun.text}s", noun.span)
        return False
    lists = scope.lists_with(noun.text)
    if lists and members.base == "component":
        scope.complain(
            "R204", f"`{noun.text}` is a value of `{lists[0].name}`, not a name for a {members.noun}", noun.span,
            help=f"write `{members.noun} with {lists[0].name} {noun.text}`",
        )  # fmt: skip
        return False
    return True


def noun_is(noun: tree.Name, members: Type, scope: Scope) -> bool:
    """The same where the noun is no new name (``has a card``): it must be the kind's own name, or ``card`` of ``cards``."""
    if not noun_fits(noun, members, scope):
        return False
    own = {members.noun}
    kind = scope.symbol(members.of)
    if isinstance(kind, model.Kind):
        own.add(kind.form.removesuffix("s"))
    if members.base == "unknown" or noun.text in own:
        return True
    scope.complain("R204", f"these are {members.noun}s, and no {noun.text}s", noun.span, help=f"write `{members.noun}`")
    return False


def every_value(noun: tree.Name, scope: Scope) -> Expr:
    """All values of the type that a noun names: all players, all words of a list, all components of a kind."""
    if noun.text == "player":
        return model.AllPlayers(type=PLAYER.set, span=noun.span)
    match scope.type_named(noun.text):
        case Type(base="word", of=of):
            words = next(s for s in (scope.symbol(of),) if isinstance(s, model.WordList)).words
            return Const((1 << len(words)) - 1, type=Type("word", of).set, span=noun.span)
        case Type(base="component", of=of):
            return model.AllOf(type=Type("component", of).set, span=noun.span)
        case None if scope.symbol(noun.text) is None:
            types = {"player"} | {n for n in scope.all_symbols() if scope.type_named(n)}
            return scope.unknown(noun.text, noun.span, "list or kind", types)
        case _:
            scope.complain(
                "R204", f"`{noun.text}` is not a list, a kind or `player`", noun.span,
                help=f"say from which set: `{noun.text} in ...`"
            )
            return Const(0, type=UNKNOWN, span=noun.span)


# ---- Words and values


def _special(word: str, span: Span, expected: Type | None) -> Expr:
    match word:
        case "yes" | "no":
            return Const(int(word == "yes"), type=TRUTH, span=span)
        case "empty":
            return Const(0, type=(expected.set if expected else UNKNOWN.set), span=span)
        case _:
            return Const(-1, type=(expected.required.maybe if expected and not expected.is_set else UNKNOWN.maybe), span=span)


def _word(word: str, span: Span, scope: Scope, expected: Type | None) -> Expr:
    """A word of a list, by the expected list or the only one that has it."""
    lists = scope.lists_with(word)
    if expected is not None and expected.base == "word":
        wanted_list = next((x for x in lists if x.name == expected.of), None)
        if wanted_list is not None:
            return Const(wanted_list.words.index(word), type=Type("word", expected.of), span=span)
        owner = scope.symbol(expected.of)
        if not lists and isinstance(owner, model.WordList):
            return scope.unknown(word, span, "", set(owner.words))
    if len(lists) == 1:
        return Const(lists[0].words.index(word), type=Type("word", lists[0].name), span=span)
    if not lists:
        return scope.unknown(word, span)
    names = " and ".join(f"`{x.name}`" for x in lists)
    scope.complain(
        "R211",
        f"`{word}` is a word of {names}, and it is not clear which is meant",
        span,
        help=f"it is clear where it is compared: `... is {word}`",
    )
    return Const(0, type=UNKNOWN, span=span)


def _pick(node: tree.Pick, scope: Scope, expected: Type | None) -> Expr:
    """``[crown 4]``: the kind whose attributes can take these values, each a different attribute."""
    fitting: list[tuple[str, tuple[tuple[str, int], ...]]] = []
    kinds = [s for s in scope.all_symbols().values() if isinstance(s, model.Kind)]
    for kind in kinds:
        if expected is not None and expected.base == "component" and expected.of != kind.name:
            continue
        values = _values_for(node.values, kind, scope)
        if values is not None:
            fitting.append((kind.name, values))
    if not fitting and scope.faults.damaged:
        return Const(0, type=UNKNOWN, span=node.span)
    if not fitting:
        text = node.span.text
        known = {w for k in kinds for a in k.attributes for w in _words_of(a.domain.type, scope)}
        missing = [str(v) for v in node.values if isinstance(v, str) and v not in known]
        if missing:
            return scope.unknown(missing[0], node.span, "value", known)
        scope.complain("R212", f"no component can be {text}", node.span, help="name values of its attributes, such as [crown 4]")
        return Const(0, type=UNKNOWN, span=node.span)
    if len(fitting) > 1:
        names = " or ".join(f"a {name}" for name, _ in fitting)
        scope.complain("R213", f"{node.span.text} can be {names}", node.span, help="name values that only one of them has")
        return Const(0, type=UNKNOWN, span=node.span)
    kind_name, values = fitting[0]
    type = Type("component", kind_name)
    return model.Pick(values, type=type.set if node.all else type, span=node.span)


def _words_of(type: Type, scope: Scope) -> tuple[str, ...]:
    symbol = scope.symbol(type.of) if type.base == "word" else None
    return symbol.words if isinstance(symbol, model.WordList) else ()


def _values_for(values: tuple[str | int, ...], kind: model.Kind, scope: Scope) -> tuple[tuple[str, int], ...] | None:
    free = list(kind.attributes)
    found: list[tuple[str, int]] = []
    for value in values:
        for attribute in free:
            words = _words_of(attribute.domain.type, scope)
            if str(value) in words:
                found.append((attribute.name, words.index(str(value))))
            elif isinstance(value, int) and attribute.domain.type.base == "number":
                found.append((attribute.name, value))
            else:
                continue
            free.remove(attribute)
            break
        else:
            return None
    return tuple(found)


def _every(name: str, span: Span, scope: Scope) -> Expr:
    match scope.symbol(name):
        case model.Zone(owned=True, kind=kind):
            return model.ZoneContent(name, None, True, type=Type("component", kind).set, span=span)
        case model.Zone():
            scope.complain("R206", f"there is only one `{name}`", span, help=f"write `{name}` without `every`")
            return Const(0, type=UNKNOWN, span=span)
        case model.Kind() | model.WordList():
            return every_value(tree.Name(name, span=span), scope)
        case None:
            zones = {n for n, s in scope.all_symbols().items() if isinstance(s, model.Zone | model.Kind | model.WordList)}
            return scope.unknown(name, span, "zone, kind or list", zones)
        case _:
            scope.complain("R204", f"`{name}` is no zone, no kind of component and no list", span)
            return Const(0, type=UNKNOWN, span=span)


# ---- Names


def _reference(node: tree.Ref, scope: Scope, expected: Type | None) -> Expr:
    local = scope.local(node.name)
    if local is None and node.of is None and node.key is None and node.name in _words_of(expected or UNKNOWN, scope):
        return _word(node.name, node.span, scope, expected)  # where a word of a list is wanted, it comes before other things
    if local is not None:
        if node.of is not None or node.key is not None:
            # a noun may have the name of an attribute or list: `guild of card` inside `for each guild`
            if not isinstance(scope.symbol(node.name), Attribute | model.WordList):
                return _no_arguments(node, scope)
        else:
            return evolve(local, span=node.span)
    builtin = _built_in(node, scope)
    if builtin is not None:
        return builtin
    return named(node.name, node, scope, expected)


def named(name: str, node: tree.Ref, scope: Scope, expected: Type | None) -> Expr:
    """The meaning of a declared name with its arguments as written."""
    span = node.span
    symbol = scope.symbol(name)
    if isinstance(symbol, model.WordList) and (node.of is not None or scope.it is not None):
        attribute = _attribute(name, scope)
        if node.of is not None or (scope.it is not None and scope.it.type.of in attribute.kinds):
            symbol = attribute
    match symbol:
        case model.OptionDeclaration(domain=domain):
            return _plain(node, scope, model.OptionValue(name, type=domain.type, span=span))
        case model.Zone(owned=owned, kind=kind, shape=shape):
            type = Type("component", kind)
            owner = _owner_argument(node, scope, PLAYER if owned else None)
            return model.ZoneContent(name, owner, type=type.maybe if shape == "slot" else type.set, span=span)
        case model.Variable(owner=owner_type, domain=domain):
            owner = _owner_argument(node, scope, owner_type)
            if owner is not None:
                _told_from_none(domain, owner, scope, span)
            type = domain.type if owner is None else _of(owner, domain.type)
            return model.VariableValue(name, owner, type=type, span=span)
        case Column():
            return _column(symbol, node, scope)
        case Attribute(kinds=kinds):
            of = _argument(node.of, scope, None, node)
            if node.key is not None:
                return _no_key(node, scope)
            return attribute_of(name, kinds, of, scope, span)
        case Pending():
            return _apply(symbol, node, scope)
        case model.WordList() | None:
            if node.of is None and node.key is None:
                return _word(name, span, scope, expected)
            symbols = scope.all_symbols()
            known = {n for n, s in symbols.items() if not isinstance(s, model.WordList | model.Step)}
            known |= {a.name for s in symbols.values() if isinstance(s, model.Kind) for a in s.attributes}
            known |= {"owner", "left", "right", "seat", "team", "opponents", "score"}
            for argument in (node.of, node.key):
                if argument is not None:
                    expression(argument, scope)
            return scope.unknown(name, evolve(span, end=span.start + len(name)), "", known)
        case model.Kind():
            words = scope.lists_with(name)
            if words and node.of is None and node.key is None:
                return _word(name, span, scope, expected)
            scope.complain(
                "R204", f"`{name}` is a kind of component, not one of them", span, help=f"all of them are `every {name}`"
            )
            return Const(0, type=UNKNOWN, span=span)
        case model.Step():
            scope.complain("R204", f"`{name}` is a step, not a value", span, help=f"a step is run by `do {name}`")
            return Const(0, type=UNKNOWN, span=span)
        case _:
            assert_never(symbol)


def _attribute(name: str, scope: Scope) -> Attribute:
    """The attribute (of some kinds, or of none) that has the name of a list."""
    kinds = {
        s.name: a
        for s in scope.all_symbols().values()
        if isinstance(s, model.Kind)
        for a in s.attributes
        if a.name == name
    }
    return Attribute(name, kinds)


def attribute_of(name: str, kinds: dict[str, model.Attribute], of: Expr, scope: Scope, span: Span) -> Expr:
    if of.type.base == "unknown":
        return Const(0, type=UNKNOWN, span=span)
    attribute = kinds.get(of.type.of) if of.type.base == "component" and not of.type.is_set else None
    if attribute is None and not kinds:
        scope.complain("R206", f"`{name}` is a list of words; it takes no `of ...`", span)
        return Const(0, type=UNKNOWN, span=span)
    if attribute is None:
        having = " or ".join(f"a {k}" for k in kinds)
        help = f"`total {name} of ...`, `highest {name} among ...`" if of.type.is_set else ""
        scope.complain("R204", f"{having} has a {name}; this is {of.type}", of.span, help=help)
        return Const(0, type=UNKNOWN, span=span)
    _told_from_none(attribute.domain, of, scope, span)
    return model.AttributeOf(name, of, type=_of(of, attribute.domain.type), span=span)


def _told_from_none(domain: model.Domain, of: Expr, scope: Scope, span: Span) -> None:
    """A finding where a number can be none, which is -1 in the machine, and can be below 0 as well."""
    if of.type.optional and isinstance(domain.low, Const) and domain.low.value < 0:
        scope.complain(
            "R229", f"`{span.text}` can be none, and it can be a number below 0", span,
            help="let its numbers begin at 0, so that the two can be told apart",
        )  # fmt: skip


def _owner_argument(node: tree.Ref, scope: Scope, owner: Type | None) -> Expr | None:
    if node.key is not None:
        _no_key(node, scope)
        return None
    if owner is None:
        if node.of is not None:
            _no_arguments(node, scope)
        return None
    return _argument(node.of, scope, owner, node)


def _argument(given: tree.Expression | None, scope: Scope, type: Type | None, node: tree.Ref) -> Expr:
    """The argument after ``of`` (or, in a ranking key, the thing ranked)."""
    if given is not None:
        return wanted(given, scope, type) if type is not None else expression(given, scope)
    if scope.it is not None and (type in (None, UNKNOWN) or scope.it.type in (type, UNKNOWN)):
        return variable(scope.it, node.span)
    if type == UNKNOWN:
        return Const(0, type=UNKNOWN, span=node.span)
    whose = f"a {type.noun}" if type else "something"
    example = f"{node.name} of {type.noun if type else '...'}"
    scope.complain("R206", f"`{node.name}` belongs to {whose}: whose is meant?", node.span, help=f"write `{example}`")
    return Const(0, type=UNKNOWN, span=node.span)


def _plain(node: tree.Ref, scope: Scope, value: Expr) -> Expr:
    return value if node.of is None and node.key is None else _no_arguments(node, scope)


def _no_arguments(node: tree.Ref, scope: Scope) -> Const:
    words = " and ".join(f"`{w} ...`" for w, x in (("of", node.of), ("for", node.key)) if x is not None)
    scope.complain("R206", f"`{node.name}` takes no {words}", node.span, help=f"write just `{node.name}`")
    return Const(0, type=UNKNOWN, span=node.span)


def _no_key(node: tree.Ref, scope: Scope) -> Const:
    scope.complain(
        "R206",
        f"`{node.name}` takes no `for ...`",
        node.span,
        help=f"write `{node.name} of ...`" if node.of else f"write just `{node.name}`",
    )
    return Const(0, type=UNKNOWN, span=node.span)


def _column(column: Column, node: tree.Ref, scope: Scope) -> Expr:
    table = column.table
    key: Expr | None = None
    by = scope.symbol(table.by)
    if node.key is not None:
        key = wanted(node.key, scope, table.key)
        if node.of is not None:
            return _no_arguments(node, scope)
    elif table.by == "players":
        key = model.PlayerCount(type=NUMBER, span=node.span)
    elif isinstance(by, model.OptionDeclaration):
        key = model.OptionValue(table.by, type=by.domain.type, span=node.span)
    elif (
        isinstance(by, model.Variable) and (node.of is not None or by.owner is None or scope.it is not None)
    ) or (isinstance(by, Attribute | model.WordList) and (node.of is not None or scope.it is not None)):
        key = named(table.by, evolve(node, name=table.by), scope, None)
    if key is None:
        scope.complain(
            "R206", f"`{node.name}` is looked up by {table.by}: for which one?", node.span, help=f"write `{node.name} for ...`"
        )
        return Const(0, type=UNKNOWN, span=node.span)
    if node.of is not None and (table.by == "players" or isinstance(by, model.OptionDeclaration)):
        return _no_arguments(node, scope)
    return model.ColumnFor(table.name, column.name, key, type=column.type, span=node.span)


def _apply(define: Pending, node: tree.Ref, scope: Scope) -> Expr:
    from .declarations import bind_define

    line = define.line
    args: list[Expr] = []
    types = list(define.parameters)
    if line.of is not None:
        args.append(_argument(node.of, scope, types.pop(0), node))
    elif node.of is not None:
        return _no_arguments(node, scope)
    if line.key is not None:
        type = types.pop(0)
        if node.key is None:
            scope.complain(
                "R206", f"`{node.name}` is asked for a {type.noun}: for which one?", node.span,
                help=f"write `{node.span.text} for {type.noun}`",
            )  # fmt: skip
            return Const(0, type=UNKNOWN, span=node.span)
        args.append(wanted(node.key, scope, type))
    elif node.key is not None:
        return _no_arguments(node, scope)
    bound = bind_define(define, node.span)
    type_found = bound.value.type if bound else UNKNOWN
    for argument, parameter in zip(args, define.parameters, strict=True):
        if parameter != NUMBER and not type_found.is_set and type_found != TRUTH:
            type_found = _of(argument, type_found)
    return model.Apply(define.name, tuple(args), type=type_found, span=node.span)


def _built_in(node: tree.Ref, scope: Scope) -> Expr | None:
    span = node.span

    def of(type: Type) -> Expr:
        if node.key is not None:
            _no_arguments(node, scope)
        return _argument(node.of, scope, type, node)

    match node.name:
        case "players":
            return _plain(node, scope, model.AllPlayers(type=PLAYER.set, span=span))
        case "winners":
            return _plain(node, scope, model.Winners(type=PLAYER.set, span=span))
        case "left" | "right":
            one = Const(1, type=NUMBER, span=span)
            player = of(PLAYER)
            return model.SeatsAway(one, node.name == "right", player, type=_of(player, PLAYER), span=span)
        case "seat":
            player = of(PLAYER)
            return model.SeatNumber(player, type=_of(player, NUMBER), span=span)
        case "team":
            return model.TeamOf(of(PLAYER), type=PLAYER.set, span=span)
        case "opponents":
            return model.Opponents(of(PLAYER), type=PLAYER.set, span=span)
        case "owner":
            if node.of is None:
                return _argument(None, scope, Type("component", "component"), node)
            thing = expression(node.of, scope)
            if thing.type.base not in ("component", "unknown") or thing.type.is_set:
                scope.complain("R204", f"a component has an owner; this is {thing.type}", thing.span)
            return model.OwnerOf(thing, type=PLAYER.maybe, span=span)
        case "score":
            return _score(node, scope)
        case "box":
            scope.complain("R204", "what lies in the box cannot be asked", span, help="it is a place to move things to")
            return Const(0, type=UNKNOWN, span=span)
        case _:
            return None


def _score(node: tree.Ref, scope: Scope) -> Expr:
    term: str | None = None
    if node.key is not None:
        if isinstance(node.key, tree.Ref) and node.key.of is None and node.key.key is None:
            term = node.key.name
            if term not in scope.all_terms():
                return scope.unknown(term, node.key.span, "score term", scope.all_terms())
        else:
            scope.complain("R204", "a score is asked for one of its terms", node.key.span)
    whole_team = isinstance(node.of, tree.Ref) and node.of.name == "team" and scope.local("team") is None
    if whole_team:
        assert isinstance(node.of, tree.Ref)
        player = _argument(node.of.of, scope, PLAYER, node.of)
    else:
        player = _argument(node.of, scope, PLAYER, node)
    return model.ScoreOf(player, whole_team, term, type=NUMBER, span=node.span)


# ---- Arithmetic and comparing


def _arithmetic(
    op: str, left: tree.Expression, right: tree.Expression, span: Span, scope: Scope, expected: Type | None
) -> Expr:
    a, b = expression(left, scope, expected), expression(right, scope, expected)
    a, b = (x if x.type.is_set and not isinstance(x, model.AllPlayers) else _as_number(x, scope) for x in (a, b))
    if op == "+" and any(x.type.is_set or x.type.base in ("component", "player") for x in (a, b)):
        a, b = as_set(a, scope), as_set(b, scope)
        fits(b, a.type, scope)
        return model.Join(a, b, type=a.type if a.type.base != "unknown" else b.type, span=span)
    if op == "+" and a.type.base == b.type.base == "unknown":
        return Const(0, type=UNKNOWN, span=span)  # a number or a set
    fits(a, NUMBER, scope)
    fits(b, NUMBER, scope)
    return model.Arithmetic(op, a, b, type=NUMBER, span=span)  # type: ignore[arg-type]


def _two(left: tree.Expression, right: tree.Expression, scope: Scope) -> tuple[Expr, Expr]:
    """Two things to compare; a bare word or ``none`` takes its type from the other side."""
    vague = isinstance(left, tree.Special) or (
        isinstance(left, tree.Ref) and scope.local(left.name) is None and scope.symbol(left.name) is None
        and len(scope.lists_with(left.name)) != 1
    )  # fmt: skip
    if vague:
        b = expression(right, scope)
        return expression(left, scope, b.type), b
    a = expression(left, scope)
    return a, expression(right, scope, a.type)


def comparison(op: tree.CompareOp, a: Expr, b: Expr, scope: Scope, span: Span) -> Expr:
    match op:
        case "is" | "is not":
            return _negate_if(op == "is not", _equal(a, b, scope, span), span)
        case "<" | "at most":
            a, b = _ordered(a, b, scope)
            return model.Compare("<" if op == "<" else "<=", a, b, type=TRUTH, span=span)
        case ">" | "at least":
            a, b = _ordered(a, b, scope)
            return model.Compare("<" if op == ">" else "<=", b, a, type=TRUTH, span=span)
        case _:
            assert_never(op)


def _equal(a: Expr, b: Expr, scope: Scope, span: Span) -> Expr:
    if isinstance(b, Const) and b.type.is_set and b.value == 0:  # is empty
        if a.type.is_set:
            return model.Not(_some(a, span), type=TRUTH, span=span)
        if a.type.base in ("number", "truth"):
            fits(a, Type("component", "component").set, scope)
        return model.Compare("=", a, Const(-1, type=a.type, span=b.span), type=TRUTH, span=span)
    if a.type.is_set != b.type.is_set:
        a, b = _as_number(a, scope), _as_number(b, scope)
        if a.type.is_set != b.type.is_set and not any(x.type.base in ("number", "truth") for x in (a, b)):
            a, b = as_set(a, scope), as_set(b, scope)
    if fits(b, a.type, scope):
        for one, other in ((a, b), (b, a)):
            if other.type == NUMBER and isinstance(one, Const) and one.type.optional:
                scope.complain("R204", f"`{other.span.text}` is a number, and never none", other.span)
    return model.Compare("=", a, b, type=TRUTH, span=span)


def _ordered(a: Expr, b: Expr, scope: Scope) -> tuple[Expr, Expr]:
    a, b = _as_number(a, scope), _as_number(b, scope)
    if a.type.base == "word":
        fits(b, a.type, scope)
    elif fits(a, NUMBER, scope):
        fits(b, NUMBER, scope)
    return a, b


def _membership(member: tree.Expression, of: tree.Expression | tree.Interval, span: Span, scope: Scope) -> Expr:
    if isinstance(of, tree.Interval):
        value = number(member, scope)
        low = comparison("at least", value, number(of.low, scope), scope, span)
        high = comparison("at most", value, number(of.high, scope), scope, span)
        return model.Logic("and", low, high, type=TRUTH, span=span)
    if isinstance(of, tree.Group):
        value = expression(member, scope)
        if value.type.base in ("number", "truth"):
            return _one_of(value, [expression(m, scope, value.type) for m in of.members], scope, span)
    members = as_set(expression(of, scope), scope)
    value = wanted(member, scope, members.type.member)
    return model.IsIn(value, members, type=TRUTH, span=span)


def _one_of(value: Expr, choices: list[Expr], scope: Scope, span: Span) -> Expr:
    """``x in (1, 2, 3)``: numbers are compared one by one."""
    found: Expr = Const(0, type=TRUTH, span=span)
    for choice in choices:
        found = model.Logic("or", found, _equal(value, choice, scope, span), type=TRUTH, span=span)
    return found


def _some(members: Expr, span: Span) -> Expr:
    return model.Some(members, type=TRUTH, span=span)


def _negate_if(negated: bool, value: Expr, span: Span) -> Expr:
    return model.Not(value, type=TRUTH, span=span) if negated else value


# ---- Filters and rankings


def filtered(base: Expr, filters: tuple[tree.Filter, ...], scope: Scope, span: Span) -> Expr:
    """The members of a set that pass all filters."""
    for each in filters:
        var = Var(base.type.noun, base.type.member)
        base = model.Filter(base, var, _passes(each, var, scope), type=base.type, span=span)
    return base


def _passes(filter: tree.Filter, var: Var, scope: Scope) -> Expr:
    asked = applied(filter.name if isinstance(filter, tree.Where) else filter.attribute, filter.key, var, scope)
    if isinstance(filter, tree.Where):
        if asked.type != TRUTH and asked.type.base != "unknown":
            name = filter.name.text
            scope.complain(
                "R204", f"`{name}` is {asked.type}, where a yes or no is wanted", filter.name.span,
                help=f"compare it: `with {name} ...`",
            )  # fmt: skip
        return _negate_if(filter.negated, asked, filter.span)
    value = expression(filter.value, scope, asked.type)
    return comparison(filter.op, asked, value, scope, filter.span)


def applied(name: tree.Name, key: tree.Expression | None, var: Var, scope: Scope) -> Expr:
    """``name of var [for key]``: a filter's or total's word, asked of a member; the key is of the outside."""
    inner = scope.inner()
    inner.locals.pop(name.text, None)
    hidden = tree.Ref(name.text, None, None, span=name.span)
    inner.it = var
    if key is None:
        return _reference(hidden, inner, None)
    # the key must not be asked of the member, so it is bound outside and handed in under a name nobody can write
    inner.locals[" key"] = expression(key, scope, _key_type(name.text, scope))
    return _reference(evolve(hidden, key=tree.Ref(" key", span=key.span)), inner, None)


def _key_type(name: str, scope: Scope) -> Type | None:
    match scope.symbol(name):
        case Pending(line=line, parameters=parameters) if line.key is not None:
            return parameters[-1]
        case Column(table=table):
            return table.key
        case _:
            return None


def _of_each(attribute: tree.Name, key: tree.Expression | None, members: Expr, scope: Scope) -> tuple[Var, Expr]:
    var = Var(members.type.noun, members.type.member)
    return var, applied(attribute, key, var, scope)


def _best(node: tree.Best, scope: Scope) -> Expr:
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
        value = _as_number(expression(key.value, scope), scope)
        if key.direction == "fits":
            fits(value, TRUTH, scope)
        elif value.type.is_set:
            value = model.Count(value, type=NUMBER, span=value.span)
        elif value.type.base not in ("number", "word", "unknown"):
            scope.complain("R204", f"this is {value.type}; a ranking needs a number or an ordered word", value.span)
        asked = any(isinstance(part, model.VarValue) and part.var is scope.it for part in walk(value))
        if not asked and value.type.base != "unknown" and scope.it is not None:
            scope.complain(
                "R230", f"this is the same for every {scope.it.type.noun}, so it decides nothing", value.span,
                help=f"name something that belongs to a {scope.it.type.noun}",
            )  # fmt: skip
        direction = {"most": "highest", "fewest": "lowest"}.get(key.direction, key.direction)
        label = key.label or key.span.text
        found.append(model.Key(direction, value, label, span=key.span))  # type: ignore[arg-type]
    return tuple(found)
