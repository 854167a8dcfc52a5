"""The meaning of each kind of statement: the one place where all kinds are listed.

Shorter ways of writing end here: ``add 1 to x`` becomes ``set x to x + 1``, ``pay 1 from a to b`` two of these, and ``shuffle S
into P`` moves and mixes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ....common.nouns import plural
from ....common.source import Span
from ....syntax import tree
from ....words.words import marked
from ... import model
from ...model import BOX, NUMBER, PLAYER, TRUTH, Body, Const, Expr, Type, Var
from ..expressions import expression, number, truth, wanted
from ..expressions.later import parts_of_position
from ..expressions.selecting import gone_through
from ..names.scope import Scope, unclear, variable
from ..names.types import as_set, of_something
from ..names.winning import WINNER
from . import auctions, dice, placing, selections, simultaneous
from .binding import body, statement
from .targets import change, held_by, order_of, spot, step_call, target_of
from .texts import told


@statement.register(tree.Statement)
def _meaning(line: tree.Statement, scope: Scope) -> Iterator[model.Statement]:
    span = line.span
    match line:
        case tree.Move(what=what, to=to):
            target = spot(to, scope)
            yield model.Move(_things(what, scope, target), target[0], span=span)
        case tree.Put():
            yield from placing.put(line, scope)
        case tree.Draw(count=count, source=source, to=to):
            pile, target = spot(source, scope, "pile"), spot(to, scope)
            if pile[1] is not None and target[1] is not None and not held_by(pile[1], target[1]):
                others = [kind for kind in pile[1].kinds if kind not in target[1].kinds]
                scope.complain("R204", f"`{to.name}` does not hold {plural(' or '.join(others))}", to.span)
            yield model.Draw(number(count, scope), pile[0], target[0], span=span)
        case tree.Remember(forget=forget):
            yield model.Remember(forget, () if forget else parts_of_position(scope, span), span=span)
        case tree.HoldBack(count=count, pile=pile_ref):
            yield model.HoldBack(number(count, scope), spot(pile_ref, scope, "pile")[0], span=span)
        case tree.Shuffle(what=what, pile=None):
            if isinstance(what, tree.Ref):
                yield model.Mix(spot(what, scope, "pile")[0], span=span)
            else:
                scope.complain("R204", "only a pile can be shuffled", what.span, help="write `shuffle ... into PILE`")
        case tree.Shuffle(what=what, pile=pile_name) if pile_name is not None:
            target = spot(pile_name, scope, "pile")
            yield model.Move(_things(what, scope, target), target[0], span=span)
            yield model.Mix(target[0], span=span)
        case tree.Swap():
            yield from _swap(line, scope)
        case tree.Reveal(what=what):
            yield from _shown(what, None, span, scope)
        case tree.Look(player=player, count=count_node, pile=pile_ref):
            looker = wanted(player, scope, PLAYER)
            many = Const(1, type=NUMBER, span=span) if count_node is None else number(count_node, scope)
            yield model.Peek(many, spot(pile_ref, scope, "pile")[0], looker, span=span)
        case tree.Show(what=what, to=seeing):
            yield from _shown(what, seeing, span, scope)
        case tree.Set(target=tree.Ref(name="owner", of=of)) if of is not None and "owner" not in scope.faults.misnamed:
            yield from placing.turn_over(line, of, scope)
        case tree.Roll():
            yield from dice.roll(line, scope)
        case tree.Set(target=target_name, value=value):
            declared, owner = target_of(target_name, scope)
            if declared is not None:
                yield model.SetVariable(declared.name, owner, wanted(value, scope, declared.domain.type), span=span)
        case tree.Add(amount=amount, target=target_name):
            yield from change(target_name, "+", number(amount, scope), span, scope)
        case tree.Take(amount=amount, target=target_name):
            yield from change(target_name, "-", number(amount, scope), span, scope)
        case tree.Pay(amount=amount_node, source=source, target=target_name):
            yield from _pay(amount_node, source, target_name, span, scope)
        case tree.Let(name=name, value=value):
            bound = of_something(expression(value, scope), scope)
            var = Var(name.text, bound.type)
            scope.bind(name.text, variable(var, name.span), name.span)
            scope.faults.lets.add(name.text)
            yield model.Let(var, bound, span=span)
        case tree.If(cases=cases):
            yield from _if(cases, span, scope)
        case tree.ForEach():
            yield from _for_each(line, scope)
        case tree.Repeat(until=until, times=times, at_most=at_most, body=lines, otherwise=otherwise):
            inner = body(lines, scope)
            if times is not None:
                yield model.RepeatTimes(number(times, scope), inner, span=span)
            elif until is not None:
                most = None if at_most is None else number(at_most, scope)
                rest = None if otherwise is None else body(otherwise, scope)
                yield model.Repeat(truth(until, scope), most, inner, rest, span=span)
        case tree.TakeTurns(start=start, among=among, until=until_node, body=lines):
            everybody = model.AllPlayers(type=PLAYER.set, span=span)
            taking = everybody if among is None else wanted(among, scope, PLAYER.set)
            first = Const(0, type=PLAYER, span=span) if start is None else wanted(start, scope, PLAYER)
            over = Const(0, type=TRUTH, span=span) if until_node is None else truth(until_node, scope)
            var = Var("player", PLAYER)
            inner_scope = scope.inner()
            inner_scope.bind("player", variable(var, span), span)
            yield model.TakeTurns(var, first, taking, over, body(lines, inner_scope), span=span)
        case tree.Do(step=step):
            found = step_call(step, scope)
            symbol = scope.symbol(step.name)
            if isinstance(symbol, model.Step) and symbol.form == "phase":
                scope.complain(
                    "R204",
                    f"`{step.name}` is a phase: phases run one after the other, in the order of the file",
                    step.span,
                    help="what is done by name is a `step` at the left margin",
                )
            elif found is not None:
                yield model.Do(*found, span=span)
        case tree.End(name=name):
            if name.text != "game" and name.text not in scope.around:
                around = ", ".join(("game", *reversed(scope.around)))
                scope.complain(
                    "R223",
                    f"this line is not inside a step or phase `{name.text}`",
                    name.span,
                    help=f"what can end here: {around}",
                )
            else:
                yield model.End(name.text, span=span)
        case tree.Wins(player=player):
            if player is not None:
                yield model.SetVariable(WINNER, None, wanted(player, scope, PLAYER), span=span)
            yield model.End("game", span=span)
        case tree.Nothing():
            return
        case tree.StepHere(name=name, body=lines):
            place = scope.places[name.text] = scope.place()
            inner_scope = scope.inner()
            inner_scope.around = (*scope.around, name.text)
            yield model.NamedBlock(name.text, body(lines, inner_scope), place, span=span)
        case tree.Choose(player=player, options=offered, if_impossible=impossible, goes_on=goes_on):
            chooser = wanted(player, scope, PLAYER)
            yield model.Choose(
                chooser,
                selections.options_of(offered, chooser, scope),
                None if impossible is None else body(impossible, scope),
                told(("the act goes on",), marked("the act goes on"), span) if goes_on else None,
                span=span,
            )
        case tree.Auction():
            yield from auctions.auction(line, scope)
        case tree.BidAgain():
            yield from auctions.bid_again(line, scope)
        case _:
            assert_never(line)  # type: ignore[arg-type]


def _things(what: tree.Expression, scope: Scope, target: tuple[model.Spot, Type | None]) -> Expr:
    """What is moved: a component or a set of them, of the kind that the target holds."""
    things = expression(what, scope, target[1])
    if isinstance(what, tree.Special) and what.word in ("none", "empty"):
        scope.complain("R204", "this moves nothing", what.span, help="say which components are moved, or leave the line out")
        return unclear(what.span)
    kind = things.type.member.base
    if kind == "cell":
        return placing.lying_on_cells(things, scope)
    if kind not in ("component", "unknown"):
        scope.complain("R204", f"only components can be moved; this is {things.type}", what.span)
        return unclear(what.span)
    if target[1] is not None and kind == "component" and not held_by(things.type, target[1]):
        held = [kind for kind in target[1].kinds if kind in things.type.kinds]
        help = f"move those that it can hold: `{held[0]} of {what.span.text}`" if held and isinstance(what, tree.Ref) else ""
        message = f"`{target[0].zone}` holds {plural(target[1].noun)}, and this is {things.type}"
        scope.complain("R204", message, what.span, help=help if things.type.is_set else "")
    return things


def _swap(line: tree.Swap, scope: Scope) -> Iterator[model.Statement]:
    """Two zones change their content: what lay in the first waits in a zone of its own, so all that is known of it goes along.

    ::

        swap hand of player with hand of other      move hand[player] to the middle
                                                    move hand[other] to hand[player]
                                                    move the middle to hand[other]
    """
    span = line.span
    zones: list[tuple[model.Spot, Expr]] = []
    for ref in (line.one, line.other):
        place, held = spot(ref, scope)
        declared = scope.symbol(place.zone)
        if held is None or not isinstance(declared, model.Zone):
            if ref.name == BOX:
                scope.complain("R204", "what lies in the box cannot be swapped", ref.span, help="swap what lies in two zones")
            return
        if declared.shape == "pile":
            scope.complain("R204", "a pile cannot be swapped", ref.span, help="swap two sets, or two slots")
            return
        owner = place.owner
        if owner is not None and not isinstance(owner, Const | model.VarValue):  # it may be another one after the first move
            var = Var("whose", owner.type)
            yield model.Let(var, owner, span=span)
            place = model.Spot(place.zone, variable(var, ref.span), span=ref.span)
        type = held.maybe if declared.shape == "slot" else held.set
        zones.append((place, model.ZoneContent(place.zone, place.owner, type=type, span=ref.span)))
    (first, lies_first), (second, lies_second) = zones
    if lies_first.type != lies_second.type or {*lies_first.type.kinds} != {*lies_second.type.kinds}:
        scope.complain(
            "R204",
            f"`{line.one.span.text}` and `{line.other.span.text}` do not hold the same",
            span,
            help="swap two sets, or two slots, of one kind",
        )
        return
    kind = lies_first.type.kind
    aside = scope.keep_aside(kind, span).name
    waiting = model.ZoneContent(aside, None, type=lies_first.type.required.set, span=span)
    yield model.Move(lies_first, model.Spot(aside, None, span=span), span=span)
    yield model.Move(lies_second, first, span=span)
    yield model.Move(waiting, second, span=span)


def _shown(what: tree.Expression, to: tree.Expression | None, span: Span, scope: Scope) -> Iterator[model.Statement]:
    """What some players (None: all) are shown: components where they lie, or a value."""
    things = of_something(expression(what, scope), scope)
    seeing = None
    if to is not None:
        seeing = expression(to, scope)
        if seeing.type.member != PLAYER:
            seeing = wanted(to, scope, PLAYER)
    if isinstance(things, model.RandomOf | model.RandomNumber):
        var = Var(" shown", things.type)
        yield model.Let(var, things, span=span)
        things = variable(var, things.span)
    yield model.Reveal(as_set(things, scope) if things.type.base == "component" else things, seeing, span=span)


def _pay(
    amount: tree.Expression | None, source: tree.Ref, target: tree.Ref, span: Span, scope: Scope
) -> Iterator[model.Statement]:
    declared, owner = target_of(source, scope)
    if declared is None:
        target_of(target, scope)
        return
    value: Expr
    if amount is None:
        value = model.VariableValue(declared.name, owner, type=declared.domain.type, span=source.span)
    else:
        value = number(amount, scope)
    if not isinstance(value, Const):  # as it is before anything changes
        var = Var(" paid", NUMBER)
        yield model.Let(var, value, span=span)
        value = model.VarValue(var, type=NUMBER, span=span)
    yield from change(source, "-", value, span, scope)
    yield from change(target, "+", value, span, scope)


# ---- Blocks


def _if(
    cases: tuple[tuple[tree.Expression | None, tuple[tree.Statement, ...]], ...], span: Span, scope: Scope
) -> Iterator[model.Statement]:
    bound = [(None if condition is None else truth(condition, scope), body(lines, scope)) for condition, lines in cases]
    found: Body = ()
    for condition, then in reversed(bound):
        found = then if condition is None else (model.If(condition, then, found, span=span),)
    yield from found


def _for_each(line: tree.ForEach, scope: Scope) -> Iterator[model.Statement]:
    span = line.span
    members = gone_through(line, scope)
    if isinstance(line.order, tree.AtOnce):
        yield from simultaneous.at_once(line, members, scope)
        return
    type = members.type.member
    order = order_of(line.order, type, scope)
    name = line.name or line.noun
    var = Var(name.text, type)
    inner = scope.inner()
    inner.bind(name.text, variable(var, name.span), name.span)
    yield model.ForEach(var, members, order, body(line.body, inner), span=span)
