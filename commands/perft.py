"""The command `perft`: count move sequences. The counting is in `interpreter/search/perft.py`."""

from __future__ import annotations

import click

from .shared.console import FINDINGS, FINE, INTERRUPTED, complain, print_json, print_page
from .shared.options import FILE, FORMAT, TableChoice, table_options, whole_number

DEPTH_LIMIT = 1_000  # acts; trees that are worth a walk are too wide for a tenth of it
SECONDS_LIMIT = 1_000_000

_depth = whole_number("depth", 1, DEPTH_LIMIT, f"1 to {DEPTH_LIMIT:,}")
_seconds = whole_number("number of seconds", 1, SECONDS_LIMIT, f"1 to {SECONDS_LIMIT:,}")


@click.command(
    epilog="""\b
Examples:
  rulesrun perft games/classics/connect_four.rules --depth 6
  rulesrun perft games/classics/tic_tac_toe.rules --depth 9 --positions

\b
Exit codes: 0 fine, 1 a fault in the rules, or not in time, 2 wrong
usage or a game that cannot be counted, 130 interrupted (the rows
before are printed)."""
)
@FILE
@table_options
@click.option("--depth", metavar="N", required=True, callback=_depth, help="Count sequences of up to N acts.")
@click.option("--positions", is_flag=True, help="Also count different positions.")
@click.option(
    "--max-seconds",
    "seconds",
    metavar="N",
    callback=_seconds,
    default="600",
    show_default=True,
    help="Stop after N seconds.",
)
@FORMAT
def perft(
    file: str,
    table: TableChoice,
    depth: int,
    positions: bool,
    seconds: int,
    form: str,
) -> int:
    """Count the move sequences of a game without chance.

    For each depth, count the sequences of that many acts, and those that end the game. Compare the numbers with published ones
    to verify the rules.
    """
    from ..interpreter.common.deadline import OutOfTime, deadline
    from ..interpreter.common.diagnostics import fault
    from ..interpreter.search.perft import OutOfSeconds, Row, as_json, page, refused, rows
    from .shared.runs import engine_of

    engine = engine_of(None)
    game = table.load(file)
    why_not = refused(game)
    if why_not is not None:
        return complain([why_not])
    found: list[Row] = []
    code = FINE
    try:
        with deadline(seconds):
            for row in rows(game, depth, engine, positions, seconds):
                found.append(row)
    except (OutOfSeconds, OutOfTime):
        late = f"depth {depth} was not reached in {seconds} second{'s' if seconds != 1 else ''}"
        complain([fault("R831", late, help="the rows that are complete are printed: ask for fewer acts, or allow more seconds")])
        code = FINDINGS
    except KeyboardInterrupt:
        click.echo(f"interrupted at depth {len(found) + 1} of {depth}", err=True)
        code = INTERRUPTED
    if form == "json":
        print_json(as_json(game, found, code == FINE))
    elif found:
        print_page(page(game.title(), found), game)
    return code
