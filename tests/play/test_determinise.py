"""Worlds that a seat cannot tell from the real one: what stays, what varies, and that nothing of the real one leaks."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path
from random import Random

import pytest
import rulesrun
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import Game, NoWorld, State, table_of
from rulesrun.interpreter.play.knowledge.views import ZoneSeen
from rulesrun.interpreter.rules import read_rules, rules_from

from ..cli.commands import MASTI
from ..games.honesty import honest, random_decisions, same_for

SEEDS = st.integers(min_value=0, max_value=2**64 - 1)
FOUR = rulesrun.load(MASTI, players=4)

END = """
score of player
    points: 0
winner highest score, then shared
"""

# Equal cards, cards laid face down, a hidden pile on which everybody discards secretly, and from which some is drawn again.
SMUGGLERS = (
    """
game smugglers
    players 3
cards crate, 3 of each
    worth: 1..5
zone deck: pile of crate, hidden
zone hand of player: set of crate, private
zone stash of player: slot of crate, private
zone sea: pile of crate, hidden
zone quay: set of crate, open
setup
    shuffle every crate into deck
    for each player: draw 3 from deck to hand of player
phase trips
    repeat 2 times
        for each player
            player chooses
                hide a crate from hand of player face down
                    only if stash of player is none otherwise "your stash is full"
                    move crate to stash of player
                sink a crate from hand of player face down
                    move crate to sea
                land a crate from hand of player
                    move crate to quay
            draw 1 from deck to hand of player
    shuffle sea + quay into deck
    for each player: draw 1 from deck to hand of player
    for each player
        player chooses
            land a crate from hand of player
                move crate to quay
            declare a crate from hand of player face down
                only if worth of crate > 2 otherwise "it is worth too little"
                nothing
"""
    + END
)

# Everybody writes a number down; the greatest is made known, the others are not.
SEALED = (
    """
game sealed
    players 3
cards gem, 1 of each
    worth: 1..3
zone bag of player: set of gem, open
counter bid of player: 0..8, hidden
counter highest_bid: 0..8
marker lead: player
setup
    set lead to player 1
phase bids
    for each player
        player chooses
            write a number from 1..8 face down
                set bid of player to number
    for each player
        if bid of player > highest_bid: set highest_bid to bid of player
    lead chooses
        sigh: nothing
"""
    + END
)

# What everybody has seen is shuffled and drawn unseen.
RESHUFFLE = (
    """
game reshuffle
    players 3
cards card, 1 of each
    rank: 1..9
zone deck: pile of card, hidden
zone row: set of card, open
zone hand of player: set of card, private
setup
    shuffle every card into deck
phase only
    draw 9 from deck to row
    shuffle row into deck
    for each player: draw 3 from deck to hand of player
    player 1 chooses
        nod: nothing
"""
    + END
)

# Cards laid onto a hidden pile: who lays them knows their order, the others do not.
STACK = (
    """
game stack
    players 2
cards card, 1 of each
    rank: 1..8
zone deck: pile of card, hidden
zone stack: pile of card, hidden
zone hand of player: set of card, private
setup
    shuffle every card into deck
    for each player: draw 4 from deck to hand of player
phase only
    repeat 2 times
        for each player
            player chooses
                bury a card from hand of player face down
                    move card to stack
    for each player
        player chooses
            nod: nothing
"""
    + END
)


# A hidden pile from whose top others draw what they and others have laid there.
WELL = (
    """
game well
    players 3
cards card, 1 of each
    rank: 1..12
zone deck: pile of card, hidden
zone well: pile of card, hidden
zone hand of player: set of card, private
zone table: set of card, open
setup
    shuffle every card into deck
    for each player: draw 4 from deck to hand of player
phase only
    repeat 3 times
        for each player
            player chooses
                bury a card from hand of player face down
                    move card to well
                fetch
                    only if well is not empty otherwise "it is empty"
                    draw 1 from well to hand of player
                play a card from hand of player
                    move card to table
                if impossible: nothing
"""
    + END
)

# Secret numbers, all of them made known in the end.
REVEALED = (
    """
game revealed
    players 3
cards gem, 1 of each
    worth: 1..3
zone bag of player: set of gem, open
counter bid of player: 0..6, hidden
counter shown of player: 0..6
phase bids
    repeat 2 times
        for each player
            player chooses
                write a number from 1..6 face down
                    set bid of player to number
        for each player: set shown of player to bid of player
    player 1 chooses
        nod: nothing
"""
    + END
)

# What all saw being taken is discarded face down, several at once, among what was drawn unseen. Some never come into play.
FENCES = (
    """
game fences
    players 3
cards loot, 2 of each
    worth: 1..12
zone deck: pile of loot, hidden
zone row: set of loot, open
zone hand of player: set of loot, private
zone river: set of loot, hidden
setup
    shuffle every loot into deck
    remove 3 from deck unseen
    draw 9 from deck to row
    for each player: draw 4 from deck to hand of player
phase only
    repeat 3 times
        for each player
            player chooses
                take a loot from row: move loot to hand of player
    repeat 2 times
        for each player
            player chooses
                drop 2 loots from hand of player face down: move loots to river
    for each player
        player chooses
            show a loot from hand of player: move loot to row
"""
    + END
)

# Several are chosen one by one, unseen, and then all of them are seen.
PAYERS = (
    """
game payers
    players 2
cards coin, 1 of each
    worth: 1..18
zone deck: pile of coin, hidden
zone hand of player: set of coin, private
zone spent: set of coin, open
setup
    shuffle every coin into deck
    for each player: draw 9 from deck to hand of player
phase only
    repeat 2 times
        for each player
            player chooses
                pay 4 coins from hand of player: move coins to spent
"""
    + END
)

# What cannot be paid tells much of a hand; and of equal coins one was seen coming, and either may be the one that was paid.
DEBTORS = (
    """
game debtors
    players 2
cards card, 4 of each
    kind: gold, lead
    worth: 1..3
zone deck: pile of card, hidden
zone row: set of card, open
zone hand of player: set of card, private
zone river: set of card, hidden
setup
    shuffle every card into deck
    draw 4 from deck to row
    for each player: draw 6 from deck to hand of player
phase only
    repeat 2 times
        for each player
            player chooses
                take a card from row: move card to hand of player
    repeat 2 times
        for each player
            player chooses
                pay a card from hand of player
                    only if kind of card is gold otherwise "that is no gold"
                    move card to row
                if impossible: nothing
            player chooses
                drop 2 cards from hand of player face down: move cards to river
            if total worth of hand of player with kind gold < 3
                move a random card from hand of player to river
    player 1 chooses
        nod: nothing
"""
    + END
)

# Some cards do not stay in a hand: whoever keeps one unseen has to do what it says.
KINGS = (
    """
game kings
    players 3
cards card, 2 of each
    kind: king, rook, pawn
    rank: 1..4
zone deck: pile of card, hidden
zone drawn of player: slot of card, private
zone hand of player: set of card, private
zone favour: pile of card, hidden
counter steps: 0..99
setup
    shuffle every card into deck
phase only
    for each player
        step turn
            repeat 3 times
                draw 1 from deck to drawn of player
                player chooses
                    keep
                        limit 1 per turn
                        move drawn of player to hand of player
                    favour: move drawn of player to favour
    shuffle favour
    repeat until favour is empty
        draw 1 from favour to box
        player 1 chooses
            nod: nothing
whenever a card with kind king enters hand of player
    move card to box
    player chooses
        step a number from 1..4: add number to steps
"""
    + END
)

# The seat is shown a card that nobody moves; later it can have been discarded.
PEEPERS = (
    """
game peepers
    players 2
cards card, 1 of each
    rank: 1..8
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone river: set of card, hidden
setup
    shuffle every card into deck
    for each player: draw 4 from deck to hand of player
phase only
    for each player
        player chooses
            open: reveal hand of player
    for each player
        player chooses
            drop 2 cards from hand of player face down: move cards to river
    for each player
        player chooses
            nod: nothing
"""
    + END
)

GAMES = {"smugglers": SMUGGLERS, "sealed": SEALED, "reshuffle": RESHUFFLE, "stack": STACK, "well": WELL, "revealed": REVEALED}
GAMES |= {"fences": FENCES, "payers": PAYERS, "debtors": DEBTORS, "kings": KINGS, "peepers": PEEPERS}

# Rules that tell what is hidden: by what is allowed, by a reason, by an option's being offered at all.
TELLING = (
    """
game telling
    players 2
cards card, 1 of each
    rank: 1..6
zone hand of player: set of card, private
zone deck: pile of card, hidden
zone up: slot of card, hidden
setup
    shuffle every card into deck
    for each player: draw 2 from deck to hand of player
    draw 1 from deck to up
phase only
    player 1 chooses
        {0}
        wait: nothing
"""
    + END
)


def game_of(text: str) -> Game:
    return table_of(rules_from(Source("small.rules", text)))


def some_way(game: Game, seed: int, most: int = 60) -> State:
    """A position with somebody to choose."""
    state = game.start(seed)
    before = state.clone()
    for _ in range(seed % most):
        before = state.clone()
        state.play_at_random()
        if not state.player:
            return before
    return state


def zone(state: State, name: str, owner: int = 0) -> ZoneSeen:
    """A zone as it is."""
    return next(z for z in state.view().zones if (z.name, z.owner) == (name, owner))


def all_cards(state: State) -> Counter[str]:
    return Counter(card for z in state.view().zones for card in z.cards)


def worlds(state: State, seat: int, count: int, seed: int = 0) -> list[State]:
    random = Random(seed)
    return [state.determinise(seat, random) for _ in range(count)]


# ---- What stays


@pytest.mark.slow
@settings(max_examples=20)
@given(seed=SEEDS, seat=st.integers(min_value=1, max_value=4))
def test_every_seat_is_shown_the_same_and_nothing_is_lost(seed: int, seat: int) -> None:
    state = some_way(FOUR, seed)
    before = state.to_bytes()
    for world in worlds(state, seat, 3, seed):
        same_for(seat, state, world)
        assert all_cards(world) == all_cards(state)
        assert zone(world, "hand", seat) == zone(state, "hand", seat)
        while world.player:
            world.play_at_random()
        assert world.fault is None
    assert state.to_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES)
def test_small_games_are_honest(text: str) -> None:
    game = game_of(text)
    honest(game, 12, 10)
    honest(game, 12, 10, seed=1)


@pytest.mark.parametrize(
    "option",
    [
        "peep\n            only if hand of player 2 has a card with rank 1\n            nothing",
        'peep\n            only if count of hand of player 1 is 1 otherwise "there is {up}"\n            nothing',
        "guess a card from hand of player 2\n            nothing",
    ],
    ids=["mask", "reason", "candidates"],
)
def test_rules_that_tell_what_is_hidden_are_found(option: str) -> None:
    with pytest.raises(AssertionError):
        honest(game_of(TELLING.format(option)), 10, 20)


@pytest.mark.slow
@settings(max_examples=20)
@given(seed=SEEDS, seat=st.integers(min_value=1, max_value=3))
def test_equal_cards_laid_and_discarded_face_down(seed: int, seat: int) -> None:
    state = some_way(game_of(SMUGGLERS), seed, 10)
    for world in worlds(state, seat, 5, seed):
        same_for(seat, state, world)
        assert all_cards(world) == all_cards(state)
        for mine in ("hand", "stash"):
            assert zone(world, mine, seat) == zone(state, mine, seat)


@pytest.mark.slow
@settings(max_examples=15)
@given(seed=SEEDS, seat=st.integers(min_value=1, max_value=4))
def test_who_did_not_follow_has_none_of_that_suit(seed: int, seat: int) -> None:
    state = FOUR.start(seed)
    without: dict[int, set[str]] = {}
    for _ in range(16):
        led = [z.cards[0].split()[0] for z in state.view().zones if z.name == "played" and z.cards]
        player, number = state.player, state.play_at_random()
        card = FOUR.option_text(number)
        if len(led) and card.startswith("play ") and len(set(led)) == 1 and card != "play a gem" and led[0] not in card:
            without.setdefault(player, set()).add(led[0])
        if not state.player:
            return
    for world in worlds(state, seat, 5, seed):
        for player, suits in without.items():
            assert not [card for card in zone(world, "hand", player).cards if card.split()[0] in suits]


def test_an_order_that_the_seat_knows_is_kept() -> None:
    game = game_of(STACK)
    for seed in range(10):
        state = game.start(seed)
        while state.legal and not game.option_text(state.legal[0]).startswith("nod"):
            state.play_at_random()
        piles = {world.view().zones[1].cards for world in worlds(state, 1, 10)}
        real = zone(state, "stack").cards
        assert zone(state, "stack").name == state.view().zones[1].name
        assert {pile[1::2] for pile in piles} == {real[1::2]}  # its own cards, each below one of the other player's
        assert len({pile[0::2] for pile in piles}) > 4


@pytest.mark.slow
@pytest.mark.parametrize("text", [FENCES, PAYERS, PEEPERS], ids=["fences", "payers", "peepers"])
def test_what_was_seen_is_not_left_to_trying(text: str) -> None:
    """What was seen coming, going, or shown is where it was however long ago, and what was chosen is what then went."""
    random = Random(0)
    for state in random_decisions(game_of(text), 20, random):
        for _ in range(5):
            same_for(state.player, state, state.determinise(state.player, random, tries=1))


# ---- What varies


@pytest.mark.slow
def test_what_is_hidden_differs() -> None:
    state = some_way(FOUR, 13)
    for seat in (1, 2, 3, 4):
        found = worlds(state, seat, 20)
        for other in {1, 2, 3, 4} - {seat}:
            assert len({zone(world, "hand", other).cards for world in found}) > 15
        assert len({world.to_bytes() for world in found}) == 20


@pytest.mark.slow
def test_all_hands_are_as_likely_as_they_are_by_the_rules() -> None:
    """Each of the six cards that the seat has not got is in either of the other hands in half of the worlds."""
    game = game_of(RESHUFFLE)
    state = game.start(5)
    mine = set(zone(state, "hand", 1).cards)
    found = Counter(card for world in worlds(state, 1, 600) for card in zone(world, "hand", 2).cards)
    assert set(found) == {f"card {rank}" for rank in range(1, 10)} - mine
    assert all(240 <= count <= 360 for count in found.values())  # 300 each; the deviation is 12


LIARS_DICE = Path(MASTI).parent / "classics" / "liars_dice.rules"

DICE = """
game dice
    players 2
dice die, 4
    pips: 1..3
zone cup of player: set of die, private
zone shown of player: set of die, open
phase only
    for each player: roll 2 dice to cup of player
    for each player
        player chooses
            show a die from cup of player
                move die to shown of player
            pass: nothing
"""


@pytest.mark.slow
@pytest.mark.parametrize(("own", "other", "shown"), [((0, 0), (2, 1), None), ((0, 1), (2, 0), 2)])
def test_dice_are_rolled_whatever_others_rolled(own: tuple[int, int], other: tuple[int, int], shown: int | None) -> None:
    """No face is rarer because a seat has it; and a die that was shown is as likely the first of the two as the second."""
    state = table_of(rules_from(Source("dice.rules", DICE + END))).start()
    for face in (*other, *own):
        state.happen(face)
    state.play("pass" if shown is None else f"show die {shown + 1}")
    random = Random(3)
    rolled = Counter(tuple(state.determinise(2, random).history[:2]) for _ in range(1800))
    weights = {faces: 1 if shown is None else faces.count(shown) for faces in product(range(3), repeat=2)}
    expected = {faces: 1800 * weight / sum(weights.values()) for faces, weight in weights.items() if weight}
    assert rolled.keys() == expected.keys()
    limit = 26.12 if shown is None else 18.47  # chi-squared, of 8 and of 4 degrees of freedom, at one in a thousand
    assert sum((rolled[faces] - count) ** 2 / count for faces, count in expected.items()) < limit


@pytest.mark.slow_cases("150", "230")
@pytest.mark.parametrize("events", [150, 230])
def test_round_after_round_of_dice_are_shown_and_rolled_again(events: int) -> None:
    """Every cup was shown: so the first draft is a world. What is rolled comes from no cup, though an equal die went from one."""
    game = table_of(read_rules(str(LIARS_DICE)), 6)
    random, state = Random(3), game.start(0)
    while len(state.history) < events:
        state.play(random.choice(state.legal))
    world = state.determinise(state.player, Random(1), 1)
    same_for(state.player, state, world)
    assert world.history != state.history


def test_the_chance_to_come_is_new() -> None:
    state = FOUR.start(3)
    left = {tuple(to_the_end(world).scores) for world in worlds(state, 1, 10)}
    assert len(left) > 5


def to_the_end(state: State) -> State:
    while state.player:
        state.play_at_random()
    return state


def test_a_number_chosen_by_another_is_not_known() -> None:
    game = game_of(SEALED)
    state = game.start(1)
    for number in (3, 7, 2):
        state.play(f"write {number}")
    bids = [[int(v.value) for v in world.view().values if v.name == "bid"] for world in worlds(state, 1, 60)]
    assert {bid[0] for bid in bids} == {3}
    assert all(max(bid) == 7 for bid in bids)
    assert {bid[1] for bid in bids} == {bid[2] for bid in bids} == set(range(1, 8))


def test_what_was_made_known_is_known() -> None:
    state = game_of(REVEALED).start(1)
    for number in (3, 1, 2, 5, 6, 4):
        state.play(f"write {number}")
    for world in worlds(state, 1, 3):
        same_for(1, state, world)
        assert [int(v.value) for v in world.view().values if v.name == "bid"] == [5, 6, 4]


@pytest.mark.slow
def test_how_things_came_to_where_they_are_is_drawn_anew_too() -> None:
    """Which two of its hidden cards the other player has buried first, in worlds where the same two are buried."""
    state = game_of(STACK).start(4)
    for _ in range(4):
        state.play_at_random()
    same = [world for world in worlds(state, 1, 200) if set(zone(world, "stack").cards) == set(zone(state, "stack").cards)]
    first = Counter(next(e.text for e in world.events if e.kind == "act" and e.player == 2) for world in same)
    assert len(first) == 2


DECLARED = (
    """
game declared
    players 2
cards card, 1 of each
    rank: 1..6
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone away: set of card, hidden
setup
    shuffle every card into deck
    for each player: draw 3 from deck to hand of player
phase only
    player 2 chooses
        think a card from hand of player 2 face down: nothing
    player 2 chooses
        bury a card from hand of player 2 face down
            move card to away
    player 1 chooses
        nod: nothing
"""
    + END
)


@pytest.mark.slow
def test_an_act_that_moves_nothing_may_have_been_about_anything() -> None:
    """That it was about what went later is known to nobody else."""
    game = game_of(DECLARED)
    alike = []
    for seed in range(6):
        state = game.start(seed)
        card = game.option_text(state.legal[0]).removeprefix("think ")
        state.play(f"think {card}")
        state.play(f"bury {card}")
        for world in worlds(state, 1, 30):
            thought, buried = (e.text.split(" ", 1)[1] for e in world.events if e.kind == "act" and e.player == 2)
            alike.append(thought == buried)
    assert 30 <= sum(alike) <= 90  # 60 of 180; the deviation is 6


# ---- How it is asked


def test_it_is_the_same_for_the_same_random_source() -> None:
    state = some_way(FOUR, 27)
    assert [w.to_bytes() for w in worlds(state, 2, 3, 5)] == [w.to_bytes() for w in worlds(state.clone(), 2, 3, 5)]


@pytest.mark.slow
def test_without_a_story_too() -> None:
    told, untold = FOUR.start(8), FOUR.start(8, story=False)
    for _ in range(14):
        told.play_at_random()
        untold.play_at_random()
    one, other = told.determinise(3, Random(1)), untold.determinise(3, Random(1))
    assert one.to_bytes() == other.to_bytes()
    assert (len(one.events), other.events) == (len(told.events), ())
    assert to_the_end(one.determinise(1, Random(2))).is_over


def test_a_saved_game_needs_its_events() -> None:
    state = some_way(FOUR, 21)
    saved = FOUR.from_bytes(state.to_bytes(), events=state.events)
    same_for(2, state, saved.determinise(2, Random(0)))
    for wrong in ((), state.events[:-5], FOUR.start(99).events):
        with pytest.raises(ValueError, match="it is not known how the game came to this position"):
            FOUR.from_bytes(state.to_bytes(), events=wrong).determinise(2, Random(0))


def test_chance_by_hand_and_the_end_of_a_game() -> None:
    by_hand = game_of(RESHUFFLE).start()
    for _ in range(12):
        assert by_hand.chance is not None
        by_hand.happen(by_hand.chance.outcomes[-1].number)
    world = by_hand.determinise(2, Random(0))
    same_for(2, by_hand, world)
    assert world.chance is not None
    over = to_the_end(FOUR.start(6))
    world = over.determinise(1, Random(0))
    same_for(1, over, world)
    assert world.scores == over.scores


def test_wrong_arguments() -> None:
    state = FOUR.start(1)
    with pytest.raises(ValueError, match="there is no seat 5"):
        state.determinise(5, Random(0))
    with pytest.raises(ValueError, match="tries are a whole number from 1, not 0"):
        state.determinise(2, Random(0), tries=0)


def test_so_many_tries_and_no_more() -> None:
    state = FOUR.start(1)
    while len(state.history) < 85:
        state.play_at_random()
    with pytest.raises(NoWorld, match="in 1 try no world was found in which seat 2 would have observed the same"):
        [state.determinise(2, Random(number), tries=1) for number in range(50)]
