"""The command `export`: write a game for others, as a WebAssembly module for programs or as a page for people."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

import click

from .shared.console import FINE, cannot_write, check_writable, complain, quoted, replace_file
from .shared.options import FILE, TableChoice, language_of, table_options

MARK = "game.rulespack"  # the file by which a folder is known to be a page


@click.command(
    epilog="""\b
Examples:
  rulesrun export games/masti.rules --players 4 --out masti.wasm
  rulesrun export games/masti.rules --page masti_page
  rulesrun export games/masti.rules --page masti_page --language uk

\b
See docs/browser.md."""
)
@FILE
@table_options
@click.option("--out", type=click.Path(), metavar="FILE.wasm", help="Write a module, with a description (.json) for programs.")
@click.option("--page", type=click.Path(), metavar="FOLDER", help="Write a page that plays the game, also as FOLDER.zip.")
@click.option("--language", metavar="CODE", help="Language in which the page begins (default: that of the reader's browser).")
@click.option("--pyodide", "runtime", type=click.Path(), metavar="FILE.tgz", help="The npm package pyodide, without npm.")
def export(file: str, table: TableChoice, out: str | None, page: str | None, language: str | None, runtime: str | None) -> int:
    """Write a game for others: a WebAssembly module, or a page that plays it.

    A page is a folder of static files for any web host. People play there against bots or each other at one screen, without a
    server.
    """
    if (out is None) == (page is None):
        raise click.UsageError("say what to write: `--out FILE.wasm` or `--page FOLDER`")
    if out is not None:
        if runtime is not None or language is not None:
            raise click.UsageError(f"{'--language' if runtime is None else '--pyodide'} goes with --page")
        return _module(file, table, out)
    assert page is not None
    if table.is_given:
        raise click.UsageError("people choose players, variants and options on the page")
    return _page(file, Path(page), language, None if runtime is None else Path(runtime))


def _module(file: str, table: TableChoice, out: str) -> int:
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


def _page(file: str, folder: Path, language: str | None, runtime: Path | None) -> int:
    from ..browser.bundle import page_of_game
    from ..browser.memory import FILE as MEMORY
    from ..browser.pyodide import pyodide
    from ..interpreter.hosting.library import Library
    from ..interpreter.packing.pack import Pack, gathered
    from ..interpreter.rules import read_rules

    if folder.name in ("", ".."):
        raise click.UsageError("a page needs a folder of its own")
    archive = folder.with_name(f"{folder.name}.zip")
    try:
        if folder.exists() and not (folder.is_dir() and ((folder / MARK).is_file() or not any(folder.iterdir()))):
            raise click.UsageError(f"`{folder}` holds something other than a page; name a folder that is new or empty")
    except (OSError, ValueError) as error:
        raise cannot_write(str(folder), error) from None
    check_writable(str(archive), b"PK\x03\x04", "archive")
    rules = read_rules(file)
    rules.required()
    language = None if language is None else language_of(rules, language)
    found = gathered(rules, None)
    if not isinstance(found, Pack):
        return complain(found)
    title = Library(Path(file)).overview()[0]["title"]
    files = page_of_game(found, title, pyodide(runtime), language)
    try:
        _put(files, folder, archive)
    except OSError as error:
        raise cannot_write(str(folder), error) from None
    size = sum(map(len, files.values())) / 1e6
    click.echo(f"{folder} is written, {len(files)} files of {size:.0f} MB together, and {archive} with the same.")
    if MEMORY not in files:
        click.echo("The page begins slowly, after some 12 seconds. With Node.js, it could be written so that it takes 3.")
    click.echo(f"To try it: python3 -m http.server --bind 127.0.0.1 --directory {quoted(str(folder))}")
    return FINE


def _put(files: Mapping[str, bytes], folder: Path, archive: Path) -> None:
    """Write a page and its archive. What an earlier page left there goes, and all else that lies in the folder stays, such as the
    history of git. Everything is written beside it first, so that a full disk leaves the earlier page as it is."""
    with TemporaryDirectory(prefix=".", suffix=".new", dir=folder.parent) as beside:
        new, packed = Path(beside, "page"), Path(beside, "page.zip")
        for name, content in files.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(content)
        with ZipFile(packed, "w", ZIP_DEFLATED) as written:
            for name in files:
                written.write(new / name, name)
        for name in _earlier(folder) - files.keys():
            (folder / name).unlink(missing_ok=True)
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            os.replace(new / name, folder / name)
        os.replace(packed, archive)


def _earlier(folder: Path) -> set[str]:
    """The files of the page that is in a folder, as it lists them itself."""
    try:
        listed = re.search(r"FILES = [^\n]*\((\[.*\])\);", (folder / "offline.js").read_text(encoding="utf-8"))
        names = json.loads(listed[1]) if listed else []
    except (OSError, ValueError):
        return set()
    return {name for name in names if isinstance(name, str) and re.fullmatch(r"(\w[\w.-]*/)*\w[\w.-]*", name)}
