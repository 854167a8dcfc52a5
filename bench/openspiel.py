"""Compares the speed of random games of the rules with OpenSpiel in C++, for the games that both have.

``python bench/openspiel.py [--seconds S] [--rounds N] [GAME ...]``: whole random games a second, in one run and on one core, of
the files in ``games/classics`` that there are (or of those named), as `compare.py` measures and prints them. OpenSpiel's sides:

- *rollouts*: `pyspiel.MCTSBot` with a rollout evaluator and one simulation, which plays all of them within one call, in C++. It
  cannot begin at chance, so a game that begins with a deal is dealt once: its rollouts leave out the deal that each of our games
  does. Nor can it play what is paid before the end (cribbage).
- *whole games*: `pyspiel.evaluate_bots` between its random bots in C++, one call a game, the deal included.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from rulesrun.bench.compare import Side, measure, stay_on_one_core, table, webassembly
from rulesrun.interpreter.common.extras import extra
from rulesrun.interpreter.play.game import load

pyspiel: Any = extra("pyspiel", "openspiel", "this comparison")

CLASSICS = Path(__file__).parent.parent / "games" / "classics"
CALLED = {"draughts": "checkers", "kalah": "mancala"}  # what a game is called there, where that is another name
SAME = (  # files that OpenSpiel has, and plays by the same rules unless one of us is told otherwise
    "tic_tac_toe", "connect_four", "breakthrough", "othello", "hex", "nim", "dots_and_boxes", "nine_mens_morris", "draughts",
    "go", "kalah", "backgammon", "kuhn_poker", "leduc_poker", "liars_dice", "blackjack", "goofspiel", "oh_hell", "hearts",
    "spades", "euchre", "cribbage", "crazy_eights", "go_fish", "gin_rummy",
)  # fmt: skip

# Variants and options, where OpenSpiel's rules are not those of the file by default, and OpenSpiel's parameters.
TOLD: dict[str, tuple[tuple[str, ...], dict[str, int]]] = {
    "liars_dice": (("one_round",), {"dice_each": 1}),
    "cribbage": (("openspiel_count",), {}),
}
THERE: dict[str, dict[str, int]] = {"backgammon": {"max_player_turns": 999}, "go": {"board_size": 9}}


def game_there(name: str) -> Any:
    return pyspiel.load_game(CALLED.get(name, name), THERE.get(name, {}))


def rollouts(name: str, seconds: float) -> float:
    game, random = game_there(name), Random(1)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)  # the bot knows no other games
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(random.choice(state.legal_actions()))
    count = 100
    while True:
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(count, 1), 2.0, 1, 1000, False, 1, False)
        began = perf_counter()
        bot.mcts_search(state)
        spent = perf_counter() - began
        if spent >= seconds:
            return count / spent
        count = max(2 * count, int(1.1 * count * seconds / spent)) if spent > seconds / 100 else 10 * count


def whole_games(name: str, seconds: float) -> float:
    game = game_there(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    count, began = 0, perf_counter()
    while (spent := perf_counter() - began) < seconds:
        for _ in range(100):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, count)
            count += 1
    return count / spent


def sides(path: Path, name: str) -> Iterator[Side]:
    """What plays a game: we, and OpenSpiel in two ways."""
    players = game_there(name).num_players()
    yield Side("WebAssembly", partial(webassembly, load(path, players, *TOLD.get(name, ((), {})))))
    if game_there(name).get_type().reward_model == pyspiel.GameType.RewardModel.TERMINAL:
        yield Side("OpenSpiel, rollouts", partial(rollouts, name))
    yield Side("OpenSpiel, whole games", partial(whole_games, name))


def compare(names: Iterable[str], seconds: float, rounds: int) -> None:
    """Measure some games, and print how fast each side is."""
    for name in names:
        found = list(sides(CLASSICS / f"{name}.rules", name))
        print(table(name, found, measure(found, seconds, rounds)), flush=True)
        print()


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of our fast engine beside OpenSpiel's games in C++.")
    parser.add_argument("games", nargs="*", help="files, by name; default: all that both have")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each side plays in a round (default 1)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each side plays; the best counts (default 3)")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.games if name not in SAME]
    if unknown:
        parser.error(f"OpenSpiel is not known to have {', '.join(unknown)}; there is {', '.join(SAME)}")
    print(f"{stay_on_one_core()}, the best of {arguments.rounds} rounds of {arguments.seconds:g} s\n")
    compare(arguments.games or SAME, arguments.seconds, arguments.rounds)


if __name__ == "__main__":
    main()
