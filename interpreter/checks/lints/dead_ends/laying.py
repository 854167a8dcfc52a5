"""Pieces that can never be laid on a grid, since the ``so that`` of their option never holds (R311).

The condition is evaluated in positions in which the piece already lies there. The proof is by induction: where nothing could be
laid so far, nothing lies there, so nothing can be laid now. If everything on a grid is connected, it reaches no further than its
pieces do in a row. So nothing is reported where a piece is taken off a grid, or is laid without touching others; until that
happens for the first time all bounds are true, and the first time would be seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import define, field

from ....common.diagnostics import Diagnostic, fault
from ....model import model
from ....model.effects import Movement, effect_of
from ....model.model import Expr
from ....model.visitor import walk_statements
from ....table.sampling.combinations import Choice
from ....table.table import Table
from ...abstract.condition_log import FAILS, ConditionLog
from ...abstract.domain.states import AbstractState
from ...abstract.evaluation.evaluator import Evaluator
from ...abstract.evaluation.grids import owner_of_cells, touches
from ...abstract.interpreter import AbstractInterpreter, Counted
from ..no_effect.decided import parts, why_so


def never_laid(counts: Mapping[Choice, tuple[Table, Counted]]) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """Options that nobody can ever choose (R311), each with the tables where it is so; of those with a value of an option that is
    not its default nothing is said, since with it players may switch something off."""
    found: dict[Diagnostic, list[Choice]] = {}
    for choice, (table, counted) in counts.items():
        if counted.refused and not choice.options:
            for diagnostic in _never_laid(table, counted):
                found.setdefault(diagnostic, []).append(choice)
    yield from found.items()


def _never_laid(table: Table, counted: Counted) -> Iterator[Diagnostic]:
    asked = [
        (node, condition.test)
        for node in table.statements
        if isinstance(node, model.Option)
        for condition in node.conditions
        if condition.test.span in counted.refused and not isinstance(condition.test, model.Const)
    ]
    laying = _Laying(table)
    surely = ConditionLog(watched={test.span: tuple(parts(test)) for _, test in asked})
    AbstractInterpreter(table, laying.line, laying=surely).game()
    for option, test in asked:
        if surely.can.get(test.span) == FAILS and not laying.in_pieces:
            yield fault(
                "R311",
                f"`{option.verb}` can never be chosen: `{test.span.text}` never holds",
                test.span,
                (option.span, "this is the option"),
                label=why_so(test, False, surely, table),
                help="ask for what can be so when it is laid first, or leave the option out",
            )


@define(eq=False)
class _Laying:
    """Hears of every line. ``in_pieces``: whether something on a grid may not hang together."""

    table: Table
    in_pieces: bool = False
    _asking: Evaluator = field(init=False)
    _touching: set[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._asking = Evaluator(self.table)
        options = [node for node in self.table.statements if isinstance(node, model.Option)]
        self._touching = {id(node) for option in options for node in _laid_touching(option, self.table)}

    def line(self, node: model.Statement, at: AbstractState) -> None:
        """A line begins in such positions."""
        for move in effect_of(node).moves:
            if move.what is not None:
                self.moves(move.what, move, id(node) in self._touching, at)

    def moves(self, what: Expr, move: Movement, is_touching: bool, at: AbstractState) -> None:
        zones = self.table.zones
        with self._asking.unsure():
            group = self._asking.group(what, at)
            self.in_pieces |= any(zones[name].grid for name, _ in group.parts if name in zones)
            if move.grid and not is_touching:
                owner = move.owner or owner_of_cells(move.on[0])
                for name in (zone.name for zone in zones.values() if zone.grid == move.grid):
                    places = self._asking.spots(name, owner, owner is None, at)
                    self.in_pieces |= any(at.content[place][1] for place in places)


def _laid_touching(option: model.Option, table: Table) -> Iterator[model.Lay]:
    """The lines of an option that lay what touches something on the same grid, as the option demands."""
    for argument in option.arguments:
        ways = argument.source
        if isinstance(ways, model.Ways) and any(each.laid and touches(each.test, ways, table) for each in option.conditions):
            on_it = (model.VarValue(argument.var, type=argument.var.type, span=option.span),)
            yield from (node for node in walk_statements(option.body) if isinstance(node, model.Lay) and node.on == on_it)
