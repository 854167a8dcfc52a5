"""A seat knows exactly what follows from the moves that it saw, and from those that it did not.

Components are moved about at random, one move at a time, and the record is compared with a plain account of the same moves: a
count of each face for each seat and place, as `machine/from_table/components/knowledge.py` explains it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product

import pytest
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.knowledge import known_of
from rulesrun.interpreter.machine.machine import Machine, ZoneView
from rulesrun.interpreter.machine.places import sees_faces
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.rules import rules_from

from ..pipeline import lying, machine_of, play, small

GAME = """
cards card{cards}
zone deck: pile of card, hidden
zone heap: pile of card, hidden
zone hand of player: set of card, private
zone nook of player: slot of card, private
zone vault: set of card, hidden
zone row: set of card, open
counter n: 0..40
"""

# Each act is one move. What a player chooses by name is seen by all, unless it is face down.
ACTS = """
shuffle every card into deck
take turns clockwise from player 1 until n is 40
    add 1 to n
    player chooses
        drawing
            only if deck is not empty
            draw 1 from deck to hand of player
        peep
            only if deck is not empty and nook of player is empty
            draw 1 from deck to nook of player
        uncover
            only if deck is not empty
            draw 1 from deck to row
        keep
            only if nook of player is not empty
            move nook of player to hand of player
        hide a card from hand of player face down
            move card to vault
        give a card from hand of player
            move card to hand of left of player
        slip a card from hand of player face down
            move card to hand of left of player
        lay a card from hand of player
            move card to row
        bury a card from row
            move card to vault
        stack a card from hand of player face down
            move card to heap
        discard 2 cards from hand of player face down
            move cards to vault
        sweep
            only if vault is not empty
            move vault to hand of player
        spill
            only if hand of player is not empty
            move hand of player to vault
        sift
            only if hand of player with rank 1 is not empty
            move hand of player with rank 1 to vault
        strain
            only if vault with rank 1 is not empty
            move vault with rank 1 to hand of player
        lift
            only if heap is not empty
            move heap to hand of player
        lose
            only if hand of player is not empty
            move a random card from hand of player to hand of left of player
        if impossible: nothing
"""

KINDS = {
    "all different": ", 1 of each\n    suit: red, blue\n    rank: 1..6",
    "all equal to two others": ", 3 of each\n    suit: red, blue\n    rank: 1..2",
    "some equal": "\n    rank: 1..6\n    rank | count\n    1 | 4\n    2 | 1\n    3 | 3\n    4 | 1\n    5 | 1\n    6 | 2",
}

SINGLY = ("discard",)  # acts that move several cards one by one
TOLD = ("give", "lay", "bury")  # acts that name a card to all
Where = tuple[ZoneView, int]


class Account:
    """What each seat knows, told one move after the other."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        copies = machine.kinds["card"].copies or range(len(machine.kinds["card"].names))
        self.once = {face for face, count in Counter(copies).items() if count == 1}
        self.closed: list[Where] = [
            (z, owner) for z in machine.zones if z.place is not None for owner in range(3 if z.owned else 1)
        ]
        names = [(seat, name(where)) for seat, where in product((1, 2, 3), self.closed)]
        self.certain: dict[tuple[int, str], Counter[int]] = {key: Counter() for key in names}
        self.may: dict[tuple[int, str], set[int]] = {key: set() for key in names}

    def moved(self, seat: int, come: str, went: str, part: Counter[int], emptied: bool, seen: bool, singly: bool = False) -> None:
        if singly:
            for face in part.elements():
                part = part - Counter([face])
                self.moved(seat, come, went, Counter([face]), emptied and not part, seen)
            return
        start, end = (seat, come), (seat, went)
        if seen or start not in self.certain or end not in self.certain:
            if start in self.certain:
                self.certain[start] -= part
            if end in self.certain:
                self.certain[end] += part
            for (other, _), faces in self.may.items():
                if other == seat:
                    faces -= set(part) & self.once
        elif emptied:
            self.certain[end] += self.certain[start]
            self.may[end] |= self.may[start]
            self.certain[start] = Counter()
        else:
            self.may[start] |= set(self.certain[start])
            self.may[end] |= self.may[start]
            self.certain[start] -= Counter(dict.fromkeys(self.certain[start], part.total()))

    def conclude(self, seat: int, lay: Mapping[str, Counter[int]]) -> None:
        """A place of which all is certain has room for nothing else; what may be in one place only is there."""
        own = {place: faces for (other, place), faces in self.may.items() if other == seat}
        while True:
            for place, faces in own.items():
                if self.certain[seat, place] == lay[place]:
                    faces.clear()
            counted = Counter(face for faces in own.values() for face in faces)
            alone = {face for face, places in counted.items() if places == 1}
            if not alone:
                return
            for place, faces in own.items():
                for face in faces & alone:
                    self.certain[seat, place] |= Counter({face: lay[place][face]})
                faces -= alone


def name(where: Where) -> str:
    zone, owner = where
    return f"{zone.name} of {owner}" if zone.owned else zone.name


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_seat_knows_what_it_was_taught(kind: str) -> None:
    machine = machine_of(small(GAME.format(cards=KINDS[kind]), ACTS), 3)
    executor = Executor(machine)
    places = [(zone, owner) for zone in machine.zones for owner in range(3 if zone.owned else 1)]
    moves: Counter[str] = Counter()
    for game in range(25):
        account = Account(machine)
        lay = {name(where): Counter[int]() for where in places}
        lay["box of card"] = Counter(machine.kinds["card"].members((1 << machine.kinds["card"].bits) - 1))
        cells = executor.fresh(5, game)
        stop, act = executor.enter(cells), "setup"
        while stop.kind != "over":
            lie = {name(where): Counter(lying(executor, cells, *where)) for where in places}
            if lie != lay:
                (come,) = [key for key in lay if lay[key] - lie[key]]
                (went,) = [key for key in lay if lie[key] - lay[key]]
                ends = [where for where in places if name(where) in (come, went)]
                for seat in (1, 2, 3):
                    seen = act in TOLD or any(sees_faces(*where, seat) for where in ends)
                    account.moved(seat, come, went, lay[come] - lie[come], not lie[come], seen, act in SINGLY)
                    account.conclude(seat, lie)
                moves[act] += 1
            lay = lie
            for seat in (1, 2, 3):
                known = known_of(machine, machine.knowledge[0], cells, seat)
                for zone, owner in account.closed:
                    if not sees_faces(zone, owner, seat):
                        key = (seat, name((zone, owner)))
                        found = known[(zone.place or 0) + owner]
                        assert Counter(found.certain) == account.certain[key], (game, act, key)
                        assert set(found.may) == account.may[key], (game, act, key)
            if stop.kind == "chance":
                stop = executor.happen(cells, executor.draw(cells))
            else:
                option = executor.pick(cells, executor.player(cells))
                act = next(group.verb for group in machine.groups if 0 <= option - group.base < group.size)
                stop = executor.choose(cells, option)
    assert set(moves) == {"setup", *(group.verb for group in machine.groups)}


@pytest.mark.parametrize("kind", KINDS)
def test_who_plays_alone_may_see_everything(kind: str) -> None:
    """Then nothing is kept of what is known; nor is it of a single pile, from which nothing goes unseen."""
    declarations = f"""
cards card{KINDS[kind]}
zone hand of player: set of card, private
zone nook of player: slot of card, private
"""
    machine = machine_of(small(declarations, "move every card to hand of player 1"), 1)
    (alone,) = machine.knowledge
    assert alone.may is alone.certain is None
    piled = f"cards card{KINDS[kind]}\nzone deck: pile of card, hidden\nzone row: set of card, open"
    played = play(machine_of(small(piled, "shuffle every card into deck\ndraw 4 from deck to row"), 3))
    (pile,) = played.machine.knowledge
    assert pile.may is pile.certain is None
    deck = next(zone for zone in played.machine.zones if zone.name == "deck")
    (known,) = known_of(played.machine, pile, played.cells, 2)
    assert known.certain == lying(played.executor, played.cells, deck)
    assert len(known.certain) == 8
    assert known.may == []


FOLLOWS = """
game follows
    players 3
cards card, 1 of each
    rank: 1..6
zone hand of player: set of card, private
zone passed of player: set of card, private
zone laid: slot of card, hidden
zone deck: pile of card, hidden
setup
    shuffle every card into deck
    for each player: draw 2 from deck to hand of player
phase cover
    player 1 chooses
        lay a card from hand of player 1 face down
            move card to laid
    reveal laid
phase around
    for each player
        player chooses
            pass a card from hand of player face down
                move card to passed of left of player
    for each player: move passed of player to hand of player
score of player
    cards: count of hand of player
winner highest score, then shared
test "a face-down card of three that all know is shown: the other two are where they were"
    players Ann, Bob, Cid
    given hand of Ann: [1] [2] [3]
    given hand of Cid: [4]
    given passed of Bob: [5]
    given Bob knows hand of Ann
    start cover
    Ann: lay [2]
    expect Bob knows hand of Ann
    expect Ann does not know hand of Cid
test "who knows two hands of three knows the third"
    players Ann, Bob, Cid
    chance: [1], [2], [3], [4], [5]
    setup
    expect Ann does not know hand of Cid
    given Ann knows hand of Bob
    expect Ann knows hand of Cid
    start around
    Ann: pass [1]
    Bob: pass [3]
    Cid: pass [5]
    expect Ann knows [1]
    expect Ann knows [6]
    expect Ann does not know hand of Bob
"""


def test_what_follows_is_known() -> None:
    results = run_tests(rules_from(Source("follows.rules", FOLLOWS)))
    assert [(result.title, result.diagnostics) for result in results if not result.passed] == []
