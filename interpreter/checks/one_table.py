"""Is there anything wrong with one table of a game? What is found before it is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..diagnostics import Diagnostic
from ..model.model import Model
from ..rules import build
from .loops import loops


def findings_at(
    whole: Model, players: int, variants: Iterable[str], options: Mapping[str, str | int | bool] | None = None
) -> tuple[Diagnostic, ...]:
    """All findings at a table (see `specialise` for the arguments); why it is refused, when it is."""
    built = build(whole, players, variants, options)
    return (*built.diagnostics, *(loops(built.table) if built.table is not None else ()))
