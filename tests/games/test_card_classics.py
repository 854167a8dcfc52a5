"""The classic games of cards and dice: both executors play the same, and nobody is shown what they cannot know."""

from __future__ import annotations

from pathlib import Path

import pytest
import rulesrun
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.simulate.engines.module import WasmEngine
from rulesrun.interpreter.simulate.engines.reference import ReferenceEngine
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from .honesty import honest

CLASSICS = Path(__file__).parents[2] / "games" / "classics"
TABLES: list[tuple[str, int, dict[str, int | str]]] = [
    ("kuhn_poker", 3, {}),
    ("leduc_poker", 3, {}),
    ("liars_dice", 3, {"dice_each": 1}),
    ("hearts", 4, {"good_jack": "yes"}),
    ("spades", 4, {}),
    ("euchre", 4, {"lone_defender": "yes"}),
    ("cribbage", 3, {}),
    ("oh_hell", 4, {"tricks_played": 3}),
    ("crazy_eights", 3, {"special_cards": "yes"}),
    ("go_fish", 3, {}),
    ("gin_rummy", 2, {"hand_size": 4}),
    ("blackjack", 2, {}),
    ("goofspiel", 3, {"ranks": 6}),
    ("thirty_one", 3, {"lives": 1}),
]
MANY_WORLDS = {"hearts", "spades", "go_fish", "gin_rummy"}  # which are proved by the log too slowly for a daily test


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "options"), TABLES, ids=lambda value: value if isinstance(value, str) else None)
def test_both_executors_play_the_same(name: str, players: int, options: dict[str, int | str]) -> None:
    game = rulesrun.load(CLASSICS / f"{name}.rules", players, (), options)
    assert list(differences(Executor(game.machine), WasmExecutor(game.machine, game.compiled), 7, 0, 1000)) == []
    bots = (Bot("random"),) * players
    expected = ReferenceEngine(game.machine, bots).play(7, 3, 5, rows=True)
    found = WasmEngine(game.compiled, bots).play(7, 3, 5, rows=True)
    assert found.rows == expected.rows
    assert found.tally == expected.tally


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "options"),
    [table for table in TABLES if table[0] not in MANY_WORLDS],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_seat_is_shown_nothing_that_it_does_not_know(name: str, players: int, options: dict[str, int | str]) -> None:
    honest(rulesrun.load(CLASSICS / f"{name}.rules", players, (), options))
