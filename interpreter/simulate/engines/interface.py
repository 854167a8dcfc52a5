"""An engine plays many games: made for one machine and a bot for each seat, it plays the games of a seed by number.

Game ``n`` of a seed is the same game in every engine, on every thread and machine: its chance and its bots draw from the
streams of (seed, n) (see `machine.random_streams`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from attrs import frozen

from ...common.deadline import PATIENCE as PATIENCE
from ...common.deadline import too_long
from ...common.diagnostics import RulesError
from ...common.source import Span
from ..statistics.tally import Tally

if TYPE_CHECKING:
    from ...machine.columns import Columns
    from ...players.bots import Bot
    from ...wasm.running.compiled import Compiled
    from ..statistics.counts import Counts


@frozen(eq=False)
class Played:
    """What came of some games. ``rows``: if asked for, a row of the columns for each game, one after the other."""

    tally: Tally
    rows: array[int] | None = None
    counts: Counts | None = None


@frozen(eq=False)
class SentTable:
    """As much of a table as travels to another machine: ``module`` serves for all that is asked of it in one run."""

    columns: Columns
    module: Compiled

    @property
    def playouts(self) -> Compiled:
        return self.module

    @property
    def compiled(self) -> Compiled:
        return self.module


class Engine(Protocol):
    """Plays games of one machine by a tuple of bots. Threads that share one play by turns."""

    columns: Columns

    def seat(self, bots: Sequence[Bot]) -> None:
        """Let these bots play from now on, one for each seat."""

    def play(self, seed: int, first: int, count: int, rows: bool = False, counts: bool = False) -> Played:
        """Play the games of a seed from number ``first`` on, ``count`` of them."""


def game_too_long(seed: int, game: int, seconds: float, where: Span | None) -> RulesError:
    """What is raised where a game takes longer than an engine waits for it. ``where``: the line that was being done, if known."""
    return RulesError([too_long(f"game {game} of seed {seed}", seconds, where)])
