"""The command `fix`: show what would be mended, ask, and write.

What is mended is in `interpreter/fixing`.
"""

from __future__ import annotations

import sys
from difflib import unified_diff

import click

from .arguments import FILES
from .console import FINDINGS, FINE, counted, rendered, replace_file


@click.command(epilog="Example: rulesrun fix --diff games/*.rules")
@FILES
@click.option("-y", "--yes", is_flag=True, help="Write without asking.")
@click.option("--diff", "only_diff", is_flag=True, help="Only show what would change.")
def fix(files: tuple[str, ...], yes: bool, only_diff: bool) -> int:
    """Mend what has one safe mend: names that nothing uses, misspelt words, and the like.

    What would change is shown first. It ends with 0 when nothing is left to find; with 1 otherwise, and when mends were not
    written.
    """
    from .interpreter.fixing.fixed import fixed

    if yes and only_diff:
        raise click.UsageError("`--yes` writes and `--diff` does not: give one of them")
    code = FINE
    for file in files:
        found = fixed(file)
        lines = unified_diff(
            found.before.splitlines(keepends=True), found.after.splitlines(keepends=True), file, f"{file} (mended)", n=1
        )
        for line in lines:
            click.echo(line if line.endswith("\n") else f"{line}\n\\ no line end here\n", nl=False)
        written = bool(found.mended) and not only_diff and (yes or _wants(file))
        if written:
            replace_file(file, found.after)
        for diagnostic in found.left:
            click.echo(rendered(diagnostic, sys.stdout) + "\n")
        mended = f"{counted(len(found.mended), 'mend')}{'' if written or not found.mended else ', not written'}"
        click.echo(f"{file}: {mended}, {counted(len(found.left), 'finding')} left")
        if found.left or (found.mended and not written):
            code = FINDINGS
    return code


def _wants(file: str) -> bool:
    """Whether the one at the terminal wants it; nobody is asked, and nothing written, where there is none."""
    return sys.stdin.isatty() and click.confirm(f"Write this to {file}?", default=False)
