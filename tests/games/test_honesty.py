"""The large shipped games keep what is hidden hidden, with few players and with many."""

from __future__ import annotations

from pathlib import Path

import pytest
import rulesrun

from .honesty import honest

GAMES = Path(__file__).parents[2] / "games"
TABLES = [
    *[("masti", players, ()) for players in (3, 6)],
    ("masti", 4, ("partners",)),
    ("kingdomino", 3, ()),
    ("kingdomino", 2, ("dynasty", "mighty_duel")),
    *[("for_the_king", players, ()) for players in (2, 5)],
]
# Bids that can be paid: else random players ruin themselves before much is hidden.
OPTIONS: dict[str, dict[str, int]] = {"for_the_king": {"highest_bid": 4}}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "variants"), TABLES)
def test_a_seat_is_shown_nothing_that_it_does_not_know(name: str, players: int, variants: tuple[str, ...]) -> None:
    honest(rulesrun.load(GAMES / f"{name}.rules", players, variants, OPTIONS.get(name, {})))
