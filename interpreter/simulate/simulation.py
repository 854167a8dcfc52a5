"""Many games of one table: the plan of a run and its results so far."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from attrs import field, frozen

from ..machine.columns import Columns
from ..players.bots import Bot
from .engines.engine import EngineName, engine_for, games_at_once
from .engines.interface import Played
from .running import Run
from .statistics.counts import Counts
from .statistics.tally import Tally

if TYPE_CHECKING:
    from ..play.game import Game
    from ..play.kept import KeptTable


@frozen(eq=False)
class Plan:
    """``bots``: one for each seat. ``games``: those of ``seed`` with the numbers 0 .. games - 1.

    ``arguments``: how a command line names the table: the file, then ``--players`` and so on.
    """

    table: Game | KeptTable
    bots: tuple[Bot, ...]
    seed: int
    games: int
    engine: EngineName
    arguments: tuple[str, ...] = ()

    @property
    def columns(self) -> Columns:
        return self.table.columns

    @property
    def game(self) -> Game:
        """The whole table: one that is kept is read for it."""
        return self.table.game


@frozen(eq=False)
class SoFar:
    """What came of the games 0 .. games - 1, the stopped ones included. ``rows``: of the last of them, if asked for."""

    games: int
    tally: Tally
    counts: Counts | None = None
    rows: array[int] | None = field(default=None, repr=False)


def nothing_yet(plan: Plan, counts: bool = False) -> SoFar:
    return SoFar(0, Tally.empty(plan.columns), Counts() if counts else None)


def run_of(plan: Plan, first: int, jobs: int, rows: bool = False, counts: bool = False) -> Run[Played]:
    """The games of a plan from number ``first`` on, on so many threads."""
    engines = [engine_for(plan.table, plan.bots, plan.engine, counts=counts) for _ in range(jobs)]
    workers = [partial(engine.play, plan.seed, rows=rows, counts=counts) for engine in engines]
    return Run(workers, first, plan.games, games_at_once(plan.bots, plan.engine))


def added_up(begun: SoFar, run: Run[Played]) -> Iterator[SoFar]:
    """What has come of a run after each chunk, on top of what was there before."""
    tally, counts = begun.tally, begun.counts
    for played in run:
        tally += played.tally
        if counts is not None and played.counts is not None:
            counts += played.counts
        yield SoFar(tally.games + tally.stopped, tally, counts, played.rows)
