"""Checks of types: whether an expression has the wanted type and is settled when it must be, and what a noun names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from attrs import evolve

from ....common.nouns import plural, with_article
from ....common.nouns import singular as one_of_many
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, PLAYER, TRUTH, UNKNOWN, Const, Expr, Type, Var
from ...visitor import walk
from .scope import Attribute, Pending, Scope, unclear

LONGEST = 1_000  # parts of a value that is written out more than once: twice in twice and so on would have no end
NAMED = 3  # of what belongs to a thing, so much is offered where another name was written


def as_number(value: Expr, scope: Scope) -> Expr:
    """The number that is meant: how many players there are, or a word of a list of numbers."""
    if isinstance(value, model.AllPlayers):
        return model.PlayerCount(type=NUMBER, span=value.span)
    numbers = () if value.type.is_set else scope.numbers_of(value.type)
    if not numbers:
        return value
    if isinstance(value, Const) and value.value >= 0:
        return Const(numbers[value.value], type=NUMBER, span=value.span)
    return model.NumberOf(value, type=NUMBER.maybe if value.type.optional else NUMBER, span=value.span)


def as_word(value: Expr, type: Type, scope: Scope) -> Expr:
    """The word of a list of numbers that a number means; a finding where it is no number of the list."""
    numbers = scope.numbers_of(type)
    own = scope.numbers_of(value.type)
    if not numbers or value.type.is_set or type.required == value.type.required or (value.type.base != "number" and not own):
        return value
    value = as_number(value, scope)
    if not isinstance(value, Const):
        return model.WordFor(value, type=type.required.maybe, span=value.span)
    if value.value in numbers:
        return Const(numbers.index(value.value), type=type.required, span=value.span)
    ends = f"{min(numbers)} to {max(numbers)}"
    message = f"there is no {type.noun} {value.value}: they go from {ends}"
    scope.complain("R215", message, value.span, *scope.where_declared(type.of))
    return unclear(value.span)


def fits(value: Expr, type: Type, scope: Scope, belonging: str = "") -> bool:
    """Whether a value is of a type; a finding if not. ``belonging``: the name of what it should own, as in `NAME of VALUE`."""
    have = value.type
    if "unknown" in (have.base, type.base):
        return True
    if isinstance(value, Const) and value.value == -1 and have.optional and not type.is_set and type.base != "truth":
        return True  # none
    if (have.base, have.of, have.is_set) == (type.base, type.of, type.is_set) and have.is_within(type):
        return True
    help = ""
    if have.base == "word" and type == NUMBER:
        words = scope.symbol(have.of)
        strange = [w for w in words.words if not w.isdecimal()] if isinstance(words, model.WordList) else []
        if isinstance(words, model.WordList) and len(strange) < len(words.words):
            mixed = "a range with more values beside it is a list of words, and numbers are wanted"
            message = f"numbers are wanted, and `{strange[0]}` is none" if strange else mixed
            scope.complain("R204", message, words.span, help="write numbers only, such as `5, 7` or `5..9`")
            return False
    if type.required == PLAYER and isinstance(value, Const) and have == NUMBER and value.value > 0:
        help = f"write `player {value.value}`"
    elif have.is_set and not type.is_set and have.member == type.required:
        noun = type.noun
        help = f"say which {noun} of them is meant: `best of ...`, `any {noun} from ...`, `a random {noun} from ...`"
    elif have.is_set and type == NUMBER:
        help = "write `count of ...` for how many they are"
    if belonging and not help:
        help = _something_of(value, have, _whole(belonging, type, scope), scope)
    of = _place(belonging, type, scope) == "of"
    belongs = f": `{belonging}` {'belongs to' if of else 'is asked for'} {type}" if belonging else ""
    declared = scope.where_declared(value.span.text)
    scope.complain("R204", f"this is {have}, where {type} is wanted{belongs}", value.span, *declared, help=help)
    return False


def _something_of(value: Expr, have: Type, whole: str, scope: Scope) -> str:
    """What can be meant by a name before ``of VALUE`` that belongs to others: what belongs to the value, or that of another."""
    symbols = scope.all_symbols().items()
    owned = (name for name, symbol in symbols if isinstance(symbol, model.Variable) and symbol.owner == have.required)
    its = [f"`{name} of {value.span.text}`" for name in owned][:NAMED]
    say = f"say whose it is: {whole}" if whole.count(" ") == 2 and " of " in whole else f"write {whole}"
    return f"did you mean {' or '.join(its)}? Or {say}" if its else say


def _whole(name: str, type: Type, scope: Scope) -> str:
    """A name with all that it is declared with."""
    given = _parameters(name, scope) or (model.Parameter("of", type),)
    return f"`{' '.join((name, *map(str, given)))}`"


def _place(name: str, type: Type, scope: Scope) -> str:
    """The place behind a name at which something of a type stands."""
    return next((each.place for each in _parameters(name, scope) if each.type == type), "of")


def _parameters(name: str, scope: Scope) -> tuple[model.Parameter, ...]:
    declared = scope.all_symbols().get(name)
    return declared.parameters if isinstance(declared, model.Variable | model.Zone | Pending) else ()


def as_set(value: Expr, scope: Scope) -> Expr:
    """A component or a player where a set is wanted is the set of just that."""
    value = of_something(value, scope)
    if isinstance(value, model.AnyOf) and isinstance(value.of, model.Shifted) and value.of.is_of_one_cell:
        return value.of
    if value.type.is_set or value.type.base == "unknown":
        return value
    if value.type.base in ("number", "truth"):
        scope.complain("R204", f"this is {value.type}, where a set is wanted", value.span)
        return unclear(value.span)
    return model.SetOf((value,), type=value.type.set, span=value.span)


def together(sets: Sequence[Expr], type: Type, span: Span) -> Expr:
    """One or several sets together. ``type``: that of the whole."""
    whole = sets[0]
    for more in sets[1:]:
        whole = model.Join(whole, more, type=type, span=span)
    return whole


def of_something(value: Expr, scope: Scope) -> Expr:
    """The value; a finding for `none` or `empty` where nothing around says of what."""
    if isinstance(value, Const | model.SetOf) and value.type.base == "unknown" and (value.type.is_set or value.type.optional):
        scope.complain(
            "R204",
            f"it is not clear what is {value.span.text} here",
            value.span,
            help="compare something with it, or set something to it",
        )
        return unclear(value.span)
    return value


def of_noun(noun: tree.Name, members: Expr, scope: Scope) -> Expr:
    """The members of a set that a noun means: of a set of several kinds those of one, if it names that; else all of them.

    A finding where the noun is the name of other things, or a value; any other word can stand for a member.
    """
    if not noun_fits(noun, members.type, scope):
        return members
    return of_kind(members, noun.text) if noun.text in members.type.kinds else members


def of_kind(members: Expr, kind: str) -> Expr:
    """The members of a set that are of one kind."""
    type = members.type
    if members.type.kinds == (kind,):
        return members
    one = Var(kind, type.member)
    is_one = model.AttributeOf(kind, model.VarValue(one, type=one.type, span=members.span), type=TRUTH, span=members.span)
    return model.Filter(members, one, is_one, type=evolve(type, only=(kind,)), span=members.span)


def noun_fits(noun: tree.Name, members: Type, scope: Scope) -> bool:
    """Whether a noun can stand for a member (a finding if not): a type's name only for its own, else any word but a value."""
    named = scope.type_named(noun.text)
    if members.base == "unknown" or (named == members.member and (not members.only or noun.text in members.only)):
        return True
    if named is not None:
        help = "a grid is the set of its cells: write `cell`" if members.base == "cell" and named.base == "component" else ""
        scope.complain("R204", f"these are {plural(members.noun)}, and no {plural(noun.text)}", noun.span, help=help)
        return False
    lists = scope.lists_with(noun.text)
    if lists and members.base == "component":
        scope.complain(
            "R204",
            f"`{noun.text}` is a value of `{lists[0].name}`, not a name for {with_article(members.noun)}",
            noun.span,
            help=f"write `{members.noun} with {lists[0].name} {noun.text}`",
        )
        return False
    return True


def the_noun(noun: tree.Name, members: Expr, scope: Scope) -> Expr:
    """The members of a set that a noun means which is no new name (``has a card``); of the unknown type after a finding."""
    if not noun_is(noun, members.type, scope):
        if members.type.base == "cell":
            return members  # the lines underneath may ask them rightly
        return Const(0, type=UNKNOWN.set, span=members.span)
    return of_noun(noun, members, scope)


def noun_is(noun: tree.Name, members: Type, scope: Scope) -> bool:
    """Whether a noun that is no new name (``has a card``) is the kind's own name, or ``card`` of ``cards``; a finding if not.

    Things of several kinds have no name of their own, so they can have any.
    """
    words = _words_for(members, scope)
    if noun.text not in words:
        scope.could_be(noun.text, words)
    if not noun_fits(noun, members, scope):
        return False
    if members.base == "unknown" or len(members.kinds) > 1 or noun.text in words:
        return True
    message = f"these are {plural(members.noun)}, and no {plural(noun.text)}"
    scope.complain("R204", message, noun.span, help=f"write `{members.noun}`")
    return False


def _words_for(members: Type, scope: Scope) -> set[str]:
    """What components are called: by the name of their kind, or ``card`` of ``cards``."""
    declared = [kind for kind in map(scope.symbol, members.kinds) if isinstance(kind, model.Kind)]
    return {members.noun, *members.kinds, *(kind.form.removesuffix("s") for kind in declared)}


def several_of(noun: tree.Name, members: Expr, scope: Scope) -> Expr:
    """The members of a set that a noun means which stands for several, such as ``gems``. See `singular` for what it can be."""
    kind = next((kind for kind in members.type.kinds if noun.text in (kind, plural(kind), f"{kind}s")), None)
    return members if kind is None else of_kind(members, kind)


def singular(noun: tree.Name, members: Type, scope: Scope) -> str:
    """What one member is called where the noun means several: ``card`` of ``cards``. A finding where it means other things."""
    found = next((word for word in _words_for(members, scope) if noun.text in (word, plural(word), f"{word}s")), None)
    if found is None and len(members.kinds) > 1:
        one = one_of_many(noun.text)
        return one if noun_fits(tree.Name(one, span=noun.span), members, scope) else members.noun
    if found is None and members.base != "unknown":
        own, many = members.noun, plural(members.noun)
        scope.complain("R204", f"these are {many}, and no {noun.text}", noun.span, help=f"write `{own}` or `{many}`")
        scope.faults.doubtful |= {own, many}  # the lines underneath may say it right
    return found or members.noun


def every_value(noun: tree.Name, scope: Scope) -> Expr:
    """All values of the type that a noun names: all players, all words of a list, all components of a kind."""
    if noun.text == "player":
        return model.AllPlayers(type=PLAYER.set, span=noun.span)
    match scope.type_named(noun.text):
        case Type(base="word", of=of):
            words = next(s for s in (scope.symbol(of),) if isinstance(s, model.WordList)).words
            return Const((1 << len(words)) - 1, type=Type("word", of).set, span=noun.span)
        case Type(base="component", of=of) as type:
            kind = scope.symbol(of)
            if isinstance(kind, model.Kind) and kind.form == "dice":
                scope.complain(
                    "R204",
                    f"which faces every {of} shows is not known before the dice are rolled",
                    noun.span,
                    help="roll them to a zone first, as in `roll 2 dice to cup`; then name the zone, as in `roll cup`",
                )
                return unclear(noun.span)
            return model.AllOf(type.only, type=type.set, span=noun.span)
        case Type(base="cell", of=of) if not any(grid.name == of and grid.owned for grid in scope.grids()):
            return model.CellsOf(of, None, False, type=Type("cell", of).set, span=noun.span)
        case None if noun.text == "number":
            scope.complain("R201", "it is not said which numbers", noun.span, help="write from where to where: `number in 1..6`")
            return unclear(noun.span)
        case None if noun.text == "cell" and len(scope.grids()) > 1:
            sets = " or ".join(f"`cells of {grid.name}`" for grid in scope.grids())
            message = "there are several grids, and it is not clear on which this cell is"
            scope.complain("R249", message, noun.span, help=f"say from which set: {sets}")
            return unclear(noun.span)
        case None if scope.symbol(noun.text) is None:
            types = scope.type_names()
            return scope.unknown(noun.text, noun.span, "list or kind", types)
        case _ if (printed := numbers_printed(noun, scope)) is not None:
            return Const((1 << len(scope.numbers_of(printed))) - 1, type=printed.set, span=noun.span)
        case _:
            scope.complain(
                "R204",
                f"`{noun.text}` is not a list, a kind or `player`",
                noun.span,
                help=f"say from which set: `{noun.text} in ...`",
            )
            return unclear(noun.span)


def too_long(value: Expr, scope: Scope) -> bool:
    """Whether a value that is written out more than once is too long for that; a finding if so."""
    if sum(1 for _ in islice(walk(value), LONGEST + 1)) <= LONGEST:
        return False
    message = f"this is too long: more than {LONGEST:,} parts when all is written out"
    scope.complain("R216", message, value.span, help="give a part of it a name by a `define`")
    return True


def numbers_printed(noun: tree.Name, scope: Scope) -> Type | None:
    """The type of the numbers that an attribute can be, as a list; None of any other noun."""
    symbol = scope.symbol(noun.text)
    domain = symbol.any.domain if isinstance(symbol, Attribute) else None
    if domain is None or not isinstance(domain.low, Const) or not isinstance(domain.high, Const):
        return None
    if domain.low.value < 0 or domain.high.value - domain.low.value >= LONGEST:
        return None
    return number_list(domain.low.value, domain.high.value, noun.span, scope)


def number_list(low: int, high: int, span: Span, scope: Scope) -> Type:
    """The type of the numbers from one to another, as a list that nobody has declared."""
    name = f"number from {low} to {high}"
    if scope.symbol(name) is None:
        scope.set_symbol(name, model.WordList(name, tuple(map(str, range(low, high + 1))), span=span))
        scope.spans[name] = span
    return Type("word", name)


def fixed(value: Expr) -> bool:
    """Whether a value is settled before the game starts."""
    match value:
        case Const() | model.OptionValue() | model.PlayerCount():
            return True
        case model.Arithmetic() | model.Compare() | model.Logic():
            return fixed(value.left) and fixed(value.right)
        case model.Not(value=inner) | model.ColumnFor(key=inner) | model.NumberOf(of=inner) | model.WordFor(number=inner):
            return fixed(inner)
        case _:
            return value.type.base == "unknown"


def must_be_fixed(value: Expr, what: str, scope: Scope) -> Expr:
    """The value, or after a finding one that stands for it."""
    if fixed(value):
        return value
    scope.complain(
        "R215",
        f"{what} is settled before the game begins",
        value.span,
        help="by numbers, words, options and the number of players",
    )
    return unclear(value.span)


def joined(a: Type | None, b: Type) -> Type | None:
    """The type of a column that holds both; None when there is none."""
    if a is None:
        return b
    if a.base == "unknown":
        a, b = b, a
    if b.base != "unknown" and a.required != b.required:
        return None
    a = a.beside(b) if b.base != "unknown" else a
    return a.maybe if b.optional else a
