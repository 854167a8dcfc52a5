"""The players in the games of a study: the bots of `simulate`, with what search thinks of the options where a bot searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...machine.analysis import derived
from ...machine.random_streams import next_word
from ...machine.reference.executor import Executor
from ...play.bots.outside import policy_of
from ...play.bots.thinking import thinker_for
from ...play.game import Game
from ...players.bots import Bot
from ...players.thoughts import Thought
from ...simulate.engines.engine import EngineName, executor_for
from .course import Chooser, OutOfTime, Player
from .opinions import Opinion

AT_ONCE = 100  # iterations between two looks at the clock; a call of a module has a limit of its own, so it is kept short


def player_for(game: Game, bots: Sequence[Bot], engine: EngineName) -> Player:
    """What plays courses of a table with these bots, one for each seat."""
    steps_fast = engine == "wasm" and all(bot.kind in ("random", "search") for bot in bots)
    # of its own, since it can be told to leave off
    executor = executor_for(game, "wasm") if steps_fast else Executor(game.machine)
    searching = _Searching(game, executor, engine) if any(bot.kind == "search" for bot in bots) else None
    choosers: list[Chooser] = []
    for bot in bots:
        if bot.kind == "search":
            assert searching is not None
            choosers.append(searching.of(bot))
        else:
            choosers.append(_by_policy(game, bot, executor))

    def choose(
        cells: Any, seat: int, history: Sequence[int], legal: Sequence[int], is_over: Callable[[], bool]
    ) -> tuple[int, Opinion | None]:
        return choosers[seat](cells, seat, history, legal, is_over)

    return Player(game.machine, executor, choose)


def _by_policy(game: Game, bot: Bot, executor: Any) -> Chooser:
    policy = policy_of(bot, game)
    return lambda cells, seat, history, legal, is_over: (policy(executor, cells, seat, history), None)


class _Searching:
    """Chooses as bots that search do, and keeps what they think."""

    def __init__(self, game: Game, executor: Any, engine: EngineName) -> None:
        self._thinker = thinker_for(game, fast=engine == "wasm")
        self._executor = executor
        self._streams = game.machine.layout.record[derived.control(game.machine).streams].offset + 8

    def of(self, bot: Bot) -> Chooser:
        def choose(
            cells: Any, seat: int, history: Sequence[int], legal: Sequence[int], is_over: Callable[[], bool]
        ) -> tuple[int, Opinion | None]:
            if len(legal) == 1:
                return legal[0], None  # nothing is drawn
            thinker, done = self._thinker, 0
            thinker.begin(history, seat, self._word(cells, seat))
            while done < bot.playouts:
                asked = min(done + AT_ONCE, bot.playouts)
                done = thinker.ponder(asked)
                if done < asked:
                    break  # the position is proven
                if is_over():
                    raise OutOfTime
            thought = thinker.conclude()
            return thought.choice, _opinion(thought)

        return choose

    def _word(self, cells: Any, seat: int) -> int:
        """The next word of a seat's own stream, which is the seed of its thought."""
        if not isinstance(cells, bytearray):
            return int(self._executor.draw_word(cells, seat))
        at = slice(self._streams + 8 * seat, self._streams + 8 * seat + 8)
        state, word = next_word(int.from_bytes(cells[at], "little"))
        cells[at] = state.to_bytes(8, "little")
        return word


def _opinion(thought: Thought) -> Opinion | None:
    if thought.worlds == "none":
        return None
    return Opinion(thought.shares, thought.visits, thought.proved, thought.options.index(thought.choice))
