"""What may a playout leave out? What seats know and observe, where no rule asks for it.

A playout plays a game to its end and tells what came of it. Digests are read by nobody there, and knowledge only by rules that
ask what somebody knows. So assignments to fields of knowledge that nothing else needs are left out, and with them the
calls of routines in which nothing is left.
"""

from __future__ import annotations

from ...machine.machine import (
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Expr,
    Fail,
    Field,
    Finish,
    Function,
    If,
    Invoke,
    Leave,
    Load,
    Machine,
    Note,
    Return,
    Routine,
    Show,
    Stmt,
    While,
)
from ...machine.rounds import Rounds
from ...machine.traverse import bodies, every_expression, every_statement, expressions, expressions_within


class Unseen:
    """``needed``: fields of knowledge that rules ask for. ``different``: routines of which something is left out in playouts."""

    def __init__(self, machine: Machine, weights: Rounds) -> None:
        self._machine = machine
        self._weights = weights
        self.needed: set[str] = set()
        self._idle: set[str] = set()
        self._failing = self._failing_functions()
        while True:
            self._idle = self._idle_routines()
            needed = self._read()
            if needed == self.needed:
                break
            self.needed = needed
        self.different = {
            name
            for name, routine in machine.routines.items()
            if any(not self.keeps(stmt) for stmt in every_statement(routine.body))
        }
        while more := {
            name
            for name, routine in machine.routines.items()
            if name not in self.different
            and any(isinstance(s, Call) and s.routine in self.different for s in every_statement(routine.body))
        }:
            self.different |= more

    def keeps(self, stmt: Stmt) -> bool:
        """Whether a statement is not left out. What could stop the game is kept."""
        match stmt:
            case Assign(variable=Field(region="knowledge", name=name), value=value, index=index):
                return name in self.needed or self._can_fail(value) or (index is not None and self._can_fail(index))
            case Show(seats=seats, value=value):
                return self._can_fail(seats) or self._can_fail(value)
            case Call(routine=name, args=args):
                return name not in self._idle or any(self._can_fail(arg) for arg in args)
            case _:
                return True

    def _can_fail(self, expr: Expr) -> bool:
        """Whether evaluating an expression may stop the game: it calls a function that can, or in which rounds are counted."""
        return any(isinstance(part, Invoke) and part.function in self._failing for part in every_expression(expr))

    def _failing_functions(self) -> set[str]:
        functions = self._machine.functions
        invoked = {
            name: {part.function for part in expressions_within(function.body) if isinstance(part, Invoke)}
            for name, function in functions.items()
        }
        found = {
            name for name, f in functions.items() if any(self._is_failing(stmt) for stmt in every_statement(f.body))
        }
        while more := {name for name, called in invoked.items() if name not in found and called & found}:
            found |= more
        return found

    def _is_failing(self, stmt: Stmt) -> bool:
        return isinstance(stmt, Fail) or (isinstance(stmt, While) and self._weights.weight(stmt) > 0)

    def _idle_routines(self) -> set[str]:
        """Routines without stops that do nothing a playout needs."""
        found: set[str] = set()
        changed = True
        self._idle = found
        while changed:
            changed = False
            for name, routine in self._machine.routines.items():
                if name not in found and not routine.stops and self._is_idle(routine):
                    found.add(name)
                    changed = True
        return found

    def _is_idle(self, routine: Routine) -> bool:
        return all(self._does_nothing(stmt) for stmt in every_statement(routine.body))

    def _does_nothing(self, stmt: Stmt) -> bool:
        match stmt:
            case Assign(variable=Field()):
                return not self.keeps(stmt)
            case Assign(value=value):
                return not self._can_fail(value)
            case Show() | Call():
                return not self.keeps(stmt)
            case While() if self._weights.weight(stmt):
                return False
            case If() | While() | Block() | Leave() | Return() | Note():
                return not any(self._can_fail(expr) for expr in expressions(stmt))
            case Fail() | Finish() | Choose() | Chance():
                return False

    def _read(self) -> set[str]:
        """Fields of knowledge that are read by what is kept."""
        found: set[str] = set()
        definitions: list[Function | Routine] = [*self._machine.functions.values()]
        definitions += [r for name, r in self._machine.routines.items() if name not in self._idle]
        for definition in definitions:
            waiting = list(definition.body)
            while waiting:
                stmt = waiting.pop()
                for body in bodies(stmt):
                    waiting += body
                if isinstance(stmt, Note) or not self.keeps(stmt):
                    continue
                for expr in expressions(stmt):
                    for part in every_expression(expr):
                        match part:
                            case Load(variable=Field(region="knowledge", name=name)):
                                found.add(name)
                            case _:
                                pass
        return found
