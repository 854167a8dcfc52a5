"""Findings for names in a test that are not there at its table.

A variant that is always in play at some tables gives its names to all tests, and a test may be about another table; or a variant
in play has removed a line of the score.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..common.diagnostics import Diagnostic, fault
from ..model import model
from ..model.visitor import walk
from ..table.from_model.edits import lines_taken_out, named, named_term
from ..table.table import Table


def absent(whole: model.Model, table: Table, test: model.Test) -> Iterator[Diagnostic]:
    """A finding for each such name in the lines of a test, which is played at ``table``."""
    yield from lines_taken_out(test.lines, [variant for variant in whole.variants if variant.name in table.variants], table)
    here = {named(declared) for declared in whole.declarations}
    here |= {named(declared) for variant in whole.variants if variant.name in table.variants for declared in variant.adds}
    elsewhere = {named(declared): (variant, declared) for variant in whole.variants for declared in variant.adds}
    for line in test.lines:
        for node in walk(line):
            name = _name_in(node)
            if name not in here and name in elsewhere:
                variant, declared = elsewhere.pop(name)
                yield fault(
                    "R201", f"this is of the variant `{variant.name}`, which is not in play at this table",
                    node.span or line.span, (declared.span, "declared here"),
                    help=f"say `with {variant.name}`, or name the players with whom it is always in play",
                )  # fmt: skip


def _name_in(node: model.Node) -> str:
    """What a node names of what is declared; "" where it names nothing."""
    match node:
        case model.ScoreOf(term=str(term)):
            return named_term(term)
        case (
            model.VariableValue(name=name) | model.GivenVariable(name=name) | model.ZoneContent(zone=name) | model.Spot(zone=name)
            | model.CellsOf(grid=name) | model.Lay(grid=name) | model.ColumnFor(table=name) | model.Apply(define=name)
            | model.OptionValue(name=name) | model.Start(step=name)
        ):  # fmt: skip
            return name
        case model.Typed(type=type) if type.base in ("component", "cell"):
            return type.of
    return ""
