"""Removes from playouts what seats know and observe, where no rule asks for it.

A playout plays a game to its end and reports the result. Nothing reads digests there, and only rules that ask what somebody knows
read knowledge. So what is shown is left out, and, where no rule asks for knowledge, the calls of all routines that only record
what seats know (`Rounds.free`), and all assignments to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...machine.analysis.rounds import Rounds
from ...machine.machine import Assign, Call, Expr, Fail, Field, Invoke, Load, Machine, Note, Show, Stmt, While
from ...machine.traverse import every_expression, every_statement, expressions, expressions_within


class Unseen:
    """``knowledge_needed``: whether a rule asks what seats know. ``different``: routines of which something is left out."""

    def __init__(self, machine: Machine, rounds: Rounds) -> None:
        self._machine = machine
        self._rounds = rounds
        self._failing = self._functions_with(self._is_failing)
        self.knowledge_needed = self._asks_what_seats_know()
        statements = {name: tuple(every_statement(routine.body)) for name, routine in machine.routines.items()}
        found = {name for name, body in statements.items() if not all(self.keeps(stmt) for stmt in body)}
        while more := {
            name
            for name, body in statements.items()
            if name not in found and any(isinstance(stmt, Call) and stmt.routine in found for stmt in body)
        }:
            found |= more
        self.different = found

    def keeps(self, stmt: Stmt) -> bool:
        """Whether a statement is not left out. What could stop the game is kept."""
        match stmt:
            case Show(seats=seats, value=value):
                return self.can_fail(seats) or self.can_fail(value)
            case Assign(variable=Field(region="knowledge"), value=value, index=index):
                return self.knowledge_needed or self.can_fail(value) or (index is not None and self.can_fail(index))
            case Call(routine=name, args=args):
                return self.knowledge_needed or name not in self._rounds.free or any(self.can_fail(arg) for arg in args)
            case _:
                return True

    def can_fail(self, expr: Expr) -> bool:
        """Whether evaluating an expression may stop the game: it calls a function that can."""
        return any(isinstance(part, Invoke) and part.function in self._failing for part in every_expression(expr))

    def ends_by_itself(self, name: str) -> bool:
        """Whether a function comes to its end without a fault, however the game stands."""
        return name not in self._failing

    def _functions_with(self, kind: Callable[[Stmt], bool]) -> set[str]:
        """The functions in which there is such a statement, or below which."""
        functions = self._machine.functions
        invoked = {
            name: {part.function for part in expressions_within(function.body) if isinstance(part, Invoke)}
            for name, function in functions.items()
        }
        found = {name for name, f in functions.items() if any(map(kind, every_statement(f.body)))}
        while more := {name for name, called in invoked.items() if name not in found and called & found}:
            found |= more
        return found

    def _is_failing(self, stmt: Stmt) -> bool:
        return isinstance(stmt, Fail) or (isinstance(stmt, While) and self._rounds.counts(stmt))

    def _asks_what_seats_know(self) -> bool:
        """Whether knowledge is read for anything but to keep it up to date."""
        machine = self._machine
        asking = {name for name, function in machine.functions.items() if _reads_knowledge(expressions_within(function.body))}
        while more := {
            name
            for name, function in machine.functions.items()
            if name not in asking
            and any(isinstance(part, Invoke) and part.function in asking for part in expressions_within(function.body))
        }:
            asking |= more
        for name, routine in machine.routines.items():
            if name in self._rounds.free:
                continue
            for stmt in every_statement(routine.body):
                if isinstance(stmt, Note | Show) or (isinstance(stmt, Assign) and _is_knowledge(stmt)):
                    continue
                if isinstance(stmt, Call) and stmt.routine in self._rounds.free:
                    continue
                parts = [part for expr in expressions(stmt) for part in every_expression(expr)]
                if _reads_knowledge(parts) or any(isinstance(part, Invoke) and part.function in asking for part in parts):
                    return True
        scoring = {machine.winner, "score", "score of team", machine.returns, *(term.function for term in machine.terms)}
        return bool(asking & scoring)


def _is_knowledge(stmt: Assign) -> bool:
    return isinstance(stmt.variable, Field) and stmt.variable.region == "knowledge"


def _reads_knowledge(parts: Iterable[Expr]) -> bool:
    loaded = [part.variable for part in parts if isinstance(part, Load)]
    return any(isinstance(variable, Field) and variable.region == "knowledge" for variable in loaded)
