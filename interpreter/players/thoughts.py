"""Thoughts: what a search finds out about each option of a decision, for those who want to know more than what it would take.

A `Thinker` thinks about one position at a time. There is one on the reference engine (`reference_table.OnCells`) and one in a
module (`wasm/running/thoughts.py`); both think the same. `play.bots.thinking.thinker_for` gives the faster one that there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from struct import unpack_from
from time import monotonic
from typing import Literal, Protocol

from attrs import frozen

from .dialect import Word
from .search import LOOSE, MOST_SCORE, PROVED, UNIT, WON
from .workspace import EDGE_OPTION, EDGE_PROOF, EDGE_SIZE, EDGE_TOTAL, EDGE_VISITS, ONE

Worlds = Literal["proved", "loose", "none"]
SLICE = 0.05  # seconds between two looks at the clock


@frozen
class Thought:
    """What a search of so many ``iterations`` found about a decision of a seat (from 0).

    ``options``: the numbers of the legal options that were looked at, ascending; the other tuples are in the same order.
    ``visits``: how often each was tried. ``shares``: the estimated share of the win of the seat (of its team) after it.
    ``rewards``: what the search goes by, three parts of the share and one of the score (`search.py`). Both are from 0 to 1, and
    0 for what was never tried. ``scores``: of a seat that plays alone, the mean score after it, which decides there; else empty.
    ``proved``: whether that is certain, since the rest of the game was searched. ``choice``: the option that the bot takes.

    ``worlds``: whether all that was imagined follows from what the seat has observed, or only contains what it knows
    (``loose``). With ``none`` no world was found: nothing is known of any option, and the choice is random.
    """

    seat: int
    options: tuple[int, ...]
    visits: tuple[int, ...]
    shares: tuple[float, ...]
    rewards: tuple[float, ...]
    scores: tuple[float, ...]
    proved: tuple[bool, ...]
    choice: int
    iterations: int
    worlds: Worlds

    @property
    def ranking(self) -> tuple[int, ...]:
        """The places of the options in the tuples: that of the choice, then by visits, rewards, and number."""

        def place(index: int) -> tuple[bool, int, float, int]:
            return self.options[index] != self.choice, -self.visits[index], -self.rewards[index], index

        return tuple(sorted(range(len(self.options)), key=place))

    def share_of(self, option: int) -> float:
        """The estimated share of the win after an option. ValueError if it is not legal here."""
        return self.shares[self.options.index(option)]


class Thinker(Protocol):
    """Thinks about positions of one table.

    ``begin``: about the decision of a seat (from 0) to which a history leads, which holds the numbers of all options and outcomes
    of chance so far. ``seed``: of the thought's own random stream, from 0 to 2**64 - 1. ``only``: the one option that is looked
    at (None: all of them). ``ponder``: until there are so many iterations in all; how many there are, fewer if the position is
    proven. ``conclude``: what it has come to.
    """

    def begin(self, history: Sequence[int], seat: int, seed: Word, only: int | None = None) -> None: ...
    def ponder(self, iterations: int) -> int: ...
    def conclude(self) -> Thought: ...


def think(thinker: Thinker, history: Sequence[int], seat: int, iterations: int, seed: Word, only: int | None = None) -> Thought:
    """What a search finds out; the bot ``search:N`` with the same seed makes the same choice. It may take as long as it likes."""
    thinker.begin(history, seat, seed, only)
    for _ in think_in_steps(thinker, iterations):
        pass
    return thinker.conclude()


def think_in_steps(thinker: Thinker, iterations: int, seconds: float | None = None) -> Iterator[int]:
    """Go on with a thought that has begun: after each of its steps, which are short, how many iterations there are.

    It ends with so many iterations, or with the time that is given, but not before the first one.
    """
    began = monotonic()
    done, step = 0, 1
    while done < iterations:
        start, asked = monotonic(), min(done + step, iterations)
        done = thinker.ponder(asked)
        yield done
        now = monotonic()
        if done < asked or (seconds is not None and now - began >= seconds):
            return
        short = SLICE if seconds is None else min(SLICE, seconds - (now - began))
        step = max(1, min(4 * step, int(step * short / max(now - start, 1e-6))))


def thought_from(
    seat: int, count: int, edges: bytes, shares: bytes, choice: int, iterations: int, found: int, alone: int, lowest: int
) -> Thought:
    """A thought as it lies in a workspace: the edges of the first node, and behind what each was worth. ``count``: of options.

    ``alone``, ``lowest``: as in a `Workspace`.
    """
    at = range(0, EDGE_SIZE * count, EDGE_SIZE)
    visits = [int(unpack_from("<i", edges, place + EDGE_VISITS)[0]) for place in at]
    totals = [int(unpack_from("<Q", edges, place + EDGE_TOTAL)[0]) for place in at]
    won = unpack_from(f"<{count}Q", shares)
    wins = [total / (UNIT * max(1, times)) for total, times in zip(won, visits, strict=True)]
    rewards = [total / max(1, times) for total, times in zip(totals, visits, strict=True)]
    scores = [reward - share * WON - MOST_SCORE - 1 for reward, share in zip(rewards, wins, strict=True)] if alone else []
    return Thought(
        seat,
        tuple(int(unpack_from("<i", edges, place + EDGE_OPTION)[0]) for place in at),
        tuple(visits),
        tuple(wins),
        tuple(reward / (WON + 2 * MOST_SCORE if alone else ONE) for reward in rewards),
        tuple(-score if lowest else score for score in scores),
        tuple(unpack_from("<i", edges, place + EDGE_PROOF)[0] != 0 for place in at),
        choice,
        iterations,
        "proved" if found == PROVED else "loose" if found == LOOSE else "none",
    )
