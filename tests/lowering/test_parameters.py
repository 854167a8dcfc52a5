"""Zones, counters, markers, defines and steps with parameters of any kind, and any number of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..pipeline import machine_of, play, small, stages, value_of

THINGS = """
counter log: 0..99999999
list point: 1..6
list stake: 5, 10, 20, 50
list colour: red, green, blue
option top: 2..5, default 3
cards card, 1 of each
    suit: sun, moon
    rank: 1..4
pieces stone for each player
counter men of player for point: 0..99
counter black, white of point: 0..99
counter high of stake: 0..99
counter depth of player for colour after point: 0..99
counter drawn of rank: 0..9
counter heat of cell: 0..9
marker met of player for player other: yes or no
marker last of point: player or none
zone pile_up of colour: pile of card, open
zone shelf of colour for point: set of card, open
zone vault of player for suit: set of card, private
zone board: grid of stone, 3 x 3, open
table toll for colour after point
    colour    | point     | toll | tax
    red       | 2         | 3    | 1
    green     | 6         | 5    | 2
    otherwise | otherwise | 7    | 0
table fee of player for colour
    player    | colour    | fee
    player 1  | red       | 4
    player 2  | blue      | 6
    player 4  | red       | 9
    otherwise | otherwise | 1
table bounty for card after player
    card      | player    | bounty
    [sun 3]   | player 2  | 8
    [moon 1]  | player 1  | 5
    otherwise | otherwise | 0
table warmth for cell in board
    cell      | warmth
    b3        | 3
    otherwise | 2
table draft of rank for suit
    rank      | suit      | draft
    4         | moon      | 7
    otherwise | otherwise | 1
step note for digit: set log to log * 10 + digit
"""

LINES = [
    ("add 3 to men of player 2 for 4\ndo note for men of player 2 for 4\ndo note for men of player 1 for 4", 30),
    ("for each point: add point to black of point\ndo note for black of 6\ndo note for white of 6", 60),
    ("add 2 to black of (2 + 1)\nlet spot_of be 4\ndo note for black of (spot_of - 1)", 2),
    ("add 2 to black of 1\nfor each point\n    if black of (point + 1) is none: do note for point", 6),
    ("for each point in every point where low: do note for point", 123),
    ("for each stake: add stake / 5 rounded down to high of stake\ndo note for high of 20\ndo note for high of 50", 50),
    ("let height be 30\nif high of height is none: do note for 7", 7),
    ("for each number in 2..4: do note for number", 234),
    ("for each number in 1..top: do note for number", 123),
    ("set drawn of 2 to 4\nfor each number in 3..drawn of 2: do note for number", 34),
    ("for each number in 1..4 by highest number: do note for number", 4321),
    ("add 7 to depth of player 1 for green after 3\ndo note for depth of player 1 for green after 3", 7),
    ("set met of player 1 for player 2 to yes\nif friends of player 1 for player 2: do note for 1\n"
     "if friends of player 2 for player 1: do note for 2", 1),
    ("do greet of player 2 for player 1", 21),
    ("set men of player 2 for 3 to 4\nset men of player 2 for 5 to 1\n"
     "for each point with men of player 2 > 0: do note for point\n"
     "do note for count of every point with men of player 2 at most men of player 2 for 5", 355),
    ("move [sun 3] to vault of player 1 for sun\nfor each suit with vault of player 1 not empty: do note for 6", 6),
    ("for each card with suit sun: add rank of card to drawn of rank of card\ndo note for drawn of 3", 3),
    ("for each cell in cells of board with row 2: add 1 to heat of cell\ndo note for heat of b2\ndo note for heat of b1", 10),
    ("move [sun 3] to pile_up of green\ndo note for count of pile_up of green\ndo note for count of pile_up of red", 10),
    ("move all [sun] to shelf of red for 2\nmove [moon 1] to shelf of red for 3\ndo note for count of every shelf", 5),
    ("move all [moon] to vault of player 2 for moon\ndo note for seat of owner of [moon 3]", 2),
    ("set last of 5 to player 2\nfor each point with last player 2: do note for point", 5),
    ("add 4 to men of player 2 for 3\nlet ahead be best of players by most men for 3\ndo note for seat of ahead", 2),
    ("move all [sun] to shelf of red for 2\nlet top_card be best of shelf of red for 2 by highest rank of card\n"
     "do note for rank of top_card", 4),
    ("add 4 to black of 3\nlet ahead be best of every point by most black\ndo note for ahead", 3),
    ("for each colour: do note for toll for colour after 6", 757),
    ("for each point in every point where near for 4 after 1: do note for point", 345),
    ("for each number in 1..rounds_to_play: do note for number", 12),
    ("let where_to be 1\ndo note for toll for red after (where_to + 1)\ndo note for tax for green after 6", 32),
    ("do note for total (point * point) for each point", 91),
    ("add 3 to black of 2\ndo note for highest (black of point + 6 - point) for each point", 7),
    ("move all [sun] to shelf of red for 2\ndo note for lowest (10 - rank of card) for each card of (shelf of red for 2)", 6),
    ("do note for (total (number * number) for each number in 1..6)", 91),
    ("do note for (total (number) for each number in 2..top + 1)", 9),
    ("do note for (3 + total (1) for each number in 1..4 + 2)", 9),
    ("if total (number) for each number in 1..3 is 6 and top in 3..4: do note for 8", 8),
    ("add 3 to men of player 2 for 5\ndo note for (highest (men of player for 5 * 2) for each player)", 6),
    ("add 3 to men of player 2 for 5\ndo note for (total (seat of player) for each player with men for 5 > 2)", 2),
    ("do note for (total (rank of card) for each card with suit sun)", 10),
    ("do note for (total (rank of card) for each card in all [sun] with rank > 1)", 9),
    ("do note for (total (rank of card) for each card of all [sun] with rank > count of players)", 7),
    ("let card be [sun 2]\ndo note for (lowest (rank of other + rank of card) for each card other of all [moon])", 3),
    ("do note for (total (total (number * point) for each number in 1..2) for each point)", 63),
    ("do note for (total (row of cell) for each cell)", 18),
    ("for each point: do note for stage of point", 222133),
    ("add 3 to men of player 2 for 5\nif somebody in opponents of player 1 with men for 5 > 2: do note for 4", 4),
    ("add 3 to men of player 2 for 5\nif nobody in opponents of player 2 with men for 5 > 2: do note for 4", 4),
    ("add 3 to men of player 2 for 5\nif everybody in players without player 1 with men for 5 > 2: do note for 4", 4),
    ("do note for fee of player 2 for blue\ndo note for fee of player 2 for red\ndo note for fee of player 1 for red", 614),
    ("for each player: do note for bounty for [sun 3] after player", 8),
    ("for each player: do note for bounty for [moon 1] after player", 50),
    ("do note for warmth for b3\ndo note for warmth for a1", 32),
    ("do note for draft of (rank of [moon 4]) for moon\ndo note for draft of 4 for sun", 71),
    ("do note for seat of (later of player 1 for player 2)", 2),
    ("for each point where foreign: do note for point", 456),
    ("do note for reach of player 1 for 3 after 2 at 1", 6),
    ("do note for total black of every point\nadd 2 to black of 5\ndo note for total black of every point", 2),
]  # fmt: skip

ASKED = """
define low of point: point < 4
define near of point for point other after pips: distance between point and other at most pips
define stage of point: 3 if point > 4, 2 if low of point, otherwise 1
define later of player for player other: player if seat of player > seat of other otherwise other
define foreign of point: point > 3 if top is 3
table lengths by players
    players | rounds_to_play
    1       | 4
    2       | 2
    otherwise | 3
define friends of player for player other: met of player for other
define reach of player for point after pips at die: seat of player * point * pips / die rounded down
step greet of player for player other
    do note for seat of player
    do note for seat of other
"""


@pytest.mark.parametrize(("lines", "expected"), LINES)
def test_what_is_declared_is_what_is_written(lines: str, expected: int) -> None:
    game = play(machine_of(small(THINGS + ASKED, lines), 2))
    assert game.stop.kind == "over", game.stop
    assert value_of(game.executor, game.cells, "log") == expected


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(1, 2), st.integers(1, 6), st.integers(0, 99)), max_size=5))
def test_each_combination_has_a_value_of_its_own(stores: list[tuple[int, int, int]]) -> None:
    lines = "".join(f"set men of player {seat} for {point} to {value}\n" for seat, point, value in stores)
    game = play(machine_of(small(THINGS, lines), 2))
    expected = {(seat, point): value for seat, point, value in stores}
    for seat in (1, 2):
        for point in range(1, 7):
            found = value_of(game.executor, game.cells, "men", (seat - 1) * 6 + point - 1)
            assert found == expected.get((seat, point), 0)


WRONG = [
    ("counter x of player of player: 0..1", "", "R112", "`of` comes twice"),
    ("counter x after point: 0..1", "", "R112", "`after` comes behind `for`"),
    ("counter x of thing: 0..1", "", "R201", "there is no player, list or kind `thing`"),
    ("counter x of card for cell: 0..1\ncounter y of card for cell after point at player against rank: 0..1", "", "R216",
     "there would be 3,456 of `y`; 1,024 are allowed"),
    ("", "add 1 to men of player 1", "R206", "`men` is asked for a point: for which one?"),
    ("", "add 1 to men for 3", "R206", "`men` belongs to a player: whose is meant?"),
    ("", "add 1 to men of player 1 for 3 after 2", "R206", "`men` takes no `after ...`"),
    ("", "add 1 to men of player 1 for 7", "R215", "there is no point 7: they go from 1 to 6"),
    ("", "add 1 to men of player 1 for red", "R204", "this is a colour, where a point is wanted"),
    ("", "add 1 to black of player 1", "R204", "this is a player, where a point is wanted"),
    ("", "do greet of player 1", "R206", "the step is `greet of player for other`"),
    ("", "add 1 to black of (2 * 4)", "R301", "`black` of none is set"),
    ("", "do note for toll for red", "R206", "`toll` is asked for a point: for which one?"),
    ("", "do note for toll of red", "R206", "`toll` takes no `of ...`"),
    ("table due for card\n    card | due\n    [sun 3] | 2\n    [3 sun] | 3", "do note for due for [sun 3]", "R202",
     "two rows for [3 sun]"),
    ("table due for card after cell\n    card | cell | due\n    [sun 3] | red | 2", "", "R204", "this is a colour"),
    ("table due for card after player\n    card | player | due\n    [sun 3] | leader | 2", "", "R201", "no `leader`"),
    ("table due for card for player", "", "R112", "`for` comes twice"),
    ("table due for player after card\n    player | card | due\n    player 9 | [sun 3] | 2",
     "do note for due for player 1 after [sun 3]", "R406", "there is no player 9"),
    ("list big: 1..20\ntable due of big for big two after big three at big four\n"
     "    big | two | three | four | due\n    1 | 2 | 3 | 4 | 5",
     "do note for due of 1 for 2 after 3 at 4", "R216", "there would be 160,000 rows of `due`; 100,000 are allowed"),
    ("table fee for colour after point\n    colour | point | fee\n    otherwise | 2 | 3", "", "R215", "or for nothing of it"),
    ("table fee for colour after point\n    colour | point | fee\n    red | otherwise | 3", "", "R215", "or for nothing of it"),
    ("table fee for colour after point\n    point | colour | fee\n    2 | red | 3", "", "R112", "must be `colour` and `point`"),
    ("define edge of cell: yes", "", "R249", "there are several grids"),
    ("marker edge: cell or none", "", "R249", "there are several grids"),
    ("marker edge: stone in inset or none", "", "R204", "on a grid there are cells, and no stones"),
    ("marker edge: cell in outset or none", "", "R201", "there is no grid `outset`"),
    ("", "for each number in 5..2: nothing", "R215", "there is no number from 5 to 2"),
    ("", "for each number in 1..5000: nothing", "R216", "these can be 5,000 numbers"),
    ("define led: cells of board where mine has a path from cells of board with row 1 to cell\n"
     "define mine: board with owner player 1", "", "R204", "put brackets around the whole condition: `where (mine has a ...)`"),
    ("", "move every card in box to vault of player 1 for sun", "R204", "what lies in the box cannot be asked"),
    ("", "if nobody in every point with men of player 1 > 2: nothing", "R204", "this is a set of points, where"),
    ("define shut of point: 1 if point > 3", "", "R219", "`shut` does not say what it is otherwise"),
    ("define shut of point: 1 if point > 3, otherwise red", "", "R204", "this is a colour, unlike the case above"),
    ("define shut of point: 1 if point > 3, otherwise 2, 3 if point is 1", "", "R101", "`,` cannot follow `2` here"),
    ("define shut of point: 1, otherwise 2", "", "R101", "after `1` comes `if`"),
    ("", "do note for (total (number) for each number in 5..2)", "R215", "there is no number from 5 to 2"),
    ("", "do note for total (number) for each number", "R201", "it is not said which numbers"),
    ("", "let point be 3\ndo note for total (point) for each point", "R205", "`point` would hide another `point`"),
]  # fmt: skip


@pytest.mark.parametrize(("declarations", "lines", "code", "message"), WRONG)
def test_one_message_says_what_is_wrong(declarations: str, lines: str, code: str, message: str) -> None:
    more = "zone inset: grid of stone, 2 x 2, open\n" if "edge" in declarations else ""
    things = THINGS.replace("counter heat of cell: 0..9\n", "") if more else THINGS
    found = stages(small(things + ASKED + more + declarations, lines), 2)
    assert [f.code for f in found.diagnostics if f.severity == "error"] == [code], found.messages
    assert message in found.messages


def test_a_cell_is_of_the_grid_that_its_domain_names() -> None:
    more = "zone inset: grid of stone, 2 x 2, open\nmarker edge: cell in inset or none\n"
    things = THINGS.replace("counter heat of cell: 0..9\n", "") + ASKED + more
    lines = "for each cell in cells of inset: set edge to cell\ndo note for row of edge\ndo note for column of edge"
    game = play(machine_of(small(things, lines), 2))
    assert game.stop.kind == "over", game.stop
    assert value_of(game.executor, game.cells, "log") == 22
    found = stages(small(things, "for each cell in cells of board: set edge to cell"), 2)
    assert [f.code for f in found.diagnostics if f.severity == "error"] == ["R204"], found.messages


def test_a_number_beyond_the_list_stops_the_game_where_something_is_set() -> None:
    lines = "add 5 to log\nfor each point: add 1 to black of (point + log - 4)"
    game = play(machine_of(small(THINGS, lines), 2))
    assert game.stop.kind == "fault"
    assert game.stop.fault is not None
    assert game.stop.fault.code == "R610"
