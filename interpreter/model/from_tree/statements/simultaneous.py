"""Expands choices of several players at once: each chooses secretly, and when all have chosen, it is done, seat by seat.

Nobody sees what another chooses, nor can a rule use it, for until all have chosen nothing has happened: what each has chosen is
kept, for its owner's eyes alone. So it is a row of decisions, exact for solvers, and what players know of each other is what they
would know if they laid their cards face down and turned them over together. ::

    for each player at once                         let choosing = all players
        player chooses                              for each player in choosing
            play a card from hand of player             choose player
                move card to played of player               option play(card in hand[player]) face down secretly
                                                                set what is played[player] = card
                                                    for each player in choosing
                                                        let card = what is played[player], chosen from hand[player]
                                                        set what is played[player] = none
                                                        announce card to all but player "{player}: play {card}"
                                                        move card to played[player]
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from ....common.nouns import plural, spoken
from ....common.source import Span
from ....syntax import tree
from ....words.words import marked
from ... import model
from ...model import NUMBER, PLAYER, TRUTH, Body, Const, Expr, Var
from ...sizes import AMOUNTS_LIMIT
from ..expressions import wanted
from ..names.scope import Scope, variable
from ..names.types import fixed
from . import options, selections
from .binding import body
from .texts import told

AT_ONCE_LIMIT = 20  # things that each selects at once; each of them is kept in the record


def at_once(line: tree.ForEach, members: Expr, scope: Scope) -> Iterator[model.Statement]:
    """The statements for which ``for each player at once`` stands; ``members``: who choose."""
    choice = _choice(line, scope)
    if choice is None or members.type.member != PLAYER:
        if choice is not None and members.type.base != "unknown":
            scope.complain("R204", f"only players choose at once, and these are {plural(members.type.noun)}", line.noun.span)
        return
    span, name = line.span, line.name or line.noun
    player = Var(name.text, PLAYER)
    chooser = variable(player, name.span)
    inner = scope.inner()
    inner.bind(name.text, chooser, name.span)
    _its_own(wanted(choice.player, inner, PLAYER), player, choice, scope)
    choosing = Var("choosing", PLAYER.set)
    taken = [_act(each, chooser, inner) for each in choice.options]
    for each, act in zip(choice.options, taken, strict=True):
        _own_things(each, act.option if isinstance(act, selections.Selection) else act, player, scope)
    which = _Kept(scope, "what is chosen", model.Domain(NUMBER.maybe, _number(0, span), _number(len(taken) - 1, span)), chooser)
    asked: list[model.Option] = []
    done: list[Body] = []
    for number, option in enumerate(taken):
        if isinstance(option, selections.Selection):
            lines, then = _selected(option, which.set(_number(number, span)), chooser, scope)
            asked.append(evolve(option.option, body=lines))
            done.append(then)
            continue
        kept = [_Kept(scope, f"{a.var.name} of {option.verb}", _domain(a), chooser) for a in option.arguments]
        values = [variable(argument.var, argument.span) for argument in option.arguments]
        noted = (which.set(_number(number, span)), *(k.set(v) for k, v in zip(kept, values, strict=True)))
        asked.append(evolve(option, body=noted, face_down=True, secret=True, told=not option.face_down))
        named = [model.Let(a.var, k.value, _source(a), span=span) for a, k in zip(option.arguments, kept, strict=True)]
        done.append((*named, *(k.forget() for k in kept), _announced(option, number, chooser, values), *option.body))
    otherwise = () if choice.if_impossible is None else body(choice.if_impossible, inner)
    choose = model.Choose(chooser, tuple(asked), None if choice.if_impossible is None else (), at_once=True, span=choice.span)
    yield model.Let(choosing, members, span=span)
    for lines in ((choose,), tuple(_each(done, which, otherwise))):
        yield model.ForEach(player, variable(choosing, span), None, lines, span=span)


def _act(line: tree.Option, chooser: Expr, scope: Scope) -> model.Option | selections.Selection:
    """One thing that can be chosen: an act, or the selection of several things."""
    if isinstance(line.arguments, tree.Placing) or not any(isinstance(each, tree.Several) for each in line.arguments):
        return selections.option(line, chooser, scope)
    found = selections.selection(line, chooser, scope)
    span = found.option.arguments[0].span
    if isinstance(found.most, Const) and found.most.value > AT_ONCE_LIMIT:
        message = f"each selects {found.most.value} things at once, and {AT_ONCE_LIMIT} are allowed"
        scope.complain("R216", message, span, help="let each select fewer, or one after the other")
    elif not isinstance(found.most, Const):
        help = "write a number, such as `pass 3 cards from ...` or `pass up to 3 cards from ...`"
        scope.complain("R215", "what is selected at once is a number of things that is known before the game", span, help=help)
    return found


def _selected(found: selections.Selection, chosen: model.SetVariable, chooser: model.VarValue, scope: Scope) -> tuple[Body, Body]:
    """How several things are selected, and what happens when all have chosen.

    What is selected is kept one by one, in the order in which its kind is declared, so nothing tells the order of choosing.
    """
    span, type = chosen.span, found.chosen.type
    most = min(found.most.value, AT_ONCE_LIMIT) if isinstance(found.most, Const) else 1
    kept = [
        _Kept(scope, f"{number + 1} of {found.chosen.name} of {found.option.verb}", model.Domain(type.member.maybe), chooser)
        for number in range(most)
    ]
    lines: list[model.Statement] = [*found.gathering, chosen]
    before: list[Expr] = []
    for each in kept:
        var = Var("one", type.member.maybe)
        left: Expr = variable(found.chosen, span)
        if before:
            left = model.Without(left, model.SetOf(tuple(before), type=type, span=span), type=type, span=span)
        lines += (model.Let(var, model.AnyOf(left, type=type.member.maybe, span=span), span=span), each.set(variable(var, span)))
        before.append(variable(var, span))
    values = tuple(evolve(each.value, type=type.member.maybe) for each in kept)
    named = model.Let(found.chosen, model.SetOf(values, type=type, span=span), _source(found.option.arguments[0]), span=span)
    counted = options.one_more(found.option.limits)
    return tuple(lines), (named, *(each.forget() for each in kept), *counted, found.announced, *found.done)


def _choice(line: tree.ForEach, scope: Scope) -> tree.Choose | None:
    """The one thing that stands in the block; None after a finding."""
    match line.body:
        case [tree.Choose(goes_on=False) as choice]:
            return choice
    scope.complain(
        "R204",
        "what is done at once is a choice, and nothing else",
        line.span,
        help="write `player chooses` under it, and what goes before or after it into a `for each` of its own",
    )
    return None


def _its_own(chooser: Expr, player: Var, choice: tree.Choose, scope: Scope) -> None:
    if not (isinstance(chooser, model.VarValue) and chooser.var is player) and chooser.type.base != "unknown":
        scope.complain("R204", "each chooses for themselves", choice.player.span, help=f"write `{player.name} chooses`")


def _own_things(line: tree.Option, option: model.Option, player: Var, scope: Scope) -> None:
    """A finding where two could take the same component, or where something is laid on a grid."""
    if isinstance(line.arguments, tree.Placing):
        scope.complain(
            "R204",
            "this cannot be chosen at once",
            line.span,
            help="let each choose a cell; or let them lay one after the other",
        )
    for argument in option.arguments:
        source = _source(argument)
        if source is not None and argument.var.type.base == "component" and not _is_own(source, player):
            scope.complain(
                "R204",
                "two players could choose the same one at once",
                argument.span,
                help=f"let each choose from what is theirs, such as `hand of {player.name}`",
            )


def _is_own(source: Expr, player: Var) -> bool:
    """Whether it is a zone that no two players share: one part of what says which it is is the player."""
    owner = source.owner if isinstance(source, model.ZoneContent) else None
    parts = owner.parts if isinstance(owner, model.Index) else (owner,)
    return any(isinstance(part, model.VarValue) and part.var is player for part in parts)


def _source(argument: model.Argument) -> Expr | None:
    """What a component or cell is chosen from, whatever is asked of it; None of anything else, and of what is chosen from all."""
    source = argument.source
    while isinstance(source, model.Filter):
        source = source.of
    return None if isinstance(source, tuple) or argument.var.type.base not in ("component", "cell") else source


def _each(done: list[Body], which: _Kept, impossible: Body) -> Iterator[model.Statement]:
    """What happens when all have chosen: by the number of what each has chosen."""
    chosen = Var("chosen", which.domain.type)
    span = which.span
    yield model.Let(chosen, evolve(which.value, type=chosen.type), span=span)
    yield which.forget()
    now: Body = impossible
    for number, lines in reversed(list(enumerate(done))):
        test = model.Compare("=", variable(chosen, span), _number(number, span), type=TRUTH, span=span)
        now = (model.If(test, lines, now, span=span),)
    yield from now


def _announced(option: model.Option, number: int, player: Expr, values: list[model.VarValue]) -> model.Announce:
    """All learn what was chosen; where it is face down, only that it was."""
    shown: list[model.VarValue] = [] if option.face_down else values
    words = (part for value in shown for part in (" ", value))
    act: model.Said = model.Named("act", option.text or option.verb)
    for place in range(1, len(shown) + 1):
        sentence, first = (marked("{act} {thing}"), "act") if place == 1 else (marked("{things} {thing}"), "things")
        act = model.Sentence(sentence, ((first, act), ("thing", place)))
    parts = player, f": {option.text or spoken(option.verb)}", *words
    text = told(parts, marked("{player}: {act}"), option.span, player=0, act=act)
    return model.Announce(player, shown[0] if shown else _number(number, option.span), text, span=option.span)


def _domain(argument: model.Argument) -> model.Domain:
    """The values that an argument can have. A number that may be below 0 cannot be none as well, since that is -1."""
    if not isinstance(argument.source, tuple):
        return model.Domain(argument.var.type.maybe)
    low, high = argument.source
    least = low if fixed(low) else _number(-AMOUNTS_LIMIT, argument.span)
    most = high if fixed(high) else _number(AMOUNTS_LIMIT, argument.span)
    never_below = isinstance(least, Const) and least.value >= 0
    return model.Domain(NUMBER.maybe if never_below else NUMBER, least, most)


def _number(value: int, span: Span) -> Const:
    return Const(value, type=NUMBER, span=span)


class _Kept:
    """What is kept of a player's choice until all have chosen; none before and after, or the least where it cannot be none."""

    def __init__(self, scope: Scope, name: str, domain: model.Domain, player: model.VarValue) -> None:
        self.domain, self.span, self._player = domain, player.span, player
        self._name = scope.keep(name, PLAYER, domain, "private", player.span).name

    @property
    def value(self) -> model.VariableValue:
        return model.VariableValue(self._name, self._player, type=self.domain.type.required, span=self.span)

    def set(self, value: Expr) -> model.SetVariable:
        return model.SetVariable(self._name, self._player, value, span=self.span)

    def forget(self) -> model.SetVariable:
        nothing = None if self.domain.type.optional else self.domain.low
        return self.set(nothing or Const(-1, type=self.domain.type, span=self.span))
