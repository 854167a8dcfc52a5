"""The command `play`: a person takes a seat.

This module reads what is typed and offers to save the game at the end. The answers come from `interpreter/terminal/seat.py`.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from .shared.console import FINE, INTERRUPTED, complain, print_page, quoted, write
from .shared.options import BOTS, LANGUAGE, SEED, TableChoice, check_language, check_seat, random_seed, rules_named, table_options
from .shared.transcripts import rules_of, transcript_in

if TYPE_CHECKING:
    from ..interpreter.play.game import Game
    from ..interpreter.players.policies import Policy
    from ..interpreter.terminal.seat import Session


class PlayCommand(click.Command):
    """Its help lists what can be typed in the game."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from ..interpreter.terminal.seat import COMMANDS

        with formatter.section("What to type in the game"):
            formatter.write_dl(list(COMMANDS))
        super().format_epilog(ctx, formatter)


@click.command(
    cls=PlayCommand,
    epilog="""\b
Examples:
  rulesrun play games/masti.rules --seat 2
  rulesrun play games/masti.rules --bots casual
  rulesrun play --continue mine.json
  rulesrun play games/masti.rules --continue mine.json

A saved game contains hidden cards too, so do not look into it.""",
)
@click.argument("file", type=click.Path(), required=False, callback=rules_named)
@click.option("--seat", type=int, metavar="N", help="Your seat (default: 1).")
@table_options
@SEED
@BOTS
@click.option("--continue", "saved", type=click.Path(), metavar="SAVE", help="Continue a saved game.")
@LANGUAGE
def play(
    file: str | None,
    seat: int | None,
    table: TableChoice,
    seed: int | None,
    bots: str,
    saved: str | None,
    language: str | None,
) -> int:
    """Take a seat yourself against bots.

    You see only what your seat may see.
    """
    from ..interpreter.common.deadline import patience
    from ..interpreter.play.outside import policy_of
    from ..interpreter.players.bots import bots_from
    from ..interpreter.simulate.engines.interface import PATIENCE
    from ..interpreter.terminal.seat import Session, resumed

    def policies(game: Game) -> list[Policy]:
        return [policy_of(bot, game) for bot in bots_from(bots, game.players)]

    session: Session

    if saved is not None:
        if table.is_given or seed is not None:
            raise click.UsageError("a saved game has its table and seed already: leave out --players, --variant, --set, --seed")
        transcript = transcript_in(saved)
        with_rules = f"rulesrun play GAME.rules --continue {quoted(saved)}"
        game = rules_of(transcript, saved, file, with_rules)
        with patience("the game", PATIENCE):
            session, warnings = resumed(transcript, game, saved, policies(game))
        complain(warnings)
        if seat not in (None, session.seat):
            raise click.UsageError(f"this game was saved from seat {session.seat}")
    elif file is None:
        raise click.UsageError("which game? `rulesrun play FILE`, or `rulesrun play --continue SAVE`")
    else:
        game = table.load(file)
        check_seat(game, seat)
        seed = random_seed() if seed is None else seed
        with patience("the game", PATIENCE):
            session = Session(game.start(seed), seat or 1, seed, policies=policies(game))
    check_language(session.state.game, language)
    print_page(session.opening(language), session.state.game)
    return _converse(session)


def _converse(session: Session) -> int:
    """Read and answer line after line, to the end of the game or until the person leaves.

    What takes too long (R820) is not done, and the conversation goes on.
    """
    from attrs import evolve

    from ..interpreter.common.deadline import patience
    from ..interpreter.common.diagnostics import RulesError
    from ..interpreter.simulate.engines.interface import PATIENCE

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
    """Enable line editing and history with the arrow keys, if the system supports it."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline

            readline.parse_and_bind("set enable-bracketed-paste off")


def _leave(session: Session) -> int | None:
    """Offer to save the game unless it is saved. Return the exit code, or None if the person continues to play."""
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
