"""Boards of named points, drawn or listed: what is said of their points is so, against plain Python."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.model.boards import Board
from rulesrun.interpreter.play.knowledge.views import view_of, view_text
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..pipeline import machine_of, play, small, stages, value_of, walk_game
from ..wasm.compiling import compiled

MILLS = r"""
zone board: board of stone, open
    "o-----------o-----------o"
    "| \         |         / |"
    "|   o-------o-------o   |"
    "|   | \     |     / |   |"
    "|   |   o---o---o   |   |"
    "|   |   |       |   |   |"
    "o---o---o       o---o---o"
    "|   |   |       |   |   |"
    "|   |   o---o---o   |   |"
    "|   | /     |     \ |   |"
    "|   o-------o-------o   |"
    "| /         |         \ |"
    "o-----------o-----------o"
"""
FRAME = """
pieces stone for each player
{}
counter found: 0..999999
counter turns: 0..12
"""


def board_in(text: str) -> Board:
    """The board that a text declares."""
    found = stages(small(FRAME.format(text), "if board is not empty: add 1 to turns"), 2)
    assert found.machine is not None, found.messages
    board = found.table.grids["board"].board  # type: ignore[union-attr]
    assert board is not None
    return board


def found_in(declared: str, statements: str) -> int:
    """What is counted by statements, by both executors alike."""
    machine = machine_of(small(FRAME.format(declared), statements), 2)
    assert violations(machine) == []
    assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 7, 0, 1000)) == []
    game = play(machine)
    assert game.stop.node is None
    return value_of(game.executor, game.cells, "found")


def test_a_drawn_board_has_the_points_and_lines_of_its_picture() -> None:
    board = board_in(MILLS)
    assert board.names == (
        "a1", "d1", "g1", "b2", "d2", "f2", "c3", "d3", "e3", "a4", "b4", "c4",
        "e4", "f4", "g4", "c5", "d5", "e5", "b6", "d6", "f6", "a7", "d7", "g7",
    )  # fmt: skip
    lines = sorted("".join(board.names[point] for point in line) for line in board.lines())
    assert len(lines) == 20
    assert {"a1d1g1", "d1d2d3", "a4b4c4", "a1b2c3", "c5b6a7"} <= {*lines}


PLACES = """
zone board: board of stone, open
    "rome---milan"
    " |     /  |"
    "bari--o---+--elba"
    "       ischia"
"""
RING = "zone board: board of stone, open\n    x, y, z\n    x - y - z - x"


def test_names_may_stand_in_the_picture_and_lines_may_cross() -> None:
    board = board_in(PLACES)
    assert board.names == ("ischia", "bari", "b2", "elba", "rome", "milan")
    linked = {f"{board.names[point]} {board.names[other]}" for line in board.lines() for point, other in pairwise(line)}
    assert linked == {"rome milan", "bari rome", "b2 milan", "bari b2", "b2 elba", "ischia milan"}


def test_a_point_lies_in_several_regions() -> None:
    declared = """
zone board: board of stone, open
    italy: rome, genoa, ostia
    ports: genoa, ostia, tunis
    north: genoa
    rome - genoa - tunis
"""
    assert board_in(declared).names == ("rome", "genoa", "ostia", "tunis")
    counted = "add 100 * count of ports + 10 * count of (ports also in italy) + count of (ports without north) to found"
    assert found_in(declared, counted) == 322


def test_a_ring_is_no_line_without_end() -> None:
    board = board_in(RING)
    assert [[board.names[point] for point in line] for line in board.lines()] == [["x", "y", "z"], ["z", "x"]]
    asked = "for each cell in cells of board: put stone of player 1 on cell\nadd count of the longest line in board to found"
    assert found_in(RING, asked) == 3


# ---- What is asked of points

Point = int


def regions_of(stones: Collection[Point], linked: Collection[frozenset[Point]]) -> int:
    left, count = set(stones), 0
    while left:
        todo, count = [left.pop()], count + 1
        while todo:
            here = todo.pop()
            beside = {point for point in left if frozenset((here, point)) in linked}
            left -= beside
            todo += beside
    return count


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_what_is_said_of_points_is_so(data: st.DataObject) -> None:
    """On random maps: neighbours, regions, paths, lines."""
    count = data.draw(st.integers(2, 12))
    names = [f"point_{number}" for number in range(count)]
    pairs = list(combinations(range(count), 2))
    linked = {frozenset(pair) for pair in data.draw(st.sets(st.sampled_from(pairs), max_size=20))}
    stones = data.draw(st.sets(st.integers(0, count - 1)))
    start, end = (data.draw(st.integers(0, count - 1)) for _ in range(2))
    lines = [" - ".join(names[point] for point in sorted(link)) for link in sorted(linked, key=sorted)]
    declared = "\n    ".join(["zone board: board of stone, open", ", ".join(names), *lines])
    beside = {point for link in linked for point in link if link & stones and point not in stones and link - {point} <= stones}
    together = (
        start in stones
        and end in stones
        and regions_of(stones | {start}, linked) == regions_of(stones, linked | {frozenset((start, end))})
    )
    expected = (
        len(beside)
        + 100 * regions_of(stones, linked)
        + 1000 * together
        + 10_000
        * sum(
            regions_of(stones, linked) == regions_of(stones, linked | {frozenset((point, end))})
            for point in stones
            if end in stones
        )
        + 2000 * any(link <= stones for link in linked)
        + 4000 * any(start in link and link <= stones for link in linked)
    )
    asked = [f"put stone of player 1 on {names[point]}" for point in sorted(stones)] + [
        "add count of cells next to board to found",
        "add 100 * count of regions of board by owner to found",
        f"if board has a path from {names[start]} to {names[end]}: add 1000 to found",
        f"add 10000 * count of (cells of board where (board has a path from cell to {names[end]})) to found",
        "if board has a line of 2: add 2000 to found" if linked else "",
        f"if board has a line of 2 through {names[start]}: add 4000 to found" if linked else "",
    ]
    assert found_in(declared, "\n".join(filter(None, asked))) == expected


@pytest.mark.slow
def test_lines_of_a_board_are_those_that_are_drawn() -> None:
    """Against the mills as they are told in books: 16 on lines along the sides, 4 along the slanted ones."""
    board = board_in(MILLS)
    put = "put stone of player 2 on d1\nput stone of player 1 on g1\nput stone of player 2 on b2\nput stone of player 2 on c3"
    between = "lines from a1 through board with owner player 2 to board with owner player 1"
    assert found_in(MILLS, f"{put}\nadd count of ({between}) to found") == 1
    for line in board.lines():
        put = "\n".join(f"put stone of player 1 on {board.names[point]}" for point in line)
        middle = board.names[line[1]]
        other = next(name for name in board.names if all(board.names[point] != name for point in line))
        told = f"""
        if board has a line of 3 through {middle}: add 1 to found
        if board has a line of 3: add 10 to found
        if not board has a line of 3 through {other}: add 100 to found
        add 1000 * count of the longest line through {middle} in board to found
        """
        assert found_in(MILLS, put + told.replace("\n        ", "\n")) == 3111


@pytest.mark.parametrize(
    "option",
    [
        "go a cell from board with owner player to a cell target from cells next to cell",
        "go a cell from board with owner player to a cell target from cell shifted orthogonals",
        "go a cell from board with owner player to a cell target from (cell shifted north) + (cells next to cell)",
        "go a cell from board with owner player to a cell target from (cell shifted north) shifted east",
        "go a cell from board with owner player and a direction target from diagonals",
    ],
)
def test_the_steps_on_offer_are_those_for_which_all_conditions_hold(option: str) -> None:
    """Legal steps are found for all points at once; the same conditions, asked of one step, say why not."""
    go = "cell shifted target" if "direction" in option else "target"
    turns = f"""
    for each cell in cells of board with row 1: put stone of player 1 on cell
    for each cell in cells of board with row at least 5: put stone of player 2 on cell
    take turns clockwise from player 1 until turns is 12
        add 1 to turns
        player chooses
            {option}
                only if {go} in empty cells of board
                only if row of ({go}) is not 4 unless turns > 3
                put stone of cell on {go}
            if impossible: nothing
    """
    machine = machine_of(small(FRAME.format(MILLS), turns), 2)
    assert violations(machine) == []
    executor = Executor(machine)
    assert list(differences(executor, WasmExecutor(machine, compiled(machine)), 7, 0, 1000)) == []
    asked = 0
    for cells, stop in walk_game(executor, 4):
        if stop.kind == "decision":
            options = executor.options(cells)
            asked += len(options)
            names = machine.groups[0].arguments[0].names
            pairs = len(machine.groups[0].arguments) > 1
            inside = [option for option in range(machine.options) if pairs or "outside" not in names[option]]
            assert options == [option for option in inside if executor.why_not(cells, option) is None]
    assert asked >= 4


def test_a_board_is_drawn_with_its_stones() -> None:
    drawn = 'zone board: board of stone, open\n    "o-o-o"\n    "|   |"\n    "o   o"\n'
    drawn += "zone map: board of stone, open\n    rome - milan\n    rome, milan"
    machine = machine_of(small(FRAME.format(drawn), "put stone of player 1 on b2\nput stone of player 2 on rome"), 2)
    lines = view_text(view_of(machine, play(machine).cells, None)).splitlines()
    assert lines[lines.index("board:") + 1 : lines.index("board:") + 4] == [
        "     a       b       c",
        "  2  .       ston 1  .",
        "  1  .               .",
    ]
    assert "map (1): stone of player 2 on rome" in lines


# ---- What is no board

LIST = "zone board: board of stone, open\n    rome, milan, turin\n"


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ('zone board: board of stone, open\n    "o---o--"', "R246: this line joins no two points"),
        ('zone board: board of stone, open\n    "o"\n    " |"\n    "o"', "R246: this line joins no two points"),
        ('zone board: board of stone, open\n    "o=o"', "R246: `=` means nothing in a picture of a board"),
        ('zone board: board of stone, open\n    "--"', "R246: this line joins no two points"),
        ('zone board: board of stone, open\n    " "', "R246: this board has no points"),
        ('zone board: board of stone, open\n    "rome-rome"', "R202: two points are called `rome`"),
        ('zone board: board of stone, open\n    "b1-o"', "R202: two points are called `b1`"),
        ("zone board: board of stone, open\n    rome - milan", "R246: this board has no points"),
        (LIST + "    rome - naples", "R201: there is no point `naples` here"),
        (LIST + "    rome - mila", "R201: there is no point `mila` here"),
        (LIST + "    rome", "R202: two points are called `rome`"),
        (LIST + "    south: naples, rome, rome", "R202: two points are called `rome`"),
        (LIST + "    rome - milan - rome", "R202: `milan` and `rome` are joined twice"),
        (LIST + "    rome - rome", "R202: `rome` is joined to itself"),
        ('zone board: board of stone, open\n    "o-o"\n    sides: a1, c1', "R201: there is no point `c1` here"),
        ("zone board: board of stone, open", "R106: something must stand under this line"),
        (LIST + "define wide: row of rome", "R204: points of a board have no row"),
        (LIST + "define wide: width of board", "R204: points of a board have no width"),
        (LIST + "define wide: board shifted north", "R250: nothing says which directions there are on board"),
        (LIST + "define wide: cells next to b1", "R248: there is no point b1 on board"),
        (
            LIST + "    rome - milan\ndefine wide: board has a line of 3",
            "R248: the longest line of `board` has 2 points: no line of 3 fits on it",
        ),
        (
            LIST + "define wide: distance between rome and milan",
            "R204: distances between points of a board are not known; this is a point of board",
        ),
    ],
)
def test_what_is_no_board_is_said(declared: str, said: str) -> None:
    asked = "define" in declared and ("if wide: nothing" if "line of" in declared else "if wide is 1: nothing")
    found = stages(small(FRAME.format(declared), asked or "for each cell in board: add 1 to turns"), 2)
    messages = [f"{d.code}: {d.message}" for d in found.diagnostics if d.severity == "error"]
    assert [message.partition(":")[0] if said == message.partition(":")[0] else message for message in messages][:1] == [said]
    assert len(messages) == 1


def test_more_points_than_are_allowed_are_refused() -> None:
    rows = "\n".join(f"    {', '.join(f'p{row}x{n}' for n in range(200))}" for row in range(6))
    found = stages(small(FRAME.format(f"zone board: board of stone, open\n{rows}"), "nothing"), 2)
    assert [f"{d.code}: {d.message}" for d in found.diagnostics] == ["R216: `board` has 1,200 points; 1,024 are allowed"]
