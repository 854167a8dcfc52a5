"""The command `pack`: put a game into one file, for somebody else. `interpreter/packing` has the format."""

from __future__ import annotations

from pathlib import Path

import click

from .shared.console import FINE, check_writable, complain, replace_file
from .shared.options import FILE

ZIP = b"PK\x03\x04"  # how every archive begins


@click.command(
    epilog="""\b
Examples:
  rulesrun pack games/masti.rules
  rulesrun pack games/masti.rules --game saved.json --out for_anna.rulespack

\b
Whoever gets it writes `rulesrun unpack for_anna.rulespack`."""
)
@FILE
@click.option("--game", "transcript", type=click.Path(), metavar="FILE.json", help="A game that was played, to go with it.")
@click.option("--out", type=click.Path(), metavar="FILE.rulespack", help="The pack (default: named after the rules, here).")
def pack(file: str, transcript: str | None, out: str | None) -> int:
    """Put a game into one file: rules, tables, the game that it extends, translations, looks and pictures."""
    from ..interpreter.common.nouns import counted
    from ..interpreter.packing.pack import SUFFIX, Pack, gathered, written
    from ..interpreter.rules import read_rules

    place = out or f"{Path(file).stem}{SUFFIX}"
    if Path(place).suffix != SUFFIX:
        raise click.UsageError(f"`{place}` is no name for a pack; it ends with `{SUFFIX}`")
    check_writable(place, ZIP, "pack")
    found = gathered(read_rules(file), None if transcript is None else Path(transcript))
    if not isinstance(found, Pack):
        return complain(found)
    replace_file(place, written(found))
    click.echo(f"{place} is written, with {counted(len(found.files), 'file')}: {', '.join(sorted(found.files))}")
    return FINE
