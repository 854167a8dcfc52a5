"""The command `simulate`: play many games and print their statistics.

Games and statistics come from `interpreter/simulate`. This module handles the checkpoint and the output files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

import click

from .shared.console import (
    FINDINGS,
    FINE,
    INTERRUPTED,
    cannot_write,
    check_writable,
    complain,
    print_json,
    print_page,
    replace_file,
)
from .shared.options import FILE, TableChoice, table_options
from .shared.runs import conditions_of, engine_of, plan_of, run_options, tell_conditions, watched

if TYPE_CHECKING:
    from ..interpreter.play.game import Game
    from ..interpreter.play.kept import KeptTable
    from ..interpreter.simulate.engines.engine import EngineName
    from ..interpreter.simulate.simulation import Plan, SoFar

BETWEEN_CHECKPOINTS = 1.0  # seconds


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
@click.option("--out", type=click.Path(), metavar="FILE.parquet", help="Write one row for each game.")
@click.option("--report", type=click.Path(), metavar="FILE.html", help="Write a page with plots.")
@click.option("--checkpoint", type=click.Path(), metavar="FILE", help="Save the run here, and continue it if the file exists.")
def simulate(
    file: str,
    table: TableChoice,
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

    `rulesrun run --seed S --game N` shows game N of a seed, counted from 0.
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
    plan = plan_of(_played(name, file, table), file, table, bots, seed, games, name)
    wanted = conditions_of(conditions, plan)
    begun, before = nothing_yet(plan, counts=report is not None), 0.0
    if checkpoint is not None:
        begun, before = _begun(plan, checkpoint, begun)
    so_far, started, saved = begun, monotonic(), monotonic()
    run = run_of(plan, begun.games, jobs, rows=out is not None, counts=report is not None)
    with _rows_file(out, plan) as write_rows, watched(run, plan, begun.games) as shown:
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


def _played(engine: EngineName, file: str, table: TableChoice) -> Game | KeptTable:
    """The table that an engine plays: the fast one needs only what is kept of a table. Raises `RulesError`."""
    from ..interpreter.play.kept import kept_table

    return kept_table(file, table.players, table.variants, table.settings) if engine == "wasm" else table.load(file)


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
def _rows_file(path: str | None, plan: Plan) -> Iterator[Callable[[SoFar], None]]:
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
