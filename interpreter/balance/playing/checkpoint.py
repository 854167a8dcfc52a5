"""Checkpoints of a study, in the form of `simulate/checkpoint.py`: every game and deal that was played, in order.

A part of a study goes on behind the last game that is kept, so it comes to the same numbers. The time that has passed counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import astuple, frozen

from ...common.diagnostics import Diagnostic
from ...common.source import Source
from ...simulate import checkpoint
from ...simulate.engines.engine import EngineName
from ...simulate.simulation import Plan
from .acts import Taken
from .course import Course
from .ladder import Deal
from .leads import Lead
from .study import Kept, KeptTable, Side, SidePlayed, Study


@frozen(eq=False)
class Report:
    """What makes a report this one and no other. ``games``: that were asked for (None: as many as the time allows)."""

    sides: Sequence[Side]
    engine: EngineName
    seed: int
    games: int | None

    @property
    def described(self) -> dict[str, Any]:
        other, side = self.sides[0], self.sides[-1]
        plan = Plan(side.game, side.bots, self.seed, self.games or 0, self.engine)
        against = [other.title] if len(self.sides) > 1 else []
        games = self.games or "as many as the time allows"
        return {**checkpoint.described(plan, "analyse"), "against": against, "games": games}


def to_text(report: Report, study: Study) -> str:
    """A checkpoint as a file's text."""
    results = {
        "tables": [_table_data(played) for played in study.sides],
        "changes": {played.side.title: _table_data(played) for played in study.changes},
    }
    return checkpoint.text_of(report.described, study.seconds, results)


def from_text(source: Source, report: Report) -> tuple[Kept, float] | Diagnostic:
    """What is kept of a study, and the seconds that it took; R802 and R803 as in `simulate/checkpoint.py`."""
    data = checkpoint.data_of(source, report.described)
    if isinstance(data, Diagnostic):
        return data
    try:
        tables = [_kept(table) for table in data["tables"]]
        if len(tables) != len(report.sides):
            raise ValueError("its tables are others")
        return Kept(tables, {title: _kept(table) for title, table in data["changes"].items()}), float(data["seconds"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        return checkpoint.none_here(source, str(error))


def bots_of(source: Source) -> str | None:
    """The bots of a report as `--bots` names them, where all are alike; None where this is no checkpoint."""
    bots = checkpoint.run_of(source).get("bots")
    return bots[0] if isinstance(bots, list) and bots and isinstance(bots[0], str) and len(set(map(str, bots))) == 1 else None


# ---- Data


def _table_data(played: SidePlayed) -> dict[str, Any]:
    courses = {**played.courses, **played.stopped}
    return {
        "games": [_course_data(courses[game]) for game in range(len(courses))],
        "deals": [[played.deals[deal].steps, played.deals[deal].again] for deal in range(len(played.deals))],
    }


def _kept(data: dict[str, Any]) -> KeptTable:
    deals = [Deal(tuple(steps), None if again is None else tuple(again)) for steps, again in data["deals"]]
    return KeptTable([_course(game, course) for game, course in enumerate(data["games"])], deals)


def _course_data(course: Course) -> list[Any]:
    leads = [None if lead is None else astuple(lead) for lead in (course.by_score, course.by_search)]
    acts = [[*key, *astuple(taken)] for key, taken in course.acts.items()]
    phases = [course.free, course.thoughts, course.matter, course.may_matter]
    return [course.row, course.history, *phases, course.cost, *leads, course.expected, acts]


def _course(game: int, data: list[Any]) -> Course:
    row, history, free, thoughts, matter, may_matter, cost, by_score, by_search, expected, acts = data
    return Course(
        game,
        tuple(row),
        tuple(history),
        tuple(free),
        tuple(thoughts),
        tuple(matter),
        tuple(may_matter),
        cost,
        _lead(by_score),
        _lead(by_search),
        tuple(map(tuple, expected)),
        {(group, place, value): Taken(*taken) for group, place, value, *taken in acts},
    )


def _lead(data: list[Any] | None) -> Lead | None:
    return None if data is None else Lead(data[0], tuple(data[1]), *data[2:])
