"""Directions as values: cells shifted in a direction that only the game knows, steps named by one, lines along some."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..pipeline import machine_of, play, small, stages, value_of, walk_game
from ..wasm.compiling import compiled

BOARD = """
pieces stone for each player
zone board: {}grid of stone, 5 x 4, open
counter found: 0..1000
counter turns: 0..9
marker heading: direction
"""
SQUARES = {"north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1), "south": (0, -1), "southwest": (-1, -1),
           "west": (-1, 0), "northwest": (-1, 1)}  # fmt: skip
HEXAGONS = {
    "northeast": (0, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "southwest": (0, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}
FORMS = {"": SQUARES, "hexagonal ": HEXAGONS}
HEXAGONAL = "hexagonal "


def found_in(form: str, statements: str, players: int = 2, declared: str = "") -> int:
    """What is counted by statements, by both executors alike."""
    machine = machine_of(small(BOARD.format(form) + declared, statements), players)
    assert violations(machine) == []
    assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 7, 0, 1000)) == []
    game = play(machine)
    return value_of(game.executor, game.cells, "found")


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_a_step_in_each_direction_in_turn_leads_to_all_neighbours(form: str) -> None:
    around = "for each direction way in orthogonals\n        if cell shifted way is not none: add 1 to found"
    one_by_one = found_in(form, f"for each cell in cells of board\n    {around}")
    at_once = found_in(form, "for each cell in cells of board: add count of (cell shifted orthogonals) to found")
    assert one_by_one == at_once == found_in(form, "for each cell in cells of board: add count of cells next to cell to found")


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("way", SQUARES)
def test_a_direction_in_a_marker_leads_where_its_word_does(form: str, way: str) -> None:
    if way not in FORMS[form]:
        return
    x, y = FORMS[form][way]
    expected = sum(1 for a, b in product(range(5), range(4)) if 0 <= a + 2 * x < 5 and 0 <= b + 2 * y < 4)
    told = f"set heading to {way}\nadd count of ((cells of board shifted heading) shifted heading) to found"
    assert found_in(form, told) == expected
    named = f"set heading to {way}\nadd count of ((cells of board shifted {way}) shifted heading) to found"
    assert found_in(form, named) == expected


@pytest.mark.parametrize("words", [["northwest", "southeast"], ["northwest", "northeast", "southeast", "southwest"]])
def test_players_face_each_other(words: list[str]) -> None:
    players = len(words)
    asked = "\n".join(f"if forward_left for player {seat} is {word}: add 1 to found" for seat, word in enumerate(words, 1))
    assert found_in("", asked, players) == players


@pytest.mark.slow
def test_hexagons_have_six_directions() -> None:
    assert found_in(HEXAGONAL, "for each direction way: add 1 to found") == 6
    assert found_in("", "for each direction way: add 1 to found\nadd count of every direction to found") == 16


def test_a_shifted_cell_is_a_cell_or_none() -> None:
    asked = """
    put stone of player 2 on b2
    if owner of (b1 shifted north) is player 2: add 1 to found
    if a1 shifted west is none and a1 shifted west is empty: add 1 to found
    if column of (b2 shifted east) is 3: add 1 to found
    if count of (b2 shifted east) + count of (a1 shifted west) is 1: add 1 to found
    for each cell in (b2 shifted east): add 1 to found
    if owner of ((d4 shifted southwest) shifted southwest) is player 2: add 1 to found
    """
    assert found_in("", asked) == 6


# ---- Steps

TAKEN = """
for each cell in cells of board with row 1: put stone of player 1 on cell
for each cell in cells of board with row 4: put stone of player 2 on cell
for each cell in empty cells of board with column 3: put stone of player 2 on cell
take turns clockwise from player 1 until turns is 9
    add 1 to turns
    player chooses
        {}
        if impossible: nothing
"""
DECLARED = """
define ways of player: (forward_left for player, forward_right for player, forward for player)
define ways_of_cell of cell for player
    every direction if column of cell is 2
    orthogonals if owner of cell is player 1
    otherwise ways of player
define as_owned of cell
    every direction if column of cell is 2
    otherwise (forward_left for owner of cell, forward for owner of cell)
define over of cell for direction: (cell shifted direction) shifted direction
"""
STEPS = {
    "in a direction": """
        go a cell from board with owner player and a direction way from ways of player
            only if cell shifted way in empty cells of board
            put stone of cell on cell shifted way""",
    "over another": """
        go a cell from board with owner player and a direction way from ways_of_cell of cell for player
            only if owner of (cell shifted way) is left of player
            only if over of cell for way in empty cells of board
            move stone of (cell shifted way) to box
            put stone of cell on over of cell for way""",
    "off the board": """
        go a cell from board with owner player and a direction way
            only if owner of (cell shifted way) is none or cell shifted way is none
            if cell shifted way is none
                move cell to box
            otherwise
                put stone of cell on cell shifted way""",
    "to a cell in some directions": """
        go a cell from board with owner player to a cell target from cell shifted (ways_of_cell of cell for player)
            only if target in empty cells of board
            put stone of cell on target""",
    "as the owner sees it": """
        go a cell from board with owner player to a cell target from cell shifted as_owned of cell
            only if target in empty cells of board
            put stone of cell on target""",
    "in a direction as the owner sees it": """
        go a cell from board with owner player and a direction way from as_owned of cell
            only if cell shifted way in empty cells of board
            put stone of cell on cell shifted way""",
    "to a cell by a define": """
        go a cell from board with owner player to a cell target from (over of cell for north) + (cell shifted ways of player)
            only if target in empty cells of board
            put stone of cell on target""",
    "asked one by one": """
        go a cell from board with owner player and a direction way from diagonals
            only if count of cells next to (cell shifted way) + column of cell > 3
            only if cell shifted way in empty cells of board
            put stone of cell on cell shifted way""",
}


@pytest.mark.slow
@pytest.mark.parametrize("words", STEPS)
def test_the_steps_on_offer_are_those_for_which_all_conditions_hold(words: str) -> None:
    """Legal steps are found for all cells at once; the same conditions, asked of one step, say why not."""
    machine = machine_of(small(BOARD.format("") + DECLARED, TAKEN.format(STEPS[words].strip())), 2)
    assert violations(machine) == []
    executor = Executor(machine)
    assert list(differences(executor, WasmExecutor(machine, compiled(machine)), 7, 0, 1000)) == []
    names = machine.groups[0].arguments[0].names
    inside = [option for option in range(machine.options) if "outside" not in names[option]]
    asked = 0
    for cells, stop in walk_game(executor, 4):
        if stop.kind == "decision":
            options = executor.options(cells)
            asked += len(options)
            assert options == [option for option in inside if executor.why_not(cells, option) is None]
    assert asked >= 6


@pytest.mark.slow
def test_most_steps_are_found_by_sets() -> None:
    """A condition on the next cell is one on cells, moved back; only what counts neighbours goes from step to step."""
    for words, line in STEPS.items():
        found = stages(small(BOARD.format("") + DECLARED, TAKEN.format(line.strip())), 2).machine
        assert found is not None
        loops = [function for name, function in found.functions.items() if "kept" in str(function) and name.startswith("steps")]
        assert bool(loops) == (words == "asked one by one"), words


# ---- Lines

Cell = tuple[int, int]


def longest(stones: set[Cell], vectors: list[Cell], through: Cell | None) -> int:
    """The longest line, found by going from cell to cell."""
    best = 0
    for x, y in vectors:
        for cell in stones if through is None else stones & {through}:
            length = 1
            for way in (1, -1):
                a, b = cell
                while (a + way * x, b + way * y) in stones:
                    a, b, length = a + way * x, b + way * y, length + 1
            best = max(best, length)
    return best


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_the_longest_line_is_as_long_as_it_is(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(list(FORMS)))
    vectors = FORMS[form]
    stones = data.draw(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=14))
    through = data.draw(st.tuples(st.integers(0, 4), st.integers(0, 3)))
    along = data.draw(st.sampled_from(["", " along diagonals", " along heading", " along (east, northwest)"]))
    if form and along == " along diagonals":
        along = " along orthogonals"
    heading = data.draw(st.sampled_from(list(vectors)))
    words = {
        "": list(vectors),
        " along diagonals": ["northeast", "northwest"],
        " along heading": [heading],
        " along (east, northwest)": ["east", "northwest"],
        " along orthogonals": list(HEXAGONS),
    }[along]
    put = [f"put stone of player 1 on {'abcde'[x]}{y + 1}" for x, y in sorted(stones)]
    name = f"{'abcde'[through[0]]}{through[1] + 1}"
    asked = [f"add 10 * count of the longest line{along} in board to found"]
    asked.append(f"add count of the longest line through {name}{along} in board to found")
    found = found_in(form, "\n".join([f"set heading to {heading}", *put, *asked]))
    used = [vectors[word] for word in words]
    assert found == 10 * longest(stones, used, None) + longest(stones, used, through)


# ---- What cannot be asked


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("define wide: board shifted nort", "R250: `nort` is no direction"),
        ("define wide: board shifted turns", "R204: this is a number, where a direction is wanted"),
        ("define wide: board shifted (board)", "R204: this is a set of cells, where a set of directions is wanted"),
        ("define wide: board shifted forward", "R250: `forward` is no direction"),
        ("define wide: cells of board with row (count of longest line along 3 in board)", "R250: `3` is no direction"),
    ],
)
def test_what_is_no_direction_is_said(line: str, said: str) -> None:
    found = stages(small(BOARD.format("") + line, "set heading to north\nif wide is empty: add 1 to turns"), 2)
    assert [f"{d.code}: {d.message}" for d in found.diagnostics] == [said]


def test_hexagons_have_no_diagonals() -> None:
    found = stages(small(BOARD.format(HEXAGONAL), "set heading to east\nfor each cell in board shifted diagonals: nothing"), 2)
    assert [d.code for d in found.diagnostics] == ["R201"]


def test_a_list_of_the_same_name_is_the_file_s_own() -> None:
    text = "pieces stone for each player\nzone board: grid of stone, 2 x 2, open\nlist direction: up, down"
    declared = f"{text}\nmarker last: direction"
    found = stages(small(declared, "set last to up\nfor each cell in board shifted north: set last to down"), 2)
    assert found.messages == ""
    found = stages(small(declared, "set last to up\nfor each cell in board shifted last: set last to down"), 2)
    assert [f"{d.code}: {d.message}" for d in found.diagnostics] == ["R250: these are words of the file, and no directions"]
