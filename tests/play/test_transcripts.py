"""Transcripts: what is written is read again, and leads to the same game."""

from __future__ import annotations

import json

import pytest
import rulesrun
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import Game, State
from rulesrun.interpreter.play.records.replay import replay
from rulesrun.interpreter.play.records.transcript import Transcript, from_text, to_data, to_text, transcript_of

from ..cli.commands import MASTI, PAIRS

TABLES = (
    rulesrun.load(PAIRS),
    rulesrun.load(PAIRS, players=4, variants=["together"], options={"bonus_for_low": "yes"}),
    rulesrun.load(MASTI, players=3, options={"jokers_optional": True}),
    rulesrun.load(MASTI, players=6),
)


def played(game: Game, seed: int, acts: int) -> State:
    state = game.start(seed)
    while state.player and acts:
        state.play_at_random()
        acts -= 1
    return state


@pytest.mark.slow
@settings(max_examples=40)
@given(st.sampled_from(TABLES), st.integers(min_value=0, max_value=2**64 - 1), st.integers(min_value=0, max_value=200))
def test_round_trip(game: Game, seed: int, acts: int) -> None:
    state = played(game, seed, acts)
    written = transcript_of(state, seed, seat=1, save=True)
    read = from_text(Source("game.json", to_text(to_data(written))))
    assert read == written
    assert isinstance(read, Transcript)
    again = replay(read, game)
    assert again.diagnostics == ()
    assert again.state.events == state.events
    assert again.state.scores == state.scores
    assert again.state == state


@given(st.text())
def test_any_text_is_a_transcript_or_a_finding(text: str) -> None:
    found = from_text(Source("game.json", text))
    assert isinstance(found, Transcript) or found.code == "R701"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
WHOLE = to_data(transcript_of(played(TABLES[0], 1, 99), 1))


@pytest.mark.slow
@given(st.sampled_from(sorted(WHOLE)), JSON)
def test_any_value_in_a_transcript_is_fine_or_a_finding(key: str, value: object) -> None:
    found = from_text(Source("game.json", json.dumps(WHOLE | {key: value})))
    assert isinstance(found, Transcript) or found.code == "R701"
    if isinstance(found, Transcript):
        replay(found, TABLES[0])
