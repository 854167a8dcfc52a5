"""The faults that stopped games before their end, each with a command that shows one of these games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..common.diagnostics import Diagnostic, RulesError
from .simulation import Plan
from .statistics.tally import Stopped, Tally

if TYPE_CHECKING:
    from ..play.game import State


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
    return tuple(stop_of(plan, stopped) for stopped in by_example)


def stop_of(plan: Plan, stopped: Stopped) -> Stop:
    """The fault that stopped these games of a plan."""
    diagnostic = _played_again(plan, stopped.example)
    return Stop(diagnostic, stopped.games, stopped.example, command(plan, stopped.example))


def _played_again(plan: Plan, number: int) -> Diagnostic:
    """What stops the game with this number."""
    from ..play.bots.outside import policy_of

    game = plan.game
    pickers = [policy_of(bot, game) for bot in plan.bots]
    state = game.start(plan.seed, game=number, story=False)
    while state.player:
        state.play_by(pickers[state.player - 1])
    found = what_stopped(state)
    assert found is not None, "a game that stopped once stops again"
    return found


def what_stopped(state: State) -> Diagnostic | None:
    """The fault that stopped a game, or because of which it cannot be scored at its end; None where there is none."""
    if state.fault is not None or not state.is_over:
        return state.fault
    try:
        state.ranking, state.scores, state.terms, state.team_scores, state.returns  # noqa: B018  # one of these may stop
    except RulesError as error:
        return error.diagnostics[0]
    return None


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
    """The stops as data, each finding as `check` prints it."""
    from ..common.diagnostics import as_json as finding

    return {**finding(stop.diagnostic), "games": stop.games, "example": stop.example, "command": stop.command}
