"""The command `fmt`: format rules in one style. `interpreter/formatting` decides on the new text."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from .shared.again import NAME, STANDARD_INPUT
from .shared.console import FINDINGS, FINE, USAGE, complain, replace_file
from .shared.options import FILES

if TYPE_CHECKING:
    from ..interpreter.common.diagnostics import Diagnostic


@click.command(
    epilog="""\b
Examples:
  rulesrun fmt games/*.rules              format these files
  rulesrun fmt --check games/*.rules      only name the files that would change
  rulesrun fmt --diff games/masti.rules   show what would change
  rulesrun fmt - < mine.rules             from standard input to standard output

\b
Exit codes: 0 fine, 1 faulty sentences, or with --check a file that would change,
2 wrong usage or a file that cannot be read or written."""
)
@FILES
@click.option("--check", is_flag=True, help="Write nothing; name the files that would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change, as a unified diff.")
def fmt(files: tuple[str, ...], check: bool, diff: bool) -> int:
    """Format rules in one style.

    Indentation, spaces, columns and empty lines change. Words, comments and meaning stay the same. A file with faulty sentences
    is left as it is.
    """
    from ..interpreter.common.nouns import counted
    from ..interpreter.common.rewrite import Rewrite
    from ..interpreter.formatting.style import in_one_style

    names = list(dict.fromkeys(files))
    if STANDARD_INPUT in names and len(names) > 1:
        raise click.UsageError(f"`{STANDARD_INPUT}` is standard input, and goes to standard output; name no other file beside it")
    code, changed = FINE, 0
    for name in names:
        content = _content(name)
        rewrite = in_one_style(_title(name), content) if isinstance(content, bytes) else (content,)
        if not isinstance(rewrite, Rewrite):
            code = max(code, complain(rewrite))
            continue
        changed += rewrite.changes
        if diff:
            click.echo(rewrite.diff(), nl=False)
        elif check:
            click.echo(f"{rewrite.name}: would be rewritten\n" if rewrite.changes else "", nl=False)
        elif name == STANDARD_INPUT:
            sys.stdout.buffer.write(rewrite.after)
        elif rewrite.changes:
            try:
                replace_file(name, rewrite.after)
            except click.UsageError as error:  # the other files need not suffer for it
                error.show()
                code, changed = USAGE, changed - 1
            else:
                click.echo(f"{name}: rewritten")
    if not diff and (check or names != [STANDARD_INPUT]):
        click.echo(f"{counted(len(names), 'file')}, {changed} {'to be ' if check else ''}rewritten")
    return max(code, FINDINGS) if check and changed else code


def _title(name: str) -> str:
    return NAME if name == STANDARD_INPUT else name


def _content(name: str) -> bytes | Diagnostic:
    from ..interpreter.common.files import SIZE_LIMIT, read_bytes

    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read(SIZE_LIMIT + 1) if sys.stdin else b""
    return read_bytes(name)
