"""The conversation of `rulesrun play`: read what is typed, answer it, and offer to save the game before it is left.

What an answer says is made by `interpreter/terminal/seat.py`.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from .console import FINE, INTERRUPTED, complain, print_page, quoted, write

if TYPE_CHECKING:
    from ..interpreter.terminal.seat import Session


def converse(session: Session) -> int:
    """Read and answer line after line, to the end of the game or until the person leaves.

    What takes too long (R820) is not done, and the conversation goes on.
    """
    from attrs import evolve

    from ..interpreter.common.deadline import patience
    from ..interpreter.common.diagnostics import RulesError
    from ..interpreter.simulate.engines.engine import PATIENCE

    _edit_lines()
    late = FINE  # the exit code of a game that is left because of an act that took too long
    while not session.is_over:
        try:
            typed = input("> ")
        except (EOFError, KeyboardInterrupt):
            click.echo()
            typed = "quit"
        try:
            with patience("the game", PATIENCE):
                reply = session.answer(typed)
        except RulesError as error:
            kept = f"`{typed.strip()}` was not done, the game stands where it was: choose something else, or `quit` to save it"
            late = complain([evolve(error.diagnostics[0], help=kept)])
            continue
        if reply.save is not None and _save(*reply.save):
            session.was_saved(reply.save[0])
        if reply.quit:
            left = _leave(session)
            if left is not None:
                return left or late
        print_page(reply.page, session.state.game, after=bool(reply.page))
    if session.seed is not None:
        click.echo(f"\nThe seed was {session.seed}.")
    return FINE if session.state.fault is None else complain([session.state.fault])


def _edit_lines() -> None:
    """Let the arrow keys move in what is typed on a terminal, and bring back earlier lines, where the system has that."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline

            readline.parse_and_bind("set enable-bracketed-paste off")


def _leave(session: Session) -> int | None:
    """Offer to save the game, unless it has been; the exit code, or None where the person goes on playing."""
    while not session.saved_in:
        try:
            typed = input("save the game to which file (`no`: leave without saving; empty: back to the game)? ").strip()
        except (EOFError, KeyboardInterrupt) as end:
            click.echo("\nthe game is not saved")
            return INTERRUPTED if isinstance(end, KeyboardInterrupt) else FINE
        if typed.casefold() in ("no", "n"):
            return FINE
        if not typed:
            return None
        if typed.casefold() in ("yes", "y", "quit", "q", "save"):
            click.echo("type the name of a file, such as `game.json`, or `no`")
        elif _save(typed.removeprefix("save ").strip(), session.saved):
            session.was_saved(typed.removeprefix("save ").strip())
    click.echo(f"continue with: rulesrun play --continue {quoted(session.saved_in)}")
    return FINE


def _save(path: str, text: str) -> bool:
    """Write a saved game; say what happened."""
    try:
        write(path, text)
    except click.ClickException as error:
        click.echo(error.message)
        return False
    click.echo(f"saved to {path}")
    return True
