"""The command `explain`: explain the code of a message."""

from __future__ import annotations

import click

from .shared.console import FINE


@click.command(
    epilog="""\b
Examples:
  rulesrun explain R207
  rulesrun explain            all codes"""
)
@click.argument("code", required=False)
def explain(code: str | None) -> int:
    """Explain the code of a message.

    The explanation has a wrong and a corrected example. Without a code, list all codes.
    """
    from ..interpreter.common.codes import CODES, like, page

    if code is None:
        for each in CODES.values():
            click.echo(f"{each.name}: {each.title}")
        return FINE
    wanted = code.strip().upper()
    if wanted not in CODES:
        meant = f"{like(wanted)} `rulesrun explain` lists all".strip()
        raise click.UsageError(f"there is no code `{code}`; {meant}")
    click.echo(page(wanted), nl=False)
    return FINE
