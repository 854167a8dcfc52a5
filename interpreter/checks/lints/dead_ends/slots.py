"""Slots that a loop can fill again while they are still full (R352).

A loop puts a component into a slot in each round, so no way through the round may leave it there. Only ways that are surely open
are followed: an option that is always allowed, such as to pass in an auction, and both sides of an ``if`` where neither of them
could take the component away. When nobody bids, for example, ``no bids`` must say where the lot goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from ....common.diagnostics import Diagnostic, fault
from ....model import model
from ....model.model import Body, Const
from ....model.visitor import walk, walk_statements
from ....table.table import Table
from ...dataflow.dependence import read_names
from ...dataflow.effects import PointsTo, effects, everything_done

ON = ""  # the way goes on behind a statement; any other way ends the step or phase of that name
Ways = frozenset[str]
NONE: Ways = frozenset()


def slots(table: Table) -> Iterator[Diagnostic]:
    """A finding (R352) for each slot of the table that a loop can fill again while it is full."""
    lying = PointsTo.of(table)
    for loop in table.statements:
        if isinstance(loop, model.Repeat | model.RepeatTimes | model.TakeTurns) and not _is_once(loop):
            body = tuple(_straight(loop.body, table))
            for number, line in enumerate(body):
                slot = _filled(line, table)
                if slot is None or (not isinstance(loop, model.RepeatTimes) and slot in read_names(loop.until, table)):
                    continue
                staying = _Staying(slot, lying)
                if ON in staying.along((*body[number + 1 :], *body[:number])):
                    yield _said(staying, line, body, table)


def _is_once(loop: model.Repeat | model.RepeatTimes | model.TakeTurns) -> bool:
    return isinstance(loop, model.RepeatTimes) and (not isinstance(loop.times, Const) or loop.times.value < 2)


def _straight(body: Body, table: Table) -> Iterator[model.Statement]:
    """The statements that are done in each round, those of named steps that end nothing included."""
    for line in body:
        inside = line.body if isinstance(line, model.NamedBlock) and line.is_written else ()
        if inside and not any(isinstance(part, model.End) for part in walk_statements(inside)):
            yield from _straight(inside, table)
        else:
            yield line


def _filled(line: model.Statement, table: Table) -> str | None:
    """The slot of the table that a statement surely fills."""
    if not isinstance(line, model.Draw) or not isinstance(line.count, Const) or line.count.value != 1:
        return None
    zone = table.zones.get(line.to.zone)  # None of the box
    return zone.name if zone is not None and zone.shape == "slot" and not zone.owned else None


@frozen
class _Staying:
    """The ways through statements on which a component surely can stay in its slot."""

    slot: str
    lying: PointsTo

    def along(self, body: Sequence[model.Statement]) -> Ways:
        ways: Ways = frozenset({ON})
        for line in body:
            if ON in ways:
                ways = (ways - {ON}) | self.through(line)
        return ways

    def through(self, line: model.Statement) -> Ways:
        match line:
            case model.NamedBlock(name=name, body=body):
                return _left(self.along(body), name)
            case model.Do(step=name):
                return _left(self.along(self.lying.table.steps[name].body), name)
            case model.End(name=name):
                return frozenset({name})
            case model.If(condition=condition, then=then, otherwise=otherwise):
                one, other = self.along(then), self.along(otherwise)
                open_both = _is_up_to_bidders(condition, self.lying.table) or not self.takes((line,))
                return one | other if open_both else one & other
            case model.Choose(options=options, impossible=impossible):
                free = [self.along(option.body) for option in options if not option.conditions and not option.arguments]
                if free:
                    return NONE.union(*free)
                every = [self.along(option.body) for option in options] + [self.along(impossible or ())]
                return frozenset.intersection(*every)
            case model.Repeat(until=until, body=body):
                inside = self.along(body)
                never_over = isinstance(until, Const) and not until.value
                return inside - {ON} if never_over else inside if ON in inside else NONE
            case model.ForEach(body=body) | model.RepeatTimes(body=body) | model.TakeTurns(body=body):
                inside = self.along(body)
                return inside if ON in inside else NONE
            case _:
                return NONE if self.takes((line,)) else frozenset({ON})

    def takes(self, body: Body) -> bool:
        """Whether something in a body may take the component away."""
        return self.slot in effects(body, self.lying).loses


def _left(ways: Ways, name: str) -> Ways:
    """The ways out of a step: what ends it goes on behind it."""
    return frozenset(ON if way == name else way for way in ways)


def _is_up_to_bidders(condition: model.Expr, table: Table) -> bool:
    """Whether a condition asks only how a bidding went: any player can pass, so it can go either way."""
    asked = [part.name for part in walk(condition) if isinstance(part, model.VariableValue)]
    return bool(asked) and all(table.variables[name].form == "kept" for name in asked)


def _said(staying: _Staying, line: model.Statement, body: Sequence[model.Statement], table: Table) -> Diagnostic:
    slot = staying.slot
    done = list(everything_done(tuple(body), table))
    made = next((part for part in done if isinstance(part, model.NamedBlock) and not part.is_written), None)
    places = [(made.span, "after this it can still lie there")] if made is not None else []
    help = f"say in each case where what lies in `{slot}` goes"
    if made is not None and any(_is_left_to_nobody(part, staying) for part in walk_statements(made.body)):
        places = [(made.span, "when nobody bids, it stays there")]
        help = f"say where it goes then: `no bids: move {slot} to box` (out of the game), or to another zone"
    kind = table.zones[slot].kind
    return fault(
        "R352",
        f"`{slot}` holds one {kind}, and the one of the round before can still lie there",
        line.span,
        *places,
        label="here the next one comes",
        help=help,
    )


def _is_left_to_nobody(part: model.Node, staying: _Staying) -> bool:
    """Whether a statement of an auction says what happens when nobody bids, and a component can stay in its slot then."""
    match part:
        case model.If(condition=model.Compare(op="=", right=Const(value=-1, type=type)), then=(*_, model.End()) as then):
            return type.required == model.PLAYER and bool(staying.along(then[:-1]))
        case _:
            return False
