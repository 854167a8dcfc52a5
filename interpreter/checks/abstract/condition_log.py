"""A log of the outcomes of each condition, and of the phases and steps that can begin.

The abstract interpreter (`interpreter.py`) writes it for the conditions of branches and options, at one table or at several. A
condition that never fails, or never holds, at any of them is a finding (see `lints/no_effect/decided.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from ...common.intervals import Interval, join
from ...common.source import Span
from ...model import model
from ...model.model import Expr
from .courses import GoneThrough
from .domain.states import AbstractState
from .evaluation.evaluator import Evaluator
from .evaluation.narrowing import where

HOLDS, FAILS = 1, 2
BOTH = HOLDS | FAILS


@define(eq=False)
class ConditionLog:
    """``can``: by the place of a condition, `HOLDS` and `FAILS` as bits. ``watched``: by its place, its parts of which is noted
    between what they are whenever it is asked; ``seen``: by the places of both, what has been noted. ``begun``: the places of the
    phases to which a game can come; ``done``: the names of the steps that can be done; ``gone_through``: those of which all has
    been noted (see `courses`)."""

    can: dict[Span, int] = field(factory=dict)
    watched: dict[Span, tuple[Expr, ...]] = field(factory=dict)
    seen: dict[tuple[Span, Span], Interval] = field(factory=dict)
    begun: set[Span] = field(factory=set)
    done: set[str] = field(factory=set)
    gone_through: list[GoneThrough] = field(factory=list)

    def all_undetermined(self, conditions: Iterable[Expr]) -> bool:
        """Whether nothing more can be found out about these."""
        return all(self.can.get(each.span) == BOTH for condition in conditions for each in with_sides(condition))

    def note(self, condition: Expr, known: Interval, at: AbstractState, evaluator: Evaluator) -> None:
        """A condition is asked in a position; ``known``: whether it holds, as far as that is known."""
        for side in sides(condition):
            with evaluator.unsure():
                self.note(side, evaluator.number(side, at.copy()), at, evaluator)
        span = condition.span
        if self.can.get(span) == BOTH:
            return
        holds, fails = (where(condition, way, at.copy(), evaluator, known) for way in (True, False))
        self.can[span] = self.can.get(span, 0) | holds * HOLDS | fails * FAILS
        with evaluator.unsure():
            for part in self.watched.get(span, ()):
                found, key = evaluator.count(part, at), (span, part.span)
                self.seen[key] = join(self.seen[key], found) if key in self.seen else found

    def note_members(self, members: Expr, count: Interval) -> None:
        """A loop or an act comes to a set: it is a condition that there is something in it."""
        self.can[members.span] = self.can.get(members.span, 0) | (count[1] > 0) * HOLDS | (count[0] == 0) * FAILS

    def give_up(self, conditions: Iterable[Expr]) -> None:
        """Nothing is claimed of these."""
        self.can |= dict.fromkeys((each.span for condition in conditions for each in with_sides(condition)), BOTH)


def sides(condition: Expr) -> tuple[Expr, ...]:
    """What a condition joins by `and` or `or`."""
    return (condition.left, condition.right) if isinstance(condition, model.Logic) else ()


def with_sides(condition: Expr) -> Iterator[Expr]:
    """A condition, and all that it joins by `and` and `or`."""
    yield condition
    for side in sides(condition):
        yield from with_sides(side)
