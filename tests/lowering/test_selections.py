"""A selection is one act: nobody sees it half done, its order is forgotten, and nothing moves before it is complete."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.knowledge import known_of
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.play.game import Game, State, load

from ..pipeline import lying, machine_of, play, small, stages, value_of

WORLD = """
cards card, {copies} of each
    suit: red, blue
    rank: 1..3
zone hand of player: set of card, private
zone table: set of card, open
zone cellar: set of card, hidden
zone pile: pile of card, hidden
counter need: 0..9
counter log: 0..999999
list mood: calm, angry, merry
define low of card: rank of card < 3
"""


def made(play_lines: str, players: int = 2, copies: int = 2) -> Machine:
    machine = machine_of(small(WORLD.format(copies=copies), play_lines), players)
    assert violations(machine) == []
    return machine


def taken(machine: Machine, *positions: int) -> tuple[Executor, list[int], str]:
    """A game in which the first decisions take these positions of the first group."""
    executor = Executor(machine)
    cells = executor.fresh()
    stop = executor.enter(cells)
    for position in positions:
        stop = executor.choose(cells, machine.groups[0].base + position)
    return executor, cells, stop.kind


DISCARD = """
move every card to hand of player 1
player 1 chooses
    discard 3 cards from hand of player 1
        move cards to {0}
"""


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=3, max_size=3), st.sampled_from(["table", "cellar", "hand of player 2"]))
def test_every_order_leads_to_the_same_position(cards: list[int], place: str) -> None:
    """Two copies of each card: three of a face cannot be taken, and every order of the others gives equal bytes."""
    machine = made(DISCARD.format(place))
    records = set()
    for order in set(permutations(cards)):
        executor, cells, kind = taken(machine, *order[:2])
        assert kind == "decision"
        legal = executor.options(cells)
        assert (order[2] in legal) == (cards.count(order[2]) < 3)
        if order[2] not in legal:
            return
        assert executor.choose(cells, order[2]).kind == "over"
        start, end = machine.layout.regions["game"]
        records.add(executor.pack(cells)[start:end])
        view = next(v for v in machine.zones if v.name == place.split()[0])
        assert lying(executor, cells, view, 1 if place.startswith("hand") else 0) == sorted(cards)
    assert len(records) == 1


def test_nothing_moves_and_nothing_is_seen_before_the_last() -> None:
    machine = made(DISCARD.format("table"))
    own, digests = set(), set()
    for count in range(3):
        executor, cells, _ = taken(machine, *range(count))
        table = next(v for v in machine.zones if v.name == "table")
        assert lying(executor, cells, table) == []
        digests.add(executor.digest(cells, 1))
        own.add(executor.digest(cells, 0))
    assert len(digests) == 1
    assert len(own) == 3
    executor, cells, _ = taken(machine, 0, 1, 2)
    assert executor.digest(cells, 1) not in digests


@pytest.mark.parametrize(("how", "told"), [("", True), (" face down", False)])
def test_what_was_taken_is_told_in_the_end_unless_it_was_face_down(how: str, told: bool) -> None:
    lines = f"""
    move every card to hand of player 1
    player 1 chooses
        hide 2 cards from hand of player 1{how}
            move cards to cellar
    """
    machine = made(lines)
    ends = {taken_digest(machine, first, second) for first, second in ((0, 1), (1, 0), (0, 2), (3, 4))}
    assert len(ends) == (3 if told else 1)
    _, cells, _ = taken(machine, 0, 4)
    (knowledge,) = machine.knowledge
    cellar = next(v.place for v in machine.zones if v.name == "cellar")
    assert cellar is not None
    certain = known_of(machine, knowledge, cells, 2)[cellar].certain
    assert len(certain) == (2 if told else 0)


def taken_digest(machine: Machine, *positions: int) -> int:
    executor, cells, kind = taken(machine, *positions)
    assert kind == "over"
    return executor.digest(cells, 1)


def test_the_others_read_of_it_when_it_is_done(tmp_path: Path) -> None:
    path = tmp_path / "hide.rules"
    lines = """
    move every card to hand of player 1
    player 1 chooses
        hide 2 cards from hand of player 1 face down "put away"
            move cards to cellar
    """
    path.write_text(small(WORLD.format(copies=1), lines), encoding="utf-8")
    game: Game = load(path, players=2)
    state: State = game.start(0)
    state.play("put away red 1")
    assert state.observed(2) == ()
    assert state.observed(1) == ("put away red 1",)
    state.play("put away blue 3")
    assert state.observed(2) == ("player 1: put away 2 cards, face down",)


def test_its_size_may_change_and_be_too_large_or_nothing() -> None:
    lines = """
    set need to {}
    move [red 1] to hand of player 1
    move [red 2] to hand of player 1
    player 1 chooses
        give need cards gone from hand of player 1
            move gone to hand of player 2
            set log to count of gone
        if impossible: set log to 99
    """
    assert [log(lines.format(need)) for need in (0, 1, 2, 3)] == [99, 1, 2, 99]


def log(lines: str, copies: int = 1) -> int:
    played = play(made(lines, copies=copies))
    assert played.stop.kind == "over", played.stop
    return value_of(played.executor, played.cells, "log")


def test_conditions_speak_of_each_and_are_asked_before_it_begins() -> None:
    lines = """
    move {} to hand of player 1
    player 1 chooses
        give 2 cards from hand of player 1
            only if low of card
            move cards to hand of player 2
            set log to total rank of cards
        pass: set log to 99
    """
    assert log(lines.format("([red 1], [red 3])")) == 99
    machine = made(lines.format("([red 1], [red 2], [blue 3])"))
    executor, cells, _ = taken(machine, 1)
    assert executor.options(cells) == [0]
    assert executor.choose(cells, 0).kind == "over"
    assert value_of(executor, cells, "log") == 3


def test_words_and_players_can_be_selected() -> None:
    lines = """
    player 1 chooses
        name 2 moods from every mood
            set log to count of moods
    player 1 chooses
        invite 2 players guests from opponents of player 1
            for each player guest in guests: set log to log * 10 + seat of guest
    """
    machine = made(lines, 3)
    assert [group.size for group in machine.groups] == [3, 3]
    played = play(machine)
    assert value_of(played.executor, played.cells, "log") == 223


def test_what_is_selected_onto_a_pile_lies_there() -> None:
    played = play(made(DISCARD.format("pile")))
    assert played.stop.kind == "over"
    view = next(v for v in played.machine.zones if v.name == "pile")
    assert len(lying(played.executor, played.cells, view)) == 3


def test_a_selection_may_stand_in_a_step_and_in_a_loop() -> None:
    text = small(
        WORLD.format(copies=2)
        + """
step take of player
    player chooses
        take 2 cards from table
            move cards to hand of player
        pass: nothing
""",
        """
        move every card to table
        repeat until count of table < 2 at most 9 times
            for each player: do take of player
        otherwise: nothing
        """,
    )
    found = stages(text, 3)
    assert found.machine is not None, found.messages
    for seed in range(10):
        played = play(found.machine, seed)
        assert played.stop.kind == "over"
        hands = next(v for v in found.machine.zones if v.name == "hand")
        assert all(len(lying(played.executor, played.cells, hands, p)) % 2 == 0 for p in range(3))


def test_a_selection_with_a_name_leaves_the_noun_to_the_lines_around() -> None:
    lines = """
    move every card with suit red to hand of player 1
    let card be any card from every card with suit blue with rank 1
    player 1 chooses
        trash 2 cards rubbish from hand of player 1
            move rubbish to cellar
            move card to table
    """
    machine = made(lines, copies=1)
    executor, cells, kind = taken(machine, 0, 2)
    assert kind == "over"
    zones = {view.name: lying(executor, cells, view) for view in machine.zones if view.name in ("cellar", "table")}
    assert zones == {"cellar": [0, 2], "table": [3]}
