"""The paths through the code of a machine and the events on each, from which `lengths.py` counts.

Only these statements are kept: decisions and chance events; changes of a field of the game (it surely grows, it surely shrinks,
it does one of these or stays as it is, or nothing is known); loops; early exits. Calls are inlined.

Whether a set that takes a member in grows depends on the facts on the path: the conditions that were tested, and that the
argument of an option is one of those on offer. All facts about a variable are forgotten when it changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import assert_never

from attrs import evolve, frozen

from ..machine import (
    NONE,
    Alternative,
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Const,
    Expr,
    Fail,
    Field,
    Finish,
    If,
    Leave,
    Load,
    Lookup,
    Machine,
    Note,
    Op,
    Return,
    Routine,
    Show,
    Stmt,
    Variable,
    While,
)
from ..traverse import every_expression, every_statement
from .facts import Facts
from .ranges import Ranges

UNTOLD = ("knowledge", "digest")  # regions of the record in which nothing tells how far a game is
RETURN = "the routine"  # what a `Return` leaves
ENDED = "the loop"  # what a round leaves after which the loop surely ends
MOST = 40_000  # statements that are followed: about a second
FEW = 32  # ways, up to which further rounds are written out that surely are made
CASES = 4  # of a condition with "or", each of which is a way of its own


@frozen
class Decision:
    """One decision."""


@frozen
class Event:
    """One chance event."""


@frozen
class Step:
    """No element of a field shrinks (``up``), or none grows; ``surely``: one of them does grow, or shrink.

    ``which``: of a set that gets one member, or loses it, and nothing else: its element and the member.
    """

    field: Field
    up: bool
    surely: bool = False
    which: tuple[Expr | None, Expr] | None = None


@frozen
class Shift:
    """A field changes in any way."""

    field: Field


@frozen
class Row:
    """One after the other; of nothing: nothing that counts happens."""

    parts: tuple[Paths, ...]


@frozen
class Alternatives:
    """One of several ways; of none: the game stops with a fault."""

    ways: tuple[Paths, ...]


@frozen
class Loop:
    """Any number of rounds. ``code``: the loop in the machine. ``first``: first rounds that surely are made.

    ``had``: of a loop that goes on until a set has enough members, how many it surely has at first.
    """

    body: Paths
    code: While
    first: Paths
    had: int = 0


@frozen
class Region:
    """What an `Exit` of this label inside leaves."""

    label: str
    body: Paths


@frozen
class Exit:
    """The way goes on behind the innermost `Region` of this label; without a label the game is over."""

    label: str


Paths = Decision | Event | Step | Shift | Row | Alternatives | Loop | Region | Exit
NOTHING = Row(())
NOWHERE = Alternatives(())


def row(parts: Iterable[Paths]) -> Paths:
    """One after the other; where one leads nowhere, only exits before it go on."""
    found: list[Paths] = []
    for part in parts:
        if part == NOWHERE:
            return Row((*found, NOWHERE)) if any(map(_may_exit, found)) else NOWHERE
        found += part.parts if isinstance(part, Row) else (part,)
    return found[0] if len(found) == 1 else Row(tuple(found))


def _may_exit(ways: Paths) -> bool:
    return any(isinstance(way, Exit) for way in every_way(ways))


def joined(ways: Iterable[Paths]) -> Paths:
    """One of several; equal ones are one, and those that lead nowhere are none."""
    found: list[Paths] = []
    for way in ways:
        if way != NOWHERE and way not in found:
            found.append(way)
    return found[0] if len(found) == 1 else Alternatives(tuple(found))


def inside(ways: Paths) -> tuple[Paths, ...]:
    """The ways directly inside one."""
    match ways:
        case Row(parts=found) | Alternatives(ways=found):
            return found
        case Loop(body=body, first=first):
            return body, first
        case Region(body=body):
            return (body,)
        case Decision() | Event() | Step() | Shift() | Exit():
            return ()
        case _:
            assert_never(ways)


def every_way(ways: Paths) -> Iterator[Paths]:
    """A way and all inside it."""
    stack = [ways]
    while stack:
        yield (way := stack.pop())
        stack += inside(way)


def goes_on(ways: Paths) -> bool:
    """Whether some way goes on behind it."""
    match ways:
        case Exit():
            return False
        case Row(parts=parts):
            return all(map(goes_on, parts))
        case Alternatives(ways=found):
            return any(map(goes_on, found))
        case Decision() | Event() | Step() | Shift() | Loop() | Region():
            return True
        case _:
            assert_never(ways)


def ways_of(machine: Machine, ranges: Ranges) -> Paths | None:
    """The ways through a whole game; None where written out they are more than `MOST` statements."""
    walker = _Walker(machine, ranges)
    known = Facts(machine.functions)
    try:
        return row([walker.call(Call(name), known) for name in machine.main])
    except _TooMany:
        return None


class _TooMany(Exception):
    pass


class _Walker:
    """Each method walks on from where ``known`` holds, and leaves there what is known behind."""

    def __init__(self, machine: Machine, ranges: Ranges) -> None:
        self._machine = machine
        self._ranges = ranges
        self._changed: dict[str, frozenset[Variable]] = {}
        self._followed = 0

    def sequence(self, body: Sequence[Stmt], known: Facts, of: While | None = None) -> Paths:
        """One statement after the other. ``of``: the loop of which they are a round.

        What a loop asks may depend on the way that was taken in a branch; then what comes behind it is a part of both ways.
        """
        parts: list[Paths] = []
        for number, stmt in enumerate(body, start=1):
            if isinstance(stmt, If) and of is not None and self.changed_in([stmt]) & _variables(of.condition):
                behind = body[number:]
                ways = [(there, (*branch, *behind)) for there, branch in self.branches(stmt, known)]
                return row([*parts, self.one_of(ways, known, of)])
            parts.append(self.statement(stmt, known))
            if not goes_on(parts[-1]):
                return row(parts)
            self.put_back(parts, body[:number])
        if of is not None and known.truth(known.resolved(of.condition)) is False:
            parts.append(Exit(ENDED))
        return row(parts)

    def put_back(self, parts: list[Paths], body: Sequence[Stmt]) -> None:
        """Where the last of a row puts back into a set what was taken from it before, the set has not become smaller."""
        for added in parts[-1].parts if isinstance(parts[-1], Row) else (parts[-1],):
            if not isinstance(added, Step) or not added.up or added.which is None:
                continue
            for number in reversed(range(len(parts) - 1)):
                leaves = _may_exit(parts[number])
                if leaves or _variables(*added.which) & self.changed_in(body[number:]):
                    break
                left = _replaced(parts[number], [evolve(added, up=False, surely=surely) for surely in (False, True)], NOTHING)
                if left != parts[number]:
                    parts[number] = left
                    parts[-1] = _replaced(parts[-1], [added], evolve(added, surely=False))

    def statement(self, stmt: Stmt, known: Facts) -> Paths:
        self._followed += 1
        if self._followed > MOST:
            raise _TooMany
        match stmt:
            case Assign(variable=variable, value=value, index=index):
                if isinstance(variable, Field):
                    return self.store(variable, index, value, known)
                known.give(variable, value)
                return NOTHING
            case If():
                return self.one_of(self.branches(stmt, known), known)
            case While():
                return self.loop(stmt, known)
            case Block(label=label, body=body):
                return self.region(label, body, known)
            case Call():
                return self.call(stmt, known)
            case Leave(label=label):
                return Exit(label)
            case Return():
                return Exit(RETURN)
            case Finish():
                return Exit("")
            case Fail():
                return NOWHERE
            case Chance(result=result, pool=pool, domain=domain):
                known.forget({result})
                if domain.copies:
                    known.assume_copy(known.resolved(pool), Load(result))
                elif not domain.low:  # else the places in the pool are not the values
                    known.assume_member(known.resolved(pool), Load(result))
                return Event()
            case Choose(player=player, alternatives=alternatives, impossible=impossible):
                behind, else_ = known.copy(), known.copy()
                behind.assume(Op("<=", (Const(0), known.resolved(player))), True)
                options = [(case, each.body) for each in alternatives for case in self.option(each, behind)]
                chosen = row([Decision(), self.one_of(options, behind)])
                return _joined([(chosen, behind), (self.sequence(impossible, else_), else_)], known)
            case Show() | Note():
                return NOTHING
            case _:
                assert_never(stmt)

    def loop(self, loop: While, known: Facts) -> Paths:
        """The first rounds, as far as they surely are made and few, and any other."""
        first: Paths = NOTHING
        there = known.copy()
        had = _had(loop.condition, known)
        while goes_on(first) and there.truth(there.resolved(loop.condition)) and sum(1 for _ in every_way(first)) < FEW:
            first = row([first, self.sequence(loop.body, there, loop)])
        known.forget(self.changed_in(loop.body))
        rounds = self.sequence(loop.body, known.assuming(loop.condition, True), loop)
        known.take(known.assuming(loop.condition, False))
        if rounds == NOTHING:
            return NOTHING
        ways = Loop(rounds, loop, first, had)
        return Region(ENDED, ways) if any(isinstance(way, Exit) and way.label == ENDED for way in every_way(ways)) else ways

    def branches(self, stmt: If, known: Facts) -> list[tuple[Facts, Sequence[Stmt]]]:
        """The branches that can be taken, with what is known there."""
        truth = known.truth(known.resolved(stmt.condition))
        both = ((True, stmt.then), (False, stmt.otherwise))
        return [(known.assuming(stmt.condition, holds), body) for holds, body in both if truth in (holds, None)]

    def one_of(self, ways: Sequence[tuple[Facts, Sequence[Stmt]]], known: Facts, of: While | None = None) -> Paths:
        """One of several ways, each with what is known where it begins."""
        return _joined([(self.sequence(body, there, of), there) for there, body in ways], known)

    def option(self, option: Alternative, known: Facts) -> list[Facts]:
        """What is known where an option begins: in each case of its conditions."""
        known = known.copy()
        known.forget(set(option.arguments))
        groups = self._machine.groups[option.group].arguments
        if not groups or (len(groups) == 1 and not groups[0].low):  # else the places in its sets are not the values
            argument = Load(option.arguments[0]) if groups else Const(0)
            known.assume_member(known.resolved(option.legal), argument)
            known.assume_member(known.resolved(option.candidates), argument)
        found = [known]
        for condition in option.conditions:
            cases = [(each, case) for each in found for case in _cases(condition.test)]
            found = [each.assuming(case, True) for each, case in cases if each.truth(each.resolved(case)) is not False]
        return found

    def region(self, label: str, body: Sequence[Stmt], known: Facts) -> Paths:
        """What can be left early: behind it, what it changes may have changed or not."""
        before = known.copy()
        ways = self.sequence(body, known)
        if not any(isinstance(way, Exit) and way.label == label for way in every_way(ways)):
            return ways
        before.forget(self.changed_in(body))
        known.take(before)
        return Region(label, ways)

    def call(self, call: Call, known: Facts) -> Paths:
        routine = self._machine.routines[call.routine]
        changed = self.changed_by(routine)
        if not routine.stops and not any(isinstance(each, Field) and _tells(each) for each in changed):
            known.forget(changed)
            return NOTHING
        given = [known.resolved(arg) for arg in call.args]
        for local, value in zip(routine.parameters, given, strict=True):
            known.give(local, value)
        return self.region(RETURN, routine.body, known)

    # ---- What changes

    def changed_by(self, routine: Routine) -> frozenset[Variable]:
        """All that a routine and those that it calls may change."""
        if routine.name not in self._changed:
            self._changed[routine.name] = self.changed_in(routine.body) | set(routine.parameters)
        return self._changed[routine.name]

    def changed_in(self, body: Sequence[Stmt]) -> frozenset[Variable]:
        found: set[Variable] = set()
        for stmt in every_statement(tuple(body)):
            match stmt:
                case Assign(variable=variable) | Chance(result=variable):
                    found.add(variable)
                case Choose(alternatives=alternatives):
                    found |= {local for each in alternatives for local in each.arguments}
                case Call(routine=name):
                    found |= self.changed_by(self._machine.routines[name])
                case _:
                    pass
        return frozenset(found)

    def store(self, field: Field, index: Expr | None, value: Expr, known: Facts) -> Paths:
        """What becomes of a field that is given a value."""
        old = Load(field, None if index is None else known.resolved(index))
        new = known.resolved(value)
        if not _tells(field) or not field.bits:
            least, most = (0, 0) if new == old or not _tells(field) else self.difference(field, old, new, known)
            known.forget({field})
            if isinstance(new, Const) and field not in _variables(old.index):
                known.assume(Op("=", (old, new)), True)
            return _step(field, least, most)
        match new:
            case Op(name="union" | "minus" as name, args=(before, these)) if before == old:
                up = name == "union"
                member = these.args[0] if isinstance(these, Op) and these.name == "bit" else None
                surely = member is not None and known.says("has", old, member) is (not up)
                known.moved(old, member, up)
                return Step(field, up, surely, None if member is None else (old.index, member))
            case Op(name="union", args=(Op(name="minus", args=(before, Lookup(index=face) as copies)), _)) if (
                before == old and new == _one_less(old, copies)
            ):
                surely = known.has_copy(old, face)
                known.moved(old, None, False)
                return Step(field, False, surely)
            case Op(name="intersect", args=(before, _)) if before == old:
                known.moved(old, None, False)
                return Step(field, False)
            case Const(value=0):
                known.moved(old, None, False)
                if field not in _variables(old.index):
                    known.assume(Op("=", (old, new)), True)
                return Step(field, False)
            case _:
                known.forget({field})
                return NOTHING if new == old else Shift(field)

    def difference(self, field: Field, old: Expr, new: Expr, known: Facts) -> tuple[int, int]:
        """By how much a number changes, at the least and at the most."""
        match new:
            case Op(name="+", args=(before, by)) if before == old:
                return self._ranges.known(by)
            case Op(name="-", args=(before, by)) if before == old:
                least, most = self._ranges.known(by)
                return -most, -least
        least, most = self._ranges.known(new)
        number = known.number(old)
        low, high = (field.low, field.high) if number is None else (number, number)
        least, most = least - high, most - low
        if number == NONE and known.says("<=", Const(0), new):
            least = 1
        above, below = known.above(new, old), known.above(old, new)
        return least if above is None else max(least, above), most if below is None else min(most, -below)


def _one_less(bits: Expr, copies: Expr) -> Expr:
    """A set of equal components with one less of a face (see `from_table/components/copies.py`)."""
    lowered = Op("intersect", (Op("right", (Op("intersect", (bits, copies)), Const(1))), copies))
    return Op("union", (Op("minus", (bits, copies)), lowered))


def _variables(*asked: Expr | None) -> set[Variable]:
    """What expressions depend on."""
    parts = (part for each in asked if each is not None for part in every_expression(each))
    return {part.variable for part in parts if isinstance(part, Load)}


def _had(condition: Expr, known: Facts) -> int:
    """How many members a set surely has, where a loop goes on until it has enough."""
    match condition:
        case Op(name="not", args=(Op(name="<=", args=(Const(), Op(name="count", args=(found,)))),)):
            return _members(known.resolved(found))
        case _:
            return 0


def _members(these: Expr) -> int:
    """How many members a set surely has."""
    match these:
        case Const(value=value):
            return value.bit_count()
        case Op(name="bit"):
            return 1
        case Op(name="union", args=parts):
            return max(map(_members, parts))
        case _:
            return 0


def _replaced(ways: Paths, these: Sequence[Paths], by: Paths) -> Paths:
    """The ways with another in the place of some."""
    match ways:
        case _ if ways in these:
            return by
        case Row(parts=parts):
            return row(_replaced(part, these, by) for part in parts)
        case Alternatives(ways=found):
            return joined(_replaced(way, these, by) for way in found)
        case Region(label=label, body=body):
            return Region(label, _replaced(body, these, by))
        case Loop() | Decision() | Event() | Step() | Shift() | Exit():
            return ways  # what is in a loop may not happen
        case _:
            assert_never(ways)


def _joined(ways: Sequence[tuple[Paths, Facts]], known: Facts) -> Paths:
    """One of several ways; behind them is known what is known behind each."""
    if ends := [there for way, there in ways if goes_on(way)]:
        known.take(reduce(Facts.common, ends))
    return joined(way for way, _ in ways)


def _tells(field: Field) -> bool:
    return field.region not in UNTOLD


def _step(field: Field, least: int, most: int) -> Paths:
    """The way on which a number changes by so much."""
    if least >= 0:
        return Step(field, True, least > 0) if most else NOTHING
    return Step(field, False, most < 0) if most <= 0 else Shift(field)


def _cases(condition: Expr) -> list[Expr]:
    """Conditions of which one holds wherever this one does."""
    found: list[Expr]
    match condition:
        case Op(name="or", args=(one, other)):
            found = _cases(one) + _cases(other)
        case Op(name="and", args=(one, other)):
            found = [Op("and", (first, second)) for first in _cases(one) for second in _cases(other)]
        case _:
            return [condition]
    return found if len(found) <= CASES else [condition]
