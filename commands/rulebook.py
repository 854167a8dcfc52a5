"""The command `rulebook`: write the rulebook of a game from its rules."""

from __future__ import annotations

import click

from .shared.console import FINE, USAGE, complain
from .shared.options import FILE, TableChoice, table_options
from .shared.printing import OUT, PRINT_LANGUAGE, printed, rulebook_of


@click.command(
    epilog="""\b
Examples:
  rulesrun rulebook games/kingdomino.rules
  rulesrun rulebook games/kingdomino.rules --language uk --variant harmony --out rules.html
  rulesrun rulebook games/kingdomino.rules --left-out"""
)
@FILE
@table_options
@PRINT_LANGUAGE
@OUT
@click.option("--left-out", "lists_left_out", is_flag=True, help="List the lines of the rules without a sentence, and why.")
def rulebook(file: str, table: TableChoice, language: str | None, out: str | None, lists_left_out: bool) -> int:
    """Write the rulebook of a game.

    Without --players, it is for all numbers of players and says what differs. With --variant, these variants are part of
    the game that it describes.
    """
    from ..interpreter.common.diagnostics import RulesError
    from ..interpreter.printing.rulebook.html import pdf

    if lists_left_out and out is not None:
        raise click.UsageError("`--left-out` lists lines on the terminal, so it does not go with `--out`")
    try:
        made = rulebook_of(file, table, language, out)
        if lists_left_out:
            for left in sorted(made[0].left_out, key=lambda left: left.span.start):
                click.echo(f"{left.span.place}: {left.reason}\n    {left.span.text.splitlines()[0]}")
            return FINE
        printed(made, out, "rulebook", pdf)
    except RulesError as error:
        complain(error.diagnostics)
        return USAGE
    return FINE
