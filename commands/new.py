"""The command `new`: write a small game to start from."""

from __future__ import annotations

from pathlib import Path

import click

from .shared.console import FINE, write


@click.command(epilog="Example: rulesrun new games/my_game")
@click.argument("name", type=click.Path())
def new(name: str) -> int:
    """Write a small commented game to start from."""
    from importlib.resources import files

    from ..interpreter.syntax.parsing.words import RESERVED

    path = Path(name if name.endswith(".rules") else f"{name}.rules")
    game = path.stem
    if not game.isidentifier() or game in RESERVED:
        why = "it is a word of the language" if game in RESERVED else "letters, digits and _, no digit first"
        raise click.UsageError(f"`{game}` cannot be the name of a game: {why}")
    template = (files(__name__.partition(".")[0]) / "games" / "templates" / "new.rules").read_text(encoding="utf-8")
    title = game.replace("_", " ").strip().capitalize() or game
    text = template.replace("game new_game", f"game {game}", 1).replace('title en "New game"', f'title en "{title}"', 1)
    if path.exists():
        raise click.UsageError(f"`{path}` is there already; nothing was written")
    write(str(path), text)
    click.echo(f"{path} is written. Next:\n  rulesrun {path}\n  rulesrun test {path}\n  rulesrun play {path}")
    return FINE
