"""The command `help`: describe a command and its options."""

from __future__ import annotations

import click

from .shared.console import FINE


@click.command("help", epilog="Example: rulesrun help play")
@click.argument("command", required=False)
@click.pass_context
def help_(ctx: click.Context, command: str | None) -> int:
    """Describe a command and its options.

    Without a command, list all commands.
    """
    assert ctx.parent is not None
    if command is None:
        click.echo(ctx.parent.get_help())
        return FINE
    group = ctx.parent.command
    assert isinstance(group, click.Group)
    _, found, _ = group.resolve_command(ctx.parent, [command])
    assert found is not None
    with click.Context(found, info_name=command, parent=ctx.parent) as context:
        click.echo(found.get_help(context))
    return FINE
