"""What goes wrong when the game is played? Many games at many tables."""

from __future__ import annotations

from attrs import frozen

from ...diagnostics import Diagnostic
from ...rules import Rules


@frozen
class Effort:
    """How much is played: under which seed, and for at most how many seconds (None: until all that is planned is done)."""

    seed: int = 0
    seconds: float | None = None


@frozen
class Explored:
    """What was found, and in words what was left out."""

    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[str, ...]


def explore(rules: Rules, effort: Effort) -> Explored:
    """What comes up in games of these rules."""
    return Explored((), ())
