"""The command `unpack`: take a game out of its pack."""

from __future__ import annotations

from pathlib import Path

import click

from .shared.console import FINE, complain, replace_file


@click.command(
    epilog="""\b
Examples:
  rulesrun unpack for_anna.rulespack
  rulesrun unpack for_anna.rulespack --to games"""
)
@click.argument("file", type=click.Path(), metavar="FILE.rulespack")
@click.option("--to", "folder", type=click.Path(), metavar="FOLDER", help="Where (default: a folder named after the pack, here).")
def unpack(file: str, folder: str | None) -> int:
    """Take a game out of its pack. Files that are there and differ stay as they are."""
    from ..interpreter.common.diagnostics import Diagnostic
    from ..interpreter.common.files import read_bytes
    from ..interpreter.packing.pack import SIZE_LIMIT, opened

    data = read_bytes(file, SIZE_LIMIT)
    found = data if isinstance(data, Diagnostic) else opened(file, data)
    if isinstance(found, Diagnostic):
        return complain([found])
    root = Path(folder if folder is not None else Path(file).stem)
    places = {root / name: content for name, content in found.files.items()}
    for place, content in places.items():
        if _differs(place, content, root):
            raise click.UsageError(f"`{place}` is there already and is another; nothing was written. Name a folder with `--to`")
    for place, content in places.items():
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.UsageError(f"`{place.parent}` cannot be made: {error.strerror}") from None
        replace_file(str(place), content)
    click.echo(f"The game is in {root / found.main}.")
    if found.transcript is not None:
        click.echo(f"A game that was played is in {root / found.transcript}: rulesrun replay {root / found.transcript}")
    return FINE


def _differs(place: Path, content: bytes, root: Path) -> bool:
    """Whether something else is at a place, or on the way to it: a link could lead out of the folder."""
    inside = [each for each in place.parents if each != root and root in each.parents]
    if any(each.is_symlink() or (each.exists() and not each.is_dir()) for each in inside) or place.is_symlink():
        return True
    try:
        return place.exists() and place.read_bytes() != content
    except OSError:
        return True
