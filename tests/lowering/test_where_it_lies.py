"""Of equal components, the one is meant that lies in the place that is named, however that is written, and only that one goes."""

from __future__ import annotations

import pytest

from ..pipeline import machine_of, play, small, value_of

WORLD = """
cards car, 9 of each
    colour: pink, red
zone hand of player: set of car, VISIBILITY
zone pool, used: set of car, open
marker mover: player
marker tone: colour
counter flag: 0..9
counter left_there: 0..999
define suited of player for colour: hand of player with colour colour
define chosen of player
    hand of player if flag is 1
    otherwise pool
define one_of_three
    hand of player 1 if flag is 0
    hand of player 2 if flag is 1
    otherwise pool
define payer: player 2 if flag is 1, otherwise player 1
step away for car
    move car to used
phase only
    repeat 2 times
        for each player: move any car from (every car with colour red) to hand of player
        move any car from (every car with colour red) to pool
    set mover to player 2
    set tone to red
    set flag to FLAG
    LINES
    set left_there to 100 * count of hand of player 1 + 10 * count of hand of player 2 + count of pool
"""

SETS = {
    "hand of player 2": "222",
    "hand of mover": "222",
    "hand of left of mover": "111",
    "suited of player 2 for red": "222",
    "suited of mover for tone": "222",
    "suited of mover for (colour of any car from pool)": "222",
    "suited of left of mover for tone": "111",
    "chosen of mover": "P2P",
    "one_of_three": "12P",
    "pool": "PPP",
    "suited of payer for tone": "121",
}
"""Sets, and where their cards lie with each value of the flag: in the hand of a player, or in the pool."""

LINES = (
    "move any car from SET to used",
    "move best of (SET) by (colour is tone) to used",
    "move a random car from SET to used",
    "let one be any car from SET\nmove one to used",
    "let these be SET\nmove any car from these to used",
    "let one be any car from SET\nset mover to left of mover\nset flag to 7\nmove one to used",
    "let one be any car from SET\nmove one to used\nmove one to pool\nmove one to used",
    "do away for (any car from SET)",
    "let one be any car from SET\ndo away for one",
    "for each car in SET\n    if used is empty: move car to used",
    "for each car in SET\n    if used is empty: do away for car",
    "player 1 chooses\n    take a car from SET\n        move car to used",
    "player 1 chooses\n    take a car from SET\n        do away for car",
)


@pytest.mark.parametrize("written", SETS)
@pytest.mark.parametrize("named", ["", "let one be any car from SET\nset flag to 7"])
def test_who_has_it_is_the_player_in_whose_hand_it_lies(named: str, written: str) -> None:
    for flag, place in enumerate(SETS[written]):
        asks = f"{named}\nset mover to owner of {'one' if named else 'any car from SET'}".strip()
        code = asks.replace("SET", written).replace("\n", "\n    ")
        text = (
            WORLD.replace("VISIBILITY", "open")
            .replace("FLAG", str(flag))
            .replace("LINES", code)
            .replace("mover: player", "mover: player or none")
        )
        left = play(machine_of(small("", text), 2))
        assert value_of(left.executor, left.cells, "mover") == {"1": 0, "2": 1, "P": -1}[place], flag


@pytest.mark.parametrize("written", SETS)
@pytest.mark.parametrize("lines", LINES)
def test_a_card_comes_from_the_set_that_is_named(lines: str, written: str) -> None:
    for flag, (place, visibility) in enumerate(zip(SETS[written], ("open", "private", "hidden"), strict=True)):
        code = lines.replace("SET", written).replace("\n", "\n    ")
        text = WORLD.replace("VISIBILITY", visibility).replace("FLAG", str(flag)).replace("LINES", code)
        left = play(machine_of(small("", text), 2))
        expected = 222 - {"1": 100, "2": 10, "P": 1}[place]
        assert value_of(left.executor, left.cells, "left_there") == expected, (flag, visibility)
