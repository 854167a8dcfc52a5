"""The games of a balance report: what is played, in which order, and for how long.

1. *Strong play*: the tables that are compared play the same deals with strong bots, game by game (`course.py`).
2. *Skill and luck*: the ladder, and deals that are played again (`ladder.py`).
3. *Changes*: each variant that is not in play and each other value of an option plays the first of these deals, too.

Each part has its share of the time. No game is begun when that is over, but one that has begun is played to its end, so that
games that take long are not left out more often than others. What comes of game n depends on the seed, n and the bots alone:
whoever asks for as many games gets the same numbers, on any number of threads or workers of a cluster.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from typing import Any, Generic, TypeVar

from attrs import field, frozen

from ...common.diagnostics import RulesError, fault
from ...common.platform import guarded
from ...machine.columns import Columns
from ...model.model import OptionDeclaration
from ...play.game import Game, table_of
from ...players.bots import Bot
from ...rules import Rules
from ...simulate.cluster import Cluster, ClusterRun
from ...simulate.engines.engine import EngineName, engine_for
from ...simulate.running import AnyRun, Run
from ...table.from_model import specialise
from ...table.sampling.combinations import all_values
from ...words.words import Words, marked
from .choosing import player_for
from .course import Course, OutOfTime, Player
from .ladder import Deal, Step, seatings_of, share_of, steps_of

_Found = TypeVar("_Found")

MOST_GAMES = 1000  # of strong play at one table, where nobody says how many
CHANGES_LIMIT = 12  # changes that are played
FEW_VALUES, VALUES_LIMIT = 4, 1000  # of an option: all of so few are played; of so many the greatest is found
STRONG, LADDER, CHANGES = 0.5, 0.3, 0.2  # of the time
GRACE = 1.15  # of the time: then games in progress are given up, too
LAST = 2.0  # seconds later nobody waits for a step of a game that does not end
DEFAULTS = (2000, 1000, 500, 200, 100, 50, 20, 10)  # iterations of the default bot
ENOUGH = 300  # games a table that it should be able to play
TRIAL = Bot("search", 20)
TOO_MANY, NO_TIME = marked("no more than {number} changes are played"), marked("there was no time for it")


@frozen(eq=False)
class Side:
    """A table. ``arguments``: how a command line names it, the file first. ``bots``: one for each seat."""

    title: str
    game: Game
    bots: tuple[Bot, ...]
    arguments: tuple[str, ...]

    @property
    def columns(self) -> Columns:
        return self.game.columns


@frozen(eq=False)
class SidePlayed:
    """What came of one table. ``courses``: of the games that ended, by number; ``stopped``: the others. ``deals``: of the
    ladder."""

    side: Side
    courses: dict[int, Course] = field(factory=dict)
    stopped: dict[int, Course] = field(factory=dict)
    deals: dict[int, Deal] = field(factory=dict)

    @property
    def games(self) -> int:
        return len(self.courses) + len(self.stopped)

    def add(self, course: Course) -> None:
        (self.stopped if course.stopped else self.courses)[course.game] = course

    def take_up(self, kept: KeptTable) -> None:
        for course in kept.games:
            self.add(course)
        self.deals.update(enumerate(kept.deals))


@frozen(eq=False)
class KeptTable:
    """What an earlier run has played of one table: its games and the deals of its ladder, each from number 0 on."""

    games: Sequence[Course]
    deals: Sequence[Deal]


@frozen(eq=False)
class Kept:
    """What an earlier run has played. ``changes``: by title."""

    tables: Sequence[KeptTable]
    changes: Mapping[str, KeptTable]


@frozen
class Change:
    """A table that differs from the first side: one variant more, or another value of an option."""

    title: str
    variants: tuple[str, ...]
    settings: Mapping[str, str]


@frozen
class Left:
    """A change that was not played, and why."""

    title: str
    why: str

    def told(self, words: Words) -> str:
        """Why, in a language; what the rules say against it stays in English, as all messages."""
        return words.phrase(self.why, number=CHANGES_LIMIT) if self.why in (TOO_MANY, NO_TIME) else self.why


@frozen(eq=False)
class Study:
    """All that was played. ``changes``: other tables, played with the luck of the first side. ``left``: those that were not.
    ``steps``: of the ladder. ``ended``: whether nobody interrupted it."""

    seed: int
    engine: EngineName
    sides: tuple[SidePlayed, ...]
    steps: tuple[Step, ...]
    changes: tuple[SidePlayed, ...] = ()
    left: tuple[Left, ...] = ()
    seconds: float = 0.0
    ended: bool = True


class Clock:
    """The time that a study has, all of it and for the part that is being played. A pickle goes on where it is unpacked."""

    def __init__(self, seconds: float) -> None:
        self.began = monotonic()
        self.seconds = seconds
        self._part = seconds
        self.interrupted = False

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "began": self.passed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({**state, "began": monotonic() - state["began"]})

    @property
    def passed(self) -> float:
        return monotonic() - self.began

    def go_on(self, seconds: float) -> None:
        """Count the time that an earlier run took."""
        self.began -= seconds

    def give(self, part: float) -> None:
        """Give a part until this share of the time has passed."""
        self._part = part * self.seconds

    def is_part_over(self) -> bool:
        return self.interrupted or self.passed > self._part

    def is_over(self) -> bool:
        """Whether even games in progress are given up."""
        return self.interrupted or self.passed > GRACE * self.seconds


class Studying:
    """A study in progress. ``rules``: those of the first side, for its ``changes``. ``games``: of strong play at each table
    (None: as many as the time allows). ``jobs``: threads, where there is no ``cluster``. ``kept``: of an earlier run."""

    def __init__(
        self,
        sides: Sequence[Side],
        rules: Rules,
        changes: Sequence[Change],
        engine: EngineName,
        seed: int,
        games: int | None,
        clock: Clock,
        jobs: int,
        cluster: Cluster | None = None,
        kept: Kept | None = None,
    ) -> None:
        self._cluster = cluster
        self._kept_changes: Mapping[str, KeptTable] = {} if kept is None else kept.changes
        self._clock, self._jobs, self._seed, self._engine = clock, jobs, seed, engine
        self._games = games if games is not None else MOST_GAMES
        self._rules, self._changes = rules, changes
        self._left: list[Left] = []
        self._run: AnyRun[Any] | None = None
        self.sides = tuple(SidePlayed(side) for side in sides)
        for played, table in zip(self.sides, kept.tables if kept is not None else (), strict=kept is not None):
            played.take_up(table)
        self.changed: tuple[SidePlayed, ...] = ()
        bots = sides[0].bots
        strongest = max(bots, key=lambda bot: (bot.thinks, bot.playouts))
        self.steps = steps_of(strongest) if sides[0].columns.seats // sides[0].columns.team_size > 1 else ()

    def interrupt(self) -> None:
        """End with what there is. It may be called from a signal handler."""
        self._clock.interrupted = True
        if self._run is not None:
            self._run.interrupt()

    def play(self) -> Iterator[str]:
        """Play all parts; what is being played comes out from time to time."""
        changes = CHANGES if self._changes else 0.0
        ladder = LADDER if self.steps else 0.0
        self._clock.give(1 - ladder - changes)
        yield from self._play_courses(self.sides, self._games, "strong play: {:,} games a table")
        if self.steps and self.sides[0].courses:
            self._clock.give(1 - changes)
            first = len(self.sides[0].deals)
            for count, deals in enumerate(self._found(self._deals(), first, self._games), first + 1):
                for played, deal in zip(self.sides, deals, strict=True):
                    played.deals[count - 1] = deal
                yield f"skill and luck: {count:,} deals"
        self._clock.give(1)
        if self._changes and self.sides[0].courses and (self._kept_changes or not self._clock.is_part_over()):
            yield "variants and options"
            self._make_changes()
            yield from self._play_courses(self.changed, self.sides[0].games, "variants and options: {:,} games of each")

    def _play_courses(self, sides: Sequence[SidePlayed], most: int, told: str) -> Iterator[str]:
        """Play the same games at some tables, as many as there is time for."""
        first = min((played.games for played in sides), default=0)
        for count, courses in enumerate(self._found(self._courses(sides), first, most), first + 1):
            for played, course in zip(sides, courses, strict=True):
                played.add(course)
            yield told.format(count)

    @property
    def study(self) -> Study:
        """What has been played so far."""
        clock = self._clock
        return Study(
            self._seed, self._engine, self.sides, self.steps, self.changed, tuple(self._left), clock.passed, not clock.interrupted
        )

    def _found(self, make: Callable[[], _Playing[Any]], first: int, most: int) -> Iterator[Any]:
        """What comes of the games from a number on, until the time of the part is over."""
        if first >= most or self._clock.is_part_over():
            return
        players: list[Player] = []
        if self._cluster is not None:
            self._run = ClusterRun(self._cluster, make, first, most, 1)
        else:
            workers = [make() for _ in range(self._jobs)]
            players = [player for worker in workers for player in worker.players]
            self._run = Run(workers, first, most, 1)
        with _given_up(self._run, players, GRACE * self._clock.seconds - self._clock.passed + LAST):
            for chunk in self._run:
                for found in chunk:
                    if found is None or self._clock.interrupted:
                        return
                    yield found

    def _courses(self, played: Sequence[SidePlayed]) -> Callable[[], _Courses]:
        return partial(_Courses, [each.side for each in played], self._engine, self._seed, self._clock)

    def _deals(self) -> Callable[[], _Deals]:
        return partial(_Deals, [each.side for each in self.sides], self._engine, self._seed, self._clock, self.steps)

    def _make_changes(self) -> None:
        """Make the tables of the changes, as long as there is time; those of an earlier run in any case, and then no others."""
        base, kept = self.sides[0].side, self._kept_changes
        made: list[SidePlayed] = []
        for change in self._changes:
            why = ""
            if len(made) == CHANGES_LIMIT:
                why = TOO_MANY
            elif change.title not in kept and (kept or self._clock.is_part_over()):
                why = NO_TIME
            else:
                found = _changed_side(self._rules, base, change)
                if isinstance(found, Side):
                    made.append(SidePlayed(found))
                    if change.title in kept:
                        made[-1].take_up(kept[change.title])
                else:
                    why = found
            if why:
                self._left.append(Left(change.title, why))
        self.changed = tuple(made)


class _Playing(ABC, Generic[_Found]):
    """Plays the games of one part of a study, of all its tables; it is made where they are played."""

    def __init__(self, sides: Sequence[Side], engine: EngineName, seed: int, clock: Clock) -> None:
        self.players = [player_for(side.game, side.bots, engine) for side in sides]
        self._seed, self._clock = seed, clock

    def __call__(self, first: int, count: int) -> list[list[_Found] | None]:
        """What comes of these games, at each table; None for the first one for which there is no time, and no more."""
        found: list[list[_Found] | None] = []
        for game in range(first, first + count):
            found.append(None)
            if not self._is_late(game):
                with suppress(OutOfTime):
                    found[-1] = self._play(game)
            if found[-1] is None:
                break
        return found

    def _is_late(self, game: int) -> bool:
        """Whether a game is not begun any more."""
        return self._clock.is_part_over()

    @abstractmethod
    def _play(self, game: int) -> list[_Found]:
        """What comes of a game at each table. Raises `OutOfTime`."""


class _Courses(_Playing[Course]):
    def _is_late(self, game: int) -> bool:
        return self._clock.is_part_over() and (game > 0 or self._clock.is_over())

    def _play(self, game: int) -> list[Course]:
        return [player.play(self._seed, game, self._clock.is_over) for player in self.players]


class _Deals(_Playing[Deal]):
    def __init__(self, sides: Sequence[Side], engine: EngineName, seed: int, clock: Clock, steps: Sequence[Step]) -> None:
        super().__init__(sides, engine, seed, clock)
        self._dealers = [_Dealer(side, steps, engine, seed) for side in sides]

    def _play(self, game: int) -> list[Deal]:
        return [
            Deal(dealer.play(game, self._clock), _again(dealer.side, player, self._seed, game, self._clock))
            for dealer, player in zip(self._dealers, self.players, strict=True)
        ]


@contextmanager
def _given_up(run: AnyRun[Any], players: Sequence[Player], seconds: float) -> Generator[None]:
    """Nobody waits for a run any longer than this, even if a single step of a game does not end."""

    def give_up() -> None:
        run.interrupt()
        for player in players:
            player.leave_off()

    with guarded(max(0.0, seconds), give_up):
        yield


class _Dealer:
    """Plays the steps of a ladder at one table."""

    def __init__(self, side: Side, steps: Sequence[Step], engine: EngineName, seed: int) -> None:
        self.side, self._seed = side, seed
        self._seated = [seatings_of(step, side.columns, side.game.teams) for step in steps]
        self._stronger = [step.stronger for step in steps]
        self._engine = engine_for(side.game, side.bots, engine)

    def play(self, deal: int, clock: Clock) -> tuple[float | None, ...]:
        """For each step what the stronger bot had. Raises `OutOfTime`."""
        columns = self.side.columns
        found: list[float | None] = []
        for stronger, seatings in zip(self._stronger, self._seated, strict=True):
            shares: list[float] = []
            for seated in seatings:
                if clock.is_over():
                    raise OutOfTime
                self._engine.seat(seated)
                try:
                    played = self._engine.play(self._seed, deal, 1, rows=True)
                except RulesError as error:
                    if error.diagnostics[0].code == "R820":  # it takes too long
                        raise OutOfTime from None
                    raise
                assert played.rows is not None
                if played.tally.games:
                    wins = played.rows[columns.win(0) : columns.win(0) + columns.seats]
                    shares.append(share_of(columns, wins, [seat for seat, bot in enumerate(seated) if bot == stronger]))
            found.append(sum(shares) / len(shares) if len(shares) == len(seatings) else None)
        return tuple(found)


def _again(side: Side, player: Player, seed: int, deal: int, clock: Clock) -> tuple[float, ...] | None:
    course = player.play(seed, deal, clock.is_over, anew=True)
    return None if course.stopped else shares_by_side(side, course)


def shares_by_side(side: Side, course: Course) -> tuple[float, ...]:
    """What each side (a seat or a team) had of the win in a game."""
    columns = side.columns
    teams = side.game.teams or tuple((seat + 1,) for seat in range(columns.seats))
    wins = course.row[columns.win(0) : columns.win(0) + columns.seats]
    return tuple(share_of(columns, wins, [seat - 1 for seat in team]) for team in teams)


# ---- What is played


def default_bot(games: Sequence[Game], engine: EngineName, seconds: float, jobs: int) -> Bot:
    """The strongest bot that plays enough games in the time that there is for strong play."""
    spent = 0.0
    for game in games:
        player = player_for(game, (TRIAL,) * game.players, engine)
        spent += _seconds_of_a_game(player, seconds / 10)
    useful = jobs if engine == "wasm" else 1
    left = useful * STRONG * seconds / ENOUGH
    fits = (number for number in DEFAULTS if spent * number / TRIAL.playouts <= left)
    return Bot("search", next(fits, DEFAULTS[-1]))


def _seconds_of_a_game(player: Player, most: float) -> float:
    """How long a game takes; about ``most`` where it is longer."""
    clock = Clock(most)

    def play(first: int, count: int) -> float:
        began = monotonic()
        with suppress(OutOfTime):
            player.play(0, first, clock.is_over)
        return monotonic() - began

    run, found = Run([play], 0, 2, 1), most
    with _given_up(run, [player], GRACE * most + LAST):
        for found in run:  # noqa: B007  # the second one counts: the first takes longer
            pass
    return found


def changes_of(rules: Rules, sides: Sequence[Side], settings: Mapping[str, str]) -> list[Change]:
    """The variants that are not in play at the first table, and other values of its options; but what the second table is."""
    whole, base = rules.required(), sides[0]
    others = [set(side.game.variants) for side in sides[1:]]
    chosen = base.game.variants
    settled = specialise(whole, base.game.players, chosen, settings).settled
    named = dict(settings)
    added = [variant.name for variant in whole.variants if variant.name not in chosen]
    found = [Change(name, (*chosen, name), named) for name in added if {*chosen, name} not in others]
    for option in whole.declarations:
        if isinstance(option, OptionDeclaration):
            for value in _values(all_values(option, settled, VALUES_LIMIT), base.game.options.get(option.name)):
                found.append(Change(f"{option.name} = {value}", chosen, {**named, option.name: value}))
    return found


def _changed_side(rules: Rules, base: Side, change: Change) -> Side | str:
    """The table of a change; why there is none."""
    try:
        game = table_of(rules, base.game.players, change.variants, change.settings)
    except RulesError as error:
        return error.diagnostics[0].message
    words = ["--players", str(game.players)]
    words += [word for variant in change.variants for word in ("--variant", variant)]
    words += [word for name, value in change.settings.items() for word in ("--set", f"{name}={value}")]
    return Side(change.title, game, base.bots, (base.arguments[0], *words))


def _values(values: Sequence[str | int | bool], now: str | None) -> list[str]:
    """The other values of an option; of many the least, the greatest and the one in their middle."""
    names = [("yes" if value else "no") if isinstance(value, bool) else str(value) for value in values]
    if len(names) > FEW_VALUES:
        names = [names[0], names[len(names) // 2], names[-1]]
    return [name for name in dict.fromkeys(names) if name != now]


def nothing_ended(seconds: float) -> RulesError:
    """What is raised where there was no time for a single game."""
    help = "give it more time with `--max-seconds`, or name weaker bots, such as `--bots search:10`"
    return RulesError([fault("R820", f"no game ended within {seconds:g} s", help=help)])
