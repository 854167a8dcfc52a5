"""The Python API: a game driven by hand, copied, saved, asked."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import rulesrun
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.play.game import Game, State

from ..cli.commands import MASTI, PAIRS

SEEDS = st.integers(min_value=0, max_value=2**64 - 1)


@pytest.fixture(scope="module")
def pairs() -> Game:
    return rulesrun.load(PAIRS, players=3)


MASTI_4 = rulesrun.load(MASTI, players=4, variants=["partners"])
MASTI_6 = rulesrun.load(MASTI, players=6)


def to_the_end(state: State) -> State:
    while state.player:
        state.play_at_random()
    return state


def some_steps(state: State, seed: int) -> State:
    for _ in range(seed % 40):
        if state.player:
            state.play_at_random()
    return state


def test_a_decision() -> None:
    state = MASTI_4.start(seed=7)
    decision = state.decision
    assert decision is not None
    assert decision.player == state.player
    assert [option.number for option in decision.legal] == state.legal
    assert all(option.legal == (option.why_not == "") for option in decision.options)
    gem = next(option for option in decision.options if option.text == "play a gem")
    assert gem.why_not == "the leader plays a card"
    assert state.why_not(decision.legal[0].number) == state.why_not(decision.legal[0]) == ""
    assert state.why_not("play a gem") == state.why_not(gem) == "the leader plays a card"
    with pytest.raises(TypeError, match=r"an option is a whole number or a text, not 1\.5"):
        state.why_not(1.5)  # type: ignore[arg-type]  # which is what is told
    assert repr(MASTI_4) == "<masti: players 4, variants ['partners'], options {'jokers_optional': 'no'}>"


def test_play_by_number_and_by_text() -> None:
    one, two = MASTI_4.start(seed=7), MASTI_4.start(seed=7)
    decision = one.decision
    assert decision is not None
    one.play(decision.legal[0].number)
    two.play(decision.legal[0].text)
    assert one == two
    assert one.events == two.events


def test_moves_that_are_not_legal() -> None:
    state = MASTI_4.start(seed=7)
    before = state.to_bytes()
    wrong_moves: list[tuple[int | str, str]] = [
        ("play a gem", "the leader plays a card"),
        ("fly", "there is no option `fly` here"),
        (-1, "options go from 0"),
        (10**9, "no option"),
    ]
    for wrong, said in wrong_moves:
        with pytest.raises(rulesrun.IllegalMove, match=said):
            state.play(wrong)
    with pytest.raises(rulesrun.IllegalMove, match="no chance event"):
        state.happen(0)
    assert state.to_bytes() == before
    to_the_end(state)
    with pytest.raises(rulesrun.IllegalMove, match="the game is over"):
        state.play(0)
    assert (state.decision, state.player, state.legal, state.is_over) == (None, 0, [], True)


def test_seeds_and_seats_out_of_range(pairs: Game) -> None:
    for number in (-1, 2**64, 1.5, "a", True):
        with pytest.raises(ValueError, match=r"a seed is a whole number from 0 to 2\*\*64 - 1"):
            pairs.start(seed=number)  # type: ignore[arg-type]  # on purpose
        with pytest.raises(ValueError, match="the number of a game is a whole number"):
            pairs.start(1, game=number)  # type: ignore[arg-type]  # on purpose
    for seat in (0, 4, True, "1"):
        with pytest.raises(ValueError, match="seats go from 1 to 3"):
            pairs.start(seed=1).view(seat)  # type: ignore[arg-type]  # on purpose
        with pytest.raises(ValueError, match="seats go from 1 to 3"):
            pairs.start(seed=1).observed(seat)  # type: ignore[arg-type]  # on purpose


def test_a_table_that_the_rules_do_not_have() -> None:
    with pytest.raises(rulesrun.RulesError, match="R406"):
        rulesrun.load(MASTI, players=9)
    with pytest.raises(rulesrun.RulesError, match="R401"):
        rulesrun.load(MASTI, variants=["partner"])
    with pytest.raises(rulesrun.RulesError, match="R404"):
        rulesrun.load(MASTI, options={"joker": True})


@pytest.mark.slow
def test_options_that_are_not_their_default() -> None:
    assert rulesrun.load(MASTI).changed_options == {}
    assert rulesrun.load(MASTI, options={"jokers_optional": True}).changed_options == {"jokers_optional": "yes"}


def test_teams() -> None:
    assert rulesrun.load(MASTI).teams == ()
    assert MASTI_4.teams == ((1, 3), (2, 4))
    assert MASTI_6.teams == ((1, 4), (2, 5), (3, 6))


@pytest.mark.slow
@pytest.mark.parametrize("again", [State.clone, copy.copy, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
@settings(max_examples=8)
@given(SEEDS, st.booleans())
def test_a_copy_of_any_kind_is_independent(again: Callable[[State], State], seed: int, story: bool) -> None:
    state = some_steps(MASTI_4.start(seed, story=story), seed)
    other = again(state)
    assert other == state
    assert hash(other) == hash(state)
    before = (state.to_bytes(), state.events, state.history)
    to_the_end(other)
    assert (state.to_bytes(), state.events, state.history) == before
    assert to_the_end(state).events == other.events
    assert (state.to_bytes(), state.history) == (other.to_bytes(), other.history)


def test_a_copied_game_is_the_game_and_a_pickled_one_plays_the_same() -> None:
    assert copy.copy(MASTI_6) is copy.deepcopy(MASTI_6) is MASTI_6
    again = pickle.loads(pickle.dumps(MASTI_6))
    assert again.table_digest == MASTI_6.table_digest
    assert to_the_end(again.start(3)) == to_the_end(MASTI_6.start(3)) != to_the_end(MASTI_6.start(4))
    waiting = MASTI_6.start()
    assert pickle.loads(pickle.dumps(waiting)).chance == waiting.chance


@pytest.mark.slow
@given(SEEDS)
def test_a_saved_position_goes_on_identically(seed: int) -> None:
    state = some_steps(MASTI_6.start(seed), seed)
    again = MASTI_6.from_bytes(state.to_bytes(), events=state.events)
    assert again == state
    assert to_the_end(again).events == to_the_end(state).events
    assert again.to_bytes() == state.to_bytes()
    assert again.scores == state.scores


def test_bytes_of_another_game(pairs: Game) -> None:
    with pytest.raises(ValueError, match="bytes"):
        pairs.from_bytes(MASTI_4.start(seed=1).to_bytes())


@pytest.mark.slow
@given(SEEDS)
def test_chance_by_hand_makes_the_same_game(seed: int) -> None:
    by_seed = to_the_end(MASTI_6.start(seed))
    by_hand = MASTI_6.start()
    for event in by_seed.events:
        if event.kind == "chance":
            chance = by_hand.chance
            assert chance is not None
            assert event.number in [outcome.number for outcome in chance.outcomes]
            assert all(outcome.weight > 0 for outcome in chance.outcomes)
            by_hand.happen(event.number)
        elif event.kind == "act":
            assert by_hand.chance is None
            by_hand.play(event.number)
    assert by_hand.events == by_seed.events
    assert by_hand == by_seed


def test_chance_by_its_text(pairs: Game) -> None:
    state = pairs.start()
    chance = state.chance
    assert chance is not None
    assert sum(outcome.weight for outcome in chance.outcomes) == 12
    state.happen(chance.outcomes[3].text)
    assert chance.outcomes[3].text in state.events[-1].text
    with pytest.raises(rulesrun.IllegalMove, match="not possible"):
        state.happen(chance.outcomes[3].text)


@pytest.mark.slow
@given(SEEDS)
def test_scores_at_any_time(seed: int) -> None:
    state = some_steps(MASTI_4.start(seed), seed)
    assert [sum(values) for values in zip(*state.terms.values(), strict=True)] == state.scores
    assert state.team_scores[0] == state.team_scores[2] == state.scores[0] + state.scores[2]
    assert sorted(seat for seats in state.ranking for seat in seats) == [1, 2, 3, 4]
    assert next(iter(state.keys.values())) == state.team_scores


def test_equal_positions_on_different_ways(pairs: Game) -> None:
    """Chance outcomes in another order lead to equal positions that are not equally known."""

    def dealt(order: list[int]) -> State:
        state = pairs.start()
        for outcome in order:
            state.happen(outcome)
        return state

    one, two = dealt([0, 1, 2]), dealt([2, 1, 0])
    assert one == two
    assert hash(one) == hash(two)
    assert one != dealt([0, 1, 3])
    assert one != pairs.start()
    assert one.observed(1) != two.observed(1)
    assert one.observed(2) == two.observed(2)


def test_without_a_story_the_game_is_the_same(pairs: Game) -> None:
    for seed in random.Random(1).sample(range(1000), 20):
        told, untold = to_the_end(pairs.start(seed)), to_the_end(pairs.start(seed, story=False))
        assert told == untold
        assert told.scores == untold.scores
        assert untold.events == ()


def test_saved_bytes_that_are_damaged_or_of_another_table_are_refused() -> None:
    plain, partners = rulesrun.load(MASTI, 4), rulesrun.load(MASTI, 4, ["partners"])
    saved = plain.start(3).to_bytes()
    assert plain.from_bytes(saved).to_bytes() == saved
    for place in range(0, len(saved), 7):
        damaged = bytearray(saved)
        damaged[place] ^= 1
        with pytest.raises(ValueError, match="damaged"):
            plain.from_bytes(bytes(damaged))
    for wrong in (b"", bytes(len(saved)), saved[:-1], saved + b"\0", partners.start(3).to_bytes()):
        with pytest.raises(ValueError, match="damaged"):
            plain.from_bytes(wrong)


@pytest.mark.process
def test_the_hash_of_a_position_is_the_same_in_every_process() -> None:
    code = f"import rulesrun; print(hash(rulesrun.load({str(MASTI)!r}, 3).start(5)))"
    found = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | {"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert found == {f"{hash(rulesrun.load(MASTI, 3).start(5))}\n"}


@pytest.mark.slow
def test_arguments_of_another_type() -> None:
    wrong: list[dict[str, Any]] = [
        {"variants": "partners"}, {"variants": None}, {"variants": [1]}, {"players": "4"}, {"players": True}, {"players": 3.0},
        {"seats": "Ann"}, {"options": [1]}, {"options": {3: 4}}, {"options": {"jokers_optional": 1.0}},
    ]  # fmt: skip
    for arguments in wrong:
        with pytest.raises(TypeError, match=r"list of names|whole number|values by name|an option is"):
            rulesrun.load(MASTI, **arguments)
    state = rulesrun.load(MASTI, 3).start(1)
    for option in (True, None, 1.5):
        with pytest.raises(TypeError, match="a whole number or a text"):
            state.play(option)  # type: ignore[arg-type]  # on purpose
        with pytest.raises(TypeError, match="a whole number or a text"):
            rulesrun.load(MASTI, 3).start().happen(option)  # type: ignore[arg-type]  # on purpose


@pytest.mark.process
def test_numbers_of_numpy_are_numbers() -> None:
    int64 = pytest.importorskip("numpy").int64
    one, other = rulesrun.load(MASTI, players=int64(4)).start(int64(3), game=int64(2)), rulesrun.load(MASTI, 4).start(3, game=2)
    one.play(int64(one.legal[0]))
    other.play(other.legal[0])
    assert one.to_bytes() == other.to_bytes()
    assert one.history == other.history
    assert all(type(number) is int for number in one.history)
    assert one.observed(int64(2)) == other.observed(2)
    by_hand = one.game.start()
    assert by_hand.chance is not None
    by_hand.happen(int64(by_hand.chance.outcomes[0].number))


@pytest.mark.parametrize("seats", [["Ann"], ["Ann", "Bob", "Cy", "Di"], ["Ann", "Ann", "Cy"], ["Ann", "Bob", " "]])
def test_seats_have_a_name_each_or_none(seats: list[str]) -> None:
    with pytest.raises(ValueError, match="seats are 3 different names, one for each player"):
        rulesrun.load(MASTI, players=3, seats=seats)


def test_errors_can_be_pickled() -> None:
    with pytest.raises(rulesrun.RulesError) as caught:
        rulesrun.load(MASTI, players=9)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.diagnostics == caught.value.diagnostics
    assert str(again) == str(caught.value)


def test_what_nobody_kept_is_not_told_as_nothing(pairs: Game) -> None:
    state = pairs.start(seed=1, story=False)
    with pytest.raises(ValueError, match="kept only with a story"):
        state.observed(1)


def test_arguments_that_are_none(pairs: Game) -> None:
    state = pairs.start(seed=1)
    for source in (None, 5, "a"):
        with pytest.raises(TypeError, match=r"random is a `random\.Random`"):
            state.determinise(1, source)  # type: ignore[arg-type]  # on purpose
    for tries in (0, -1, 1.5, "a"):
        with pytest.raises(ValueError, match="tries are a whole number from 1"):
            state.determinise(1, random.Random(1), tries)  # type: ignore[arg-type]  # on purpose
    for data in ("abc", None, 5, [1]):
        with pytest.raises(TypeError, match=r"the bytes of `State\.to_bytes` are needed"):
            pairs.from_bytes(data)  # type: ignore[arg-type]  # on purpose


def test_nothing_goes_on_after_the_end(pairs: Game) -> None:
    state = to_the_end(pairs.start(seed=1))
    for do in (state.play_at_random, lambda: state.play(0), lambda: state.happen(0)):
        with pytest.raises(rulesrun.IllegalMove, match="the game is over"):
            do()
    by_hand = pairs.start()
    assert by_hand.chance is not None
    with pytest.raises(rulesrun.IllegalMove, match="there is nothing to choose now"):
        by_hand.play_at_random()


def test_an_outcome_is_given_by_itself_its_number_or_its_text(pairs: Game) -> None:
    first = pairs.start()
    assert first.chance is not None
    outcome = first.chance.outcomes[-1]
    ways: list[rulesrun.Outcome | int | str] = [outcome, outcome.number, f" {outcome.text.replace(' ', '  ')} "]
    states = [first.clone() for _ in ways]
    for state, way in zip(states, ways, strict=True):
        state.happen(way)
    assert states[0] == states[1] == states[2] != first


def test_public_names_are_there_to_complete() -> None:
    assert set(rulesrun.__all__) <= set(dir(rulesrun))
