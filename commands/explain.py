"""The command `explain`: say what the code of a message means."""

from __future__ import annotations

import click

from .console import FINE


@click.command(
    epilog="""\b
Examples:
  rulesrun explain R207
  rulesrun explain            all codes"""
)
@click.argument("code", required=False)
def explain(code: str | None) -> int:
    """Say what the code of a message means.

    With an example and its cure; without a code, all codes are listed.
    """
    from ..interpreter.common.codes import codes, like, page

    if code is None:
        for each in sorted(codes()):
            click.echo(page(each).partition("\n")[0].removeprefix("# "))
        return FINE
    wanted = code.strip().upper()
    if wanted not in codes():
        meant = f"{like(wanted)} `rulesrun explain` lists all".strip()
        raise click.UsageError(f"there is no code `{code}`; {meant}")
    click.echo(page(wanted), nl=False)
    return FINE
