"""The text of what each seat observes.

It depends only on where a game stands and what is taken there, whatever came before. So it is kept for all histories that lead to
the same state.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

from ..play.game import Event, Game, State

KEPT = 10_000  # answers; some hundred bytes each

Lines = tuple[str, ...]  # for each seat, lines, each behind a line break


class Narration:
    """What is told at one table."""

    def __init__(self, game: Game) -> None:
        self._game = game
        regions = game.machine.layout.regions
        self._start, self._stop = regions["digest"][0], regions["run"][1]
        self._kept = lru_cache(KEPT)(self._after)

    @cached_property
    def first(self) -> Lines:
        """What is observed before anything can be taken."""
        return self._lines(self._game.start().events)

    def after(self, record: bytes, taken: int) -> Lines:
        """What is observed when an option, or an outcome of chance, is taken at a record."""
        return self._kept(record[: self._start] + bytes(self._stop - self._start) + record[self._stop :], taken)

    def _after(self, record: bytes, taken: int) -> Lines:
        state = self._game.from_record(record, by_hand=True)
        take(state, taken)
        return self._lines(state.events)

    def _lines(self, events: Iterable[Event]) -> Lines:
        names, found = self._game.seat_names, [""] * self._game.players
        for event in events:
            if event.kind == "note":
                continue
            who = f"{names[event.player - 1]}: " if event.player else ""
            for seat in range(len(found)):
                text = event.text_for(seat + 1)
                if text is not None:
                    found[seat] += f"\n{who}{text}"
        return tuple(found)


def take(state: State, taken: int) -> None:
    """Take an option, or let chance bring an outcome, whichever is asked for."""
    if state.chance is None:
        state.play(taken)
    else:
        state.happen(taken)
