"""The faults seen while playing, each with the simplest game that shows it.

Nothing is worded or shortened here. The same line at many tables, and for many players, is one fault: a `Spot` is its code and
its place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Literal

from attrs import define, field, frozen

from ....common.source import Span
from ....machine.machine import Alternative, Fault, Machine, Term
from ....machine.traverse import decisions
from ....search.walker import Position
from .endless import ENDLESS

By = Literal["random", "casual", "led", "all"]
Spot = tuple[str, str, int]  # code, path, first character of the line that it is about


def spot_of(fault: Fault) -> Spot:
    """The spot of a fault. All games that go on and on share one, since any of their decisions could be named."""
    if fault.code in ENDLESS:
        return fault.code, "", 0
    return fault.code, fault.span.source.path, fault.span.start


def spot_at(position: Position) -> Spot | None:
    """The spot of the fault with which a game stopped; None if it did not."""
    return None if position.fault is None else spot_of(position.fault)


@frozen
class Shown:
    """A game that shows a fault.

    ``decisions``: how many it has. ``by``: who played it. ``number``: of the game under the seed. ``options``: what was chosen,
    where it was led (-1: by the random bot). ``course``: of a game that was found by going through all positions.
    """

    fault: Fault
    decisions: int
    by: By
    number: int = 0
    options: tuple[int, ...] = field(default=(), repr=False)
    course: tuple[int, ...] = field(default=(), repr=False)


Found = dict[Spot, Shown]


@define(eq=False)
class Seen:
    """What the games of a table have shown so far. ``games``: how many were played, to an end or a fault; ``ends``: how many
    of them to their end. ``scored``: the lines of the score sheet that were something else than 0 at an end; ``same``: the number
    that a line gave to each player at each end, None where it was not the same. ``wins``: by seat (from 0), at how many ends of
    games of bots it won and others did not. ``missing``: the lines of options that were
    never legal; None where that was not watched."""

    found: Found = field(factory=dict)
    games: int = 0
    ends: int = 0
    scored: set[str] = field(factory=set)
    same: dict[str, int | None] = field(factory=dict)
    wins: dict[int, int] = field(factory=dict)
    missing: frozenset[Span] | None = None

    def note_allowed(self, machine: Machine, allowed: Collection[tuple[int, int]]) -> None:
        """Somebody who watched has seen these groups, with the sites of their decisions, of which something was legal."""
        legal = {alternative.span for site, alternative in alternatives(machine) if (site, alternative.group) in allowed}
        lines = (alternative.span for _, alternative in alternatives(machine)) if self.missing is None else self.missing
        self.missing = frozenset(lines) - legal

    def note_score(self, terms: Iterable[Term], values_of: Callable[[Term], Iterable[int]]) -> None:
        """A game has come to its end. ``values_of``: what a line of the score sheet gives to each seat."""
        self.games += 1
        self.ends += 1
        for term in terms:
            if term.name not in self.scored or self.same.get(term.name, 0) is not None:
                self.note_line(term.name, {*values_of(term)})

    def note_line(self, name: str, values: Collection[int]) -> None:
        """What a line of the score sheet gave to all seats at some ends: each number once."""
        if any(values):
            self.scored.add(name)
        number = next(iter(values), 0)
        self.same[name] = number if len(values) == 1 and self.same.get(name, number) == number else None


def rounded(number: int) -> int:
    """The first digit of a number, and zeros: ``20000`` of 23,456. A little more or less effort says the same."""
    zeros = int("1" + "0" * (len(str(number)) - 1))
    return number // zeros * zeros


def alternatives(machine: Machine) -> Iterator[tuple[int, Alternative]]:
    """The lines of the options of all decisions, with the sites of these."""
    for stmt in decisions(machine):
        yield from ((stmt.site, alternative) for alternative in stmt.alternatives)


def note(found: Found, shown: Shown) -> None:
    """Keep the game with the fewest decisions for each fault; what was found by going through all positions before any."""
    spot = spot_of(shown.fault)
    known = found.get(spot)
    if known is None or (shown.by != "all", shown.decisions) < (known.by != "all", known.decisions):
        found[spot] = shown
