"""The command `baseline`: store the balance of a game, and say what a later version moved."""

from __future__ import annotations

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
from .shared.options import BOTS, FILE, LANGUAGE, SEED, language_of
from .shared.runs import CHECKPOINT, CLUSTER, GAMES, JOBS, engine_of, plans_of, status, swept

if TYPE_CHECKING:
    from ..interpreter.balance.baseline import Baseline
    from ..interpreter.rules import Rules

STANDARD_SEED = 1  # so that two people who store a baseline store the same one


@click.command(
    epilog="""\b
Examples:
  rulesrun baseline games/masti.rules --games 2000 --out masti.balance.json
  rulesrun baseline games/masti.rules --compare masti.balance.json
  rulesrun baseline games/masti.rules --compare masti.balance.json --format github

\b
Exit codes: 0 stored, or nothing moved; 1 something moved, or games stopped by a
fault; 2 wrong usage, 130 interrupted."""
)
@FILE
@GAMES
@SEED
@JOBS
@CLUSTER
@BOTS
@click.option("--out", type=click.Path(), metavar="FILE", help="Store the balance here.")
@click.option("--compare", "stored", type=click.Path(), metavar="FILE", help="Say what moved since this baseline.")
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text", show_default=True)
@CHECKPOINT
@LANGUAGE
@click.pass_context
def baseline(
    context: click.Context,
    file: str,
    games: int,
    seed: int | None,
    jobs: int,
    cluster: str | None,
    bots: str,
    out: str | None,
    stored: str | None,
    form: str,
    checkpoint: str | None,
    language: str | None,
) -> int:
    """Store the balance of a game, or say what has moved since.

    Every number of players is played, without variants and with each one. With --compare, games, seed and bots are those of the
    baseline. The rules that differ are shown first, then the numbers that differ by more than chance explains.
    """
    from ..interpreter.balance import baseline as baselines
    from ..interpreter.balance.output import baseline as told
    from ..interpreter.balance.sweeping.tables import tables_from
    from ..interpreter.common.diagnostics import Diagnostic, RulesError
    from ..interpreter.common.files import read_text
    from ..interpreter.rules import read_rules
    from ..interpreter.simulate.checkpoint import MARK

    if (out is None) == (stored is None):
        raise click.UsageError("either store the balance with `--out FILE`, or compare with a stored one: `--compare FILE`")
    typed = click.core.ParameterSource.COMMANDLINE
    given = [name for name in ("games", "seed", "bots") if context.get_parameter_source(name) is typed]
    if stored is not None and given:
        raise click.UsageError(f"--{given[0]} does not go with --compare: the baseline says it")
    check_apart({"--out": out, "--compare": stored, "--checkpoint": checkpoint})
    if out is not None:
        check_writable(out, baselines.MARK, "baseline")
    if checkpoint is not None:
        check_writable(checkpoint, MARK, "checkpoint")
    rules = read_rules(file)
    code = language_of(rules, language)
    with status() as tell:
        tables = tables_from(rules, "all", "each", [], tell).games
    first = next(iter(tables.values()))
    spoken = first.in_language(code)
    if stored is None:
        seed = STANDARD_SEED if seed is None else seed
        before = baselines.Baseline(first.name, rules.source.text if rules.source else "", seed, games, bots, {})
    else:
        source = read_text(stored, baselines.SIZE_LIMIT)
        if isinstance(source, Diagnostic):
            raise RulesError([source])
        before = baselines.from_text(source, first.name, file)
    engine = engine_of(None, before.bots)
    plans = plans_of(tables, file, before.bots, before.seed, before.games, engine)
    sweeping, _ = swept(plans, jobs, cluster, engine, checkpoint)
    if not sweeping.ended:
        click.echo("interrupted: nothing was stored" if out is not None else "interrupted: nothing was compared", err=True)
        return INTERRUPTED
    sides = {choice: sweeping.side(choice) for choice in plans}
    faults = [fault for choice in plans for fault in sweeping.faults(choice)]
    complain(faults[:1])
    if out is not None:
        found = baselines.Baseline(before.game, before.text, before.seed, games, bots, sides)
        replace_file(out, baselines.to_text(found))
        click.echo(f"{out}: {len(sides)} tables, {games:,} games each by {bots}, seed {found.seed}")
        return FINDINGS if faults else FINE
    seen = baselines.watched(before, sides)
    if form == "json":
        print_json(told.as_json(before, seen))
    elif form == "github":
        click.echo("".join(f"{line}\n" for line in told.annotated(seen, file)), nl=False)
    else:
        _print_difference(rules, before, stored or "")
        print_page(told.page(before, seen, stored or "", spoken.title() if spoken.speaks else "", spoken.words), first)
    return FINE if seen.is_quiet and not faults else FINDINGS


def _print_difference(rules: Rules, before: Baseline, stored: str) -> None:
    """Show which rules differ from those of the baseline. Rules that can no longer be read say nothing."""
    from attrs import evolve

    from ..interpreter.common.source import Source
    from ..interpreter.overview.difference import compare, page
    from ..interpreter.rules import rules_from

    if rules.source is not None and before.text == rules.source.text:
        return
    old = rules_from(Source(rules.path, before.text))
    if old.model is None:
        click.echo(f"the rules in {stored} cannot be read any more, so they are not compared", err=True)
        return
    print_page(page(evolve(compare(old, rules), sides=(f"{rules.path} of {stored}", rules.path))))
    click.echo()
