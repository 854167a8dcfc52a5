"""Choosing at once: until all have chosen, nothing has happened, and nobody can tell what another has chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.rules import read_rules
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences

SIGNS = """game signs
    players 3
list sign: rock, paper
cards card, 1 of each
    rank: 1..6
zone hand, laid of player: set of card, private
zone table: set of card, open
counter claims of player: 0..9
marker shown of player: sign or none
setup
    move [1] + [2] to hand of player 1
    move [3] + [4] to hand of player 2
phase only
    for each player at once
        player chooses
            lay a card from hand of player
                only if rank of card > 1 otherwise "not the lowest"
                move card to table
            hide a card from hand of player face down
                move card to laid of player
            claim a number from 1..3 and a sign
                only if hand of player is not empty
                add number to claims of player
                set shown of player to sign
            if impossible: add 9 to claims of player
score of player
    claims: claims of player
winner highest score, then shared
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "signs.rules"
    path.write_text(SIGNS, encoding="utf-8")
    return load(path)


def test_nothing_happens_before_all_have_chosen(game: Game) -> None:
    state = game.start(1)
    assert state.player == 1
    assert "lay card 1" not in [option.text for option in state.decision.legal]  # type: ignore[union-attr]
    before = state.view(2)
    state.play("lay card 2")
    assert state.view(2) == before
    assert state.player == 2
    state.play("claim 3 paper")
    assert state.is_over  # player 3 has nothing to choose
    assert state.scores == [0, 3, 9]


@pytest.mark.parametrize(("one", "other"), [("lay card 2", "hide card 1"), ("claim 1 rock", "claim 2 rock")])
def test_nobody_can_tell_what_another_has_chosen(game: Game, one: str, other: str) -> None:
    first, second = game.start(1), game.start(1)
    first.play(one)
    second.play(other)
    assert first.observed(2) == second.observed(2)
    assert first.observed(1) != second.observed(1)
    for state in (first, second):
        state.play("claim 1 rock")
    assert first.observed(2) != second.observed(2)
    assert first.observed(3) != second.observed(3)


def test_what_is_face_down_is_never_seen(game: Game) -> None:
    first, second = game.start(1), game.start(1)
    first.play("hide card 1")
    second.play("hide card 2")
    for state in (first, second):
        state.play("lay card 3")
    assert first.observed(2) == second.observed(2)
    assert first.view(2) == second.view(2)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("add 1 to claims of player", "what is done at once is a choice, and nothing else"),
        ("player 1 chooses\n            pass: nothing", "each chooses for themselves"),
        ("player chooses\n            lay a card from table: nothing", "two players could choose the same one at once"),
        ("player chooses\n            lay 2 cards from hand of player: nothing", "this cannot be chosen at once"),
    ],
)
def test_what_cannot_be_done_at_once_is_said_once(tmp_path: Path, block: str, message: str) -> None:
    head, _, tail = SIGNS.partition("        player chooses\n")
    path = tmp_path / "wrong.rules"
    path.write_text(f"{head}        {block}\n{tail[tail.index('score of'):]}", encoding="utf-8")
    found = [diagnostic.message for diagnostic in read_rules(path).diagnostics]
    assert found == [message]


BELOW = """game below
    players 2
option least: -3..0, default -2
counter debt of player: -9..9
counter named of player: -9..9
phase only
    for each player at once
        player chooses
            name a number from {interval}
                set named of player to number
            wait: set named of player to 9
score of player
    named: named of player
winner highest score, then shared
"""


@pytest.mark.parametrize("interval", ["-2..2", "least..2", "debt of player - 2..2"])
def test_numbers_below_zero_are_chosen_at_once(tmp_path: Path, interval: str) -> None:
    path = tmp_path / "below.rules"
    path.write_text(BELOW.format(interval=interval), encoding="utf-8")
    state = load(path).start(1)
    state.play("name -2")
    state.play("name -1")
    assert state.scores == [-2, -1]


EQUAL = """game equal
    players 2
cards card, 3 of each
    rank: 1..4
zone hand, kept of player: set of card, private
zone table: set of card, open
setup
    move [1] + [2] to hand of player 1
    move [2] + [3] to hand of player 2
phase only
    for each player at once
        player chooses
            keep a card from hand of player{how}
                move card to kept of player
            give a card from hand of player
                move card to hand of (left of player)
            rob a card from hand of player
                move hand of (left of player) to table
                move card to kept of player
score of player
    hand: total rank of hand of player
    kept: 10 * total rank of kept of player
winner highest score, then shared
"""
@pytest.mark.parametrize("how", ["", " face down"])
@pytest.mark.parametrize(
    ("one", "other", "scores"),
    [
        ("keep card 1", "keep", [2 + 10, 3 + 20]),
        ("keep card 2", "keep", [1 + 20, 3 + 20]),
        ("give card 2", "give", [1 + 2, 2 + 3]),
        ("give card 2", "keep", [1, 2 + 3 + 20]),
        ("rob card 1", "keep", [2 + 10, 20]),
    ],
)
def test_of_equal_cards_each_moves_their_own(tmp_path: Path, how: str, one: str, other: str, scores: list[int]) -> None:
    path = tmp_path / "equal.rules"
    path.write_text(EQUAL.format(how=how), encoding="utf-8")
    game = load(path)
    for number in range(5):
        assert list(differences(Executor(game.machine), WasmExecutor(game.machine, game.compiled), 1, number)) == []
    state = game.start(1)
    state.play(one)
    state.play(f"{other} card 2")
    assert state.scores == scores


GRIDS = """game grids
    players 2
cards card, 2 of each
    rank: 1..2
zone hand of player: set of card, private
zone board of player: grid of card, 2 x 1, open
setup
    for each player: move [1] + [2] to hand of player
phase only
    for each player at once
        player chooses
            put a card from hand of player and a cell from empty cells of board of player
                put card on cell
    for each player at once
        player chooses
            take a cell from board of player
                move cell to hand of player
score of player
    hand: total rank of hand of player
    board: 10 * total rank of board of player
winner highest score, then shared
"""


def test_each_chooses_cells_of_a_grid_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "grids.rules"
    path.write_text(GRIDS, encoding="utf-8")
    state = load(path).start(1)
    state.play("put card 1 a1")
    state.play("put card 2 a1")
    assert state.scores == [2 + 10, 1 + 20]
    state.play("take a1")
    state.play("take a1")
    assert state.scores == [3, 3]
