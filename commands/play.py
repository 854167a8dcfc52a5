"""The command `play`: a person takes a seat.

This module reads what is typed and offers to save the game at the end. The answers come from `interpreter/terminal/seat.py`.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from .shared.console import FINE, INTERRUPTED, TRANSCRIPT, check_writable, complain, print_page, quoted, write
from .shared.options import (
    BOTS,
    LANGUAGE,
    SEED,
    TableChoice,
    check_seat,
    in_language,
    random_seed,
    rules_named,
    table_options,
    thinking_time,
)
from .shared.thoughts import watching
from .shared.transcripts import rules_of, transcript_in

if TYPE_CHECKING:
    from ..interpreter.play.game import Game
    from ..interpreter.players.bots import Bot
    from ..interpreter.players.policies import Policy
    from ..interpreter.terminal.seat import Reply, Session
    from ..interpreter.words.words import Words


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
  rulesrun play games/masti.rules --bots search:500
  rulesrun play games/masti.rules --think 2s
  rulesrun play --continue mine.json
  rulesrun play games/masti.rules --continue mine.json

A saved game contains hidden cards too, so do not look into it.""",
)
@click.argument("file", type=click.Path(), required=False, callback=rules_named)
@click.option("--seat", type=int, metavar="N", help="Your seat (default: 1).")
@table_options
@SEED
@BOTS
@click.option(
    "--think", metavar="TIME", callback=thinking_time, help="Play against bots that search for so long, such as `2s` or `500ms`."
)
@click.option("--scroll", is_flag=True, help="Show line after line, not a screen that is drawn anew; so do pipes.")
@click.option("--save", type=click.Path(), metavar="FILE", help="Save the game at its end, for `rulesrun review`.")
@click.option("--continue", "saved", type=click.Path(), metavar="SAVE", help="Continue a saved game.")
@LANGUAGE
def play(
    file: str | None,
    seat: int | None,
    table: TableChoice,
    seed: int | None,
    bots: str,
    think: float | None,
    scroll: bool,
    save: str | None,
    saved: str | None,
    language: str | None,
) -> int:
    """Take a seat yourself against bots.

    You see only what your seat may see. While bots think, Ctrl-C lets them act at once.
    """
    from functools import cache

    from ..interpreter.common.deadline import patience
    from ..interpreter.play.bots.thinking import Advisor, policies_for, thinker_for
    from ..interpreter.simulate.engines.interface import PATIENCE
    from ..interpreter.terminal.resuming import resumed
    from ..interpreter.terminal.seat import Session

    if save is not None:
        check_writable(save, TRANSCRIPT, "transcript")
    notes: list[str] = []
    session: Session

    def opponents(game: Game, spoken: Game) -> tuple[list[Policy], Advisor]:
        thinker, watch = cache(lambda: thinker_for(game)), watching(spoken.words)
        policies = policies_for(game, _bots(bots, think, game), thinker, think, watch, notes, spoken)
        return policies, Advisor(game, thinker, think, watch)

    if saved is not None:
        if table.is_given or seed is not None:
            raise click.UsageError("a saved game has its table and seed already: leave out --players, --variant, --set, --seed")
        transcript = transcript_in(saved)
        with_rules = f"rulesrun play GAME.rules --continue {quoted(saved)}"
        game = rules_of(transcript, saved, file, with_rules)
        with patience("the game", PATIENCE):
            spoken = in_language(game, language)
            policies, advisor = opponents(game, spoken)
            session, warnings = resumed(transcript, spoken, saved, policies, advisor)
        complain(warnings)
        if seat not in (None, session.seat):
            raise click.UsageError(f"this game was saved from seat {session.seat}")
    elif file is None:
        raise click.UsageError("which game? `rulesrun play FILE`, or `rulesrun play --continue SAVE`")
    else:
        game = table.load(file)
        check_seat(game, seat)
        seed = random_seed(bots) if seed is None else seed
        with patience("the game", PATIENCE):
            spoken = in_language(game, language)
            policies, advisor = opponents(game, spoken)
            session = Session(spoken.start(seed), seat or 1, seed, policies=policies, advisor=advisor)
    show = _on_screen(session) if not scroll and _is_terminal() else _in_lines(session)
    code = _converse(session, show, notes, _same_bots())
    if save is not None and session.is_over and _save(save, session.saved, session.words):
        click.echo(session.words.phrase("what gave away much: {command}", command=f"rulesrun review {quoted(save)}"))
    return code


def _bots(named: str, think: float | None, game: Game) -> tuple[Bot, ...]:
    """The bots at a table. Those that search are given either a number of iterations or a time."""
    from ..interpreter.players.bots import bots_from

    if think is None:
        return bots_from(named, game.players)
    asked = click.get_current_context().get_parameter_source("bots")
    seated = bots_from("search" if asked is ParameterSource.DEFAULT else named, game.players, timed=True)
    if any(bot.kind == "search" and bot.playouts for bot in seated):
        number = next(str(bot) for bot in seated if bot.playouts)
        raise click.UsageError(f"`{number}` says how many iterations, and --think how long: write `search`, or leave out --think")
    if all(bot.kind != "search" for bot in seated):
        raise click.UsageError(f"--think is for bots that search, and none of `{named}` does: write `--bots search`")
    return seated


def _same_bots() -> str:
    """The options that name the same bots once more."""
    from ..interpreter.play.bots.thinking import in_seconds

    given = click.get_current_context()
    told = ((f"--{name}", given.params[name], given.get_parameter_source(name)) for name in ("bots", "think"))
    return "".join(
        f" {option} {quoted(value if isinstance(value, str) else in_seconds(value))}"
        for option, value, source in told
        if value is not None and source is not ParameterSource.DEFAULT
    )


def _is_terminal() -> bool:
    """Whether a screen can be drawn on the terminal."""
    from ..interpreter.terminal.screen import HEIGHT, WIDTH

    here = shutil.get_terminal_size()
    drawn = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return drawn and here.columns >= WIDTH and here.lines >= HEIGHT


def _in_lines(session: Session) -> Callable[[Reply | None], None]:
    """Shows answers (None: the opening) line after line."""

    def show(reply: Reply | None) -> None:
        page = session.opening() if reply is None else reply.page
        print_page(page, session.state.game, after=reply is not None and bool(page))

    return show


def _on_screen(session: Session) -> Callable[[Reply | None], None]:
    """Shows answers on a screen that is drawn anew. Long answers, and the end of the game, are pages of their own."""
    from rich.console import Console

    from ..interpreter.terminal.screen import MESSAGE, screen

    def show(reply: Reply | None) -> None:
        if reply is not None and reply.quit:
            return
        console = Console(highlight=False)
        page = session.opening() if reply is None else reply.page
        message = () if reply is None or reply.moved else reply.page
        console.clear()
        if session.is_over or len(message) > MESSAGE:
            print_page(page, session.state.game)
            if not session.is_over:
                console.print(session.words.phrase("(Enter: back to the table)"), style="dim")
            return
        for line in screen(session, console.width, console.height, message):
            console.print(line, soft_wrap=True)

    return show


def _converse(session: Session, show: Callable[[Reply | None], None], notes: list[str], same_bots: str) -> int:
    """Read and answer line after line, to the end of the game or until the person leaves. ``notes``: what bots have to say.

    What takes too long (R820) is not done, and the conversation goes on.
    """
    from attrs import evolve

    from ..interpreter.common.deadline import patience
    from ..interpreter.common.diagnostics import RulesError
    from ..interpreter.simulate.engines.interface import PATIENCE

    _edit_lines(session)
    show(None)
    _tell(notes)
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
        except KeyboardInterrupt:
            notes.clear()
            told = session.words.phrase("interrupted: `{text}` was not done, the game stands where it was", text=typed.strip())
            click.echo(f"\n{told}")
            continue
        except RulesError as error:
            found, kept = error.diagnostics[0], f"`{typed.strip()}` was not done, the game stands where it was: "
            if found.code in ("R808", "R810"):
                kept += "`quit` saves it, and a player that is mended can continue it"
            else:
                kept += "choose something else, or `quit` to save it"
            late = complain([evolve(found, help=kept)])
            continue
        if reply.save is not None and _save(*reply.save, session.words):
            session.was_saved(reply.save[0])
        if reply.quit:
            left = _leave(session, same_bots)
            if left is not None:
                return left or late
        if reply.save is None:
            show(reply)
        _tell(notes)
    if session.seed is not None:
        click.echo(f"\n{session.words.phrase('The seed was {seed}.', seed=session.seed)}")
    return FINE if session.state.fault is None else complain([session.state.fault])


def _edit_lines(session: Session) -> None:
    """Enable line editing, history, and completion with Tab, if the system has readline: the keys are those of the shell."""
    if not sys.stdin.isatty():
        return
    with suppress(ImportError):
        import readline

        found: list[str] = []

        def complete(begun: str, number: int) -> str | None:
            if number == 0:
                found[:] = session.completions(begun)
            return found[number] if number < len(found) else None

        readline.set_completer(complete)
        readline.set_completer_delims("\n")  # an option is completed as a whole, with its spaces
        readline.parse_and_bind("set enable-bracketed-paste off")
        readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")


def _tell(notes: list[str]) -> None:
    for note in notes:
        click.echo(f"({note})")
    notes.clear()


def _leave(session: Session, same_bots: str) -> int | None:
    """Offer to save the game unless it is saved. Return the exit code, or None if the person continues to play."""
    words = session.words
    while not session.saved_in:
        try:
            asked = words.phrase("save the game to which file (`no`: leave without saving; empty: back to the game)?")
            typed = input(f"{asked} ").strip()
        except (EOFError, KeyboardInterrupt) as end:
            click.echo(f"\n{words.phrase('the game is not saved')}")
            return INTERRUPTED if isinstance(end, KeyboardInterrupt) else FINE
        if typed.casefold() in ("no", "n", words.phrase("no")):
            return FINE
        if not typed:
            return None
        if typed.casefold() in ("yes", "y", "quit", "q", "save"):
            click.echo(words.phrase("type the name of a file, such as `game.json`, or `no`"))
        elif _save(typed.removeprefix("save ").strip(), session.saved, words):
            session.was_saved(typed.removeprefix("save ").strip())
    command = f"rulesrun play --continue {quoted(session.saved_in)}{same_bots}"
    click.echo(words.phrase("continue with: {command}", command=command))
    return FINE


def _save(path: str, text: str, words: Words) -> bool:
    """Write a saved game; say what happened."""
    try:
        write(path, text)
    except click.ClickException as error:
        click.echo(error.message)
        return False
    click.echo(words.phrase("saved to {file}", file=path))
    return True
