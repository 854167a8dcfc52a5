"""Chooses the options in led games: those taken least at a decision, or those that a player has a whim for.

Bots that choose at random all play the same sort of game. A player who always takes, always passes or always bids the most
reaches games that random players do not (Groce and others: "Swarm testing", International Symposium on Software Testing and
Analysis, 2012). So a *whim* is a liking for some options and a dislike of others that lasts for a whole game. In some games all
players have the same whim, and nothing is left to chance: an option that they dislike is never taken there.
"""

from __future__ import annotations

from random import Random

from attrs import define, field

from ....machine.machine import Machine
from ....machine.random_streams import mix64

RANDOM = -1  # the option of the random bot
OWN_MIND = 0.7  # how often a choice is led, and not the random bot's
ALIKE = 4  # one of so many whims is that of all players, at each decision


def whim_of(seed: int, number: int) -> int:
    """The whim of the players of a game; never 0, which is none."""
    return mix64(seed + number) or 1


@define(eq=False)
class Leader:
    """Chooses in the games of one machine. ``taken``: how often, by the site of a decision and the option. ``allowed``: the
    groups of which something was legal, with the sites."""

    random: Random
    group_of: list[int]
    taken: dict[tuple[int, int], int] = field(factory=dict)
    allowed: set[tuple[int, int]] = field(factory=set)

    def option(self, site: int, seat: int, legal: list[int], whim: int) -> int:
        """The option to take of those that are ``legal``, or `RANDOM`. ``whim``: of the game; 0: what has been taken least."""
        self.allowed.update({(site, self.group_of[option]) for option in legal})
        alike = whim != 0 and whim % ALIKE == 0
        if len(legal) > 1 and (alike or self.random.random() < OWN_MIND):
            option = self._by_whim(whim, 0 if alike else seat, legal) if whim else self._least_taken(site, legal)
        elif len(legal) > 1:
            return RANDOM
        else:
            option = legal[0]
        self.taken[site, option] = self.taken.get((site, option), 0) + 1
        return option

    def _least_taken(self, site: int, legal: list[int]) -> int:
        taken = self.taken
        counts = [taken.get((site, option), 0) for option in legal]
        least = min(counts)
        fitting = [option for option, count in zip(legal, counts, strict=True) if count == least]
        return fitting[self.random.randrange(len(fitting))]

    def _by_whim(self, whim: int, seat: int, legal: list[int]) -> int:
        """The option that a player likes best in this game: first the verb, then the most or the least of what it takes."""

        def liking(group: int) -> int:
            return mix64(whim + 1000 * seat + group)

        best = max({self.group_of[option] for option in legal}, key=liking)
        fitting = [option for option in legal if self.group_of[option] == best]
        match liking(best) % 3:
            case 0:
                return fitting[0]
            case 1:
                return fitting[-1]
            case _:
                return fitting[self.random.randrange(len(fitting))]


def leader_for(machine: Machine, seed: int) -> Leader:
    """Somebody new to choose in the games of a machine."""
    return Leader(Random(seed), [number for number, group in enumerate(machine.groups) for _ in range(group.size)])
