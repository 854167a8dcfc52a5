"""Resolves a name with its ``of`` and ``for``: zones, counters, attributes, columns, defines, the language's own words."""

from __future__ import annotations

from typing import assert_never

from attrs import evolve

from ....common.nouns import with_article
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, PLAYER, PLAYERS, TRUTH, UNKNOWN, Const, Expr, Parameter, Type
from ..names.scope import Attribute, Column, Pending, Scope, unclear, variable
from ..names.types import fits
from . import cells
from .binding import belonging, expression, wanted
from .grids import directions
from .words import with_point, word, words_of

# What others call it.
OTHER_NAMES = {
    "sum": "total value of ...",
    "max": "highest value among ...`, or `larger of A and B",
    "maximum": "highest value among ...`, or `larger of A and B",
    "min": "lowest value among ...`, or `smaller of A and B",
    "minimum": "lowest value among ...`, or `smaller of A and B",
    "difference": "A without B` of sets, `distance between A and B` of numbers",
    "intersection": "A also in B",
    "union": "A + B",
    "center": "middle of ...",
    "centre": "middle of ...",
    "length": "count of ...",
}


def reference(node: tree.Ref, scope: Scope, expected: Type | None) -> Expr:
    if node.name in scope.faults.misnamed and node.of is None:
        return unclear(node.span)
    local = scope.local(node.name)
    if local is None and node.of is None and node.key is None and node.name in words_of(expected or UNKNOWN, scope):
        return word(node.name, node.span, scope, expected)  # where a word of a list is wanted, it comes before other things
    wanted_on = expected.of if expected is not None and expected.base == "cell" and node.of is None and node.key is None else ""
    if local is None and wanted_on and any(grid.name == wanted_on for grid in with_point(node.name, scope)):
        return word(node.name, node.span, scope, expected)
    if local is not None:
        if node.arguments:
            # a noun may have the name of an attribute or list: `guild of card` inside `for each guild`
            symbol = scope.symbol(node.name)
            if not isinstance(symbol, Attribute | model.WordList | model.Kind) and node.name not in cells.WORDS:
                return _no_arguments(node, scope)
        else:
            return evolve(local, span=node.span)
    it = scope.it
    if it is not None and not node.arguments and node.name in (it.type.noun, "number" if scope.numbers_of(it.type) else ""):
        return variable(it, node.span)  # what is ranked, by itself
    builtin = _built_in(node, scope)
    if builtin is None and _is_measure(node, scope):
        builtin = _measure(node, scope)
    if builtin is not None:
        return builtin
    return named(node.name, node, scope, expected)


def _measure(node: tree.Ref, scope: Scope) -> Expr | None:
    """``cell of X``, ``cells of X``, ``size of X``, ``width of X`` ...; None where the word is asked of nothing."""
    if node.key is not None or (node.of is None and scope.it is None):
        return None
    return cells.measured(node.name, _argument(node.of, scope, None, node), scope, node.span)


def _is_measure(node: tree.Ref, scope: Scope) -> bool:
    """Whether a word such as `width` is asked of cells, and is nothing that the file calls so."""
    if node.name not in cells.WORDS:
        return False
    match scope.symbol(node.name):
        case None:
            return True
        case model.OptionDeclaration() | model.Variable(parameters=()):
            return node.of is not None
        case Pending(parameters=parameters) if all(parameter.place != "of" for parameter in parameters):
            return node.of is not None
        case _:
            return isinstance(node.of, tree.Ref) and isinstance(scope.symbol(node.of.name), model.Grid)


def named(name: str, node: tree.Ref, scope: Scope, expected: Type | None) -> Expr:
    """The meaning of a declared name with its arguments as written."""
    span = node.span
    symbol = scope.symbol(name)
    if isinstance(symbol, model.WordList) and (node.of is not None or scope.it is not None):
        attribute = _attribute(name, scope)
        asked = scope.it is not None and (
            scope.it.type.base in ("cell", "unknown") or (attribute.kinds and scope.it.type.base == "component")
        )
        if node.of is not None or asked:
            symbol = attribute
    match symbol:
        case model.OptionDeclaration(domain=domain):
            return _plain(node, scope, model.OptionValue(name, type=domain.type, span=span))
        case model.Zone(parameters=parameters, type=type, shape=shape):
            owner = _owner(node, parameters, scope)
            return model.ZoneContent(name, owner, type=type.maybe if shape == "slot" else type.set, span=span)
        case model.Grid(owned=owned):
            owner = _owner(node, PLAYERS if owned else (), scope)
            return model.ZoneContent(name, owner, type=Type("cell", name).set, span=span)
        case model.Variable(parameters=parameters, domain=domain):
            owner = _owner(node, parameters, scope)
            type = domain.type if owner is None else belonging(owner, domain.type)
            return model.VariableValue(name, owner, type=type, span=span)
        case Column():
            return _column(symbol, node, scope)
        case Attribute():
            of = _argument(node.of, scope, None, node)
            if symbol.keyed and (node.key is not None or not symbol.kinds):
                return _attribute_for(symbol, of, node, scope)
            if node.key is not None:
                return _no_arguments(node, scope, ("of ...",))
            return attribute_of(symbol, of, scope, span)
        case Pending():
            return _apply(symbol, node, scope)
        case model.WordList() | None:
            way = directions(node, scope) if symbol is None else None
            if way is not None:
                return way
            if not node.arguments:
                return word(name, span, scope, expected)
            symbols = scope.all_symbols()
            known = {n for n, s in symbols.items() if not isinstance(s, model.WordList | model.Step)}
            known |= {a.name for s in symbols.values() if isinstance(s, model.Kind) for a in s.attributes}
            known |= {"owner", "left", "right", "seat", "team", "opponents", "score", *cells.WORDS}
            if name in OTHER_NAMES and node.of is not None:
                scope.complain("R201", f"there is no `{name}` here", node.name_span, help=f"write `{OTHER_NAMES[name]}`")
                return unclear(span)
            for argument in node.arguments.values():
                expression(argument, scope)
            return scope.unknown(name, node.name_span, "", known)
        case model.Kind():
            words = scope.lists_with(name)
            if words and not node.arguments:
                return word(name, span, scope, expected)
            if node.key is None and (node.of is not None or scope.it is not None):
                return cells.component_of(symbol, _argument(node.of, scope, None, node), scope, span)
            own = scope.component(name)
            fitting = expected is not None and expected.member == own and name in (expected.only or (name,))
            if fitting and not symbol.attributes:
                return model.Pick(((name, 1),) if own.only else (), type=own, span=span)  # where there is only one sort of them
            those = f", those that lie in a zone `{name} of ZONE`" if own.only else ""
            help = f"all of them are `every {name}`{those}" + (f", a player's own is `{name} of player`" if symbol.owned else "")
            scope.complain("R204", f"`{name}` is a kind of component, not one of them", span, help=help)
            return unclear(span)
        case model.Step():
            scope.complain("R204", f"`{name}` is a step, not a value", span, help=f"a step is run by `do {name}`")
            return unclear(span)
        case _:
            assert_never(symbol)


def _attribute(name: str, scope: Scope) -> Attribute:
    """The attribute (of some kinds, or of none) that has the name of a list."""
    kinds = scope.by_sort().kinds
    return Attribute(
        name,
        {kind.name: a for kind in kinds for a in kind.attributes if a.name == name},
        {kind.name: a for kind in kinds for a in kind.part_attributes if a.name == name},
        {kind.name: a for kind in kinds for a in kind.keyed if a.name == name},
    )


def of_word(attribute: str, word: str) -> str:
    """``cost_red``: the attribute for a word of a list."""
    return f"{attribute}_{word}"


def _attribute_for(asked: Attribute, of: Expr, node: tree.Ref, scope: Scope) -> Expr:
    """``cost of card for colour``: the attribute of a word; where the key is no constant, a case for each word."""
    span = node.span
    if node.key is None:
        message = f"`{asked.name}` is asked for {with_article(asked.key)}: for which one?"
        scope.complain("R206", message, span, help=f"write `{node.span.text} for {asked.key}`")
        return unclear(span)
    type = Type("word", asked.key)
    key = wanted(node.key, scope, type)
    words = words_of(type, scope)
    if key.type.base == "unknown" or not words:
        return unclear(span)
    if isinstance(key, Const) and key.value >= 0:
        return _of_word(asked, words[key.value], of, scope, span)
    if len(words) == 1 and not key.type.optional:
        return _of_word(asked, words[0], of, scope, span)
    cases = []
    for number, word_of_list in enumerate(words):
        is_it = model.Compare("=", key, Const(number, type=type, span=key.span), type=TRUTH, span=key.span)
        cases.append((is_it, _of_word(asked, word_of_list, of, scope, span)))
    found = belonging(key, cases[0][1].type)
    if key.type.optional:
        return model.Cases(tuple(cases), Const(-1, type=found, span=span), type=found, span=span)
    return model.Cases(tuple(cases[:-1]), cases[-1][1], type=found, span=span)


def _of_word(asked: Attribute, word: str, of: Expr, scope: Scope, span: Span) -> Expr:
    """The attribute for one word of its list."""
    name = of_word(asked.name, word)
    return attribute_of(Attribute(name, {kind: evolve(a, name=name) for kind, a in asked.keyed.items()}), of, scope, span)


def attribute_of(asked: Attribute, of: Expr, scope: Scope, span: Span) -> Expr:
    if of.type.base == "unknown":
        return unclear(span)
    if of.type.base == "cell" and not of.type.is_set:
        return cells.attribute_of(asked, of, scope, span)
    name, kinds = asked.name, asked.kinds
    if of.type.base == "cell" and name in cells.WORDS:
        return cells.measured(name, of, scope, span)
    with_it: list[str] = [] if of.type.is_set else [kind for kind in of.type.kinds if kind in kinds]
    attribute = kinds[with_it[0]] if with_it else None
    if attribute is None and of.type.of in asked.parts and not of.type.is_set:
        kind = scope.symbol(of.type.of)
        parts = " and ".join(f"`{name}_{part.name}`" for part in kind.parts) if isinstance(kind, model.Kind) else ""
        message = f"`{name}` belongs to each part of {with_article(of.type.of)}"
        scope.complain("R204", message, span, help=f"they are {parts}")
        return unclear(span)
    if attribute is None and not kinds and not asked.parts:
        scope.complain("R206", f"`{name}` is a list of words; it takes no `of ...`", span)
        return unclear(span)
    if attribute is None:
        having = " or ".join(with_article(k) for k in kinds or asked.parts)
        help = f"`total {name} of ...`, `highest {name} among ...`" if of.type.is_set else ""
        scope.complain("R204", f"`{name}` belongs to {having}; this is {of.type}", of.span, help=help)
        return unclear(span)
    lacking = len(with_it) < len(of.type.kinds) or any(kinds[each].domain.type.optional for each in with_it)
    if lacking and any(isinstance(low := kinds[each].domain.low, model.Const) and low.value < 0 for each in with_it):
        message = f"`{span.text}` can be none, and it can be a number below 0"
        scope.complain("R229", message, span, help="let its numbers begin at 0, so that the two can be told apart")
    type = attribute.domain.type.maybe if lacking else attribute.domain.type
    return model.AttributeOf(name, of, type=belonging(of, type), span=span)


def _owner(node: tree.Ref, parameters: tuple[Parameter, ...], scope: Scope) -> Expr | None:
    """What a zone, counter or table of several is asked for, as one index; None where there is only one."""
    found = _arguments(node, parameters, scope)
    if not found:
        return None if found is not None or not parameters else unclear(node.span)
    return model.index_of(found, node.span)


def _arguments(node: tree.Ref, parameters: tuple[Parameter, ...], scope: Scope) -> tuple[Expr, ...] | None:
    """What is given for each parameter; None after a finding about places that are not asked for.

    In a filter or ranking, the one parameter that is left out is what is filtered or ranked.
    """
    given = node.arguments
    places = [parameter.place for parameter in parameters]
    if any(place not in places for place in given):
        _no_arguments(node, scope, tuple(map(str, parameters)))
        return None
    found: list[Expr] = []
    for parameter in parameters:
        value = given.get(parameter.place)
        missing = value is None and (scope.it is None or scope.it.type not in (parameter.type, UNKNOWN))
        if parameter.place == "of" or not missing:
            found.append(_argument(value, scope, parameter.type, node))
        else:
            type, place = parameter.type, parameter.place
            help = f"write `{node.span.text} {parameter}`"
            if any(f" {place} " in part.span.text for part in given.values()):  # which went to a name in that part
                help = f"if `{place} ...` belongs to `{node.name}`, put brackets around what stands between them"
            scope.complain("R206", f"`{node.name}` is asked for {with_article(type.noun)}: for which one?", node.span, help=help)
            found.append(unclear(node.span))
    return tuple(found)


def _argument(given: tree.Expression | None, scope: Scope, type: Type | None, node: tree.Ref) -> Expr:
    """The argument after ``of`` (or, in a ranking key, the thing ranked)."""
    if given is not None:
        return wanted(given, scope, type, node.name) if type is not None else expression(given, scope)
    if scope.it is not None and (type in (None, UNKNOWN) or scope.it.type in (type, UNKNOWN)):
        asked = variable(scope.it, node.span)
        return asked if type is None or fits(asked, type, scope, node.name) else unclear(node.span)
    if scope.it is not None and type is not None and type.base == "component" and scope.it.type.base == "cell":
        return cells.lying_on(variable(scope.it, node.span), type.of, scope)
    if type == UNKNOWN:
        return unclear(node.span)
    whose = with_article(type.noun) if type else "something"
    example = f"{node.name} of {type.noun if type else '...'}"
    declared = scope.where_declared(node.name)
    scope.complain("R206", f"`{node.name}` belongs to {whose}: whose is meant?", node.span, *declared, help=f"write `{example}`")
    return unclear(node.span)


def _plain(node: tree.Ref, scope: Scope, value: Expr) -> Expr:
    return _no_arguments(node, scope) if node.arguments else value


def _no_arguments(node: tree.Ref, scope: Scope, taken: tuple[str, ...] = ()) -> Const:
    """A finding about arguments at other places than those that can be taken, such as ``of player``."""
    places = [each.split()[0] for each in taken]
    words = " and ".join(f"`{place} ...`" for place in node.arguments if place not in places)
    declared = scope.where_declared(node.name)
    help = f"write {'' if taken else 'just '}`{' '.join([node.name, *taken])}`"
    further = next((place for place in node.arguments if place not in (*places, "of")), None)
    if further is not None and isinstance(node.of, tree.Ref) and _takes(node.of.name, further, scope):
        said = node.arguments[further].span.text
        help = f"put brackets around what belongs together: `{node.name} of ({node.of.span.text} {further} {said})`"
    scope.complain("R206", f"`{node.name}` takes no {words}", node.span, *declared, help=help)
    return unclear(node.span)


def _takes(name: str, place: str, scope: Scope) -> bool:
    """Whether a name has an argument at a place such as ``for``."""
    found = scope.symbol(name)
    if isinstance(found, Column):
        return place == "for"
    return any(each.place == place for each in getattr(found, "parameters", ()))


def _column(column: Column, node: tree.Ref, scope: Scope) -> Expr:
    table = column.table
    key: Expr | None = None
    by = scope.symbol(table.by)
    if table.parameters:
        key = _owner(node, table.parameters, scope)
        assert key is not None
        return model.ColumnFor(table.name, column.name, key, type=column.type, span=node.span)
    if node.key is not None:
        key = wanted(node.key, scope, table.key)
        if node.of is not None:
            return _no_arguments(node, scope)
    elif table.by == "players":
        key = model.PlayerCount(type=NUMBER, span=node.span)
    elif isinstance(by, model.OptionDeclaration):
        key = model.OptionValue(table.by, type=by.domain.type, span=node.span)
    elif isinstance(by, model.Variable) and by.owner is None:
        key = named(table.by, evolve(node, name=table.by), scope, None)
    elif node.of is not None or scope.it is not None:
        asked = node.of is None and scope.it is not None and scope.it.type == table.key
        if asked or table.by == "player" or isinstance(by, model.Kind):
            key = _argument(node.of, scope, table.key, node)
        elif isinstance(by, model.Variable | Attribute | model.WordList | Pending):
            key = named(table.by, evolve(node, name=table.by), scope, None)
    if key is None:
        scope.complain(
            "R206", f"`{node.name}` is looked up by {table.by}: for which one?", node.span, help=f"write `{node.name} for ...`"
        )
        return unclear(node.span)
    if node.of is not None and (table.by == "players" or isinstance(by, model.OptionDeclaration)):
        return _no_arguments(node, scope)
    return model.ColumnFor(table.name, column.name, key, type=column.type, span=node.span)


def _apply(define: Pending, node: tree.Ref, scope: Scope) -> Expr:
    args = _arguments(node, define.parameters, scope)
    if args is None:
        return unclear(node.span)
    bound = define.bind(define, node.span)
    type_found = bound.value.type if bound else UNKNOWN
    for argument, parameter in zip(args, define.parameters, strict=True):
        if parameter.type != NUMBER and not type_found.is_set and type_found != TRUTH:
            type_found = belonging(argument, type_found)
    return model.Apply(define.name, args, type=type_found, span=node.span)


def _built_in(node: tree.Ref, scope: Scope) -> Expr | None:
    span = node.span

    def of(type: Type) -> Expr:
        if node.key is not None:
            _no_arguments(node, scope, ("of ...",))
        return _argument(node.of, scope, type, node)

    match node.name:
        case "players":
            return _plain(node, scope, model.AllPlayers(type=PLAYER.set, span=span))
        case "winners":
            return _plain(node, scope, model.Winners(type=PLAYER.set, span=span))
        case "left" | "right":
            one = Const(1, type=NUMBER, span=span)
            player = of(PLAYER)
            return model.SeatsAway(one, node.name == "right", player, type=belonging(player, PLAYER), span=span)
        case "seat":
            player = of(PLAYER)
            return model.SeatNumber(player, type=belonging(player, NUMBER), span=span)
        case "team":
            return model.TeamOf(of(PLAYER), type=PLAYER.set, span=span)
        case "opponents":
            return model.Opponents(of(PLAYER), type=PLAYER.set, span=span)
        case "owner":
            if node.of is None and (scope.it is None or scope.it.type.base not in ("component", "cell")):
                return _argument(None, scope, Type("component", "component"), node)
            thing = _argument(node.of, scope, None, node)
            owned = cells.owner_printed(thing, scope, span)
            if owned is not None:
                return owned
            if thing.type.base not in ("component", "unknown") or thing.type.is_set:
                scope.complain("R204", f"a component has an owner; this is {thing.type}", thing.span)
            return model.OwnerOf(thing, type=PLAYER.maybe, span=span)
        case "score":
            return _score(node, scope)
        case "returns":
            declared = scope.symbol(model.RETURNS)
            if isinstance(declared, Pending):
                return _apply(declared, node, scope)
            if node.name not in scope.faults.doubtful:
                help = "they are the scores: write `score of player`, or declare others in a line `returns of player`"
                scope.complain("R201", "no returns are declared here", span, help=help)
            return unclear(span)
        case "box":
            help = "it is a place to move things to; let what you need later lie in a zone: `zone supply: set of card, open`"
            scope.complain("R204", "what lies in the box cannot be asked", span, help=help)
            return unclear(span)
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
