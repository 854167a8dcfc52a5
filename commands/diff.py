"""The command `diff`: show which rules differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .shared.console import FINDINGS, FINE, USAGE, complain, print_json, print_page
from .shared.options import FILE, FORMAT, TableChoice, language_of, names_given, rules_named, table_options, variant_names

if TYPE_CHECKING:
    from ..interpreter.rules import Rules


@click.command(
    epilog="""\b
Examples:
  rulesrun diff games/masti.rules mine.rules
  rulesrun diff games/masti.rules --variant partners --players 4
  rulesrun diff games/masti.rules --variant six --rulebook --language uk

\b
Exit codes: 0 no rule differs, 1 some do, 2 wrong usage or rules with faults."""
)
@FILE
@click.argument("other", required=False, type=click.Path(), callback=rules_named)
@table_options
@click.option(
    "--against",
    multiple=True,
    metavar="NAME",
    callback=names_given,
    shell_complete=variant_names,
    help="A variant on the first side.",
)
@click.option("--rulebook", is_flag=True, help="Show the sentences of the rulebook that differ.")
@click.option("--language", metavar="CODE", help="Language of these sentences (default: that of your system).")
@FORMAT
def diff(
    file: str,
    other: str | None,
    table: TableChoice,
    against: tuple[str, ...],
    rulebook: bool,
    language: str | None,
    form: str,
) -> int:
    """Show which rules differ between files or tables.

    Two files are compared as a whole. With --variant, --against, --players or --set, two tables are compared: the first
    without the variants of --variant, the second with them. With --rulebook, see what changes for people who read the
    rulebook.
    """
    from ..interpreter.common.diagnostics import RulesError
    from ..interpreter.overview.difference import as_json, compare, compare_tables, page
    from ..interpreter.rules import read_rules

    if other is None and not table.variants and not against:
        raise click.UsageError("compare it with what? name a second file, or variants: `--variant NAME`")
    if language is not None and not rulebook:
        raise click.UsageError("a language is that of the sentences of a rulebook; add `--rulebook`, or leave `--language` out")
    first = read_rules(file)
    second = first if other is None else read_rules(other)
    if rulebook and form == "json":
        raise click.UsageError("sentences of the rulebook are not told as JSON; leave `--format json` or `--rulebook` out")
    try:
        if rulebook:
            return _sentences(first, second, table, against, language)
        if not table.is_given and not against:
            found = compare(first, second)
        else:
            found = compare_tables(first, second, against, table.variants, table.players, table.settings)
    except RulesError as error:
        complain(error.diagnostics)
        return USAGE
    if form == "json":
        print_json(as_json(found))
    else:
        print_page(page(found))
    return FINDINGS if found.differences or found.elsewhere else FINE


def _sentences(first: Rules, second: Rules, table: TableChoice, against: tuple[str, ...], language: str | None) -> int:
    """Show which sentences of the rulebooks differ."""
    from ..interpreter.play.language import languages_for, words_for
    from ..interpreter.printing.rulebook.difference import difference, page
    from ..interpreter.printing.rulebook.making import rulebook

    players, settings = table.players, table.settings
    code = language_of(first, language)
    spoken_by_both = language is not None or code in languages_for(second)  # else it is the system's, and only the first has it
    code = language_of(second, code) if spoken_by_both else "en"
    words = words_for(first, code)
    one = rulebook(first, words, players, against, settings, with_example=False)
    other = rulebook(second, words_for(second, code), players, table.variants, settings, with_example=False)
    print_page(page(one, other, (", ".join((first.path, *against)), ", ".join((second.path, *table.variants))), words))
    return FINDINGS if difference(one, other) else FINE
