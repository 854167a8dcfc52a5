"""Binds the lines of the score sheet, majorities among them, and the winner line.

A majority is a shorter way to write a define and a term. ``gold: majority`` with ``among: S``, ``by: highest coins, then shared``
and ``prizes: 5, 2`` becomes::

    place for gold of player: the place of player in S by highest coins, then shared
    gold: 5 if place for gold of player is 1, 2 if it is 2, otherwise 0

With ``then split rounded down`` a tie divides the prizes of the places that it takes, and ``5`` above becomes ``(5 + (2 if some
other player has that place)) / how many have it``;
``for each NOUN`` in a winner block is its keys once for every word, one after the other.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Literal

from attrs import evolve, frozen

from ....common.diagnostics import fault, only_one_near
from ....common.nouns import with_article
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, PLAYER, TRUTH, Const, Expr, Type, Var
from ..expressions import expression, number, truth, wanted
from ..expressions.selecting import filtered, ranking
from ..names.scope import Scope, variable
from ..names.ties import Unended
from ..names.types import every_value

# ---- The score sheet


def note_term(line: tree.ScoreTerm | tree.Majority, scope: Scope, gone: Container[str] = ()) -> None:
    """Make the name of a term known; a finding when there is one of that name that is not ``gone``."""
    name = line.name.text
    if name in scope.terms or (name in scope.all_terms() and name not in gone):
        scope.complain("R202", f"two terms of the score are called `{line.name.text}`", line.name.span)
    scope.terms.add(name)


@frozen
class Around:
    """What a line of the score sheet is asked of: a player, and what ``for each`` goes through (or nothing)."""

    scope: Scope
    player: Var
    each: Var | None
    members: Expr | None


def _around(line: tree.ScoreTerm | tree.Majority, outer: Scope) -> Around:
    scope = outer.inner()
    scope.locals = {}
    player = Var("player", PLAYER)
    scope.bind("player", variable(player, line.span), line.span)
    if line.each is None:
        return Around(scope, player, None, None)
    members = (
        every_value(line.each, scope) if line.members is None else filtered(expression(line.members, scope), (), scope, line.span)
    )
    each = Var(line.each.text, members.type.member)
    scope.bind(line.each.text, variable(each, line.each.span), line.each.span)
    return Around(scope, player, each, members)


def term(line: tree.ScoreTerm | tree.Majority, scope: Scope) -> model.Term:
    """One line of the score sheet."""
    around = _around(line, scope)
    if isinstance(line, tree.Majority):
        value, condition = _prize(line, around), None
    else:
        value = number(line.value, around.scope)
        condition = None if line.condition is None else truth(line.condition, around.scope)
    return model.Term(line.name.text, around.player, around.each, around.members, value, condition, span=line.name.span)


def place(line: tree.Majority, scope: Scope) -> model.Define:
    """The place of a player among those who take part in a majority, as a define under a name that nobody can write."""
    around = _around(line, scope)
    among = wanted(line.among, around.scope, PLAYER.set)
    ranked = Var("player", PLAYER)
    tied = _ending(line.keys, scope)
    with around.scope.about(ranked) as about:
        about.locals["player"] = variable(ranked, line.span)  # the one who is ranked, not the one whose score it is
        keys = ranking(line.keys, about)
    if tied is None:
        finding = fault(
            "R251",
            f"the majority `{line.name.text}` does not say what happens to a tie",
            line.keys[-1].span,
            help="end its keys with `, then shared` (all of them get the prize), `, then split rounded down` (they divide the "
            "prizes) or `, then nobody` (none of them gets one)",
        )
        scope.faults.unended.append(Unended(ranked, keys, among, finding))
    span = line.name.span
    at_ties: Literal["shared", "nobody"] = "nobody" if tied == "nobody" else "shared"
    found = model.PlaceOf(variable(around.player, span), among, ranked, keys, at_ties, type=_PLACE, span=span)
    parameters = (around.player,) if around.each is None else (around.player, around.each)
    return model.Define(_place_name(line), parameters, found, span=span)


_PLACE = NUMBER.maybe  # none: the player does not take part, or is tied where nobody gets anything then


def _place_name(line: tree.Majority) -> str:
    return f"place for {line.name.text}"


def _prize(line: tree.Majority, around: Around) -> Expr:
    """The prize of the place that a player has."""
    span = line.name.span
    asked = _place_of(around.player, line, around)
    prizes = [number(prize, around.scope) for prize in line.prizes]
    if line.keys[-1].direction == "split":
        among = wanted(line.among, around.scope, PLAYER.set)
        prizes = [_divided(prizes[index:], asked, among, line, around) for index in range(len(prizes))]
    cases = []
    for index, prize in enumerate(prizes, 1):
        here = model.Compare("=", asked, Const(index, type=NUMBER, span=prize.span), type=TRUTH, span=prize.span)
        cases.append((here, prize))
    return model.Cases(tuple(cases), Const(0, type=NUMBER, span=line.span), type=NUMBER, span=span)


def _place_of(player: Var, line: tree.Majority, around: Around) -> Expr:
    """The place of a player in a majority."""
    args = tuple(variable(var, line.span) for var in (player, around.each) if var is not None)
    return model.Apply(_place_name(line), args, type=_PLACE, span=line.name.span)


def _divided(prizes: Sequence[Expr], asked: Expr, among: Expr, line: tree.Majority, around: Around) -> Expr:
    """What each of those gets who share a place: an equal part of the prizes of all places that they take, rounded down."""
    span = prizes[0].span
    other = Var("other", PLAYER)
    is_other = model.Not(
        model.Compare("=", variable(other, span), variable(around.player, span), type=TRUTH, span=span), type=TRUTH, span=span
    )
    same = model.Compare("=", _place_of(other, line, around), asked, type=TRUTH, span=span)
    tied = model.Filter(among, other, model.Logic("and", is_other, same, type=TRUTH, span=span), type=PLAYER.set, span=span)
    others = model.Count(tied, type=NUMBER, span=span)
    whole = prizes[0]
    nothing = Const(0, type=NUMBER, span=span)
    for index, prize in enumerate(prizes[1:], 1):
        is_taken = model.Compare("<=", Const(index, type=NUMBER, span=span), others, type=TRUTH, span=span)
        more = model.Cases(((is_taken, evolve(prize, span=span)),), nothing, type=NUMBER, span=span)
        whole = model.Arithmetic("+", whole, more, type=NUMBER, span=span)
    all_of_them = model.Arithmetic("+", others, Const(1, type=NUMBER, span=span), type=NUMBER, span=span)
    return model.Arithmetic("div", whole, all_of_them, type=NUMBER, span=span)


# ---- The winner

Ending = Literal["shared", "split", "nobody"]
_ENDINGS: tuple[Literal["shared", "nobody"], ...] = ("shared", "nobody")


def winner(line: tree.Winner, scope: Scope) -> model.Winner:
    """The winner line, the keys of a ``for each`` written out."""
    var = Var("player", PLAYER)
    undecided = _ending(line.keys, scope)
    if undecided == "split":
        help = "end the line with `, then shared`, or with `, then nobody`"
        scope.complain("R204", "prizes are split in a majority; here it is said who wins", line.keys[-1].span, help=help)
        undecided = "shared"
    _named_once(line, scope)
    keys: list[model.Key] = []
    with scope.about(var) as about:
        about.locals = {}
        for part in line.keys:
            keys += _for_each_word(part, about) if isinstance(part, tree.KeysForEach) else ranking((part,), about)
    if undecided is None and "winner" not in scope.faults.doubtful:  # else its last line may be one that could not be read
        message = "the winner line does not say what happens when a tie is left"
        finding = fault("R219", message, line.keys[-1].span, help="end it with `, then shared`")
        scope.faults.unended.append(Unended(var, tuple(keys), None, finding))
    return model.Winner(var, tuple(keys), undecided or "shared", span=line.span)


def _named_once(line: tree.Winner, scope: Scope) -> None:
    """A finding for each key that has the name of an earlier one: a variant could not say which it means."""
    named: dict[str, Span] = {}
    for part in line.keys:
        for key in (part,) if isinstance(part, tree.Key) else part.keys:
            if key.label is None:
                continue
            if key.label in named:
                earlier = (named[key.label], "here first")
                scope.complain("R202", f"two keys of the winner are called `{key.label}`", key.span, earlier, label="here again")
            named.setdefault(key.label, key.span)


def _ending(keys: tuple[tree.Key | tree.KeysForEach, ...], scope: Scope) -> Ending | None:
    """What the end of a ranking says of a tie that is left; None where it says nothing. A finding for keys after it, and for
    one that is misspelt."""
    for index, key in enumerate(keys):
        if isinstance(key, tree.Key) and (key.direction == "shared" or key.direction == "split" or key.direction == "nobody"):
            if index + 1 < len(keys):
                scope.complain("R107", f"nothing can come after `{key.direction}`", keys[index + 1].span)
            return key.direction
    match keys[-1]:
        case tree.Key(direction="fits", value=tree.Ref(name=name, of=None, key=None, span=span)):
            known = scope.known_names()
            for ending in _ENDINGS:
                if name not in known and only_one_near(name, (ending,)):
                    scope.unknown(name, span, known=known | {*_ENDINGS})
                    return ending
    return None


def _for_each_word(line: tree.KeysForEach, scope: Scope) -> list[model.Key]:
    """The keys of a ``for each`` in a winner block, once for each word."""
    found: list[model.Key] = []
    for index, word, type in _words(line.noun, scope):
        inside = scope.inner()
        inside.bind(line.noun.text, Const(index, type=type, span=line.noun.span), line.noun.span)
        found += ranking(tuple(evolve(key, label=_label(key, word)) for key in line.keys), inside)
    for first, second in zip(found, found[len(line.keys) :], strict=False):
        if first.value == second.value and first.value.type.base != "unknown":
            scope.complain(
                "R230",
                f"this is the same for every {line.noun.text}, so it decides nothing after the first",
                first.span,
                help=f"let it ask for the {line.noun.text}, or put it outside the `for each`",
            )
    return found


def _words(noun: tree.Name, scope: Scope) -> tuple[tuple[int, str, Type], ...]:
    """Every word of the list that a noun names."""
    type = every_value(noun, scope).type.member
    symbol = scope.symbol(type.of)
    if isinstance(symbol, model.WordList):
        return tuple((index, word, type) for index, word in enumerate(symbol.words))
    if type.base != "unknown":
        scope.complain(
            "R204",
            f"{with_article(noun.text)} is no word of a list",
            noun.span,
            help="what can stand here: the name of a list of words",
        )
    return ()


def _label(key: tree.Key, word: str) -> str:
    """What a key is called for one word: ``cards for diplomacy``."""
    return f"{key.label} for {word}"


def winner_names(line: tree.Winner, scope: Scope) -> dict[str, dict[str, str]]:
    """The names in a winner block: for each, the labels of its keys by word ("" where it is one key)."""
    found: dict[str, dict[str, str]] = {}
    for part in line.keys:
        if isinstance(part, tree.Key):
            if part.label is not None:
                found.setdefault(part.label, {})[""] = part.label
            continue
        symbol = scope.symbol(part.noun.text)
        words = symbol.words if isinstance(symbol, model.WordList) else ()
        for key in part.keys:
            if key.label is not None:
                found.setdefault(key.label, {}).update({word: _label(key, word) for word in words})
    return found


def removed_keys(line: tree.Remove, names: dict[str, dict[str, str]], scope: Scope) -> tuple[str, ...]:
    """The labels of the keys that ``remove NAME [for WORD] from winner`` takes out."""
    name = line.name
    if not names:
        scope.complain(
            "R226",
            "the keys of the winner line have no names here",
            name.span,
            help="replace it whole: `replace winner ...`, or give its keys names, in a block",
        )
        return ()
    if name.text not in names:
        scope.unknown(name.text, name.span, "line of the winner", set(names), "R226")
        return ()
    labels = names[name.text]
    if line.key is None:
        return tuple(labels.values())
    word = line.key.name if isinstance(line.key, tree.Ref) and line.key.of is None and line.key.key is None else ""
    if "" in labels:
        scope.complain("R206", f"`{name.text}` takes no `for ...`", line.key.span, help=f"write `remove {name.text} from winner`")
    elif word in labels:
        return (labels[word],)
    elif word:
        scope.unknown(word, line.key.span, f"`{name.text}` for", set(labels))
    else:
        scope.complain("R206", "one word is meant here", line.key.span, help=f"`for {' or '.join(labels)}`")
    return ()
