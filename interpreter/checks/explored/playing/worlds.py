"""Choices that differ between worlds which the player who has to choose cannot tell apart (R374).

At decisions of random games, worlds are drawn in which the deciding player has observed the same (`play/knowledge`). In each of
them this player must have the same options, for the same reasons. `checks/knowledge` proves such faults from the rules; this
module finds them in games, whatever the rules look like. The effort is a number of tries, so the findings depend on the seed
alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from attrs import evolve, frozen

from ....common.diagnostics import Diagnostic, fault
from ....common.source import Span
from ....play.game import Game, NoWorld, State
from ....play.narration import narrate
from ....play.page import begun
from ....players.bots import Bot
from ....simulate.simulation import Plan
from ....simulate.stops import command

ACTS = 8  # lines that are told of a game
LOOKS_THE_SAME = "in a world that looks the same to this player"
LENGTH = 300  # decisions of a game that are looked at: worlds of longer ones are found too slowly


@frozen
class Sampling:
    """How much is tried at a table: one decision in each of so many ``games``, so many ``worlds`` of each, each in so many
    ``tries`` at most. No further game is begun when more than so many ``events`` came before the decisions that were looked at.
    """

    games: int = 6
    events: int = 250
    worlds: int = 3
    tries: int = 40


def differing_worlds(
    game: Game, seed: int = 0, sampling: Sampling | None = None, late: Callable[[], bool] = lambda: False
) -> Iterator[tuple[Diagnostic, State]]:
    """A finding (R374) for each choice that differs in worlds which the player who has to choose cannot tell apart, and the game
    that came to it.

    ``late``: whether there is no more time.
    """
    if not _hides_something(game):
        return
    effort = sampling or Sampling()
    random = Random(seed)
    visits: Counter[Span] = Counter()
    said: set[Span] = set()
    events = 0
    for number in range(effort.games):
        if events > effort.events or late():
            return
        state = _decision_of(game, seed, number, visits, random, late)
        if state is None or state.place is None:
            continue
        visits[state.place] += 1
        events += len(state.history)
        found = None if state.place in said else _difference(state, effort, random)
        if found is not None:
            said.add(state.place)
            yield _told(state, found, seed, number)


def _hides_something(game: Game) -> bool:
    """Whether there is anything that somebody does not see."""
    machine = game.machine
    seen = [zone.visibility for zone in machine.zones] + [variable.visibility for variable in machine.variables]
    return game.players > 1 and any(visibility != "open" for visibility in seen)


def _decision_of(
    game: Game, seed: int, number: int, visits: Counter[Span], random: Random, late: Callable[[], bool]
) -> State | None:
    """A decision of a random game, at a place that has been looked at as seldom as any; None where there is none."""
    state = game.start(seed, game=number, story=False)
    passed: list[tuple[int, State]] = []
    while state.player and len(passed) < LENGTH and not late():
        place = state.place
        assert place is not None
        passed.append((visits[place], state.clone()))
        state.play_at_random()
    least = min((count for count, _ in passed), default=0)
    few = [each for count, each in passed if count == least]
    return random.choice(few) if few else None


def _difference(state: State, effort: Sampling, random: Random) -> tuple[str, str] | None:
    """What is different in another world, in words, and how it is there; None where nothing was found."""
    seat, game, real = state.player, state.game, state.decision
    for _ in range(effort.worlds):
        try:
            world = state.determinise(seat, random, effort.tries)
        except NoWorld:
            return None
        if different := sorted(set(world.legal) ^ set(state.legal)):
            option, who = different[0], game.seat_names[seat - 1]
            text = game.option_text(option)
            if option in state.legal:
                return f"`{who}` may `{text}` here", f'{LOOKS_THE_SAME} it is refused: "{world.why_not(option)}"'
            return f"`{who}` may not `{text}` here", f'"{state.why_not(option)}"; but {LOOKS_THE_SAME} it is allowed'
        if world.decision != real:
            return f"`{game.seat_names[seat - 1]}` is told something here", f"{LOOKS_THE_SAME} it is different"
    return None


def _told(state: State, difference: tuple[str, str], seed: int, number: int) -> tuple[Diagnostic, State]:
    """The finding, and the game that shows it, with its story."""
    game = state.game
    words = [game.rules.path, "--players", str(game.players)]
    for name in game.variants:
        words += ["--variant", name]
    for name, value in game.changed_options.items():
        words += ["--set", f"{name}={value}"]
    plan = Plan(game, (Bot("random"),) * game.players, seed, number + 1, "reference", tuple(words))
    again = game.start(seed, game=number)
    while again.history != state.history:
        again.play_at_random()
    lines = [begun(line) for line in narrate(game, again.events) if line.style in ("act", "chance", "note")]
    what, elsewhere = difference
    found = fault(
        "R374",
        f"{what}, because of something that this player cannot know",
        state.place,
        label=elsewhere,
        help="let what it depends on be seen by who chooses, or let it not depend on it",
    )
    return evolve(found, strength="explored", acts=tuple(lines[-ACTS:]), replay=command(plan, number)), again
