"""Who leads, by hand-made courses of games."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.balance.playing.leads import NOBODY, lead_of


def test_a_comeback() -> None:
    course = [(0, 0), (4, 0), (4, 0), (4, 1), (4, 4), (4, 5), (4, 6), (4, 7), (4, 8), (4, 9)]
    found = lead_of(course, winner=1)
    assert found is not None
    assert found.changes == 1  # a tie between the two leads is no change
    assert found.leaders == (NOBODY, 0, 0, 0, NOBODY, 1, 1, 1, 1, 1)
    assert found.settled == 0.5
    assert found.comeback == 4
    assert found.drama == pytest.approx((2 + 2 + 3**0.5) / 3)
    assert found.decided == 0.5
    assert found.ran_away is False


def test_a_leader_who_runs_away() -> None:
    found = lead_of([(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3)], winner=2)
    assert found is not None
    assert (found.ran_away, found.comeback, found.drama, found.settled) == (True, 0, 0, 0.25)


def test_who_never_led_wins_at_the_end() -> None:
    found = lead_of([(1, 0)] * 4, winner=1)
    assert found is not None
    assert (found.settled, found.decided, found.ran_away) == (1.0, 1.0, False)


def test_a_shared_win_has_no_winner() -> None:
    found = lead_of([(0, 1), (1, 0), (1, 1)], winner=None)
    assert found is not None
    assert (found.changes, found.settled, found.comeback) == (1, None, None)


def test_nobody_ever_leads() -> None:
    assert lead_of([(0, 0), (2, 2)], winner=0) is None
    assert lead_of([], winner=0) is None
