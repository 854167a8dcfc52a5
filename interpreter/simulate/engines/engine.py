"""Who plays many games? An engine: made for one machine and one bot for each seat, it plays the games of a seed by number.

Game ``n`` of a seed is the same game in every engine, on every thread and machine: its chance and its bots draw from the
streams of (seed, n) (see `machine.random_streams`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, assert_never, get_args

from attrs import frozen

from ...common.diagnostics import RulesError, fault
from ...players.hidden_values import refuse
from ..statistics.tally import Tally

if TYPE_CHECKING:  # a table that is kept is played without the compiler
    from ...machine.columns import Columns
    from ...play.game import Game
    from ...play.kept import KeptTable
    from ...players.bots import Bot
    from ..statistics.counts import Counts

EngineName = Literal["wasm", "reference"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)
PATIENCE = 60.0  # seconds: a game that is not over by then will not end in anybody's time


@frozen(eq=False)
class Played:
    """What came of some games. ``rows``: if asked for, a row of the columns for each game, one after the other."""

    tally: Tally
    rows: array[int] | None = None
    counts: Counts | None = None


class Engine(Protocol):
    """Plays games of one machine by one tuple of bots. Threads that share one play by turns."""

    columns: Columns

    def play(self, seed: int, first: int, count: int, rows: bool = False, counts: bool = False) -> Played:
        """Play the games of a seed from number ``first`` on, ``count`` of them."""


def engine_to_use(asked: EngineName | None) -> tuple[EngineName, str]:
    """The engine where this one is asked for (None: the fastest that there is), and a notice about it ("": there is none)."""
    if asked == "reference":
        return asked, ""
    try:
        import wasmtime  # noqa: F401  # it is tried, not used
    except ImportError:
        return "reference", "games are played slowly, since the package `wasmtime` is missing: `pip install wasmtime`"
    except (OSError, RuntimeError) as error:
        return "reference", f"games are played slowly, since the package `wasmtime` does not run here: {error}"
    return "wasm", ""


def executor_for(game: Game, name: EngineName) -> Any:
    """What plays a game step by step: a `WasmExecutor` or the reference `Executor`, which are used alike."""
    if name == "reference":
        return game.executor
    from ...wasm.running.executor import WasmExecutor

    return WasmExecutor(game.machine, game.compiled)


def engine_for(
    table: Game | KeptTable, bots: Sequence[Bot], name: EngineName, patience: float = PATIENCE, counts: bool = True
) -> Engine:
    """A new engine. ``bots``: one for each seat. ``patience``: seconds that a game may take. ``counts``: whether
    it can be asked to count what is on offer.

    Raises `RulesError` (R808) where a bot cannot play at this table.
    """
    match name:
        case "wasm":
            from .module import WasmEngine

            if any(bot.kind == "rollouts" for bot in bots):
                refuse(table.compiled.description["hidden_values"])
            alone = not counts and all(bot.kind == "random" for bot in bots)
            return WasmEngine(table.playouts if alone else table.compiled, bots, patience)
        case "reference":
            from .reference import ReferenceEngine

            return ReferenceEngine(table.game.machine, tuple(bots), patience)
        case _:
            assert_never(name)


def too_long(seed: int, game: int, seconds: float) -> RulesError:
    """What is raised where a game takes longer than an engine waits for it."""
    text = f"game {game} of seed {seed} was still going after {seconds:.0f} seconds"
    return RulesError([fault("R820", text, help="let its loops go round less often")])


def games_at_once(bots: Sequence[Bot], name: EngineName) -> int:
    """How many games an engine is asked for in one go: what takes less than a second or so, since only whole goes count when
    a run is interrupted."""
    match name:
        case "wasm":
            thinking = max(bot.playouts for bot in bots)
            return max(1, 50 // thinking) if thinking else 20_000
        case "reference":
            return 1 if any(bot.kind == "rollouts" for bot in bots) else 100
        case _:
            assert_never(name)
