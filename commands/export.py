"""The command `export`: write a game as a WebAssembly module."""

from __future__ import annotations

from pathlib import Path

import click

from .shared.console import FINE, check_writable, replace_file
from .shared.options import FILE, TableChoice, table_options


@click.command(epilog="Example: rulesrun export games/masti.rules --players 4 --out masti.wasm")
@FILE
@table_options
@click.option("--out", type=click.Path(), metavar="FILE.wasm", required=True, help="The module to write.")
def export(file: str, table: TableChoice, out: str) -> int:
    """Write a game as a WebAssembly module.

    A description (.json) beside it tells other programs how to use it.
    """
    import json

    from ..interpreter.wasm.running.compiled import compiled_from

    place = Path(out)
    if place.suffix != ".wasm":
        raise click.UsageError(f"`{out}` is no name for a module; it ends with `.wasm`")
    beside = str(place.with_suffix(".json"))
    check_writable(out, b"\0asm", "WebAssembly module")
    check_writable(beside, b'{"game": ', "description of a module")
    compiled = compiled_from(table.load(file).machine)
    replace_file(out, compiled.content)
    replace_file(beside, json.dumps(compiled.description, ensure_ascii=False) + "\n")
    click.echo(f"{out} and {beside} are written.")
    return FINE
