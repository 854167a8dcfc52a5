"""The bits that each set can ever have, and from them bounds on how often it can shrink or grow.

Each field and each local gets one set for the whole machine: the union of all values that are stored in it (a flow-insensitive
analysis, as in `ranges.py`). A set that still grows after some rounds becomes all bits.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..machine import Assign, Call, Const, Expr, Field, Function, Invoke, Load, Lookup, Machine, Op, Return, Routine, Variable
from ..traverse import every_statement, expressions_within
from .ranges import Ranges
from .widths import bits_of

ROUNDS = 8  # of the analysis; a set that still grows then is all bits


class Contents:
    """The bits that the sets of one machine may have."""

    def __init__(self, machine: Machine, ranges: Ranges) -> None:
        self._functions = machine.functions
        self._ranges = ranges
        self._found: dict[Variable | str, int] = {}  # of a variable, and of a function by name
        definitions: list[Function | Routine] = [*machine.functions.values(), *machine.routines.values()]
        given = [each for definition in definitions for each in _given(definition, machine)]
        self._most = max((bits for _, bits, _ in given), default=0)  # that any set has
        asked = machine.functions[machine.winner]
        self._found |= {parameter: (1 << parameter.bits) - 1 for parameter in asked.parameters}
        rounds, changed = 0, True
        while changed:
            changed = False
            for to, bits, value in given:
                known, whole = self._found.get(to, 0), (1 << bits) - 1
                found = known | self.may_have(value) & whole
                if found != known:
                    self._found[to] = found if rounds < ROUNDS else whole
                    changed = True
            rounds += 1

    def of(self, field: Field) -> int:
        """The bits that elements of a field may have."""
        return self._found.get(field, 0)

    def may_have(self, expr: Expr) -> int:
        """The bits that the value of a set expression may have."""
        match expr:
            case Const(value=value):
                return value
            case Load(variable=variable):
                return self._found.get(variable, 0)
            case Lookup(table=table):
                found = 0
                for value in table.values:
                    found |= value
                return found
            case Invoke(function=name):
                return self._found.get(name, 0)
            case Op(name="intersect", args=(left, right)):
                return self.may_have(left) & self.may_have(right)
            case Op(name="minus", args=(left, Const(value=value))):
                return self.may_have(left) & ~value
            case Op(name="minus", args=(left, _)):
                return self.may_have(left)
            case Op(name="union" | "flip", args=(left, right)) | Op(name="if", args=(_, left, right)):
                return self.may_have(left) | self.may_have(right)
            case Op(name="bit", args=(member,)):
                low, high = self._ranges.known(member)
                return max(0, (1 << min(high, self._most) + 1) - (1 << max(0, low)))
            case Op(name="left", args=(these, Const(value=by))):
                return self.may_have(these) << by & (1 << bits_of(these, self._functions)) - 1
            case Op(name="right", args=(these, Const(value=by))):
                return self.may_have(these) >> by
            case _:
                raise AssertionError(f"{expr} is no set")


def _given(definition: Function | Routine, machine: Machine) -> Iterator[tuple[Variable | str, int, Expr]]:
    """Every set that is given to a variable in a definition, or that a function gives, and how many bits it can have."""
    for expr in expressions_within(definition.body):
        if isinstance(expr, Invoke):
            yield from _arguments(machine.functions[expr.function], expr.args)
    for stmt in every_statement(definition.body):
        match stmt:
            case Assign(variable=variable, value=value) if variable.bits:
                yield variable, variable.bits, value
            case Call(routine=name, args=args):
                yield from _arguments(machine.routines[name], args)
            case Return(value=value) if value is not None and isinstance(definition, Function) and definition.bits:
                yield definition.name, definition.bits, value
            case _:
                pass


def _arguments(of: Function | Routine, args: tuple[Expr, ...]) -> Iterator[tuple[Variable | str, int, Expr]]:
    for parameter, arg in zip(of.parameters, args, strict=True):
        if parameter.bits:
            yield parameter, parameter.bits, arg
