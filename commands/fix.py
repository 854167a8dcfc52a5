"""The command `fix`: repair faults that have one safe repair. `interpreter/fixing` decides on the new text."""

from __future__ import annotations

import sys

import click

from .shared.console import FINDINGS, FINE, exit_code, rendered, replace_file
from .shared.options import FILES, seconds_given


@click.command(
    epilog="""\b
Example: rulesrun fix --diff games/*.rules

\b
Exit codes: 0 no finding left, 1 findings left or repairs not written, 2 wrong usage or
a file that cannot be read."""
)
@FILES
@click.option("-y", "--yes", is_flag=True, help="Write without asking.")
@click.option("--diff", "only_diff", is_flag=True, help="Only show what would change.")
@click.option(
    "--max-seconds",
    "seconds",
    metavar="S",
    callback=seconds_given,
    default="20",
    show_default=True,
    help="Limit of processor time for each file; repairs found by then are used.",
)
def fix(files: tuple[str, ...], yes: bool, only_diff: bool, seconds: float) -> int:
    """Repair faults that have one safe repair.

    Examples are misspelt words and unused names. The changes are shown first.
    """
    from ..interpreter.common.nouns import counted
    from ..interpreter.common.rewrite import Rewrite
    from ..interpreter.fixing.fixed import fixed

    if yes and only_diff:
        raise click.UsageError("`--yes` writes and `--diff` does not: give one of them")
    code = FINE
    for file in files:
        found = fixed(file, files, seconds)
        rewrite = Rewrite.to(found.after, file, found.content) if found.mended else None
        click.echo(rewrite.diff() if rewrite is not None else "", nl=False)
        written = rewrite is not None and not only_diff and (yes or _wants(file))
        if rewrite is not None and written:
            replace_file(file, rewrite.after)
        for diagnostic in found.left:
            click.echo(rendered(diagnostic, sys.stdout) + "\n")
        mended = counted(len(found.mended), "repair")
        if found.mended and not written:
            mended += ", not written" if only_diff or sys.stdin.isatty() else ", not written (`--yes` writes without asking)"
        click.echo(f"{file}: {mended}, {counted(len(found.left), 'finding')} left")
        if found.was_cut:
            click.echo(f"{file}: {seconds:g} seconds are over, and not everything was looked at; `--max-seconds` gives it more")
        code = max(code, exit_code(found.left), FINDINGS if found.was_cut or (found.mended and not written) else FINE)
    return code


def _wants(file: str) -> bool:
    """Ask the person at the terminal. Without a terminal the answer is no."""
    return sys.stdin.isatty() and click.confirm(f"Write this to {file}?", default=False)
