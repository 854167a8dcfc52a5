"""Choices of several players at once at a table: all who are still to choose are asked now, each at a position of their own.

The rules ask one seat after the other, and keep secret what each has chosen until the last has (see `simultaneous`). So what a
seat is asked depends on nothing that the others choose, and it can be asked in a game in which those before it choose anything.
"""

from __future__ import annotations

from ..play.game import State


def asked_together(state: State) -> dict[int, State]:
    """The seats that are still to choose at once, in the order of the rules, each with a game in which it is asked. Empty where
    somebody chooses alone."""
    found: dict[int, State] = {}
    while state.at_once and state.player not in found and all(state.place == other.place for other in found.values()):
        found[state.player] = state
        after = chosen_anyhow(state)
        if after is None:
            break
        state = after
    return found


def chosen_anyhow(state: State) -> State | None:
    """The game after whoever has to choose has done so somehow; None where that ends the choices at once: others are told."""
    seat, done = state.player, len(state.events)
    state = state.clone()
    while state.player == seat and not is_over_for_all(state, seat, done):
        state.play(state.legal[0])
        if state.at_once:
            break
    return None if is_over_for_all(state, seat, done) or not state.player else state


def is_over_for_all(state: State, seat: int, since: int) -> bool:
    """Whether something has happened since then that another seat was told of."""
    alone = 1 << (seat - 1)
    return any(event.seen & ~alone or event.hidden is not None for event in state.events[since:])
