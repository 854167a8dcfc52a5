"""Commands that go on with other texts: standard input instead of a file, and files each time they change."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn

import click

from .console import FINE

STANDARD_INPUT = "-"  # as it is named on the command line
NAME = "standard input"  # as it is named in findings
PAUSE = 0.25  # seconds between two looks at the files


def on_texts(command: Callable[..., int]) -> Callable[..., int]:
    """Let a command of ``files`` read ``-`` from standard input, and give it the option ``--watch``."""

    @click.option("--watch", is_flag=True, help="Do it again whenever a file has changed that it reads. Ctrl-C ends.")
    @wraps(command)
    def with_texts(files: tuple[str, ...], watch: bool, **options: Any) -> int:
        if not watch:
            with from_input(files) as names:
                return command(files=names, **options)
        if STANDARD_INPUT in files:
            raise click.UsageError("standard input does not change: `--watch` needs files")
        if options["form"] != "text" or options["out"] is not None:
            raise click.UsageError("`--watch` shows its results here: it goes without `--format` and `--out`")
        try:
            return _watched(lambda: command(files=files, **options))
        except KeyboardInterrupt:
            click.echo()
            return FINE

    return with_texts


@contextmanager
def from_input(files: tuple[str, ...]) -> Generator[tuple[str, ...]]:
    """The names of files, of which ``-`` is read from standard input. What it names is looked for in the current folder."""
    if STANDARD_INPUT not in files:
        yield files
        return
    from ...interpreter.common.files import SIZE_LIMIT, reading

    text = sys.stdin.buffer.read(SIZE_LIMIT + 1) if sys.stdin else b""
    with reading({Path(NAME).resolve(): text}):
        yield tuple(NAME if file == STANDARD_INPUT else file for file in dict.fromkeys(files))


def _watched(command: Callable[[], int]) -> NoReturn:
    """Do something again and again, each time that a file has changed which it has read. Only an interruption ends it."""
    from ...interpreter.common.files import reading, stamp
    from ...interpreter.common.nouns import counted

    changed: list[Path] = []
    while True:
        with reading({}) as read:
            click.clear()
            for path in changed:
                click.echo(f"{path.name} has {'changed' if path.exists() else 'gone'}.")
            try:
                command()
            except click.ClickException as error:
                error.show()
        before = {path: stamp(path) for path in read.paths}
        click.echo(f"\n{time.strftime('%H:%M:%S')}: watching {counted(len(before), 'file')} (Ctrl-C ends)")
        while not (changed := [path for path, known in before.items() if stamp(path) != known]):
            time.sleep(PAUSE)
