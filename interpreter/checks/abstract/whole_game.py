"""The values that counters and markers can have at any time in a game, whatever the order of its lines.

This analysis ignores the flow: it computes the least ranges that contain all values at the beginning and all values that lines
set, if the lines can be executed at all. A line whose condition fails for all values in these ranges is never executed, so what
it sets does not count. A marker that is set only while it is already set therefore keeps its first value, and a condition that
asks for any other value always fails. Where the abstract interpreter knows nothing more about a counter (see
`AbstractState.forget`), the counter still lies in its range here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import assert_never

from attrs import define, field, frozen

from ...common.intervals import Interval, join, meet
from ...common.source import Span
from ...model import model
from ...model.effects import Movement, Setting, Simple, effect_of
from ...model.model import Body, Expr, Type, Var
from ...table.table import Variable
from ..dataflow.effects import kind_of
from .domain.states import AbstractState, Ground, Index, beginning, box_of, held_in
from .domain.values import MOST, NO, NOBODY, NUMBER, TRUTH, YES, AbstractValue, Cells, Group, Members, Place, one_of
from .evaluation.evaluator import Evaluator
from .evaluation.narrowing import where

ROUNDS_LIMIT = 3  # what still grows after so many can be anything of its type
THINGS = ("component", "cell", "region", "way")  # types of what lies somewhere


@frozen
class WholeGame:
    """``ranges``: by the name of each counter and marker, what it can ever be for each owner. ``empty``: the places in which
    nothing ever lies. ``done``: the steps that can be done, those of triggers among them."""

    ranges: dict[str, dict[Index, Interval]]
    empty: frozenset[Place]
    done: frozenset[str]


def overall(ground: Ground) -> WholeGame:
    """What is so in all positions of all games at a table."""
    at = beginning(ground)
    for kind, places in ground.places.items():
        for place in places:
            at.content[place] = 0, ground.table.kinds[kind].bits if at.content[place][1] else 0
    found = Overall(at, Evaluator(ground.table), (), {kind.name: kind.bits for kind in ground.table.kinds.values()})
    found.settle()
    ranges = {name: {index: found.at.variables[index] for index in known} for name, known in ground.unknown.items()}
    return WholeGame(ranges, frozenset(place for place, (_, most) in at.content.items() if not most), frozenset(found.done))


def steps_done(ground: Ground) -> frozenset[str]:
    """The steps that can be done, asking for nothing that depends on the options of a game (see `overall_of_markers`)."""
    return frozenset(overall_of_markers(ground, (), every_entry=False).done)


def overall_of_markers(ground: Ground, counters: Iterable[str], every_entry: bool = True) -> Overall:
    """The values of counters and markers, as far as they follow without anything that depends on the options of a game.

    Ignored are how many components there are, what lies where, and what stands in tables. So the result is true at all tables
    with as many players and the same variants. Whether a trigger fires depends on the components, so every trigger counts as
    possible.

    ``counters``: those whose range no option gives. Of the others, and of options, nothing is known.
    """
    at = beginning(ground)
    at.content = {place: (0, MOST) if most else NO for place, (_, most) in at.content.items()}
    known = {*counters}
    for variable in ground.table.variables.values():
        if variable.form == "option" or (variable.type == model.NUMBER and variable.name not in known):
            for index in ground.unknown[variable.name]:
                at.variables[index] = NUMBER if variable.type.base == "number" else ground.unknown[variable.name][index]
    entered = tuple(step.body for step in ground.table.steps.values() if step.entered is not None and every_entry)
    found = Overall(at, _OfMarkers(ground.table), entered, dict.fromkeys(ground.places, MOST))
    found.settle()
    return found


@define(eq=False)
class Overall:
    """``at``: holds all positions of a game, as far as they have been found; of places it says only which can hold anything.

    ``besides``: what can be done beside the course of the game. ``most``: of each kind, how many there can be. ``done``: the
    steps that have been gone through in this round. ``open``: by identity, the conditions that can hold (or fail) for what has
    been found, so for all that will be. ``reached``: the conditions that are asked, by their places."""

    at: AbstractState
    evaluator: Evaluator
    besides: tuple[Body, ...]
    most: Mapping[str, int]
    done: set[str] = field(factory=set)
    open: set[tuple[int, bool]] = field(factory=set)
    reached: dict[Span, Expr] = field(factory=dict)
    changed: bool = True
    rounds: int = 0

    @property
    def ground(self) -> Ground:
        return self.at.ground

    def settle(self) -> None:
        with self.evaluator.unsure():
            while self.changed:
                self.changed = False
                self.done.clear()
                for body in (*(step.body for step in self.ground.table.flow), *self.besides):
                    self.body(body)
                self.rounds += 1

    def body(self, body: Body) -> None:
        for line in body:
            self.line(line)

    def line(self, node: model.Statement) -> None:
        if isinstance(node, Simple):
            self.simple(node)
            return
        match node:
            case model.If(condition=condition, then=then, otherwise=otherwise):
                for holds, body in ((True, then), (False, otherwise)):
                    if body and self.can_be(node, (condition,), holds):
                        self.body(body)
            case model.Do(step=name, args=args):
                step = self.ground.table.steps[name]
                for parameter, value in zip(step.parameters, args, strict=True):
                    self.name(parameter, value)
                if name not in self.done:
                    self.done.add(name)
                    self.body(step.body)
            case model.Choose(options=options, impossible=impossible):
                for option in options:
                    if self.is_offered(option):
                        self.body(option.body)
                self.body(impossible or ())
            case model.ForEach(var=var, members=members, body=body):
                if self.takes_one_of(var, members):
                    self.body(body)
            case model.Repeat(until=until, body=body, otherwise=otherwise):
                if self.can_be(node, (until,), False):
                    self.body(body)
                    self.body(otherwise or ())
            case model.RepeatTimes(times=times, body=body):
                if self.evaluator.number(times, self.at)[1] > 0:
                    self.body(body)
            case model.TakeTurns(var=var, until=until, body=body):
                self.stands_for(var, (0, self.ground.table.players - 1))
                if self.can_be(node, (until,), False):
                    self.body(body)
            case model.NamedBlock(body=body):
                self.body(body)
            case _:
                assert_never(node)

    def simple(self, node: Simple) -> None:
        effect = effect_of(node)
        for var, value in effect.names:
            self.name(var, value)
        for setting in effect.sets:
            self.set_variable(setting)
        for move in effect.moves:
            self.comes(move)

    def can_be(self, node: model.Node, conditions: Collection[Expr], holds: bool = True) -> bool:
        """Whether the conditions of a line can hold together, or fail, in a position of this game."""
        key = id(node), holds
        if key not in self.open:
            self.reached.update({condition.span: condition for condition in conditions})
            here = self.at.copy()
            if not all(where(condition, holds, here, self.evaluator) for condition in conditions):
                return False
            self.open.add(key)
        return True

    def is_offered(self, option: model.Option) -> bool:
        for argument in option.arguments:
            match argument.source:
                case None if argument.var.type.base in ("player", "word"):
                    self.stands_for(argument.var, (0, self.ground.size(argument.var.type) - 1))
                case None:
                    pass
                case (low, high):
                    least, most = self.evaluator.number(low, self.at)[0], self.evaluator.number(high, self.at)[1]
                    if least > most:
                        return False
                    self.stands_for(argument.var, (least, most))
                case source:
                    if not self.takes_one_of(argument.var, source):
                        return False
        return self.can_be(option, [each.test for each in option.surely if not each.laid])

    def takes_one_of(self, var: Var, members: model.Typed) -> bool:
        """Whether there can be anything in a set; a name stands for one of its members."""
        key = id(members), True
        if key in self.open and members.type.base in THINGS:
            return True
        found = self.evaluator.value(members, self.at)
        if isinstance(found, Members) and found.maybe:
            listed = list(found.listed)
            self.stands_for(var, (listed[0], listed[-1]))
        if not isinstance(found, tuple) and found.count[1] <= 0:
            return False
        self.open.add(key)
        return True

    def name(self, var: Var, value: Expr) -> None:
        """A name is given to a value; of components and cells nothing is kept, since they go elsewhere."""
        if var.type.base not in THINGS:
            self.stands_for(var, self.evaluator.value(value, self.at))

    def stands_for(self, var: Var, value: AbstractValue) -> None:
        known = self.at.names.get(var)
        grown = value if known is None else one_of([known, value])
        if grown != known:
            self.at.names[var] = grown if self.rounds < ROUNDS_LIMIT else self.evaluator.anything(var.type, self.at)
            self.changed |= self.at.names[var] != known

    def set_variable(self, node: Setting) -> None:
        variable, of_all = self.ground.table.variables[node.name], self.ground.unknown[node.name]
        if all(self.at.variables[index] == known for index, known in of_all.items()):
            return
        value, owner = self.evaluator.value(node.value, self.at), (NOBODY, NOBODY)
        if node.owner is not None and not of_components(variable):
            owner = self.evaluator.number(node.owner, self.at)
        domain = self.ground.domain(variable)
        stored = meet(value, domain) if isinstance(value, tuple) and variable.type.base != "component" else domain
        for index, known in of_all.items():
            before = self.at.variables[index]
            if stored is None or meet(before, stored) == stored or not owner[0] <= index[1] <= owner[1]:
                continue
            self.at.variables[index] = join(before, stored) if self.rounds < ROUNDS_LIMIT else known
            self.changed = True

    def comes(self, move: Movement) -> None:
        """Components go somewhere, if there can be any."""
        kind, source = kind_of(move, self.ground.table), move.source
        if move.what is not None and self.evaluator.count(move.what, self.at)[1] <= 0:
            return
        if source is not None and not any(
            self.at.content[place][1] for place in self.evaluator.spots(source.zone, None, True, self.at)
        ):
            return
        if source is not None and not move.place:
            self.fill(kind, held_in((source.zone, NOBODY))[0])
        else:
            self.fill(kind, f"{kind} on {move.grid}" if move.grid else move.place)

    def fill(self, kind: str, zone: str) -> None:
        """Components of a kind can come into a zone, or the box."""
        for place in self.ground.places[kind]:
            is_there = place[0] == zone or (place == box_of(kind) and zone not in self.ground.table.zones)
            if is_there and self.at.content[place] == NO:
                self.at.content[place] = 0, self.most[kind]
                self.changed = True


def of_components(variable: Variable) -> bool:
    """Whether a counter or marker belongs to components."""
    return variable.owner is not None and variable.owner.base == "component"


class _OfMarkers(Evaluator):
    """Answers only what follows from markers, counters, players and words, and from zones into which nothing ever comes."""

    def value(self, node: model.Typed, at: AbstractState) -> AbstractValue:
        if node.type.base in THINGS:
            return Group(node.type.of, NO, {}, 0) if self.is_empty(node, at) else self.anything(node.type, at)
        match node:
            case model.Compare(op="=", left=left, right=right) if left.type.base == "component" and left.type.is_set:
                empty = [self.count(side, at) == NO for side in (left, right)]
                return YES if all(empty) else TRUTH
            case model.Some(of=of) | model.Count(of=of):
                return super().value(node, at)
            case model.Const() | model.VarValue() | model.VariableValue() | model.Not() | model.Logic() | model.Apply():
                return super().value(node, at)
            case model.Arithmetic() | model.Cases() | model.SetOf() | model.Join() | model.Without():
                return super().value(node, at)
            case model.Compare(left=left, right=right) if left.type.base not in THINGS and right.type.base not in THINGS:
                return super().value(node, at)
            case model.IsIn(of=of) if of.type.base not in THINGS:
                return super().value(node, at)
            case model.Filter(of=of) | model.First(of=of) | model.AnyOf(of=of) | model.RandomOf(of=of) if (
                of.type.base not in THINGS
            ):
                return super().value(node, at)
            case _:
                return self.anything(node.type, at)

    def is_empty(self, node: model.Typed, at: AbstractState) -> bool:
        """Whether there is surely nothing in a set, since it lies in zones into which nothing ever comes."""
        match node:
            case model.Const(value=value):
                return node.type.is_set and value == 0
            case model.ZoneContent(zone=zone):
                return node.type.base == "component" and all(
                    at.content[place] == NO for place in self.spots(zone, None, True, at)
                )
            case model.Filter(of=of) | model.Without(left=of) | model.AnyOf(of=of):
                return self.is_empty(of, at)
            case model.Join(left=left, right=right):
                return self.is_empty(left, at) and self.is_empty(right, at)
            case _:
                return False

    def anything(self, type: Type, at: AbstractState) -> AbstractValue:
        match type.base:
            case "component":
                return Group(type.of, (0, MOST), {}, 0)
            case "cell" | "region" | "way":
                return Cells((0, MOST), type.of)
            case _:
                return super().anything(type, at)
