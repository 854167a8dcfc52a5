"""Whether the seats of a table win and lose together: then each plays for the score of all."""

from __future__ import annotations

from ..machine import Expr, Invoke, Load, Local, Machine
from ..traverse import every_statement, expressions, operands


def all_share(machine: Machine) -> bool:
    """Whether all seats are one team, or neither the score nor who comes first depends on the seat that is asked for."""
    everybody = (1 << machine.seats) - 1
    if machine.seats > 1 and all(team == everybody for team in machine.teams):
        return True
    asks = _Asks(machine)
    wanted = ("score", *(key.function for key in machine.keys))
    return machine.seats > 1 and all(name in machine.functions and not asks.of(name, 0) for name in wanted)


class _Asks:
    def __init__(self, machine: Machine) -> None:
        self._functions = machine.functions
        self._known: dict[tuple[str, int], bool] = {}

    def of(self, name: str, place: int) -> bool:
        """Whether what a function gives may depend on its parameter at a place."""
        if (name, place) not in self._known:
            self._known[name, place] = False  # of a function that asks itself
            function = self._functions[name]
            parameter = function.parameters[place]
            parts = (part for stmt in every_statement(function.body) for part in expressions(stmt))
            self._known[name, place] = any(self._in(part, parameter) for part in parts)
        return self._known[name, place]

    def _in(self, expr: Expr, parameter: Local) -> bool:
        if isinstance(expr, Load) and expr.variable == parameter:
            return True
        if isinstance(expr, Invoke):
            return any(self._in(arg, parameter) and self.of(expr.function, place) for place, arg in enumerate(expr.args))
        return any(self._in(part, parameter) for part in operands(expr))
