"""A machine is printed as before."""

from __future__ import annotations

from pathlib import Path

from rulesrun.interpreter.machine.inspect.show import show

from ..goldens import check_golden
from .tables import card_game

HERE = Path(__file__).parent


def test_a_card_game_in_print() -> None:
    check_golden(HERE / "goldens" / "cards.machine", show(card_game(4)))


def test_the_same_machine_gives_the_same_text() -> None:
    assert show(card_game(2)) == show(card_game(2))
