"""The loops that count their rounds, and those that can be interrupted.

A machine has no recursion, so only a loop can run away. A loop over the members of a set takes one of them out in each round, and
for some others the lowering knows the greatest number of rounds: these end by themselves and are never counted, however deep they
nest. Each of the others counts its own rounds, from 0 whenever it begins, and has ended in a fault (R606) when they pass
`ROUNDS_LIMIT`. Somebody may decide in the rounds of a loop that stops: the record counts those, from 0 after each decision. It
has a number for each depth, since of the loops of one depth only one goes on. Either way the fault comes at the same round in
every executor.

What ends by itself may still take longer than anybody waits. That is a matter of time, not of counting: whoever plays sets a
limit (`common/deadline.py`), and when it is over, asks the executor to leave off (R820). It hears that in each round of the loops
that `hears` names: those that are counted, and those of a function or routine that can make more than `FEW` rounds, with all that
it calls. So it is never deaf for longer than that, and the short loops, which most are, do not ask.

Routines that only record what seats know, and surely end, are free: a playout leaves them out.

Two other designs were weighed. To count all rounds and stop at a greater number stops finite games too, later; and no number is
both small enough for the reference executor and large enough for the fast one. To count the work that is done instead of rounds
has the same fault. Neither needs a clock, but a fault by a clock is none of the game's: it is not in the record, and the same
game goes on to its end where there is more time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..machine import (
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Field,
    Finish,
    Function,
    If,
    Invoke,
    Leave,
    Note,
    Return,
    Routine,
    Stmt,
    While,
)
from ..traverse import bodies, every_expression, every_statement, expressions, most_rounds

FEW = 1024  # rounds of one routine or function, with all that it calls

_Key = tuple[type, str]


class Rounds:
    """What is so of every loop of a machine. ``free``: the routines that only say what seats know, and surely end."""

    def __init__(self, functions: Mapping[str, Function], routines: Mapping[str, Routine]) -> None:
        self._definitions: dict[_Key, Function | Routine] = {}
        for name, function in functions.items():
            self._definitions[Function, name] = function
        for name, routine in routines.items():
            self._definitions[Routine, name] = routine
        self._routines = routines
        self._most: dict[_Key, int] = {}
        self._hearing: set[int] = set()
        self._depths = depths(routines)
        self.free: set[str] = set()
        self._teaching: set[str] = set()  # of these, those that store what seats know
        for key in self._definitions:
            self._settle(key)

    def counts(self, loop: While) -> bool:
        """Whether rounds of a loop are counted: it could go on for ever."""
        return not most_rounds(loop)

    def stops(self, loop: While) -> bool:
        """Whether somebody may decide in the rounds of a loop, or chance: the record counts them."""
        return any(
            isinstance(stmt, Choose | Chance) or (isinstance(stmt, Call) and self._routines[stmt.routine].stops)
            for stmt in every_statement(loop.body)
        )

    def depth(self, loop: While) -> int:
        """How deep this very loop lies among those whose rounds the record counts."""
        return self._depths[id(loop)]

    def hears(self, loop: While) -> bool:
        """Whether this very loop (not an equal one) hears in each round that it shall leave off."""
        return id(loop) in self._hearing

    def _settle(self, key: _Key) -> int:
        """The most rounds of one call in which nothing is heard."""
        if key not in self._most:
            definition = self._definitions[key]
            most = self._sequence(definition.body, hearing=False)
            if isinstance(definition, Routine) and self._is_free(definition):
                self.free.add(definition.name)
            if most > FEW:
                most = self._sequence(definition.body, hearing=True)
            self._most[key] = most
        return self._most[key]

    def _is_free(self, routine: Routine) -> bool:
        statements = tuple(every_statement(routine.body))
        if routine.stops or not all(map(self._only_teaches, statements)):
            return False
        if any(map(self._teaches, statements)):
            self._teaching.add(routine.name)
            return True
        return not any(isinstance(stmt, While) for stmt in statements)

    def _teaches(self, stmt: Stmt) -> bool:
        match stmt:
            case Assign(variable=Field(region="knowledge")):
                return True
            case Call(routine=name):
                return name in self._teaching
            case _:
                return False

    def _only_teaches(self, stmt: Stmt) -> bool:
        match stmt:
            case Assign(variable=Field(region=region)) if region != "knowledge":
                return False
            case Call(routine=name):
                return name in self.free
            case Assign() | If() | Block() | Leave() | Return() | Note():
                return True
            case While():
                return not self.counts(stmt)
            case _:
                return False

    def _sequence(self, body: Sequence[Stmt], hearing: bool) -> int:
        """The most rounds in statements in which nothing is heard. ``hearing``: every loop in them hears."""
        return sum(self._statement(stmt, hearing) for stmt in body)

    def _statement(self, stmt: Stmt, hearing: bool) -> int:
        asked = sum(
            self._settle((Function, part.function))
            for expr in expressions(stmt)
            for part in every_expression(expr)
            if isinstance(part, Invoke)
        )
        if isinstance(stmt, Call):
            return asked + self._settle((Routine, stmt.routine))
        inside = sum(self._sequence(body, hearing) for body in bodies(stmt))
        if not isinstance(stmt, While):
            return asked + inside
        most = most_rounds(stmt)
        if most and not hearing:
            return (most + 1) * asked + most * (1 + inside)
        self._hearing.add(id(stmt))
        return asked + inside


def depths(routines: Mapping[str, Routine]) -> dict[int, int]:
    """The loops whose rounds the record may count, by their id: those that a flow goes through block by block.

    Each with how many of them lie around it, and around the calls of its routine.
    """
    found: dict[int, int] = {}
    entered: dict[str, int] = {}

    def stops(stmt: Stmt) -> bool:
        jumps = isinstance(stmt, Choose | Chance | Return | Finish | Leave)
        return jumps or (isinstance(stmt, Call) and routines[stmt.routine].stops)

    def sequence(body: Sequence[Stmt], depth: int) -> None:
        for stmt in body:
            if isinstance(stmt, Call) and routines[stmt.routine].stops:
                routine(stmt.routine, depth)
            inside = depth
            if isinstance(stmt, While) and not most_rounds(stmt) and any(map(stops, every_statement(stmt.body))):
                found[id(stmt)] = max(depth, found.get(id(stmt), 0))
                inside = depth + 1
            for each in bodies(stmt):
                sequence(each, inside)

    def routine(name: str, depth: int) -> None:
        if entered.get(name, -1) < depth:
            entered[name] = depth
            sequence(routines[name].body, depth)

    for each in routines.values():
        if each.stops:
            routine(each.name, 0)
    return found
