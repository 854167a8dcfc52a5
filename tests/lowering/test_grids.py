"""Grids: sets of cells against a plain model of a board, ways to lay a tile against trying each, and small games on boards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.play.knowledge.views import lying, view_of, view_text

from ..pipeline import Played, machine_of, play, small, stages, walk_game
from .test_laws import comes_back, lies_in_one_place

SIZES = [(1, 1), (1, 5), (6, 1), (3, 3), (4, 7), (9, 9), (13, 11)]
Cells = frozenset[tuple[int, int]]  # column and row, from 0

STONES = """
pieces stone, 150 of each
    colour: black, white
    worth: 0..2
zone board: grid of stone, {0} x {1}, open
define taken: board
define black_ones: board with colour black
define worthy: board with worth at least 1
define worthless: board with worth < 1
define free_or_bare: empty cells of board
define near: cells next to (board with colour black)
define north: (board with colour black) shifted north
define east: (board with colour black) shifted east
define southwest: (board with colour black) shifted southwest
define wide: width of (board with colour black)
define high: height of (board with colour black)
define centre: middle of (board with colour black)
define together: count of regions of board by colour
define largest: highest size among regions of board by colour
define of_three: count of regions of black_ones by worth
define all_worth: total worth of board
define meet: (board with colour black) touches (board with colour white)
define first_worth: worth of a1
define first_colour_is_white: colour of a1 is white
define wealth_of_all: total worth of black_ones
"""

MARKING = """
repeat until empty cells of board is empty
    player 1 chooses
        mark a cell from empty cells of board and a number from 0..5
            if number is 0: put [black 0] on cell
            if number is 1: put [black 1] on cell
            if number is 2: put [black 2] on cell
            if number is 3: put [white 0] on cell
            if number is 4: put [white 1] on cell
            if number is 5: put [white 2] on cell
"""


@cache
def board(width: int, height: int) -> Machine:
    return machine_of(small(STONES.format(width, height), MARKING), 1)


def neighbours(cells: Cells) -> Cells:
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1))
    return frozenset((x + dx, y + dy) for x, y in cells for dx, dy in steps) - cells


def regions(values: dict[tuple[int, int], int]) -> Iterator[Cells]:
    rest = set(values)
    while rest:
        found = {rest.pop()}
        while more := {
            c
            for c in neighbours(frozenset(found)) & rest
            if any(values[c] == values[d] for d in neighbours(frozenset((c,))) & found)
        }:
            found |= more
            rest -= more
        yield frozenset(found)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_is_said_of_cells_is_so(data: st.DataObject) -> None:
    """Every word about cells, asked of a random board, against a board as a dictionary."""
    width, height = data.draw(st.sampled_from(SIZES))
    machine = board(width, height)
    everything = frozenset(product(range(width), range(height)))
    stones = {c: data.draw(st.integers(0, 5)) for c in data.draw(st.sets(st.sampled_from(sorted(everything))))}
    executor = Executor(machine)
    cells = executor.fresh(0)
    stop = executor.enter(cells)
    for (x, y), which in stones.items():
        stop = executor.choose(cells, (y * width + x) * 6 + which)
    game = Played(machine, executor, cells, stop)

    def asked(name: str) -> Cells:
        bits = game.ask(name)
        return frozenset((n % width, n // width) for n in range(width * height) if bits >> n & 1)

    black = frozenset(c for c, which in stones.items() if which < 3)
    assert asked("taken") == frozenset(stones)
    assert asked("free_or_bare") == everything - frozenset(stones)
    assert asked("black_ones") == black
    assert asked("worthy") == frozenset(c for c, which in stones.items() if which % 3)
    assert asked("worthless") == frozenset(c for c, which in stones.items() if which % 3 == 0)
    assert asked("near") == neighbours(black) & everything
    for name, dx, dy in (("north", 0, 1), ("east", 1, 0), ("southwest", -1, -1)):
        assert asked(name) == frozenset((x + dx, y + dy) for x, y in black) & everything
    xs, ys = [x for x, _ in black or everything], [y for _, y in black or everything]
    assert (game.ask("wide"), game.ask("high")) == (max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)
    across, up = min(xs) + max(xs), min(ys) + max(ys)
    assert game.ask("centre") == (-1 if across % 2 or up % 2 else up // 2 * width + across // 2)
    by_colour = list(regions({c: which // 3 for c, which in stones.items()}))
    assert game.ask("together") == len(by_colour)
    assert game.ask("largest") == max(map(len, by_colour), default=-1)
    assert game.ask("of_three") == len(list(regions({c: stones[c] for c in black})))
    assert game.ask("all_worth") == sum(which % 3 for which in stones.values())
    assert game.ask("wealth_of_all") == sum(stones[c] for c in black)
    assert game.ask("meet") == int(bool(neighbours(black) & (frozenset(stones) - black)))
    assert game.ask("first_worth") == (stones[0, 0] % 3 if (0, 0) in stones else -1)
    assert game.ask("first_colour_is_white") == int(stones.get((0, 0), 0) >= 3)


@pytest.mark.parametrize("size", SIZES)
def test_a_board_keeps_the_promises_of_machines(size: tuple[int, int]) -> None:
    assert violations(board(*size)) == []


# ---- Ways to lay a tile

TILES = """
tiles tile, 1 of each
    number: 1..{count}
    shape {shape}
        land: wood, lake, field
pieces tower, 1 for each player
zone heap: pile of tile, hidden
zone realm of player: grid of tile or tower, {width} x {height}, open
zone waste of player: set of tile, open
"""

LAYING = """
shuffle every tile into heap
for each player: put tower of player on middle of realm of player
repeat until heap is empty
    for each player
        if heap is not empty
            draw 1 from heap to waste of player
            for each tile in waste of player
                player chooses
                    lay tile on realm of player
                        so that {touching}
                        so that {narrow}
                        so that {low} otherwise "too high"
                    keep
                        nothing
            move waste of player to box
"""

TOUCHING = "tile touches tower of player or tile touches same land"
NARROW = "width of realm of player at most 5"
LOW = "not (height of realm of player > 4)"

SHAPES = {
    "a": [(0, 0)],
    "ab": [(0, 0), (1, 0)],
    "corner": [(0, 0), (1, 0), (1, -1)],
    "square": [(0, 0), (1, 0), (0, -1), (1, -1)],
    "ring": [(0, 0), (1, 0), (2, 0), (0, -1), (2, -1)],
}
DRAWN = {"a": '"a"', "ab": '"ab"', "corner": '"ab" ".c"', "square": '"ab" "cd"', "ring": '"abc" "d.e"'}


def tiles(shape: str, touching: str = TOUCHING, narrow: str = NARROW, low: str = "height of realm of player at most 4") -> str:
    parts = len(SHAPES[shape])
    count = 4 if parts < 3 else 1
    declared = TILES.format(count=count, shape=DRAWN[shape], width=7, height=9)
    return small(declared, LAYING.format(touching=touching, narrow=narrow, low=low))


@cache
def laying(shape: str, by_loop: bool) -> Machine:
    """A game of laying tiles; ``by_loop``: with conditions that do not decompose, so that each way is asked alone."""
    if not by_loop:
        return machine_of(tiles(shape), 2)
    slow = "count of realm of player > 0 and ({0})"
    return machine_of(tiles(shape, slow.format(TOUCHING), slow.format(NARROW), LOW), 2)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_set_algebra_finds_the_ways_that_asking_each_finds(shape: str) -> None:
    fast, slow = Executor(laying(shape, False)), Executor(laying(shape, True))
    assert violations(fast.machine) == violations(slow.machine) == []
    asked = 0
    for game in range(2):
        for (one, stop), (other, _) in zip(walk_game(fast, 3, game), walk_game(slow, 3, game), strict=True):
            if stop.kind == "decision":
                options = fast.options(one)
                assert options == slow.options(other)
                asked += len(options)
                for option in (*options[:3], *range(0, fast.machine.options, 37)):
                    assert (fast.why_not(one, option) is None) == (option in options)
    assert asked > 50


PUT = "put stone of player on cell"
OWN_STONES = """
pieces stone for each player
zone board: grid of stone, 4 x 3, open
"""
PLACING = """
take turns until board is full
    player chooses
        {option}
            only if {condition}
            {put}
            if board with owner player has a line of 3 through {cell}: end game
        if impossible: end game
"""


@pytest.mark.parametrize(
    "condition",
    [
        "{0} not in (empty cells of board shifted north)",
        "{0} in (empty cells of board shifted east) or {0} touches (board with owner player) or board is empty",
        "not {0} touches (board with owner left of player)",
        "row of {0} is 1 or {0} in cells next to board",
    ],
)
def test_to_lay_a_piece_of_one_cell_is_to_choose_the_cell(condition: str) -> None:
    lines = {"spot": ("place stone of player on board", "nothing"), "cell": ("place on a cell from empty cells of board", PUT)}
    one, other = (
        Executor(machine_of(small(OWN_STONES, PLACING.format(option=a, put=b, cell=word, condition=condition.format(word))), 2))
        for word, (a, b) in lines.items()
    )
    decisions = 0
    for game in range(4):
        for (cells, stop), (same, again) in zip(walk_game(one, 2, game), walk_game(other, 2, game), strict=True):
            assert stop.kind == again.kind
            if stop.kind == "decision":
                options = one.options(cells)
                assert options == other.options(same)
                assert all((one.why_not(cells, n) is None) == (n in options) for n in range(12))
                decisions += 1
    assert decisions > 8


@pytest.mark.parametrize("shape", SHAPES)
def test_the_ways_are_those_of_a_board_of_wood(shape: str) -> None:
    """Every legal way, by the names of its cells, against trying all positions and turns in plain Python."""
    machine = laying(shape, False)
    executor = Executor(machine)
    grid = machine.grids[0]
    name = {cell: n for n, cell in enumerate(grid.domain.names)}
    texts = machine.kinds["tile"].names
    for cells, stop in walk_game(executor, 5):
        if stop.kind != "decision":
            continue
        player = executor.player(cells)
        there: dict[tuple[int, int], tuple[str, int, str]] = {}
        for kind, face, at in lying(machine, grid, player, cells):
            for cell, land in zip(at, grid.texts[kind], strict=True):
                there[cell % grid.width, cell // grid.width] = (kind, face, land[face])
        waste = next(z for z in machine.zones if z.name == "waste")
        bits = cells[machine.layout.record[waste.content].slot + player]
        tile = (bits & -bits).bit_length() - 1
        assert texts[tile]
        lands = [of_part[tile] for of_part in grid.texts["tile"]]
        pictures: dict[frozenset[object], tuple[int, ...]] = {}
        for turn, x, y in product(range(4), range(grid.width), range(grid.height)):
            offsets = SHAPES[shape]
            for _ in range(turn):
                offsets = [(dy, -dx) for dx, dy in offsets]
            spot = [(x + dx, y + dy) for dx, dy in offsets]
            if fits(spot, lands, there, grid.width, grid.height):
                numbers = tuple(sy * grid.width + sx for sx, sy in spot)
                picture = frozenset(zip(numbers, lands, strict=True))
                pictures[picture] = min(numbers, pictures.get(picture, numbers))
        group = machine.groups[0]
        found = {
            tuple(name[cell] for cell in group.arguments[0].names[option].split()[1:])
            for option in executor.options(cells)
            if option < group.size
        }
        assert found == set(pictures.values())


def fits(
    spot: list[tuple[int, int]], lands: list[str], there: dict[tuple[int, int], tuple[str, int, str]], width: int, height: int
) -> bool:
    if any(not (0 <= x < width and 0 <= y < height) or (x, y) in there for x, y in spot):
        return False
    xs, ys = [x for x, _ in (*there, *spot)], [y for _, y in (*there, *spot)]
    if max(xs) - min(xs) >= 5 or max(ys) - min(ys) >= 4:
        return False
    near = [(there[c], land) for cell, land in zip(spot, lands, strict=True) for c in neighbours(frozenset([cell])) if c in there]
    return any(kind == "tower" or (kind == "tile" and other == land) for (kind, _, other), land in near)


# ---- What is stored


def test_what_is_kept_for_speed_follows_from_the_game() -> None:
    """The cells that are taken, and the digits of every attribute, are those of what lies there, at every stop."""
    machine = laying("ab", False)
    executor = Executor(machine)
    places = {field.name: place for field, place in machine.layout.record.items()}
    grid = machine.grids[0]
    for cells, _ in walk_game(executor, 9):
        for player in range(2):
            taken = 0
            digits = [0, 0]
            for kind, face, at in lying(machine, grid, player, cells):
                for cell, texts in zip(at, grid.texts[kind], strict=True):
                    taken |= 1 << cell
                    if kind == "tile":
                        code = 1 + ("wood", "lake", "field").index(texts[face])
                        digits = [have | (code >> digit & 1) << cell for digit, have in enumerate(digits)]
            assert cells[places["realm"].slot + player] == taken
            kept = places["land on realm"].slot + 2 * player
            assert cells[kept : kept + 2] == digits


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_is_lost_and_a_saved_game_is_the_same_game(shape: str) -> None:
    executor = Executor(laying(shape, False))
    for cells, stop in walk_game(executor, 11):
        lies_in_one_place(executor.machine, executor, cells)
        if stop.kind == "decision":
            comes_back(executor, cells)
    assert stop.kind == "over"


def test_the_record_says_what_is_game_and_what_follows() -> None:
    machine = laying("ab", False)
    regions_of = {field.name: field.region for field in machine.layout.record if hasattr(field, "region")}
    assert regions_of["cell of tile a"] == regions_of["cell of tower"] == "game"
    assert regions_of["realm"] == regions_of["land on realm"] == "index"


GO = """
pieces stone, 30 of each
    colour: black, white
zone board: grid of stone, 4 x 3, open
zone taken of player: set of stone, open
counter passes: 0..2
define white_ones: board with colour white
"""


def test_pieces_are_moved_on_a_board_and_taken_off_it() -> None:
    machine = machine_of(
        small(
            GO,
            """
            put [black] on b2
            put [white] on a2
            put [white] on c2
            player 1 chooses
                capture a cell from cells next to b2
                    only if colour of cell is white
                    move stone of cell to taken of player 1
            put [white] on a1
            let wanderer be stone of c2
            put wanderer on d3
            """,
        ),
        1,
    )
    assert violations(machine) == []
    game = play(machine, choices=[4])
    assert game.stop.kind == "over"
    names = machine.grids[0].domain
    assert [names.name(n) for n in names.members(game.ask("white_ones"))] == ["a1", "d3"]
    shown = view_of(machine, game.cells, 1)
    assert next(zone.cards for zone in shown.zones if zone.name == "taken") == ("white",)
    assert "d3" in str(shown.zones)
    assert "  3  .     .     .     whit\n  2  .     blac  .     .\n  1  whit  .     .     .\n" in view_text(shown)


def test_what_is_laid_and_taken_away_leaves_no_trace() -> None:
    """A component that comes back into the box leaves the same position as if it had never been on the board."""
    text = small(
        GO,
        """
        player 1 chooses
            come_and_go
                put [black] on b2
                move every stone to box
            stay
                nothing
        player 1 chooses
            end_it
                nothing
        """,
    )
    machine = machine_of(text, 1)
    executor = Executor(machine)
    positions = set()
    for choice in (0, 1):
        cells = executor.fresh(0)
        executor.enter(cells)
        executor.choose(cells, choice)
        data = executor.pack(cells)
        start, end = machine.layout.regions["index"]
        positions.add((executor.record.game(data), data[start:end]))
    assert len(positions) == 1


def test_a_cell_that_is_taken_stops_the_game_with_its_line() -> None:
    game = play(machine_of(small(GO, "put [black] on b2\nput [white] on b2"), 1))
    assert game.stop.fault is not None
    assert (game.stop.fault.code, game.stop.text) == ("R612", "something lies on b2 already")
    assert game.stop.fault.span.text == "put [white] on b2"


def test_regions_are_settled_when_a_loop_begins() -> None:
    """What a round puts on the board does not change what the next rounds are about."""
    machine = machine_of(
        small(
            GO + "counter seen: 0..20\ncounter largest: 0..20\ndefine rounds: seen\ndefine widest: largest",
            """
            put [white] on a1
            put [white] on c1
            put [white] on d3
            for each region in regions of board by colour
                add 1 to seen
                if size of region > largest: set largest to size of region
                if seen is 1: put [white] on b1
            """,
        ),
        1,
    )
    game = play(machine)
    assert (game.ask("rounds"), game.ask("widest")) == (3, 1)


def test_each_player_has_pieces_and_a_board() -> None:
    text = small(
        """
        pieces king, 2 for each player
        pieces crown, 1 for each player
        zone camp of player: grid of king or crown, 3 x 3, open
        counter turns of player: 0..9
        define kings_of_first: count of king of player 1
        define in_the_middle: cell of crown of player 2 is middle of camp of player 2
        define own_crown: owner of crown of player 2 is player 2
        define guests: count of camp of player 1 with owner player 2
        define crown_and_kings: cells of every king + cells of every crown
        define turns_of_second: turns of player 2
        """,
        """
        for each player: put crown of player on middle of camp of player
        for each king in random order: add 1 to turns of owner of king
        for each cell in empty cells of camp of player 1
            if cell is b1: do settle of cell
        """,
    )
    game = play(machine_of(text + "\nstep settle of cell\n    put any king from king of player 2 on cell\n", 2))
    assert game.stop.kind == "over"
    assert [game.ask(name) for name in ("kings_of_first", "in_the_middle", "own_crown", "guests", "turns_of_second")] == [
        2,
        1,
        1,
        1,
        2,
    ]
    cells = game.machine.grids[0].domain
    assert [cells.name(n) for n in cells.members(game.ask("crown_and_kings"))] == ["b1", "b2"]


def test_a_define_gives_a_cell_of_somebodys_own_grid_whatever_it_is_asked() -> None:
    text = small(
        """
        tiles pane, 2 of each
            colour: red, blue
        zone heap: set of pane, open
        zone window of player: grid of pane, 3 x 3, open
        table place by colour: red: 2, blue: 3
        define gap of player for colour: best of empty cells of window of player with column (place for colour) by lowest row
        define found: cells of every pane
        define seconds: count of window of player 2
        """,
        """
        move every pane to heap
        for each player
            for each pane in heap with colour blue by highest colour
                let here be gap of player for (colour of any pane from heap)
                put any pane from heap on here
        """,
    )
    game = play(machine_of(text, 2))
    assert game.stop.kind == "over"
    cells = game.machine.grids[0].domain
    assert [cells.name(n) for n in cells.members(game.ask("found"))] == ["b1", "c1", "b2", "c2"]
    assert game.ask("seconds") == 2


MARKS = """
pieces mark, 9 for each player
zone board: grid of mark, 3 x 3, open
define line_of of player: board with owner player
"""


def test_tic_tac_toe_by_rows() -> None:
    text = small(
        MARKS + "define three of player: width of line_of of player is 3 and height of line_of of player is 1\n"
        "counter n: 0..9\nmarker won: player or none\ndefine who: won",
        """
        take turns clockwise from player 1 until n is 9 or won is not none
            add 1 to n
            player chooses
                place on a cell from empty cells of board
                    put any mark from mark of player on cell
                    if count of line_of of player is 3 and three of player: set won to player
        """,
    )
    game = play(machine_of(text, 2), choices=[3, 0, 4, 8, 5])
    assert game.stop.kind == "over"
    assert game.ask("who") == 0


def test_a_marker_on_a_tile_is_asked_by_its_cell() -> None:
    """What lies on a board can be marked, and a filter on cells asks what is marked on what lies there."""
    machine = machine_of(
        small(
            """
            tiles disc
                number: 1..3
                marker side: player or none
                number
                1
                2
                3
            zone board: grid of disc, 4 x 4, open
            define mine: board with side player 1
            """,
            """
            put [1] on a1
            put [2] on b3
            put [3] on d4
            set side of [1] to player 1
            set side of b3 to player 2
            set side of d4 to player 1
            """,
        ),
        2,
    )
    game = play(machine)
    names = machine.grids[0].domain
    assert [names.name(n) for n in names.members(game.ask("mine"))] == ["a1", "d4"]


BAD = {
    "a grid too large": ("zone board: grid of stone, 40 x 40, open", "nothing", "R216"),
    "no cells": ("zone board: grid of stone, 0 x 4, open", "nothing", "R215"),
    "a hidden grid": ("zone board: grid of stone, 4 x 4, hidden", "nothing", "R204"),
    "an unknown kind": ("zone board: grid of ston, 4 x 4, open", "nothing", "R201"),
    "a cell outside": ("zone board: grid of stone, 4 x 4, open", "put [black] on e1", "R248"),
    "a direction that is none": (
        "zone board: grid of stone, 4 x 4, open\ndefine x: board shifted upwards",
        "nothing",
        "R250",
    ),
    "so that without a grid": (
        "zone board: grid of stone, 4 x 4, open",
        "player 1 chooses\n    take\n        so that board is not empty\n        nothing",
        "R247",
    ),
    "a card on a grid": (
        "cards card, 1 of each\n    rank: 1..3\nzone board: grid of stone, 4 x 4, open",
        "player 1 chooses\n    lay a card from every card\n        put card on a1",
        "R248",
    ),
    "a move to a grid": ("zone board: grid of stone, 4 x 4, open", "move [black] to board", "R204"),
    "cells of another grid": (
        "zone board: grid of stone, 4 x 4, open\nzone other: grid of stone, 4 x 4, open\n"
        "define x: (board with colour black) touches (other with colour black)",
        "nothing",
        "R204",
    ),
    "which grid": ("zone board: grid of stone, 4 x 4, open\nzone other: grid of stone, 4 x 4, open", "put [black] on a1", "R249"),
    "whose grid": ("zone board of player: grid of stone, 4 x 4, open", "put [black] on a1", "R249"),
    "an attribute that is not there": (
        "zone board: grid of stone, 4 x 4, open\ncards card, 1 of each\n    rank: 1..3\n"
        "define x: count of regions of board by rank",
        "nothing",
        "R204",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_said(name: str) -> None:
    declarations, lines, code = BAD[name]
    stones = "pieces stone, 30 of each\n    colour: black, white\n"
    found = stages(small(stones + declarations, lines), 2)
    assert found.machine is None
    assert found.codes == [code], found.messages


SHAPES_REFUSED = {
    '""': "R246",
    '".."': "R246",
    '"aa"': "R246",
    '"a.b"': "R246",
    '"a" ".b"': "R246",
    '"a1"': "R246",
}


@pytest.mark.parametrize("shape", SHAPES_REFUSED)
def test_a_shape_is_one_piece_of_different_letters(shape: str) -> None:
    text = small(f"tiles tile, 1 of each\n    number: 1..3\n    shape {shape}\n        land: wood, lake\n")
    assert stages(text, 2).codes == [SHAPES_REFUSED[shape]]


def test_a_tile_that_never_fits_is_said() -> None:
    text = small(
        'tiles tile, 1 of each\n    number: 1..3\n    shape "abcd"\n        land: wood, lake\n'
        "zone board: grid of tile, 3 x 3, open"
    )
    assert stages(text, 2).codes == ["R248"]


WIDTHS = {
    "an attribute": ("size: 1..3", "", "size of board", 0),
    "an attribute in words": ("size: small, large", "", "size of (cells next to board)", 0),
    "an option": ("hue: red, blue", "option width: 1..3, default 2", "width of board + width", 5),
    "a define": ("hue: red, blue", "define height of player: seat of player", "height of board + height of player 1", 3),
    "a counter": ("hue: red, blue", "counter size: 0..9", "size of (cells of board) + size", 6),
    "a define without a noun": ("hue: red, blue", "define cells: 1", "size of (cells of board) + cells", 7),
}


@pytest.mark.parametrize("name", WIDTHS)
def test_what_is_called_as_a_measure_does_not_hide_it(name: str) -> None:
    printed, declared, asked, value = WIDTHS[name]
    board = "zone board: grid of stone, 3 x 2, open"
    text = small(f"pieces stone, 3 of each\n    {printed}\n{declared}\n{board}\ndefine found: {asked}")
    assert play(machine_of(text, 1)).ask("found") == value
