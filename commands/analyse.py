"""The command `analyse`: the balance report of a table, or of two side by side."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from shlex import join
from typing import TYPE_CHECKING

import click

from .compare import against_given
from .shared.console import FINDINGS, FINE, INTERRUPTED, check_writable, complain, print_json, print_page, replace_file
from .shared.options import (
    FILE,
    FORMAT,
    LANGUAGE,
    SEED,
    TableChoice,
    language_of,
    random_seed,
    seconds_given,
    table_options,
    variant_names,
    whole_number,
)
from .shared.runs import (
    CHECKPOINT,
    CLUSTER,
    ENGINE,
    FAIL_IF,
    JOBS_LIMIT,
    Keeper,
    begun,
    cluster_of,
    ended_by_interrupt,
    engine_of,
    kept_of,
    kept_seed,
    tell_conditions,
)

if TYPE_CHECKING:
    from ..interpreter.balance.playing.study import Side, Study, Studying
    from ..interpreter.rules import Rules
    from ..interpreter.simulate.engines.engine import EngineName

SECONDS = "240"


def _if_given(check: Callable[[click.Context, click.Parameter, str], int]) -> Callable[..., int | None]:
    """A callback for an option that has no default."""

    def given(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
        return None if value is None else check(ctx, param, value)

    return given


@click.command(
    epilog="""\b
Examples:
  rulesrun analyse games/kingdomino.rules --report balance.html
  rulesrun analyse games/kingdomino.rules --variant harmony --against plain
  rulesrun analyse games/masti.rules --players 4 --bots search:100 --games 50
  rulesrun analyse games/masti.rules --max-seconds 3600 --checkpoint masti.json
  rulesrun analyse mine.rules --fail-if "first_seat_win_share > 0.6"

\b
Exit codes: 0 fine, 1 games stopped by a fault or a condition of --fail-if
that holds, 2 wrong usage, 130 interrupted (the report is of the games played
so far)."""
)
@FILE
@table_options
@click.option(
    "--against",
    multiple=True,
    metavar="NAME",
    callback=against_given,
    shell_complete=variant_names,
    help="Compare with this variant, or with `plain` for none.",
)
@click.option("--bots", metavar="BOT[,BOT...]", help="Who plays (default: `search:N` with an N for which the time suffices).")
@click.option(
    "--games",
    metavar="N",
    callback=_if_given(whole_number("number of games", 1, 1_000_000, "1 to 1,000,000")),
    help="Games of strong play at each table (default: up to 1,000, as many as the time allows).",
)
@click.option(
    "--max-seconds", "max_seconds", metavar="S", default=SECONDS, show_default=True, callback=seconds_given, help="Time to play."
)
@SEED
@click.option(
    "--jobs",
    metavar="N",
    callback=_if_given(whole_number("number of jobs", 1, JOBS_LIMIT, f"1 to {JOBS_LIMIT}")),
    help="Number of threads (default: as many as processors).",
)
@CLUSTER
@ENGINE
@click.option("--report", type=click.Path(), metavar="FILE.html", help="Write the page.")
@FORMAT
@FAIL_IF
@CHECKPOINT
@LANGUAGE
def analyse(
    file: str,
    table: TableChoice,
    against: tuple[str, ...] | None,
    bots: str | None,
    games: int | None,
    max_seconds: float,
    seed: int | None,
    jobs: int | None,
    cluster: str | None,
    engine: EngineName | None,
    report: str | None,
    form: str,
    conditions: tuple[str, ...],
    checkpoint: str | None,
    language: str | None,
) -> int:
    """Play with strong bots and report the balance of the game.

    Is it fair, does skill count, how long is it, which decisions matter, who leads: each answer has an interval. With --against,
    two tables stand side by side, with the rules that differ.
    """
    from attrs import evolve

    from ..interpreter.balance.analysis import Analysis
    from ..interpreter.balance.measures import known
    from ..interpreter.balance.output import page, text
    from ..interpreter.balance.playing import checkpoint as checkpoints
    from ..interpreter.balance.playing.study import Clock, Studying, changes_of, default_bot, nothing_ended
    from ..interpreter.overview.difference import compare_tables
    from ..interpreter.players.bots import bots_from
    from ..interpreter.rules import read_rules
    from ..interpreter.simulate.checkpoint import MARK
    from ..interpreter.simulate.statistics.condition import condition_from

    if report is not None:
        check_writable(report, page.MARK, "report")
    if checkpoint is not None:
        check_writable(checkpoint, MARK, "checkpoint")
    seed, bots = kept_seed(checkpoint, seed), kept_of(checkpoint, checkpoints.bots_of) if bots is None else bots
    name = engine_of(engine, "random" if bots is None else bots)
    rules = read_rules(file)
    spoken = language_of(rules, language)
    sides = _sides(rules, file, table, against, "random" if bots is None else bots)
    seed = random_seed(bots) if seed is None else seed
    with cluster_of(cluster, jobs or 1, name) as workers:
        threads = jobs or os.cpu_count() or 1 if workers is None else workers.threads()
        clock = Clock(max_seconds)
        if bots is None:
            strong = default_bot([side.game for side in sides], name, max_seconds, threads)
            bots = str(strong)
            sides = [evolve(side, bots=bots_from(bots, side.game.players)) for side in sides]
        changes = changes_of(rules, sides, table.settings)
        asked_for = checkpoints.Report(sides, name, seed, games)
        kept, before = begun(checkpoint, lambda source: checkpoints.from_text(source, asked_for)) or (None, 0.0)
        clock.go_on(before)
        studying = Studying(sides, rules, changes, name, seed, games, clock, threads, workers, kept)
        keeper: Keeper[Study] = Keeper(checkpoint, lambda study, _: checkpoints.to_text(asked_for, study), before)
        statistics = known(studying.sides[-1], studying.steps)
        wanted = [condition_from(text, statistics, of_two=against is not None) for text in conditions]
        with ended_by_interrupt(studying.interrupt):
            for _ in _shown(studying):
                keeper.note(studying.study)
    study = studying.study
    keeper.end(study, played=True)
    if not any(played.games for played in study.sides):
        if not study.ended:
            return INTERRUPTED
        raise nothing_ended(max_seconds)
    differing = None
    if against is not None:
        differing = compare_tables(
            rules, rules, sides[0].game.variants, sides[1].game.variants, sides[0].game.players, dict(table.settings)
        )
    analysis = Analysis(study, differing)
    asked = ["rulesrun", "analyse", file, *table.arguments]
    asked += [word for variant in against or ("plain",) for word in ("--against", variant)] if against is not None else []
    asked += ["--bots", bots, "--games", str(study.sides[0].games), "--seed", str(seed)]
    told = analysis.in_language(spoken)
    if report is not None:
        replace_file(report, page.page(told, join(asked)))
    if form == "json":
        print_json(text.to_json(analysis))
    else:
        print_page(text.page(told), sides[0].game)
    stops = [stop.diagnostic for found in analysis.tables for stop in found.stops[:1]]
    complain(stops[:1])
    values = {statistic: Fraction(each.value) for statistic, each in analysis.tables[-1].estimates.items()}
    differences = {statistic: Fraction(each.value) for statistic, each in analysis.differences.items()}
    held = tell_conditions(wanted, values, differences)
    if not study.ended:
        click.echo(f"interrupted: this is of the first {study.sides[0].games:,} games", err=True)
        return INTERRUPTED
    return FINDINGS if stops or held else FINE


def _sides(rules: Rules, file: str, table: TableChoice, against: tuple[str, ...] | None, bots: str) -> list[Side]:
    """The tables: that of --against first. Raises `RulesError`."""
    from ..interpreter.balance.playing.study import Side
    from ..interpreter.play.game import table_of
    from ..interpreter.players.bots import bots_from

    choices = [table] if against is None else [table._replace(variants=against), table]
    games = [table_of(rules, choice.players, choice.variants, choice.settings) for choice in choices]
    most = max(game.players for game in games)
    if any(game.players < most for game in games):
        choices = [choice._replace(players=most) for choice in choices]
        games = [table_of(rules, choice.players, choice.variants, choice.settings) for choice in choices]
    return [
        Side(", ".join(choice.variants) or "plain", game, bots_from(bots, game.players), (file, *choice.arguments))
        for choice, game in zip(choices, games, strict=True)
    ]


def _shown(studying: Studying) -> Iterator[str]:
    """Play, and show on a terminal how far it is."""
    if not sys.stderr.isatty():
        yield from studying.play()
        return
    from rich.console import Console

    with Console(stderr=True).status("strong play") as status:
        for told in studying.play():
            status.update(told)
            yield told
