"""Bad arguments to the public functions: they answer, or raise one of the errors that are documented, and change nothing."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
import rulesrun
from hypothesis import example, given, settings
from rulesrun.interpreter.play.game import Event, Game, State

from ..junk import JUNK, SAID, may_be_refused

GAMES = Path(__file__).parents[2] / "games"
PATH = GAMES / "classics" / "leduc_poker.rules"
GAME = rulesrun.load(PATH)


def in_progress(story: bool = True, by_hand: bool = False) -> State:
    """A game after some acts; by hand, it stands at a chance event."""
    state = GAME.start(None if by_hand else 1, story=story)
    for _ in range(0 if by_hand else 3):
        state.play_at_random()
    return state


STATE = in_progress()
FINE: dict[str, Any] = {
    "seed": 1, "game": 0, "story": True, "data": STATE.to_bytes(), "record": STATE.to_bytes()[8:], "by_hand": False,
    "events": STATE.events,
    "number": 0, "language": None, "option": 0, "outcome": 0, "seat": 1, "random": Random(1), "tries": 20,
    "pick": lambda executor, cells, seat, history: executor.options(cells)[0],
    "path": PATH, "players": None, "variants": (), "options": None, "seats": (),
}  # fmt: skip


def methods(of: type) -> Iterator[tuple[str, str]]:
    """The public methods of a class, each with each of what it takes."""
    for name in dir(of):
        if not name.startswith("_") and inspect.isfunction(function := getattr(of, name)):
            yield from ((name, taken) for taken in list(inspect.signature(function).parameters)[1:])


def called(function: Callable[..., Any], taken: str, junk: Any) -> None:
    """Call a function with one thing that it takes, all else being fine."""
    signature = inspect.signature(function).parameters
    arguments = {name: junk if name == taken else FINE[name] for name in signature}
    plain = [arguments.pop(name) for name, each in signature.items() if each.kind is each.POSITIONAL_OR_KEYWORD]
    with may_be_refused():
        function(*plain, **arguments)


@pytest.mark.parametrize(("name", "taken"), list(methods(Game)))
@settings(max_examples=40)
@given(junk=JUNK)
def test_games(name: str, taken: str, junk: Any) -> None:
    called(getattr(GAME, name), taken, junk)


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize(("name", "taken"), list(methods(State)))
@settings(max_examples=40)
@given(junk=JUNK)
def test_states(name: str, taken: str, by_hand: bool, junk: Any) -> None:
    state = in_progress(by_hand=by_hand)
    before, told = state.to_bytes(), state.events
    try:
        called(getattr(state, name), taken, junk)
    finally:
        if name not in ("play", "happen", "play_by", "follow"):
            assert (state.to_bytes(), state.events) == (before, told)


@pytest.mark.parametrize("taken", ["path", "players", "variants", "options", "seats"])
@settings(max_examples=40)
@given(junk=JUNK)
def test_tables(taken: str, junk: Any) -> None:
    called(rulesrun.load, taken, junk)


@settings(max_examples=60)
@given(junk=JUNK)
@example(junk=2)
def test_what_a_bot_takes(junk: Any) -> None:
    state = in_progress()
    before, told = state.to_bytes(), state.events
    try:
        state.play_by(lambda *_: junk)
    except SAID:
        assert (state.to_bytes(), state.events) == (before, told)


@settings(max_examples=60)
@given(junk=JUNK)
def test_what_an_event_is_asked(junk: Any) -> None:
    with suppress(*SAID):
        STATE.events[0].text_for(junk)


@pytest.mark.parametrize(
    "events",
    [
        [1], "a", b"", {}, [None], [STATE.events[0], "a"], 5, count(),
        [Event("play", 1, 1, "a", 1, None)],  # type: ignore[arg-type]  # on purpose, here and below
        [Event("act", "1", 1, "a", 1, None)],  # type: ignore[arg-type]
        [Event("act", 1, 1, 1, 1, None)],  # type: ignore[arg-type]
        [Event("act", 1, 1, "a", -1, None)],
        [Event("act", 1, 1, "a", 10**30, None)],
    ],
    ids=str,
)  # fmt: skip
def test_events_that_are_none(events: Any) -> None:
    with pytest.raises(rulesrun.ArgumentError, match="events are those of a state"):
        GAME.from_bytes(STATE.to_bytes(), events=events)


def test_events_of_another_game_lead_to_no_world() -> None:
    other = rulesrun.load(GAMES / "classics" / "kuhn_poker.rules").start(1)
    for events in (other.events, STATE.events[:1], STATE.events * 2):
        state = GAME.from_bytes(STATE.to_bytes(), events=events)
        with pytest.raises(ValueError, match="it is not known how the game came to this position"):
            state.determinise(1, Random(1))
    assert GAME.from_bytes(STATE.to_bytes(), events=STATE.events).determinise(1, Random(1)).view(1) == STATE.view(1)


@pytest.mark.parametrize("seats", [{}, b"", "", {"a": 1}, ["a"], ["a", "a"], ["a", " "], [1, 2]], ids=str)
def test_names_that_are_none(seats: Any) -> None:
    with pytest.raises(rulesrun.ArgumentError, match="seats are"):
        rulesrun.load(PATH, seats=seats)


@pytest.mark.parametrize("truth", [10**30, 1, 0, "yes", None, [], 1.0])
def test_truths_that_are_none(truth: Any) -> None:
    with pytest.raises(rulesrun.ArgumentError, match="by_hand is True or False"):
        GAME.from_bytes(STATE.to_bytes(), by_hand=truth)
    with pytest.raises(rulesrun.ArgumentError, match="story is True or False"):
        GAME.start(1, story=truth)


def test_an_argument_that_cannot_be_is_either_of_pythons_errors() -> None:
    for error in (ValueError, TypeError):
        with pytest.raises(error, match="a seed is a whole number"):
            GAME.start("one")  # type: ignore[arg-type]  # on purpose
