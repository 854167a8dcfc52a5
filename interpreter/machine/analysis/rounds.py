"""Which loops count their rounds: those that could go on for ever, and large ones.

A loop over the members of a set takes one of them out in each round, so it ends by itself, and for some others the lowering knows
the greatest number of rounds. If everything that a function or routine runs and calls comes to few rounds altogether, its loops
are not counted. A counted round counts for itself and for the uncounted rounds that it can hold at the most: between two
decisions a machine never goes on for much longer than `ROUNDS_LIMIT` says, and the fault R606 comes at the same round in every
executor.

What ends by itself may take long, so there can be very many such rounds. Those of a loop that could go on for ever count as
`OPEN_ROUND` each: it does not end, and that should be said soon. A chance event counts as `CHANCE_ROUNDS`: a line of the story is
kept of it.

Routines that only record what seats know are free: they are never counted, since a playout leaves them out. A loop of the rules
in which nothing is done is not free: it takes its time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..machine import (
    ROUNDS_LIMIT,
    Assign,
    Block,
    Call,
    Chance,
    Field,
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

OPEN_ROUND = 60
CHANCE_ROUNDS = 10 * OPEN_ROUND
FEW = 1024  # rounds of one routine or function, with all that it calls

_Key = tuple[type, str]


class Rounds:
    """The weight of every loop of a machine. ``free``: the routines that only say what seats know, and surely end."""

    def __init__(self, functions: Mapping[str, Function], routines: Mapping[str, Routine]) -> None:
        self._definitions: dict[_Key, Function | Routine] = {}
        for name, function in functions.items():
            self._definitions[Function, name] = function
        for name, routine in routines.items():
            self._definitions[Routine, name] = routine
        self._most: dict[_Key, int] = {}
        self._weights: dict[int, int] = {}
        self.free: set[str] = set()
        self._teaching: set[str] = set()  # of these, those that store what seats know
        for key in self._definitions:
            self._settle(key)

    def weight(self, loop: While) -> int:
        """By how much each round of this very loop (not an equal one) is counted; 0: it is not."""
        return self._weights[id(loop)]

    def _settle(self, key: _Key) -> int:
        """The most uncounted rounds of one call."""
        if key not in self._most:
            definition = self._definitions[key]
            most = self._sequence(definition.body, counting=False)
            if isinstance(definition, Routine) and self._is_free(definition):
                self.free.add(definition.name)
                most = 0
            elif most > FEW:
                most = self._sequence(definition.body, counting=True)
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
                return self._weights[id(stmt)] == 0
            case _:
                return False

    def _sequence(self, body: Sequence[Stmt], counting: bool) -> int:
        """The most uncounted rounds in statements. ``counting``: every loop in them is counted, not only what could go on."""
        return sum(self._statement(stmt, counting) for stmt in body)

    def _statement(self, stmt: Stmt, counting: bool) -> int:
        asked = sum(
            self._settle((Function, part.function))
            for expr in expressions(stmt)
            for part in every_expression(expr)
            if isinstance(part, Invoke)
        )
        if isinstance(stmt, Call):
            return asked + self._settle((Routine, stmt.routine))
        if isinstance(stmt, Chance):
            return asked + CHANCE_ROUNDS
        inside = sum(self._sequence(body, counting) for body in bodies(stmt))
        if not isinstance(stmt, While):
            return asked + inside
        most = most_rounds(stmt)
        if most and not counting:
            self._weights[id(stmt)] = 0
            return (most + 1) * asked + most * (1 + inside)
        own = 1 if most else OPEN_ROUND
        self._weights[id(stmt)] = min(own + asked + inside, ROUNDS_LIMIT + 1)
        return asked
