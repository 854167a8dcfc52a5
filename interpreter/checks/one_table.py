"""Is there anything wrong with one table of a game? What is found before it is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from ..diagnostics import Diagnostic
from ..model.model import Model
from ..rules import built_from
from ..table.from_model import Specialised, specialise
from ..table.table import Table
from .combinations import Choice
from .proved.biddings import biddings
from .proved.limits import limits
from .proved.loops import loops


@frozen
class Looked:
    """A table (None when it cannot be played), and what is wrong with it whatever the other tables are."""

    table: Table | None
    diagnostics: tuple[Diagnostic, ...]


def look_at(made: Specialised) -> Looked:
    """A table by itself; why it is refused, when it is."""
    built = built_from(made)
    found = (*built.diagnostics, *((*loops(built.table), *biddings(built.table)) if built.table is not None else ()))
    return Looked(built.table if built.machine is not None else None, found)


def findings_at(
    whole: Model, players: int, variants: Iterable[str], options: Mapping[str, str | int | bool] | None = None
) -> tuple[Diagnostic, ...]:
    """All findings at a table (see `specialise` for the arguments), those included that are said of several tables at once."""
    chosen = tuple(variants)
    looked = look_at(specialise(whole, players, chosen, options))
    if looked.table is None:
        return looked.diagnostics
    counted = limits(whole, {Choice(players, chosen): looked.table})
    return (*looked.diagnostics, *(diagnostic for diagnostic, _ in counted))
