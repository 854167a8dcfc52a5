"""The honest test of hidden information: in every world that a seat cannot tell from the real one, it is shown the same.

`honest` plays games and resamples worlds at random decisions (see `State.determinise`). The world is made of what the seat
observed; that its view, what it may do, and every text are the same as well, is what is tested.
"""

from __future__ import annotations

import os
from random import Random

from rulesrun.interpreter.common.nouns import spoken
from rulesrun.interpreter.play.game import Game, State

DECISIONS = int(os.environ.get("RULESRUN_SEEDS", "4"))  # random decisions of each table; ``RULESRUN_SEEDS=200`` is the whole test
WORLDS = 3  # of each decision


def honest(game: Game, decisions: int = DECISIONS, worlds: int = WORLDS, seed: int = 0) -> None:
    """At random decisions of a game, resampled worlds show the seat that decides the same."""
    random = Random(seed)
    for state in random_decisions(game, decisions, random):
        real = shown(state.player, state)
        for _ in range(worlds):
            assert shown(state.player, state.determinise(state.player, random)) == real


def random_decisions(game: Game, count: int, random: Random) -> list[State]:
    """So many decisions, each a random one of a game of its own between random players."""
    found: list[State] = []
    while len(found) < count:
        state = game.start(random.getrandbits(64))
        passed: list[State] = []
        while state.player:
            passed.append(state.clone())
            state.play_at_random()
        if passed:
            found.append(random.choice(passed))
    return found


def told(state: State, seat: int) -> list[str]:
    """All that a seat is told, but for the values that open counters and markers took on between two stops.

    Those may depend on what is hidden from it, for a moment: the highest of some sealed bids, bid after bid.
    """
    values = tuple(f"{spoken(variable.name)}{end}" for variable in state.game.machine.variables for end in (": ", " of "))
    texts = (event.text_for(seat) for event in state.events)
    return [text for text in texts if text is not None and not text.startswith(values)]


def shown(seat: int, state: State) -> tuple[object, ...]:
    """All that a seat sees, knows, has observed and may do in a game, and the texts that it reads."""
    decides = state.player == seat
    return (
        state.view(seat),
        state.observed(seat),
        told(state, seat),
        (state.player, state.is_over, state.chance is None),
        state.legal if decides else None,
        state.decision if decides else None,
    )


def same_for(seat: int, state: State, world: State) -> None:
    """A seat sees, knows, has observed and may do the same in two games; and reads the same texts."""
    assert shown(seat, world) == shown(seat, state)
