"""Counts of decisions over many games: how many options there were, which acts were on offer and taken, and which never.

They are kept beside a tally, only if asked for: these are counts of decisions, not of games.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from .tally import Histogram, NoTally, add

Place = tuple[int, int]  # an alternative: the site of its decision, and its index there


@frozen
class Counts:
    """``options``: how many decisions had so many legal options. ``offered``: how often an alternative had one of them, and
    ``taken``: how often it was chosen. ``nothing``: by site, how often nobody was asked since nothing was legal.

    Games that were stopped by a fault count up to where they stopped. What bots only imagine does not count.
    """

    options: Histogram = field(factory=dict)
    offered: Mapping[Place, int] = field(factory=dict)
    taken: Mapping[Place, int] = field(factory=dict)
    nothing: Histogram = field(factory=dict)

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            add(self.options, other.options),
            _add(self.offered, other.offered),
            _add(self.taken, other.taken),
            add(self.nothing, other.nothing),
        )

    def to_data(self) -> dict[str, Any]:
        """The counts as data for json."""
        return {
            "options": [list(item) for item in sorted(self.options.items())],
            "offered": [[*place, count] for place, count in sorted(self.offered.items())],
            "taken": [[*place, count] for place, count in sorted(self.taken.items())],
            "nothing": [list(item) for item in sorted(self.nothing.items())],
        }

    @classmethod
    def from_data(cls, data: object) -> Counts:
        """The counts that became this data. `NoTally` where it is none."""
        try:
            return cls(
                {int(n): int(count) for n, count in data["options"]},  # type: ignore[index]  # errors are caught
                {(int(site), int(index)): int(count) for site, index, count in data["offered"]},  # type: ignore[index]
                {(int(site), int(index)): int(count) for site, index, count in data["taken"]},  # type: ignore[index]
                {int(site): int(count) for site, count in data["nothing"]},  # type: ignore[index]
            )
        except (TypeError, KeyError, ValueError):
            raise NoTally("a part of its counts is missing or is no number") from None


def _add(one: Mapping[Place, int], two: Mapping[Place, int]) -> Mapping[Place, int]:
    found = dict(one)
    for place, count in two.items():
        found[place] = found.get(place, 0) + count
    return found
