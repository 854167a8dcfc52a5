"""Threads that share a game, a module or a table play exactly the games that each seed plays alone."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import rulesrun
from attrs import evolve
from rulesrun.interpreter.play.game import Game, State
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.players.policies import policy_for
from rulesrun.interpreter.search.walker import Walker
from rulesrun.interpreter.simulate.engines.engine import ENGINES, EngineName, engine_for, executor_for

from ..together import same_together_as_alone

GAMES = Path(__file__).parents[2] / "games"
MASTI = rulesrun.load(GAMES / "masti.rules", players=4, variants=["partners"])
KINGDOMINO = rulesrun.load(GAMES / "kingdomino.rules", players=2)
LEDUC = rulesrun.load(GAMES / "classics" / "leduc_poker.rules")
LOADED = {game.name: game for game in (MASTI, KINGDOMINO, LEDUC)}
STORIES = {"masti": 8, "kingdomino": 4, "leduc_poker": 60}
COPIES: list[Callable[[State], State]] = [State.clone, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))]


def story_of(game: Game, seed: int, steps: int = 1000) -> list[Any]:
    """All that a state tells while a game is played at random, with copies of each kind on the way."""
    state = game.start(seed)
    found: list[Any] = []
    for step in range(steps):
        if state.is_over:
            break
        if step % 7 == seed % 7:
            left, state = state, COPIES[step % len(COPIES)](state)
            left.play_at_random()
        if step % 20 == seed % 20:
            found += [state.decision, state.about, state.view(), state.view(state.player), state.scores, state.ranking]
        found.append(state.play_at_random())
    return [*found, state.events, state.history, state.to_bytes(), *(state.observed(seat + 1) for seat in range(game.players))]


@pytest.mark.process
@pytest.mark.parametrize("name", LOADED)
def test_states_of_one_game(name: str) -> None:
    same_together_as_alone(lambda seed: story_of(LOADED[name], seed), STORIES[name])


def test_worlds_of_one_state() -> None:
    """Copies share what was found out about the position."""
    state = LEDUC.start(1)
    while state.player != 2:
        state.play_at_random()
    state.determinise(1, Random(0))
    before = state.view(1), state.observed(1)

    def work(seed: int) -> tuple[Any, ...]:
        world = state.clone().determinise(1, Random(seed))
        assert (world.view(1), world.observed(1)) == before
        while not world.is_over:
            world.play_at_random()
        return world.events, world.to_bytes()

    same_together_as_alone(work, 60)


@pytest.mark.slow
def test_worlds_of_many_states() -> None:
    def work(seed: int) -> tuple[Any, ...]:
        state = MASTI.start(seed)
        for _ in range(12):
            state.play_at_random()
        world = state.determinise(1 + seed % 4, Random(seed), 300)
        return world.events, world.to_bytes(), world.view(), state.view(1)

    same_together_as_alone(work, 6)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", LOADED)
def test_games_on_one_executor(engine: EngineName, name: str) -> None:
    executor = executor_for(LOADED[name], engine)

    def work(seed: int) -> tuple[Any, ...]:
        cells = executor.fresh(seed)
        stop = executor.enter(cells)
        told: list[Any] = []
        while stop.node is not None:
            if stop.kind == "chance":
                value = executor.draw(cells)
                told.append((executor.outcomes(cells), value))
                stop = executor.happen(cells, value)
            else:
                told.append((executor.options(cells), executor.player(cells)))
                stop = executor.choose(cells, executor.pick(cells, executor.player(cells)))
            told.append(executor.pack(cells))
        return told, [executor.evaluate(cells, "score", seat) for seat in range(executor.machine.seats)]

    same_together_as_alone(work, 20)


class Unwritable(list[int]):
    """Cells of a position that adapters share between all who come to it."""

    def __setitem__(self, *_: object) -> None:
        raise AssertionError("a position never changes")


@pytest.mark.parametrize("name", LOADED)
def test_what_is_asked_of_a_position_leaves_it_alone(name: str) -> None:
    walker = Walker(LOADED[name], "reference")
    position, kinds = walker.begin(), set()
    while position.kind != "over":
        kinds.add(position.kind)
        sealed = evolve(position, cells=Unwritable(position.cells))
        _ = sealed.weights, walker.record(sealed), walker.identity(sealed), walker.digest(sealed, 0)
        if position.kind == "decision":
            _ = walker.player(sealed), walker.executor.legal(sealed.cells, 0)
        position = walker.after(sealed, sealed.answers[-1])
    assert kinds == {"decision", "chance"}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_games_on_one_engine(engine: EngineName) -> None:
    playing = engine_for(MASTI, (Bot("casual"), Bot("random")) * 2, engine)

    def work(seed: int) -> tuple[Any, ...]:
        played = playing.play(seed, 0, 4, rows=True, counts=True)
        return played.tally.histograms, played.rows, played.counts

    same_together_as_alone(work, 12)


@pytest.mark.slow
@pytest.mark.parametrize("bot", [Bot("casual"), Bot("rollouts", 1)], ids=str)
def test_games_with_one_bot(bot: Bot) -> None:
    picker = policy_for(bot, LEDUC.machine)

    def work(seed: int) -> tuple[Any, ...]:
        state = LEDUC.start(seed)
        while not state.is_over:
            state.play_by(picker)
        return state.events, state.to_bytes()

    same_together_as_alone(work, 12)
