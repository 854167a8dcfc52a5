"""The bound of a game's length: what it is for loops of each sort, and that no game is longer."""

from __future__ import annotations

from math import inf
from textwrap import indent

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.analysis.lengths import Length, length_of
from rulesrun.interpreter.machine.machine import DECISIONS_LIMIT
from rulesrun.interpreter.play.game import Game, table_of
from rulesrun.interpreter.rules import rules_from

GAME = """game lengths
    players 3
cards card, 1 of each
    rank: 1..9
cards pearl, 3 of each
    hue: 1..2
zone deck: pile of card, hidden
zone bowl: pile of pearl, hidden
zone string of player: set of pearl, open
zone hand of player: set of card, private
zone out: set of card, open
counter coins of player: 0..9
marker out_of_it of player: yes or no
marker asked of player: yes or no
counter bid: 0..6
setup
    shuffle every card into deck
phase play
{}
score of player
    cards: count of hand of player
winner highest score, then shared
"""
TURNS = """
for each player
    player chooses
        take
            draw 1 from deck to hand of player
        pass
            add 1 to coins of player
"""
SELECTION = """
draw 5 from deck to hand of player 1
player 1 chooses
    discard 2 cards from hand of player 1
        move cards to out
"""
DRAWN = """
draw 1 from deck to out
for each player
    player chooses
        pass: nothing
"""
UNTIL_OUT = """
take turns clockwise from player 1 among players where not out_of_it until nobody where not out_of_it
    player chooses
        leave: set out_of_it of player to yes
"""
BID = """
player 1 chooses
    bid a number from 1..6
        only if number > bid
        set bid to number
"""
ANSWERED = """
for each player: set asked of player to yes
take turns clockwise from player 1 among players where asked until nobody where asked
    player chooses
        bid a number from 1..6
            only if number > bid
            set bid to number
            for each player rival: set asked of rival to yes
            set asked of player to no
        pass: set asked of player to no
"""
BACK = """
player 1 chooses
    draw
        draw 1 from deck to out
    mix
        shuffle out into deck
"""
MIXED = """
shuffle every card into deck
repeat until deck is empty
    player 1 chooses
        draw
            draw 1 from deck to out
"""

FEWER = """
move every card with rank < 4 to out
repeat until out is empty
    player 1 chooses
        take a card from out
            move card to hand of player 1
"""
IN_A_ROW = """
repeat until coins of player 1 is 3
    player 1 chooses
        bid a number from 1..6
            only if number > bid
            set bid to number
            set coins of player 1 to 0
        pay
            only if deck is not empty
            draw 1 from deck to out
        pass: add 1 to coins of player 1
"""
ONE_AT_LEAST = """
repeat until deck is empty
    set bid to 0
    step turn
        repeat until no
            player 1 chooses
                draw
                    only if deck is not empty
                    only if bid < 3
                    draw 1 from deck to out
                    add 1 to bid
                stop
                    only if deck is empty or bid is 3
                    end turn
"""
EQUAL = """
shuffle every pearl into bowl
repeat until bowl is empty: draw 1 from bowl to string of player 1
repeat until string of player 1 is empty
    player 1 chooses
        drop a pearl from string of player 1
            move pearl to box
"""
LEFT = """
draw 1 from deck to out
repeat until no at most 2 times
    player 1 chooses
        pass: nothing
    if coins of player 1 is 0: end play
"""
OR_NOT = """
repeat until deck is empty
    step turn
        player 1 chooses
            stay: end turn
            go: nothing
        draw 1 from deck to out
"""


def inside(line: str, body: str) -> str:
    return f"{line}\n{indent(body, '    ')}"


BODIES = {
    "each player once": (TURNS, Length(3, 3)),
    "so many times": (inside("repeat 2 times", TURNS), Length(6, 6)),
    "the longer branch": (inside("if deck is empty", TURNS) + inside("otherwise", SELECTION), Length(3, 5)),
    "a selection": (SELECTION, Length(2, 5)),
    "until there are no more cards and a purse is full": (inside("repeat until coins of player 1 is 9", TURNS), Length(36, 9)),
    "until there are no more cards": (inside("repeat until deck is empty", DRAWN), Length(27, 9)),
    "until all are out of it": (UNTIL_OUT, Length(3)),
    "as long as bids rise": (inside("repeat until bid is 6", BID), Length(6)),
    "all answer again after each bid": (ANSWERED, Length(6 * 4 + 3)),
    "what is taken may come back": (inside("repeat until deck is empty", BACK), Length(DECISIONS_LIMIT, inf)),
    "so many rounds until something": (inside("repeat until deck is empty at most 4 times", TURNS), Length(12, 9)),
    "until all are gone of the cards that ever come there": (FEWER, Length(3)),
    "what begins anew only so often": (IN_A_ROW, Length(6 + 9 + (6 + 1) * 3 * 9, 9)),
    "who could not stop before": (ONE_AT_LEAST, Length(2 * 9, 9)),
    "until there are no more of what is equal": (EQUAL, Length(6, 6)),
    "left before what stops the game": (LEFT, Length(2, 1)),
    "left before what would end it": (OR_NOT, Length(DECISIONS_LIMIT, 9)),
    "as often as there are cards, twice": (inside("repeat 2 times", MIXED), Length(18, 18)),
}


def game_of(body: str) -> Game:
    return table_of(rules_from(Source("lengths.rules", GAME.format(indent(body, "    ")))))


@pytest.mark.parametrize("name", BODIES)
def test_loops_that_surely_end_have_a_length(name: str) -> None:
    body, length = BODIES[name]
    assert length_of(game_of(body).machine) == length


@pytest.mark.slow_cases("what is taken may come back")
@pytest.mark.parametrize("name", BODIES)
def test_no_game_is_longer(name: str) -> None:
    game = game_of(BODIES[name][0])
    length = length_of(game.machine)
    for seed in range(20):
        state = game.start(seed=seed)
        while state.player:
            state.play_at_random()
        kinds = [event.kind for event in state.events]
        assert kinds.count("act") <= length.decisions
        assert kinds.count("chance") <= length.chance


@pytest.mark.slow
def test_steps_that_do_steps_are_counted_as_they_are_written_out() -> None:
    steps = "".join(f"step s{number}\n    do s{number + 1}\n    if bid > 0: do s{number + 1}\n" for number in range(10))
    game = GAME.format("    do s0") + steps + "step s10\n    player 1 chooses\n        bid: set bid to 1\n"
    assert length_of(table_of(rules_from(Source("lengths.rules", game))).machine) == Length(1 << 10, 0)
