"""Counters that leave their range only after several rare acts in a row, and some that do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.checks.explored.playing.driving import DrivenAt, drive, suspects_at
from rulesrun.interpreter.checks.explored.playing.played_by_bots import led_course
from rulesrun.interpreter.checks.explored.playing.spotted import Found
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import table_of
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.search.walker import Walker
from rulesrun.interpreter.table.sampling.combinations import Choice, blamed, tables_of

EIGHTS = (Path(__file__).parents[2] / "games/classics/crazy_eights.rules").read_text("utf-8").partition("\ntest ")[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("most", "players", "leaves"),
    [(8, 6, True), (16, 6, False), (8, 4, False)],  # with six players there are eight twos, and each adds two
)
def test_five_twos_in_a_row(most: int, players: int, leaves: bool) -> None:
    assert EIGHTS.count("counter debt:   0..16") == 1
    rules = rules_from(Source("eights.rules", EIGHTS.replace("counter debt:   0..16", f"counter debt:   0..{most}")))
    game = table_of(rules, players, (), {"special_cards": "yes"})
    found: Found = {}
    at = DrivenAt(game, found)
    assert ("debt", 1) in suspects_at(at)
    assert drive(at, "debt", 1, 0, "wasm") is leaves
    assert [shown.fault.code for shown in found.values()] == ["R602"] * leaves
    for shown in found.values():
        walker = Walker(game, "reference")
        assert walker.walk(led_course(walker, 0, shown.number, shown.options)).fault == shown.fault


def test_who_is_to_blame_where_only_some_players_cannot_have_a_number() -> None:
    """A number alone that is wrong with three players and right with two; a word cannot depend on players."""
    text = """
game few
    players 2..3
option steps: 1..3, default 1
option mood: calm, wild, default calm
counter coins of player: 0..9
phase play
    nothing
score of player
    coins: coins of player
winner highest score, then shared
"""
    game = rules_from(Source("few.rules", text)).required()
    offered = {each.choice: each.found.table for each in tables_of(game).tables if each.found.table is not None}
    for players in (2, 3):
        for options in ((("steps", 3),), (("mood", "wild"),)):
            choice = Choice(players, (), options)
            offered.setdefault(choice, offered[Choice(players)])
    number, word = Choice(3, (), (("steps", 3),)), Choice(3, (), (("mood", "wild"),))
    assert blamed([number], offered, game) == [number]
    assert blamed([number], offered) == []
    assert blamed([word], offered, game) == []
    assert blamed([Choice(3), number], offered, game) == [Choice(3)]
