"""An editor that is open, and copies of games to write in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from .editor import Editor, editor

GAMES = Path(__file__).parents[2] / "games"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A copy of the games of the seeds with their data, and of two classics."""
    folder = tmp_path / "games"
    shutil.copytree(GAMES / "data", folder / "data")
    for name in ("masti", "kingdomino", "for_the_king"):
        shutil.copy(GAMES / f"{name}.rules", folder)
    for name in ("nim", "hearts"):
        shutil.copy(GAMES / "classics" / f"{name}.rules", folder)
    return folder


@pytest.fixture
def one(games: Path) -> Iterator[Editor]:
    """An editor in that folder."""
    with editor(games) as opened:
        yield opened
