"""`after this`: an option is allowed by the position to which it leads. Also what is asked only where possible."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.machine import Const, Machine
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..pipeline import machine_of, play, small, stages
from ..wasm.compiling import compiled


def playable(declarations: str, statements: str, players: int = 2) -> Machine:
    """A machine that keeps its promises and is played alike by both executors."""
    machine = machine_of(small(declarations, statements), players)
    assert violations(machine) == []
    for game in range(5):
        assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 5, game)) == []
    return machine


def offered(machine: Machine, *choices: str) -> dict[str, str]:
    """What may be chosen after some choices, by what is shown of it; and why not what may not, of the same decision."""
    executor = Executor(machine)
    cells = executor.fresh(1)
    stop = executor.enter(cells)
    for choice in choices:
        names = {name_of(machine, option): option for option in executor.options(cells)}
        stop = executor.choose(cells, names[choice])
    assert stop.kind == "decision"
    legal = {name_of(machine, option): "" for option in executor.options(cells)}
    refused = {name_of(machine, option): why.text for option, why in executor.why_not_each(cells, range(machine.options)).items()}
    return legal | refused


def name_of(machine: Machine, option: int) -> str:
    group = machine.group_of(option)
    values = group.values(option - group.base)
    return " ".join((group.verb, *(domain.name(value) for domain, value in zip(group.arguments, values, strict=True))))


HANDS = """
cards card, 1 of each
    suit: moon, sun
    rank: 1..3
zone hand of player: set of card, open
zone table: set of card, open
counter pot: 0..20
"""


@pytest.mark.slow
def test_a_move_is_tried_and_taken_back() -> None:
    machine = playable(
        HANDS,
        """
        move ([moon 1], [moon 3], [sun 2]) to hand of player 1
        player 1 chooses
            play a card from hand of player 1
                only if after this total rank of hand of player 1 at most 4 otherwise "with {pot} that is too much"
                move card to table
    """,
    )
    found = offered(machine)
    assert [name for name, why in found.items() if not why] == ["play moon 3", "play sun 2"]
    assert found["play moon 1"] == "with 0 that is too much"


@pytest.mark.slow
def test_steps_and_triggers_are_tried_as_well() -> None:
    machine = playable(
        HANDS
        + """
whenever a card with suit sun enters table
    add 5 to pot
step gather of card
    move card to table
    add rank of card to pot
""",
        """
        move ([moon 1], [moon 3], [sun 2]) to hand of player 1
        player 1 chooses
            play a card from hand of player 1
                only if not after this pot in 2..6 otherwise "no"
                do gather of card
    """,
    )
    assert [name for name, why in offered(machine).items() if not why] == ["play moon 1", "play sun 2"]


@pytest.mark.slow
def test_what_ends_the_game_ends_what_is_tried() -> None:
    machine = playable(
        HANDS,
        """
        step round
            repeat 3 times
                player 1 chooses
                    add_some a number from 1..3
                        only if after this pot < 5 otherwise "no"
                        add number to pot
                        if pot is 3: end round
                        add number to pot
                    if impossible: nothing
    """,
    )
    assert [name for name, why in offered(machine).items() if not why] == ["add_some 1", "add_some 2", "add_some 3"]


@pytest.mark.slow
def test_two_arguments_and_the_other_options() -> None:
    machine = playable(
        HANDS,
        """
        move ([moon 1], [moon 3], [sun 2]) to hand of player 1
        move [sun 1] to hand of player 2
        repeat 2 times
            player 1 chooses
                give a card from hand of player 1 and a player other from opponents of player 1
                    only if rank of card > count of hand of other
                    only if after this give is possible unless impossible otherwise "you could give two"
                    move card to hand of other
                rest
                    only if give is not possible otherwise "give"
                    nothing
    """,
    )
    found = offered(machine)
    assert [name for name, why in found.items() if not why] == ["give sun 2 player 2"]
    assert found["give moon 3 player 2"] == "you could give two"
    assert found["rest"] == "give"


@pytest.mark.slow
def test_equal_components() -> None:
    machine = playable(
        """
pieces bead, 3 of each
    colour: red, blue
zone hand of player: set of bead, open
zone bowl: set of bead, open
""",
        """
        move ([red], [red], [blue]) to hand of player 1
        move [blue] to bowl
        repeat 3 times
            player 1 chooses
                drop a bead from hand of player 1
                    only if after this count of bowl with colour red at most count of bowl with colour blue
                    move bead to bowl
                if impossible: nothing
    """,
    )
    assert [name for name, why in offered(machine).items() if not why] == ["drop red", "drop blue"]


@pytest.mark.slow
def test_markers_that_are_kept_as_sets_are_put_back() -> None:
    machine = playable(
        """
list place: north, south, west
marker flag of place: player or none
""",
        """
        repeat 3 times
            for each player
                player chooses
                    plant a place
                        only if flag of place is none
                        only if after this count of (every place with flag player) is 1 unless impossible otherwise "one"
                        set flag of place to player
                    if impossible: nothing
    """,
    )
    assert play(machine).stop.kind == "over"


BOARD = """
pieces stone, 9 for each player
zone board: grid of stone, 3 x 3, open
define edge of cell: row of cell is 1 or column of cell is 1
define off_edge of player: board with owner player has no cell where edge
"""


@pytest.mark.slow
def test_laying_and_stepping() -> None:
    machine = playable(
        BOARD,
        """
        put stone of player 1 on c3
        repeat 3 times
            for each player
                player chooses
                    place stone of player on board
                        only if after this off_edge of player unless impossible otherwise "keep off the edge"
                        nothing
                    shift a cell from board with owner player to a cell target from cells next to cell
                        only if target in empty cells of board
                        only if after this off_edge of player otherwise "keep off the edge"
                        let piece be stone of cell
                        put piece on target
    """,
    )
    found = offered(machine)
    legal = [name for name, why in found.items() if not why]
    assert legal == ["place on b2", "place on c2", "place on b3", "shift c3 b3", "shift c3 c2"]
    assert found["place on a1"] == "keep off the edge"
    later = offered(machine, "place on b2", "place on b3", "place on c2")
    assert len([name for name, why in later.items() if not why and name.startswith("place")]) == 5


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("draw 1 from deck to table", "what this option leads to is not known before: chance decides on the way"),
        ("set pot to a random number from 1..6", "chance decides on the way"),
        ("player 1 chooses\n                    wait: nothing", "somebody chooses on the way"),
    ],
)
def test_chance_and_choices_cannot_be_tried(option: str, message: str) -> None:
    found = stages(
        small(
            HANDS + "zone deck: pile of card, hidden\n",
            f"""
        shuffle every card into deck
        player 1 chooses
            act
                only if after this pot is 1
                {option}
            pass: nothing
    """,
        ),
        2,
    )
    assert found.codes == ["R247"]
    assert message in found.messages


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("only if after this after this pot is 1", "asked once"),
        ("only if deal is possible", "there is no option `deal` here"),
    ],
)
def test_faults(line: str, message: str) -> None:
    found = stages(
        small(
            HANDS,
            f"""
        player 1 chooses
            act
                {line}
                nothing
            pass: nothing
    """,
        ),
        2,
    )
    assert len(found.codes) == 1
    assert message in found.messages


@pytest.mark.parametrize("line", ["if after this pot is 1: nothing", "if pass is possible: nothing"])
def test_only_options_lead_somewhere(line: str) -> None:
    found = stages(small(HANDS, line), 2)
    assert found.codes == ["R247"]


@pytest.mark.slow
def test_a_name_keeps_its_value_from_before() -> None:
    machine = playable(
        HANDS,
        """
        set pot to 3
        repeat 2 times
            player 1 chooses
                turn_to a number from 1..9
                    let was be pot
                    only if after this pot > was and pot < 2 * was otherwise "no"
                    set pot to number
                wait: nothing
    """,
    )
    assert [name for name, why in offered(machine).items() if not why] == ["turn_to 4", "turn_to 5", "wait"]


@pytest.mark.slow
def test_what_fits_anyway_is_not_tried() -> None:
    machine = playable(
        BOARD,
        """
        put stone of player 1 on b2
        put stone of player 2 on a1
        player 1 chooses
            place_on a cell from empty cells of board
                only if cells next to cell has a cell where edge or after this count of board with owner player > 1
                put stone of player on cell
    """.replace("owner player", "owner player 1").replace("stone of player on", "stone of player 1 on"),
    )
    assert [name for name, why in offered(machine).items() if not why] == [
        "place_on b1",
        "place_on c1",
        "place_on a2",
        "place_on c2",
        "place_on a3",
        "place_on b3",
        "place_on c3",
    ]
    assert machine.functions["options that fit"].body[0].value != Const(0)  # type: ignore[union-attr]
