"""Nothing leaks: what a seat is told and shown names no card that only others have seen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import rulesrun
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import Event, Game, State, table_of
from rulesrun.interpreter.play.knowledge.views import view_text
from rulesrun.interpreter.play.narration import narrate
from rulesrun.interpreter.play.page import plain
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.terminal.seat import Session

from ..cli.commands import MASTI

CARD = re.compile(r"(?:crown|mitre|purse|dagger) \d+")
FOUR = rulesrun.load(MASTI, players=4, variants=["partners"])
SIX = rulesrun.load(MASTI, players=6)
SEEDS = st.integers(min_value=0, max_value=2**64 - 1)


def cards(text: str) -> set[str]:
    """The cards that a text says are somewhere (not those among which an unknown card must be)."""
    return set(CARD.findall(re.sub(" among .*", "", text)))


def opened(event: Event, seat: int) -> set[str]:
    """The cards that an event shows to a seat in masti: what it draws or adds itself, what is played or turned up."""
    if event.kind == "act":
        return cards(event.text) if event.player == seat or not event.text.startswith("add ") else set()
    if " draws " in event.text:
        return cards(event.text) if event.text.startswith(f"player {seat} ") else set()
    return cards(event.text)


def with_what_follows(state: State, known: set[str]) -> set[str]:
    """The cards of which a seat that knows these can be certain: all, where the others lie together in one place."""
    zones = [{card for name in zone.cards for card in cards(name)} - known for zone in state.view().zones]
    others = [zone for zone in zones if zone]
    return known | others[0] if len(others) == 1 else known


@pytest.mark.slow_cases("4", "6")
@pytest.mark.parametrize("game", [FOUR, SIX], ids=["4", "6"])
@settings(max_examples=25)
@given(seed=SEEDS, seat=st.integers(min_value=1, max_value=4))
def test_no_card_is_named_before_the_seat_may_know_it(game: Game, seed: int, seat: int) -> None:
    state = game.start(seed)
    known: set[str] = set()
    done = 0
    while True:
        for event in state.events[done:]:
            known |= opened(event, seat)
        told = plain(narrate(game, state.events, seat, done))
        done = len(state.events)
        assert cards(told) <= known
        view = state.view(seat)
        named = {name for zone in view.zones for card in zone.cards for name in cards(card)}
        assert named <= with_what_follows(state, known)
        if not state.player:
            break
        state.play_at_random()
    assert len(known) == 52 or game is SIX or len(known) >= 40


@pytest.mark.slow
@settings(max_examples=10)
@given(seed=SEEDS, seat=st.integers(min_value=1, max_value=6))
def test_a_session_shows_no_more(seed: int, seat: int) -> None:
    session = Session(SIX.start(seed), seat, seed)
    shown = plain(session.opening())
    while not session.is_over:
        known = {card for event in session.state.events for card in opened(event, seat)}
        assert cards(shown) <= known
        everything = plain(session.answer("view").page)
        assert cards(everything) <= with_what_follows(session.state, known)
        shown = plain(session.answer("1").page)


def test_what_others_draw_is_counted_but_not_named() -> None:
    state = SIX.start(seed=7)
    told = plain(narrate(SIX, state.events, 1))
    assert "player 2 draws a character, 8 times" in told
    assert cards(told) == {card for event in state.events for card in opened(event, 1)}


def test_views_differ_by_seat() -> None:
    state = FOUR.start(seed=7)
    texts = {view_text(state.view(seat), FOUR.seat_names) for seat in (1, 2, 3, 4)}
    assert len(texts) == 4
    assert "your hand (10): " in view_text(state.view(1))
    assert "hand of player 1: 10 unknown" in view_text(state.view(2), FOUR.seat_names)
    assert "unknown" not in view_text(state.view(None))


def test_a_view_sets_apart_what_is_ones_own() -> None:
    lines = view_text(FOUR.start(seed=7).view(2), FOUR.seat_names, (2, 4)).splitlines()
    assert lines[1:4] == ["yours: gems 2, wealth 0", "your team: you and player 4", "trumps: 11 unknown"]
    assert "gems of player 1, player 3, player 4: 2" in lines
    assert not [line for line in view_text(FOUR.start(seed=7).view(None)).splitlines() if line.startswith("your")]


SECRETS = """
game secrets
    players 2
cards card, 1 of each
    colour: red, blue
    rank: 1..6
zone deck: pile of card, hidden
zone hand of player: set of card, private
marker leader: player
counter n: 0..9
setup
    shuffle every card into deck
    for each player: draw 3 from deck to hand of player
phase only
    let strongest be best of hand of player 2 by highest rank, then highest colour
    let drawn be a random card from hand of player 2
    if strongest is drawn: add 1 to n
    for each card in hand of player 2 in random order: set leader to player 1
    set leader to owner of best of every hand by highest rank, then highest colour
score of player
    points: n
winner highest score, then shared
"""


def test_what_the_rules_look_up_in_a_hand_is_told_to_its_owner_alone() -> None:
    game = table_of(rules_from(Source("secrets.rules", SECRETS)))
    for seed in range(10):
        state = game.start(seed)
        hands = {zone.owner: zone.cards for zone in state.view().zones if zone.name == "hand"}
        for seat, other in ((1, 2), (2, 1)):
            told = " ".join(text for event in state.events if (text := event.text_for(seat)) is not None)
            assert not [card for card in hands[other] if card in told]


def test_of_many_owners_of_one_value_the_first_are_named(tmp_path: Path) -> None:
    rules = tmp_path / "wear.rules"
    rules.write_text(WEAR)
    lines = view_text(rulesrun.load(rules, players=1).start().view(None)).splitlines()
    named = ", ".join(f"card {rank}" for rank in range(2, 10))
    assert f"wear of {named} and 21 more: 0; card 1: 1" in lines or f"wear of card 1: 1; {named} and 21 more: 0" in lines


WEAR = """
game wear
    players 1
cards card, 1 of each
    rank: 1..30
    marker wear: 0..9
setup
    set wear of [1] to 1
phase only
    player 1 chooses
        pass: nothing
score of player
    points: 0
winner highest score, then shared
"""
