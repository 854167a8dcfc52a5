"""Loops that never begin, and first choices without a legal option.

The course of the game is followed from the setup on, as far as it is certain: how many components are dealt, what counters are
set to. Whatever a choice, an uncertain condition or a loop may change is forgotten. A loop whose end holds as soon as it is
reached does nothing, and neither does a phase that consists of it. A choice without a legal option stops every game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from attrs import define, field

from ....common.diagnostics import Diagnostic, fault
from ....common.source import Span
from ....model import model
from ....model.effects import Movement, Simple, effect_of
from ....model.model import NUMBER, PLAYER, Const, Expr, Type, Var, to_roll
from ....model.visitor import substituted
from ....table.table import Table
from ...dataflow.effects import PointsTo, effects

TABLE = -1  # the owner of what is the table's
LINES_LIMIT = 5_000  # lines that are followed; the shipped games take less than 100, but nested loops multiply them
_Place = tuple[str, int]  # a zone, counter or marker, and the seat (from 0) of its owner


def beginnings(table: Table) -> Iterator[Diagnostic]:
    """A finding for a choice that surely leaves nothing to choose (R350), else one for the first loop that is over whenever it is
    reached (R351): others may be so because of it."""
    course = Course(table, PointsTo.of(table))
    for step in table.flow:
        course.follow(step.body, {})
    if course.stuck is not None:
        yield _stuck(course.stuck)
        return
    over = next((span for span, over in course.reached.items() if over), None)
    if over is not None:
        yield never_begins(over, "this is so from the start")


def never_begins(end: Span, label: str) -> Diagnostic:
    """The finding for a loop that is over before it begins."""
    return fault(
        "R351",
        "this loop never begins: its end holds as soon as it is reached",
        end,
        label=label,
        help="ask for the opposite, or let something change that before",
    )


def _stuck(choose: model.Choose) -> Diagnostic:
    options = [(option.span, f"`{option.verb}` is not allowed then") for option in choose.options]
    return fault(
        "R350",
        "when this is reached first, nothing can be chosen, and it does not say what happens then",
        choose.span,
        *options,
        label="it is reached in every game",
        help="loosen a condition, or add `if impossible: ...`",
    )


@define(eq=False)
class Course:
    """What is certain at a point of the course. ``sizes`` and ``values``: what is not in them is not known.

    ``reached``: the end of each loop, and whether it held whenever the loop was reached; not in the first round of another, for
    it may be reached again. ``stuck``: a choice of which no option is allowed, at which every game stops.
    """

    table: Table
    lying: PointsTo
    sizes: dict[_Place, int] = field(init=False)
    values: dict[_Place, int] = field(init=False)
    reached: dict[Span, bool] = field(factory=dict)
    stuck: model.Choose | None = None
    in_round: bool = False
    ended: bool = False
    followed: int = 0  # lines

    def __attrs_post_init__(self) -> None:
        zones, seats = self.table.zones.values(), range(self.table.players)
        owners: dict[Type | None, Iterable[int]] = {None: (TABLE,), PLAYER: seats}
        self.sizes = {(zone.name, owner): 0 for zone in zones if not zone.grid for owner in owners.get(zone.owner, ())}
        dice = {to_roll(kind): table_kind.bits for kind, table_kind in self.table.kinds.items()}
        self.sizes |= {(name, TABLE): count for name, count in dice.items() if name in self.table.zones}
        self.values = {}
        for variable in self.table.variables.values():
            if variable.range is not None and variable.owner in (None, PLAYER):
                start = max(0, variable.range.low)
                for owner in seats if variable.owner == PLAYER else (TABLE,):
                    self.values[variable.name, owner] = start

    # ---- Going on

    def follow(self, body: model.Body, names: Mapping[Var, int]) -> None:
        """``names``: the players that names stand for."""
        for line in body:
            if self.ended:
                return
            self.followed += 1
            if self.followed > LINES_LIMIT:
                self.reached.clear()  # what would still come is not known
                self.ended = True
                return
            self.line(line, names)

    def line(self, line: model.Statement, names: Mapping[Var, int]) -> None:
        if isinstance(line, Simple):
            self.simple(line, names)
            return
        match line:
            case model.NamedBlock(body=body):
                self.within(body, names)
            case model.Do(step=name, args=args):
                step = self.table.steps[name]
                self.within(tuple(substituted(s, dict(zip(step.parameters, args, strict=True))) for s in step.body), names)
            case model.If(condition=condition, then=then, otherwise=otherwise):
                holds = self.value(condition, names)
                if holds is None:
                    self.forget((line,))
                else:
                    self.follow(then if holds else otherwise, names)
            case model.ForEach(var=var, body=body) if (seats := self.seats(line, names)) is not None:
                for seat in seats:
                    self.follow(body, {**names, var: seat})
            case model.RepeatTimes(times=Const(value=times), body=body) if times <= self.table.players + 1:
                for _ in range(times):
                    self.follow(body, names)
            case model.Repeat(until=until) | model.TakeTurns(until=until):
                self.loop(line, None if isinstance(until, Const) else self.value(until, names), names)
            case model.Choose(options=options, impossible=None) if all(self.is_impossible(option, names) for option in options):
                self.stuck, self.ended = line, True
            case model.ForEach() | model.RepeatTimes() | model.Choose():
                self.forget((line,))
            case _:
                assert_never(line)

    def simple(self, line: Simple, names: Mapping[Var, int]) -> None:
        effect = effect_of(line)
        self.ended = self.ended or effect.leaves
        for each in effect.sets:
            self.set(each.name, each.owner, self.value(each.value, names), names)
        for move in effect.moves:
            match move:
                case Movement(what=None, source=model.Spot() as source, count=model.Typed() as count):
                    self.moves(source.zone, source.owner, move.to, self.value(count, names), names)
                case Movement(what=model.ZoneContent(zone=zone, owner=owner, every=False), to=model.Spot() as to):
                    self.moves(zone, owner, to, self.size(zone, owner, names), names)
                case Movement(what=Const(value=members, type=type), to=model.Spot() as to) if type.is_set:
                    self.gathers(type.kind, members, to, names)
                case _:
                    self.forget((line,))

    def seats(self, line: model.ForEach, names: Mapping[Var, int]) -> list[int] | None:
        """The players that a loop goes through, in order; None where that is not certain, or it goes through other things."""
        match line.order:
            case None:
                first: int | None = 0
            case model.Clockwise(start=start, stop=None):
                first = 0 if start is None else self.value(start, names)
            case _:
                return None
        among = self.value(line.members, names) if line.var.type == PLAYER else None
        if among is None or first is None or first < 0:
            return None
        seats = [(first + further) % self.table.players for further in range(self.table.players)]
        return [seat for seat in seats if among >> seat & 1]

    def loop(self, line: model.Repeat | model.TakeTurns, over: int | None, names: Mapping[Var, int]) -> None:
        """A loop: what is in its first round is as certain as that there is one."""
        if not self.in_round:
            self.reached[line.until.span] = self.reached.get(line.until.span, True) and over == 1
        if over == 0:
            around, self.in_round = self.in_round, True
            self.follow(line.body, names)
            self.in_round = around
        if over != 1:
            self.forget((line,))

    def within(self, body: model.Body, names: Mapping[Var, int]) -> None:
        """A step: what ends it ends no more than that (or the game, and then nothing more is claimed)."""
        if any(isinstance(line, model.End) for line in body):
            self.forget(body)
        else:
            self.follow(body, names)

    def forget(self, body: model.Body) -> None:
        """What some statements may change is not certain any more; where they may leave what is around them, nothing is."""
        done = effects(body, self.lying)
        zones = done.gains | done.loses
        named = {name for name, zone in self.table.zones.items() if zone.said in zones}
        self.sizes = {place: size for place, size in self.sizes.items() if place[0] not in named}
        variables = done.rises | done.falls
        self.values = {place: value for place, value in self.values.items() if place[0] not in variables}

    def owner(self, owner: Expr | None, names: Mapping[Var, int]) -> int | None:
        return TABLE if owner is None else self.value(owner, names)

    def set(self, name: str, owner: Expr | None, value: int | None, names: Mapping[Var, int]) -> None:
        whose = self.owner(owner, names)
        if whose is None:
            self.values = {place: kept for place, kept in self.values.items() if place[0] != name}
        elif value is None:
            self.values.pop((name, whose), None)
        else:
            self.values[name, whose] = value

    def change(self, zone: str, owner: Expr | None, by: int | None, names: Mapping[Var, int]) -> None:
        """A zone gains or loses so many (None: it is not known)."""
        whose = self.owner(owner, names)
        if whose is None:
            self.sizes = {place: size for place, size in self.sizes.items() if place[0] != zone}
        elif by is None:
            self.sizes.pop((zone, whose), None)
        elif (zone, whose) in self.sizes:
            self.sizes[zone, whose] += by
            self.ended = self.ended or self.sizes[zone, whose] < 0  # the game stops there

    def moves(self, start: str, owner: Expr | None, to: model.Spot | None, count: int | None, names: Mapping[Var, int]) -> None:
        self.change(start, owner, None if count is None else -count, names)
        if to is not None:
            self.change(to.zone, to.owner, count, names)

    def gathers(self, kind: str, members: int, to: model.Spot, names: Mapping[Var, int]) -> None:
        """Some components that are named move from wherever they are; all of a kind leave every other zone empty."""
        everything = members.bit_count() == self.table.kinds[kind].bits
        for place in list(self.sizes):
            if self.table.zones[place[0]].kind == kind and self.sizes[place]:
                if everything:
                    self.sizes[place] = 0
                else:
                    del self.sizes[place]
        self.change(to.zone, to.owner, members.bit_count(), names)

    # ---- What is known

    def is_impossible(self, option: model.Option, names: Mapping[Var, int]) -> bool:
        """Whether an option is surely not allowed."""
        for argument in option.arguments:
            match argument.source:
                case (low, high):
                    least, most = self.value(low, names), self.value(high, names)
                    if least is not None and most is not None and least > most:
                        return True
                case source if source is not None and self.count(source, names) == 0:
                    return True
                case _:
                    pass
        return any(self.value(condition.test, names) == 0 for condition in option.surely)

    def size(self, zone: str, owner: Expr | None, names: Mapping[Var, int]) -> int | None:
        whose = self.owner(owner, names)
        return None if whose is None else self.sizes.get((zone, whose))

    def value(self, node: model.Typed, names: Mapping[Var, int]) -> int | None:
        """The value of a number, condition, player or set of players; None where it is not certain."""
        match node:
            case Const(value=value):
                return value
            case model.VarValue(var=var):
                return names.get(var)
            case model.VariableValue(name=name, owner=owner):
                whose = self.owner(owner, names)
                return None if whose is None else self.values.get((name, whose))
            case model.Apply(define=name, args=args):
                word = self.table.defines[name]
                return self.value(substituted(word.value, dict(zip(word.parameters, args, strict=True))), names)
            case model.Some(of=of):
                count = self.count(of, names)
                return None if count is None else int(count > 0)
            case model.Count(of=of):
                return self.count(of, names)
            case model.Not(value=inner):
                known = self.value(inner, names)
                return None if known is None else 1 - known
            case model.Logic(op=op, left=left, right=right):
                sides = self.value(left, names), self.value(right, names)
                decides = int(op == "or")
                return decides if decides in sides else None if None in sides else 1 - decides
            case model.Arithmetic(op="+" | "-" as sign, left=left, right=right):
                one, two = self.value(left, names), self.value(right, names)
                return None if one is None or two is None else one + two if sign == "+" else one - two
            case model.Compare():
                return self.compared(node, names)
            case model.Filter(of=of, var=var, condition=condition) if var.type == PLAYER:
                among = self.value(of, names)
                if among is None:
                    return None
                found = 0
                for seat in (seat for seat in range(self.table.players) if among >> seat & 1):
                    holds = self.value(condition, {**names, var: seat})
                    if holds is None:
                        return None
                    found |= holds << seat
                return found
            case _:
                return None

    def count(self, of: model.Typed, names: Mapping[Var, int]) -> int | None:
        match of:
            case model.ZoneContent(zone=zone, every=True):
                sizes = [self.sizes.get((zone, seat)) for seat in range(self.table.players)]
                known = [size for size in sizes if size is not None]
                return sum(known) if len(known) == len(sizes) else None
            case model.ZoneContent(zone=zone, owner=owner):
                return self.size(zone, owner, names)
            case _ if of.type.member == PLAYER:
                players = self.value(of, names)
                return None if players is None else players.bit_count()
            case _:
                return None

    def compared(self, node: model.Compare, names: Mapping[Var, int]) -> int | None:
        for side, other in ((node.left, node.right), (node.right, node.left)):
            nothing = isinstance(other, Const) and other.value == (0 if other.type.is_set else -1)
            if isinstance(side, model.ZoneContent) and nothing and node.op == "=":
                count = self.count(side, names)
                return None if count is None else int(count == 0)
        if not {node.left.type, node.right.type} <= {NUMBER, PLAYER}:
            return None
        one, two = self.value(node.left, names), self.value(node.right, names)
        if one is None or two is None:
            return None
        return int(one == two if node.op == "=" else one < two if node.op == "<" else one <= two)
