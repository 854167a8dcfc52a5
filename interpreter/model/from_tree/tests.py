"""Binds the tests in a file: what each sets up, does and expects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from ...common.codes import CODES
from ...common.diagnostics import did_you_mean
from ...common.nouns import is_for, plural
from ...common.source import Span
from ...syntax import tree
from ...syntax.traverse import lines_within
from .. import model
from ..model import PLAYER, TRUTH, Const, Type
from .expressions import expression, truth, wanted
from .expressions.comparing import negate_if
from .expressions.names import named
from .expressions.words import kinds_of
from .names.scope import Scope, unclear
from .names.types import as_set
from .statements import placing
from .statements.selections import ENOUGH
from .statements.targets import spot, step_call
from .variants import set_option

NO_KINDS = {"number", "cell", ""}  # nouns of acts that stand for no components, beside the names of types
NOBODY = (0, 0)  # the numbers of players of a game that does not say, or not so that it can be read
Verbs = dict[str, set[tuple[str, ...]]]  # the verbs of all options, and the nouns of what each takes


def bind_test(
    line: tree.Test,
    game: Scope,
    rings: dict[str, Scope],
    always: Iterable[str],
    verbs: Verbs,
    seats: tuple[int, int],
    players_at: Span,
) -> model.Test:
    """A test; the names of the variants it plays with, and of those always in play, can be used in it."""
    names = next((x.names for x in line.body if isinstance(x, tree.TestPlayers)), ())
    variants: list[tree.Name] = [n for x in line.body if isinstance(x, tree.TestWith) for n in x.names]
    scope = game.ring()
    for ring in {n.text: None for n in variants} | dict.fromkeys(always):
        if ring in rings:
            scope.take_in(rings[ring])
    for variant in variants:
        if variant.text not in rings:
            scope.unknown(variant.text, variant.span, "variant", set(rings))
    if not names:
        scope.complain("R501", "this test does not say who plays", line.span, help="begin it with `players Ann, Bob`")
    elif seats != NOBODY and not seats[0] <= len(names) <= seats[1]:
        here = "is 1" if len(names) == 1 else f"are {len(names)}"
        scope.complain(
            "R406",
            f"{is_for(seats)}, and here {here}",
            names[0].span.to(names[-1].span),
            (players_at, is_for(seats)),
            label=f"here {here}",
            help="name as many players as can play, or change the line that says how many can",
        )
    for seat, name in enumerate(names):
        scope.bind(name.text, Const(seat, type=PLAYER, span=name.span), name.span)
    options: list[tuple[str, model.Expr]] = []
    lines: list[model.TestLine] = []
    for each in line.body:
        if isinstance(each, tree.SetOption):
            option = set_option(each.name, each.value, scope)
            if option is not None:
                options.append(option)
        elif not isinstance(each, tree.TestPlayers | tree.TestWith):
            lines.extend(_line(each, scope, verbs))
    known = tuple(v.text for v in variants if v.text in rings)
    return model.Test(line.title, tuple(n.text for n in names), known, tuple(options), tuple(lines), span=line.span)


def _line(
    line: (
        tree.RunSetup
        | tree.Given
        | tree.GivenLaid
        | tree.GivenKnown
        | tree.Chance
        | tree.Start
        | tree.Plays
        | tree.Expect
        | tree.ExpectCan
        | tree.ExpectCannot
        | tree.ExpectKnows
        | tree.ExpectFinding
    ),
    scope: Scope,
    verbs: Verbs,
) -> Iterator[model.TestLine]:
    span = line.span
    match line:
        case tree.RunSetup():
            yield model.RunSetup(span=span)
        case tree.Given(target=target, things=things):
            symbol = scope.symbol(target.name)
            if isinstance(symbol, model.Variable):
                value = named(target.name, target, scope, None)
                if len(things) != 1:
                    scope.complain("R204", f"`{target.name}` has one value", span)
                elif isinstance(value, model.VariableValue):
                    nothing = tree.Special("none", span=things[0].span)  # also `empty`: nobody stands there
                    given = wanted(nothing if _is_nothing(things[0]) else things[0], scope, symbol.domain.type)
                    yield model.GivenVariable(symbol.name, value.owner, given, span=span)
            elif isinstance(symbol, model.Grid):
                content = named(target.name, target, scope, None)
                if isinstance(content, model.ZoneContent) and any(map(_is_nothing, things)):
                    place = model.Spot(symbol.name, content.owner, span=target.span)
                    yield model.GivenZone(place, _things(things, None, scope), span=span)
                elif isinstance(content, model.ZoneContent):
                    scope.complain(
                        "R204",
                        f"`{target.span.text}` is a grid: say on which of its cells",
                        span,
                        help=f"write the cells of each: `given {target.span.text}: [1] on e6 e7`",
                    )
            elif target.name == model.BOX and any(map(_is_nothing, things)):
                scope.complain(
                    "R204",
                    "the box cannot be emptied: what is in no zone lies in it",
                    span,
                    help="name the zones where its components are to lie",
                )
            else:
                if symbol is None:
                    scope.could_be(target.name, scope.names_of(model.Zone, model.Grid, model.Variable))
                place, kind = spot(target, scope)
                yield model.GivenZone(place, _things(things, kind, scope), span=span)
        case tree.GivenLaid():
            yield from placing.given_laid(line, scope)
        case tree.GivenKnown(player=player, what=what):
            if _is_nothing(what):
                scope.complain(
                    "R204",
                    "a test says which components a player knows, and here are none",
                    what.span,
                    help="take this line out: setting up teaches nobody what they cannot see",
                )
            else:
                yield model.GivenKnown(_player(player, scope), _components(what, scope), span=span)
        case tree.Chance(things=things):
            yield model.Chance(tuple(expression(t, scope) for t in things), span=span)
        case tree.Start(step=step):
            call = step_call(step, scope, "start")
            if call is not None:
                yield model.Start(*call, span=span)
        case tree.Plays(player=player, act=act):
            yield _act(player, act, scope, verbs)
        case tree.Expect(condition=condition):
            yield model.Expect(truth(condition, scope), span=span)
        case tree.ExpectKnows(player=player, negated=negated, what=what):
            said = Span(span.source, player.span.start, what.span.end)
            knows = model.Knows(_player(player, scope), _components(what, scope), type=TRUTH, span=said)
            yield model.Expect(negate_if(negated, knows, said), span=span)
        case tree.ExpectCan(player=player, acts=acts):
            yield model.ExpectCan(tuple(_act(player, a, scope, verbs) for a in acts), span=span)
        case tree.ExpectCannot(player=player, act=act, reason=why):
            yield model.ExpectCannot(_act(player, act, scope, verbs), why, span=span)
        case tree.ExpectFinding(code=code, text=text):
            if code.text not in CODES:
                help = did_you_mean(code.text, CODES, "write one that `rulesrun check` shows; `rulesrun explain` lists all")
                scope.complain("R204", f"`{code.text}` is no code", code.span, help=help)
            yield model.ExpectFinding(code.text, text or "", span=span)
        case _:
            assert_never(line)


def _is_nothing(thing: tree.Expression) -> bool:
    return isinstance(thing, tree.Special) and thing.word in ("none", "empty")


def _things(things: tuple[tree.Expression, ...], kind: Type | None, scope: Scope) -> tuple[model.Expr, ...]:
    """What a zone of a kind (the box: of any) is given, from the top; `none` or `empty` alone is nothing."""
    for thing in filter(_is_nothing, things):
        if len(things) > 1:
            scope.complain("R204", f"`{thing.span.text}` stands alone", thing.span, help="name the components, or write `empty`")
        return ()
    if kind is None:
        return tuple(_components(t, scope) for t in things)
    return tuple(wanted(t, scope, kind.set if isinstance(t, tree.Pick) and t.all else kind) for t in things)


def _player(name: tree.Name, scope: Scope) -> model.Expr:
    return wanted(tree.Ref(name.text, span=name.span), scope, PLAYER)


def _components(what: tree.Expression, scope: Scope) -> model.Expr:
    """A set of components, of which a player may know where they are."""
    found = as_set(expression(what, scope), scope)
    if found.type.base not in ("component", "unknown"):
        scope.complain("R204", f"a player knows where components are; this is {found.type}", what.span)
        return unclear(what.span)
    return found


def _act(player: tree.Name, act: tree.Act, scope: Scope, verbs: Verbs) -> model.Act:
    who = _player(player, scope)
    if act.verb.text not in verbs:
        scope.unknown(act.verb.text, act.verb.span, "choice", set(verbs))
    elif act.arguments and not any(verbs[act.verb.text]):
        scope.complain(
            "R206",
            f"`{act.verb.text}` takes nothing more",
            act.span,
            help=f"a test names a choice by its verb: `{act.verb.text}`",
        )
        return model.Act(who, act.verb.text, (), span=act.span)
    taken = tuple(_taken(a, {noun for nouns in verbs.get(act.verb.text, ()) for noun in nouns}, scope) for a in act.arguments)
    return model.Act(who, act.verb.text, taken, span=act.span)


def _taken(argument: tree.Expression, nouns: set[str], scope: Scope) -> model.Expr:
    """What an act is done with. ``nouns``: of all that its verb takes, so ``[5]`` is of the one kind that it can be; but a word
    that is free (``play a treasure from hand of player``) does not say of which kind."""
    cell = placing.named_in_act(argument, scope)
    if cell is not None:
        return cell
    several = {plural(kind): kind for kind in scope.names_of(model.Kind)}
    nouns = {several.get(noun, noun) for noun in nouns}
    free = any(noun not in NO_KINDS and scope.type_named(noun) is None for noun in nouns)
    kinds = kinds_of(argument, nouns, scope) if isinstance(argument, tree.Pick) and not free else []
    if isinstance(argument, tree.Ref) and not argument.arguments and isinstance(scope.symbol(argument.name), model.Kind):
        kinds = [scope.component(argument.name)]  # of which there is one sort
    return expression(argument, scope, kinds[0] if len(kinds) == 1 else None)


def verbs_of(whole: tree.Tree) -> Verbs:
    """The verbs of all options in a file, and the nouns of what each takes."""
    found: Verbs = {}
    for line in lines_within((whole.declarations, whole.variants)):
        if isinstance(line, tree.Option):
            arguments = line.arguments
            nouns = ("cell",) if isinstance(arguments, tree.Placing) else tuple(argument.noun.text for argument in arguments)
            found.setdefault(line.verb.text, set()).add(nouns)
            several = () if isinstance(arguments, tree.Placing) else arguments
            if any(isinstance(each, tree.Several) and (each.count is None or each.up_to) for each in several):
                found.setdefault(ENOUGH, set()).add(())
        elif isinstance(line, tree.Auction):
            for verb, takes in (("bid", len(line.bids)), ("pass", 0), ("pay", 1)):
                found.setdefault(verb, set()).add(("",) * takes)
    return found
