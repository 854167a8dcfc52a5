"""The value of a game of two players with a constant sum, computed by CFR+ between two exact bounds.

CFR+ (O. Tammelin, "Solving large imperfect information games using CFR+", 2014): both play again and again, in turn. In each
information state an option has a regret, how much better it would have been so far, never less than 0, and is chosen in
proportion to it. The mean of all strategies, with more weight on later rounds, converges to a pair of strategies that nobody can
improve.

The distance is not guessed. Against a strategy of the first player, the second has a best response, so the first gets at least
what that leaves; and against one of the second, at most what the first's best response brings. The value lies between.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import field, frozen

from .sequences import Numbers, Player, Sequences

FIRST_LOOK = 16  # rounds after which the bounds are asked for the first time; then each time after a quarter more


@frozen
class Value:
    """The value lies between ``low`` and ``high``; nearer to it than either is ``of_means``, what the means of both get."""

    of_means: float
    low: float
    high: float
    rounds: int

    @property
    def accuracy(self) -> float:
        """How far the value can be from that of the means."""
        return max(self.high - self.of_means, self.of_means - self.low)


@frozen(eq=False)
class _Learner:
    """What one player has learned, a number for each sequence. ``mean``: the weighted sum of the plans so far."""

    player: Player
    behaviour: Numbers
    regrets: Numbers
    mean: Numbers = field(init=False)

    @mean.default
    def _nothing(self) -> Numbers:
        return [0.0] * self.player.sequences

    def learn(self, gains: Numbers) -> None:
        """One round, in which each sequence brings ``gains`` at the ends right behind it; they are used up."""
        behaviour, regrets = self.behaviour, self.regrets
        for before, options in zip(reversed(self.player.before), reversed(self.player.options), strict=True):
            start, stop = options.start, options.stop
            offered = gains[start:stop]
            if not any(offered):  # the others never let it come to this: nothing is learned
                continue
            value = sum(map(float.__mul__, behaviour[start:stop], offered))
            gains[before] += value
            now = [max(0.0, regret + gain - value) for regret, gain in zip(regrets[start:stop], offered, strict=True)]
            regrets[start:stop] = now
            total = sum(now)
            behaviour[start:stop] = [regret / total for regret in now] if total else [1 / len(now)] * len(now)

    def remember(self, plan: Numbers, weight: int) -> None:
        self.mean[:] = [before + weight * now for before, now in zip(self.mean, plan, strict=True)]

    def average(self) -> Numbers:
        """The plan of the mean."""
        return [reached / self.mean[0] for reached in self.mean]


def solve(game: Sequences, sum_of_both: float, accuracy: float, go_on: Callable[[], bool]) -> Value:
    """The value to the first of two players who get ``sum_of_both`` together.

    It is looked for until it is known to ``accuracy``, or ``go_on`` says no; then the bounds are those that were reached.
    """
    learners = [_Learner(player, player.uniform(), [0.0] * player.sequences) for player in game.players]
    plans = [learner.player.plan(learner.behaviour) for learner in learners]
    rounds, look = 0, FIRST_LOOK
    while True:
        rounds += 1
        for number, learner in enumerate(learners):
            learner.learn(game.gains(number, plans))
            plans[number] = learner.player.plan(learner.behaviour)
            learner.remember(plans[number], rounds)
        more = go_on()
        if rounds >= look or not more:
            look = rounds * 5 // 4
            means = [learner.average() for learner in learners]
            found = Value(game.value(0, means), sum_of_both - game.best(1, means), game.best(0, means), rounds)
            if found.accuracy <= accuracy or not more:
                return found
