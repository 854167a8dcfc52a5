"""What stands out among the tables of a sweep: first seats that win too often or too rarely, and what a variant or a number does.

A variant is held against the same tables without it; a number, with its greatest value, against the same tables with its least.
What lies between is not looked at. Tables of one seed count as independent, so the intervals are rather too wide. Holm's
procedure (`simulate/statistics/beyond_chance.py`), once for the seats and once for all else with half of the error each, keeps
the probability that anything stands out by chance alone below 5 %. It rests on normal distributions, so tables with few games
say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf, sqrt

from attrs import evolve, frozen

from ...simulate.statistics.beyond_chance import ERROR, beyond_chance, chance_of
from ...simulate.statistics.compare import Difference, Side, Z, differences
from ...simulate.statistics.interval import Interval, interval
from ...simulate.statistics.statistics import Statistic
from ...table.sampling.combinations import Choice

GAMES_LEAST = 50  # of a table, for it to say anything
SMALL = 0.2  # a smaller effect (Cohen's d) is not told, however sure it is
FIRST = Statistic("first_seat_win_share")
_SHARES = ("first_seat_win_share", "win_share")


@frozen
class Unfair:
    """A table whose first seat wins more or less than its share. ``fair``: that share."""

    choice: Choice
    found: Interval
    fair: float
    games: int

    @property
    def by_chance(self) -> tuple[float, float]:
        """The interval, or that of a fair seat if it is wider: an observed share near 0 or 1 seems surer than it is."""
        half = max((self.found.high - self.found.low) / 2, Z * sqrt(self.fair * (1 - self.fair) / self.games))
        return self.found.value - half, self.found.value + half


@frozen
class Effect:
    """What a variant does, or a number from its least value to its greatest.

    ``what``: the variant or the number. ``least``, ``greatest``: the values of a number, where they are the same at all tables;
    else "". ``clear``: the differences beyond chance, by the table with it, all in one direction. ``tables``: how many were
    compared.
    """

    what: str
    least: str
    greatest: str
    statistic: Statistic
    clear: tuple[tuple[Choice, Difference], ...]
    tables: int

    @property
    def size(self) -> float:
        """The greatest effect size."""
        return max(_size(difference) for _, difference in self.clear)


@frozen
class Outstanding:
    """``unfair``: the most unfair first; ``effects``: the greatest first."""

    unfair: tuple[Unfair, ...]
    effects: tuple[Effect, ...]


def outstanding(sides: Mapping[Choice, Side], swept: Mapping[str, Sequence[str]], statistics: Sequence[Statistic]) -> Outstanding:
    """What stands out in these statistics. ``swept``: the numbers that vary, with their values, from the least up."""
    sides = {choice: side for choice, side in sides.items() if side.tally.games >= GAMES_LEAST}
    shares = [each for choice, side in sides.items() for each in _share(choice, side)]
    clear = beyond_chance([chance_of(each.found.value - each.fair, each.by_chance) for each in shares], ERROR / 2)
    unfair = [each for each, is_clear in zip(shares, clear, strict=True) if is_clear]
    unfair.sort(key=lambda each: -abs(each.found.value - each.fair))
    return Outstanding(tuple(unfair), tuple(sorted(_effects(sides, swept, statistics), key=lambda each: -each.size)))


def _share(choice: Choice, side: Side) -> Iterator[Unfair]:
    found = interval(side, FIRST)
    if found is not None and choice.players > 1:
        yield Unfair(choice, found, fair(side), side.tally.games)


def fair(side: Side) -> float:
    """The share of the win of a seat, if all are equal."""
    return side.columns.team_size / side.columns.seats


def _effects(
    sides: Mapping[Choice, Side], swept: Mapping[str, Sequence[str]], statistics: Sequence[Statistic]
) -> Iterator[Effect]:
    asked: list[tuple[str, Statistic, Choice, Choice, Difference]] = []
    for what, pairs in (*_with_variants(list(sides)), *_of_numbers(list(sides), swept)):
        for one, other in pairs:
            found = differences(sides[one], sides[other], None)
            for statistic in statistics:
                # Teams win more often than single seats, which says nothing of a variant that makes them.
                says_something = statistic.name not in _SHARES or fair(sides[one]) == fair(sides[other])
                if statistic in found and found[statistic].interval is not None and says_something:
                    asked.append((what, statistic, one, other, found[statistic]))
    chances = [chance_of(float(each.difference or 0), each.interval or (0.0, 0.0)) for *_, each in asked]
    clear = beyond_chance(chances, ERROR / 2)
    for what, statistic in dict.fromkeys((what, statistic) for what, statistic, *_ in asked):
        of_it = [(each, is_clear) for each, is_clear in zip(asked, clear, strict=True) if each[:2] == (what, statistic)]
        for up in (True, False):
            told = [
                (one, other, each)
                for (_, _, one, other, each), is_clear in of_it
                if is_clear and ((each.difference or 0) > 0) == up and _size(each) >= SMALL
            ]
            if told:
                ends = {(dict(one.options).get(what, ""), dict(other.options).get(what, "")) for one, other, _ in told}
                without, with_ = next(iter(ends)) if len(ends) == 1 else ("", "")
                clear_ones = tuple((other, each) for _, other, each in told)
                yield Effect(what, str(without), str(with_), statistic, clear_ones, len(of_it))


def _size(difference: Difference) -> float:
    """The effect size, without bounds where nothing varies."""
    return abs(difference.effect) if difference.effect is not None else inf if difference.difference else 0.0


_Compared = tuple[str, list[tuple[Choice, Choice]]]  # a variant or a number, and the pairs of tables that differ by nothing else


def _with_variants(choices: Sequence[Choice]) -> Iterator[_Compared]:
    """Each variant: tables without it, and those with it."""
    there = set(choices)
    for variant in dict.fromkeys(name for choice in choices for name in choice.variants):
        pairs = [
            (without, choice)
            for choice in choices
            if variant in choice.variants
            for without in [evolve(choice, variants=tuple(name for name in choice.variants if name != variant))]
            if without in there
        ]
        yield variant, pairs


def _of_numbers(choices: Sequence[Choice], swept: Mapping[str, Sequence[str]]) -> Iterator[_Compared]:
    """Each number: tables with its least value that can be played, and those with its greatest."""
    for name, values in swept.items():
        alike: dict[Choice, list[Choice]] = {}
        for choice in choices:
            others = evolve(choice, options=tuple(option for option in choice.options if option[0] != name))
            alike.setdefault(others, []).append(choice)
        for some in alike.values():
            some.sort(key=lambda choice: values.index(str(dict(choice.options)[name])))
        yield name, [(some[0], some[-1]) for some in alike.values() if len(some) > 1]
