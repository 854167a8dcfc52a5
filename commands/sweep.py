"""The command `sweep`: play many tables of a game with the same luck, and say what stands out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING

import click

from .shared.console import (
    FINDINGS,
    FINE,
    INTERRUPTED,
    check_apart,
    check_writable,
    complain,
    print_json,
    print_page,
    replace_file,
)
from .shared.options import BOTS, FILE, FORMAT, LANGUAGE, SEED, language_of, random_seed
from .shared.runs import CHECKPOINT, CLUSTER, GAMES, JOBS, engine_of, kept_seed, plans_of, status, swept

if TYPE_CHECKING:
    from ..interpreter.balance.output.sweep import Swept
    from ..interpreter.simulate.simulation import Plan
    from ..interpreter.simulate.statistics.statistics import Statistic


@click.command(
    epilog="""\b
Examples:
  rulesrun sweep games/kingdomino.rules --variants all --bots casual
  rulesrun sweep games/masti.rules --players 3..5 --out masti.parquet
  rulesrun sweep games/for_the_king.rules --set highest_bid=5..30:5 --report king.html

\b
Exit codes: 0 fine, 1 games stopped by a fault, 2 wrong usage, 130 interrupted
(what is told is of the games played so far)."""
)
@FILE
@click.option("--players", metavar="NUMBERS", default="all", show_default=True, help="How many: `all`, `2,4` or `3..5`.")
@click.option(
    "--variants",
    metavar="SETS",
    default="each",
    show_default=True,
    help="`each` variant alone and none, `all` sets of them, `plain`, or some: `dynasty,dynasty+harmony`.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NUMBER=LOW..HIGH:STEP",
    help="Values of an option, or of a number in the rules; can be repeated.",
)
@click.option(
    "--show",
    multiple=True,
    metavar="STATISTIC",
    help='A statistic to tell instead of the usual ones, such as "win_share[seat 2]"; can be repeated.',
)
@BOTS
@GAMES
@SEED
@JOBS
@CLUSTER
@click.option("--out", type=click.Path(), metavar="FILE", help="Write all statistics of all tables, as .parquet or .csv.")
@click.option("--report", type=click.Path(), metavar="FILE.html", help="Write a page with plots.")
@FORMAT
@CHECKPOINT
@LANGUAGE
def sweep(
    file: str,
    players: str,
    variants: str,
    settings: tuple[str, ...],
    show: tuple[str, ...],
    bots: str,
    games: int,
    seed: int | None,
    jobs: int,
    cluster: str | None,
    out: str | None,
    report: str | None,
    form: str,
    checkpoint: str | None,
    language: str | None,
) -> int:
    """Play many tables of a game with the same luck.

    Every number of players by every set of variants by every value of --set. The cheap tables are played first. Told is what each
    table comes to, and what stands out beyond chance: unfair seats, and what a variant or a number changes.
    """
    from ..interpreter.balance.output import sweep as told
    from ..interpreter.balance.sweeping.tables import tables_from
    from ..interpreter.rules import read_rules
    from ..interpreter.simulate.checkpoint import MARK

    check_apart({"--out": out, "--report": report, "--checkpoint": checkpoint})
    write = None if out is None else _writer(out)
    if report is not None:
        check_writable(report, told.MARK, "report")
    if checkpoint is not None:
        check_writable(checkpoint, MARK, "checkpoint")
    seed, engine = kept_seed(checkpoint, seed), engine_of(None, bots)
    seed = random_seed(bots) if seed is None else seed
    rules = read_rules(file)
    code = language_of(rules, language)
    with status() as tell:
        tables = tables_from(rules, players, variants, settings, tell)
    plans = plans_of(tables.games, file, bots, seed, games, engine)
    shown = tuple(_statistics(show, list(plans.values()))) or told.SHOWN
    sweeping, seconds = swept(plans, jobs, cluster, engine, checkpoint)
    faults = {choice: each for choice in plans for each in sweeping.faults(choice)[:1]}
    first = next(iter(tables.games.values()))
    spoken = first.in_language(code)
    sides = {choice: sweeping.side(choice) for choice in plans}
    found = told.Swept(
        first.name, spoken.title(), bots, seed, games, sides, tables.swept, shown, seconds, faults, tables.refused, spoken.words
    )
    lost: list[click.UsageError] = []
    asked = join(["rulesrun", *_asked(file, players, variants, settings, show, bots, games, seed)])

    def page(found: Swept) -> str:
        return told.report(found, asked)

    files: tuple[tuple[str | None, Callable[[Swept], str | bytes] | None], ...] = ((out, write), (report, page))
    for path, content in files:
        if path is not None and content is not None:
            try:
                replace_file(path, content(found))
            except click.UsageError as error:  # what is left is told all the same
                lost.append(error)
    if form == "json":
        print_json(told.as_json(found))
    else:
        print_page(told.page(found), first)
    for other in lost[1:]:
        other.show()
    if lost:
        raise lost[0]
    complain(list(faults.values())[:1])
    if not sweeping.ended:
        click.echo(f"interrupted: the tables have {found.least:,} of {games:,} games at least", err=True)
        return INTERRUPTED
    return FINDINGS if faults else FINE


def _writer(out: str) -> Callable[[Swept], str | bytes]:
    """What makes the content of a file with rows, by its suffix."""
    from ..interpreter.balance.output import sweep as told
    from ..interpreter.simulate.output import parquet

    suffix = Path(out).suffix
    if suffix == ".parquet":
        parquet.check_installed()
        check_writable(out, parquet.MARK, "Parquet file")
        return told.parquet
    if suffix == ".csv":
        check_writable(out, b"players,", "table of a sweep")
        return told.csv
    raise click.UsageError(f"`{out}` is no name for a table; it ends with `.parquet` or `.csv`")


def _statistics(show: Sequence[str], plans: Sequence[Plan]) -> Iterator[Statistic]:
    """The statistics that are named. Raises `RulesError`."""
    from ..interpreter.common.source import Source, Span
    from ..interpreter.simulate.statistics.condition import statistic_named
    from ..interpreter.simulate.statistics.statistics import statistics
    from ..interpreter.simulate.statistics.tally import Tally

    known = list(dict.fromkeys(each for plan in plans for each in statistics(plan.columns, Tally.empty(plan.columns))))
    for text in dict.fromkeys(show):
        yield statistic_named(Span(Source("--show", text), 0, len(text)), known)


def _asked(
    file: str, players: str, variants: str, settings: Sequence[str], show: Sequence[str], bots: str, games: int, seed: int
) -> Iterator[str]:
    """The command that makes the same report again."""
    yield from ("sweep", file, "--players", players, "--variants", variants)
    for name, some in (("--set", settings), ("--show", show)):
        for each in some:
            yield from (name, each)
    yield from ("--bots", bots, "--games", str(games), "--seed", str(seed))
