"""A game in sequence form: for each player a list of information states, and for each end its payoff.

The *sequence* of a player at a point of the game is the list of that player's choices on the way there. The last information
state with the option that was taken there stands for all of it, since nobody forgets anything. Sequence 0 is that of a player who
has not chosen yet. A strategy is a number for each sequence: in a *plan* the chance that the player's own choices lead there, in
*behaviour* the chance of the last option alone, where it is offered. So a game of a hundred thousand ends is a hundred thousand
products, and nothing is ever walked twice. (D. Koller, N. Megiddo, B. von Stengel, "Fast algorithms for finding randomized
strategies in game trees", 1994.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from attrs import field, frozen

Numbers = list[float]  # one for each sequence of a player


@frozen(eq=False)
class Player:
    """The information states of one player, each behind all that can come before it.

    ``before``: of each, the sequence that leads to it. ``options``: of each, the sequences of its options.
    """

    before: list[int] = field(factory=list)
    options: list[range] = field(factory=list)

    @property
    def sequences(self) -> int:
        """How many there are."""
        return self.options[-1].stop if self.options else 1

    def add(self, before: int, options: int) -> range:
        """One more information state with so many options: the sequences of these."""
        found = range(self.sequences, self.sequences + options)
        self.before.append(before)
        self.options.append(found)
        return found

    def uniform(self) -> Numbers:
        """The behaviour that takes all options of an information state with the same chance."""
        return [1.0, *(1 / len(options) for options in self.options for _ in options)]

    def plan(self, behaviour: Numbers) -> Numbers:
        """The chance that the player's own choices lead to each sequence."""
        found = [1.0] + [0.0] * (self.sequences - 1)
        for before, options in zip(self.before, self.options, strict=True):
            reached = found[before]
            if reached:
                for sequence in options:
                    found[sequence] = reached * behaviour[sequence]
        return found

    def best(self, gains: Numbers) -> float:
        """What a best response brings, where each sequence brings ``gains``, which are used up."""
        for before, options in zip(reversed(self.before), reversed(self.options), strict=True):
            gains[before] += max(gains[options.start : options.stop])
        return gains[0]


@frozen(eq=False)
class Ends:
    """All ends of a game: how likely each is by chance alone, and by player the last sequence and what it pays, times that."""

    likely: Numbers
    last: tuple[list[int], ...]
    pays: tuple[Numbers, ...]


@frozen(eq=False, slots=False)
class Sequences:
    """A whole game."""

    players: tuple[Player, ...]
    ends: Ends

    @cached_property
    def _met(self) -> tuple[list[tuple[int, list[int], Numbers]], ...]:
        """For each of two players: a sequence of the other, the own sequences with which it comes to ends, and what they pay."""
        found = []
        for number, (own, pays) in enumerate(zip(self.ends.last, self.ends.pays, strict=True)):
            met: dict[int, tuple[int, list[int], Numbers]] = {}
            for sequence, other, paid in zip(own, self.ends.last[1 - number], pays, strict=True):
                _, sequences, all_paid = met.setdefault(other, (other, [], []))
                sequences.append(sequence)
                all_paid.append(paid)
            found.append(list(met.values()))
        return tuple(found)

    @property
    def uniform(self) -> list[Numbers]:
        """The plan of each player that takes all options with the same chance."""
        return [player.plan(player.uniform()) for player in self.players]

    def gains(self, number: int, plans: Sequence[Numbers]) -> Numbers:
        """What each sequence of a player brings at the ends right behind it, where the others play by their plans."""
        found = [0.0] * self.players[number].sequences
        if len(plans) == 2:  # the inner loop of every solution: what the other never plays is passed over
            plan = plans[1 - number]
            for other, sequences, all_paid in self._met[number]:
                reached = plan[other]
                if reached:
                    for sequence, paid in zip(sequences, all_paid, strict=True):
                        found[sequence] += paid * reached
            return found
        own, others = self.ends.last[number], [n for n in range(len(plans)) if n != number]
        for end, (sequence, pays) in enumerate(zip(own, self.ends.pays[number], strict=True)):
            for other in others:
                pays *= plans[other][self.ends.last[other][end]]
            found[sequence] += pays
        return found

    def value(self, number: int, plans: Sequence[Numbers]) -> float:
        """What a player gets as a mean."""
        return sum(gain * reached for gain, reached in zip(self.gains(number, plans), plans[number], strict=True))

    def best(self, number: int, plans: Sequence[Numbers]) -> float:
        """What a player gets at the most while the others play by their plans."""
        return self.players[number].best(self.gains(number, plans))

    def nash_conv(self, plans: Sequence[Numbers]) -> float:
        """What all players together would gain if each alone played the best against the others."""
        return sum(self._improvements(plans))

    def _improvements(self, plans: Sequence[Numbers]) -> Iterator[float]:
        for number in range(len(self.players)):
            yield self.best(number, plans) - self.value(number, plans)
