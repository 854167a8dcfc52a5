"""Interval analysis: the range of every number in a machine, which the executors may rely on.

Each local gets one range for the whole machine, which contains all values that are ever assigned to it (a flow-insensitive
interval analysis; Cousot, Cousot, "Abstract interpretation", POPL 1977). A range that still grows after some rounds becomes all
numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from ...common.intervals import Interval, add, divide, join, join_all, multiply, subtract
from ..machine import (
    EARLIER,
    NONE,
    Assign,
    Call,
    Chance,
    Choose,
    Const,
    Domain,
    Expr,
    Fail,
    Function,
    If,
    Invoke,
    Load,
    Local,
    Lookup,
    Machine,
    Op,
    Return,
    Routine,
    While,
)
from ..traverse import every_statement, expressions_within, members_of
from .widths import bits_of

_Key = TypeVar("_Key", int, str)

ALL: Interval = (-(1 << 31), (1 << 31) - 1)
_ARITHMETIC = {"+": add, "-": subtract, "*": multiply}
ROUNDS = 8  # of the analysis; a range that still grows then is all numbers


class Ranges:
    """The ranges of one machine's numbers."""

    def __init__(self, machine: Machine) -> None:
        self._functions: Mapping[str, Function] = machine.functions
        self._locals: dict[int, Interval] = {}
        self._results: dict[str, Interval] = {}
        definitions: list[Function | Routine] = [*machine.functions.values(), *machine.routines.values()]
        assigned = [step for definition in definitions for step in _assigned(definition, machine)]
        returned = [
            (name, stmt.value)
            for name, function in machine.functions.items()
            if not function.bits
            for stmt in every_statement(function.body)
            if isinstance(stmt, Return) and stmt.value is not None
        ]
        asked_from_outside = {machine.winner, *(term.function for term in machine.terms), *(key.function for key in machine.keys)}
        asked_from_outside |= {"score", "score of team", machine.returns, EARLIER} & set(machine.functions)
        for name in asked_from_outside:
            for parameter in machine.functions[name].parameters:
                self._locals[parameter.number] = (0, machine.seats - 1)
        rounds = 0
        while True:
            before = (dict(self._locals), dict(self._results))
            for local, value in assigned:
                found = value if isinstance(value, tuple) else self.range(value)
                _widen(self._locals, local.number, found, rounds >= ROUNDS)
            for name, value in returned:
                found = self.range(value)
                if found is not None and found[0] == NONE and _refuses_none(self._functions[name]):
                    found = 0, max(0, found[1])
                _widen(self._results, name, found, rounds >= ROUNDS)
            if before == (self._locals, self._results):
                break
            rounds += 1

    def range(self, expr: Expr) -> Interval | None:
        """The least and the greatest value; None where nothing has been assigned yet (only while ranges are worked out)."""
        match expr:
            case Const(value=value):
                return value, value
            case Load(variable=Local(number=number)):
                return self._locals.get(number)
            case Load(variable=field):
                return (field.low, field.high) if not field.bits else ALL  # type: ignore[union-attr]
            case Lookup(table=table):
                return (min(table.values), max(table.values)) if table.values and not table.bits else ALL
            case Invoke(function=name):
                return self._results.get(name)
            case Op():
                return self._operation(expr)

    def known(self, expr: Expr) -> Interval:
        """The range of an expression when the analysis is complete."""
        return self.range(expr) or ALL

    def _operation(self, expr: Op) -> Interval | None:
        match expr.name, expr.args:
            case (("=" | "<" | "<=" | "and" | "or" | "not" | "has"), _):
                return 0, 1
            case "count", (part,):
                return 0, bits_of(part, self._functions) or ALL[1]
            case (("first" | "after"), (part, *_)):
                return -1, (bits_of(part, self._functions) or 1 << 31) - 1
            case "if", (_, then, otherwise):
                ranges = [found for found in (self.range(then), self.range(otherwise)) if found is not None]
                return join_all(ranges) if ranges else None
            case ("+" | "-" | "*" | "min" | "max" | "div" | "mod") as name, args:
                found = [self.range(part) for part in args]
                known = [each for each in found if each is not None]
                if len(known) < len(found):
                    return None
                value = known[0]
                for other in known[1:]:
                    value = _computed(name, value, other)
                return value
            case _:
                return ALL


def _refuses_none(function: Function) -> bool:
    """Whether a function gives back what it is given, unless that is none, which stops the game."""
    match function.body:
        case (If(condition=Op(name="=", args=(asked, Const(value=-1))), then=(Fail(),)), Return(value=given)):
            return asked == given
        case _:
            return False


def _widen(ranges: dict[_Key, Interval], key: _Key, found: Interval | None, to_all: bool) -> None:
    if found is None:
        return
    known = ranges.get(key)
    joined = found if known is None else join(known, found)
    ranges[key] = ALL if to_all and joined != known else joined


def _computed(name: str, left: Interval, right: Interval) -> Interval:
    match name:
        case "min":
            found = min(left[0], right[0]), min(left[1], right[1])
        case "max":
            found = max(left[0], right[0]), max(left[1], right[1])
        case "div" if right[0] > 0:
            found = divide(left, right) or ALL
        case "mod" if right[0] > 0:
            found = 0, right[1] - 1
        case "+" | "-" | "*":
            found = _ARITHMETIC[name](left, right)
        case _:
            found = ALL
    return found if ALL[0] <= found[0] and found[1] <= ALL[1] else ALL


def _assigned(definition: Function | Routine, machine: Machine) -> Iterator[tuple[Local, Expr | Interval]]:
    """Every number that is given to a local in a definition, with the values it may get."""
    for expr in expressions_within(definition.body):
        if isinstance(expr, Invoke):
            for parameter, arg in zip(machine.functions[expr.function].parameters, expr.args, strict=True):
                if not parameter.bits:
                    yield parameter, arg
    loops = [(stmt, members_of(stmt)) for stmt in every_statement(definition.body) if isinstance(stmt, While)]
    members = {id(loop.body[0]): rest.bits for loop, rest in loops if rest is not None}
    for stmt in every_statement(definition.body):
        match stmt:
            case Assign(variable=Local(bits=0) as local, value=value):
                yield local, (0, members[id(stmt)] - 1) if id(stmt) in members else value
            case Call(routine=name, args=args):
                for parameter, arg in zip(machine.routines[name].parameters, args, strict=True):
                    if not parameter.bits:
                        yield parameter, arg
            case Chance(result=local, domain=domain):
                yield local, _of_domain(domain)
            case Choose(alternatives=alternatives):
                for alternative in alternatives:
                    domains = machine.groups[alternative.group].arguments
                    for local, domain in zip(alternative.arguments, domains, strict=True):
                        yield local, _of_domain(domain)
            case _:
                pass


def _of_domain(domain: Domain) -> Interval:
    return domain.low, domain.low + len(domain.names) - 1
