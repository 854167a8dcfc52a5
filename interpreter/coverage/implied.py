"""Parts of the rules that are reached along with others, at one table.

A define is often no code of its own: a filter by a define is a constant set. So a define counts as reached with whatever uses it;
and so does a case that the table has settled, or that has become a part of a set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from attrs import define, field

from ..model import model
from ..model.visitor import children
from ..table.table import Table
from .reached import Place


def implied_by(table: Table, asked: Iterable[model.Expr], cases: Collection[Place], marked: Collection[Place]) -> Implied:
    """For a table. ``asked``: by a test. ``cases``: of the rules; ``marked``: those of which the machine tells by itself."""
    found = _Finder(table, cases, marked)
    for step in table.all_steps:
        for statement in step.body:
            found.visit(statement, Place("step", step.span))
    for each in table.defines.values():
        found.visit(each.value, Place("define", each.span))
    for term in table.terms:
        found.visit(term, Place("statement", term.span))
    for key in table.winner.keys:
        found.visit(key.value, Place("tie", key.span))
    for expr in asked:
        found.visit(expr, Place("statement", expr.span))
    return found.implied


Implied = Mapping[Place, Collection[Place]]


@define(eq=False)
class _Finder:
    table: Table
    cases: Collection[Place]
    marked: Collection[Place]
    implied: dict[Place, dict[Place, None]] = field(factory=dict)

    def visit(self, node: model.Node, owner: Place) -> None:
        if isinstance(node, model.Statement) and not isinstance(node, model.NamedBlock):
            owner = Place("statement", node.span)
        elif isinstance(node, model.Apply):
            self.add(owner, Place("define", self.table.defines[node.define].span))
        elif isinstance(node, model.Typed):
            case = Place("case", node.span)
            if case in self.cases and case in self.marked:
                owner = case
            elif case in self.cases:
                self.add(owner, case)
        for part in children(node):
            self.visit(part, owner)

    def add(self, owner: Place, place: Place) -> None:
        self.implied.setdefault(owner, {})[place] = None


def with_implied(counts: Mapping[Place, int], implied: Implied) -> dict[Place, int]:
    """How often each place was reached, those included that are reached along with others."""
    found = dict(counts)
    todo = list(counts)
    while todo:
        place = todo.pop()
        for other in implied.get(place, ()):
            if found.get(other, 0) < found[place]:
                found[other] = found[place]
                todo.append(other)
    return found
