"""The classics: the tests in their files hold, and their trees have as many sequences of acts as has been published."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import Game, load, table_of
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.search.perft import rows
from rulesrun.interpreter.simulate.engines.engine import EngineName, engine_for

GAMES = Path(__file__).parents[2] / "games" / "classics"
NAMES = (
    "tic_tac_toe", "connect_four", "breakthrough", "othello", "hex", "nim", "nine_mens_morris", "draughts", "chinese_checkers",
    "kalah", "dots_and_boxes",
)  # fmt: skip

TREES: dict[str, tuple[dict[str, int], tuple[int, ...]]] = {
    "tic_tac_toe": ({}, (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)),
    "connect_four": ({}, (7, 49, 343, 2401, 16807, 117649, 823536, 5673234)),
    "breakthrough": ({}, (22, 484, 11132, 256036, 6182818)),
    "breakthrough, 6 x 6": ({"columns": 6, "rows": 6}, (16, 256, 4308, 71478, 1248290)),
    "othello": ({}, (4, 12, 56, 244, 1396, 8200, 55092)),
    "draughts": ({}, (7, 49, 302, 1469, 7361, 36768, 179740, 845931)),
    "kalah": ({}, (6, 35, 185, 942, 4690)),  # as OpenSpiel's mancala
    "hex, 3 x 3": ({"columns": 3, "rows": 3}, (9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960)),
}
ENDED = {"tic_tac_toe": 255_168, "hex, 3 x 3": 257_760}  # sequences that end the game, in all


def game(name: str, **options: int) -> Game:
    return load(GAMES / f"{name.partition(',')[0]}.rules", options=options)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "chinese_checkers"])  # whose board alone takes 40 lines
def test_the_rules_without_their_tests_are_short(name: str) -> None:
    rules = (GAMES / f"{name}.rules").read_text(encoding="utf-8").split('\ntest "')[0]
    assert len([line for line in rules.splitlines() if not line.startswith('    "')]) < 70  # rows of pictures aside


@pytest.mark.slow
@pytest.mark.parametrize("name", TREES)
def test_there_are_as_many_sequences_as_has_been_published(name: str) -> None:
    options, published = TREES[name]
    found = list(rows(game(name, **options), len(published), "wasm", False, None))
    assert tuple(row.sequences for row in found) == published
    if name in ENDED:
        assert sum(row.ended for row in found) == ENDED[name]


LEAPS = """
game leaps
    players 2

option longest: 0..3, default 2
counter left_over: 0..3
counter turns: 0..3

phase play
    take turns until turns is 3
        add 1 to turns
        player chooses
            leap a number from 0..longest
                set left_over to number
            stay: nothing
        repeat until left_over is 0 at most 3 times
            player goes on
                leap a number from 0..left_over - 1
                    set left_over to number

score of player
    left: left_over

winner highest score, then shared
"""


@pytest.mark.parametrize("engine", ["wasm", "reference"])
@pytest.mark.parametrize("longest", [0, 1, 2, 3])
def test_an_act_of_several_parts_is_counted_once(engine: EngineName, longest: int) -> None:
    """There are 2 ** longest ways to come to 0 in leaps, and one act to stay."""
    table = table_of(rules_from(Source("leaps.rules", LEAPS)), 2, (), {"longest": longest})
    counted = list(rows(table, 4, engine, True, None))
    each = 2**longest + 1
    assert [row.sequences for row in counted] == [each, each**2, each**3]
    assert [row.ended for row in counted] == [0, 0, each**3]
    assert [row.positions for row in counted] == [1, 1, 1]


@pytest.mark.slow
def test_tic_tac_toe_has_5478_positions() -> None:
    found = list(rows(game("tic_tac_toe"), 12, "wasm", True, None))
    assert len(found) == 9  # no sequence goes on
    assert found[-1].so_far == 5478


def test_a_position_that_comes_up_at_several_depths_is_counted_once() -> None:
    """A heap of 3: the first player can take the last stone at once, and also with the third act."""
    found = list(rows(game("nim", size_of_A=3, size_of_B=0, size_of_C=0, size_of_D=0), 12, "wasm", True, None))
    assert [row.positions for row in found] == [3, 2, 1]
    assert found[-1].so_far == 6


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_both_engines_walk_the_same_tree(name: str) -> None:
    small_enough = ("othello", "nim", "nine_mens_morris", "draughts", "chinese_checkers", "kalah", "dots_and_boxes")
    small = {} if name in small_enough else {"columns": 4, "rows": 4}
    small |= {"in_a_row": 3} if name == "connect_four" else {}
    one, other = (list(rows(game(name, **small), 3, engine, True, None)) for engine in ("wasm", "reference"))
    assert one == other


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_random_games_end_well_and_alike_in_both_engines(name: str) -> None:
    table, bots = game(name), (Bot("random"), Bot("random"))
    one, other = (engine_for(table, bots, engine).play(1, 0, 20, rows=True) for engine in ("wasm", "reference"))
    assert one.rows == other.rows
    assert one.tally.faults == {}
