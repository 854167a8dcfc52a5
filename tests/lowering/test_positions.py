"""Positions that come again: what is remembered, what is asked of it, and what bounds it."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..pipeline import Played, machine_of, play, stages
from ..wasm.compiling import compiled

WALK = """
game walk
    players 1

list place: north, south, west
pieces token, 2 of each
    tone: dark, pale
zone board: grid of token, 2 x 1, open
zone bowl: set of token, open
zone shown: slot of token, open
marker here: place or none
marker flag of place: yes or no
counter steps: 0..99
position: {parts}

setup
    remember position

phase walking
    repeat 12 times
        player 1 chooses
            go a place
                set here to place
            flip a place
                if flag of place is yes: set flag of place to no
                otherwise: set flag of place to yes
            lay a token from every token and a cell
                only if cell in empty cells of board
                put token on cell
            drop a token from every token
                move token to bowl
            show a token from every token
                only if shown is empty
                move token to shown
            forget_all
                forget positions
            pass: nothing
        add 1 to steps
        if position was seen before: set seen to yes
        if position repeats {times} times: end walking
        remember position

marker seen: yes or no

score of player
    steps: steps

winner highest score, then shared
"""


def walk(parts: str, *choices: str, times: int = 3) -> Played:
    """A game of one player, of which these choices are made; to be asked where it stands."""
    machine = machine_of(WALK.format(parts=parts, times=times))
    assert violations(machine) == []
    executor = Executor(machine)
    cells = executor.fresh(1)
    stop = executor.enter(cells)
    for choice in choices:
        assert stop.kind == "decision"
        stop = executor.choose(cells, next(n for n in range(machine.options) if name_of(machine, n) == choice))
    return Played(machine, executor, cells, stop)


def name_of(machine: Machine, option: int) -> str:
    group = machine.group_of(option)
    values = group.values(option - group.base)
    return " ".join((group.verb, *(domain.name(value) for domain, value in zip(group.arguments, values, strict=True))))


def seen(played: Played) -> bool:
    field = next(view.content for view in played.machine.variables if view.name == "seen")
    return bool(played.cells[played.machine.layout.record[field].slot])


@pytest.mark.parametrize(
    ("parts", "choices", "again"),
    [
        ("here", ("go north", "go south"), False),
        ("here", ("go north", "go south", "go north"), True),
        ("here", ("flip north",), True),  # which is no part of it
        ("here, flag", ("flip north", "flip south"), False),
        ("here, flag", ("flip north", "flip south", "flip north", "flip south"), True),
        ("flag", ("flip north", "flip south", "flip north"), False),
        ("board", ("lay dark a1", "lay pale b1"), False),
        ("board", ("lay dark a1", "drop dark"), True),
        ("board, bowl", ("lay dark a1", "drop dark"), False),
        ("bowl, shown", ("show dark", "drop dark"), False),
        ("here", ("go north", "forget_all", "go south", "go north"), True),
        ("here", ("go north", "go south", "forget_all", "go north"), False),
    ],
)
def test_what_is_named_makes_up_a_position(parts: str, choices: tuple[str, ...], again: bool) -> None:
    assert seen(walk(parts, *choices)) == again


def test_a_position_repeats_so_many_times() -> None:
    once = ("go north", "go south")
    assert walk("here", *once * 3).stop.kind == "decision"
    assert walk("here", *once * 3, "go north").stop.kind == "over"
    assert walk("here", *once * 3, "go north", times=4).stop.kind == "decision"


@pytest.mark.slow
@pytest.mark.parametrize("parts", ["here, flag, board, bowl, shown, at most 14", "here, at most 4"])
def test_both_executors_remember_alike(parts: str) -> None:
    machine = machine_of(WALK.format(parts=parts, times=5))
    for game in range(5):
        assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 5, game)) == []


def test_one_more_than_can_be_remembered_stops_the_game() -> None:
    stop = walk("here, at most 2", "go north", "go south").stop
    assert stop.kind == "fault"
    assert stop.text == "2 positions are remembered, and this would be one more"


def test_equal_states_have_equal_bytes() -> None:
    one, other = walk("here", "go north", "go south", "forget_all"), walk("here", "go west", "go south", "forget_all")
    start, end = one.machine.layout.regions["game"]
    assert one.executor.pack(one.cells)[start:end] == other.executor.pack(other.cells)[start:end]


GO = """
game tiny_go
    players 2
pieces stone, 9 for each player
zone board: grid of stone, 3 x 1, open
position: board
phase play
    take turns until board is full
        remember position
        player chooses
            place on a cell from empty cells of board
                only if not after this position was seen before otherwise "superko"
                let theirs be (cells next to cell) with owner left of player
                for each cell taken in theirs: move stone of taken to box
                put stone of player on cell
            pass: nothing
        if position repeats 4 times: end game
score of player
    stones: count of board with owner player
winner highest score, then shared
"""


@pytest.mark.slow
def test_superko() -> None:
    machine = machine_of(GO)
    assert violations(machine) == []
    executor = Executor(machine)
    cells = executor.fresh(1)
    executor.enter(cells)
    for choice in ("place a1", "place b1", "place a1", "place c1"):
        option = next(n for n in range(machine.options) if name_of(machine, n) == choice)
        if (why := executor.why_not(cells, option)) is not None:
            break
        executor.choose(cells, option)
    assert choice == "place a1"
    assert why is not None
    assert why.text == "superko"
    for game in range(5):
        assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 5, game)) == []
    assert play(machine).stop.kind == "over"


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("position: deck", "R204", "a position is what all see, and `deck` is a pile, which may have an order"),
        ("position: hand", "R204", "a position is what all see, and `hand` is private"),
        ("position: bord", "R201", "there is no zone, counter or marker `bord` here"),
        ("position: purse, at most 0", "R216", "0 positions; 1 to 10,000 can be remembered"),
        ("position: purse", "R216", "`purse` has 100,001 values, too many for a part of a position"),
        ("", "R219", "the game does not say what makes up a position"),
    ],
)
def test_faults(line: str, code: str, message: str) -> None:
    found = stages(f"""
game small
    players 2
cards card, 1 of each
    rank: 1..3
zone deck: pile of card, open
zone hand of player: set of card, private
counter purse: 0..100000
{line}
phase only
    remember position
score of player
    points: 0
winner highest score, then shared
""")
    assert found.codes == [code], found.messages
    assert message in found.messages
