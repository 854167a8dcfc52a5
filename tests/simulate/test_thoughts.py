"""Thoughts: the same in both engines, in any number of steps, and in every world of an information set."""

from __future__ import annotations

from pathlib import Path
from random import Random
from time import monotonic

import pytest
from rulesrun.interpreter.play.bots.thinking import thinker_for
from rulesrun.interpreter.play.game import Game, State, load
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.players.reference_table import OnCells
from rulesrun.interpreter.players.thoughts import Thought, think, think_in_steps
from rulesrun.interpreter.wasm.running import instance
from rulesrun.interpreter.wasm.running.thoughts import Thoughts

from ..games.honesty import random_decisions
from .games import BREAKS, GAMES, game_of
from .test_search import SMALL

TIC_TAC_TOE = GAMES / "classics" / "tic_tac_toe.rules"


def thought(game: Game, state: State, iterations: int, fast: bool = True, seed: int = 7) -> Thought:
    return think(thinker_for(game, fast), state.history, state.player - 1, iterations, seed)


def small_game(name: str, tmp_path: Path) -> Game:
    """One of the small games, where something is hidden, or a game that breaks, or one of boards, where positions are proven."""
    if name == "tic_tac_toe":
        return load(TIC_TAC_TOE)
    return game_of({**SMALL, "breaks": BREAKS}[name], tmp_path)


ALL = [*SMALL, "breaks", "tic_tac_toe"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_both_engines_think_the_same_in_any_number_of_steps(name: str, tmp_path: Path) -> None:
    game, random = small_game(name, tmp_path), Random(name)
    module, reference = Thoughts(game.compiled), OnCells(game.machine)
    for state in random_decisions(game, 4, random):
        seed = random.getrandbits(64)
        expected = think(reference, state.history, state.player - 1, 12, seed)
        assert think(module, state.history, state.player - 1, 12, seed) == expected
        module.begin(state.history, state.player - 1, seed)
        for iterations in range(1, 13):
            module.ponder(iterations)
        assert module.conclude() == expected
        assert expected.options == tuple(state.legal)
        if len(state.legal) > 1:
            assert reference.option(state._cells, state.history, state.player - 1, Bot("search", 12), seed) == expected.choice


@pytest.mark.slow
def test_a_bot_stops_where_more_iterations_cannot_change_its_choice() -> None:
    game, random = load(GAMES / "classics" / "leduc_poker.rules"), Random(2)
    bot, spared = OnCells(game.machine), 0
    for state in random_decisions(game, 8, random):
        seed = random.getrandbits(64)
        choice = bot.option(state._cells, state.history, state.player - 1, Bot("search", 400), seed)
        spared += 400 - bot.load32(bot.at.worlds)
        assert choice == think(thinker_for(game), state.history, state.player - 1, 400, seed).choice
    assert spared > 400


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_a_thought_is_the_same_in_games_that_its_seat_cannot_tell_apart(name: str, tmp_path: Path) -> None:
    game, random = game_of(SMALL[name], tmp_path), Random(name)
    for state in random_decisions(game, 4, random):
        assert thought(game, state, 30) == thought(game, state.determinise(state.player, random), 30)


@pytest.mark.slow
def test_what_is_certain_is_said() -> None:
    """The only option that wins is proven to win, and where the game is lost everything is."""
    game = load(TIC_TAC_TOE)
    state = game.start()
    for cell in ("a1", "a2", "b1", "b2"):  # two in a row each
        state.play(next(number for number in state.legal if game.option_text(number).endswith(cell)))
    found = thought(game, state, 1000)
    assert game.option_text(found.choice).endswith("c1")
    assert found.share_of(found.choice) == 1
    assert found.proved[found.ranking[0]]
    assert found.iterations < 1000, "it need not go on"


@pytest.mark.slow
def test_shares_are_those_of_the_games_that_were_imagined(tmp_path: Path) -> None:
    """A guess that is right in one of four worlds wins there."""
    game = game_of(GUESS, tmp_path)
    state = game.start(5)
    found = thought(game, state, 4000)
    assert found.worlds == "proved"
    assert sum(found.visits) == found.iterations == 4000
    assert found.shares == pytest.approx([0.25] * 4, abs=0.06)
    assert [found.share_of(option) for option in state.legal] == list(found.shares)
    with pytest.raises(ValueError, match="not in"):
        found.share_of(10_000)


GUESS = """game guess
    players 2

cards card, 1 of each
    rank: 1..4

zone deck: pile of card, hidden
zone target: slot of card, hidden

setup
    shuffle every card into deck
    draw 1 from deck to target

counter hits of player: 0..1

phase only
    player 1 chooses
        guess a number from 1..4
            if rank of target is number
                set hits of player 1 to 1
            otherwise
                set hits of player 2 to 1

score of player
    hits: hits of player
winner highest score, then shared
"""


@pytest.mark.slow
def test_a_single_option_can_be_looked_at(tmp_path: Path) -> None:
    """Then it has all iterations; and the next thought looks at all options again."""
    game = game_of(GUESS, tmp_path)
    state = game.start(5)
    for thinker in (thinker_for(game), thinker_for(game, False)):
        whole = think(thinker, state.history, 0, 40, 1)
        alone = think(thinker, state.history, 0, 40, 1, only=state.legal[2])
        assert (alone.options, alone.visits, alone.choice) == ((state.legal[2],), (40,), state.legal[2])
        assert think(thinker, state.history, 0, 40, 1) == whole
    assert think(thinker_for(game), state.history, 0, 40, 1, only=state.legal[2]) == alone


def test_a_time_is_kept_but_for_the_first_iteration() -> None:
    game = load(TIC_TAC_TOE)
    thinker = OnCells(game.machine)
    thinker.begin((), 0, 5)
    assert list(think_in_steps(thinker, 1_000_000, 1e-9)) == [1]
    assert thinker.conclude().choice in game.start().legal


@pytest.mark.slow
def test_after_an_interruption_a_thinker_thinks_as_before() -> None:
    """Ctrl-C can come anywhere."""

    class Interrupted(OnCells):
        left = 3

        def step(self) -> int:
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt
            return super().step()

    game = load(GAMES / "classics" / "kuhn_poker.rules")
    state = game.start(1)
    thinker = Interrupted(game.machine)
    with pytest.raises(KeyboardInterrupt):
        think(thinker, state.history, state.player - 1, 500, 3)
    assert think(thinker, state.history, state.player - 1, 50, 3) == thought(game, state, 50, seed=3)


@pytest.mark.parametrize("fast", [True, False])
def test_a_history_must_lead_to_a_decision_of_the_seat(fast: bool) -> None:
    game = load(TIC_TAC_TOE)
    with pytest.raises(ValueError, match="does not lead to a decision of seat 1"):
        think(thinker_for(game, fast), (), 1, 5, 0)


@pytest.mark.clock
def test_a_thought_may_be_longer_than_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call of the module has 60 seconds; here it has two or three."""
    monkeypatch.setattr(instance, "PATIENCE", 2.0)
    game = load(GAMES / "kingdomino.rules")
    state = next(iter(random_decisions(game, 1, Random(1))))
    thinker, began = thinker_for(game), monotonic()
    for iterations in (1000 * 2**power for power in range(20)):
        assert think(thinker, state.history, state.player - 1, iterations, 1).iterations == iterations
        if monotonic() - began > 8:
            return
