"""Laws of every game: nothing is lost or made, no knowledge is false, and nobody sees what is hidden.

Random games of masti and of small games with equal cards, moved, drawn, shown and hidden in many ways. ``RULESRUN_SEEDS=500``
plays many of each.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cache

import pytest
from rulesrun.interpreter.machine.knowledge import closed_places, known_of
from rulesrun.interpreter.machine.machine import Knowledge, Machine
from rulesrun.interpreter.machine.reference.executor import Executor

from ..pipeline import lying, machine_of, masti, small, value_of, walk_game

SEEDS = int(os.environ.get("RULESRUN_SEEDS", "8"))

HIDING = """
cards card, {copies} of each
    suit: red, blue
    rank: 1..3
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone pile_of of player: pile of card, private
zone face_down of player: slot of card, hidden
zone secret: set of card, hidden
zone row: set of card, open
marker leader: player or none
counter n: 0..40
"""

TURNS = """
shuffle every card into deck
for each player: draw 1 from deck to hand of player
take turns clockwise from player 1 until n is 12
    add 1 to n
    player chooses
        hide a card from hand of player
            move card to secret
        lay a card from hand of player face down
            if face_down of player is not empty: move face_down of player to deck
            move card to face_down of player
        open a card from hand of player
            move card to row
        give a card from hand of player and a player other
            only if other is not player
            move card to hand of other
        stack a card from hand of player
            move card to pile_of of player
        bury a card from row
            move card to deck
        draws
            only if deck is not empty
            draw 1 from deck to hand of player
        takes
            only if secret is not empty
            move secret to hand of player
        shows
            only if hand of player is not empty
            reveal hand of player
        mixes
            shuffle secret into deck
        blind
            only if deck is not empty
            draw 1 from deck to secret
        gather
            move every pile_of + every face_down to secret
        bury 2 cards from hand of player
            move cards to secret
        slip 2 cards from hand of player face down
            only if rank of card > 1
            move cards to hand of left of player
        random
            only if secret is not empty
            move a random card from secret to hand of left of player
        if impossible: nothing
"""


@cache
def tables() -> dict[str, Machine]:
    return {
        "masti, 3": masti(3),
        "masti, 4": masti(4),
        "masti, 4 in teams": masti(4, ["partners"]),
        "masti, 5, jokers optional": masti(5, options={"jokers_optional": True}),
        "masti, 6": masti(6),
        "hiding": machine_of(small(HIDING.format(copies=1), TURNS), 3),
        "hiding, equal cards": machine_of(small(HIDING.format(copies=3), TURNS), 3),
    }


NAMES = ["masti, 3", "masti, 4", "masti, 4 in teams", "masti, 5, jokers optional", "masti, 6", "hiding", "hiding, equal cards"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_lost_and_nobody_knows_what_is_not_so(name: str) -> None:
    machine = tables()[name]
    executor = Executor(machine)
    for game in range(SEEDS):
        for cells, stop in walk_game(executor, 1, game):
            assert stop.fault is None, stop
            lies_in_one_place(machine, executor, cells)
            knows_what_is_so(machine, executor, cells)
            if stop.kind == "decision":
                comes_back(executor, cells)
        assert stop.kind == "over"


def comes_back(executor: Executor, cells: list[int]) -> None:
    """A saved game is the same game."""
    again = executor.unpack(executor.pack(cells))
    assert executor.stop(again).kind == "decision"
    assert executor.options(again) == executor.options(cells)
    assert executor.pack(again) == executor.pack(cells)


def lies_in_one_place(machine: Machine, executor: Executor, cells: list[int]) -> None:
    """Every component is in exactly one place."""
    for kind, domain in machine.kinds.items():
        found: Counter[int] = Counter()
        for zone in machine.zones:
            if zone.kind == kind:
                for owner in range(machine.seats if zone.owned else 1):
                    found.update(lying(executor, cells, zone, owner))
        assert found == Counter(domain.members((1 << domain.bits) - 1))


def knows_what_is_so(machine: Machine, executor: Executor, cells: list[int]) -> None:
    """What a seat is certain of lies there; whatever else lies there is possible; who sees a place knows all of it."""
    for knowledge in machine.knowledge:
        known = [known_of(machine, knowledge, cells, seat + 1) for seat in range(machine.seats)]
        for zone in machine.zones:
            if zone.kind != knowledge.kind or zone.place is None:
                continue
            for owner in range(machine.seats if zone.owned else 1):
                there = Counter(lying(executor, cells, zone, owner))
                for seat in range(machine.seats):
                    place = known[seat][zone.place + owner]
                    certain = Counter(place.certain)
                    assert certain <= there, f"{zone.name} of {owner}, seat {seat}"
                    if zone.visibility == "private" and owner == seat:
                        assert certain == there
                    assert set(there - certain) <= set(place.may), f"{zone.name} of {owner}, seat {seat}"
        if knowledge.certain is not None:
            first_in_their_places_the_certain_ones(machine, knowledge, executor, cells)


def first_in_their_places_the_certain_ones(machine: Machine, knowledge: Knowledge, executor: Executor, cells: list[int]) -> None:
    """In the rows of equal components, those of a place stand together, and what lies openly has no bit."""
    assert knowledge.certain is not None
    closed = closed_places(machine, knowledge)
    copies = Counter(machine.kinds[knowledge.kind].copies)
    for seat in range(machine.seats):
        row = cells[machine.layout.record[knowledge.certain].slot + seat]
        for face, start in enumerate(knowledge.rows):
            bits = f"{row >> start:0{copies[face]}b}"[::-1][: copies[face]] if start >= 0 else ""
            for zone, owner in closed if bits else ():
                count = lying(executor, cells, zone, owner or 0).count(face)
                here, bits = bits[:count], bits[count:]
                assert "01" not in here, f"{zone.name} of {owner}, seat {seat}"
            assert "1" not in bits


GEMS = {"masti, 3": 12, "masti, 4": 8, "masti, 4 in teams": 8, "masti, 5, jokers optional": 20, "masti, 6": 24}


@pytest.mark.parametrize("name", GEMS)
def test_gems_are_only_lost_by_those_who_sit_out(name: str) -> None:
    """Dealt gems lie in hands, in the pot or with winners; MV-R6 alone takes them away, with the last card of a hand."""
    machine = tables()[name]
    executor = Executor(machine)
    hand = next(zone for zone in machine.zones if zone.name == "hand")
    for game in range(SEEDS):
        lost = before = 0
        held_before = [0] * machine.seats
        for cells, stop in walk_game(executor, 2, game):
            if stop.kind == "chance" and not before:
                continue  # the deal
            held = [value_of(executor, cells, "gems", seat) for seat in range(machine.seats)]
            total = sum(held) + sum(value_of(executor, cells, "wealth", seat) for seat in range(machine.seats))
            total += value_of(executor, cells, "pot")
            if not total:
                continue
            assert total <= (before or GEMS[name])
            if before and total < before:
                out = [seat for seat in range(machine.seats) if not lying(executor, cells, hand, seat) and not held[seat]]
                assert before - total == sum(held_before[seat] for seat in out)
                lost += before - total
            before, held_before = total, held
        assert before + lost == GEMS[name]


def deal(machine: Machine, outcomes: list[int]) -> tuple[Executor, list[int]]:
    """A game whose first chance events are given."""
    executor = Executor(machine)
    cells = executor.fresh(0)
    stop = executor.enter(cells)
    for value in outcomes:
        assert stop.kind == "chance"
        stop = executor.happen(cells, value)
    return executor, cells


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_seat_observes_only_what_it_may_see(players: int) -> None:
    """Two cards dealt to others change places: those two seats saw it, nobody else did."""
    machine = masti(players)
    hand_size = {3: 12, 4: 10, 5: 8}[players]
    values = list(range(hand_size * players))
    swapped = list(values)
    last = hand_size * (players - 1)
    swapped[hand_size], swapped[last] = swapped[last], swapped[hand_size]
    leader = [0]
    one, cells = deal(machine, [*leader, *values])
    two, others = deal(machine, [*leader, *swapped])
    changed = [one.digest(cells, seat) != two.digest(others, seat) for seat in range(players)]
    assert changed == [seat in (1, players - 1) for seat in range(players)]
    same, again = deal(machine, [*leader, *values])
    assert [same.digest(again, seat) for seat in range(players)] == [one.digest(cells, seat) for seat in range(players)]


@pytest.mark.parametrize(
    ("lines", "seen_by"),
    [
        ("draw 1 from deck to secret", ()),
        ("draw 1 from deck to hand of player 2", (1,)),
        ("draw 1 from deck to row", (0, 1, 2)),
        ("draw 1 from deck to secret\nmove secret to hand of player 3", (2,)),
        ("draw 1 from deck to secret\nreveal secret", (0, 1, 2)),
        ("draw 1 from deck to hand of player 1\nmove hand of player 1 to hand of player 2", (0, 1)),
        ("draw 1 from deck to hand of player 1\nmove any card from hand of player 1 to face_down of player 2", (0,)),
        ("draw 1 from deck to secret\nmove any card from secret to row", (0, 1, 2)),
        ("draw 1 from deck to pile_of of player 3\nreveal every pile_of", (0, 1, 2)),
        ("draw 1 from deck to face_down of player 3\nreveal face_down of player 3", (0, 1, 2)),
        ("draw 1 from deck to face_down of player 3\nreveal every face_down", (0, 1, 2)),
    ],
)
def test_who_sees_what_happens(lines: str, seen_by: tuple[int, ...]) -> None:
    machine = machine_of(small(HIDING.format(copies=1), "shuffle every card into deck\n" + lines), 3)
    one, cells = deal(machine, [0])
    two, others = deal(machine, [4])
    changed = tuple(seat for seat in range(3) if one.digest(cells, seat) != two.digest(others, seat))
    assert changed == seen_by
