"""Bots that think about one game while somebody waits, and what thinks: the module of a table, or the reference engine.

Whoever waits is told how far a thought is, and may hurry it: then it ends with what it has so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache

from attrs import frozen

from ...common.deadline import excused
from ...machine.operators import Cells
from ...machine.reference.executor import Executor
from ...players.bots import PLAYOUTS_LIMIT, Bot
from ...players.policies import Policy
from ...players.reference_table import OnCells
from ...players.thoughts import Thinker, Thought, think_in_steps
from ..game import Game, State
from .outside import policy_of

HINT = 1000  # iterations of a hint
TOO_FEW = 10  # iterations of a thought that has come to nothing much


@frozen
class Effort:
    """How long a search thinks: so many iterations at the most, and so many seconds (None: any)."""

    iterations: int
    seconds: float | None = None


Watch = Callable[[str | None, Effort | None], AbstractContextManager[Callable[[int], bool]]]
"""Somebody who waits: (who thinks, None for a hint; how long, None where it is not known). It gives what is told how many
iterations there are, and says whether to go on."""


def nobody(who: str | None, effort: Effort | None) -> AbstractContextManager[Callable[[int], bool]]:
    """The `Watch` where nobody waits."""
    return nullcontext(lambda done: True)


def thinker_for(game: Game, fast: bool = True) -> Thinker:
    """A new thinker for a table (see `players/thoughts.py`). ``fast``: in its module, if the package wasmtime is there."""
    if fast:
        try:
            from ...wasm.running.thoughts import Thoughts

            return Thoughts(game.compiled)
        except (ImportError, OSError, RuntimeError):
            pass
    return OnCells(game.machine)


def thought_of(
    thinker: Thinker,
    history: Sequence[int],
    seat: int,
    seed: int,
    effort: Effort,
    who: str | None = None,
    watch: Watch = nobody,
    only: int | None = None,
) -> tuple[Thought, bool]:
    """What a search finds out about the decision of a seat (from 0) to which a history leads; whether it was hurried.

    The time that it takes does not count for the rules.
    """
    hurried = False
    with excused(), watch(who, effort) as goes_on:
        thinker.begin(history, seat, seed, only)
        for done in think_in_steps(thinker, effort.iterations, effort.seconds):
            if not goes_on(done):
                hurried = True
                break
        return thinker.conclude(), hurried


class SearchPolicy:
    """A `Policy`: the bot ``search:N``, or one that searches for a time. ``notes``: what is said of thoughts that ended early, in
    the language of ``game``."""

    def __init__(self, game: Game, thinker: Thinker, effort: Effort, watch: Watch, notes: list[str]) -> None:
        self._game, self._thinker, self._effort, self._watch, self._notes = game, thinker, effort, watch, notes

    def __call__(self, executor: Executor, cells: Cells, seat: int, history: Sequence[int]) -> int:
        options = executor.options(cells)
        if len(options) == 1:
            return options[0]
        seed, name, effort = executor.draw_word(cells, seat), self._game.seat_names[seat], self._effort
        found, hurried = thought_of(self._thinker, history, seat, seed, effort, name, self._watch)
        words, number, count = self._game.words, found.iterations, f"{found.iterations:,}"
        if hurried:
            told = words.phrase_for(
                number,
                "{player} was hurried, and acted after {count} iteration",
                "{player} was hurried, and acted after {count} iterations",
                player=name,
                count=count,
            )
            self._notes.append(told)
        elif effort.seconds is not None and found.iterations < TOO_FEW and not any(found.proved):
            told = words.phrase_for(
                number,
                "{time} is too short for {player}, who acted after {count} iteration",
                "{time} is too short for {player}, who acted after {count} iterations",
                time=in_seconds(effort.seconds),
                player=name,
                count=count,
            )
            self._notes.append(told)
        return found.choice


class WatchedPolicy:
    """A `Policy` that thinks, of which nobody knows how far it is."""

    def __init__(self, game: Game, policy: Policy, watch: Watch) -> None:
        self._game, self._policy, self._watch = game, policy, watch

    def __call__(self, executor: Executor, cells: Cells, seat: int, history: Sequence[int]) -> int:
        if len(executor.options(cells)) == 1:
            return self._policy(executor, cells, seat, history)
        with excused(), self._watch(self._game.seat_names[seat], None):
            return self._policy(executor, cells, seat, history)


def policies_for(
    game: Game,
    bots: Sequence[Bot],
    thinker: Callable[[], Thinker],
    seconds: float | None,
    watch: Watch,
    notes: list[str],
    spoken: Game | None = None,
) -> list[Policy]:
    """What chooses for each seat where somebody waits. ``seconds``: how long a search without a number of iterations thinks.
    ``spoken``: the game in the language of the notes (None: in its own words)."""

    def policy(bot: Bot) -> Policy:
        if bot.kind == "search":
            effort = Effort(bot.playouts or PLAYOUTS_LIMIT, None if bot.playouts else seconds)
            return SearchPolicy(spoken or game, thinker(), effort, watch, notes)
        return WatchedPolicy(game, policy_of(bot, game), watch) if bot.thinks or bot.kind == "python" else policy_of(bot, game)

    by_bot = {bot: policy(bot) for bot in set(bots)}
    return [by_bot[bot] for bot in bots]


def policies_beside(game: Game) -> Callable[[Bot], Policy]:
    """What gives the policy of a bot that plays beside players from outside: searches think in the module, if it runs here."""
    thinker = cache(lambda: thinker_for(game))
    return lambda bot: policies_for(game, [bot], thinker, None, nobody, [])[0]


class Advisor:
    """Tells a player what a search thinks of their options.

    The search knows what their seat knows, and draws from no stream of the game: so a hint changes nothing, and is the same
    whenever it is asked for.

    ``seconds``: how long it thinks (None: `HINT` iterations).
    """

    def __init__(
        self, game: Game, thinker: Callable[[], Thinker] | None = None, seconds: float | None = None, watch: Watch = nobody
    ) -> None:
        self._thinker = thinker or cache(lambda: thinker_for(game))
        self._seconds, self._watch = seconds, watch

    def asked(self, state: State, iterations: int | None = None) -> Thought:
        """What a search thinks of the decision where a game stands. ``iterations``: how many (None: as it is set)."""
        effort = Effort(iterations or HINT)
        if self._seconds is not None and iterations is None:
            effort = Effort(PLAYOUTS_LIMIT, self._seconds)
        return thought_of(self._thinker(), state.history, state.player - 1, 0, effort, None, self._watch)[0]


def play_again(state: State, policy: Policy, option: int) -> None:
    """Let a bot take the option that it took the last time. Those that think need not think again: their seat's stream of random
    numbers goes on as it did. `IllegalMove` for an option that is not legal."""

    def pick(executor: Executor, cells: Cells, seat: int, history: Sequence[int]) -> int:
        if len(executor.options(cells)) > 1:
            executor.draw_word(cells, seat)
        return option

    state.play_by(pick if isinstance(policy, SearchPolicy | WatchedPolicy) else policy)


def in_seconds(time: float) -> str:
    """A time of a microsecond at least, as ``--think`` takes it."""
    return f"{time:.6f}".rstrip("0").rstrip(".") + "s"
