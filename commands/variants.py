"""The command `variants`: list the options and variants of a game."""

from __future__ import annotations

from time import process_time

import click

from .shared.console import complain, print_json, print_page
from .shared.options import FILE, FORMAT


@click.command(epilog="Example: rulesrun variants games/masti.rules")
@FILE
@FORMAT
def variants(file: str, form: str) -> int:
    """List the options and variants of a game.

    For each variant, list what it changes.
    """
    from ..interpreter.checks.files import PROVING
    from ..interpreter.common.deadline import patience
    from ..interpreter.overview.variants import as_json, left_out, overview, page, with_tables
    from ..interpreter.rules import read_rules

    began = process_time()
    with patience("reading the rules", PROVING, "put variants into files of their own that extend the game"):
        rules = read_rules(file)
        found = overview(rules)
    found = with_tables(found, rules.required(), PROVING - (process_time() - began))
    if form == "json":
        print_json(as_json(found))
    else:
        print_page(page(found))
    return complain(left_out(found, PROVING))
