"""Is there anything wrong with one table of a game? What is found before it is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from ..diagnostics import Diagnostic
from ..model.model import Model
from ..rules import build
from ..table.table import Table
from .proved.biddings import biddings
from .proved.counting import Counted, counted
from .proved.limits import limits
from .proved.loops import loops


@frozen
class Looked:
    """A table (None when it cannot be played), and what is wrong with it whatever the other tables are.

    ``counted``: what lies where, line by line; None where something else is wrong already.
    """

    table: Table | None
    diagnostics: tuple[Diagnostic, ...]
    counted: Counted | None = None


def look_at(
    whole: Model, players: int, variants: Iterable[str], options: Mapping[str, str | int | bool] | None = None
) -> Looked:
    """A table by itself (see `specialise` for the arguments); why it is refused, when it is."""
    built = build(whole, players, variants, options)
    found = (*built.diagnostics, *((*loops(built.table), *biddings(built.table)) if built.table is not None else ()))
    if built.table is None or built.machine is None:
        return Looked(None, found)
    if any(finding.severity == "error" for finding in found):
        return Looked(built.table, found)  # what is counted would be what has been said, once more
    counts = counted(built.table)
    certain = {finding.span for finding in counts.findings}
    found = tuple(finding for finding in found if finding.code != "R303" or finding.span not in certain)
    return Looked(built.table, (*found, *counts.findings), counts)


def findings_at(
    whole: Model, players: int, variants: Iterable[str], options: Mapping[str, str | int | bool] | None = None
) -> tuple[Diagnostic, ...]:
    """All findings at a table, limits included; but not what makes a difference at no table that there is."""
    chosen = tuple(variants)
    looked = look_at(whole, players, chosen, options)
    if looked.table is None:
        return looked.diagnostics
    return (*looked.diagnostics, *(diagnostic for diagnostic, _ in limits(whole, {(players, chosen): looked.table})))
