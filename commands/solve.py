"""The command `solve`: the value of a small game. The search is in `interpreter/search/solving`."""

from __future__ import annotations

import math

import click

from .shared.console import FINE, print_json, print_page
from .shared.options import FILE, FORMAT, TableChoice, seconds_given, table_options


def _accuracy(ctx: click.Context, param: click.Parameter, value: str) -> float:
    try:
        accuracy = float(value)
    except ValueError:
        accuracy = math.nan
    if not 0 <= accuracy < math.inf:
        raise click.BadParameter(f"`{value}` is no accuracy: it is a number from 0, such as 0.001", ctx, param)
    return accuracy


@click.command(
    epilog="""\b
Examples:
  rulesrun solve games/classics/kuhn_poker.rules
  rulesrun solve games/classics/leduc_poker.rules --accuracy 0.01

\b
Exit codes: 0 fine, 1 a fault in the rules, 2 wrong usage or a game that is
too large."""
)
@FILE
@table_options
@click.option(
    "--max-seconds",
    callback=seconds_given,
    default="60",
    show_default=True,
    metavar="N",
    help="Stop after N seconds, with the value as far as it is known.",
)
@click.option(
    "--accuracy",
    callback=_accuracy,
    default="0.0001",
    show_default=True,
    metavar="N",
    help="Accuracy of the value.",
)
@FORMAT
def solve(
    file: str,
    table: TableChoice,
    max_seconds: float,
    accuracy: float,
    form: str,
) -> int:
    """Search all of a small game for its value.

    Also prints the size of the game, and what uniform play loses.
    """
    from ..interpreter.search.solving.output import page, to_json
    from ..interpreter.search.solving.solution import solution
    from .shared.runs import engine_of

    engine = engine_of(None)
    found = solution(table.load(file), engine, max_seconds, accuracy)
    if form == "json":
        print_json(to_json(found))
    else:
        print_page(page(found), found.game)
    return FINE
