"""Prints a table in the words of a model, for `rulesrun show --stage table`."""

from __future__ import annotations

from attrs import evolve

from ..model.show import show_part
from .table import Table


def show(table: Table) -> str:
    """What happens at a table: its steps, with everything fixed and with its limits and triggers written out."""
    steps = (show_part(evolve(step, entered=None, fitting=None), table.lists) for step in table.all_steps)
    return "\n\n".join((f"table {table.game}, {table.players} players", *steps)) + "\n"
