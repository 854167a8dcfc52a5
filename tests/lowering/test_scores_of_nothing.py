"""Lines of the score sheet, and places of players, where the values in them are none."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import State, table_of
from rulesrun.interpreter.rules import rules_from

GAME = """game sheet
    players 3
cards card, 1 of each
    suit: moon, sun
    rank: 1..4
zone won of player: set of card, open
marker guess of player: 0..5 or none
setup
    move every card with rank 3 to won of player 1
    move every card with rank 4 with suit moon to won of player 2
    set guess of player 1 to 0
    set guess of player 3 to 5
phase only
    nothing
score of player
    top: highest rank among won of player
    seldom: highest rank among won of player if players is 3
    suits for each suit: highest rank among (won of player) with suit suit
    guess: guess of player
winner {winner}
"""


def ended(winner: str = "highest score, then shared") -> State:
    state = table_of(rules_from(Source("sheet.rules", GAME.format(winner=winner)))).start(1)
    assert state.is_over
    return state


def test_a_text_says_that_a_number_is_none() -> None:
    condition = 'only if players is 2 otherwise "{third}, {second}"'
    choice = f"    player 1 chooses\n        brag\n            {condition}\n        pass: nothing\n"
    text = GAME.replace("{winner}", "highest score, then shared").replace("    nothing\n", choice)
    for name, seat in (("second", 2), ("third", 3)):
        text += f"define {name}: highest rank among won of player {seat}\n"
    state = table_of(rules_from(Source("sheet.rules", text))).start(1)
    assert state.why_not("brag") == "none, 4"


def test_the_story_says_that_a_number_is_none() -> None:
    lines = "    set guess of player 3 to guess of player 2\n    set guess of player 2 to 4\n"
    text = GAME.replace("{winner}", "highest score, then shared").replace("    nothing\n", lines)
    state = table_of(rules_from(Source("sheet.rules", text))).start(1)
    assert [event.text for event in state.events][-2:] == ["guess of player 3: none", "guess of player 2: 4"]


def test_none_counts_nothing() -> None:
    state = ended()
    assert state.terms == {"top": [3, 4, 0], "seldom": [3, 4, 0], "suits": [6, 4, 0], "guess": [0, 0, 5]}
    assert state.scores == [12, 12, 5]


@pytest.mark.parametrize(
    ("winner", "seats"),
    [
        ("most guess, then shared", [3]),
        ("fewest guess, then shared", [1]),
        ("highest guess, then shared", [3]),
        ("lowest guess, then shared", [1]),
    ],
)
def test_none_comes_last(winner: str, seats: list[int]) -> None:
    assert ended(winner).ranking[0] == seats


@pytest.mark.slow
def test_a_sheet_with_hundreds_of_lines_is_added_up() -> None:
    lines = "\n".join(f"    line_{number}: {number}" for number in range(500))
    text = f"game sheet\n    players 2\nphase only\n    nothing\nscore of player\n{lines}\nwinner highest score, then shared\n"
    game = table_of(rules_from(Source("sheet.rules", text)))
    assert game.start(1).scores == [sum(range(500))] * 2
    assert game.compiled.module is not None
