"""Choosing at once: until all have chosen, nothing has happened, and nobody can tell what another has chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.rules import read_rules

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
