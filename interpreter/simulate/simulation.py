"""Many games of one table: the plan of a run and its results so far."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from ..machine.columns import Columns
from ..players.bots import Bot
from .cluster import Cluster, ClusterRun
from .engines.engine import EngineName, engine_for, games_at_once, sent_table
from .engines.interface import Played
from .running import AnyRun, Run, Work
from .statistics.counts import Counts
from .statistics.tally import Tally

if TYPE_CHECKING:
    from ..play.game import Game
    from ..play.kept import KeptTable
    from .engines.engine import Table


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

    def in_language(self, language: str) -> Plan:
        """The plan of the same games, which are told in a language. Raises the same as `Game.in_language`."""
        return evolve(self, table=self.game.in_language(language))


@frozen(eq=False)
class SoFar:
    """What came of the games 0 .. games - 1, the stopped ones included. ``rows``: of the last of them, if asked for."""

    games: int
    tally: Tally
    counts: Counts | None = None
    rows: array[int] | None = field(default=None, repr=False)


def nothing_yet(plan: Plan, counts: bool = False) -> SoFar:
    return SoFar(0, Tally.empty(plan.columns), Counts() if counts else None)


def run_of(
    plan: Plan, first: int, jobs: int, rows: bool = False, counts: bool = False, cluster: Cluster | None = None
) -> AnyRun[Played]:
    """The games of a plan from number ``first`` on, on so many threads, or on a cluster."""
    at_once = games_at_once(plan.bots, plan.engine)
    if cluster is not None:
        make = partial(_player, sent_table(plan.table, plan.bots, counts), plan.bots, plan.engine, plan.seed, rows, counts)
        return ClusterRun(cluster, make, first, plan.games, at_once)
    workers = [_player(plan.table, plan.bots, plan.engine, plan.seed, rows, counts) for _ in range(jobs)]
    return Run(workers, first, plan.games, at_once)


def _player(table: Table, bots: tuple[Bot, ...], engine: EngineName, seed: int, rows: bool, counts: bool) -> Work[Played]:
    return partial(engine_for(table, bots, engine, counts=counts).play, seed, rows=rows, counts=counts)


def added_up(begun: SoFar, run: AnyRun[Played]) -> Iterator[SoFar]:
    """What has come of a run after each chunk, on top of what was there before."""
    tally, counts = begun.tally, begun.counts
    for played in run:
        tally += played.tally
        if counts is not None and played.counts is not None:
            counts += played.counts
        yield SoFar(tally.games + tally.stopped, tally, counts, played.rows)
