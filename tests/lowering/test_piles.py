"""The top of a pile, the order that a shuffle forgets, and cards that are shown."""

from __future__ import annotations

from collections import Counter

import pytest
from rulesrun.interpreter.machine.knowledge import known_of
from rulesrun.interpreter.machine.machine import ZoneView
from rulesrun.interpreter.machine.reference.executor import Executor

from ..pipeline import Played, lying, machine_of, play, small, value_of, walk_game

WORLD = """
cards card, {copies} of each
    rank: 1..4
zone deck: pile of card, hidden
zone stack of player: pile of card, open
zone row: set of card, open
zone secret: set of card, hidden
zone hand of player: set of card, private
zone spot: slot of card, open
counter log: 0..214000000
step note: set log to log * 10 + rank of spot
"""

DRAW_ALL = """
repeat until stack of player 1 is empty
    draw 1 from stack of player 1 to spot
    do note
    move spot to box
"""


def played(lines: str, players: int = 2, copies: int = 1, seed: int = 0) -> Played:
    game = play(machine_of(small(WORLD.format(copies=copies), lines), players), seed)
    assert game.stop.kind == "over", game.stop
    return game


def log_of(lines: str, **more: int) -> int:
    game = played(lines, **more)
    return value_of(game.executor, game.cells, "log")


def chances(lines: str, **more: int) -> int:
    machine = machine_of(small(WORLD.format(copies=more.pop("copies", 1)), lines), 2)
    return sum(stop.kind == "chance" for _, stop in walk_game(Executor(machine), 0))


PUT = "for each card by highest rank: move card to stack of player 1\n"


def test_what_is_put_on_last_is_drawn_first() -> None:
    assert log_of(PUT + DRAW_ALL) == 1234
    assert log_of(PUT + DRAW_ALL, copies=2) == 11223344


def test_a_known_order_is_no_chance_and_an_unknown_one_is() -> None:
    assert chances(PUT + DRAW_ALL) == 0
    assert chances(PUT + "shuffle stack of player 1" + DRAW_ALL) == 3  # the last of four is certain
    assert chances(PUT + "shuffle stack of player 1" + DRAW_ALL, copies=3) < 12


@pytest.mark.slow
def test_a_shuffle_forgets_the_order() -> None:
    seen = {log_of(PUT + "shuffle stack of player 1" + DRAW_ALL, seed=seed) for seed in range(80)}
    assert len(seen) > 20


@pytest.mark.slow
def test_on_top_of_what_is_shuffled() -> None:
    """The top has an order, the rest below it has none."""
    lines = "for each card with rank < 3: move card to stack of player 1\nshuffle stack of player 1\n"
    lines += "for each card with rank > 2: move card to stack of player 1\n"
    assert {log_of(lines + DRAW_ALL, seed=seed) for seed in range(40)} == {4312, 4321}


def test_taking_out_of_the_middle_keeps_the_order() -> None:
    take = "move best of stack of player 1 by highest rank to box\n"
    assert log_of(PUT + take + DRAW_ALL) == 123
    assert log_of(PUT + take + take + DRAW_ALL) == 12
    put = "for each card with rank not 3: move card to stack of player 1\n"
    assert log_of(put + "move any card from stack of player 1 to stack of player 2\n" + DRAW_ALL) == 42


def test_sets_out_of_a_pile() -> None:
    more = PUT + "move stack of player 1 with rank > 2 to row\n" + DRAW_ALL
    game = played(more)
    assert Counter(str(value_of(game.executor, game.cells, "log"))) == Counter("12")
    zones = {z.name: z for z in game.machine.zones}
    assert [game.machine.kinds["card"].names[f] for f in lying(game.executor, game.cells, zones["row"])] == ["card 3", "card 4"]


def test_each_player_has_a_pile() -> None:
    apart = "for each card in stack of player 1 with rank > 2: move card to stack of player 2\n"
    back = "move stack of player 1 to row\nmove stack of player 2 to stack of player 1\n"
    assert Counter(str(log_of(PUT + apart + back + DRAW_ALL))) == Counter("34")


def nothing_lost(game: Played, copies: int) -> None:
    def owners(zone: ZoneView) -> int:
        return game.machine.seats if zone.owned else 1

    found = Counter(f for z in game.machine.zones for o in range(owners(z)) for f in lying(game.executor, game.cells, z, o))
    assert found == Counter(dict.fromkeys(range(4), copies))


@pytest.mark.slow
def test_equal_cards_move_one_by_one() -> None:
    """Joins, draws and moves of equal cards: none is lost, none is made."""
    lines = """
    shuffle every card into deck
    draw 3 from deck to hand of player 1
    draw 4 from deck to row
    draw 2 from deck to secret
    move hand of player 1 + row to secret
    move secret with rank at least 2 to hand of player 2
    move every hand to row
    move any card from row to stack of player 2
    move best of row by highest rank to stack of player 2
    move a random card from row to deck
    for each card in row: move card to hand of player 1
    """
    for seed in range(20):
        for copies in (3, 5):
            nothing_lost(played(lines, copies=copies, seed=seed), copies)


def test_a_reveal_is_seen_by_all() -> None:
    lines = "shuffle every card into deck\ndraw 2 from deck to hand of player 1\nreveal hand of player 1\n"
    lines += "draw 1 from deck to secret"
    game = played(lines, players=3)
    zones = {z.name: z for z in game.machine.zones}
    hand, secret = zones["hand"], zones["secret"]
    assert hand.place is not None
    assert secret.place is not None
    for seat in range(3):
        known = known_of(game.machine, game.machine.knowledge[0], game.cells, seat + 1)
        assert known[hand.place].certain == lying(game.executor, game.cells, hand, 0)
        assert known[secret.place].certain == []


TWINS = """
cards card, 2 of each
    rank: 1..3
zone hand of player: set of card, private
zone kept of player: set of card, open
zone row: set of card, open
marker diver: player
marker keeper: player
define boss: diver
step lay of player for card: move card to kept of player
"""


@pytest.mark.parametrize(
    "lines",
    [
        "diver chooses\n    show a card from hand of diver: move card to kept of diver",
        "diver chooses\n    show a card from hand of boss with rank 2\n        only if rank of card > 1\n"
        "        move card to kept of diver",
        "for each card in hand of diver: move card to kept of diver",
        "let it be any card from hand of diver\nmove it to kept of diver",
        "let it be best of hand of boss by highest rank\nset diver to player 1\nmove it to kept of player 2",
        "diver chooses\n    show a card from hand of diver\n        set diver to player 1\n        move card to kept of player 2",
        "diver chooses\n    show a card from hand of diver: do lay of diver for card",
        "for each card in hand of diver\n    move card to row\n    move card to kept of diver",
        "for each card in hand of diver\n    move card to kept of keeper\n    move card to kept of diver",
        "set keeper to player 1\nfor each card in hand of diver\n    if owner of card is diver: move card to kept of diver",
    ],
)
def test_equal_cards_of_others_stay_where_they_are(lines: str) -> None:
    """A card is the one in the place from which it was taken, whoever else holds an equal one."""
    deal = "move [2] to hand of player 1\nmove [2] to hand of player 2\nset diver to player 2\nset keeper to player 3\n"
    game = play(machine_of(small(TWINS, deal + lines), 3))
    assert game.stop.kind == "over", game.stop
    zones = {zone.name: zone for zone in game.machine.zones}
    found: tuple[tuple[str, list[list[int]]], ...] = (("hand", [[1], [], []]), ("kept", [[], [1], []]))
    for name, expected in found:
        assert [lying(game.executor, game.cells, zones[name], owner) for owner in range(3)] == expected


@pytest.mark.slow
def test_a_draw_is_an_event_whatever_is_left_to_draw() -> None:
    """Whether the last cards of a hidden pile are equal is not to be told from the draws that others make."""
    deal = "move [1] to deck\nmove [1] to deck\nmove [{}] to deck\nshuffle deck\n"
    draw = "draw 1 from deck to hand of player 1\ndraw 1 from deck to hand of player 2\ndraw 1 from deck to secret"
    found = set()
    for rank in (1, 2):
        machine = machine_of(small(WORLD.format(copies=3), deal.format(rank) + draw), 3)
        for seed in range(20):
            for cells, stop in walk_game(executor := Executor(machine), seed):
                if stop.kind == "over":
                    found.add(executor.digest(cells, 2))
    assert len(found) == 1


def test_what_is_drawn_last_is_observed() -> None:
    """It comes without an event, since nothing else can; who draws it sees it, and the others see that it is drawn."""
    lines = "move [1] to deck\nmove [2] to deck\nshuffle deck\ndraw 1 from deck to secret\ndraw 1 from deck to hand of player 1"
    executor = Executor(machine_of(small(WORLD.format(copies=1), lines), 2))
    found: list[tuple[int, int]] = []
    for hidden in (0, 1):
        cells = executor.fresh()
        executor.enter(cells)
        assert executor.happen(cells, hidden).kind == "over"
        found.append((executor.digest(cells, 0), executor.digest(cells, 1)))
    assert found[0][0] != found[1][0]
    assert found[0][1] == found[1][1]
