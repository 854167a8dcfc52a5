"""The command `tournament`: bots play every deal in all seatings, and are rated."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from .shared.console import FINDINGS, FINE, INTERRUPTED, check_writable, complain, print_json, print_page
from .shared.options import FILE, LANGUAGE, SEED, TableChoice, language_of, random_seed, table_options
from .shared.runs import (
    CHECKPOINT,
    CLUSTER,
    ENGINE,
    FORM,
    GAMES,
    JOBS,
    Keeper,
    begun,
    cluster_of,
    engine_of,
    kept_seed,
    played_table,
    watched,
)

if TYPE_CHECKING:
    from ..interpreter.simulate.engines.engine import EngineName
    from ..interpreter.simulate.tournament import Standing


@click.command(
    epilog="""\b
Examples:
  rulesrun tournament games/masti.rules --bots random --bots casual
  rulesrun tournament games/kingdomino.rules --bots random,rollouts:10,rollouts:50

\b
Exit codes: 0 fine, 1 games stopped by a fault, 2 wrong usage, 130
interrupted (the ratings are of the games played so far)."""
)
@FILE
@table_options
@click.option("--bots", multiple=True, required=True, metavar="BOT", help="A bot that takes part; can be repeated.")
@GAMES
@SEED
@JOBS
@CLUSTER
@ENGINE
@FORM
@CHECKPOINT
@LANGUAGE
def tournament(
    file: str,
    table: TableChoice,
    bots: tuple[str, ...],
    games: int,
    seed: int | None,
    jobs: int,
    cluster: str | None,
    engine: EngineName | None,
    form: str,
    checkpoint: str | None,
    language: str | None,
) -> int:
    """Let bots play against each other and rate them.

    Every deal is played in all seatings, so all bots have the same luck. The number of games is rounded up to whole deals.
    """
    from ..interpreter.simulate import checkpoint as checkpoints
    from ..interpreter.simulate import tournament as playing
    from ..interpreter.simulate.output import page, standings
    from ..interpreter.simulate.seatings import contestants

    if checkpoint is not None:
        check_writable(checkpoint, checkpoints.MARK, "checkpoint")
    name = engine_of(engine, ",".join(bots))
    chosen = played_table(name, file, table)
    named, seatings = contestants(bots, chosen.players)
    seed, deals = kept_seed(checkpoint, seed), -(-games // len(seatings))
    seed = random_seed(",".join(bots)) if seed is None else seed
    plan = playing.Tournament(chosen, named, seatings, seed, deals, name, (file, *table.arguments))
    speaks = form == "text" or language is not None
    told = plan.in_language(language_of(plan.game.rules, language)) if speaks else plan
    first, before = begun(checkpoint, lambda source: playing.from_text(source, plan)) or (playing.nothing_played(plan), 0.0)
    standing = first
    with cluster_of(cluster, jobs, name) as workers:
        run = playing.run_of(plan, first.games, jobs, workers)
        keeper: Keeper[Standing] = Keeper(checkpoint, partial(playing.to_text, plan), before)
        with watched(run, plan, first.games) as shown:
            for standing in playing.added_up(first, run):
                shown(standing.games)
                keeper.note(standing)
    seconds = keeper.end(standing, standing.games > first.games)
    found, stopped = standings.standings(told, standing), playing.faults(plan, standing)
    if form == "json":
        print_json(standings.to_json(found, seconds, stopped))
    elif form == "csv":
        click.echo(standings.to_csv(found), nl=False)
    else:
        print_page(standings.page(found, seconds), told.game)
        if stopped:
            print_page(page.stops_page(standing.games, stopped, told.game.words), after=True)
    complain([stop.diagnostic for stop in stopped[:1]])
    if standing.games < plan.games:
        click.echo(page.interrupted_text(standing.games, plan.games, told.game.words), err=True)
        return INTERRUPTED
    return FINDINGS if stopped else FINE
