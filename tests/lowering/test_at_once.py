"""Choosing at once: until all have chosen, nothing has happened, and nobody can tell what another has chosen."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
import rulesrun
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.rules import read_rules, rules_from
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..games.honesty import honest
from ..generated.lockstep import differences
from ..pipeline import machine_of
from ..wasm.compiling import compiled

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


def test_what_was_chosen_is_told_as_it_was_offered(tmp_path: Path) -> None:
    path = tmp_path / "signs.rules"
    path.write_text(SIGNS.replace("claim a number", "lay_claim a number"), encoding="utf-8")
    state = load(path).start(1)
    state.play("lay claim 1 rock")
    state.play("lay card 3")
    assert [event.text for event in state.events if "claim" in event.text and "_" in event.text] == []


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
        (
            "player chooses\n            lay any number of cards from hand of player: nothing",
            "what is selected at once is a number of things that is known before the game",
        ),
        ("player chooses\n            lay 2 cards from table: nothing", "two players could choose the same one at once"),
    ],
)
def test_what_cannot_be_done_at_once_is_said_once(tmp_path: Path, block: str, message: str) -> None:
    head, _, tail = SIGNS.partition("        player chooses\n")
    path = tmp_path / "wrong.rules"
    path.write_text(f"{head}        {block}\n{tail[tail.index('score of') :]}", encoding="utf-8")
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


@pytest.mark.slow
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


PASSING = """
game passing
    players 3

cards card
    suit: red, blue
    rank: 1..4
    suit | rank | count
    red  | 1    | 3
    red  | 2    | 2
    blue | 3    | 3
    blue | 4    | 4

zone deck: pile of card, hidden
zone hand of player: set of card, private

setup
    shuffle every card into deck
    for each player: draw 4 from deck to hand of player

phase rounds
    repeat 2 times
        for each player at once
            player chooses
                pass 2 cards from hand of player face down
                    move cards to hand of left of player
                bury up to 2 cards from hand of player, all of the same suit
                    move cards to deck
                if impossible: nothing

score of player
    ranks: total rank of hand of player

winner highest score, then shared

test "they pass what they hold, not what they get"
    players Ann, Bob, Cy
    given hand of Ann: [red 1] [red 2] [blue 3]
    given hand of Bob: [red 1] [blue 4]
    given hand of Cy: [blue 3] [blue 3] [blue 4]
    start rounds
    Ann: pass [red 2]
    Ann: pass [red 1]
    expect hand of Ann is ([red 1], [red 2], [blue 3])
    Bob: pass [red 1]
    Bob: pass [blue 4]
    Cy: bury [blue 3]
    Cy: enough
    expect hand of Ann is [blue 3]
    expect hand of Bob is ([red 1], [red 2])
    expect hand of Cy is ([red 1], [blue 4], [blue 3], [blue 4])
"""


@pytest.mark.slow
def test_each_selects_several_and_all_are_moved_when_all_have_chosen(tmp_path: Path) -> None:
    assert [result.diagnostics for result in run_tests(rules_from(Source("passing.rules", PASSING)))] == [()]
    path = tmp_path / "passing.rules"
    path.write_text(PASSING, encoding="utf-8")
    honest(rulesrun.load(path, 3), decisions=6)
    machine = machine_of(PASSING, 3)
    one, other = Executor(machine), WasmExecutor(machine, compiled(machine))
    for game in range(3):
        assert list(differences(one, other, 5, game)) == []


def test_nobody_sees_what_is_selected_nor_in_which_order() -> None:
    machine = machine_of(PASSING, 3)
    executor = Executor(machine)
    ends = set()
    for order in permutations(range(2)):
        cells = executor.fresh(7)
        stop = executor.enter(cells)
        while stop.kind == "chance":
            stop = executor.happen(cells, executor.draw(cells))
        before = executor.digest(cells, 1)
        passing = [option for option in executor.options(cells) if machine.group_of(option).verb == "pass"]
        for at in order:
            executor.choose(cells, passing[at])
        assert executor.digest(cells, 1) == before
        start, end = machine.layout.regions["game"]
        ends.add(executor.pack(cells)[start:end])
    assert len(ends) == 1


LETTERS = """game letters
    players 3
cards card, 1 of each
    rank: 1..9
zone letters of player for player other: set of card, private
setup
    move [1] + [2] to letters of player 1 for player 2
    move [3] + [4] to letters of player 2 for player 3
    move [5] + [6] to letters of player 3 for player 1
phase only
    for each player at once
        player chooses
            send a card from letters of player for left of player
                move card to letters of left of player for player
            swap_two 2 cards from letters of player for left of player
                move cards to letters of player for player
score of player
    letters: total rank of letters of player for player
winner highest score, then shared

test "each chooses from one of their own zones"
    players Ann, Bob, Cy
    Ann: send [1]
    Bob: swap_two [3]
    Bob: swap_two [4]
    Cy: send [6]
    expect letters of Bob for Ann is [1]
    expect letters of Bob for Bob is ([3], [4])
    expect letters of Ann for Cy is [6]
"""


def test_a_zone_of_two_players_is_one_s_own() -> None:
    assert [result.diagnostics for result in run_tests(rules_from(Source("letters.rules", LETTERS)))] == [()]
