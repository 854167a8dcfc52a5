"""The command `print`: make the components of a game, to be printed and cut out."""

from __future__ import annotations

from pathlib import Path

import click

from .shared.console import FINE, check_writable, replace_file
from .shared.options import FILE, TableChoice, language_of, rules_named, table_options

_MARKS = {".pdf": (b"%PDF-", "PDF"), ".html": (b"<!doctype html>", "page")}
_MOST_BLEED = 5.0


def _bleed_given(ctx: click.Context, param: click.Parameter, value: str) -> float:
    try:
        bleed = float(value.removesuffix("mm"))
    except ValueError:
        bleed = -1.0
    if not 0 <= bleed <= _MOST_BLEED:
        raise click.BadParameter(f"`{value}` is no bleed: it is a number of millimetres from 0 to {_MOST_BLEED:g}", ctx, param)
    return bleed


@click.command(
    "print",
    epilog="""\b
Examples:
  rulesrun print games/masti.rules --out masti.pdf
  rulesrun print games/kingdomino.rules --out kingdomino.html --players 2
  rulesrun print mine.rules --out changed.pdf --since yesterday.rules

\b
See docs/printing.md.""",
)
@FILE
@table_options
@click.option("--out", required=True, type=click.Path(), metavar="FILE.pdf|.html", help="The file to write.")
@click.option("--paper", type=click.Choice(["A4", "Letter"], case_sensitive=False), default="A4", show_default=True)
@click.option(
    "--bleed",
    default="3",
    show_default=True,
    metavar="MM",
    callback=_bleed_given,
    help="Colour around each component; with 0, more have room.",
)
@click.option("--no-backs", is_flag=True, help="Print fronts only.")
@click.option("--language", metavar="CODE", help="Language of what is printed (default: that of the environment).")
@click.option(
    "--since", type=click.Path(), metavar="OLD.rules", callback=rules_named, help="Print only what has changed since this file."
)
def print_(
    file: str, table: TableChoice, out: str, paper: str, bleed: float, no_backs: bool, language: str | None, since: str | None
) -> int:
    """Make the components of a game, to be printed and cut out.

    Cards, tiles, boards, tokens and score sheets at their real sizes, with backs that meet their fronts. Without --players there
    is enough for every number of players. A PDF needs the extra `print`; a page in HTML is printed by any browser.
    """
    from ..interpreter.play.language import words_for
    from ..interpreter.printing.components.making import Choice, changed_since, components_of, html_of
    from ..interpreter.printing.components.pages import Setting
    from ..interpreter.printing.components.sheets import PAPERS
    from ..interpreter.rules import read_rules

    form = Path(out).suffix.lower()
    if form not in _MARKS:
        raise click.UsageError(f"`{out}` is no name for what is printed; it ends with `.pdf` or `.html`")
    check_writable(out, *_MARKS[form])
    setting = Setting(PAPERS[{"a4": "A4", "letter": "Letter"}[paper.lower()]], bleed, not no_backs)
    choice = Choice(table.players, table.variants, table.settings)
    rules = read_rules(file)
    rules.required()
    words = words_for(rules, language_of(rules, language))
    components = components_of(rules, choice, words, setting)
    changed = None
    if since is not None:
        changed = changed_since(components_of(read_rules(since), choice, words, setting), components, since)
        if changed.is_nothing:
            click.echo(f"Nothing has changed since {since}: nothing is written.")
            return FINE
    html = html_of(components, setting, words, changed)
    if form == ".pdf":
        from ..interpreter.printing.components.pdf import pdf

        replace_file(out, pdf(html))
    else:
        replace_file(out, html)
    number = sum((components.supply.designs if changed is None else changed.designs).values())
    left_out = f"; {changed.kept} are as they were" if changed is not None else ""
    click.echo(f"{out} is written, with {number} components{left_out}.")
    return FINE
