"""The effects of whole bodies: which zones can gain or lose components, and which counters and markers can rise or fall.

What single statements do is declared in `model/effects.py`.
Everything is included that can happen in any game, so whatever is missing here surely does not happen. Where a named component
lies follows from where it was named. Components on a grid are listed under the name of the grid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from ...model import model
from ...model.effects import Movement, effect_of, effects_of, is_statement
from ...model.model import BOX, Body, Const, Expr, Var
from ...model.visitor import walk_statements
from ...table.table import Table

Zones = frozenset[str]
NOWHERE: Zones = frozenset()
ZONES = " zones"  # beside names of counters: any zone


@frozen
class Effects:
    """``gains``, ``loses``: the zones that can gain or lose components. ``rises``, ``falls``: the counters and markers that can
    become more or less; a marker that is set does both."""

    gains: Zones
    loses: Zones
    rises: frozenset[str]
    falls: frozenset[str]

    @property
    def changes(self) -> frozenset[str]:
        return self.gains | self.loses | self.rises | self.falls


@define(eq=False)
class PointsTo:
    """In which zones the components can lie that the names of a table stand for.

    ``bound``: what they were given for; ``named_in``: where something lay when it got its name; ``moved``: where it went by it.
    """

    table: Table
    bound: dict[Var, list[Expr]] = field(factory=lambda: defaultdict(list))
    named_in: dict[Var, set[str]] = field(factory=lambda: defaultdict(set))
    moved: dict[Var, set[str]] = field(factory=lambda: defaultdict(set))

    @classmethod
    def of(cls, table: Table) -> PointsTo:
        found = cls(table)
        for node in table.statements:
            found.note(node)
        return found

    def note(self, node: model.Node) -> None:
        if not is_statement(node):
            return
        if isinstance(node, model.Do):
            for var, value in zip(self.table.steps[node.step].parameters, node.args, strict=True):
                self.bound[var].append(value)
        effect = effect_of(node)
        for var, value in (*effect.names, *effect.gathers):
            self.bound[var].append(value)
        for move in effect.arrivals:
            if isinstance(move.what, model.VarValue):
                self.moved[move.what.var].add(self.place(move.place))
            if move.moved is not None:
                self.named_in[move.moved].add(self.place(move.place))

    def place(self, zone: str) -> str:
        return self.table.zones[zone].said if zone in self.table.zones else zone

    def taken_from(self, move: Movement) -> Zones:
        """Where the components that go somewhere can lie before."""
        if move.what is not None:
            return self.zones(move.what)
        return NOWHERE if move.source is None else frozenset({self.place(move.source.zone)})

    def zones(self, node: model.Typed, path: tuple[Var, ...] = ()) -> Zones:
        """Where a component, or the members of a set, can lie."""
        match node:
            case model.ZoneContent(zone=zone):
                return frozenset({self.place(zone)})
            case model.VarValue(var=var):
                if var in path:
                    return NOWHERE
                lay = [self.named_in[var], *(self.zones(value, (*path, var)) for value in self.bound[var])]
                return frozenset(self.moved[var]).union(*lay) if any(lay) else self.everywhere(node)
            case model.Filter(of=of) | model.Best(of=of) | model.AnyOf(of=of) | model.RandomOf(of=of) | model.Without(left=of):
                return self.zones(of, path)
            case model.Join(left=left, right=right):
                return self.zones(left, path) | self.zones(right, path)
            case model.SetOf(members=members):
                return NOWHERE.union(*(self.zones(member, path) for member in members))
            case model.Apply(define=name):
                return self.zones(self.table.defines[name].value, path)
            case _:
                return self.everywhere(node)

    def everywhere(self, node: model.Typed) -> Zones:
        """All zones and grids for components of its kind."""
        return frozenset(zone.said for zone in self.table.zones.values() if zone.kind == node.type.kind)


def everything_done(body: Body, table: Table) -> Iterator[model.Node]:
    """All that a body does, with what is done in steps that it does; no expressions."""
    seen: set[str] = set()
    todo: list[Body] = [body]
    while todo:
        for node in walk_statements(todo.pop()):
            yield node
            if isinstance(node, model.Do) and node.step not in seen:
                seen.add(node.step)
                todo.append(table.steps[node.step].body if node.step in table.steps else ())


def taken_from(option: model.Option) -> Iterator[Expr]:
    """The sets from which an option takes something."""
    for argument in option.arguments:
        if isinstance(argument.source, model.Typed) and argument.source.type.is_set:
            yield argument.source


@frozen
class Touched:
    """What a body can touch, with the steps that it does. ``kinds``: of components that it can move; ``variables``: counters and
    markers that it can set; ``sets``: names of sets to which it adds; ``leaves``: whether it can leave a step (``end ...``);
    ``conditions``: of its branches and options, and the sets of its loops and of what its options take."""

    kinds: frozenset[str]
    variables: frozenset[str]
    sets: frozenset[Var]
    leaves: bool
    conditions: tuple[Expr, ...]


def touched(body: Body, table: Table) -> Touched:
    kinds: set[str] = set()
    variables: set[str] = set()
    sets: set[Var] = set()
    leaves = False
    conditions: list[Expr] = []
    for node in everything_done(body, table):
        if is_statement(node):
            effect = effect_of(node)
            kinds.update(kind_of(move, table) for move in effect.moves)
            variables.update(each.name for each in effect.sets)
            sets.update(var for var, _ in effect.includes)
            leaves |= effect.leaves
        match node:
            case model.If(condition=condition):
                conditions.append(condition)
            case model.Option():
                conditions += (each.test for each in node.conditions)
                conditions += taken_from(node)
            case model.ForEach(members=members):
                conditions.append(members)
            case _:
                pass
    return Touched(frozenset(kinds), frozenset(variables), frozenset(sets), leaves, tuple(conditions))


def kind_of(move: Movement, table: Table) -> str:
    """The kind of the components that go somewhere."""
    if move.what is not None:
        return move.what.type.of
    assert move.source is not None
    return table.zones[move.source.zone].kind


def written(body: Body, table: Table) -> set[str]:
    """The counters and markers that statements may set, and whether they may move anything (`ZONES`)."""
    found = touched(body, table)
    return {*found.variables, *((ZONES,) if found.kinds else ())}


def effects(body: Body, lying: PointsTo) -> Effects:
    """What a body can change, with the steps that it does."""
    return _together(everything_done(body, lying.table), lying)


def _together(nodes: Iterable[model.Node], lying: PointsTo) -> Effects:
    gains: set[str] = set()
    loses: set[str] = set()
    rises: set[str] = set()
    falls: set[str] = set()
    for _, effect in effects_of(nodes):
        gains.update(lying.place(move.place) for move in effect.arrivals)
        loses = loses.union(*map(lying.taken_from, effect.moves))
        for each in effect.sets:
            change = _change(each.name, each.owner, each.value)
            if change >= 0:
                rises.add(each.name)
            if change <= 0:
                falls.add(each.name)
    return Effects(frozenset(gains - {BOX}), frozenset(loses - {BOX}), frozenset(rises), frozenset(falls))


def _change(name: str, owner: Expr | None, value: model.Typed) -> int:
    """1 where a counter is surely set to no less, -1 where to no more, else 0."""
    match value:
        case model.Arithmetic(op="+" | "-" as sign, left=model.VariableValue(name=of, owner=whose), right=right) if (
            of,
            whose,
        ) == (name, owner) and _is_positive(right):
            return 1 if sign == "+" else -1
        case _:
            return 0


def _is_positive(value: model.Typed) -> bool:
    """Whether a number is surely not below 0."""
    match value:
        case Const(value=number):
            return number >= 0
        case model.Count():
            return True
        case _:
            return False
