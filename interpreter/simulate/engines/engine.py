"""The interface of engines: an engine is made for one machine and one bot for each seat, and plays the games of a seed by number.

Game ``n`` of a seed is the same game in every engine, on every thread and machine: its chance and its bots draw from the streams
of (seed, n) (see `machine.random_streams`).

A new engine is named here and nowhere else. Its rows must be those of `reference.py`, column by column (`machine/columns.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, assert_never, get_args

from .interface import PATIENCE, Engine, SentTable

if TYPE_CHECKING:  # a table that is kept is played without the compiler
    from ...play.game import Game
    from ...play.kept import KeptTable
    from ...players.bots import Bot
    from ...wasm.running.compiled import Compiled

    Table = Game | KeptTable | SentTable

EngineName = Literal["wasm", "reference"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)


def engine_to_use(asked: EngineName | None, bots: Sequence[Bot] = ()) -> tuple[EngineName, str]:
    """The engine where this one is asked for (None: the fastest on which these bots play), and a notice about it ("": there is
    none)."""
    if asked == "reference":
        return asked, ""
    if any(bot.kind == "python" for bot in bots):
        return "reference", "" if asked is None else "a player in Python plays on the reference engine"
    try:
        from ...wasm.running import instance  # noqa: F401  # it is tried, not used
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


def engine_for(table: Table, bots: Sequence[Bot], name: EngineName, patience: float = PATIENCE, counts: bool = True) -> Engine:
    """A new engine. ``bots``: one for each seat. ``patience``: seconds that a game may take. ``counts``: whether
    it can be asked to count what is on offer.
    """
    match name:
        case "wasm":
            from .module import WasmEngine

            return WasmEngine(module_for(table, bots, counts), bots, patience)
        case "reference":
            from .reference import ReferenceEngine

            assert not isinstance(table, SentTable), "rules do not travel"
            game = table.game
            if not any(bot.kind == "python" for bot in bots):
                return ReferenceEngine(game.machine, bots, patience)
            from ...play.bots.thinking import policies_beside

            return ReferenceEngine(game.machine, bots, patience, policies_beside(game))
        case _:
            assert_never(name)


def module_for(table: Table, bots: Sequence[Bot], counts: bool) -> Compiled:
    """The module that plays: a small one where it plays random games and counts nothing beside."""
    return table.playouts if not counts and all(bot.kind == "random" for bot in bots) else table.compiled


def sent_table(table: Game | KeptTable, bots: Sequence[Bot], counts: bool) -> SentTable:
    """What travels of a table on which these bots play."""
    module = module_for(table, bots, counts)
    return SentTable(table.columns, type(module)(module.content, module.description))  # without its native code


def games_at_once(bots: Sequence[Bot], name: EngineName) -> int:
    """How many games an engine is asked for in one go: what takes less than a second or so, since only whole goes count when
    a run is interrupted."""
    match name:
        case "wasm":
            thinking = max(bot.playouts for bot in bots)
            return max(1, 50 // thinking) if thinking else 20_000
        case "reference":
            return 1 if any(bot.thinks or bot.kind == "python" for bot in bots) else 100
        case _:
            assert_never(name)
