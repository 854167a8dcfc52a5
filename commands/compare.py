"""The command `compare`: play tables with the same luck and report the differences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

import click

from .shared.console import FINDINGS, FINE, INTERRUPTED, complain, print_json, print_page
from .shared.options import (
    FILE,
    LANGUAGE,
    TableChoice,
    language_of,
    names_given,
    random_seed,
    rules_named,
    table_options,
    variant_names,
)
from .shared.runs import cluster_of, conditions_of, engine_of, plan_of, run_options, tell_conditions, watched

if TYPE_CHECKING:
    from ..interpreter.rules import Rules
    from ..interpreter.simulate.engines.engine import EngineName
    from ..interpreter.simulate.output.comparison import Compared
    from ..interpreter.simulate.simulation import Plan
    from ..interpreter.simulate.statistics.tally import Tally
    from ..interpreter.simulate.sweep import Sweep

    Side = Callable[[Plan, Tally], Compared]

PLAIN = "plain"  # `--against plain`: no variants


def against_given(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    """The variants of the first side; None where it is not said what they are."""
    names = names_given(ctx, param, values)
    if PLAIN in names and len(names) > 1:
        raise click.BadParameter(f"`{PLAIN}` is without variants: name it alone", ctx, param)
    return (() if names == (PLAIN,) else names) if values else None


def _against(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    return against_given(ctx, param, values) or ()


@click.command(
    epilog="""\b
Examples:
  rulesrun compare games/kingdomino.rules --variant harmony --games 2000
  rulesrun compare games/kingdomino.rules --variant harmony --against dynasty
  rulesrun compare games/masti.rules mine.rules --players 4
  rulesrun compare games/masti.rules --baseline stats.json
  rulesrun compare games/for_the_king.rules --sweep highest_bid=5..30:5

\b
Exit codes: 0 fine, 1 games stopped by a fault or a condition of --fail-if
that holds, 2 wrong usage, 130 interrupted."""
)
@FILE
@click.argument("other", required=False, type=click.Path(), callback=rules_named)
@table_options
@click.option(
    "--against",
    multiple=True,
    metavar="NAME",
    callback=_against,
    shell_complete=variant_names,
    help="A variant on the first side, or `plain` for none (the default).",
)
@click.option("--baseline", type=click.Path(), metavar="FILE", help="Compare with earlier output of `simulate --format json`.")
@click.option("--sweep", metavar="OPTION=LOW..HIGH:STEP", help="Compare the values of an option, or of a number in the rules.")
@run_options
@LANGUAGE
def compare(
    file: str,
    other: str | None,
    table: TableChoice,
    against: tuple[str, ...],
    baseline: str | None,
    sweep: str | None,
    games: int,
    seed: int | None,
    jobs: int,
    cluster: str | None,
    bots: str,
    engine: EngineName | None,
    form: str,
    conditions: tuple[str, ...],
    language: str | None,
) -> int:
    """Play tables with the same luck and compare them.

    The first side is FILE without the variants of --variant. The second side is FILE, or OTHER, with them. Differences are the
    second side minus the first. In --fail-if, `win_share[seat 1]` is a statistic of the second side, and
    `difference.win_share[seat 1]` is its difference.
    """
    from ..interpreter.balance.varying import is_option
    from ..interpreter.play.game import table_of
    from ..interpreter.rules import read_rules
    from ..interpreter.simulate.output import comparison as told
    from ..interpreter.simulate.output.page import interrupted_text
    from ..interpreter.simulate.stops import stops
    from ..interpreter.simulate.sweep import sweep_from
    from ..interpreter.simulate.together import added_together, none_yet, run_together

    def plan(path: str, chosen: TableChoice, changed: Rules | None = None) -> Plan:
        game = table_of(changed or rules[path], chosen.players, chosen.variants, chosen.settings)
        return plan_of(game, path, chosen, bots, seed, games, name)

    seed, name = random_seed(bots) if seed is None else seed, engine_of(engine, bots)
    ways = [name for name, given in (("--sweep", sweep), ("--baseline", baseline), ("a second file", other)) if given is not None]
    if len(ways) > 1 or (ways and against and other is None):
        raise click.UsageError(f"compare with one thing: {' or '.join([*ways, *(['--against'] if against else [])])}")
    if not ways and not table.variants and not against:
        help = "a second file, `--variant NAME`, `--baseline FILE` or `--sweep OPTION=LOW..HIGH:STEP`"
        raise click.UsageError(f"compare it with what? name {help}")
    rules = {path: read_rules(path) for path in dict.fromkeys((file, other or file))}
    stored: list[told.Compared] = []
    about = ""
    sides: list[Side] = []
    if sweep is not None:
        swept = sweep_from(sweep)
        about = swept.option
        sides = [partial(told.Compared.of, value) for value in swept.values]
        if about in table.settings:
            raise click.UsageError(f"`{about}` is set and swept: leave out one of them")
        if is_option(rules[file], about):
            plans = [plan(file, table._replace(settings={**table.settings, about: value})) for value in swept.values]
        else:
            plans = [plan(file, table, changed) for changed in _varied(rules[file], swept)]
    elif baseline is not None:
        plans = [plan(file, table)]
        sides = [partial(told.Compared.with_variants, table.variants)]
        stored = [_stored(baseline, plans[0])]
    else:
        path = file if other is None else other
        first = table._replace(variants=against)
        plans = [plan(file, first), plan(path, table)]
        sides = [partial(told.Compared.with_variants, each.variants) for each in (first, table)]
        most = max(each.game.players for each in plans)
        if any(each.game.players < most for each in plans):
            plans = [plan(file, first._replace(players=most)), plan(path, table._replace(players=most))]
    speaks = form == "text" or language is not None
    last = plans[-1].in_language(language_of(plans[-1].game.rules, language)) if speaks else plans[-1]
    wanted = conditions_of(conditions, plans[-1], of_two=True)
    started = monotonic()
    together = none_yet(plans)
    with cluster_of(cluster, jobs, name) as workers:
        run = run_together(plans, jobs, workers)
        with watched(run, plans[-1], 0) as shown:
            for together in added_together(plans, run):
                shown(together.games)
    played = [side(each, tally) for side, each, tally in zip(sides, plans, together.tallies, strict=True)]
    found = told.Comparison(
        (*stored, *played), (None,) if stored else together.pairs, together.games, monotonic() - started, about
    )
    stopped = [stops(side.plan, side.side.tally) if side.plan else () for side in found.sides]
    found = found.told_with(last)
    if form == "json":
        print_json(told.to_json(found, stopped))
    elif form == "csv":
        click.echo(told.to_csv(found), nl=False)
    else:
        print_page((*told.page(found), *told.stops_page(found, stopped)), last.game)
    complain([each[0].diagnostic for each in stopped if each])
    held = False
    for number in range(1, len(found.sides)):
        where = f"{about} = {found.sides[number].title}: " if about else ""
        held |= tell_conditions(wanted, *found.values(number), where)
    if together.games < games:
        click.echo(interrupted_text(together.games, games, last.game.words), err=True)
        return INTERRUPTED
    return FINDINGS if any(stopped) or held else FINE


def _varied(rules: Rules, swept: Sweep) -> list[Rules]:
    """The rules with each value of a number that stands in them. Raises `RulesError`."""
    from ..interpreter.balance.varying import number_named, whole_number, with_numbers

    varied = number_named(rules, swept.option)
    return [with_numbers(rules, {varied: whole_number(swept.option, value)}) for value in swept.values]


def _stored(path: str, plan: Plan) -> Compared:
    """The side that was played earlier. Raises `RulesError`."""
    from ..interpreter.common.diagnostics import Diagnostic, RulesError
    from ..interpreter.common.files import read_text
    from ..interpreter.simulate.output.comparison import BASELINE_LIMIT, baseline_from

    source = read_text(path, BASELINE_LIMIT)
    found = source if isinstance(source, Diagnostic) else baseline_from(source, plan)
    if isinstance(found, Diagnostic):
        raise RulesError([found])
    return found
