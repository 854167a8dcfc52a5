"""Courses: the parts of a table that decide how a game, or one phase, can go.

Tables with equal courses are looked at once. Most variants change only the score, and a game with many variants has a table for
each set of them: Kingdomino's harmony and middle kingdom make four tables for each number of players, with one course. A value of
an option often changes one phase and none before it. So the effect of a phase is kept, too: one that begins in the same abstract
position, and whose course is equal, has the same effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import field, frozen

from ...common.intervals import Interval
from ...common.source import Span
from ...model import model
from ...model.visitor import walk
from ...table.sampling.combinations import Choice
from ...table.table import Table, Variable
from .domain.states import AbstractState
from .evaluation.grids import stays_with_its_owner

Spent = tuple[int, int, dict[str, int], dict[tuple[str, Span], int]]  # how much of what has been gone through


@frozen
class Course:
    """All that decides what can happen in some steps, and where it is written: equal where the same can happen.

    ``steps``, ``defines``, ``variables``: these, and those that they come to. ``around``: what any of them can ask for.
    """

    written: tuple[Span, ...]
    steps: tuple[model.Step, ...]
    defines: dict[str, model.Define]
    variables: dict[str, Variable]
    around: tuple[object, ...] = field(repr=False)


def course_of(steps: Iterable[model.Step], table: Table) -> Course | None:
    """The course of some steps of a table.

    None where scores are asked for, of which all of the table decides.
    """
    found: dict[str, model.Step] = {step.name: step for step in steps}
    defines: dict[str, model.Define] = {}
    variables: dict[str, Variable] = {}
    written: list[Span] = []
    owned: set[str] = set()  # kinds of which the pieces of a player are asked for
    todo: list[model.Node] = [*found.values()]
    if table.match is not None and table.match.until is not None:
        todo.append(table.match.until)
    while todo:
        for node in walk(todo.pop()):
            match node:
                case model.Do(step=name) if name not in found:
                    found[name] = table.steps[name]
                    todo.append(found[name])
                case model.Apply(define=name) if name not in defines:
                    defines[name] = table.defines[name]
                    todo.append(defines[name])
                case model.VariableValue(name=name) | model.SetVariable(name=name):
                    variables[name] = table.variables[name]
                case model.OwnedBy(type=type):
                    owned.add(type.of)
                case model.ScoreOf() | model.Winners():
                    return None
                case _:
                    pass
            if not isinstance(node, model.Typed):
                written.append(node.span)
    staying = {kind for kind in owned if stays_with_its_owner(kind, table)}
    around = table.players, table.teams, table.lists, table.kinds, table.zones, table.grids, table.columns, table.match, staying
    written += [each.span for each in (*found.values(), *defines.values())]
    return Course(tuple(written), tuple(found.values()), defines, variables, around)


def covered(tables: Mapping[Choice, Table]) -> dict[Choice, Choice]:
    """The tables of which all games are also games of another, which scores all that they score: by these, the other."""
    courses: list[tuple[Course, Table, list[Choice]]] = []
    like: dict[Choice, Choice] = {}
    for choice in sorted(tables, key=lambda choice: -len(tables[choice].terms)):
        table = tables[choice]
        course = course_of(table.all_steps, table)
        if course is None:
            continue
        these = next((them for other, its, them in courses if course == other and table.variables == its.variables), None)
        if these is None:
            these = []
            courses.append((course, table, these))
        other = next((each for each in these if _scores(table, tables[each])), None)
        if other is None:
            these.append(choice)
        else:
            like[choice] = other
    return like


def _scores(one: Table, other: Table) -> bool:
    """Whether another table has all that one has to say of scores and winners, in the same places."""
    terms = [(term.span, term) for term in other.terms]
    return (
        all((term.span, term) in terms for term in one.terms)
        and (one.winner.span, one.winner) == (other.winner.span, other.winner)
        and all(name in other.defines and _is_same(define, other.defines[name]) for name, define in one.defines.items())
        and one.defines.keys() & {model.RETURNS} == other.defines.keys() & {model.RETURNS}
    )


def _is_same(one: model.Define, other: model.Define) -> bool:
    return one.span == other.span and one == other


@frozen(eq=False)
class GoneThrough:
    """A phase in which nothing was found and in which no game was over: ``before`` and ``after`` it, what was known, and how
    much had been gone through (see `AbstractInterpreter`). ``at_first``: what was asked for the first time in it (see
    `AbstractInterpreter`)."""

    course: Course
    before: AbstractState
    after: AbstractState
    effort_before: Spent
    effort_after: Spent
    at_first: dict[Span, Interval]

    def begins_so(self, course: Course, at: AbstractState, effort: Spent) -> bool:
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
