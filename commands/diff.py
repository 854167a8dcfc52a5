"""The command `diff`: show which rules differ."""

from __future__ import annotations

import click

from .shared.console import FINDINGS, FINE, USAGE, complain, print_json, print_page
from .shared.options import FILE, FORMAT, TableChoice, names_given, rules_named, table_options, variant_names


@click.command(
    epilog="""\b
Examples:
  rulesrun diff games/masti.rules mine.rules
  rulesrun diff games/masti.rules --variant partners --players 4

\b
Exit codes: 0 no rule differs, 1 some do, 2 wrong usage or rules with faults."""
)
@FILE
@click.argument("other", required=False, type=click.Path(), callback=rules_named)
@table_options
@click.option(
    "--against", multiple=True, metavar="NAME", callback=names_given, shell_complete=variant_names,
    help="A variant on the first side.",
)  # fmt: skip
@FORMAT
def diff(
    file: str,
    other: str | None,
    table: TableChoice,
    against: tuple[str, ...],
    form: str,
) -> int:
    """Show which rules differ between files or tables.

    Two files are compared as a whole. With --variant, --against, --players or --set, two tables are compared: the first
    without the variants of --variant, the second with them.
    """
    from ..interpreter.common.diagnostics import RulesError
    from ..interpreter.overview.difference import as_json, compare, compare_tables, page
    from ..interpreter.rules import read_rules

    if other is None and not table.variants and not against:
        raise click.UsageError("compare it with what? name a second file, or variants: `--variant NAME`")
    first = read_rules(file)
    second = first if other is None else read_rules(other)
    try:
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
