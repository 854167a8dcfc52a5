"""Choices of several players at once at a table: all who are still to choose are asked now, each at a position of their own.

The rules ask one seat after the other, and keep secret what each has chosen until the last has (see `simultaneous`). So what a
seat is asked depends on nothing that the others choose, and it can be asked in a game in which those before it choose anything.
What people have chosen is kept in the log of the table, and becomes acts when all have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import define, evolve, field, frozen

from ..play.game import State
from .log import Entry


@frozen
class Chosen:
    """What a seat has chosen. ``whole``: whether nothing is missing (of an act of several choices). ``time``: when."""

    options: tuple[int, ...]
    whole: bool
    time: float


def chosen_in(log: Iterable[Entry]) -> dict[int, Chosen]:
    """What seats have chosen that is not done yet."""
    found: dict[int, Chosen] = {}
    for entry in log:
        match entry.kind:
            case "chosen":
                found[entry.seat] = Chosen(tuple(entry.data["options"]), entry.data["whole"], entry.time)
            case "act" if entry.seat in found:
                found[entry.seat] = _rest(found[entry.seat])
            case "undo" | "rules":
                found.clear()
            case _:
                pass
    return {seat: each for seat, each in found.items() if each.options}


def _rest(chosen: Chosen) -> Chosen:
    """What is left when the first of what was chosen is done."""
    return evolve(chosen, options=chosen.options[1:])


@define(eq=False)
class Together:
    """The choices of a table. ``chosen``: by seat, what waits for the others. ``made``: by seat, how often something was chosen
    or taken back before, so that the numbers of positions go on."""

    chosen: dict[int, Chosen] = field(factory=dict)
    made: Counter[int] = field(factory=Counter)
    _asked: tuple[State, Mapping[int, State]] | None = None

    def asked(self, state: State) -> Mapping[int, State]:
        """The seats that are to choose at once, in the order of the rules, each with a game in which it is asked for the first
        of its choices. Empty where somebody chooses alone."""
        if self._asked is None or self._asked[0] is not state:
            self._asked = state, _asked_at_once(state)
        return self._asked[1]

    def game_of(self, state: State, seat: int) -> State | None:
        """The game in which a seat is asked what it has to choose, or has chosen and may still change; None where it is not."""
        begun = self.asked(state).get(seat)
        chosen = self.chosen.get(seat)
        if begun is None or chosen is None:
            return begun
        game = begun.clone()
        for option in chosen.options[:-1] if chosen.whole else chosen.options:
            game.play(option)
        return game

    def missing(self, state: State) -> list[int]:
        """The seats whose choices are missing."""
        return [seat for seat in self.asked(state) if seat not in self.chosen or not self.chosen[seat].whole]

    def with_choice(self, game: State, option: int, now: float) -> Chosen:
        """What whoever decides in a game (see `game_of`) has chosen with this option, which may be in the place of another."""
        seat, done = game.player, len(game.events)
        before = self.chosen.get(seat, Chosen((), False, now))
        kept = before.options[:-1] if before.whole else before.options
        game = game.clone()
        game.play(option)
        return Chosen((*kept, option), game.player != seat or game.at_once or _is_told(game, seat, done), now)

    def take_back(self, seat: int) -> None:
        self.made[seat] += len(self.chosen.pop(seat).options) + 1

    def do(self, seat: int) -> None:
        """The first of what a seat has chosen is done now."""
        self.made[seat] += 1
        self.chosen[seat] = _rest(self.chosen[seat])
        if not self.chosen[seat].options:
            del self.chosen[seat]

    def count(self, seat: int) -> int:
        """A number that grows with all that a seat chooses or takes back."""
        return self.made[seat] + (len(self.chosen[seat].options) if seat in self.chosen else 0)


def _asked_at_once(state: State) -> dict[int, State]:
    found: dict[int, State] = {}
    while state.at_once and state.player not in found and all(state.place == other.place for other in found.values()):
        found[state.player] = state
        after = _chosen_anyhow(state)
        if after is None:
            break
        state = after
    return found


def _chosen_anyhow(state: State) -> State | None:
    """The game after whoever has to choose has done so somehow; None where that ends the choices at once: others are told."""
    seat, done = state.player, len(state.events)
    state = state.clone()
    while state.player == seat and not _is_told(state, seat, done):
        state.play(state.legal[0])
        if state.at_once:
            break
    return None if _is_told(state, seat, done) or not state.player else state


def _is_told(state: State, seat: int, since: int) -> bool:
    """Whether something has happened since then that another seat was told of."""
    alone = 1 << (seat - 1)
    return any(event.seen & ~alone or event.hidden is not None for event in state.events[since:])
