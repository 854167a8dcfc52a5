"""Steps a second of one core that the environments take, with random actions that numpy chooses.

``python bench/environments.py [GAME.rules ...] [--games N] [--seconds S]``: a line for each file (without any: connect_four of
``games/classics`` where it is there, and masti), beside OpenSpiel's own C++ of that name, stepped from Python one by one.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from rulesrun.bench.compare import stay_on_one_core
from rulesrun.interpreter.adapters.vector import VectorEnvironment
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.common.extras import extra

numpy: Any = extra("numpy", "rl", "this benchmark")

GAMES = Path(__file__).parent.parent / "games"
DEFAULT = [GAMES / "classics" / "connect_four.rules", GAMES / "masti.rules"]


def steps_a_second(path: Path, games: int, seconds: float, observe: bool) -> float:
    """Steps of all games together. ``observe``: with numbers of what each seat sees, else with masks alone."""
    environment = VectorEnvironment(path, games, observe=observe)
    random = numpy.random.default_rng(1)
    seen, _ = environment.reset(seed=1)
    steps, began = 0, process_time()
    while (spent := process_time() - began) < seconds:
        mask = seen["action_mask"]
        actions = (random.random(mask.shape, dtype=numpy.float32) + mask).argmax(axis=1)
        seen, *_ = environment.step(actions)
        steps += games
    return steps / spent


def openspiel_steps_a_second(name: str, seconds: float) -> float | None:
    """Steps a second of OpenSpiel's game of that name; None where it, or OpenSpiel, is not there."""
    try:
        pyspiel = extra("pyspiel", "openspiel", "this benchmark")
    except RulesError:
        return None
    if name not in pyspiel.registered_names():
        return None
    game, random = pyspiel.load_game(name), Random(1)
    steps, began = 0, process_time()
    while (spent := process_time() - began) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
    return steps / spent


def main() -> None:
    parser = argparse.ArgumentParser(description="Steps a second of the vector environment.")
    parser.add_argument("files", nargs="*", type=Path, help="games; default: connect_four and masti")
    parser.add_argument("--games", type=int, default=1024, help="how many are played side by side (default 1024)")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each is stepped (default 2)")
    arguments = parser.parse_args()
    print(f"{stay_on_one_core()}, {arguments.games} games side by side, steps a second\n")
    print(f"{'':<24}{'observed':>14}{'masks alone':>14}{'OpenSpiel':>14}")
    for path in arguments.files or [path for path in DEFAULT if path.exists()]:
        found = [steps_a_second(path, arguments.games, arguments.seconds, observe) for observe in (True, False)]
        other = openspiel_steps_a_second(path.stem, arguments.seconds)
        print(f"{path.stem:<24}{found[0]:>14,.0f}{found[1]:>14,.0f}{'-' if other is None else f'{other:,.0f}':>14}", flush=True)


if __name__ == "__main__":
    main()
