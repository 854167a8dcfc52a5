"""The parts of the record that exist only for speed follow from the rest of it, at every stop of every game."""

from __future__ import annotations

from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference.executor import Executor

from ..pipeline import machine_of, masti, play, small, value_of, walk_game

MARKED = """
list mood: calm, angry, sad
cards card, 1 of each
    rank: 1..6
    marker heat: mood or none
zone table: set of card, open
counter steps of player: 2..9
counter debts of player: -3..3
marker mood_of of player: mood or none
marker out of player: yes or no
counter turns: 0..9

define like_the_first of card: heat of card is mood_of of player 1
define at_an_end of player: steps of player at most 3 or 8 < steps of player
define behind of player: debts of player < 0 and not out of player
define in_time of player: steps of player is turns

define cold: table with heat none
define angry: table with heat angry
define like_first: table where like_the_first
define far: players with steps > 5
define near: players where at_an_end
define owing: players where behind
define same: players where in_time
"""

TURNS = """
setup
    move every card to table
    for each player: set steps of player to 3
phase only
    repeat until turns is 9
        add 1 to turns
        for each player: set debts of player to 0
        for each player
            player chooses
                go a number from 2..9
                    set steps of player to number
                    set out of player to yes
                feel a mood
                    set mood_of of player to mood
                    take 1 from debts of player
                warm a card from table
                    set heat of card to mood_of of player
                    set out of player to no
        if turns is 5
            for each card in table: set heat of card to none
"""


def kept_by_value(machine: Machine, executor: Executor, cells: list[int]) -> int:
    """How many fields are kept by value; each is what it must be."""
    count = 0
    places = machine.layout.record
    fields = {variable.name: variable for variable in places}
    for name, variable in fields.items():
        if not name.endswith(" by value"):
            continue
        count += 1
        values = places[fields[name.removesuffix(" by value")]]
        for digit in range(places[variable].length):
            having = sum(1 << owner for owner in range(values.length) if (cells[values.slot + owner] - values.low) >> digit & 1)
            assert cells[places[variable].slot + digit] == having, (name, digit)
    return count


def follows(machine: Machine, seeds: int) -> int:
    executor = Executor(machine)
    count = 0
    for seed in range(seeds):
        for cells, stop in walk_game(executor, seed):
            assert stop.fault is None or stop.fault.code == "R602", stop.fault
            count = kept_by_value(machine, executor, cells)
    return count


def test_sets_by_value_follow_every_store() -> None:
    assert follows(machine_of(small(MARKED, TURNS), 3), 10) == 4


def test_a_second_game_of_a_match_begins_with_the_first_values() -> None:
    text = small(MARKED, TURNS) + "match of 3 games, highest score, then shared\n"
    assert follows(machine_of(text, 2), 3) == 4


def test_sets_by_value_in_a_whole_game() -> None:
    assert follows(masti(4), 3) == 1


def test_who_is_asked_by_value_is_who_has_it() -> None:
    machine = machine_of(small(MARKED, TURNS), 3)
    for seed in range(30):
        played = play(machine, seed)
        executor, cells = played.executor, played.cells

        def all_of(name: str, owners: int, executor: Executor = executor, cells: list[int] = cells) -> list[int]:
            return [value_of(executor, cells, name, owner) for owner in range(owners)]

        def owners_with(fits: list[bool]) -> int:
            return sum(1 << owner for owner, fit in enumerate(fits) if fit)

        heat, steps, debts = all_of("heat", 6), all_of("steps", 3), all_of("debts", 3)
        out, mine, turns = all_of("out", 3), value_of(executor, cells, "mood_of"), value_of(executor, cells, "turns")
        assert played.ask("cold") == owners_with([h == -1 for h in heat])
        assert played.ask("angry") == owners_with([h == 1 for h in heat])
        assert played.ask("like_first") == owners_with([h == mine for h in heat])
        assert played.ask("far") == owners_with([s > 5 for s in steps])
        assert played.ask("near") == owners_with([s <= 3 or s > 8 for s in steps])
        assert played.ask("owing") == owners_with([d < 0 and not o for d, o in zip(debts, out, strict=True)])
        assert played.ask("same") == owners_with([s == turns for s in steps])
