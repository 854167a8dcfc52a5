"""How many decisions, and how many chance events, can there be in one game at the most? As far as its loops have known ends.

What is done one after the other adds up, of branches and options the longest counts, a loop counts as often as it can go round:

- as `rounds.py` knows, over the members of a set and where the lowering says so;
- as often as a number says that is counted down and nothing else (``repeat N times``);
- until there are enough in a set to which each round adds one that is not in it yet (a selection).

So the bound is never too low; it is high where a loop mostly ends early, and infinite where nobody knows when it ends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import inf

from attrs import define, field, frozen

from .machine import (
    DECISIONS_LIMIT,
    Alternative,
    Assign,
    Call,
    Chance,
    Choose,
    Const,
    Expr,
    If,
    Load,
    Local,
    Machine,
    Op,
    Stmt,
    Variable,
    While,
)
from .ranges import Ranges
from .rounds import most_rounds
from .traverse import bodies, every_statement


@frozen
class Length:
    """The most decisions and the most chance events; infinite where nobody knows."""

    decisions: float = 0
    chance: float = 0

    def __add__(self, other: Length) -> Length:
        return Length(self.decisions + other.decisions, self.chance + other.chance)

    def times(self, rounds: float) -> Length:
        return Length(*(each and each * rounds for each in (self.decisions, self.chance)))


def length_of(machine: Machine) -> Length:
    """The length of the longest game of a machine. No game makes more decisions than `DECISIONS_LIMIT`."""
    counting = _Counting(machine, Ranges(machine))
    for routine in machine.routines.values():
        counting.given |= set(routine.parameters)
        for stmt in every_statement(routine.body):
            match stmt:
                case Assign(variable=Local() as local, value=value):
                    counting.assigned[local].append(value)
                case Choose(alternatives=alternatives):
                    counting.given |= {local for each in alternatives for local in each.arguments}
                case Chance(result=local):
                    counting.given.add(local)
                case _:
                    pass
    found = sum(map(counting.routine, machine.main), Length())
    return Length(min(found.decisions, DECISIONS_LIMIT), found.chance)


@define(eq=False)
class _Counting:
    """``assigned``: all that is ever assigned to each local. ``given``: locals that have their values from elsewhere."""

    machine: Machine
    ranges: Ranges
    assigned: dict[Local, list[Expr]] = field(factory=lambda: defaultdict(list))
    given: set[Local] = field(factory=set)
    known: dict[str, Length] = field(factory=dict)

    def routine(self, name: str) -> Length:
        if name not in self.known:
            self.known[name] = self.sequence(self.machine.routines[name].body)
        return self.known[name]

    def sequence(self, body: Sequence[Stmt]) -> Length:
        return sum(map(self.statement, body), Length())

    def statement(self, stmt: Stmt) -> Length:
        inside = [self.sequence(body) for body in bodies(stmt)]
        match stmt:
            case Call(routine=name):
                return self.routine(name)
            case Choose():
                return Length(1) + _either(inside)
            case Chance():
                return Length(0, 1)
            case If():
                return _either(inside)
            case While():
                return sum(inside, Length()).times(self.rounds(stmt))
            case _:
                return sum(inside, Length())

    def rounds(self, loop: While) -> float:
        """The most rounds of a loop."""
        match loop.condition, loop.body:
            case _ if most := most_rounds(loop):
                return most
            case Op(name="<", args=(Const(value=0), Load(Local() as left))), (Assign(counted, less), *_) if (
                counted == left and less == Op("-", (Load(left), Const(1)))
            ):
                return self.counted_down(left, loop)
            case Op(name="not", args=(Op(name="<=", args=(Const(value=enough), Op(name="count", args=(Load(found),)))),)), (
                Choose(alternatives=alternatives),
            ) if all(_adds(each, found) for each in alternatives):
                return enough
            case _:
                return inf

    def counted_down(self, left: Local, loop: While) -> float:
        """The most that a local is set to before a loop in which 1 is taken from it, if nothing else happens to it there."""
        inside = [stmt for stmt in every_statement(loop.body) if isinstance(stmt, Assign) and stmt.variable == left]
        before = [value for value in self.assigned[left] if value is not inside[0].value]
        if len(inside) > 1 or left in self.given or not before:
            return inf
        return max(self.ranges.known(value)[1] for value in before)


def _adds(alternative: Alternative, found: Variable) -> bool:
    """Whether an option does nothing but add what is not yet in a set."""
    match alternative.candidates, alternative.body:
        case Op(name="minus", args=(_, Load(variable=without))), (
            Assign(variable=added, value=Op(name="union", args=(Load(variable=to), Op(name="bit")))),
        ):
            return without == added == to == found
        case _:
            return False


def _either(lengths: Sequence[Length]) -> Length:
    return Length(max((each.decisions for each in lengths), default=0), max((each.chance for each in lengths), default=0))
