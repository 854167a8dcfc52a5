"""The effect of a phase, kept so that another table need not repeat it.

Tables with different values of an option often differ in one phase only, or in the last. A phase that begins in the same abstract
position, and whose course is equal, has the same effect.
"""

from __future__ import annotations

from attrs import frozen

from ...common.intervals import Interval
from ...common.source import Span
from .courses import Course
from .domain.states import AbstractState

Effort = tuple[int, int, dict[str, int], dict[tuple[str, Span], int]]


@frozen(eq=False)
class GoneThrough:
    """A phase in which nothing was found and in which no game was over: ``before`` and ``after`` it, what was known, and how
    much had been gone through (see `AbstractInterpreter`). ``at_first``: what was asked for the first time in it (see
    `AbstractInterpreter`)."""

    course: Course
    before: AbstractState
    after: AbstractState
    effort_before: Effort
    effort_after: Effort
    at_first: dict[Span, Interval]

    def begins_so(self, course: Course, at: AbstractState, effort: Effort) -> bool:
        """Whether the same is begun in the same way; what else there is at a table makes no difference."""
        here, there = (
            {key: known for key, known in each.variables.items() if key[0] in course.variables} for each in (at, self.before)
        )
        known = self.before.content, self.before.names, self.before.reach, there
        return self.course == course and self.effort_before == effort and known == (at.content, at.names, at.reach, here)

    def ended(self, at: AbstractState) -> AbstractState:
        """What is known behind it, at the table at which it begins with ``at``."""
        changed = {key: known for key, known in self.after.variables.items() if key[0] in self.course.variables}
        after = self.after
        return AbstractState(at.ground, dict(after.content), at.variables | changed, dict(after.names), after.reach)
