"""The games that are shipped, for tests of what holds for all of them."""

from __future__ import annotations

import os
from pathlib import Path

GAMES = Path(__file__).parents[1] / "games"
SHIPPED = sorted(path for folder in (GAMES, GAMES / "classics", GAMES / "designs") for path in folder.glob("*.rules"))


def every(nth: int, first: int = 0) -> list[Path]:
    """A part of them, for what takes long with each; another one with another ``first``. ``RULESRUN_SEEDS`` set means all."""
    return SHIPPED if "RULESRUN_SEEDS" in os.environ else SHIPPED[first::nth]
