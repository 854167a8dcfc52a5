"""The command `run`: play a whole game between bots and show it."""

from __future__ import annotations

from functools import cache

import click

from .shared.console import FINE, complain, print_page, write
from .shared.options import (
    BOTS,
    FILE,
    FORMAT,
    LANGUAGE,
    SEED,
    TableChoice,
    check_seat,
    game_number_given,
    in_language,
    random_seed,
    table_options,
)


@click.command(epilog="Example: rulesrun run games/masti.rules --players 4 --variant partners --seed 7")
@FILE
@table_options
@SEED
@click.option(
    "--game", "number", metavar="N", default="0", callback=game_number_given, help="Number of the game for that seed, from 0."
)
@BOTS
@click.option("--seat", type=int, metavar="N", help="Show only what that seat may know.")
@click.option("--save", type=click.Path(), metavar="FILE", help="Save the game for `rulesrun replay`.")
@FORMAT
@LANGUAGE
def run(
    file: str,
    table: TableChoice,
    seed: int | None,
    number: int,
    bots: str,
    seat: int | None,
    save: str | None,
    form: str,
    language: str | None,
) -> int:
    """Play a whole game between bots and show it."""
    from ..interpreter.common.deadline import patience
    from ..interpreter.play import result
    from ..interpreter.play.bots.thinking import nobody, policies_for, thinker_for
    from ..interpreter.play.narration import narrate
    from ..interpreter.play.records import transcript
    from ..interpreter.players.bots import bots_from
    from ..interpreter.simulate.engines.interface import PATIENCE

    game = table.load(file)
    check_seat(game, seat)
    spoken = in_language(game, language)
    seed = random_seed(bots) if seed is None else seed
    policies = policies_for(game, bots_from(bots, game.players), cache(lambda: thinker_for(game)), None, nobody, [])
    with patience(f"game {number} of seed {seed}", PATIENCE):
        state = game.start(seed, game=number)
        while state.player:
            state.play_by(policies[state.player - 1])
    if form == "json":
        whole = transcript.to_data(transcript.transcript_of(state, seed))
        click.echo(transcript.to_text(whole if seat is None else transcript.seen_by(state, seed, seat)), nl=False)
    else:
        told = state.in_game(spoken)
        top = result.heading(spoken, seed, seat, number=number)
        print_page((*top, *narrate(spoken, told.events, seat)), spoken)
        if state.fault is None:
            print_page(result.result(told), spoken, after=True)
    if save is not None:
        write(save, transcript.to_text(transcript.to_data(transcript.transcript_of(state, seed))))
    return FINE if state.fault is None else complain([state.fault])
