"""Components removed unseen from a pile are never drawn, stay in the pile, and are known to nobody."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.machine import ZoneView
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.play.knowledge.views import view_of, view_text

from ..pipeline import Played, lying, machine_of, play, small, stages, value_of, walk_game
from .test_laws import knows_what_is_so, lies_in_one_place

WORLD = """
cards card, {copies} of each
    rank: 1..4
zone deck: pile of card, hidden
zone stack of player: pile of card, hidden
zone hand of player: set of card, private
zone row: set of card, open
counter drawn: 0..99
counter stock: 0..99
"""
SHUFFLE = "shuffle every card into deck\n"
DRAW_ALL = """
repeat until deck is empty
    set stock to count of deck
    draw 1 from deck to row
    add 1 to drawn
"""


def world(lines: str, copies: int = 1) -> str:
    return small(WORLD.format(copies=copies), lines)


def played(lines: str, copies: int = 1, seed: int = 0, players: int = 2) -> Played:
    machine = machine_of(world(lines, copies), players)
    assert violations(machine) == []
    return play(machine, seed)


def zone(game: Played, name: str) -> ZoneView:
    return next(z for z in game.machine.zones if z.name == name)


def value(lines: str, name: str, **more: int) -> int:
    game = played(lines, **more)
    assert game.stop.kind == "over", game.stop
    return value_of(game.executor, game.cells, name)


@pytest.mark.slow
@given(st.integers(0, 8), st.integers(1, 2), st.integers(0, 50))
def test_so_many_fewer_are_drawn_and_they_lie_in_the_pile(removed: int, copies: int, seed: int) -> None:
    removed = min(removed, 4 * copies)
    game = played(f"{SHUFFLE}remove {removed} from deck unseen\n{DRAW_ALL}", copies, seed)
    assert value_of(game.executor, game.cells, "drawn") == 4 * copies - removed
    assert len(lying(game.executor, game.cells, zone(game, "deck"))) == removed
    lies_in_one_place(game.machine, game.executor, game.cells)
    if removed < 4 * copies:
        assert value_of(game.executor, game.cells, "stock") == 1  # the count before the last was drawn


def test_no_chance_event_is_spent_on_what_nobody_sees() -> None:
    def chances(lines: str) -> int:
        machine = machine_of(world(lines), 2)
        return sum(stop.kind == "chance" for _, stop in walk_game(Executor(machine), 0))

    assert chances(SHUFFLE + "remove 2 from deck unseen") == 0
    assert chances(SHUFFLE + "remove 2 from deck unseen\n" + DRAW_ALL) == 2  # the second of two is by chance, too
    assert chances(SHUFFLE + DRAW_ALL) == 3


@pytest.mark.slow
def test_any_card_can_be_the_one_that_is_removed() -> None:
    drawn = Counter[tuple[int, ...]]()
    for seed in range(60):
        game = played(SHUFFLE + "remove 1 from deck unseen\n" + DRAW_ALL, seed=seed)
        drawn[tuple(lying(game.executor, game.cells, zone(game, "deck")))] += 1
    assert set(drawn) == {(0,), (1,), (2,), (3,)}


def test_an_ordered_top_is_drawn_first() -> None:
    lines = "shuffle (every card with rank < 4) into deck\nremove 2 from deck unseen\nmove [4] to deck\n"
    game = played(lines + "set stock to count of deck\ndraw 1 from deck to row")
    assert value_of(game.executor, game.cells, "stock") == 2
    assert lying(game.executor, game.cells, zone(game, "row")) == [3]


def test_more_can_be_removed_later_and_more_shuffled_in() -> None:
    lines = "shuffle (every card with rank < 4) into deck\nremove 1 from deck unseen\nremove 1 from deck unseen\n"
    assert value(lines + DRAW_ALL, "drawn") == 1
    assert value(lines + "shuffle [4] into deck\n" + DRAW_ALL, "drawn") == 2


def test_gathering_every_card_takes_them_back() -> None:
    lines = SHUFFLE + "remove 3 from deck unseen\n"
    assert value(lines + SHUFFLE + DRAW_ALL, "drawn") == 4
    assert value(lines + "move every card to row\n" + SHUFFLE + "remove 1 from deck unseen\n" + DRAW_ALL, "drawn") == 3


def test_the_pile_of_each_player() -> None:
    lines = """
    shuffle (every card with rank < 3) into stack of player 1
    shuffle (every card with rank > 2) into stack of player 2
    remove 1 from stack of player 2 unseen
    if stack of player 1 is not empty: set drawn to 10 * count of stack of player 1
    add count of stack of player 2 to drawn
    set stock to count of every stack
    """
    assert value(lines, "drawn") == 21
    assert value(lines, "stock") == 3


def test_removing_none_is_nothing() -> None:
    assert value(SHUFFLE + "remove 2 - 2 from deck unseen\nif deck has a card with rank 1: set drawn to 1", "drawn") == 1


def test_nobody_ever_learns_which_they_were() -> None:
    """Not even when the pile is used up: what a seat is certain of is true at every stop, and nothing is known of the rest."""
    lines = SHUFFLE + "remove 2 from deck unseen\nrepeat until deck is empty\n"
    lines += "    for each player\n        if deck is not empty: draw 1 from deck to hand of player"
    for copies in (1, 2):
        machine = machine_of(world(lines, copies), 3)
        for seed in range(6):
            executor = Executor(machine)
            for cells, _ in walk_game(executor, seed):
                knows_what_is_so(machine, executor, cells)
                lies_in_one_place(machine, executor, cells)
            seen = view_of(machine, cells, 1)
            assert [z.cards for z in seen.zones if z.name == "hand" and z.owner != 1] == [(), ()]
            deck = next(z for z in seen.zones if z.name == "deck")
            assert (deck.count, deck.removed, deck.cards) == (0, 2, ())


def test_the_view_tells_how_many_can_be_drawn() -> None:
    game = played(SHUFFLE + "remove 3 from deck unseen")
    assert view_text(view_of(game.machine, game.cells, 1)).startswith("deck (1): card 1, card 2, card 3, card 4; 3 of these")
    other = played(SHUFFLE + "draw 1 from deck to hand of player 2\nremove 2 from deck unseen")
    assert "deck: 3 unknown among" in view_text(view_of(other.machine, other.cells, 1))


@pytest.mark.parametrize(
    "line",
    [
        "if deck has a card with rank 2: nothing",
        "move deck to row",
        "move deck with rank 1 to row",
        "move best of deck by highest rank to row",
        "move a random card from deck to row",
        "for each card in deck: nothing",
        "reveal deck",
        "set drawn to total rank of deck",
        "let all_of_it be deck",
        "player 1 chooses\n    take a card from deck: move card to row",
    ],
)
def test_which_they_are_cannot_be_asked(line: str) -> None:
    found = stages(world(SHUFFLE + "remove 3 from deck unseen\n" + line), 2)
    assert found.codes == ["R253"], found.messages
    assert stages(world(SHUFFLE + line), 2).messages == ""


def test_more_than_there_are() -> None:
    assert stages(world(SHUFFLE + "remove 5 from deck unseen"), 2).codes == ["R301"]
    drawn = SHUFFLE + "draw 3 from deck to row\n"
    for lines in (drawn + "remove 2 from deck unseen", "set stock to 1\nremove stock from deck unseen"):
        game = played(lines)
        assert game.stop.fault is not None
        assert game.stop.fault.code == "R604"
        assert "removed from deck" in game.stop.text


def test_what_lies_on_top_in_a_known_order_is_not_removed() -> None:
    game = played("for each card: move card to deck\nremove 1 from deck unseen")
    assert game.stop.text == "to be removed from deck: 1, and there are 0 that lie in no known order"
    assert value("for each card: move card to deck\nshuffle deck\nremove 1 from deck unseen\n" + DRAW_ALL, "drawn") == 3


def test_a_draw_from_what_is_only_held_back_stops() -> None:
    game = played(SHUFFLE + "remove 4 from deck unseen\ndraw 1 from deck to row")
    assert game.stop.fault is not None
    assert game.stop.fault.code == "R604"


def test_a_card_taken_by_name_leaves_as_many_as_are_held_back() -> None:
    lines = SHUFFLE + "remove 3 from deck unseen\nmove [1] to row\n"
    assert value(lines + DRAW_ALL, "drawn") == 0
    game = played(lines + "move [2] to row")
    assert game.stop.fault is not None
    assert game.stop.fault.code == "R604"


def test_what_is_no_pile_has_nothing_to_remove() -> None:
    assert stages(world("remove 1 from row unseen"), 2).codes == ["R204"]
    assert stages(world("remove 1 from box unseen"), 2).codes == ["R204"]
    assert stages(world("draw 1 from box to row\nshuffle box"), 2).codes == ["R204", "R204"]
