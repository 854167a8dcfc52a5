"""Lets triggers, the steps that are done by themselves, be done right after every move that can fit.

``whenever a card with kind king enters hand of player``, for a set, for one card and for a draw::

    move every lot to hand of ada        ->  move every lot to hand of ada as moved
                                             for each card in moved with kind king: do whenever ... of card for ada
    move card to hand of ada             ->  move card to hand of ada
                                             if kind of card is king: do whenever ... of card for ada
    draw 3 from deck to hand of ada      ->  repeat 3 times
                                                 draw 1 from deck to hand of ada as card
                                                 if kind of card is king: do whenever ... of card for ada

A move after which it cannot run, because the zone is another or no face that may move fits, stays as it is. A trigger whose
body can bring about that it runs again would have no end: it is refused, with the whole circle.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from attrs import evolve, field, frozen

from ...common.graphs import in_circles
from ...common.source import Span
from ...model import model
from ...model.effects import effect_of, effects_of, is_statement
from ...model.model import NUMBER, TRUTH, Body, Const, Expr, Var
from ...model.visitor import is_shuffled_in, substituted, walk_statements, with_bodies, with_following
from ..table import Kind
from .fold import Settled, start_of

KEPT = 1024  # names of what moves, of the games that were read last


def with_triggers(steps: tuple[model.Step, ...], settled: Settled) -> tuple[model.Step, ...]:
    """The steps of a table, with triggers last and done after moves; a circle is R240."""
    triggers = tuple(_Trigger(step, step.entered, step.fitting) for step in steps if step.entered and step.fitting)
    if not triggers:
        return steps
    whole = (*(step for step in steps if step.entered is None), *(trigger.step for trigger in triggers))
    moving = _Moving(triggers, settled, _values_of_names(whole))
    found = tuple(with_bodies(step, moving.after_moves) for step in whole)
    _circles(found, {t.name: t for t in triggers}, settled)
    return found


@frozen(eq=False)
class _Trigger:
    """A step that is done by itself."""

    step: model.Step
    entered: model.Spot
    condition: Expr

    @property
    def name(self) -> str:
        return self.step.name

    @property
    def span(self) -> Span:
        return self.step.span

    @property
    def component(self) -> Var:
        return self.step.parameters[0]

    @property
    def owners(self) -> tuple[Var, ...]:
        return self.step.parameters[1:]


# ---- What can move


def _values_of_names(steps: tuple[model.Step, ...]) -> dict[Var, Expr]:
    """What the names of components and of sets of them stand for: members of a set, or the value of a `let`."""
    found: dict[Var, Expr] = {}
    for step in steps:
        for _, effect in effects_of(walk_statements(step.body)):
            found.update((*effect.names, *effect.gathers))
    return found


@frozen(eq=False)
class _Moving:
    """Which faces can move, and what is done after a move.

    ``names``: what names stand for. ``known``: the faces that fit a trigger, by its name, once they have been asked for.
    ``made``: how many names were made for a line.
    """

    triggers: tuple[_Trigger, ...]
    settled: Settled
    names: dict[Var, Expr]
    known: dict[str, int] = field(factory=dict)
    made: dict[Span, int] = field(factory=dict)

    def after_moves(self, body: Body) -> Body:
        """A body with the triggers that its moves can set off."""
        found: list[model.Statement] = []
        waiting: Body = ()
        for line, following in with_following(body):
            if isinstance(line, model.Move):
                fitting = self.fitting(line.to.zone, self.faces(line.what))
                done, then = self.moved(line, fitting) if fitting else ((line,), ())
                found += done
                if is_shuffled_in(line, following):
                    waiting = then  # `shuffle ... into ...` is one statement: both halves come first
                else:
                    found += then
            elif isinstance(line, model.Draw):
                fitting = self.fitting(line.to.zone, ~0)
                found += self.drawn(line, fitting) if fitting else (line,)
            else:
                found += (line, *waiting)
                waiting = ()
        return tuple(found)

    def fitting(self, zone: str, faces: int) -> list[_Trigger]:
        """The triggers that some of these faces can set off when they come into a zone."""
        return [trigger for trigger in self.triggers if trigger.entered.zone == zone and self.noticed(trigger) & faces]

    def moved(self, move: model.Move, triggers: list[_Trigger]) -> tuple[Body, Body]:
        """A move, with what must be settled before it, and what comes after it."""
        settling, to = self.settled_spot(move.to)
        named: Expr
        if isinstance(move.what, model.VarValue):
            named, moving = move.what, evolve(move, to=to)
        else:
            var = self.var("moved" if move.what.type.is_set else move.what.type.of, move.what.type, move.span)
            named = model.VarValue(var, type=var.type, span=move.what.span)
            moving = evolve(move, to=to, moved=var)
        after = self.each if named.type.is_set else _one
        return (*settling, moving), tuple(after(trigger, named, to) for trigger in triggers)

    def drawn(self, draw: model.Draw, triggers: list[_Trigger]) -> Body:
        """A draw, one by one, each with what comes after it."""
        settling, to = self.settled_spot(draw.to)
        before, source = self.settled_spot(draw.source)
        kind = triggers[0].component.type
        var = self.var(kind.of, kind, draw.span)
        named = model.VarValue(var, type=kind, span=draw.span)
        one = evolve(draw, count=Const(1, type=NUMBER, span=draw.count.span), source=source, to=to, moved=var)
        turn = (one, *(_one(trigger, named, to) for trigger in triggers))
        if isinstance(draw.count, Const) and draw.count.value == 1:
            return (*settling, *before, *turn)
        return (*settling, *before, model.RepeatTimes(draw.count, turn, span=draw.span))

    def each(self, trigger: _Trigger, moved: Expr, to: model.Spot) -> model.Statement:
        """The trigger of each member of a set that has moved, in the order of the list."""
        members, component = moved, trigger.component
        if not isinstance(trigger.condition, Const):
            one = self.var(component.name, component.type, trigger.span)
            values = _arguments(trigger, model.VarValue(one, type=one.type, span=trigger.span), to)
            condition = substituted(trigger.condition, values)
            members = model.Filter(moved, one, condition, type=moved.type, span=trigger.span)
        var = self.var(component.name, component.type, trigger.span)
        thing = model.VarValue(var, type=var.type, span=trigger.span)
        return model.ForEach(var, members, None, (_done(trigger, thing, to),), span=trigger.span)

    def settled_spot(self, spot: model.Spot) -> tuple[Body, model.Spot]:
        """A place whose owner stays the same whatever a move and its triggers change, and what settles it."""
        owner = spot.owner
        if isinstance(owner, model.Index):
            settled = [self.settled_spot(evolve(spot, owner=part)) for part in owner.parts]
            parts = tuple(part.owner for _, part in settled if part.owner is not None)
            return tuple(line for lines, _ in settled for line in lines), evolve(spot, owner=evolve(owner, parts=parts))
        if owner is None or isinstance(owner, model.VarValue | Const):
            return (), spot
        var = self.var("whose", owner.type, owner.span)
        named = model.VarValue(var, type=var.type, span=owner.span)
        return (model.Let(var, owner, span=owner.span),), evolve(spot, owner=named)

    def var(self, name: str, type: model.Type, span: Span) -> Var:
        """A name that nothing else has at this table; the same at others, so that what is done there is seen to be equal."""
        number = self.made[span] = self.made.get(span, 0) + 1
        return _var(name, type, span, number)

    # -- faces, as bits

    def noticed(self, trigger: _Trigger) -> int:
        """The faces that may fit a trigger."""
        if trigger.name not in self.known:
            self.known[trigger.name] = self.those(~0, trigger.component, trigger.condition)
        return self.known[trigger.name]

    def kind(self, type: model.Type) -> Kind:
        return self.settled.kinds[type.of]

    def those(self, faces: int, var: Var, condition: Expr) -> int:
        """Those of some faces for which a condition does not surely fail."""
        kept = 0
        for face in range(len(self.kind(var.type).faces)):
            thing = Const(face, type=var.type, span=condition.span)
            holds = self.settled.fold(substituted(condition, {var: thing}))
            kept |= 0 if isinstance(holds, Const) and not holds.value else 1 << face
        return faces & kept

    def faces(self, what: Expr) -> int:
        """The faces that a component, or the members of a set, may have."""
        match what:
            case Const(value=value) if not what.type.is_set:
                return 1 << value if value >= 0 else 0
            case Const(value=value):
                kind = self.kind(what.type)
                return _any(1 << face for face in range(len(kind.faces)) if value >> start_of(kind, face) & 1)
            case model.VarValue(var=var):
                for trigger in self.triggers:
                    if trigger.component is var:
                        return self.noticed(trigger)
                return self.faces(self.names[var]) if var in self.names else ~0
            case model.Filter(of=of, var=var, condition=condition):
                return self.those(self.faces(of), var, condition)
            case model.Best(of=of) | model.AnyOf(of=of) | model.RandomOf(of=of):
                return self.faces(of)
            case model.Join(left=left, right=right):
                return self.faces(left) | self.faces(right)
            case model.SetOf(members=members):
                return _any(self.faces(member) for member in members)
            case model.Cases(cases=cases, otherwise=otherwise):
                return _any((self.faces(otherwise), *(self.faces(value) for _, value in cases)))
            case _:
                return ~0


def _any(found: Iterator[int] | tuple[int, ...]) -> int:
    result = 0
    for faces in found:
        result |= faces
    return result


@lru_cache(maxsize=KEPT)
def _var(name: str, type: model.Type, span: Span, number: int) -> Var:
    return Var(name, type)


# ---- What is done


def _one(trigger: _Trigger, thing: Expr, to: model.Spot) -> model.Statement:
    """The trigger of one component that has moved (or of none)."""
    span = trigger.span
    test = substituted(trigger.condition, _arguments(trigger, thing, to))
    if thing.type.optional:
        none = model.Compare("=", thing, Const(-1, type=thing.type, span=span), type=TRUTH, span=span)
        test = model.Logic("and", model.Not(none, type=TRUTH, span=span), test, type=TRUTH, span=span)
    done = _done(trigger, evolve(thing, type=trigger.component.type), to)
    return done if isinstance(test, Const) else model.If(test, (done,), (), span=span)


def _arguments(trigger: _Trigger, thing: Expr, to: model.Spot) -> dict[Var, Expr]:
    found = {trigger.component: thing}
    parts = to.owner.parts if isinstance(to.owner, model.Index) else (to.owner,)
    for var, part in zip(trigger.owners, parts, strict=False):
        if part is not None:
            found[var] = evolve(part, type=var.type)
    return found


def _done(trigger: _Trigger, thing: Expr, to: model.Spot) -> model.Do:
    return model.Do(trigger.name, tuple(_arguments(trigger, thing, to).values()), span=trigger.span)


# ---- Circles


def _circles(steps: tuple[model.Step, ...], triggers: dict[str, _Trigger], settled: Settled) -> None:
    """Triggers that can set themselves off, by the shortest way; one that stands in a circle already shown is not said again."""
    calls = {step.name: tuple(_calls(step.body, triggers)) for step in steps}
    circling = in_circles({name: [callee for callee, _ in found] for name, found in calls.items()})
    said: set[str] = set()
    for name, trigger in triggers.items():
        way = _way_back(name, calls) if name in circling and name not in said else ()
        if not way:
            continue
        said |= {callee for callee, _ in way}
        places = [(span, f"sets off `{callee}`" if callee in triggers else f"does `{callee}`") for callee, span in way]
        settled.complain(
            "R240",
            "this trigger can set itself off again",
            trigger.span,
            *places,
            help=f"the circle is {' -> '.join((name, *(callee for callee, _ in way)))}",
        )


def _way_back(name: str, calls: dict[str, tuple[tuple[str, Span], ...]]) -> tuple[tuple[str, Span], ...]:
    """The shortest way from a step to itself: what is done, each with its line; empty when there is none."""
    ways: dict[str, tuple[tuple[str, Span], ...]] = {name: ()}
    todo = [name]
    for step in todo:
        for callee, span in calls[step]:
            way = (*ways[step], (callee, span))
            if callee == name:
                return way
            if callee not in ways:
                ways[callee] = way
                todo.append(callee)
    return ()


def _calls(body: Body, triggers: dict[str, _Trigger]) -> Iterator[tuple[str, Span]]:
    """The steps that a body does, with the line that does them: for a trigger, the move before it."""
    move: Span | None = None
    for node in walk_statements(body):
        if is_statement(node) and any(each.to is not None for each in effect_of(node).moves):
            move = node.span
        elif isinstance(node, model.Do):
            yield node.step, move if node.step in triggers and move is not None else node.span
