"""Joins functions that are equal, and removes functions that nothing calls.

The same expression is often lowered at several places: once to tell how a choice came about, once to make it, once to say why
not. Two functions that differ only in the numbers of their locals become one (`Shapes`). Where a fault can come from a line of
the rules, that line is a part of the function's identity, so that each line still shows itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import assert_never

from attrs import define, field

from ....common.source import Span
from ...machine import (
    Assign,
    Block,
    Const,
    Expr,
    Fail,
    Function,
    If,
    Invoke,
    Leave,
    Load,
    Local,
    Lookup,
    Message,
    Op,
    Return,
    Routine,
    Say,
    Stmt,
    Variable,
    While,
)
from ...traverse import expressions_within, members_of


@define(eq=False)
class _Shape:
    """The text of one function, with its locals and labels numbered as they come."""

    numbers: dict[Local, int] = field(factory=dict)
    labels: dict[str, int] = field(factory=dict)

    def variable(self, variable: Variable) -> Hashable:
        if isinstance(variable, Local):
            return self.numbers.setdefault(variable, len(self.numbers)), variable.bits
        return variable.name

    def expression(self, expr: Expr | None) -> Hashable:
        match expr:
            case None:
                return None
            case Const(value=value):
                return value
            case Load(variable=variable, index=index):
                return "load", self.variable(variable), self.expression(index)
            case Lookup(table=table, index=index):
                return table, self.expression(index)
            case Op(name=name, args=args) | Invoke(function=name, args=args):
                return type(expr), name, *map(self.expression, args)
            case _:
                assert_never(expr)

    def message(self, message: Message) -> Hashable:
        return tuple(
            (self.expression(part.value), part.domain, part.is_set) if isinstance(part, Say) else part for part in message.parts
        )

    def statements(self, body: Iterable[Stmt]) -> Hashable:
        return tuple(map(self.statement, body))

    def statement(self, stmt: Stmt) -> Hashable:
        match stmt:
            case Assign(variable=variable, value=value, index=index):
                return "assign", self.variable(variable), self.expression(value), self.expression(index)
            case If(condition=condition, then=then, otherwise=otherwise):
                return "if", self.expression(condition), self.statements(then), self.statements(otherwise)
            case While(condition=condition, body=body, span=span):
                line = None if members_of(stmt) is not None else _line(span)  # a loop over members ends by itself
                return "while", self.expression(condition), self.statements(body), line
            case Block(label=label, body=body):
                self.labels[label] = len(self.labels)
                return "block", self.statements(body)
            case Leave(label=label):
                return "leave", self.labels[label]
            case Return(value=value):
                return "return", self.expression(value)
            case Fail(fault=fault):
                return fault.code, self.message(fault.message), fault.help, _line(fault.span)
            case _:
                raise AssertionError(f"{type(stmt).__name__} in a function")


def _line(span: Span) -> Hashable:
    return span.source.path, span.start, span.end


@define(eq=False)
class Shapes:
    """The functions made so far, by what they do."""

    known: dict[Hashable, str] = field(factory=dict)

    def name_of(self, parameters: tuple[Local, ...], bits: int, body: tuple[Stmt, ...]) -> tuple[Hashable, str | None]:
        """What such a function does, as a key, and the name of one that does the same."""
        shape = _Shape()
        key = bits, tuple(map(shape.variable, parameters)), shape.statements(body)
        return key, self.known.get(key)


def called(functions: Mapping[str, Function], routines: Mapping[str, Routine], asked: Iterable[str]) -> dict[str, Function]:
    """The functions that are asked for by name, and those that anything calls."""
    found = dict.fromkeys(asked)
    found.update(dict.fromkeys(name for routine in routines.values() for name in _calls(routine)))
    todo = list(found)
    while todo:
        new = [name for name in _calls(functions[todo.pop()]) if name not in found]
        found.update(dict.fromkeys(new))
        todo += new
    return {name: function for name, function in functions.items() if name in found}


def _calls(definition: Function | Routine) -> Iterable[str]:
    return (expr.function for expr in expressions_within(definition.body) if isinstance(expr, Invoke))
