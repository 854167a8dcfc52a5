"""What stopped games before their end, and how can one of them be looked at?"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ..diagnostics import Diagnostic, RulesError
from .simulation import Plan
from .tally import Tally


@frozen
class Stop:
    """A fault. ``games``: how many it stopped; ``example``: the least number of one; ``command``: shows that game."""

    diagnostic: Diagnostic
    games: int
    example: int
    command: str


def stops(plan: Plan, tally: Tally) -> tuple[Stop, ...]:
    """All that stopped games, the one with the least game number first. That game is played again for each."""
    by_example = sorted(tally.faults.values(), key=lambda stopped: stopped.example)
    return tuple(Stop(_played_again(plan, s.example), s.games, s.example, command(plan, s.example)) for s in by_example)


def _played_again(plan: Plan, number: int) -> Diagnostic:
    """What stops the game with this number."""
    from .pickers import picker_for

    game = plan.game
    pickers = [picker_for(bot, game.machine) for bot in plan.bots]
    state = game.start(plan.seed, game=number, story=False)
    while state.player:
        state.play_by(pickers[state.player - 1])
    if state.fault is not None:
        return state.fault
    try:
        state.ranking, state.scores, state.terms, state.team_scores  # noqa: B018  # one of these stops
    except RulesError as error:
        return error.diagnostics[0]
    raise AssertionError("a game that stopped once stops again")


def command(plan: Plan, number: int) -> str:
    """The command that shows the game with this number."""
    from shlex import join

    words = ["rulesrun", "run", *plan.arguments, "--seed", str(plan.seed)]
    words += ["--game", str(number)] if number else []
    named = list(map(str, plan.bots))
    if named != ["random"] * len(named):
        words += ["--bots", named[0] if len(set(named)) == 1 else ",".join(named)]
    return join(words)


def as_json(stop: Stop) -> dict[str, Any]:
    """The same as data, the finding as `check` prints it."""
    from ..diagnostics import as_json as finding

    return {**finding(stop.diagnostic), "games": stop.games, "example": stop.example, "command": stop.command}
