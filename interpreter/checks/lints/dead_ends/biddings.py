"""Biddings that begin again and can never end (R243).

Somebody must drop out, or something must change, on the way to ``bid again``.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from ....common.diagnostics import Diagnostic, Edit, fault
from ....model import model
from ....model.visitor import children, walk_statements
from ....table.table import Table
from ...dataflow.dependence import read
from ...dataflow.effects import written


def biddings(table: Table) -> Iterator[Diagnostic]:
    """A finding (R243) for each ``bid again`` that can be reached while all is as it was when the bidding began."""
    for node in table.statements:
        if isinstance(node, model.NamedBlock) and node.name.startswith(model.BIDDING):
            asked = _asked(node, table)
            for again in _unchanged(node.body, node.name, asked, table)[0]:
                found = fault(
                    "R243",
                    "this bidding need never end: nobody drops out and nothing changes",
                    again.span,
                    help="write `bid again without winner`",
                )
                yield evolve(found, edits=(Edit(again.span, "bid again without winner"),))


def _asked(bidding: model.NamedBlock, table: Table) -> set[str]:
    """What the course of a bidding depends on; what it keeps itself begins anew and does not count."""
    found: set[str] = set()
    for node in walk_statements(bidding.body):
        if isinstance(node, model.Statement):
            own = {node.name} if isinstance(node, model.SetVariable) else set()  # `add 1 to X` asks for X
            for part in children(node):
                if not isinstance(part, model.Statement):
                    found |= read(part, table) - own
    return {name for name in found if name not in table.variables or table.variables[name].form != "kept"}


def _unchanged(body: model.Body, bidding: str, asked: set[str], table: Table) -> tuple[list[model.End], bool]:
    """The ``bid again`` reached while nothing in ``asked`` has changed, and whether the end of the body is reached so."""
    found: list[model.End] = []
    for statement in body:
        match statement:
            case model.End(name=name):
                return [*found, statement] if name == bidding else found, False
            case model.Include():
                return found, False  # somebody stays out
            case model.If(then=then, otherwise=otherwise):
                ways: tuple[model.Body, ...] = (then, otherwise)
            case model.Choose(options=options, impossible=impossible):
                ways = (*(option.body for option in options), impossible or ())
            case _ if written((statement,), table) & asked:
                return found, False
            case model.ForEach() | model.Repeat() | model.RepeatTimes() | model.TakeTurns() | model.NamedBlock():
                ways = (statement.body, ())
            case _:
                continue
        inside = [_unchanged(way, bidding, asked, table) for way in ways]
        found += (again for ends, _ in inside for again in ends)
        if not any(goes_on for _, goes_on in inside):
            return found, False
    return found, True
