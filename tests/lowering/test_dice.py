"""Dice: each face comes with the same chance, whatever other dice show; nobody sees what they should not; none is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.play.game import Game, State, load
from rulesrun.interpreter.rules import read_rules

TWO = """game two
    players 2
dice die, 2
    face: 1..6
zone cup of player: set of die, private
setup
    for each player: roll 1 dice to cup of player
phase only
    repeat 3 times
        player 1 chooses
            mine: roll cup of player 1
            both: roll every cup
            swap: roll cup of player 2 to cup of player 1
            more: roll 1 die to cup of player 1
score of player
    pips: total face of cup of player
winner highest score, then shared
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "two.rules"
    path.write_text(TWO, encoding="utf-8")
    return load(path)


def rolled(state: State, *faces: int) -> None:
    for face in faces:
        event = state.chance
        assert event is not None
        assert [(outcome.text, outcome.weight) for outcome in event.outcomes] == [(f"die {n}", 1) for n in range(1, 7)]
        state.happen(f"die {face}")


def test_each_face_has_the_same_chance_whatever_other_dice_show(game: Game) -> None:
    state = game.start()
    rolled(state, 6, 6)
    assert state.scores == [6, 6]
    state.play("mine")
    rolled(state, 6)
    state.play("both")
    rolled(state, 1, 6)
    assert state.scores == [1, 6]


def test_dice_of_one_place_are_rolled_to_another(game: Game) -> None:
    state = game.start()
    rolled(state, 2, 5)
    state.play("swap")
    rolled(state, 3)
    assert state.scores == [5, 0]


def test_no_more_dice_are_rolled_than_there_are(game: Game) -> None:
    state = game.start()
    rolled(state, 2, 5)
    state.play("more")
    assert state.fault is not None
    assert state.fault.code == "R604"


def test_a_roll_is_told_as_one(game: Game) -> None:
    state = game.start()
    rolled(state, 6, 5)
    state.play("mine")
    rolled(state, 2)
    assert [event.text for event in state.events][-2:] == ["die 6 picked up", "die 2 is rolled to cup of player 1"]
    assert state.observed(1)[-1] == "die 2 is rolled to cup of player 1"
    assert state.observed(2)[-1] == "a die is rolled to cup of player 1"


def test_dice_that_all_lie_somewhere_are_rolled_again_and_not_anew(game: Game) -> None:
    state = game.start()
    rolled(state, 2, 5)
    state.play("more")
    assert state.fault is not None
    assert (state.fault.message, state.fault.help) == (
        "every die lies in a zone already",
        "roll a zone again, as in `roll cup`, or declare more dice",
    )


def test_a_die_in_a_slot_is_rolled_there(tmp_path: Path) -> None:
    path = tmp_path / "slot.rules"
    text = TWO.replace("of player: set", "of player: slot").replace("more: roll 1 die to cup of player 1", "more: nothing")
    path.write_text(text.replace("swap: roll cup of player 2 to cup of player 1", "swap: roll cup of player 2"), encoding="utf-8")
    state = load(path).start()
    rolled(state, 6, 6)
    state.play("mine")
    rolled(state, 2)
    assert state.scores == [2, 6]
    state.play("both")
    rolled(state, 3, 4)
    state.play("swap")
    rolled(state, 1)
    assert state.scores == [3, 1]


def test_who_does_not_see_a_die_knows_that_it_was_rolled_and_not_what_it_shows(game: Game) -> None:
    one, other = game.start(), game.start()
    rolled(one, 2, 5)
    rolled(other, 2, 3)
    assert one.observed(1) == other.observed(1)
    assert one.observed(2) != other.observed(2)
    zones = {(zone.name, zone.owner): zone.cards for zone in one.view(1).zones}
    assert zones == {("cup", 1): ("die 2",), ("cup", 2): (), ("box of die", 0): ()}


ONE = """game one
    players 2
dice die, 1
    face: 1..6
cards card, 1 of each
    rank: 1..3
zone cup of player: set of die, private
zone deck: pile of card, hidden
counter pot: 0..9
setup
    shuffle every card into deck
phase only
    roll 1 die to cup of player 1
score of player
    pips: total face of cup of player + pot + count of deck
winner highest score, then shared
"""


def said_of(tmp_path: Path, text: str) -> list[tuple[str, str]]:
    path = tmp_path / "one.rules"
    path.write_text(text, encoding="utf-8")
    rules = read_rules(path)
    found = check(rules).findings
    return [(diagnostic.code, diagnostic.message) for diagnostic in found if diagnostic.code != "R324"]


def test_dice_that_are_only_rolled_once_are_no_fault(tmp_path: Path) -> None:
    assert said_of(tmp_path, ONE) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("roll deck", ("R204", "only dice are rolled; this is a card")),
        ("roll 1 die to deck", ("R204", "only dice are rolled; this is a card")),
        ("roll 2 cards to cup of player 1", ("R204", "`cup` holds no cards")),
        ("roll cup of player 1 + cup of player 2", ("R204", "say where they lie then")),
        ("set pot to a random number from 6..1", ("R216", "a number from 6..1 by chance: there is none")),
        ("set pot to a random number from 1..pot", ("R340", "there is no number to take by chance")),
    ],
)
def test_what_cannot_be_rolled_is_said_once(tmp_path: Path, line: str, said: tuple[str, str]) -> None:
    assert said_of(tmp_path, ONE.replace("    roll 1 die", f"    {line}\n    roll 1 die")) == [said]


def test_where_there_is_no_number_the_options_are_named() -> None:
    path = Path(__file__).parents[2] / "games" / "classics" / "oh_hell.rules"
    with pytest.raises(RulesError) as raised:
        load(path, 3, options={"last_suit": "clubs", "last_rank": "3"})
    (found,) = raised.value.diagnostics
    assert found.code == "R216"
    assert found.help.startswith("`last_suit` is clubs and `last_rank` is 3 at this table")
