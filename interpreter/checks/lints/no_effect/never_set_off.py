"""Triggers that never fire: no component that fits ever comes into their zone (R326)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....common.diagnostics import Diagnostic, warning
from ....common.source import Span
from ....model import model
from ....model.effects import effects_of
from ....model.visitor import walk_statements
from ....table.table import Table
from ...abstract.domain.states import beginning, ground_of
from ...abstract.domain.values import NO, YES, Group
from ...abstract.evaluation.evaluator import Evaluator
from ...abstract.whole_game import steps_done

SHOWN = 3  # lines that are shown


def never_set_off(silent: Sequence[model.Step], opened: Sequence[Table | None]) -> Iterator[Diagnostic]:
    """Triggers that are never set off (R326), of those for which it is so at all tables that are looked at.

    ``opened``: the tables of a game with its options left open. So a move behind a condition of an option counts as one that
    can be done.
    """
    tables = [table for table in opened if table is not None]
    if not silent or len(tables) < len(opened):
        return
    done = {name for table in tables for name in steps_done(ground_of(table))}
    for step in silent:
        having = [table for table in tables if step.name in table.steps]
        if step.entered is None or not having or step.name in done:
            continue
        kind, zone = step.parameters[0].type.noun, step.entered.zone
        places: tuple[tuple[Span, str], ...] = ()
        if not any(_is_there_one(table, step.name) for table in having):
            why, help = f"there is no such {kind}", "ask for something else that is printed on them"
        else:
            why = f"no such {kind} is ever moved to `{zone}`"
            places = tuple((span, "what comes there here is something else") for span in _moves_to(zone, having)[:SHOWN])
            help = f"let it watch a zone to which they come, or move them to `{zone}`"
        yield warning(
            "R326",
            f"this trigger never fires: {why}",
            step.span,
            *places,
            help=f"{help}; or remove the trigger",
        )


def _is_there_one(table: Table, name: str) -> bool:
    """Whether some component fits a trigger, as far as that does not depend on what is going on."""
    step, at, evaluator = table.steps[name], beginning(ground_of(table)), Evaluator(table)
    var, fitting = step.parameters[0], step.fitting
    for variable in table.variables.values():
        at.variables |= at.ground.unknown[variable.name]
    with evaluator.unsure():
        for face in range(len(table.kinds[var.type.of].faces)):
            at.names[var] = Group(var.type.of, YES, dict.fromkeys(at.ground.places[var.type.of], (0, 1)), 1 << face)
            if fitting is None or evaluator.number(fitting, at) != NO:
                return True
    return False


def _moves_to(zone: str, tables: Sequence[Table]) -> list[Span]:
    """The lines that move something into a zone."""
    found: dict[Span, None] = {}
    for table in tables:
        for step in table.all_steps:
            for node, effect in effects_of(walk_statements(step.body)):
                if any(move.place == zone for move in effect.arrivals):
                    found[node.span] = None
    return [*found]
