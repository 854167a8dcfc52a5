"""Console output and files for all commands: prints pages and findings, writes files, chooses exit codes.

Nothing outside of `commands` prints.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ...interpreter.common.diagnostics import Diagnostic
    from ...interpreter.play.game import Game
    from ...interpreter.play.page import Page

FINE, FINDINGS, USAGE, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141

TRANSCRIPT = b'{\n  "game":'  # how every transcript begins


def print_page(page: Page, game: Game | None = None, after: bool = False) -> None:
    """Print a page: with colours on a terminal, else plain. ``game``: whose names stay on one line. ``after``: it follows
    another, so an empty line comes first."""
    if after:
        click.echo()
    if sys.stdout.isatty():
        from rich.console import Console

        from ...interpreter.terminal.terminal import names_of, renderables

        console = Console(highlight=False)
        for item in renderables(page, console, names_of(game) if game is not None else frozenset()):
            console.print(item)
    else:
        from ...interpreter.play.page import plain

        click.echo(plain(page), nl=False)


def print_json(data: dict[str, Any]) -> None:
    import json

    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def complain(diagnostics: Iterable[Diagnostic]) -> int:
    """Show diagnostics on stderr; the exit code that they make."""
    found = list(diagnostics)
    if found:
        click.echo("\n\n".join(rendered(diagnostic, sys.stderr) for diagnostic in found), err=True)
    return exit_code(found)


def rendered(diagnostic: Diagnostic, stream: Any) -> str:
    from ...interpreter.common.diagnostics import render, render_coloured

    return render_coloured(diagnostic) if shows_colours(stream) else render(diagnostic)


def shows_colours(stream: Any) -> bool:
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def exit_code(diagnostics: Sequence[Diagnostic]) -> int:
    """2 for input that cannot be read and for a table that the command line asks for and the rules have not; else 1."""
    from ...interpreter.common.codes import CODES

    usages = ((CODES[diagnostic.code].usage, bool(diagnostic.labels)) for diagnostic in diagnostics)
    if any(usage == "always" or (usage == "without a place" and not has_place) for usage, has_place in usages):
        return USAGE
    return FINDINGS if diagnostics else FINE


def write(path: str, text: str) -> None:
    """Write a file; one that is there and is no transcript stays as it is."""
    check_writable(path, TRANSCRIPT, "transcript")
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def make_folder(path: str) -> None:
    """Make a folder for files, if it is not there."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def check_writable(path: str, mark: bytes, what: str) -> None:
    """Refuse a place for a file that is no place for one, or where something stands that does not begin with a mark."""
    place = Path(path)
    try:
        if place.exists():
            if not place.is_file():
                raise click.UsageError(f"`{path}` cannot be written: it is no file")
            with place.open("rb") as there:
                if there.read(len(mark)) not in (mark, b""):
                    raise click.UsageError(f"`{path}` is there already and is no {what}; nothing was written")
        elif not place.parent.is_dir():
            raise click.UsageError(f"`{path}` cannot be written: there is no folder `{place.parent}`")
        if not os.access(place if place.exists() else place.parent, os.W_OK):
            raise click.UsageError(f"`{path}` cannot be written: it is not allowed")
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def check_apart(files: Mapping[str, str | None]) -> None:
    """Refuse one file for two purposes. ``files``: by the option that names it."""
    seen: dict[str, str] = {}
    for option, path in files.items():
        if path is not None and (other := seen.setdefault(os.path.realpath(path), option)) != option:
            raise click.UsageError(f"{other} and {option} name the same file, `{path}`")


def replace_file(path: str, content: str | bytes) -> None:
    """Write a file so that at any time either the old content is there or the new one. One that is there keeps its permissions,
    and stays where it lies if ``path`` is a link to it."""
    place = os.path.realpath(path)
    new = f"{place}.{os.getpid()}.new"
    try:
        there = os.path.exists(place)
        if there:
            with open(place, "ab"):
                pass  # what may not be written is not replaced either
        try:
            with open(new, "wb") as file:
                file.write(content.encode("utf-8") if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            if there:
                shutil.copymode(place, new)
            os.replace(new, place)
        except BaseException:
            Path(new).unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def cannot_write(path: str, error: Exception) -> click.UsageError:
    """What is said when a file cannot be written."""
    return click.UsageError(f"`{path}` cannot be written: {getattr(error, 'strerror', None) or 'its name cannot be used'}")


def quoted(path: str) -> str:
    from shlex import quote

    return quote(path)


def open_closed_streams() -> None:
    """Let output go nowhere where the shell has closed a stream (``>&-``)."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # it is used to the end of the program


def output_lost(error: OSError) -> int:
    """What is printed cannot be written: a disk is full, for instance. Python's last flush gets another place to go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    click.echo(f"Error: the output cannot be written: {error.strerror}", err=True)
    return USAGE


def nobody_reads() -> int:
    """The output is a pipe that was closed: Python's last flush gets another place to go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE
