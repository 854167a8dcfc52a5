"""Lines, paths and what lies between, on boards of squares and of hexagons: against plain Python that goes from cell to cell."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.analysis import derived
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.model.boards import column_name
from rulesrun.interpreter.play.knowledge.views import view_of, view_text

from ..pipeline import Played, machine_of, play, small, stages, walk_game

HEXAGONAL = "hexagonal "
BOARDS = [(3, 3, ""), (1, 5, ""), (6, 1, ""), (5, 4, ""), (9, 8, ""), (3, 3, HEXAGONAL), (5, 4, HEXAGONAL), (4, 9, HEXAGONAL)]
SQUARES = [(1, 0), (0, 1), (1, 1), (-1, 1)]
HEXAGONS = [(1, 0), (0, 1), (-1, 1)]
Cell = tuple[int, int]  # column and row, from 0

DECLARATIONS = """
pieces stone, {0} * {1} for each player
zone board: {2}grid of stone, {0} x {1}, open
define mine: board with owner player 1
define yours: board with owner player 2
define line: mine has a line of 3
define path: mine has a path from cells of board with column 1 to cells of board with row {1}
define led: cells of board where (mine has a path from cells of board with column 1 to cell)
define leading: cells of board where (mine has a path from cell to cells of board with column 1)
define between of cell: lines from cell through yours to mine
define enclosing of cell: between of cell is not empty
define enclosers: empty cells of board where enclosing
define near: cells next to mine
define together: count of regions of board by owner
define first_of_all: best of mine by lowest row, then lowest column
define foot: best of mine with column (count of yours) by lowest row
{3}
"""
ASKED = """
define through_{0}: mine has a line of 3 through {0}
define between_{0}: between of {0}
"""
MARKING = """
repeat until empty cells of board is empty
    player 1 chooses
        mark a cell from empty cells of board and a player owner_of
            put stone of owner_of on cell
"""


def name(cell: Cell) -> str:
    return f"{column_name(cell[0])}{cell[1] + 1}"


@cache
def board(width: int, height: int, form: str) -> Machine:
    asked = "".join(ASKED.format(name(cell)) for cell in product(range(width), range(height)))
    return machine_of(small(DECLARATIONS.format(width, height, form, asked), MARKING), 2)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_is_said_of_lines_is_so(data: st.DataObject) -> None:
    width, height, form = data.draw(st.sampled_from(BOARDS))
    machine = board(width, height, form)
    every = list(product(range(width), range(height)))
    stones = {cell: data.draw(st.sampled_from((0, 0, 1))) for cell in data.draw(st.sets(st.sampled_from(every)))}
    executor = Executor(machine)
    cells = executor.fresh(0)
    stop = executor.enter(cells)
    for (x, y), owner in stones.items():
        stop = executor.choose(cells, (y * width + x) * 2 + owner)
    game = Played(machine, executor, cells, stop)

    def asked(define: str) -> set[Cell]:
        bits = game.ask(define)
        return {(x, y) for x, y in every if bits >> (y * width + x) & 1}

    mine = {cell for cell, owner in stones.items() if owner == 0}
    yours = set(stones) - mine
    steps = HEXAGONS if form else SQUARES
    lines = [{(x + n * dx, y + n * dy) for n in range(3)} for x, y in every for dx, dy in steps]
    lines = [line for line in lines if line <= mine]
    assert game.ask("line") == bool(lines)
    enclosers = set()
    for x, y in every:
        between: set[Cell] = set()
        for dx, dy in [(way * dx, way * dy) for dx, dy in steps for way in (1, -1)]:
            run, at = set(), (x + dx, y + dy)
            while at in yours:
                run.add(at)
                at = at[0] + dx, at[1] + dy
            between |= run if at in mine else set()
        assert asked(f"between_{name((x, y))}") == between
        assert game.ask(f"through_{name((x, y))}") == any((x, y) in line for line in lines)
        enclosers |= {(x, y)} if between and (x, y) not in stones else set()
    assert asked("enclosers") == enclosers
    around = [(way * dx, way * dy) for dx, dy in (HEXAGONS if form else SQUARES[:2]) for way in (1, -1)]
    near = {(x + dx, y + dy) for x, y in mine for dx, dy in around}
    assert asked("near") == (near - mine) & set(every)
    rest, regions = set(stones), 0
    while rest:
        region = {rest.pop()}
        while more := {(x + dx, y + dy) for x, y in region for dx, dy in around} & (mine if region <= mine else yours) - region:
            region |= more
        rest -= region
        regions += 1
    assert game.ask("together") == regions
    reached = {cell for cell in mine if cell[0] == 0}
    while more := {(x + dx, y + dy) for x, y in reached for dx, dy in around} & mine - reached:
        reached |= more
    assert asked("led") == asked("leading") == reached
    assert game.ask("path") == any(y == height - 1 for _, y in reached)
    lowest = min(mine, key=lambda cell: (cell[1], cell[0]), default=None)
    assert game.ask("first_of_all") == (-1 if lowest is None else lowest[1] * width + lowest[0])
    foot = min((y for x, y in mine if x + 1 == len(yours)), default=None)
    assert game.ask("foot") == (-1 if foot is None else foot * width + len(yours) - 1)


def test_among_the_cells_of_a_column_no_tie_is_left() -> None:
    machine = board(5, 4, "")
    faults = derived.faults(machine).table
    assert [fault.span.text for fault in faults if fault.code == "R605"] == ["best of mine by lowest row, then lowest column"]


def test_rows_of_hexagons_are_drawn_half_a_cell_apart() -> None:
    declared = "pieces stone, 9 for each player\nzone board: hexagonal grid of stone, 3 x 3, open"
    machine = machine_of(small(declared, "put stone of player 1 on a1\nput stone of player 2 on c3"), 2)
    drawn = view_text(view_of(machine, play(machine).cells, None))
    assert drawn.split("board:\n")[1].splitlines() == [
        "  3          .       .       ston 2",
        "  2      .       .       .",
        "  1  ston 1  .       .",
        "     a       b       c",
    ]


# ---- Steps

STEPPING = """
pieces stone, 40 for each player
zone board: {form}grid of stone, 5 x 4, open
counter turns: 0..12
define ahead of cell for player: (cell shifted {ahead} for player) + (cell shifted {aside} for player)
define by_turns of cell
    cells next to cell if turns mod 2 is 0
    otherwise cell shifted east
"""
TURNS = """
for each cell in cells of board with row 1: put stone of player 1 on cell
for each cell in cells of board with row 4: put stone of player 2 on cell
take turns clockwise from player 1 until turns is 12
    add 1 to turns
    player chooses
        step a cell from board with owner player to a cell target from {reach}
            {first}
            {second}
            if target in board: move target to box
            put stone of cell on target
        if impossible: nothing
"""
REACHES = ["cells next to cell", "ahead of cell for player", "by_turns of cell", "(cell shifted east) + (cells next to cell)"]
CONDITIONS = {
    "sets": ("only if owner of target is not player", "only if target not in board unless row of target is not row of cell"),
    "one by one": ("only if count of (cells next to target) + column of cell > 3", "only if owner of target is not player"),
}


@pytest.mark.parametrize("form", ["", HEXAGONAL])
@pytest.mark.parametrize("reach", REACHES)
@pytest.mark.parametrize("conditions", CONDITIONS)
def test_the_steps_on_offer_are_those_for_which_all_conditions_hold(form: str, reach: str, conditions: str) -> None:
    """Legal steps are found for all cells at once; the same conditions, asked of one step, say why not."""
    words = {"form": form, "ahead": "northeast" if form else "forward", "aside": "west" if form else "forward_left"}
    first, second = CONDITIONS[conditions]
    machine = machine_of(small(STEPPING.format(**words), TURNS.format(reach=reach, first=first, second=second)), 2)
    assert violations(machine) == []
    executor = Executor(machine)
    names = machine.groups[0].arguments[0].names
    asked = 0
    for cells, stop in walk_game(executor, 4):
        if stop.kind == "decision":
            options = executor.options(cells)
            asked += len(options)
            inside = [option for option in range(machine.options) if "outside" not in names[option]]
            assert options == [option for option in inside if executor.why_not(cells, option) is None]
    assert asked > 20


def test_steps_of_four_players_are_turned() -> None:
    """Player 1 looks north, the others are a quarter further each."""
    declared = "pieces stone, 40 for each player\nzone board: grid of stone, 3 x 3, open"
    turns = """
    for each player
        put stone of player on b2
        player chooses
            step a cell from board with owner player to a cell target from cell shifted forward_left for player
                move target to box
                move cell to box
    """
    machine = machine_of(small(declared, turns), 4)
    executor = Executor(machine)
    names = machine.groups[0].arguments[0].names
    found = [names[executor.options(cells)[0]] for cells, stop in walk_game(executor, 1) if stop.kind == "decision"]
    assert found == ["b2 a3", "b2 c3", "b2 c1", "b2 a1"]


def test_steps_seen_by_two_players_at_once_are_pairs_of_cells() -> None:
    """Where directions of different players are mixed, the steps are not known seat by seat."""
    declared = "pieces stone, 40 for each player\nzone board: grid of stone, 3 x 3, open"
    turns = """
    for each player
        put stone of player on b2
        player chooses
            step a cell from board to a cell target from (cell shifted forward for player) + (cell shifted forward for player 2)
                move cell to box
    """
    executor = Executor(machine_of(small(declared, turns), 2))
    offered = [executor.options(cells) for cells, stop in walk_game(executor, 1) if stop.kind == "decision"]
    assert offered == [[4 * 9 + 1, 4 * 9 + 7], [4 * 9 + 1]]


# ---- Whose a piece is


def test_pieces_are_turned_over_and_empty_cells_stay_empty() -> None:
    declared = """
    pieces disc, 3 for each player
    zone board: grid of disc, 3 x 1, open
    define mine: board with owner player 1
    define yours: board with owner player 2
    """
    turns = """
    put disc of player 1 on a1
    put disc of player 2 on b1
    set owner of cells of board to player 2
    set owner of b1 to player 1
    """
    game = play(machine_of(small(declared, turns), 2))
    assert (game.ask("mine"), game.ask("yours")) == (0b010, 0b001)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("set owner of board for player 1 to player 2", "R206"),
        ("set owner of other to player 2", "R214"),
        ("set owner of hand of player 1 to player 2", "R214"),
        ("set owner of board to 3", "R204"),
    ],
)
def test_an_owner_that_cannot_be_set_is_said(line: str, code: str) -> None:
    declared = """
    pieces disc, 3 for each player
    pieces token, 3
    zone board: grid of disc, 3 x 1, open
    zone other: grid of token, 4 x 4, open
    zone hand of player: set of disc, open
    """
    messages = stages(small(declared, line), 2).messages
    assert f"[{code}]" in messages
    assert messages.count("[R") == 1


# ---- Faults


@pytest.mark.parametrize(
    ("side", "said"),
    [
        (23, "R216: these are 1058 stones; 1000 are allowed"),
        (40, "R216: these are 3200 stones; 1000 are allowed"),
    ],
)
def test_a_board_too_large_is_refused_at_the_size_that_is_asked_for(side: int, said: str) -> None:
    declared = """
    option side: 3..40, default 3
    pieces stone, side * side for each player
    zone board: grid of stone, side x side, open
    """
    found = stages(small(declared, "put stone of player 1 on a1"), 2, options={"side": side})
    assert "; ".join(f"{d.code}: {d.message}" for d in found.diagnostics) == said
    assert found.diagnostics[0].help.startswith(f"`side` is {side} at this table")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("define wide: board has a line of 6", "R248"),
        ("define wide: board has a line of 0", "R215"),
        ("define wide: board has a line of turns", "R215"),
        ("define wide: board has a path from board to other", "R204"),
        ("define wide: lines from a1 through board to player 1", "R204"),
        ("define wide: board shifted forward", "R250"),
        ("define wide: other shifted north", "R250"),
        ("define wide: row of board", "R204"),
    ],
)
def test_what_cannot_be_asked_of_cells_is_said(line: str, message: str) -> None:
    declared = f"""
    pieces stone, 40 for each player
    zone board: grid of stone, 5 x 4, open
    zone other: hexagonal grid of stone, 5 x 4, open
    counter turns: 0..9
    {line}
    """
    asked = "if wide: nothing" if "line of" in line else "if wide is empty: nothing"
    messages = stages(small(declared, "add 1 to turns\n" + asked), 2).messages
    assert f"[{message}]" in messages
    assert messages.count("[R") == 1
