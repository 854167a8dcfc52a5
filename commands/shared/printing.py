"""What the commands share that print a game: the language, the file to write, and the forms that it can have."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from .console import check_writable, replace_file
from .options import language_of

if TYPE_CHECKING:
    from ...interpreter.common.source import Span
    from ...interpreter.printing.rulebook.telling.book import Book
    from ...interpreter.words.words import Words
    from .options import TableChoice

FORMS = (".html", ".pdf", ".md")


def out_given(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and Path(value).suffix.casefold() not in FORMS:
        raise click.BadParameter(f"`{value}` is none of the forms there are: {', '.join(FORMS)}", ctx, param)
    return value


PRINT_LANGUAGE = click.option("--language", metavar="CODE", help="Language of the book (default: that of the environment).")
OUT = click.option(
    "--out", metavar="FILE", callback=out_given, help="File to write: .html, .pdf or .md (default: Markdown to the terminal)."
)


def rulebook_of(file: str, table: TableChoice, language: str | None, out: str | None, example: bool = True) -> tuple[Book, Words]:
    """The rulebook of a file, with the words that its translations give. ``out``: the file to write, whose form may have
    pictures. Raises `RulesError`."""
    from ...interpreter.play.language import words_for
    from ...interpreter.printing.rulebook.making import rulebook
    from ...interpreter.rules import read_rules

    rules = read_rules(file)
    words = words_for(rules, language_of(rules, language))
    pictures = out is not None and Path(out).suffix.casefold() != ".md"
    return rulebook(rules, words, table.players, table.variants, table.settings, example, pictures), words


def printed(made: tuple[Book, Words], out: str | None, what: str, pdf: Callable[[Book, Words], bytes]) -> None:
    """Write a book to a file, or as Markdown to the terminal. ``pdf``: makes a PDF of it.

    Raises `RulesError` where a package is missing.
    """
    from ...interpreter.printing.rulebook.html import html
    from ...interpreter.printing.rulebook.markdown import markdown

    book, words = made
    if out is None:
        click.echo(markdown(book, words), nl=False)
        return
    form = Path(out).suffix.casefold()
    folder = os.path.dirname(os.path.abspath(out))

    def link(span: Span) -> str:
        return f"{quote(Path(os.path.relpath(span.source.path, folder)).as_posix())}#L{span.line}"

    if form == ".md":
        check_writable(out, b"# ", f"{what} in Markdown")
        replace_file(out, markdown(book, words, link))
    elif form == ".html":
        check_writable(out, b"<!doctype html>", f"{what} in HTML")
        replace_file(out, html(book, words))
    else:
        check_writable(out, b"%PDF", f"{what} as PDF")
        replace_file(out, pdf(book, words))
