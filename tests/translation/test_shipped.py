"""The translations that come with rulesrun are complete."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.rules import read_rules
from rulesrun.interpreter.translation.beside import catalogues_beside
from rulesrun.interpreter.translation.checking import check_translations

from .games import lamps

GAMES = Path(__file__).parents[2] / "games"
TRANSLATED = sorted(path for path in GAMES.rglob("*.rules") if catalogues_beside(path))


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: path.stem)
def test_a_translation_is_complete(path: Path) -> None:
    """Run ``rulesrun translate GAME.rules --language CODE`` after a change of the rules, and translate what is new."""
    checked = check_translations(read_rules(path))
    assert checked.diagnostics == ()
    assert checked.notes == ()


def test_every_file_of_translations_belongs_to_a_game() -> None:
    assert sorted(GAMES.rglob("*.po")) == sorted(file for path in TRANSLATED for file in catalogues_beside(path).values())


def test_the_three_games_can_be_played_in_ukrainian() -> None:
    names = [GAMES / f"{name}.rules" for name in ("for_the_king", "kingdomino", "masti")]
    assert [path for path in names if "uk" not in catalogues_beside(path)] == []
    assert set(catalogues_beside(names[0])) == {"ja", "uk"}


def test_a_game_without_translations_has_nothing_to_check(tmp_path: Path) -> None:
    assert check_translations(lamps(tmp_path)).progress == ()
