"""Duplicate tournaments: every deal is played in all seatings, so that each bot has the same luck as the others.

Game g of a tournament is deal ``g // seatings`` in seating ``g % seatings``. Deal d is game d of the seed. Chance has a stream of
its own there (see `machine.random_streams`), whatever the bots do.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from ..common.diagnostics import Diagnostic
from ..common.source import Source
from ..machine.columns import FAULT, Columns
from ..players.bots import Bot
from . import checkpoint
from .cluster import Cluster, ClusterRun
from .engines.engine import EngineName, engine_for, games_at_once, sent_table
from .running import AnyRun, Run, Work
from .seatings import Seating
from .simulation import Plan
from .statistics.deals import Deal, Deals
from .statistics.ratings import Contest, Rating, ratings
from .statistics.statistics import Distribution, share_scale
from .statistics.tally import Histogram, NoTally, Stopped, Tally, add
from .stops import Stop, stop_of

if TYPE_CHECKING:
    from ..play.game import Game
    from ..play.kept import KeptTable


@frozen(eq=False, slots=False)
class Tournament:
    """``bots``: who takes part. ``deals``: how many are played, each in all ``seatings``. For the rest see `Plan`."""

    table: Game | KeptTable
    bots: tuple[Bot, ...]
    seatings: tuple[Seating, ...]
    seed: int
    deals: int
    engine: EngineName
    arguments: tuple[str, ...] = ()

    @property
    def games(self) -> int:
        return self.deals * len(self.seatings)

    @cached_property
    def columns(self) -> Columns:
        return self.table.columns

    @property
    def game(self) -> Game:
        return self.table.game

    def in_language(self, language: str) -> Tournament:
        """The same games, told in a language. Raises the same as `Game.in_language`."""
        return evolve(self, table=self.game.in_language(language))

    def seated(self, seating: Seating) -> tuple[Bot, ...]:
        """The bot of each seat."""
        return tuple(self.bots[bot] for bot in seating)

    def plan(self, seating: Seating) -> Plan:
        """The games of one seating."""
        return Plan(self.table, self.seated(seating), self.seed, self.deals, self.engine, self.arguments)


@frozen
class Standing:
    """What came of some games. ``tallies``: of each seating."""

    tallies: tuple[Tally, ...]
    deals: Deals

    @property
    def games(self) -> int:
        """How many were played, the stopped ones included."""
        return sum(tally.games + tally.stopped for tally in self.tallies)

    def __add__(self, other: Standing) -> Standing:
        tallies = tuple(one + two for one, two in zip(self.tallies, other.tallies, strict=True))
        return Standing(tallies, self.deals + other.deals)


# ---- Playing


def nothing_played(tournament: Tournament) -> Standing:
    seatings = len(tournament.seatings)
    return Standing((Tally.empty(tournament.columns),) * seatings, Deals.none(seatings, len(tournament.bots)))


def run_of(tournament: Tournament, first: int, jobs: int, cluster: Cluster | None = None) -> AnyRun[Standing]:
    """The games from number ``first`` on, on so many threads, or on a cluster."""
    at_once = games_at_once(tournament.bots, tournament.engine)
    if cluster is not None:
        sent: Any = sent_table(tournament.table, tournament.bots, counts=True)  # as much of a table as playing takes
        return ClusterRun(cluster, partial(_player, evolve(tournament, table=sent)), first, tournament.games, at_once)
    return Run([_player(tournament) for _ in range(jobs)], first, tournament.games, at_once)


def added_up(begun: Standing, run: AnyRun[Standing]) -> Iterator[Standing]:
    """What has come of a run after each chunk, on top of what was there before."""
    for played in run:
        begun += played
        yield begun


def _player(tournament: Tournament) -> Work[Standing]:
    bots = tournament.seated(tournament.seatings[0])
    engine = engine_for(tournament.table, bots, tournament.engine)
    columns, seatings = tournament.columns, tournament.seatings
    scale = share_scale(columns)
    shares = [int(columns.share(win) * scale) for win in range(columns.seats + 1)]

    def play(first: int, count: int) -> Standing:
        tallies = [Tally.empty(columns) for _ in seatings]
        deals: dict[int, Deal] = {}
        for number, seating in enumerate(seatings):
            start = (first - number + len(seatings) - 1) // len(seatings)
            end = (first + count - number + len(seatings) - 1) // len(seatings)
            if start == end:
                continue
            engine.seat(tournament.seated(seating))
            played = engine.play(tournament.seed, start, end - start, rows=True)
            assert played.rows is not None
            tallies[number] = played.tally
            for deal, found in enumerate(_deals(played.rows, seating), start):
                deals[deal] = deals[deal] + found if deal in deals else found
        return Standing(tuple(tallies), Deals.none(len(seatings), len(tournament.bots)).with_deals(deals))

    def _deals(rows: array[int], seating: Seating) -> Iterator[Deal]:
        """What each bot got in each game of a seating."""
        width = len(columns)
        for row in range(0, len(rows), width):
            found = [0] * len(tournament.bots)
            for seat, bot in enumerate(seating):
                found[bot] += shares[rows[row + columns.win(seat)]]
            yield Deal(1, bool(rows[row + FAULT]), tuple(found))

    return play


# ---- What came of it


def ratings_of(tournament: Tournament, standing: Standing) -> tuple[Rating, ...]:
    """The rating of each bot. Deals of which games are missing count too, but not for the intervals."""
    columns, deals, bots = tournament.columns, standing.deals, range(len(tournament.bots))
    sides = [tuple(seat - 1 for seat in team) for team in tournament.game.teams] if columns.in_teams else []
    sides = sides or [(seat,) for seat in range(columns.seats)]
    contests = [
        Contest(
            tuple(tuple(seating[seat] for seat in side) for side in sides),
            tuple(float(_shares(columns, tally, side[0]) * tally.games) for side in sides),
        )
        for seating, tally in zip(tournament.seatings, standing.tallies, strict=True)
        if tally.games
    ]
    if deals.whole < 2:
        return ratings(len(bots), contests, None, deals.whole)
    unit = (share_scale(columns) * columns.team_size) ** 2
    of_all = [[float(deals.whole * deals.covariance(one, other) / unit) for other in bots] for one in bots]
    return ratings(len(bots), contests, of_all, deals.whole)


def by_seat(tournament: Tournament, standing: Standing, column: Callable[[int], int]) -> dict[tuple[int, int], Distribution]:
    """How a column (of a seat) is spread for each (bot, seat), over the games in which the bot sat there and that ended."""
    found: dict[tuple[int, int], Histogram] = {}
    for seating, tally in zip(tournament.seatings, standing.tallies, strict=True):
        for seat, bot in enumerate(seating):
            found[bot, seat] = add(found.get((bot, seat), {}), tally.histograms[column(seat)])
    return {place: Distribution(counts) for place, counts in found.items() if counts}


def against(tournament: Tournament, standing: Standing) -> dict[tuple[int, int], Fraction]:
    """For two bots: which share of what they won against each other the first won.

    For each two seats that are not of one team, what both won is divided. So 1/2 is even at a table of any size.
    """
    columns = tournament.columns
    teams = tournament.game.teams if columns.in_teams else ()
    together = {(one - 1, two - 1) for team in teams for one in team for two in team}
    won: dict[tuple[int, int], Fraction] = {}
    for seating, tally in zip(tournament.seatings, standing.tallies, strict=True):
        shares = [_shares(columns, tally, seat) * tally.games for seat in range(columns.seats)] if tally.games else []
        for (seat, bot), (other_seat, other) in product(enumerate(seating), repeat=2):
            if shares and bot != other and (seat, other_seat) not in together:
                won[bot, other] = won.get((bot, other), Fraction(0)) + shares[seat]
    return {(one, two): part / (part + won[two, one]) for (one, two), part in won.items() if part + won[two, one]}


def faults(tournament: Tournament, standing: Standing) -> tuple[Stop, ...]:
    """What stopped games, each fault once, with the first of its games."""
    found: dict[int, tuple[Stopped, Seating]] = {}
    for seating, tally in zip(tournament.seatings, standing.tallies, strict=True):
        for number, stopped in tally.faults.items():
            before, first = found.get(number, (stopped, seating))
            if number in found:
                first = first if before.example <= stopped.example else seating
                stopped = before + stopped
            found[number] = stopped, first
    in_order = sorted(found.values(), key=lambda entry: entry[0].example)
    return tuple(stop_of(tournament.plan(seating), stopped) for stopped, seating in in_order)


def _shares(columns: Columns, tally: Tally, seat: int) -> Fraction:
    """The share of the win of a seat, as a mean over the games that ended."""
    wins = tally.histograms[columns.win(seat)]
    return sum((columns.share(win) * games for win, games in wins.items()), Fraction(0)) / tally.games


# ---- Checkpoints


def described(tournament: Tournament) -> dict[str, Any]:
    """What makes a tournament this one and no other."""
    plan = evolve(tournament.plan(tournament.seatings[0]), bots=tournament.bots, games=tournament.games)
    return checkpoint.described(plan, "tournament")


def to_text(tournament: Tournament, standing: Standing, seconds: float) -> str:
    """A checkpoint as a file's text."""
    tallies = [tally.to_data(tournament.columns) for tally in standing.tallies]
    return checkpoint.text_of(described(tournament), seconds, {"tallies": tallies, "deals": standing.deals.to_data()})


def from_text(source: Source, tournament: Tournament) -> tuple[Standing, float] | Diagnostic:
    """The standing of a tournament that is to go on, and the seconds that it took; R802 and R803 as `checkpoint` has them."""
    data = checkpoint.data_of(source, described(tournament))
    if isinstance(data, Diagnostic):
        return data
    try:
        tallies = tuple(Tally.from_data(tournament.columns, tally) for tally in data["tallies"])
        standing = Standing(tallies, nothing_played(tournament).deals.from_data(data["deals"]))
        if len(tallies) != len(tournament.seatings):
            raise NoTally("its seatings are others")
        return standing, float(data["seconds"])
    except (NoTally, KeyError, TypeError, ValueError) as error:
        return checkpoint.none_here(source, str(error))
