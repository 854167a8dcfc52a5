"""The tally of many games: exact whole numbers that can be added up in any order and any grouping.

For each column it holds the number of games with each value. All statistics follow from these, so they are equal (not only close)
for every way of splitting the work. A tally does not grow with the games, only with the number of different values.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from ...machine.columns import FAULT, Columns

GAMES_LIMIT = 10**18  # so that the number of a game is a signed 64-bit number in files

Histogram = Mapping[int, int]  # how many games have each value


class NoTally(ValueError):
    """Data that is no tally; the text says why."""


@frozen
class Stopped:
    """Games that one fault stopped: how many, and the least number of one of them."""

    games: int
    example: int

    def __add__(self, other: Stopped) -> Stopped:
        return Stopped(self.games + other.games, min(self.example, other.example))


@frozen
class Tally:
    """``games``: how many came to their end. ``histograms``: of these, one for each column. ``faults``: the others, by fault."""

    games: int
    histograms: tuple[Histogram, ...]
    faults: Mapping[int, Stopped] = field(factory=dict)

    @classmethod
    def empty(cls, columns: Columns) -> Tally:
        return cls(0, tuple({} for _ in range(len(columns))))

    @classmethod
    def of(cls, columns: Columns, first: int, rows: array[int]) -> Tally:
        """The tally of rows, one after the other, of the games from number ``first`` on."""
        width = len(columns)
        count = len(rows) // width
        stops = rows[FAULT::width]
        faults: dict[int, Stopped] = {}
        if any(stops):
            for game, stop in enumerate(stops, first):
                if stop:
                    faults[stop - 1] = faults.get(stop - 1, Stopped(0, game)) + Stopped(1, game)
            rows = finished(columns, rows)
            count = len(rows) // width
        return cls(count, tuple(dict(Counter(rows[column::width])) for column in range(width)), faults)

    @property
    def stopped(self) -> int:
        """How many games were stopped by a fault."""
        return sum(stopped.games for stopped in self.faults.values())

    def __add__(self, other: Tally) -> Tally:
        """The tally of both. ValueError where they have other columns."""
        histograms = tuple(add(one, two) for one, two in zip(self.histograms, other.histograms, strict=True))
        faults = dict(self.faults)
        for number, stopped in other.faults.items():
            faults[number] = faults[number] + stopped if number in faults else stopped
        return Tally(self.games + other.games, histograms, faults)

    def to_data(self, columns: Columns) -> dict[str, Any]:
        """The tally as data for json: columns by their names, values in their order, so that equal tallies are equal texts."""
        return {
            **columns.to_data(),
            "games": self.games,
            "columns": {
                name: {str(value): counts[value] for value in sorted(counts)}
                for name, counts in zip(columns.names, self.histograms, strict=True)
            },
            "faults": {str(n): [stop.games, stop.example] for n, stop in sorted(self.faults.items())},
        }

    @staticmethod
    def columns_of(data: object) -> Columns:
        """The columns of the tally that became this data. `NoTally` where it is none."""
        from ...model.from_tree import SEATS_LIMIT  # here, so that a tally is had without the compiler

        try:
            columns = Columns.from_data(data)  # type: ignore[arg-type]  # errors are caught
            seats, terms, size = columns.seats, data["terms"], columns.team_size  # type: ignore[index]
        except (TypeError, KeyError, AttributeError):
            raise NoTally("it is not said whose columns they are") from None
        seated = all(isinstance(n, int) and 1 <= n <= SEATS_LIMIT for n in (seats, size))
        named = isinstance(terms, list) and all(isinstance(term, str) for term in terms)
        if not seated or seats % size or not named or not isinstance(columns.returns, bool):
            raise NoTally("it is not said whose columns they are")
        return columns

    @classmethod
    def from_data(cls, columns: Columns, data: object) -> Tally:
        """The tally that became this data. `NoTally` where it is none of these columns."""
        try:
            given = data["columns"]  # type: ignore[index]  # whatever it is, the errors of something else are caught
            if list(given) != list(columns.names):
                raise NoTally("its columns are others")
            histograms = tuple({_whole(value): _count(count) for value, count in counts.items()} for counts in given.values())
            faults = {
                _whole(number): Stopped(_count(games), _count(example + 1) - 1)
                for number, (games, example) in data["faults"].items()  # type: ignore[index]
            }
            games = data["games"]  # type: ignore[index]
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            raise error if isinstance(error, NoTally) else NoTally("a part of it is missing or is no number") from None
        if isinstance(games, bool) or any(sum(counts.values()) != games for counts in histograms):
            raise NoTally("its counts do not add up")
        return cls(games, histograms, faults)


def finished(columns: Columns, rows: array[int]) -> array[int]:
    """The rows of the games that came to their end."""
    width = len(columns)
    found = array("i")
    for start in range(0, len(rows), width):
        if not rows[start + FAULT]:
            found += rows[start : start + width]
    return found


def add(one: Histogram, two: Histogram) -> Histogram:
    """Both histograms in one."""
    found = dict(one)
    for value, count in two.items():
        found[value] = found.get(value, 0) + count
    return found


def _whole(text: str) -> int:
    if str(int(text)) != text or not -(1 << 31) <= int(text) < 1 << 31:
        raise NoTally(f"`{text}` is no number of a row")
    return int(text)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= GAMES_LIMIT:
        raise NoTally(f"`{value}` is no number of games")
    return value
