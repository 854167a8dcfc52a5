"""Which rounds of loops are counted? Those of loops that could go on for ever, and of large ones.

A loop over the members of a set takes one of them out in each round, so it ends by itself; where it and all it runs and calls come
to few rounds altogether, nothing is counted. A counted round counts for itself and for the uncounted rounds that it can hold at
the most, so that between two stops a machine never goes on for much longer than `ROUNDS_LIMIT` says, and the fault R606 comes at
the same round in every executor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .machine import Assign, Call, Const, Function, Invoke, Load, Local, Op, Routine, Stmt, While
from .traverse import bodies, every_expression, every_statement, expressions

FEW = 4096  # rounds of one routine or function, with all that it calls


class Rounds:
    """The weight of every loop of a machine."""

    def __init__(self, functions: Mapping[str, Function], routines: Mapping[str, Routine]) -> None:
        self._definitions: dict[tuple[type, str], Function | Routine] = {}
        for name, function in functions.items():
            self._definitions[Function, name] = function
        for name, routine in routines.items():
            self._definitions[Routine, name] = routine
        self._most: dict[tuple[type, str], int] = {}
        self._weights: dict[int, int] = {}
        for key in self._definitions:
            self._settle(key)

    def weight(self, loop: While) -> int:
        """By how much each round of this very loop (not an equal one) is counted; 0: it is not."""
        return self._weights[id(loop)]

    def _settle(self, key: tuple[type, str]) -> int:
        """The most uncounted rounds of one call."""
        if key not in self._most:
            body = self._definitions[key].body
            most = self._sequence(body, counting=False)
            if most > FEW:
                most = self._sequence(body, counting=True)
            else:
                for stmt in every_statement(body):
                    if isinstance(stmt, While):
                        self._weights.setdefault(id(stmt), 0)
            self._most[key] = most
        return self._most[key]

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
        inside = sum(self._sequence(body, counting) for body in bodies(stmt))
        if not isinstance(stmt, While):
            return asked + inside
        members = members_of(stmt)
        if members is not None and not counting:
            return (members.bits + 1) * asked + members.bits * (1 + inside)
        self._weights[id(stmt)] = 1 + asked + inside
        return asked


def members_of(loop: While) -> Local | None:
    """The set that a loop over the members of a set takes them out of; None for any other loop."""
    match loop.condition, loop.body:
        case (
            Op(name="not", args=(Op(name="=", args=(Load(variable=Local() as rest), Const(value=0))),)),
            (
                Assign(variable=member, value=Op(name="first" | "after", args=(Load(variable=source), *_)), index=None),
                Assign(variable=less, value=Op(name="minus", args=(Load(variable=left), Op(name="bit", args=(Load(variable=out),)))),),
                *body,
            ),
        ) if rest == source == less == left and member == out:
            changed = any(isinstance(stmt, Assign) and stmt.variable == rest for stmt in every_statement(tuple(body)))
            return None if changed else rest
        case _:
            return None
