"""The view of a decision that a player from outside gets: everything that its seat knows, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import field, frozen

from ..game import Option, State
from ..knowledge.views import View

MOST_SECONDS = 3600  # that a player may state for a choice


@frozen(eq=False)
class Seen:
    """A decision as a seat sees it.

    ``seat``: who decides, from 1, at a table for ``players``. ``options``: the legal ones, two at least. ``about``: what else is
    said of the decision (see `Decision`). ``view``: what the seat sees and knows of the position. ``happened``: all that it
    observed so far, in order. ``random``: random numbers that depend on the seed of the game only.
    """

    seat: int
    players: int
    options: tuple[Option, ...]
    about: str
    view: View
    happened: tuple[str, ...] = field(repr=False)
    random: Random = field(repr=False)
    world: Callable[[int], State] = field(repr=False)

    def determinise(self) -> State:
        """A game in progress that the seat cannot tell from the real one. What the seat does not know is drawn anew each time,
        and the game can be played on. `NoWorld` if none is found."""
        return self.world(self.random.getrandbits(64))


__all__ = ["Seen", "View"]
