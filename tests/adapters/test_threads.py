"""Threads that use adapters of one table play exactly the games that each seed plays alone."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ..together import same_together_as_alone

np = pytest.importorskip("numpy")
pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from rulesrun.interpreter.adapters.adapted_tables import choice_of, read_table  # noqa: E402
from rulesrun.interpreter.adapters.aec import AECEnvironment  # noqa: E402  # which needs them
from rulesrun.interpreter.adapters.playing import Playing  # noqa: E402
from rulesrun.interpreter.adapters.seat import SeatEnvironment  # noqa: E402
from rulesrun.interpreter.adapters.vector import VectorEnvironment  # noqa: E402
from rulesrun.interpreter.simulate.engines.engine import ENGINES, EngineName  # noqa: E402

GAMES = Path(__file__).parents[2] / "games"
LEDUC, MASTI = GAMES / "classics" / "leduc_poker.rules", GAMES / "masti.rules"


def numbers(found: Any) -> list[Any]:
    """What arrays hold, so that it can be compared."""
    return [(name, found[name].tolist()) for name in sorted(found)]


@pytest.mark.conformance
@pytest.mark.parametrize("engine", ENGINES)
def test_games_in_progress_of_one_table(engine: EngineName) -> None:
    table = read_table(choice_of(MASTI, 3, engine=engine))

    def work(seed: int) -> list[Any]:
        game = Playing.begun(table, seed)
        found: list[tuple[int, list[int], bytes]] = []
        while not game.is_over:
            found.append((game.player, game.options, game.record))
            game = game.copy()
            game.play(game.pick())
        return [*found, game.returns, game.state.view()]

    same_together_as_alone(work, 12)


@pytest.mark.conformance
def test_environments_of_pettingzoo() -> None:
    made = AECEnvironment(LEDUC)

    def work(seed: int) -> list[Any]:
        env, random = copy.copy(made), Random(seed)
        found: list[tuple[Any, ...]] = []
        env.reset(seed)
        while not env.playing.is_over:
            seen = env.observe(env.agent_selection)
            found.append((env.agent_selection, numbers(seen), env.state().tolist()))
            env.step(random.choice(np.flatnonzero(seen["action_mask"])))
            env = pickle.loads(pickle.dumps(env))
        return [*found, env.rewards]

    same_together_as_alone(work, 16)


@pytest.mark.conformance
def test_environments_of_gymnasium() -> None:
    made = SeatEnvironment(LEDUC, seat=1)

    def work(seed: int) -> list[Any]:
        env, random = copy.copy(made), Random(seed)
        seen, _ = env.reset(seed=seed)
        over = False
        found: list[Any] = [numbers(seen)]
        while not over:
            seen, reward, over, _, _ = env.step(random.choice(np.flatnonzero(seen["action_mask"])))
            found.append((numbers(seen), reward))
        return found

    same_together_as_alone(work, 16)


@pytest.mark.conformance
@pytest.mark.parametrize("seat", [None, 1])
def test_vector_environments(seat: int | None) -> None:
    made = VectorEnvironment(LEDUC, 5, seat=seat)

    def work(seed: int) -> list[Any]:
        env, random = copy.copy(made), Random(seed)
        seen, _ = env.reset(seed=seed)
        found = [numbers(seen)]
        for _ in range(20):
            seen, rewards, over, _, infos = env.step([random.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])
            found += [numbers(seen), rewards.tolist(), over.tolist(), infos["player"].tolist()]
        return found

    same_together_as_alone(work, 12)


def spiel() -> Any:
    """The adapter for OpenSpiel."""
    pytest.importorskip("pyspiel")
    from rulesrun.interpreter.adapters import openspiel

    return openspiel


def walked(game: Any, seed: int) -> list[Any]:
    """A game of OpenSpiel at random, with all that is asked on the way."""
    state, random = game.new_initial_state(), Random(seed)
    found: list[Any] = []
    while not state.is_terminal():
        if state.is_chance_node():
            found.append(state.chance_outcomes())
            state.apply_action(random.choice([outcome for outcome, _ in state.chance_outcomes()]))
            continue
        player = state.current_player()
        found += [state.information_state_string(player), state.observation_tensor(player), str(state), state.legal_actions()]
        if random.random() < 0.2:
            found.append(state.resample_from_infostate(player, random.random).history())
        state = state.clone()
        state.apply_action(random.choice(state.legal_actions()))
    return [*found, state.returns(), state.history()]


@pytest.mark.conformance
def test_states_of_one_game_of_openspiel() -> None:
    game = spiel().load(LEDUC)
    same_together_as_alone(lambda seed: walked(game, seed), 24)
