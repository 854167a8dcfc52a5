"""Measures tables from Python: simulations, comparisons and tournaments, with the numbers that the commands print.

All numbers are exact fractions. A statistic is named as in conditions of the commands: ``win_share[seat 1]``,
``terms_mean[coins][seat 2]``, ``score_quantiles[0.5][seat 1]``.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from itertools import chain
from time import monotonic
from typing import Any, TypeVar

from attrs import field, frozen

from ..common.diagnostics import Diagnostic
from ..play.arguments import ArgumentError, shown
from ..play.game import Game
from ..players.bots import Bot, bots_from
from ..simulate import tournament as tournaments
from ..simulate.cluster import Cluster, cluster_at
from ..simulate.engines.engine import ENGINES, EngineName, engine_to_use
from ..simulate.output import output, parquet
from ..simulate.output.standings import Standings, standings
from ..simulate.seatings import contestants
from ..simulate.simulation import Plan, added_up, nothing_yet, run_of
from ..simulate.statistics.compare import Difference, Side, differences
from ..simulate.statistics.statistics import Statistic, statistics
from ..simulate.statistics.tally import GAMES_LIMIT, Tally
from ..simulate.stops import stops
from ..simulate.together import added_together, none_yet, run_together

JOBS_LIMIT = 256
SEED_LIMIT = (1 << 64) - 1

_Value = TypeVar("_Value")


@frozen(eq=False, slots=False, repr=False)
class Simulation:
    """What came of many games at one table. ``simulation["win_share[seat 1]"]`` is a statistic.

    ``games``: how many were played, ``stopped``: how many of them a fault stopped; ``seconds``: how long they took.
    """

    plan: Plan
    tally: Tally
    seconds: float
    rows: array[int] | None = None

    @property
    def games(self) -> int:
        return self.tally.games + self.tally.stopped

    @property
    def stopped(self) -> int:
        return self.tally.stopped

    @cached_property
    def statistics(self) -> Mapping[str, Fraction | None]:
        """All statistics by name; None where no game came to its end."""
        return _by_name(statistics(self.plan.columns, self.tally))

    @property
    def faults(self) -> tuple[Diagnostic, ...]:
        """What stopped games, each fault once."""
        return tuple(stop.diagnostic for stop in stops(self.plan, self.tally))

    @property
    def data(self) -> dict[str, Any]:
        """What `rulesrun simulate --format json` prints (``docs/schemas/simulate.json``)."""
        from ..simulate.simulation import SoFar

        return output.to_json(self.plan, SoFar(self.games, self.tally), self.seconds, stops(self.plan, self.tally))

    def table(self) -> Any:
        """A ``pyarrow.Table`` with a row for each game, which ``to_pandas()`` makes a data frame.

        It needs the extra `parquet`, and `simulate(..., rows=True)`, else `ArgumentError`.
        """
        if self.rows is None:
            raise ArgumentError("the rows were not kept: simulate(..., rows=True)")
        return parquet.table_of(self.plan, self.rows)

    def __getitem__(self, name: str) -> Fraction | None:
        return _named(self.statistics, name)

    def __repr__(self) -> str:
        return f"<{self.games:,} games of {self.plan.table.name}, seed {self.plan.seed}>"


@frozen(eq=False, slots=False, repr=False)
class Comparison:
    """How a second table differs from a first that was played with the same luck.

    ``comparison["win_share[seat 1]"]`` is a `Difference`: ``first``, ``second``, ``difference`` (second minus first), its
    ``interval`` of 95 %, ``effect`` and ``is_clear``.
    """

    first: Simulation
    second: Simulation
    differences: Mapping[str, Difference] = field()

    @property
    def games(self) -> int:
        return self.first.games

    def __getitem__(self, name: str) -> Difference:
        return _named(self.differences, name)

    def __repr__(self) -> str:
        clear = sum(found.is_clear for found in self.differences.values())
        return f"<{self.games:,} games on either side, {clear} clear differences>"


def simulate(
    game: Game,
    games: int = 1000,
    bots: str = "random",
    *,
    seed: int = 0,
    jobs: int = 1,
    engine: str | None = None,
    rows: bool = False,
    cluster: str | None = None,
) -> Simulation:
    """Play games 0 .. ``games - 1`` of a seed.

    ``bots``: one for all seats or one for each, such as ``"casual"`` or ``"rollouts:50,random"``. ``jobs``: threads, 1 to 256;
    ``cluster``: ``"local:8"`` or ``"tcp://host:8786"`` instead. ``engine``: ``"wasm"`` or ``"reference"`` (None: the fastest that
    runs here). ``rows``: keep a row for each game, for `Simulation.table`. The numbers depend on ``game``, ``games``, ``bots``
    and ``seed`` alone.

    Raises `ArgumentError` for what is out of range, and `RulesError` (R801 for bots, R809 for a cluster, R820 for a game that
    takes too long).
    """
    plan = plan_of(game, games, bots, seed, engine)
    with _workers(cluster, _whole(jobs, "jobs", 1, JOBS_LIMIT), plan.engine) as workers:
        began, kept, nothing = monotonic(), array("i"), nothing_yet(plan)
        so_far = nothing
        for so_far in added_up(nothing, run_of(plan, 0, jobs, rows=rows, cluster=workers)):
            kept += so_far.rows or array("i")
    return Simulation(plan, so_far.tally, monotonic() - began, kept if rows else None)


def compare(
    first: Game,
    second: Game,
    games: int = 1000,
    bots: str = "random",
    *,
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
) -> Comparison:
    """Play two tables for the same number of players with the same luck. For the arguments and errors see `simulate`."""
    if _game(first).players != _game(second).players:
        raise ArgumentError(f"tables of {first.players} and of {second.players} players cannot be compared")
    plans = [plan_of(game, games, bots, seed, None) for game in (first, second)]
    with _workers(cluster, _whole(jobs, "jobs", 1, JOBS_LIMIT), plans[0].engine) as workers:
        began = monotonic()
        together = _last(none_yet(plans), added_together(plans, run_together(plans, jobs, workers)))
    seconds = monotonic() - began
    one, two = (Simulation(plan, tally, seconds) for plan, tally in zip(plans, together.tallies, strict=True))
    sides = Side(one.plan.columns, one.tally), Side(two.plan.columns, two.tally)
    return Comparison(one, two, _by_name(differences(sides[0], sides[1], together.pairs[0])))


def tournament(
    game: Game,
    bots: Sequence[str],
    games: int = 1000,
    *,
    seed: int = 0,
    jobs: int = 1,
    engine: str | None = None,
    cluster: str | None = None,
) -> Standings:
    """Let bots play each deal in all seatings, and rate them. ``bots``: two or more, each once; ``games`` is rounded up to whole
    deals. For the other arguments and errors see `simulate`."""
    if isinstance(bots, str) or not all(isinstance(bot, str) for bot in bots):
        raise ArgumentError(f"bots are a list of texts, not {shown(bots)}")
    named, seatings = contestants(bots, _game(game).players)
    deals = -(-_whole(games, "games", 1, GAMES_LIMIT) // len(seatings))
    found = tournaments.Tournament(game, named, seatings, _seed(seed), deals, _engine(engine, named))
    with _workers(cluster, _whole(jobs, "jobs", 1, JOBS_LIMIT), found.engine) as workers:
        nothing = tournaments.nothing_played(found)
        standing = _last(nothing, tournaments.added_up(nothing, tournaments.run_of(found, 0, jobs, workers)))
    return standings(found, standing)


# ---- Arguments


def plan_of(game: Game, games: int, bots: str, seed: int, engine: str | None = None) -> Plan:
    """A plan from what Python functions take. Raises as `simulate` does."""
    if not isinstance(bots, str):
        raise ArgumentError(f"bots are a text such as `random` or `casual,random`, not {shown(bots)}")
    named = bots_from(bots, _game(game).players)
    return Plan(game, named, _seed(seed), _whole(games, "games", 1, GAMES_LIMIT), _engine(engine, named))


def _game(game: object) -> Game:
    if not isinstance(game, Game):
        raise ArgumentError(f"a game is what `rulesrun.load` gives, not {shown(game)}")
    return game


def _seed(seed: object) -> int:
    return _whole(seed, "the seed", 0, SEED_LIMIT)


def _whole(value: object, name: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ArgumentError(f"{name}: a whole number from {low} to {high:,}, not {shown(value)}")
    return value


def _engine(asked: object, bots: Sequence[Bot]) -> EngineName:
    name = next((name for name in ENGINES if name == asked), None)
    if asked is not None and name is None:
        raise ArgumentError(f"engines are {' and '.join(map(repr, ENGINES))}, not {shown(asked)}")
    return engine_to_use(name, bots)[0]


@contextmanager
def _workers(cluster: object, jobs: int, engine: EngineName) -> Generator[Cluster | None]:
    if cluster is None:
        yield None
        return
    if not isinstance(cluster, str) or jobs != 1 or engine != "wasm":
        raise ArgumentError("a cluster is a text such as `tcp://host:8786`, and goes with the engine `wasm` and without jobs")
    try:
        at = cluster_at(cluster)
    except ValueError as error:
        raise ArgumentError(str(error)) from None
    with at as workers:
        yield workers


def _last(begun: _Value, found: Iterable[_Value]) -> _Value:
    return deque(chain([begun], found), maxlen=1)[0]


def _by_name(found: Mapping[Statistic, _Value]) -> dict[str, _Value]:
    return {str(statistic): value for statistic, value in found.items()}


def _named(found: Mapping[str, _Value], name: str) -> _Value:
    try:
        return found[name]
    except KeyError:
        near = get_close_matches(str(name), found, n=1, cutoff=0)
        raise KeyError(f"there is no statistic {shown(name)}; did you mean `{near[0]}`?") from None
