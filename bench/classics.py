"""How fast are random games of the classics, beside the same games in OpenSpiel, which are written in C++?

``python bench/classics.py [--seconds S] [--rounds N] [GAME ...]``: whole random games a second, in one run and on one core, as
`compare.py` measures them. OpenSpiel plays them inside one call too: a search with one simulation and very many rollouts.
"""

from __future__ import annotations

import argparse
from functools import partial
from importlib import import_module
from time import perf_counter
from typing import Any

from rulesrun.bench.compare import Side, measure, stay_on_one_core, table, webassembly
from rulesrun.bench.reference import rules
from rulesrun.interpreter.play.game import load

# Of each game in games/classics, what OpenSpiel calls it.
GAMES = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "breakthrough": "breakthrough",
    "othello": "othello",
    "hex": "hex",
    "nim": "nim",
}
ROLLOUTS = 1000  # in a call


def openspiel(pyspiel: Any, name: str, seconds: float) -> float:
    """Rollouts from the beginning, a second. ``pyspiel``: the package."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    rollouts, began = 0, perf_counter()
    while (spent := perf_counter() - began) < seconds:
        evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, rollouts)
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1000, False, rollouts, False).mcts_search(state)
        rollouts += ROLLOUTS
    return rollouts / spent


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the classics beside OpenSpiel.")
    parser.add_argument("games", nargs="*", default=list(GAMES), metavar="GAME", help=f"of {', '.join(GAMES)} (default all)")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each side plays in a round (default 1)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each side plays; the best counts (default 3)")
    arguments = parser.parse_args()
    print(f"{stay_on_one_core()}, the best of {arguments.rounds} rounds of {arguments.seconds:g} s\n")
    pyspiel = None
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        print("(OpenSpiel is not installed: `pip install open_spiel`)\n")
    for name in arguments.games:
        found = [Side("WebAssembly", partial(webassembly, load(rules(f"classics/{name}"))))]
        if pyspiel is not None:
            found.append(Side("OpenSpiel", partial(openspiel, pyspiel, GAMES[name])))
        print(table(name, found, measure(found, arguments.seconds, arguments.rounds)), flush=True)
        print()


if __name__ == "__main__":
    main()
