"""The commands `simulate` and `compare`: parse arguments, run, print.

What is played and what is said of it is made in `interpreter/simulate`. Here are the clock, the progress bar, Ctrl-C and the
files that are written.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .console import FINDINGS, FINE, INTERRUPTED, cannot_write, check_writable, complain, print_json, print_page, replace_file
from .options import BOTS, FILE, SEED, random_seed, table_options, whole_number

if TYPE_CHECKING:
    from ..interpreter.play.game import Game
    from ..interpreter.play.kept import KeptTable
    from ..interpreter.simulate.engines.engine import EngineName
    from ..interpreter.simulate.running import Run
    from ..interpreter.simulate.simulation import Plan, SoFar
    from ..interpreter.simulate.statistics.condition import Condition, Values

_Command = TypeVar("_Command", bound=Callable[..., Any])

BETWEEN_CHECKPOINTS = 1.0  # seconds


# ---- Arguments


JOBS_LIMIT = 256  # more threads than any machine on a desk has processors

# A number of a game is a signed 64-bit number in files.
_games = whole_number("number of games", 1, 10**18, "1 to 1,000,000,000,000,000,000")
_jobs = whole_number("number of jobs", 1, JOBS_LIMIT, f"1 to {JOBS_LIMIT}")


def _engine(ctx: click.Context, param: click.Parameter, value: str | None) -> EngineName | None:
    from ..interpreter.simulate.engines.engine import ENGINES

    for name in ENGINES:
        if value == name:
            return name
    if value is None:
        return None
    known = " and ".join(f"`{name}`" for name in ENGINES)
    raise click.BadParameter(f"there is no engine `{value}`; there is {known}", ctx, param)


def run_options(command: _Command) -> _Command:
    """The options that say how many games are played, by whom and on what."""
    add = (
        click.option("--games", metavar="N", default="1000", show_default=True, callback=_games, help="How many games."),
        SEED,
        click.option("--jobs", metavar="N", default="1", show_default=True, callback=_jobs, help="How many threads."),
        BOTS,
        click.option("--engine", metavar="NAME", callback=_engine, help="What plays (else the fastest that is installed)."),
        click.option("--format", "form", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True),
        click.option(
            "--fail-if", "conditions", multiple=True, metavar="CONDITION",
            help='Exit with 1 where it holds, such as "win_share[seat 1] > 0.30"; can be repeated.',
        ),
    )  # fmt: skip
    for option in reversed(add):
        command = option(command)
    return command


# ---- simulate


@click.command(
    epilog="""\b
Examples:
  rulesrun simulate games/masti.rules --players 4 --games 1000
  rulesrun simulate games/for_the_king.rules --bots casual
  rulesrun simulate games/kingdomino.rules --bots rollouts:50,random

\b
Exit codes: 0 fine, 1 games stopped by a fault or a condition of --fail-if
that holds, 2 wrong usage, 130 interrupted (the statistics are of the games
played so far)."""
)
@FILE
@table_options
@run_options
@click.option("--out", type=click.Path(), metavar="FILE.parquet", help="Write a row for each game.")
@click.option("--report", type=click.Path(), metavar="FILE.html", help="Write a page with plots.")
@click.option("--checkpoint", type=click.Path(), metavar="FILE", help="Go on where a run that was killed has left off.")
def simulate(
    file: str,
    players: int | None,
    variants: tuple[str, ...],
    settings: dict[str, str],
    games: int,
    seed: int | None,
    jobs: int,
    bots: str,
    engine: EngineName | None,
    form: str,
    conditions: tuple[str, ...],
    out: str | None,
    report: str | None,
    checkpoint: str | None,
) -> int:
    """Play many games and print their statistics.

    Game number 0 of a seed is the one that `rulesrun run --seed` shows, number 7 is shown with `--game 7`.
    """
    from ..interpreter.simulate import checkpoint as checkpoints
    from ..interpreter.simulate.output import output, parquet
    from ..interpreter.simulate.simulation import added_up, nothing_yet, run_of
    from ..interpreter.simulate.statistics.statistics import statistics
    from ..interpreter.simulate.stops import stops

    if out is not None and checkpoint is not None:
        why = "the rows of a run that was killed cannot be gone on with, since a Parquet file that is cut off cannot be read"
        raise click.UsageError(f"--out does not go with --checkpoint: {why}")
    for path, mark, what in ((checkpoint, checkpoints.MARK, "checkpoint"), (out, parquet.MARK, "Parquet file")):
        if path is not None:
            check_writable(path, mark, what)
    if out is not None:
        parquet.check_installed()
    if report is not None:
        from ..interpreter.simulate.output import report as reports

        check_writable(report, reports.MARK, "report")
        reports.check_installed()
    if checkpoint is not None and seed is None:
        seed = _seed_of(checkpoint)
    name = engine_of(engine)
    table = table_for(name, file, players, variants, settings)
    plan = plan_of(table, file, players, variants, settings, bots, seed, games, name)
    wanted = conditions_of(conditions, plan)
    begun, before = nothing_yet(plan, counts=report is not None), 0.0
    if checkpoint is not None:
        begun, before = _begun(plan, checkpoint, begun)
    so_far, started, saved = begun, monotonic(), monotonic()
    run = run_of(plan, begun.games, jobs, rows=out is not None, counts=report is not None)
    with rows_file(out, plan) as write_rows, watched(run, plan, begun.games) as shown:
        for so_far in added_up(begun, run):
            shown(so_far.games)
            write_rows(so_far)
            if checkpoint is not None and monotonic() - saved >= BETWEEN_CHECKPOINTS:
                replace_file(checkpoint, checkpoints.to_text(plan, so_far, before + monotonic() - started))
                saved = monotonic()
    seconds = before + (monotonic() - started if so_far.games > begun.games else 0)
    if checkpoint is not None:
        replace_file(checkpoint, checkpoints.to_text(plan, so_far, seconds))
    found = stops(plan, so_far.tally)
    if report is not None:
        replace_file(report, reports.report(plan, so_far, seconds, found))
    if form == "json":
        print_json(output.to_json(plan, so_far, seconds, found))
    elif form == "csv":
        click.echo(output.to_csv(plan, so_far), nl=False)
    else:
        from ..interpreter.simulate.output import page

        print_page(page.page(plan, so_far, seconds), plan.game)
        if found:
            print_page(page.stops_page(so_far, found), after=True)
    if found:
        complain([found[0].diagnostic])
    failed = tell_conditions(wanted, statistics(plan.columns, so_far.tally), {})
    if so_far.games < plan.games:
        click.echo(f"interrupted: these are the first {so_far.games:,} of {plan.games:,} games", err=True)
        return INTERRUPTED
    return FINDINGS if found or failed else FINE


def _seed_of(path: str) -> int | None:
    """The seed of a checkpoint that is there."""
    from ..interpreter.common.diagnostics import Diagnostic
    from ..interpreter.common.files import read_text
    from ..interpreter.simulate import checkpoint

    source = read_text(path, checkpoint.SIZE_LIMIT)
    return None if isinstance(source, Diagnostic) else checkpoint.seed_of(source)


def _begun(plan: Plan, path: str, nothing: SoFar) -> tuple[SoFar, float]:
    """What a run that was killed has left, and how long it took; nothing where there is no checkpoint. Raises `RulesError`."""
    from pathlib import Path

    from ..interpreter.common.diagnostics import Diagnostic, RulesError
    from ..interpreter.common.files import read_text
    from ..interpreter.simulate import checkpoint

    if not Path(path).exists() or not Path(path).stat().st_size:
        return nothing, 0.0
    source = read_text(path, checkpoint.SIZE_LIMIT)
    found = source if isinstance(source, Diagnostic) else checkpoint.from_text(source, plan, nothing.counts is not None)
    if isinstance(found, Diagnostic):
        raise RulesError([found])
    return found.so_far, found.seconds


@contextmanager
def rows_file(path: str | None, plan: Plan) -> Iterator[Callable[[SoFar], None]]:
    """Write rows to a file, which is whole at the end, however that comes. None: nowhere."""
    from ..interpreter.simulate.output.parquet import RowsFile

    if path is None:
        yield lambda so_far: None
        return
    try:
        with open(path, "wb") as stream:
            rows = RowsFile(stream, plan)
            yield lambda so_far: rows.add(so_far.rows) if so_far.rows is not None else None
            rows.close()
    except OSError as error:
        raise cannot_write(path, error) from None


# ---- What both commands do


def engine_of(asked: EngineName | None) -> EngineName:
    """The engine that plays; a notice where there is one to be given."""
    from ..interpreter.simulate.engines.engine import engine_to_use

    name, notice = engine_to_use(asked)
    if notice:
        click.echo(notice, err=True)
    return name


def table_for(
    engine: EngineName, file: str, players: int | None, variants: tuple[str, ...], settings: dict[str, str]
) -> Game | KeptTable:
    """The table that an engine plays: the quick one needs only what is kept of a table. Raises `RulesError`."""
    if engine == "wasm":
        from ..interpreter.play.kept import kept_table

        return kept_table(file, players, variants, settings)
    from ..interpreter.play.game import load

    return load(file, players, variants, settings)


def plan_of(
    table: Game | KeptTable,
    file: str,
    players: int | None,
    variants: tuple[str, ...],
    settings: dict[str, str],
    bots: str,
    seed: int | None,
    games: int,
    engine: EngineName,
) -> Plan:
    """What is to be played at one table. Raises `RulesError`."""
    from ..interpreter.players.bots import bots_from
    from ..interpreter.simulate.simulation import Plan

    arguments = [file, *(["--players", str(players)] if players is not None else [])]
    arguments += [word for variant in variants for word in ("--variant", variant)]
    arguments += [word for option, value in settings.items() for word in ("--set", f"{option}={value}")]
    seed = random_seed() if seed is None else seed
    return Plan(table, bots_from(bots, table.players), seed, games, engine, tuple(arguments))


def conditions_of(texts: tuple[str, ...], plan: Plan, of_two: bool = False) -> list[Condition]:
    """The conditions of `--fail-if`. Raises `RulesError`."""
    from ..interpreter.simulate.statistics.condition import condition_from
    from ..interpreter.simulate.statistics.statistics import statistics
    from ..interpreter.simulate.statistics.tally import Tally

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


@contextmanager
def watched(run: Run[Any], plan: Plan, begun: int) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how far a run has come, which is told to the function that this gives; Ctrl-C ends the run early.

    A second Ctrl-C ends everything at once.
    """
    before = None
    if current_thread() is main_thread():

        def interrupt(number: int, frame: object) -> None:
            run.interrupt()
            signal.signal(signal.SIGINT, signal.default_int_handler)

        before = signal.signal(signal.SIGINT, interrupt)
    try:
        if sys.stderr.isatty():
            with _bar(plan, begun) as shown:
                yield shown
        else:
            yield lambda games: None
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


@contextmanager
def _bar(plan: Plan, begun: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr, with games per second and the time left."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        TextColumn("{task.fields[speed]}"), TimeRemainingColumn(), TextColumn("left"),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(plan.table.name, total=plan.games, completed=begun, speed="")
        started = monotonic()

        def shown(games: int) -> None:
            passed = monotonic() - started
            speed = f"{(games - begun) / passed:,.0f} games/s" if passed else ""
            progress.update(task, completed=games, speed=speed)

        yield shown
