"""The command `replay`: replay a transcript and show it."""

from __future__ import annotations

import click

from .shared.console import complain, print_page, quoted
from .shared.options import LANGUAGE, check_seat, in_language
from .shared.transcripts import rules_of, transcript_in


@click.command(epilog="Example: rulesrun replay game.json --rules games/masti.rules")
@click.argument("transcript", type=click.Path(), metavar="FILE")
@click.option("--rules", type=click.Path(), metavar="FILE", help="The file of rules, if it has moved.")
@click.option("--seat", type=int, metavar="N", help="Show only what that seat may know.")
@LANGUAGE
def replay(transcript: str, rules: str | None, seat: int | None, language: str | None) -> int:
    """Replay a transcript and show it.

    If the rules have changed since, say how.
    """
    from ..interpreter.common.deadline import patience
    from ..interpreter.play.records.replay import replay as play_again
    from ..interpreter.play.result import heading, result
    from ..interpreter.simulate.engines.interface import PATIENCE

    read = transcript_in(transcript)
    game = rules_of(read, transcript, rules, f"rulesrun replay {quoted(transcript)} --rules GAME.rules")
    check_seat(game, seat)
    spoken = in_language(game, language)
    with patience("the game", PATIENCE):
        found = play_again(read, game)
    state = found.state
    top = heading(spoken, read.seed, seat)
    print_page((*top, *found.told(seat, spoken)), spoken)
    if state.is_over and state.fault is None:
        print_page(result(state.in_game(spoken)), spoken, after=True)
    if state.fault is not None and state.fault not in found.diagnostics:
        return complain([*found.diagnostics, state.fault])
    return complain(found.diagnostics)
