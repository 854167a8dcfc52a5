"""The shared part of `simulate` and `compare`: options of a run, the engine, conditions, the progress bar and Ctrl-C."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .options import BOTS, SEED, TableChoice, random_seed, whole_number

if TYPE_CHECKING:
    from ...interpreter.play.game import Game
    from ...interpreter.play.kept import KeptTable
    from ...interpreter.simulate.engines.engine import EngineName
    from ...interpreter.simulate.running import Run
    from ...interpreter.simulate.simulation import Plan
    from ...interpreter.simulate.statistics.condition import Condition, Values

_Command = TypeVar("_Command", bound=Callable[..., Any])

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


def run_options(command: _Command) -> _Command:
    """The options that say how many games are played, by whom and on what."""
    add = (
        click.option("--games", metavar="N", default="1000", show_default=True, callback=_games, help="Number of games."),
        SEED,
        click.option("--jobs", metavar="N", default="1", show_default=True, callback=_jobs, help="Number of threads."),
        BOTS,
        click.option("--engine", metavar="NAME", callback=_engine, help="`wasm` or `reference` (default: `wasm`)."),
        click.option("--format", "form", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True),
        click.option(
            "--fail-if", "conditions", multiple=True, metavar="CONDITION",
            help='Exit with 1 if it holds, such as "win_share[seat 1] > 0.30"; can be repeated.',
        ),
    )  # fmt: skip
    for option in reversed(add):
        command = option(command)
    return command


def engine_of(asked: EngineName | None) -> EngineName:
    """The engine that plays; a notice where there is one to be given."""
    from ...interpreter.simulate.engines.engine import engine_to_use

    name, notice = engine_to_use(asked)
    if notice:
        click.echo(notice, err=True)
    return name


def plan_of(
    table: Game | KeptTable, file: str, chosen: TableChoice, bots: str, seed: int | None, games: int, engine: EngineName
) -> Plan:
    """What is to be played at one table. Raises `RulesError`."""
    from ...interpreter.players.bots import bots_from
    from ...interpreter.simulate.simulation import Plan

    seed = random_seed() if seed is None else seed
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
