"""The shared part of `simulate`, `compare`, `tournament` and `analyse`: options of a run, the engine, conditions, checkpoints,
the progress bar and Ctrl-C.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from .console import replace_file
from .options import BOTS, SEED, TableChoice, random_seed, whole_number

if TYPE_CHECKING:
    from ...interpreter.balance.sweeping.playing import Sweeping
    from ...interpreter.common.diagnostics import Diagnostic
    from ...interpreter.common.source import Source
    from ...interpreter.play.game import Game
    from ...interpreter.play.kept import KeptTable
    from ...interpreter.simulate.cluster import Cluster
    from ...interpreter.simulate.engines.engine import EngineName
    from ...interpreter.simulate.running import AnyRun
    from ...interpreter.simulate.simulation import Plan
    from ...interpreter.simulate.statistics.condition import Condition, Values
    from ...interpreter.simulate.tournament import Tournament
    from ...interpreter.table.sampling.combinations import Choice

_Command = TypeVar("_Command", bound=Callable[..., Any])
_SoFar = TypeVar("_SoFar")
_Begun = TypeVar("_Begun")

JOBS_LIMIT = 256  # more threads than any machine on a desk has processors

# A number of a game is a signed 64-bit number in files.
_games = whole_number("number of games", 1, 10**18, "1 to 1,000,000,000,000,000,000")
_jobs = whole_number("number of jobs", 1, JOBS_LIMIT, f"1 to {JOBS_LIMIT}")


def _engine(ctx: click.Context, param: click.Parameter, value: str | None) -> EngineName | None:
    from ...interpreter.simulate.engines.engine import ENGINES

    for name in ENGINES:
        if value == name:
            return name
    if value is None:
        return None
    known = " and ".join(f"`{name}`" for name in ENGINES)
    raise click.BadParameter(f"there is no engine `{value}`; there is {known}", ctx, param)


def _cluster(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    from ...interpreter.simulate.cluster import cluster_at

    try:
        cluster_at(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None
    return value


GAMES = click.option("--games", metavar="N", default="1000", show_default=True, callback=_games, help="Number of games.")
CLUSTER = click.option(
    "--cluster",
    metavar="WHERE",
    callback=_cluster,
    help="Play on other machines: `tcp://host:8786`, or `local:N` for N processes.",
)
JOBS = click.option("--jobs", metavar="N", default="1", show_default=True, callback=_jobs, help="Number of threads.")
ENGINE = click.option("--engine", metavar="NAME", callback=_engine, help="`wasm` or `reference` (default: `wasm`).")
FORM = click.option("--format", "form", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
CHECKPOINT = click.option(
    "--checkpoint", type=click.Path(), metavar="FILE", help="Save the run here, and continue it if the file exists."
)
FAIL_IF = click.option(
    "--fail-if",
    "conditions",
    multiple=True,
    metavar="CONDITION",
    help='Exit with 1 if it holds, such as "win_share[seat 1] > 0.30"; can be repeated.',
)


def run_options(command: _Command) -> _Command:
    """The options that say how many games are played, by whom and on what."""
    for option in (FAIL_IF, FORM, ENGINE, BOTS, CLUSTER, JOBS, SEED, GAMES):
        command = option(command)
    return command


@contextmanager
def cluster_of(asked: str | None, jobs: int, engine: EngineName) -> Generator[Cluster | None]:
    """The cluster on which games are played; None: here. Raises `RulesError` (R804, R809)."""
    if asked is None:
        yield None
        return
    if jobs > 1:
        raise click.UsageError("--cluster does not go with --jobs: its workers are as many as they are")
    if engine != "wasm":
        why = "modules travel to its workers, but no rules and no players in Python"
        raise click.UsageError(f"--cluster does not go with the engine `reference`: {why}")
    from ...interpreter.simulate.cluster import cluster_at

    with cluster_at(asked) as cluster:
        yield cluster


def engine_of(asked: EngineName | None, bots: str = "random") -> EngineName:
    """The engine that plays; a notice where there is one to be given. Raises `RulesError` for an unknown bot."""
    from ...interpreter.players.bots import bots_named
    from ...interpreter.simulate.engines.engine import engine_to_use

    name, notice = engine_to_use(asked, bots_named(bots))
    if notice:
        click.echo(notice, err=True)
    return name


def plan_of(
    table: Game | KeptTable, file: str, chosen: TableChoice, bots: str, seed: int | None, games: int, engine: EngineName
) -> Plan:
    """What is to be played at one table. Raises `RulesError`."""
    from ...interpreter.players.bots import bots_from
    from ...interpreter.simulate.simulation import Plan

    seed = random_seed(bots) if seed is None else seed
    return Plan(table, bots_from(bots, table.players), seed, games, engine, (file, *chosen.arguments))


def conditions_of(texts: tuple[str, ...], plan: Plan, of_two: bool = False) -> list[Condition]:
    """The conditions of `--fail-if`. Raises `RulesError`."""
    from ...interpreter.simulate.statistics.condition import condition_from
    from ...interpreter.simulate.statistics.statistics import statistics
    from ...interpreter.simulate.statistics.tally import Tally

    known = list(statistics(plan.columns, Tally.empty(plan.columns)))
    return [condition_from(text, known, of_two) for text in texts]


def tell_conditions(conditions: list[Condition], values: Values, differences: Values, where: str = "") -> bool:
    """Say which conditions hold; whether any does."""
    held = False
    for condition in conditions:
        found = differences if condition.difference else values
        if condition.holds(found):
            click.echo(where + condition.told(found), err=True)
            held = True
    return held


BETWEEN_CHECKPOINTS = 1.0  # seconds, at least
SAVING = 50  # at most this part of the time goes into saving


class Keeper(Generic[_SoFar]):
    """Measures how long a run takes, and saves it from time to time. ``path``: of the checkpoint (None: there is none).

    ``before``: the seconds that it took before it was killed.
    """

    def __init__(self, path: str | None, to_text: Callable[[_SoFar, float], str], before: float) -> None:
        self._path, self._to_text, self._before = path, to_text, before
        self._started = monotonic()
        self._next = self._started + BETWEEN_CHECKPOINTS

    def note(self, so_far: _SoFar) -> None:
        """Save the run if the last time is a while ago."""
        if self._path is not None and (began := monotonic()) >= self._next:
            replace_file(self._path, self._to_text(so_far, self._before + began - self._started))
            saved = monotonic()
            self._next = saved + max(BETWEEN_CHECKPOINTS, SAVING * (saved - began))

    def end(self, so_far: _SoFar, played: bool) -> float:
        """Save the run at its end: how long it took. ``played``: whether anything was left to play."""
        seconds = self._before + (monotonic() - self._started if played else 0)
        if self._path is not None:
            replace_file(self._path, self._to_text(so_far, seconds))
        return seconds


def kept_seed(path: str | None, seed: int | None) -> int | None:
    """The seed of a run: one that was given, else that of its checkpoint."""
    from ...interpreter.simulate import checkpoint

    return kept_of(path, checkpoint.seed_of) if seed is None else seed


def kept_of(path: str | None, read: Callable[[Source], _Begun | None]) -> _Begun | None:
    """What a checkpoint says of its run; None where there is none."""
    from ...interpreter.common.diagnostics import Diagnostic
    from ...interpreter.common.files import read_text
    from ...interpreter.simulate import checkpoint

    source = None if path is None else read_text(path, checkpoint.SIZE_LIMIT)
    return None if source is None or isinstance(source, Diagnostic) else read(source)


def begun(path: str | None, from_text: Callable[[Source], _Begun | Diagnostic]) -> _Begun | None:
    """What a run that was killed has left; None where there is no checkpoint. Raises `RulesError`."""
    from ...interpreter.common.diagnostics import Diagnostic, RulesError
    from ...interpreter.common.files import read_text
    from ...interpreter.simulate import checkpoint

    if path is None or not Path(path).exists() or not Path(path).stat().st_size:
        return None
    source = read_text(path, checkpoint.SIZE_LIMIT)
    found = source if isinstance(source, Diagnostic) else from_text(source)
    if isinstance(found, Diagnostic):
        raise RulesError([found])
    return found


def plans_of(
    tables: Mapping[Choice, Game], file: str, bots: str, seed: int, games: int, engine: EngineName
) -> dict[Choice, Plan]:
    """What is to be played at many tables. Raises `RulesError`."""
    return {
        choice: plan_of(game, file, TableChoice(choice.players, choice.variants, game.changed_options), bots, seed, games, engine)
        for choice, game in tables.items()
    }


def swept(
    plans: Mapping[Choice, Plan], jobs: int, cluster: str | None, engine: EngineName, checkpoint: str | None
) -> tuple[Sweeping, float]:
    """Play many tables, as far as a checkpoint has not, and say on a terminal how far it is; Ctrl-C ends it. Returned is what was
    played, and the seconds that it took. Raises `RulesError`."""
    from ...interpreter.balance.sweeping import playing

    with cluster_of(cluster, jobs, engine) as workers:
        kept, before = begun(checkpoint, lambda source: playing.from_text(source, plans)) or (None, 0.0)
        sweeping = playing.Sweeping(plans, jobs, workers, kept)
        keeper: Keeper[Any] = Keeper(checkpoint, lambda found, seconds: playing.to_text(plans, found, seconds), before)
        left = not sweeping.ended
        with ended_by_interrupt(sweeping.interrupt), status() as show:
            for told in sweeping.play():
                show(told)
                keeper.note(sweeping.found)
        return sweeping, keeper.end(sweeping.found, left)


@contextmanager
def status() -> Generator[Callable[[str], None]]:
    """Show on a terminal how far something is."""
    if not sys.stderr.isatty():
        yield lambda told: None
        return
    from rich.console import Console

    with Console(stderr=True).status("the first games are played ...") as shown:
        yield shown.update


def played_table(engine: EngineName, file: str, table: TableChoice) -> Game | KeptTable:
    """The table that an engine plays: the fast one needs only what is kept of a table. Raises `RulesError`."""
    from ...interpreter.play.kept import kept_table

    return kept_table(file, table.players, table.variants, table.settings) if engine == "wasm" else table.load(file)


@contextmanager
def watched(run: AnyRun[Any], plan: Plan | Tournament, begun: int) -> Generator[Callable[[int], None]]:
    """Show on a terminal how far a run has come, which is told to the function that this gives; Ctrl-C ends the run early.

    A second Ctrl-C ends everything at once.
    """
    with ended_by_interrupt(run.interrupt):
        if sys.stderr.isatty():
            with _bar(plan, begun) as shown:
                yield shown
        else:
            yield lambda games: None


@contextmanager
def ended_by_interrupt(end: Callable[[], object]) -> Generator[None]:
    """Ctrl-C calls something that ends what goes on; a second one ends everything at once."""
    if current_thread() is not main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        end()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _bar(plan: Plan | Tournament, begun: int) -> Generator[Callable[[int], None]]:
    """A progress bar on stderr, with games per second and the time left."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(plan.table.name, total=plan.games, completed=begun, speed="")
        started = monotonic()

        def shown(games: int) -> None:
            passed = monotonic() - started
            speed = f"{(games - begun) / passed:,.0f} games/s" if passed else ""
            progress.update(task, completed=games, speed=speed)

        yield shown
