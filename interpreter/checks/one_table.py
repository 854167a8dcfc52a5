"""Is there anything wrong with one table of a game? What is found before it is played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from ..diagnostics import Diagnostic
from ..model.model import Model
from ..rules import build
from ..table.table import Table
from .proved.beginnings import beginnings
from .proved.biddings import biddings
from .proved.knowledge import knowledge
from .proved.limits import limits
from .proved.loops import loops
from .proved.slots import slots


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
    found = (*built.diagnostics, *(_flow(built.table, built.machine is not None) if built.table is not None else ()))
    return Looked(built.table if built.machine is not None else None, found)


def _flow(table: Table, can_be_played: bool) -> Iterator[Diagnostic]:
    """What is wrong with the course of a game; of a loop that never begins it is not asked whether it ends."""
    never = tuple(beginnings(table)) if can_be_played else ()
    yield from never
    places = {found.span for found in never}
    yield from (found for found in loops(table) if found.span not in places)
    yield from biddings(table)
    if can_be_played:
        yield from slots(table)


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
