"""The command `simulate`: play many games and print their statistics.

Games and statistics come from `interpreter/simulate`. This module handles the output files.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
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
from .shared.options import FILE, LANGUAGE, TableChoice, language_of, table_options
from .shared.runs import (
    CHECKPOINT,
    Keeper,
    begun,
    cluster_of,
    conditions_of,
    engine_of,
    kept_seed,
    plan_of,
    played_table,
    run_options,
    tell_conditions,
    watched,
)

if TYPE_CHECKING:
    from ..interpreter.simulate.engines.engine import EngineName
    from ..interpreter.simulate.simulation import Plan, SoFar


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
@CHECKPOINT
@LANGUAGE
def simulate(
    file: str,
    table: TableChoice,
    games: int,
    seed: int | None,
    jobs: int,
    cluster: str | None,
    bots: str,
    engine: EngineName | None,
    form: str,
    conditions: tuple[str, ...],
    out: str | None,
    report: str | None,
    checkpoint: str | None,
    language: str | None,
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
    name = engine_of(engine, bots)
    plan = plan_of(played_table(name, file, table), file, table, bots, kept_seed(checkpoint, seed), games, name)
    speaks = form == "text" or report is not None or language is not None
    told = plan.in_language(language_of(plan.game.rules, language)) if speaks else plan
    wanted = conditions_of(conditions, plan)
    counts = report is not None
    there = begun(checkpoint, lambda source: checkpoints.from_text(source, plan, counts))
    first, before = (there.so_far, there.seconds) if there else (nothing_yet(plan, counts), 0.0)
    so_far = first
    with cluster_of(cluster, jobs, name) as workers:
        run = run_of(plan, first.games, jobs, rows=out is not None, counts=counts, cluster=workers)
        keeper: Keeper[SoFar] = Keeper(checkpoint, partial(checkpoints.to_text, plan), before)
        with _rows_file(out, plan) as write_rows, watched(run, plan, first.games) as shown:
            for so_far in added_up(first, run):
                shown(so_far.games)
                write_rows(so_far)
                keeper.note(so_far)
    seconds = keeper.end(so_far, so_far.games > first.games)
    found = stops(plan, so_far.tally)
    if report is not None:
        from ..interpreter.simulate.output.report import report as page_of

        replace_file(report, page_of(told, so_far, seconds, found))
    if form == "json":
        print_json(output.to_json(plan, so_far, seconds, found))
    elif form == "csv":
        click.echo(output.to_csv(plan, so_far), nl=False)
    else:
        from ..interpreter.simulate.output import page

        print_page(page.page(told, so_far, seconds), told.game)
        if found:
            print_page(page.stops_page(so_far.games, found, told.game.words), after=True)
    if found:
        complain([found[0].diagnostic])
    failed = tell_conditions(wanted, statistics(plan.columns, so_far.tally), {})
    if so_far.games < plan.games:
        from ..interpreter.simulate.output.page import interrupted_text

        click.echo(interrupted_text(so_far.games, plan.games, told.game.words), err=True)
        return INTERRUPTED
    return FINDINGS if found or failed else FINE


@contextmanager
def _rows_file(path: str | None, plan: Plan) -> Generator[Callable[[SoFar], None]]:
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
