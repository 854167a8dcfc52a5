"""What a game hides with everything that can hide something: a seat is shown the same in all worlds that it cannot tell apart.

Zones, counters and markers of two things each, zones of several kinds, selections at once, and what is shown, swapped, looked at
or tried out. `tests/play/test_determinise.py` has the plainer games.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
import rulesrun
from rulesrun.interpreter.machine.knowledge import closed_places, known_of
from rulesrun.interpreter.machine.places import content, sees_faces
from rulesrun.interpreter.play.game import Game, State

from ..games.honesty import random_decisions, same_for

SECRETS = """
game secrets
    players 2..3

list ore: iron, gold
list line: 1..2

pieces gem, 2 of each
    colour: red, green
    worth: 1..2
    shown as "{colour} gem for {worth}"
pieces coin, 4
cards tool
    name: pick, drill
    cost for ore: 0..2
    shown as "a {name} for {cost_iron}"
    name  | cost_iron | cost_gold | count
    pick  | 1         | 0 | 2
    drill | 2         | 1 | 1

zone bank: set of gem or coin, open
zone sack: pile of gem or coin or tool, hidden
zone secret of player for player other: set of gem or coin or tool, private
zone vault of ore: set of gem or coin or tool, hidden
zone drawer of line for player: slot of gem or coin or tool, private
zone stack of player for ore: pile of gem or coin or tool, private
counter debt of player for player other: 0..90, private
counter guess of ore for player: 0..90, private
marker pet of player for line: ore or none, private
marker liked of player: gem or none, private
marker plan of player for player other: yes or no, private
counter thoughts: 0..40

setup
    shuffle (every gem + every coin + every tool) into sack
    for each player
        draw 3 from sack to secret of player for left of player
        draw 1 from sack to secret of player for player
        draw 1 from sack to stack of player for gold

phase only
    repeat 5 times
        for each player at once
            player chooses
                pass_on 2 gems from secret of player for left of player, all different face down
                    move gems to secret of left of player for player
                bury up to 2 things from secret of player for left of player face down
                    shuffle things into sack
                like a gem from secret of player for player face down
                    set liked of player to gem
                owe a number from 0..3 and an ore face down
                    set debt of player for left of player to number
                    set guess of ore for player to number
                    set pet of player for 1 to ore
                scheme a player other face down
                    set plan of player for other to yes
                wait: nothing
        for each player
            player chooses
                show_one a thing from secret of player for left of player to a player other from opponents of player
                    show thing to other
                show_all
                    show secret of player for left of player to left of player
                reveal_it
                    reveal secret of player for player
                reveal_debt
                    reveal debt of player for left of player
                tell_guess a player other from opponents of player and an ore
                    show guess of ore for player to other
                swap_them
                    swap secret of player for left of player with secret of left of player for player
                swap_own
                    swap secret of player for player with secret of player for left of player
                swap_drawers
                    swap drawer of 1 for player with drawer of 2 for left of player
                put_in a thing from secret of player for left of player and a line face down
                    only if drawer of line for player is empty otherwise "that is full"
                    move thing to drawer of line for player
                peep
                    player looks at the top 2 of sack
                peep_stack an ore
                    player looks at the top of stack of player for ore
                lock a thing from secret of player for left of player and an ore face down
                    move thing to vault of ore
                unlock an ore
                    only if vault of ore is not empty
                    move a random thing from vault of ore to secret of player for left of player
                draw_one
                    only if sack is not empty
                    draw 1 from sack to secret of player for left of player
                stack_it a thing from secret of player for left of player and an ore face down
                    move thing to stack of player for ore
                unstack an ore
                    only if stack of player for ore is not empty
                    draw 1 from stack of player for ore to secret of player for player
                cheat a gem from secret of player for left of player
                    only if after this (secret of player for left of player) has a gem unless impossible otherwise "keep one"
                    move gem to bank
                think a line
                    only if pet of player for line is not none
                    add 1 to thoughts
                if impossible: nothing
        for each player
            player goes on
                more a thing from secret of player for player
                    only if not (liked of player is none) otherwise "you like {liked of player}"

                    move thing to secret of player for left of player
                stop: nothing

score of player
    purse: total worth of secret of player for player
    debt: 0 - total (debt of player for other) for each other of players

winner highest score, then shared
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "secrets.rules"
    path.write_text(SECRETS.lstrip(), encoding="utf-8")
    return rulesrun.load(path, 2)


@pytest.mark.slow_cases("0", "1")
@pytest.mark.parametrize("seed", range(2))
def test_every_seat_is_shown_the_same_and_knows_nothing_false(game: Game, seed: int) -> None:
    random = Random(seed)
    for state in random_decisions(game, 8, random):
        for seat in range(1, game.players + 1):
            for world in [state, *(state.determinise(seat, random) for _ in range(3))]:
                same_for(seat, state, world)
                knows_what_is_so(world)


def knows_what_is_so(state: State) -> None:
    """What a seat is certain of lies there, whatever else lies there is possible, and who sees a place knows all of it."""
    machine, cells = state.game.machine, state._cells
    for kind in machine.knowledge:
        for seat in range(1, machine.seats + 1):
            known = known_of(machine, kind, cells, seat)
            for (zone, index), place in zip(closed_places(machine, kind), known, strict=True):
                there, certain = Counter(content(machine, zone, index, cells)), Counter(place.certain)
                assert certain <= there
                assert set(there - certain) <= set(place.may)
                assert certain == there or not sees_faces(zone, index, seat)
