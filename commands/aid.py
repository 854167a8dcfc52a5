"""The command `aid`: write a player aid from the rules of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .shared.console import FINE, USAGE, complain
from .shared.options import FILE, TableChoice, table_options
from .shared.printing import OUT, PRINT_LANGUAGE, printed, rulebook_of

if TYPE_CHECKING:
    from ..interpreter.printing.rulebook.telling.book import Book
    from ..interpreter.words.words import Words


@click.command(
    epilog="""\b
Examples:
  rulesrun aid games/masti.rules --players 4
  rulesrun aid games/masti.rules --variant partners --out aid.pdf"""
)
@FILE
@table_options
@PRINT_LANGUAGE
@OUT
def aid(file: str, table: TableChoice, language: str | None, out: str | None) -> int:
    """Write a player aid: what is done in a turn, and what scores.

    It is for the table that --players, --variant and --set choose.
    """
    from ..interpreter.common.diagnostics import RulesError
    from ..interpreter.printing.rulebook.aid import aid_of, aid_pdf

    left_out = ""

    def pdf(book: Book, words: Words) -> bytes:
        nonlocal left_out
        made = aid_pdf(book, words)
        left_out = made.left_out
        return made.content

    try:
        book, words = rulebook_of(file, table, language, None, example=False)
        printed((aid_of(book, words), words), out, "player aid", pdf)
    except RulesError as error:
        complain(error.diagnostics)
        return USAGE
    if left_out:  # pyrefly: ignore[redundant-condition]  # `pdf` sets it
        click.echo(f"{out} is one page, and not all has room on it; left out: {left_out}", err=True)
    return FINE
