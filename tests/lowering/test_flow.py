"""Loops, turns, steps and names in a block run as the language says.

Each game writes its events into ``log``, digit by digit.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import pytest

from ..pipeline import machine_of, play, small, value_of, walk_game

LOG = """
counter log: 0..214000000
counter n: 0..20
counter coins of player: 0..20
marker leader: player or none
cards card, {copies} of each
    rank: 1..3
zone deck: pile of card, hidden
zone hand of player: set of card, open
step note of player: set log to log * 10 + seat of player
step mark for digit: set log to log * 10 + digit
"""


def log_of(play_lines: str, players: int = 3, more: str = "", copies: int = 1, seed: int = 0, choices: Iterable[int] = ()) -> int:
    machine = machine_of(small(LOG.format(copies=copies) + more, play_lines), players)
    game = play(machine, seed, choices)
    assert game.stop.kind == "over", game.stop
    return value_of(game.executor, game.cells, "log")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("for each player", 1234),
        ("for each player clockwise", 1234),
        ("for each player clockwise from player 3", 3412),
        ("for each player clockwise from player 3 to player 1", 341),
        ("for each player clockwise from player 2 to player 2", 2),
        ("for each player clockwise from left of player 4", 1234),
        ("for each player in opponents of player 2", 134),
        ("for each player with seat > 2", 34),
        ("for each player with seat not 1 clockwise from player 4", 423),
        ("for each player by highest seat", 4321),
        ("for each player in players with seat > 9", 0),
    ],
)
def test_who_comes_when(line: str, expected: int) -> None:
    assert log_of(f"{line}\n    do note of player", 4) == expected


def test_players_as_a_set() -> None:
    assert log_of("for each player in (player 3, player 1): do note of player") == 13


def test_the_order_by_keys_is_settled_when_the_loop_begins() -> None:
    """Coins change while the loop runs; who was richest goes first all the same."""
    play_lines = """
    set coins of player 1 to 2
    set coins of player 2 to 9
    set coins of player 3 to 5
    for each player by highest coins
        do note of player
        set coins of player 1 to 20
        set coins of player 3 to 0
    """
    assert log_of(play_lines) == 231


def test_members_are_settled_when_the_loop_begins() -> None:
    play_lines = """
    for each player with coins < 1
        do note of player
        for each player other: set coins of other to 5
    """
    assert log_of(play_lines) == 123


def test_a_loop_by_keys_that_is_left_leaves_nothing_behind() -> None:
    """Two ways to the same position: the bytes of the game are the same."""
    lines = """
    step early
        for each player by highest coins, then lowest seat
            do note of player
            if seat of player is {}: end early
    set log to 0
    """
    machine = machine_of(small(LOG.format(copies=1), lines.format(2)), 3)
    other = machine_of(small(LOG.format(copies=1), lines.format(3)), 3)
    start, end = machine.layout.regions["game"]
    one, two = play(machine), play(other)
    assert one.executor.pack(one.cells)[start:end] == two.executor.pack(two.cells)[start:end]


def test_cards_by_printed_keys() -> None:
    play_lines = """
    move every card to hand of player 2
    for each card in hand of player 2 by highest rank
        do mark for rank of card
        move card to box
    do mark for count of hand of player 2
    """
    assert log_of(play_lines) == 3210
    assert log_of(play_lines, copies=2) == 3322110


@pytest.mark.slow
def test_random_order_is_every_order() -> None:
    seen = {log_of("for each player in random order: do note of player", seed=seed) for seed in range(60)}
    assert seen == {int("".join(p)) for p in permutations("123")}


def test_repeat() -> None:
    assert log_of("repeat 3 times: do mark for 7") == 777
    assert log_of("repeat 0 times: do mark for 7") == 0
    assert log_of("repeat until n is 3\n    add 1 to n\n    do mark for n") == 123
    assert log_of("set n to 3\nrepeat until n is 3: do mark for 7") == 0


def test_repeat_at_most() -> None:
    loop = "repeat until n is 9 at most {} times\n    add 3 to n\n    do mark for n\notherwise: do mark for 1"
    assert log_of(loop.format(2)) == 361
    assert log_of(loop.format(3)) == 369
    assert log_of(loop.format(9)) == 369


def test_turns_ask_anew() -> None:
    play_lines = """
    for each player: set coins of player to seat of player
    take turns clockwise from player 2 among players with coins > 0 until nobody with coins > 0
        take 1 from coins of player
        do note of player
    """
    assert log_of(play_lines) == 231233


def test_ends() -> None:
    nested = "step outer\n    do mark for 1\n    step inner\n        do mark for 2\n        end outer\n    do mark for 3\n"
    assert log_of(nested + "do mark for 4") == 124
    assert (
        log_of(
            "step outer\n    for each player\n        do note of player\n        if seat of player is 2: end outer\ndo mark for 9"
        )
        == 129
    )
    assert log_of("for each player\n    do note of player\n    if seat of player is 2: end game\ndo mark for 9") == 12
    assert log_of("do mark for 1\nend only\ndo mark for 2") == 1


def test_a_step_that_is_left_goes_on_behind_its_call() -> None:
    more = "step some of player for digit\n    do note of player\n    if digit is 5: end some\n    do mark for digit\n"
    assert log_of("do some of player 2 for 5\ndo some of player 3 for 6\ndo some of left of player 3 for 5", more=more) == 2361


def test_steps_that_choose_may_be_called_from_several_places() -> None:
    more = "step pick of player\n    player chooses\n        one: do mark for 1\n        two: do mark for 2\n"
    more += "    do note of player\n"
    assert log_of("do pick of player 3\nfor each player: do pick of player", more=more, choices=[1, 0, 0, 1]) == 23111223


def test_a_phase_after_a_phase() -> None:
    play_lines = "phase one\n    do mark for 1\n    end one\n    do mark for 2\nphase two\n    do mark for 3\n"
    assert log_of(play_lines) == 13


def test_let_keeps_its_value() -> None:
    play_lines = """
    let k be n + 4
    add 9 to n
    do mark for k
    let who be first player with seat > 1 clockwise from player 3
    do note of who
    """
    assert log_of(play_lines) == 43


def test_the_first_player_of_a_set() -> None:
    play_lines = """
    let all_but_one be opponents of player 3
    let who be first player from all_but_one clockwise from player 3
    do note of who
    let next_one be first player from all_but_one with seat > 1 clockwise from player 3
    do note of next_one
    """
    assert log_of(play_lines) == 12


def test_an_option_takes_a_thing_into_another() -> None:
    play_lines = """
    player 1 chooses
        stack a number from 3..3 and a number size from 2..2 into a number shelf from 4..4 on a player from opponents of player 2
            do mark for number
            do mark for shelf
            do mark for size
    """
    assert log_of(play_lines) == 342


def test_if_and_its_cases() -> None:
    cases = "if n < 3: do mark for 1\notherwise if n < 6: do mark for 2\notherwise: do mark for 3"
    assert [log_of(f"set n to {n}\n{cases}") for n in (0, 3, 9)] == [1, 2, 3]


def test_paying() -> None:
    play_lines = """
    set coins of player 1 to 7
    pay 2 from coins of player 1 to coins of player 2
    pay all from coins of player 1 to coins of player 3
    do mark for coins of player 1
    do mark for coins of player 2
    do mark for coins of player 3
    """
    assert log_of(play_lines) == 25


def test_what_is_paid_is_reckoned_once() -> None:
    play_lines = """
    set coins of player 1 to 7
    pay smaller of coins of player 1 and 5 from coins of player 1 to coins of player 2
    do mark for coins of player 1
    do mark for coins of player 2
    """
    assert log_of(play_lines) == 25


def test_a_component_with_a_name_is_found_wherever_it_went() -> None:
    play_lines = """
    move every card to hand of player 1
    let one be best of hand of player 1 by highest rank
    move one to hand of player 2
    for each card in hand of player 1
        move card to hand of player 3
        if rank of card is 2: move card to deck
    move one to hand of player 3
    do mark for (count of hand of player 1 + 1)
    do mark for (count of hand of player 2 + 1)
    do mark for count of hand of player 3
    do mark for count of deck
    """
    assert log_of(play_lines) == 1121


def test_an_option_may_move_its_card_twice() -> None:
    play_lines = """
    move every card to hand of player 1
    player 1 chooses
        play a card from hand of player 1
            move card to hand of player 2
            move card to hand of player 3
    do mark for (count of hand of player 2 + 1)
    do mark for count of hand of player 3
    """
    assert log_of(play_lines) == 11


def test_a_set_is_settled_before_it_moves() -> None:
    more = "define few of card: count of hand of player 3 < 1\n"
    play_lines = """
    shuffle every card into deck
    draw 1 from deck to hand of player 1
    draw 2 from deck to hand of player 2
    move every hand where few to hand of player 3
    do mark for count of hand of player 3
    """
    assert log_of(play_lines, more=more) == 3


def test_numbers_on_offer() -> None:
    play_lines = """
    let low be n + 2
    player 1 chooses
        bid a number from low..4
            do mark for number
    """
    machine = machine_of(small(LOG.format(copies=1), play_lines), 2)
    executor = play(machine).executor
    for cells, stop in walk_game(executor, 0):
        if stop.kind == "decision":
            texts = [
                machine.groups[0].arguments[0].name(machine.groups[0].values(option)[0]) for option in executor.options(cells)
            ]
            assert texts == ["2", "3", "4"]


def test_several_arguments() -> None:
    play_lines = """
    move every card to hand of player 1
    player 1 chooses
        swap a card one from hand of player 1 and a card two from hand of player 1
            only if rank of one < rank of two
            do mark for rank of one
            do mark for rank of two
    """
    machine = machine_of(small(LOG.format(copies=2), play_lines), 2)
    executor = play(machine).executor
    cells, stop = next(walk_game(executor, 0))
    assert stop.kind == "decision"
    found = []
    for option in executor.options(cells):
        copy = list(cells)
        executor.choose(copy, option)
        found.append(value_of(executor, copy, "log"))
    assert found == [12, 13, 23]
