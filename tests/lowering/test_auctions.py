"""Auctions run as the rules say: whole small games by script and by bots, and an auctioneer in plain Python beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.play.game import Game, State, load
from rulesrun.interpreter.play.records.transcript import seen_by
from rulesrun.interpreter.rules import read_rules

from ..pipeline import faults, machine_of, small, stages, value_of

FILES = sorted((Path(__file__).parent / "auctions").glob("*.rules"))


@pytest.mark.slow_cases("pass_out")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_games_by_script(file: Path) -> None:
    rules = read_rules(file)
    assert faults(rules) == ()
    results = run_tests(rules)
    assert results
    assert [d.message for result in results for d in result.diagnostics] == []


def kept(machine: Machine) -> set[str]:
    """The names of what auctions keep."""
    return {v.name for v in machine.variables if v.name.split()[0] in ("highest", "sealed", "bidding")}


@pytest.mark.parametrize("players", [2, 3, 5])
def test_games_by_bots(players: int) -> None:
    """They come to their end, lose no card, and an auction leaves nothing behind."""
    game = load(FILES[[file.stem for file in FILES].index("pass_out")], players=players, options={"highest_bid": 4})
    assert violations(game.machine) == []
    for seed in range(12):
        state = game.start(seed)
        while not state.is_over:
            state.play_at_random()
        assert state.fault is None
        assert sum(zone.count for zone in state.view().zones) == game.machine.kinds["card"].bits
        assert {value.value for value in state.view().values if value.name in kept(game.machine)} == {"none"}


# ---- Against an auctioneer in plain Python

ANSWERS = st.integers(0, 2**32)


@frozen
class Bidding:
    """``order``: the bidders in their order. ``step``: by how much each bid is higher than the last (0: any amount)."""

    players: int
    order: tuple[int, ...]
    ends: str
    step: int
    high: int
    by_keys: bool


@st.composite
def biddings(draw: st.DrawFn) -> Bidding:
    players = draw(st.integers(1, 4))
    bidders = draw(st.sets(st.integers(0, players - 1)))
    ends = draw(st.sampled_from(["a pass is final", "a pass is not final", "once around", "sealed"]))
    step = 0 if ends == "sealed" else draw(st.integers(0 if ends == "once around" else 1, 3))
    by_keys = draw(st.booleans())
    if by_keys:
        order = tuple(draw(st.permutations(sorted(bidders))))
    else:
        start = draw(st.integers(0, players - 1))
        order = tuple(p for p in ((start + n) % players for n in range(players)) if p in bidders)
        order = order or (start,)  # somebody bids
    return Bidding(players, order, ends, step, draw(st.integers(0, 6)), by_keys)


POT = """
counter pot: 0..1
counter place of player: 0..4
counter cost: 0..9
marker taker: player or none
"""


def text_of(bidding: Bidding) -> str:
    """The game in which just this auction is held."""
    players = [f"set place of player {p + 1} to {n + 1}" for n, p in enumerate(bidding.order)]
    order = "by lowest place" if bidding.by_keys else f"clockwise from player {bidding.order[0] + 1}"
    rule = {0: "", 1: ", each higher than the last"}.get(bidding.step, f", each at least {bidding.step} higher than the last")
    lines = [
        *players,
        "auction for pot",
        f"    bidders: players with place > 0 {order}",
        f"    bids: 0..{bidding.high}{rule}",
        f"    {bidding.ends}",
        "    won",
        "        set taker to winner",
        "        set cost to price",
    ]
    return small(POT, "\n".join(lines))


Turn = tuple[int, list[int]]  # who is asked, and the amounts that may be bid


def auctioneer(bidding: Bidding, answers: Random) -> Iterator[Turn | tuple[int, int]]:
    """Each turn, then who wins and for how much (-1, 0 when nobody does). An answer is below 0 for a pass."""
    best, leader = -1, -1
    if bidding.ends in ("once around", "sealed"):
        for player in bidding.order:
            low = best + bidding.step if best >= 0 and bidding.step else 0
            legal = list(range(low, bidding.high + 1))
            yield player, legal
            amount = answer(answers, legal)
            if amount > best:
                best, leader = amount, player
        yield leader, max(best, 0)
        return
    passed: set[int] = set()
    turn = 0
    while any(p not in passed and p != leader for p in bidding.order):
        player = bidding.order[turn % len(bidding.order)]
        turn += 1
        if player in passed:
            continue
        legal = list(range(best + bidding.step if best >= 0 else 0, bidding.high + 1))
        yield player, legal
        amount = answer(answers, legal)
        if amount < 0:
            passed.add(player)
        else:
            best, leader = amount, player
            if bidding.ends == "a pass is not final":
                passed = set()
    yield leader, max(best, 0)


def answer(answers: Random, legal: list[int]) -> int:
    """A pass (-1) or an amount; low ones more often, so that the bidding goes on for a while."""
    return answers.choice([-1, *legal[:2], *legal])


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(biddings(), ANSWERS)
def test_an_auction_runs_like_one_by_hand(bidding: Bidding, seed: int) -> None:
    machine = machine_of(text_of(bidding), bidding.players)
    executor = Executor(machine)
    cells = executor.fresh()
    stop = executor.enter(cells)
    by_hand, answers = auctioneer(bidding, Random(seed)), Random(seed)
    (group,) = (g for g in machine.groups if g.verb == "bid")
    (passing,) = (g for g in machine.groups if g.verb == "pass")
    while stop.kind == "decision":
        options = executor.options(cells)
        legal = [group.values(option - group.base)[0] for option in options if group.base <= option < group.base + group.size]
        assert passing.base in options
        assert next(by_hand) == (executor.player(cells), legal)
        amount = answer(answers, legal)
        number = (
            passing.base
            if amount < 0
            else next(o for o in options if o != passing.base and group.values(o - group.base)[0] == amount)
        )
        stop = executor.choose(cells, number)
    assert stop.kind == "over"
    assert next(by_hand) == (value_of(executor, cells, "taker"), value_of(executor, cells, "cost"))
    views = [v for v in machine.variables if v.name in kept(machine)]
    assert len(views) >= 3
    assert {cells[machine.layout.record[v.content].slot + n] for v in views for n in range(v.content.length)} == {-1}


# ---- What others may know


def started(file: str, players: int, *acts: str) -> State:
    """A game with these acts played in it."""
    game = load(FILES[[f.stem for f in FILES].index(file)], players=players)
    state = game.start(0)
    for act in acts:
        state.play(act)
    return state


def digest(state: State, seat: int) -> int:
    game: Game = state.game
    return Executor(game.machine).digest(state._cells, seat - 1)


def test_a_sealed_bid_is_seen_by_nobody_until_all_have_chosen() -> None:
    """The next bidder cannot tell a low bid from a high one or from a pass."""
    games = [started("sealed", 3, act) for act in ("bid 2", "bid 7", "pass")]
    for seat in (3, 1):
        assert len({digest(state, seat) for state in games}) == 1
        assert len({state.view(seat) for state in games}) == 1
        assert all(state.observed(seat) == () for state in games)
    assert len({digest(state, 2) for state in games}) == 3
    assert any(value.name == "sealed bid for street" and value.value == "7" for value in games[1].view(2).values)
    for state in games:
        state.play("pass")
        state.play("pass")
    assert len({digest(state, 1) for state in games}) == 3
    assert games[1].observed(1) == ("pass", "player 2: bid 7", "player 3: pass")


def test_the_order_in_which_cards_are_paid_is_forgotten_and_seen_by_nobody_else() -> None:
    text = small(
        "cards card, 2 of each\n    worth: 1..2\nzone hand of player: set of card, private\nzone spent: set of card, open\n"
        "counter pot: 0..1",
        """
        move every card to hand of player 1
        auction for pot
            bidders: players
            bids: 4..4, each higher than the last
            a pass is final
            payment: worth of cards from hand of winner to spent
            cannot pay: nothing
        """,
    )
    machine = machine_of(text, 2)
    pay, bid, passing = (next(g for g in machine.groups if g.verb == verb).base for verb in ("pay", "bid", "pass"))
    records = set()
    for order in ((0, 0, 1), (0, 1, 0), (1, 0, 0)):
        executor = Executor(machine)
        cells = executor.fresh()
        executor.enter(cells)
        executor.choose(cells, bid)
        stop = executor.choose(cells, passing)
        digests = {executor.digest(cells, 1)}
        for position in order:
            digests.add(executor.digest(cells, 1))
            stop = executor.choose(cells, pay + position)
        assert len(digests) == 1
        assert stop.kind == "over"
        start, end = machine.layout.regions["game"]
        records.add(executor.pack(cells)[start:end])
    assert len(records) == 1


# ---- Several auctions

TWICE = """
counter pot: 0..9
counter cost of player: 0..9
"""


def test_several_auctions_of_one_file_share_the_numbers_of_their_acts() -> None:
    sale = """
    auction for pot
        bidders: players
        bids: 1..5, each higher than the last
        a pass is final
        won: set cost of winner to price
    """
    other = sale.replace("1..5", "1..7")
    machine = machine_of(small(TWICE, sale + sale + other), 2)
    assert [group.verb for group in machine.groups] == ["bid", "pass", "bid"]
    assert "highest bid for pot" in kept(machine)
    assert "highest bid for pot (3)" in kept(machine)


def test_a_variant_may_hold_an_auction_too() -> None:
    text = (
        small(TWICE, "nothing")
        + """
variant sale "One more"
    add before only
        auction for pot
            bidders: players
            bids: 1..5, each higher than the last
            once around
            won: set cost of winner to price

variant sealed_sale "And another"
    add after only
        auction for pot
            bidders: players
            bids: 1..5
            sealed
            won: set cost of winner to price
"""
    )
    assert kept(machine_of(text, 2)) == set()
    found = stages(text, 2, ["sale", "sealed_sale"])
    assert found.machine is not None, found.messages
    assert {group.verb for group in found.machine.groups} == {"bid", "pass"}


def test_a_transcript_of_what_a_seat_saw_holds_no_sealed_bid_of_another() -> None:
    state = started("sealed", 3, "bid 2", "pass", "bid 1")
    acts = seen_by(state, 0, 1)["acts"]
    assert [(act["player"], act["text"]) for act in acts] == [(1, "bid 1")]


PAYABLE = """game small
    players 2..4

cards card, 2 of each
    suit: red, blue
    rank: 1..3

zone deck: pile of card, hidden
zone hand of player: set of card, private
zone spent: set of card, open
zone lot: slot of card, open

phase one
    auction for lot
        bidders: players
        bids: {bids}, each higher than the last
        a pass is final
        payment: {payment} to spent

score of player
    points: 0
winner highest score, then shared
"""


@pytest.mark.parametrize(
    ("bids", "payment", "surely"),
    [
        ("1..total rank of hand of bidder", "rank of cards from hand of winner", True),
        ("0..total rank of (hand of bidder) with suit red", "rank of cards from (hand of winner) with suit red", True),
        ("1..count of (hand of bidder) with suit red", "cards from (hand of winner) with suit red", True),
        ("1..count of hand of bidder", "cards from (hand of winner) with suit red", False),
        ("1..total rank of hand of bidder", "rank of cards from (hand of winner) with suit red", False),
        ("1..total rank of hand of player 1", "rank of cards from hand of winner", False),
        ("1..count of hand of bidder", "rank of cards from hand of winner", False),
    ],
)
def test_a_bid_that_can_always_be_paid_needs_no_other_way(bids: str, payment: str, surely: bool) -> None:
    assert stages(PAYABLE.format(bids=bids, payment=payment), 2).codes == ([] if surely else ["R244"])
