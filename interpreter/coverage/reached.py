"""The places that were reached, as a value that is added up over games, tests and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import field, frozen

from ..common.source import Span
from .kinds import Kind


@frozen
class Place:
    """Something that games can come to, and where it stands.

    ``statement``: it runs (a line of the score: it is asked for). ``step``, ``trigger``, ``define``: what it says is done or
    asked. ``case``: it is the one that holds. ``row``: of a table, it is asked for. ``tie``: a key of a ranking has something to
    decide. ``score``: a line of the score is not 0. ``offered``, ``chosen``: an act. ``reason``, ``limit``: it refuses an act.
    ``variant``, ``value`` (of an option), ``players`` (so many): it is played with.

    ``said``: the verb of an act, the value, the number; else "".
    """

    kind: Kind
    span: Span
    said: str = ""


@frozen
class Reached:
    """How often each place was reached; never 0. Of a refusal, a row that the table has settled and what is played with, only
    that it was: they count once for each time that somebody asked."""

    counts: Mapping[Place, int] = field(factory=dict)

    def __add__(self, other: Reached) -> Reached:
        """The sum over these games and those."""
        return together((self, other))

    def __contains__(self, place: Place) -> bool:
        return place in self.counts

    def times(self, place: Place) -> int:
        """How often a place was reached."""
        return self.counts.get(place, 0)

    @property
    def places(self) -> frozenset[Place]:
        return frozenset(self.counts)

    def beyond(self, others: Reached) -> frozenset[Place]:
        """The places that those others did not reach."""
        return frozenset(place for place in self.counts if place not in others.counts)


def together(parts: Iterable[Reached]) -> Reached:
    """What several reached, added up."""
    counts: dict[Place, int] = {}
    for part in parts:
        for place, times in part.counts.items():
            counts[place] = counts.get(place, 0) + times
    return Reached(counts)
