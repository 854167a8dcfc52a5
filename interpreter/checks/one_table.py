"""Is there anything wrong with one table of a game? What is found before it is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from ..diagnostics import Diagnostic
from ..model.model import Model
from ..rules import build
from ..table.table import Table
from .proved.biddings import biddings
from .proved.knowledge import knowledge
from .proved.limits import limits
from .proved.loops import loops


@frozen
class Looked:
    """A table (None when it cannot be played), and what is wrong with it whatever the other tables are."""

    table: Table | None
    diagnostics: tuple[Diagnostic, ...]


def look_at(
    whole: Model, players: int, variants: Iterable[str], options: Mapping[str, str | int | bool] | None = None
) -> Looked:
    """A table by itself (see `specialise` for the arguments); why it is refused, when it is."""
    built = build(whole, players, variants, options)
    found = (*built.diagnostics, *((*loops(built.table), *biddings(built.table)) if built.table is not None else ()))
    return Looked(built.table if built.machine is not None else None, found)


def findings_at(
    whole: Model, players: int, variants: Iterable[str], options: Mapping[str, str | int | bool] | None = None
) -> tuple[Diagnostic, ...]:
    """All findings at a table, those included that are said of several tables at once."""
    chosen = tuple(variants)
    looked = look_at(whole, players, chosen, options)
    if looked.table is None:
        return looked.diagnostics
    tables = {(players, chosen): looked.table}
    return (*looked.diagnostics, *(diagnostic for diagnostic, _ in (*limits(whole, tables), *knowledge(tables))))
