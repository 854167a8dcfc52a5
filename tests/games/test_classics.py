"""The classics: the tests in their files hold, and their trees have as many sequences of acts as has been published."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.rules import read_rules
from rulesrun.interpreter.search.perft import rows
from rulesrun.interpreter.simulate.engines.engine import engine_for

GAMES = Path(__file__).parents[2] / "games" / "classics"
NAMES = ("tic_tac_toe", "connect_four", "breakthrough", "othello", "hex", "nim", "nine_mens_morris")

TREES = {
    "tic_tac_toe": ({}, (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)),
    "connect_four": ({}, (7, 49, 343, 2401, 16807, 117649, 823536, 5673234)),
    "breakthrough": ({}, (22, 484, 11132, 256036, 6182818)),
    "breakthrough, 6 x 6": ({"columns": 6, "rows": 6}, (16, 256, 4308, 71478, 1248290)),
    "othello": ({}, (4, 12, 56, 244, 1396, 8200, 55092)),
    "hex, 3 x 3": ({"columns": 3, "rows": 3}, (9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960)),
}
ENDED = {"tic_tac_toe": 255_168, "hex, 3 x 3": 257_760}  # sequences that end the game, in all


def game(name: str, **options: int) -> Game:
    return load(GAMES / f"{name.partition(',')[0]}.rules", options=options)


@pytest.mark.parametrize("name", NAMES)
def test_the_tests_in_the_file_hold(name: str) -> None:
    results = run_tests(read_rules(GAMES / f"{name}.rules"))
    assert results
    assert [result.title for result in results if not result.passed] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_without_their_tests_are_short(name: str) -> None:
    rules = (GAMES / f"{name}.rules").read_text(encoding="utf-8").split('\ntest "')[0]
    assert len([line for line in rules.splitlines() if not line.startswith('    "')]) < 55  # rows of pictures aside


@pytest.mark.parametrize("name", TREES)
def test_there_are_as_many_sequences_as_has_been_published(name: str) -> None:
    options, published = TREES[name]
    found = list(rows(game(name, **options), len(published), "wasm", False, None))
    assert tuple(row.sequences for row in found) == published
    if name in ENDED:
        assert sum(row.ended for row in found) == ENDED[name]


def test_tic_tac_toe_has_5478_positions() -> None:
    found = list(rows(game("tic_tac_toe"), 12, "wasm", True, None))
    assert len(found) == 9  # no sequence goes on
    assert found[-1].so_far == 5478


def test_a_position_that_comes_up_at_several_depths_is_counted_once() -> None:
    """A heap of 3: the first player can take the last stone at once, and also with the third act."""
    found = list(rows(game("nim", size_of_A=3, size_of_B=0, size_of_C=0, size_of_D=0), 12, "wasm", True, None))
    assert [row.positions for row in found] == [3, 2, 1]
    assert found[-1].so_far == 6


@pytest.mark.parametrize("name", NAMES)
def test_both_engines_walk_the_same_tree(name: str) -> None:
    small = {} if name in ("othello", "nim", "nine_mens_morris") else {"columns": 4, "rows": 4}
    small |= {"in_a_row": 3} if name == "connect_four" else {}
    one, other = (list(rows(game(name, **small), 3, engine, True, None)) for engine in ("wasm", "reference"))
    assert one == other


@pytest.mark.parametrize("name", NAMES)
def test_random_games_end_well_and_alike_in_both_engines(name: str) -> None:
    table, bots = game(name), (Bot("random"), Bot("random"))
    one, other = (engine_for(table, bots, engine).play(1, 0, 20, rows=True) for engine in ("wasm", "reference"))
    assert one.rows == other.rows
    assert one.tally.faults == {}
