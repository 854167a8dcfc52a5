"""Suits of Power keeps what is hidden hidden, at every table."""

from __future__ import annotations

import pytest
import rulesrun

from .honesty import honest
from .test_masti import FILE

TABLES = [(3, ()), (4, ()), (4, ("partners",)), (5, ()), (6, ())]


@pytest.mark.parametrize(("players", "variants"), TABLES)
def test_a_seat_is_shown_nothing_that_it_does_not_know(players: int, variants: tuple[str, ...]) -> None:
    honest(rulesrun.load(FILE, players, variants))
