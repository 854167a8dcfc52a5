"""Chooses what thinks about the positions of a game: its module, or the reference engine where no module runs here."""

from __future__ import annotations

from ..players.reference_table import OnCells
from ..players.thoughts import Thinker
from .game import Game


def thinker_for(game: Game, fast: bool = True) -> Thinker:
    """A new thinker for a table (see `players/thoughts.py`). ``fast``: in its module, if the package wasmtime is there."""
    if fast:
        try:
            from ..wasm.running.thoughts import Thoughts

            return Thoughts(game.compiled)
        except (ImportError, OSError, RuntimeError):
            pass
    return OnCells(game.machine)
