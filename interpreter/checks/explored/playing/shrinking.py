"""Shortens a course that shows a fault, as far as the same fault still comes.

A course is taken apart into the values taken at each site, in order. Some of them are left out, and the game is played anew: each
stop takes the next remaining value of its site that is possible there, or else the first answer. That always gives a game. It is
kept if it runs into the same fault and is *simpler*: fewer decisions, then fewer events, then lower numbers (delta debugging:
Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE Transactions on Software Engineering 28, 2002).
So the result is short, and everybody takes the first option wherever nothing depends on it.

A shorter way may be quite another one. So at the end players take random options from some positions of the course on, and a game
that reaches the fault sooner is made simpler in its turn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from random import Random

from attrs import define, frozen

from ....search.walker import Position, Walker
from .spotted import Spot, spot_at

STEPS_LIMIT = 40_000  # positions that are gone on from for one fault
WAYS_ONWARDS = 40  # tries at random from each position


@frozen(eq=False)
class _Step:
    """At a position something was taken."""

    at: Position
    value: int


_Chooser = Callable[[Position], int]
_Simplicity = tuple[int, int, tuple[int, ...]]  # decisions, events, what was taken


def shrink(
    walker: Walker,
    course: Sequence[int],
    spot: Spot,
    seed: int,
    steps: int = STEPS_LIMIT,
    late: Callable[[], bool] = lambda: False,
) -> list[int]:
    """A course that runs into the same fault, no longer than this one.

    ``steps``: how many positions it may take to find it. ``late``: whether there is no more time.
    """
    shrinker = _Shrinker(walker, spot, steps, late)
    best = shrinker.simplest(shrinker.along(course))
    onwards = shrinker.sooner(best, Random(seed))
    if onwards is not None:
        best = shrinker.simplest(onwards)
    return [step.value for step in best]


class _NotSo(Exception):
    """It does not run into the fault, or not soon enough."""


@define(eq=False)
class _Shrinker:
    walker: Walker
    spot: Spot
    left: int
    late: Callable[[], bool]

    def along(self, course: Sequence[int]) -> list[_Step]:
        """The steps of a course that runs into the fault."""
        steps: list[_Step] = []
        position = self.walker.begin()
        for value in course:
            steps.append(_Step(position, value))
            position = self.walker.after(position, value)
        assert spot_at(position) == self.spot
        return steps

    def simplest(self, best: list[_Step]) -> list[_Step]:
        """Leave out as much as can be left out: first halves, then quarters, and at last one by one; then lower the numbers."""
        size = max(len(best) // 2, 1)
        while self.left > 0:
            before = _simplicity(best)
            start = 0
            while start < len(best):
                simpler = self._without(best, start, size)
                best, start = (simpler, start) if simpler else (best, start + size)
            if size == 1 and _simplicity(best) == before:
                break
            size = max(size // 2, 1)
        for index in range(len(best)):
            if index < len(best):
                best = self._with_first(best, index) or best
        return best

    def sooner(self, best: list[_Step], random: Random) -> list[_Step] | None:
        """A shorter way to the fault, on which from some position on anything is taken; None where none is found."""
        cut = len(best) // 2
        while cut < len(best) - 1 and self.left > 0:
            for _ in range(WAYS_ONWARDS):
                try:
                    return self._anyhow(best, cut, random)
                except _NotSo:
                    pass
            cut += max((len(best) - cut) // 2, 1)
        return None

    def _without(self, best: list[_Step], start: int, size: int) -> list[_Step] | None:
        """The game without some of its steps; None where it is no simpler or does not run into the fault."""
        return self._again(best, start, best[start + size :])

    def _with_first(self, best: list[_Step], index: int) -> list[_Step] | None:
        """The game with the first answer at one step."""
        at = best[index].at
        if best[index].value == at.answers[0]:
            return None
        return self._again(best, index, [_Step(at, at.answers[0]), *best[index + 1 :]])

    def _again(self, best: list[_Step], kept: int, rest: Sequence[_Step]) -> list[_Step] | None:
        """The game with the first ``kept`` steps, and then what is possible of the rest."""
        queues: dict[int, deque[int]] = {}
        for step in rest:
            queues.setdefault(step.at.site, deque()).append(step.value)

        def choose(position: Position) -> int:
            queue = queues.get(position.site)
            while queue:
                value = queue.popleft()
                if value in position.answers:
                    return value
            return position.answers[0]

        try:
            return self._play(best, kept, choose)
        except _NotSo:
            return None

    def _anyhow(self, best: list[_Step], kept: int, random: Random) -> list[_Step]:
        return self._play(best, kept, lambda position: position.answers[random.randrange(len(position.answers))])

    def _play(self, best: list[_Step], kept: int, choose: _Chooser) -> list[_Step]:
        if self.late():
            self.left = 0
        steps = best[:kept]
        position = best[kept].at
        while position.answers:
            if len(steps) == len(best) or self.left <= 0:
                raise _NotSo
            self.left -= 1
            value = choose(position)
            steps.append(_Step(position, value))
            position = self.walker.after(position, value)
        if spot_at(position) != self.spot or _simplicity(steps) >= _simplicity(best):
            raise _NotSo
        return steps


def _simplicity(steps: Sequence[_Step]) -> _Simplicity:
    decisions = sum(step.at.kind == "decision" for step in steps)
    return decisions, len(steps), tuple(step.value for step in steps)
