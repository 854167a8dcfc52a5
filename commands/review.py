"""The command `review`: what a search thinks of the acts of a game."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from .shared.console import INTERRUPTED, complain, print_json, print_page, quoted
from .shared.options import FORMAT, LANGUAGE, check_seat, in_language
from .shared.transcripts import rules_of, transcript_in

if TYPE_CHECKING:
    from ..interpreter.play.records.review import JudgedAct


def _threshold(ctx: click.Context, param: click.Parameter, value: str) -> float:
    try:
        percent = float(value.removesuffix("%"))
    except ValueError:
        percent = -1.0
    if not 0 < percent <= 100:
        raise click.BadParameter(f"`{value}` is no share of the win: it is more than 0 and at most 100 percent", ctx, param)
    return percent / 100


def _iterations(ctx: click.Context, param: click.Parameter, value: str) -> int:
    from ..interpreter.players.bots import bots_named

    found = bots_named(value)
    if len(found) != 1 or found[0].kind != "search":
        raise click.BadParameter(f"`{value}` cannot judge: name one bot that searches, such as `search:1000`", ctx, param)
    return found[0].playouts


@click.command(
    epilog="""\b
Examples:
  rulesrun review game.json
  rulesrun review game.json --seat 2 --bots search:20000 --threshold 5

\b
Games are saved by `rulesrun run` and `rulesrun play` with `--save FILE`.
Exit codes: 0 fine, also if acts are marked; 1 the rules have changed or
stop the game; 2 wrong usage or an unreadable file; 130 interrupted."""
)
@click.argument("transcript", type=click.Path(), metavar="FILE")
@click.option("--rules", type=click.Path(), metavar="FILE", help="The file of rules, if it has moved.")
@click.option("--seat", type=int, metavar="N", help="Look only at the acts of that seat.")
@click.option(
    "--bots", "iterations", default="search:1000", show_default=True, metavar="search:N", callback=_iterations, help="Who judges."
)
@click.option(
    "--threshold",
    default="10",
    show_default=True,
    metavar="PERCENT",
    callback=_threshold,
    help="Mark acts that gave away so much of the win.",
)
@FORMAT
@LANGUAGE
def review(
    transcript: str, rules: str | None, seat: int | None, iterations: int, threshold: float, form: str, language: str | None
) -> int:
    """Go through a played game and mark acts that gave away much.

    A search judges each act by what its seat knew at the time, and names the option that it would take instead.
    """
    from ..interpreter.common.deadline import patience
    from ..interpreter.play.bots.thinking import thinker_for
    from ..interpreter.play.records import review as reviewing
    from ..interpreter.play.records.replay import replay
    from ..interpreter.simulate.engines.interface import PATIENCE

    read = transcript_in(transcript)
    game = rules_of(read, transcript, rules, f"rulesrun review {quoted(transcript)} --rules GAME.rules")
    check_seat(game, seat)
    spoken = game if form == "json" else in_language(game, language)
    seats = tuple(range(1, game.players + 1)) if seat is None else (seat,)
    with patience("the game", PATIENCE):
        played = replay(read, game)
        history = played.state.history
        places = reviewing.decisions_of(game, history, seats)
    acts: list[JudgedAct] = []
    interrupted = False
    try:
        with _bar(len(places)) as advance:
            for each in reviewing.judged(spoken, history, places, thinker_for(game), iterations, threshold):
                acts.append(each)
                advance()
    except KeyboardInterrupt:
        interrupted = True
    found = reviewing.Review(spoken, seats, iterations, threshold, tuple(acts), len(places))
    if form == "json":
        print_json(reviewing.to_json(found, read.seed))
    else:
        print_page(reviewing.page(found, read.seed), spoken)
    diagnostics = [*played.diagnostics]
    if played.state.fault is not None and played.state.fault not in diagnostics:
        diagnostics.append(played.state.fault)
    code = complain(diagnostics)
    if interrupted:
        words, number = spoken.words, len(acts)
        told = words.phrase("interrupted: these are the first {number} of {all} acts", number=number, all=len(places))
        click.echo(told, err=True)
        return INTERRUPTED
    return code


@contextmanager
def _bar(total: int) -> Generator[Callable[[], None]]:
    """A bar on stderr, only on a terminal; the function that this gives is called after each act."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.completed} of {task.total} acts"), TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda: progress.advance(task)
