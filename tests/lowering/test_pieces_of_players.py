"""Pieces that belong to players, with something printed or marked on them."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..pipeline import faults, machine_of, play, small, stages, value_of
from ..wasm.compiling import compiled

MEN = """
pieces man, 3 for each player
    marker crowned: yes or no
zone board: grid of man, 4 x 4, open
counter found: 0..99
setup
    for each player
        for each cell in cells of board with row (seat of player) with column 2: put man of player on cell
"""

ARMY = """
pieces piece, 1 for each player
    sort: king, pawn
    worth: 1..2
    3 of each with sort pawn with worth 1
    0 of each with sort pawn with worth 2
    0 of each with sort king with worth 1
zone board: grid of piece, 4 x 4, open
counter found: 0..99
"""


@pytest.mark.parametrize(
    ("world", "lines", "expected"),
    [
        (MEN, "set found to count of man of player 2", 3),
        (MEN, "set found to count of every man", 6),
        (MEN, "set crowned of (man of b2) to yes\nset found to count of every man with crowned yes", 1),
        (MEN, "set crowned of (man of b2) to yes\nif crowned of b2 is yes and crowned of b1 is no: set found to 5", 5),
        (MEN, "set crowned of (man of b2) to yes\nput man of b2 on c4\nif crowned of c4 is yes: set found to 7", 7),
        (MEN, "put man of player 1 on a1\nput man of player 1 on a2\nset found to count of board with owner (player 1)", 3),
        (MEN, "for each cell in cells of board with column 4: put man of player 1 on cell\nset found to count of board", 4),
        (MEN, "set crowned of (man of b1) to yes\nset owner of b1 to player 2\nif owner of b1 is player 2: set found to 3", 3),
        (MEN, "for each man in man of player 1 with crowned no: set crowned of man to yes\n"
              "set found to count of man of player 1 with crowned yes", 3),
        (ARMY, "set found to count of piece of player 2", 4),
        (ARMY, "set found to total worth of piece of player 1", 5),
        (ARMY, "put piece of player 1 with sort king on a1\nif sort of a1 is king: set found to worth of a1", 2),
        (ARMY, "for each player\n    for each cell in cells of board with row (seat of player)\n"
               "        if column of cell < 4: put piece of player with sort pawn on cell\n"
               "set found to count of board with sort pawn", 6),
        (ARMY, "put [king player 2] on a1\nset found to seat of owner of a1", 2),
        (ARMY, "put [king player 2] on a1\nif piece of a1 in piece of player 2: set found to 4", 4),
        (ARMY, "set found to count of all [pawn]", 6),
        (ARMY, "for each piece in piece of player 2 with sort king: set found to 10 * seat of owner of piece", 20),
    ],
)  # fmt: skip
def test_pieces_of_players(world: str, lines: str, expected: int) -> None:
    game = play(machine_of(small(world, lines), 2))
    assert value_of(game.executor, game.cells, "found") == expected


def test_what_they_are_called() -> None:
    assert machine_of(small(MEN), 2).kinds["man"].names[2:4] == ("man 3 of player 1", "man 1 of player 2")
    assert machine_of(small(ARMY), 2).kinds["piece"].names == (
        "king (2) of player 1",
        "pawn (1) of player 1",
        "king (2) of player 2",
        "pawn (1) of player 2",
    )
    shown = ARMY.replace("    3 of", '    shown as "{owner}\'s {sort}"\n    3 of')
    assert machine_of(small(shown), 2).kinds["piece"].names[:2] == ("player 1's king", "player 1's pawn")


def test_some_players_can_have_more() -> None:
    more = "pieces man, 4 for each player\n    8 of each with owner (player 2)"
    world = f"{more}\nzone board: grid of man, 4 x 4, open\ncounter found: 0..99"
    game = play(machine_of(small(world, "set found to 10 * count of man of player 1 + count of man of player 2"), 2))
    assert value_of(game.executor, game.cells, "found") == 48


def test_one_of_several_that_differ_is_not_laid() -> None:
    found = stages(small(ARMY, "put piece of player 1 on a1"), 2)
    assert found.codes == ["R204"]
    assert "`piece of player 1 with sort ...`" in found.messages


def test_pieces_of_nobody_can_be_marked_too() -> None:
    discs = "pieces disc, 9\n    marker up: yes or no\nzone board: grid of disc, 3 x 3, open\ncounter found: 0..9"
    lines = """
    for each cell in cells of board with row 2: put disc on cell
    set up of (disc of a2) to yes
    set found to count of board with up yes + count of board
    """
    machine = machine_of(small(discs, lines), 1)
    game = play(machine)
    assert value_of(game.executor, game.cells, "found") == 4
    assert machine.kinds["disc"].names[8] == "disc 9"


BAGS = """
game bags
    players 2

pieces man, 2 for each player
    sort: king, pawn
    marker tired: yes or no
    1 of each with sort king

zone camp of player: set of man, open
zone reserve of player: set of man, open

setup
    for each player: move man of player to camp of player

phase only
    for each player
        player chooses
            rest a man from camp of player
                only if tired of man is yes otherwise "not tired"
                set tired of man to no
                move man to reserve of player

score of player
    men: count of reserve of player

winner highest score, then shared

test "those that are printed alike are numbered"
    players Ann, Bob
    given camp of Ann: [pawn Ann 2] [king Ann]
    given camp of Bob: [pawn Bob] [Bob pawn 2]
    given tired of [pawn Ann 2]: yes
    given tired of [pawn Bob]: yes
    start only
    expect Ann cannot rest [king Ann] because "not tired"
    Ann: rest [pawn Ann 2]
    expect Bob can rest [pawn Bob 1]
    expect Bob cannot rest [pawn Bob 2]
    Bob: rest [pawn Bob]
    expect reserve of Bob is ([pawn Bob])
"""


def test_pieces_that_are_printed_alike_are_numbered() -> None:
    rules = rules_from(Source("bags.rules", BAGS))
    assert [result.diagnostics for result in run_tests(rules) if not result.passed] == []
    twice = BAGS.replace("[Bob pawn 2]", "[pawn Bob 1]")
    (failed,) = run_tests(rules_from(Source("bags.rules", twice)))
    assert [found.code for found in failed.diagnostics] == ["R507"]
    more = BAGS.replace("[Bob pawn 2]", "[pawn Bob 3]")
    (failed,) = run_tests(rules_from(Source("bags.rules", more)))
    assert [found.code for found in failed.diagnostics] == ["R212"]


CROWNING = """
game crowning
    players 2

pieces man, 2 for each player
    marker crowned: yes or no

zone board: grid of man, 3 x 3, open

setup
    for each player
        for each cell in cells of board with row (2 * seat of player - 1) with column at most 2: put man of player on cell

phase play
    take turns clockwise from player 1 until somebody with kings > 0
        player chooses
            move a cell from board with owner player and a cell target from empty cells of board
                only if target in cells next to cell otherwise "too far"
                let mover be man of cell
                put mover on target
                if row of target is 7 - 2 * seat of player - 2: set crowned of mover to yes
            if impossible: end game

define kings of player: count of board with owner player with crowned yes

score of player
    kings: kings of player

winner highest score, then shared

test "a man that is crowned stays so"
    players Ann, Bob
    given board: man of Ann on a2, man of Ann on c1, man of Bob on c2
    given crowned of (man of c2): yes
    start play
    expect kings of Bob is 1
    expect winners is (Bob)

test "one is crowned by coming to the other side"
    players Ann, Bob
    given board: man of Ann on a2, man of Ann on c1, man of Bob on c2
    start play
    Ann: move a2 a3
    expect crowned of a3 is yes
    expect crowned of (man of c1) is no
    expect winners is (Ann)
"""


@pytest.mark.slow
def test_men_that_become_kings() -> None:
    rules = rules_from(Source("crowning.rules", CROWNING))
    assert faults(rules) == ()
    assert [result.diagnostics for result in run_tests(rules) if not result.passed] == []
    assert check(rules).findings == ()
    machine = machine_of(CROWNING)
    for game in range(3):
        assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 5, game)) == []
