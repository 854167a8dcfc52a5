"""For the King (and Me) written by hand keeps to the rulebook's counts and to examples worked out on paper; and the rules file
agrees with it: every chance event, every decision, the scores and the ranking.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import partial
from itertools import chain
from pathlib import Path

import pytest
import rulesrun

from .by_hand import Course, Draw, Turn, alone, at_random, noted, side_by_side
from .for_the_king_by_hand import BY_NAME, DECK, OFFICES, Card, Table, box

FILE = Path(__file__).parents[2] / "games" / "for_the_king.rules"
GAMES = int(os.environ.get("RULESRUN_SEEDS", "3"))
Log = list[tuple[Draw | Turn, str]]
KINGS = ("raise_or_lower", "raise_one", "lower_one", "raise_two", "lower_two", "raise_and_lower")


PLACES = {"put it on your own pile": "keep", "put it on the favour pile": "favour", "put it in the centre": "offer"}


def said(text: str) -> str:
    """What the rules file says, as it is said here."""
    for king in KINGS:
        text = text.replace(king.replace("_", " "), king)
    return PLACES.get(text, text)


def card(name: str) -> Card:
    return BY_NAME[name]


def cards(office: str, letters: str) -> list[Card]:
    return [c for letter in letters for c in BY_NAME.values() if (c.office, c.letter) == (office, letter)]


def table_with(*hands: list[Card], highest_bid: int = 30, claim_without_cards: bool = False) -> Table:
    table = Table(len(hands), highest_bid, claim_without_cards)
    table.hands = [list(hand) for hand in hands]
    return table


def scripted(course: Course[None], *script: str) -> Log:
    """Play what is written, `player: act` for a decision, and nothing else."""
    log: Log = []
    lines = iter(script)

    def choose(stop: Draw | Turn) -> str:
        line = next(lines)
        if isinstance(stop, Draw):
            assert line in stop.possible
            return line
        seat, act = line.split(": ")
        assert (stop.seat + 1, act in stop.legal) == (int(seat), True), f"{line}: player {stop.seat + 1} has {stop.legal}"
        return act

    alone(course, noted(choose, log))
    assert list(lines) == []
    return log


def legal(log: Log, index: int) -> frozenset[str]:
    stop = log[index][0]
    assert isinstance(stop, Turn)
    return stop.legal


def cautious(options: list[str], highest: int) -> list[str]:
    """Bids up to a limit only."""
    return [text for text in options if not text.startswith("bid ") or int(text.split()[1]) <= highest]


# ---- What is in the box


def test_the_box_has_54_government_cards_15_kings_and_39_gold() -> None:
    """FK-C1, FK-C2."""
    everything = box(5)
    assert Counter(c.kind for c in everything) == {"government": 54, "king": 15, "gold": 39}
    assert Counter(c.office for c in everything if c.kind == "government") == dict.fromkeys(OFFICES, 9)
    for office in OFFICES:
        assert sorted(c.letter for c in everything if c.office == office) == list("ABCDEFGHI")
    assert {c.value for c in everything if c.kind == "government"} == {1, 2, 3, 4}
    assert Counter(c.value for c in everything if c.kind == "gold") == {1: 13, 2: 13, 3: 13}
    assert {c.effect for c in everything if c.kind == "king"} == set(KINGS)


@pytest.mark.parametrize(("players", "left_out", "turns"), [(2, 22, 20), (3, 13, 18), (4, 8, 16), (5, 0, 18)])
def test_the_deck_comes_out_even(players: int, left_out: int, turns: int) -> None:
    """FK-S1, FK-S3, FK-P5."""
    assert len(box(players)) - left_out == DECK[players] == turns * (players + 1)
    assert len(Table(players).first_office) == (6 if players == 5 else 5)


# ---- Whole games


@pytest.mark.parametrize("highest_bid", [4, 30])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_end_with_every_card_accounted_for(players: int, highest_bid: int) -> None:
    for seed in range(6):
        table = Table(players, highest_bid)
        log: Log = []
        result = alone(table.play(), noted(at_random(seed, partial(cautious, highest=seed + 1)), log))
        turns = DECK[players] // (players + 1)
        acts = Counter(text.split()[0] for stop, text in log if isinstance(stop, Turn))
        assert (acts["keep"], acts["favour"], acts["offer"]) == (turns, turns, turns * (players - 1))
        assert acts["take"] == acts["offer"]
        assert (len(table.unseen), table.favours) == (len(box(players)) - DECK[players], [])
        assert Counter(chain(table.unseen, table.gone, *table.hands)) == Counter(box(players))
        assert all(c.kind != "king" for hand in table.hands for c in hand)
        assert all(1 <= value <= 6 for value in table.first_office.values())
        assert sorted(chain.from_iterable(result.ranking)) == list(range(1, players + 1))


# ---- Phase I


def test_a_turn_of_four() -> None:
    """FK-P1 to FK-P4: the advisor places five cards, then the others take, clockwise from the left."""
    table = Table(4)
    a, b, c, d, e = "gold 1", "king raise_one", "gold 2", "gold 3", "government military 1 A"
    log = scripted(
        table.advise(2),
        a, "3: offer", b, "3: keep", "3: raise military", c, "3: offer", d, "3: favour", e, "3: offer",
        "4: take gold 2", "1: take government military 1 A", "2: take gold 1",
    )  # fmt: skip
    assert [legal(log, index) for index in (1, 3, 6, 8, 10)] == [
        {"keep", "favour", "offer"},
        {"keep", "favour", "offer"},
        {"favour", "offer"},
        {"favour", "offer"},
        {"offer"},
    ]
    assert legal(log, 4) == {f"raise {office}" for office in OFFICES if office != "livestock"}
    assert [len(legal(log, index)) for index in (11, 12, 13)] == [3, 2, 1]
    assert [list(map(str, hand)) for hand in table.hands] == [[e], [a], [], [c]]
    assert (list(map(str, table.favours)), list(map(str, table.gone))) == ([d], [b])


def test_equal_cards_in_the_centre_are_one_option_and_a_king_is_applied_by_its_taker() -> None:
    """FK-K1."""
    table = Table(3)
    log = scripted(
        table.advise(0),
        "gold 1", "1: favour", "gold 3", "1: keep", "king lower_one", "1: offer", "gold 1", "1: offer",
        "2: take king lower_one", "2: lower provisions", "3: take gold 1",
    )  # fmt: skip
    assert legal(log, 8) == {"take king lower_one", "take gold 1"}
    assert table.first_office["provisions"] == 2
    assert log[0][0] == Draw(Counter(map(str, box(3))))


def test_kings_change_first_offices_within_1_to_6() -> None:
    """FK-K2: two parts change two different offices, and a part with no legal office is skipped."""
    table = Table(5)
    log = scripted(table.apply(1, "raise_two"), "2: raise military", "2: raise livestock")
    assert legal(log, 1) == {f"raise {office}" for office in OFFICES if office != "military"}
    log = scripted(table.apply(1, "raise_and_lower"), "2: raise military", "2: lower livestock")
    assert "lower military" not in legal(log, 1)
    table.first_office = {"military": 6, "provisions": 1}
    log = scripted(table.apply(0, "raise_or_lower"), "1: lower military")
    assert legal(log, 0) == {"lower military", "raise provisions"}
    table.first_office = {"military": 6, "provisions": 5}
    scripted(table.apply(0, "raise_two"), "1: raise provisions")
    assert table.first_office == {"military": 6, "provisions": 6}
    scripted(table.apply(0, "raise_one"))
    log = scripted(table.apply(0, "raise_and_lower"), "1: lower military")
    assert legal(log, 0) == {"lower military", "lower provisions"}


# ---- Phase II


def test_an_auction_goes_round_until_one_is_left_who_pays_with_gold() -> None:
    """FK-A3, FK-A4, FK-A5: no change is given, and what is not needed is not asked for."""
    bought = card("government military 1 A")
    table = table_with([card("gold 2"), card("gold 3"), card("gold 3")], [card("gold 1")], [])
    log = scripted(
        table.auction(bought, 1),
        "2: bid 1",
        "3: pass",
        "1: bid 3",
        "2: bid 4",
        "1: bid 5",
        "2: pass",
        "1: pay gold 3",
        "1: pay gold 3",
    )
    assert legal(log, 0) == {"pass", *(f"bid {amount}" for amount in range(1, 31))}
    assert legal(log, 2) == {"pass", *(f"bid {amount}" for amount in range(2, 31))}
    assert legal(log, 6) == legal(log, 7) == {"pay gold 2", "pay gold 3"}
    assert table.hands == [[card("gold 2"), bought], [card("gold 1")], []]


def test_the_last_one_may_still_bid_and_what_nobody_wants_is_discarded() -> None:
    """FK-A4."""
    table = table_with([], [], [card("gold 1")])
    scripted(table.auction(card("gold 3"), 0), "1: pass", "2: pass", "3: bid 1", "3: pay gold 1")
    scripted(table.auction(card("gold 2"), 0), "1: pass", "2: pass", "3: pass")
    assert table.hands == [[], [], [card("gold 3")]]
    assert table.gone == [card("gold 1"), card("gold 2")]


def test_gold_is_paid_with_as_many_cards_of_any_kind() -> None:
    """FK-A6: the card that is won cannot pay for itself."""
    held = [card("gold 3"), card("gold 3"), card("government military 1 A")]
    table = table_with(held, [], highest_bid=4)
    log = scripted(table.auction(card("gold 1"), 1), "2: pass", "1: bid 3", "1: pay gold 3", "1: pay gold 3", f"1: pay {held[2]}")
    assert legal(log, 2) == {"pay gold 3", "pay government military 1 A"}
    assert table.hands[0] == [card("gold 1")]
    scripted(table.auction(card("gold 2"), 0), "1: bid 2", "2: pass", "2: bid 1")  # nobody has so many cards besides
    assert table.hands == [[], []]


def test_a_king_that_is_won_is_applied_at_once() -> None:
    """FK-A7."""
    table = table_with([card("gold 1")], [])
    scripted(table.auction(card("king raise_one"), 0), "1: bid 1", "2: pass", "1: pay gold 1", "1: raise military")
    assert table.first_office["military"] == 4


def test_the_highest_bid_that_can_be_named_leaves_the_others_a_pass() -> None:
    """FK-A9: it may be more than the bidder has."""
    table = table_with([card("gold 3"), card("gold 1")], [], [], highest_bid=4)
    log = scripted(
        table.auction(card("king lower_one"), 0),
        "1: bid 4",
        "2: pass",
        "3: pass",
        "1: pay gold 3",
        "1: pay gold 1",
        "1: lower military",
    )
    assert legal(log, 1) == legal(log, 2) == {"pass"}


def test_who_cannot_pay_loses_a_random_card_and_stays_out_for_this_card() -> None:
    """FK-A8: everybody else bids anew, earlier passers too, from the same starter or the next who may."""
    lot = card("king lower_one")
    table = table_with([card("gold 1"), card("gold 1"), card("gold 2")], [card("gold 1")], [card("gold 3")])
    log = scripted(
        table.auction(lot, 0),
        "1: bid 5",
        "2: pass",
        "3: pass",
        "gold 2",
        "2: bid 1",
        "3: bid 4",
        "2: pass",
        "2: pass",
    )
    assert log[3][0] == Draw({"gold 1": 2, "gold 2": 1})
    assert table.hands == [[card("gold 1"), card("gold 1")], [card("gold 1")], []]
    assert table.gone == [card("gold 2"), card("gold 3"), lot]


def test_when_all_have_failed_the_card_is_discarded() -> None:
    """FK-A8."""
    table = table_with([], [card("gold 1")], [])
    scripted(table.auction(card("gold 3"), 1), "2: bid 2", "3: pass", "1: pass", "3: pass", "1: bid 1", "3: bid 1")
    assert (table.hands, table.gone) == ([[], [], []], [card("gold 1"), card("gold 3")])


# ---- Scoring


def offices(*hands: list[Card], claim_without_cards: bool = False) -> list[int]:
    return table_with(*hands, claim_without_cards=claim_without_cards).result().terms["offices"]


def ranking(*hands: list[Card]) -> list[list[int]]:
    return table_with(*hands).result().ranking


def test_the_second_office_is_half_of_the_first_and_two_players_have_none() -> None:
    """FK-S2, FK-K3, FK-E1."""
    strong, weak = cards("military", "HI"), cards("military", "AB")
    assert offices(strong, weak, []) == [3, 1, 0]
    assert offices(strong, weak) == [3, 0]
    for value in range(1, 7):
        table = table_with(weak, [], strong)
        table.first_office["military"] = value
        assert table.result().terms["offices"] == [value // 2, 0, value]


def test_ties_on_a_sum_go_to_the_letter_nearest_a_and_their_loser_comes_second() -> None:
    """FK-E2."""
    assert offices(cards("military", "AB"), cards("military", "H"), cards("military", "C")) == [3, 1, 0]
    assert offices(cards("military", "BD"), cards("military", "HI"), cards("military", "AC")) == [0, 3, 1]


def test_without_a_card_there_is_no_claim_unless_the_table_wants_it() -> None:
    """FK-E3: then those without a card come behind all others, and share the place that is left to them."""
    holder, second = cards("military", "A"), cards("military", "B")
    assert offices(holder, []) == [3, 0]
    assert offices(holder, [], second) == [3, 0, 1]
    assert offices(holder, [], []) == [3, 0, 0]
    elsewhere = 4 * 3  # nobody holds a card of the four other offices: all are first
    assert offices(holder, [], claim_without_cards=True) == [3 + elsewhere, elsewhere]
    assert offices(holder, [], [], claim_without_cards=True) == [3 + elsewhere, 1 + elsewhere, 1 + elsewhere]
    assert offices(holder, [], second, claim_without_cards=True) == [3 + elsewhere, elsewhere, 1 + elsewhere]


def test_a_tie_of_points_goes_to_most_gold() -> None:
    """FK-E4."""
    ann, bob = cards("military", "H"), cards("provisions", "H")
    assert offices(ann, bob) == [3, 3]
    assert ranking(ann, bob) == [[1], [2]]
    assert ranking(ann, [*bob, card("gold 1")]) == [[2], [1]]
    assert ranking([*ann, card("gold 1"), card("gold 1")], [*bob, card("gold 3")]) == [[2], [1]]


def test_then_office_by_office_to_most_cards_and_to_the_letter_nearest_a() -> None:
    """FK-E4: offices that none of the tied holds are skipped; who hold nothing share."""
    one, two = cards("architecture", "H"), cards("architecture", "AB")
    extra = cards("provisions", "C")
    assert offices([*one, *extra], two) == [3, 3]
    assert ranking([*one, *extra], two) == [[2], [1]]
    near, far = cards("military", "A"), cards("military", "B")
    assert offices([*far, *extra], near) == [3, 3]
    assert ranking([*far, *extra], near) == [[2], [1]]
    assert ranking([], near, [], []) == [[2], [1, 3, 4]]


# ---- Side by side with the rules file


@pytest.mark.slow
@pytest.mark.parametrize("claim_without_cards", [False, True])
@pytest.mark.parametrize("highest_bid", [4, 30])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_both_play_the_same_game(players: int, highest_bid: int, claim_without_cards: bool) -> None:
    """Random bids up to 30 leave nobody with a card: every other game keeps to low ones."""
    options = {"highest_bid": highest_bid, "claim_without_cards": claim_without_cards}
    game = rulesrun.load(FILE, players, options=options)
    for seed in range(GAMES):
        state = game.start()
        by_hand = Table(players, highest_bid, claim_without_cards).play()
        choose = at_random(seed, partial(cautious, highest=3 if seed % 2 else highest_bid))
        result = side_by_side(state, by_hand, choose, said)
        assert state.scores == [sum(values) for values in zip(*result.terms.values(), strict=True)]
        assert state.ranking == result.ranking
