"""Plays several tables with common random numbers: game n of each of them, then the next, with the sums over pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from attrs import frozen

from ..players.bots import Bot
from .cluster import Cluster, ClusterRun
from .engines.engine import EngineName, engine_for, games_at_once, sent_table
from .running import AnyRun, Run, Work
from .simulation import Plan
from .statistics.pairs import Pairs, pairs_of
from .statistics.tally import Tally

if TYPE_CHECKING:
    from .engines.engine import Table


@frozen(eq=False)
class Together:
    """``games``: how many were played on each side. ``tallies``: of each side; ``pairs``: of the first with each other side."""

    games: int
    tallies: tuple[Tally, ...]
    pairs: tuple[Pairs, ...]

    def __add__(self, other: Together) -> Together:
        return Together(
            self.games + other.games,
            tuple(one + two for one, two in zip(self.tallies, other.tallies, strict=True)),
            tuple(one + two for one, two in zip(self.pairs, other.pairs, strict=True)),
        )


def none_yet(plans: Sequence[Plan]) -> Together:
    return Together(0, tuple(Tally.empty(plan.columns) for plan in plans), (Pairs(),) * (len(plans) - 1))


def run_together(plans: Sequence[Plan], jobs: int, cluster: Cluster | None = None) -> AnyRun[Together]:
    """The games of several plans, which have one seed and one number of games, on so many threads, or on a cluster."""
    at_once = min(games_at_once(plan.bots, plan.engine) for plan in plans)
    games, seed = plans[0].games, plans[0].seed
    if cluster is not None:
        sent = [(sent_table(plan.table, plan.bots, counts=False), plan.bots, plan.engine) for plan in plans]
        return ClusterRun(cluster, partial(_player, sent, seed), 0, games, at_once)
    sides = [(plan.table, plan.bots, plan.engine) for plan in plans]
    return Run([_player(sides, seed) for _ in range(jobs)], 0, games, at_once)


def _player(sides: Sequence[tuple[Table, tuple[Bot, ...], EngineName]], seed: int) -> Work[Together]:
    engines = [engine_for(*side, counts=False) for side in sides]

    def play(first: int, count: int) -> Together:
        played = [engine.play(seed, first, count, rows=len(engines) > 1) for engine in engines]
        pairs = []
        for engine, other in zip(engines[1:], played[1:], strict=True):
            assert played[0].rows is not None
            assert other.rows is not None
            pairs.append(pairs_of(engines[0].columns, played[0].rows, engine.columns, other.rows))
        return Together(count, tuple(side.tally for side in played), tuple(pairs))

    return play


def added_together(plans: Sequence[Plan], run: AnyRun[Together]) -> Iterator[Together]:
    """What has come of a run after each chunk."""
    found = none_yet(plans)
    for played in run:
        found += played
        yield found
