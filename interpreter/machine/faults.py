"""The faults that can stop a machine for good, and their numbers.

A record that was stopped by a fault (status 2) keeps the fault's number, plus 1, where a record at a stop keeps its site, so that
a saved record says what happened to it, and a fast executor need only return a number. Faults are numbered in the order of the
text: functions first, then routines; each ``Fail`` has its own, each loop has one for not ending (R606) or for taking too long
(R820), each decision one for too many decisions (R607). The last is for a machine that broke its promises (R699): a fault of this
program, not of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from ..common.deadline import FEWER
from ..common.source import Source, Span
from .machine import DECISIONS_LIMIT, Choose, Fail, Fault, Function, Message, Routine, While
from .traverse import every_statement, most_rounds


@frozen(eq=False)
class Faults:
    """All faults of a machine by number."""

    table: tuple[Fault, ...]
    _numbers: dict[int, int] = field(repr=False)

    def number(self, node: Fail | While | Choose) -> int:
        """The number of the fault that this very statement (not an equal one) can stop with."""
        return self._numbers[id(node)]

    @property
    def broken(self) -> int:
        """The number of the fault R699."""
        return len(self.table) - 1


def faults_of(functions: Mapping[str, Function], routines: Mapping[str, Routine]) -> Faults:
    """Number the faults of functions and routines."""
    table: list[Fault] = []
    numbers: dict[int, int] = {}
    definitions: list[Function | Routine] = [*functions.values(), *routines.values()]
    for definition in definitions:
        for stmt in every_statement(definition.body):
            match stmt:
                case Fail(fault=fault):
                    found = fault
                case While(span=span):
                    found = _too_long(span) if most_rounds(stmt) else _endless(span)
                case Choose(span=span):
                    found = _too_many_decisions(span)
                case _:
                    continue
            if id(stmt) not in numbers:
                numbers[id(stmt)] = len(table)
                table.append(found)
    return Faults((*table, _broken()), numbers)


def _too_long(span: Span) -> Fault:
    """Of what ends by itself, and may be no loop that the rules write, such as a filter. It says where an executor left off."""
    return Fault("R820", Message(("this takes too long",)), span, FEWER)


def _endless(span: Span) -> Fault:
    text = "this loop was still going after very many rounds in which nobody decided anything"
    return Fault("R606", Message((text,)), span, "let its condition come true at last, or say `at most ... times`")


def _too_many_decisions(span: Span) -> Fault:
    text = f"the game was still going after {DECISIONS_LIMIT:,} decisions"
    return Fault("R607", Message((text,)), span, "let the game end after a number of rounds at the latest")


def _broken() -> Fault:
    text = "the compiled game broke a promise; this is a fault of rulesrun, not of these rules"
    return Fault("R699", Message((text,)), Span(Source("", ""), 0, 0), "please report it with the rules and the replay")
