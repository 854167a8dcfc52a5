"""Compares bots that search with OpenSpiel's, which are written in C++: how fast they are, and who wins at equal iterations.

``python bench/searching.py [--seconds S] [--games N] [--iterations N] [GAME ...]``: for each game, in one run and on one core,
iterations a second from the same positions, which random games come to, and the ratio. Then, with ``--games``, so many games of
ours against theirs, with the same number of iterations for each choice, and an interval of 95 %. Half of them are played with the
seats exchanged. What is told is the share of the win that our seats have together: their bots play for points instead.

Both games go the same way (`tests/games/test_beside_openspiel.py`). Theirs is `MCTSBot` where nothing is hidden, told to keep
what is proven, otherwise `ISMCTSBot`, told to take the option with the most visits. The constant of UCB1 is the same on both
sides, for returns of the same range. Their random numbers differ from ours, and so do the worlds that are imagined.

In hearts no cards are passed, since their bot crashes there. Spades is missing, since their game cannot be imagined.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from statistics import mean, stdev
from time import perf_counter
from typing import Any

from rulesrun.bench.compare import stay_on_one_core
from rulesrun.interpreter.common.extras import extra
from rulesrun.interpreter.machine.machine import Chance
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.players.workspace import EXPLORATION
from rulesrun.interpreter.wasm.running.executor import WasmExecutor
from rulesrun.interpreter.wasm.running.thoughts import Thoughts

pyspiel: Any = extra("pyspiel", "openspiel", "this comparison")

from rulesrun.tests.games.test_beside_openspiel import CLASSICS, Pair, act, dealt  # noqa: E402

PAIRS = {
    "tic_tac_toe": Pair("tic_tac_toe", 2),
    "connect_four": Pair("connect_four", 2),
    "breakthrough": Pair("breakthrough", 2),
    "leduc_poker": Pair("leduc_poker", 2),
    "hearts": Pair("hearts", 4, {"pass_cards": False}, {"cards_are_passed": "no"}),
    "oh_hell": Pair("oh_hell", 4, {"players": 4, "num_tricks_fixed": 8}, {"tricks_played": 8}),
}
POSITIONS = 8  # from which the speed is measured
SLICE = 1000  # iterations of a thought whose time is taken


class Both:
    """A game in progress, ours and theirs. ``history``: our options and outcomes so far."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.theirs = pyspiel.load_game(pair.name, pair.there)
        self.ours = load(CLASSICS / f"{pair.name}.rules", pair.players, pair.variants, pair.options)
        self.executor = WasmExecutor(self.ours.machine, self.ours.compiled)
        self.thoughts = Thoughts(self.ours.compiled)
        numbers = range(self.ours.machine.options)
        self.texts = {number: self.ours.option_text(number).split(" ", 1)[-1].removeprefix("on ") for number in numbers}
        low, high = self.theirs.min_utility(), self.theirs.max_utility()
        self.constant = EXPLORATION * (high - low)

    def begin(self, random: Random) -> None:
        """A new game, up to the first decision."""
        self.state, self.cells = self.theirs.new_initial_state(), self.executor.fresh()
        self.stop = self.executor.enter(self.cells)
        self.history: list[int] = []
        self._settle(random)

    @property
    def actions(self) -> dict[int, int]:
        """Our option for each of their actions that is legal."""
        ours = {self.texts[number]: number for number in self.executor.options(self.cells)}
        state, moved = self.state, self.state.move_number()
        return {each: ours[act(self.pair, state.action_to_string(each), moved)] for each in state.legal_actions()}

    def take(self, action: int, random: Random) -> None:
        """One of their actions is taken in both games, which go on to the next decision."""
        option = self.actions[action]
        self.state.apply_action(action)
        self.history.append(option)
        self.stop = self.executor.choose(self.cells, option)
        self._settle(random)

    def _settle(self, random: Random) -> None:
        while self.state.is_chance_node():
            outcomes = sorted({number for number, _ in self.state.chance_outcomes()} & set(self.state.legal_actions()))
            number = random.choice(outcomes)
            brought = self.state.action_to_string(self.state.current_player(), number)
            self.state.apply_action(number)
            if len(outcomes) == 1 and (self.stop.kind != "chance" or len(self.executor.outcomes(self.cells)) > 1):
                continue  # what nobody can be uncertain of is no event here
            assert isinstance(self.stop.node, Chance)
            domain = self.stop.node.domain
            possible = {domain.names[value - domain.low]: value for value, _ in self.executor.outcomes(self.cells)}
            value = possible[dealt(self.pair, brought, number, "player 1" in possible)]
            self.history.append(value)
            self.stop = self.executor.happen(self.cells, value)

    # ---- Those who choose

    def our_action(self, iterations: int, seed: int) -> int:
        self.thoughts.begin(self.history, self.state.current_player(), seed)
        self.thoughts.ponder(iterations)
        option = self.thoughts.conclude().choice
        return next(action for action, ours in self.actions.items() if ours == option)

    def their_action(self, iterations: int, seed: int) -> int:
        return int(self.their_bot(iterations, seed).step(self.state))

    def their_bot(self, iterations: int, seed: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        if self.hides:
            policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            return pyspiel.ISMCTSBot(seed, evaluator, self.constant, iterations, -1, policy, False, False)
        return pyspiel.MCTSBot(self.theirs, evaluator, self.constant, iterations, 1000, True, seed, False)

    @property
    def hides(self) -> bool:
        return bool(self.theirs.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION)

    # ---- Iterations

    def our_iterations(self, seed: int) -> int:
        self.thoughts.begin(self.history, self.state.current_player(), seed)
        done = self.thoughts.ponder(SLICE)
        self.thoughts.conclude()
        return done

    def their_iterations(self, seed: int) -> int:
        bot = self.their_bot(SLICE, seed)
        if self.hides:
            bot.step(self.state)
            return SLICE
        return int(bot.mcts_search(self.state).explore_count)


def positions(both: Both, random: Random) -> Iterator[None]:
    """Let the games stand at some decisions with several options, one after the other."""
    for _ in range(POSITIONS):
        lengths = []
        both.begin(random)
        while not both.state.is_terminal():
            lengths.append(len(both.history))
            both.take(random.choice(both.state.legal_actions()), random)
        until = random.choice(lengths[: max(1, len(lengths) // 2)])
        both.begin(random)
        while not both.state.is_terminal() and (len(both.history) < until or len(both.state.legal_actions()) == 1):
            both.take(random.choice(both.state.legal_actions()), random)
        if not both.state.is_terminal():
            yield


def speeds(both: Both, seconds: float) -> tuple[float, float]:
    """Iterations a second, ours and theirs."""
    done, spent = [0, 0], [0.0, 0.0]
    for number, _ in enumerate(positions(both, Random(1))):
        for side, think in enumerate((both.our_iterations, both.their_iterations)):
            think(number)
            began = perf_counter()
            while (passed := perf_counter() - began) < seconds / POSITIONS:
                done[side] += think(number)
            spent[side] += passed
    return done[0] / spent[0], done[1] / spent[1]


def results(both: Both, games: int, iterations: int) -> Sequence[float]:
    """The share of the win that our seats, every second one, have in each game."""
    found = []
    for number in range(games):
        random = Random(number // 2)
        both.begin(random)
        while not both.state.is_terminal():
            legal = both.state.legal_actions()
            is_ours = both.state.current_player() % 2 == number % 2
            choose = both.our_action if is_ours else both.their_action
            seed = random.getrandbits(31)
            both.take(legal[0] if len(legal) == 1 else choose(iterations, seed), random)
        returns = both.state.returns()
        winners = [seat for seat, got in enumerate(returns) if got == max(returns)]
        found.append(sum(seat % 2 == number % 2 for seat in winners) / len(winners))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Our search beside OpenSpiel's.")
    parser.add_argument("games", nargs="*", help=f"by name; default: {', '.join(PAIRS)}")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each side is measured (default 2; 0: not at all)")
    parser.add_argument("--games", type=int, default=0, dest="count", help="games of ours against theirs (default 0)")
    parser.add_argument("--iterations", type=int, default=1000, help="for each choice in these games (default 1000)")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.games if name not in PAIRS]
    if unknown:
        parser.error(f"not known here: {', '.join(unknown)}; there is {', '.join(PAIRS)}")
    print(f"{stay_on_one_core()}, positions of random games\n")
    if arguments.seconds > 0:
        print(f"{'iterations/s':<16}{'ours':>14}{'OpenSpiel':>14}{'ratio':>8}")
        for name in arguments.games or PAIRS:
            ours, theirs = speeds(Both(PAIRS[name]), arguments.seconds)
            print(f"{name:<16}{ours:>14,.0f}{theirs:>14,.0f}{ours / theirs:>8.1f}", flush=True)
        print()
    if arguments.count > 1:
        print(f"{f'{arguments.iterations} iterations':<16}{'games':>8}{'our share':>12}{'95 % interval':>20}")
        for name in arguments.games or PAIRS:
            found = results(Both(PAIRS[name]), arguments.count, arguments.iterations)
            share, about = mean(found), 1.96 * stdev(found) / sqrt(len(found))
            interval = f"{share - about:.1%} .. {share + about:.1%}"
            print(f"{name:<16}{len(found):>8}{share:>12.1%}{interval:>20}", flush=True)


if __name__ == "__main__":
    main()
