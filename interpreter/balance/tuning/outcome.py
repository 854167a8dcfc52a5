"""What a search has found out: the settings that reach the goals, the numbers that are possible, and what each number does.

The best settings are played again with fresh luck: they were chosen because their first games came near the goals, so those games
flatter them. What is said of them rests on the fresh games alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from operator import le
from typing import Literal

from attrs import frozen

from ...common.diagnostics import Diagnostic
from ...common.extras import extra
from ...simulate.statistics.ratings import t_quantile
from ...simulate.statistics.statistics import Statistic
from .goals import Goal
from .search import Play, Task, Trial, played
from .space import Knob

CHECKED = 5  # settings that are played again
FRESH = 1  # how far the fresh seed is from that of the search

Verdict = Literal["reached", "likely", "unlikely", "missed"]
_VERDICTS: tuple[Verdict, ...] = ("reached", "likely", "unlikely", "missed")


@frozen(eq=False)
class Checked:
    """A setting with what came of its fresh games.

    ``verdict``: "reached" where the intervals of all goals lie inside the goals; "likely" where all values do; "unlikely" where
    one does not, but may by its interval; "missed".
    """

    trial: Trial
    verdict: Verdict


@frozen
class Effect:
    """What a number does to a statistic: ``means`` by value, the other numbers at their means.

    ``slope``: by how much one more changes it, with the interval of 95 %, by a straight line through all settings that were
    played; None where these are too few.
    """

    knob: Knob
    statistic: Statistic
    slope: tuple[float, float, float] | None
    means: dict[int, float]


@frozen(eq=False)
class Outcome:
    """``trials``: in the order in which they were played. ``checked``: the best, the very best first; where no
    setting may reach several goals, the best trades between them.

    ``possible``: of each number the values of settings that may reach all goals, as the lowest and the highest; None where there
    is none. ``effects``: by number, then by statistic. ``never``: goals that no setting reached. ``fighting``: goals that some
    settings reached, but never together. ``problems``: why settings could not be played to the end, one for each.
    ``is_interrupted``: somebody ended it.
    """

    task: Task
    trials: tuple[Trial, ...]
    checked: tuple[Checked, ...]
    possible: tuple[tuple[int, int] | None, ...]
    effects: tuple[Effect, ...]
    never: tuple[Goal, ...]
    fighting: tuple[tuple[Goal, Goal], ...]
    problems: tuple[Diagnostic, ...] = ()
    is_interrupted: bool = False

    @property
    def best(self) -> Checked | None:
        """The setting to write into the rules: one that reaches the goals, or likely does."""
        return self.checked[0] if self.checked and self.checked[0].verdict in ("reached", "likely") else None


def outcome(
    task: Task, trials: Sequence[Trial], play: Play, interrupted: Callable[[], bool], goes_on: Callable[[], bool]
) -> Outcome:
    """What the trials of a search say, after the best of them were played again, as long as it ``goes_on``."""
    fine = [trial for trial in trials if trial.side is not None and trial.problem is None]
    finalists = sorted((trial for trial in fine if trial.is_possible), key=lambda trial: _rank(task, trial))
    checked: list[Checked] = []
    problems = [trial.problem for trial in trials if trial.problem is not None]
    for trial in finalists[:CHECKED] or _nearest(task, fine):
        if not goes_on():
            break
        again = played(task, trial.setting, play, task.seed + FRESH, 2 * task.games, goes_on, to_the_end=True)
        if again.side is not None and again.problem is None:
            checked.append(Checked(again, _verdict(task, again)))
        elif again.problem is not None:
            problems.append(again.problem)
    if finalists or len(task.goals) < 2:
        checked.sort(key=lambda each: (_VERDICTS.index(each.verdict), _rank(task, each.trial)))
    else:  # fresh games may show that one is no trade
        front = _front(task, [each.trial for each in checked])
        checked = [each for trial in front for each in checked if each.trial is trial]
    reaching = {
        goal: {trial.setting for trial in fine if not goal.distance(trial.found[goal.statistic].value)} for goal in task.goals
    }
    never = tuple(goal for goal in task.goals if not reaching[goal])
    pairs = combinations((goal for goal in task.goals if reaching[goal]), 2)
    fighting = tuple((one, other) for one, other in pairs if not reaching[one] & reaching[other])
    possible = tuple(_possible(task, number, trials) for number in range(len(task.space.knobs)))
    effects = tuple(_effects(task, fine))
    return Outcome(task, tuple(trials), tuple(checked), possible, effects, never, fighting, tuple(problems), interrupted())


def _rank(task: Task, trial: Trial) -> tuple[int, float, float]:
    """The lower, the better: so many goals are missed, by so much, and how far the wish is from its best."""
    distances = trial.distances(task.goals)
    wished = -task.wish.worth(trial.found[task.wish.statistic].value) if task.wish else 0.0
    return sum(distance > 0 for distance in distances), sum(distances), wished


def _nearest(task: Task, trials: Sequence[Trial]) -> list[Trial]:
    """The settings that come nearest to one goal. Of several goals the best trades: settings of which no other is better for all
    goals (Pareto's front), from those that are best for the first goal to those that are best for the others."""
    if len(task.goals) < 2:
        return sorted(trials, key=lambda trial: _rank(task, trial))[:CHECKED]
    front = _front(task, trials)
    steps = min(CHECKED, len(front))
    return [front[round(step * (len(front) - 1) / max(1, steps - 1))] for step in range(steps)]


def _front(task: Task, trials: Sequence[Trial]) -> list[Trial]:
    """Those that no other one is better than, or as good as, for every goal; the best for the first goal come first."""
    front: list[Trial] = []
    for trial in sorted(trials, key=lambda trial: _rank(task, trial)):  # whatever is better for all goals has a better rank
        distances = trial.distances(task.goals)
        if not any(all(map(le, other.distances(task.goals), distances)) for other in front):
            front.append(trial)
    return sorted(front, key=lambda trial: trial.distances(task.goals))


def _verdict(task: Task, trial: Trial) -> Verdict:
    found = [(goal, trial.found[goal.statistic]) for goal in task.goals]
    if any(goal.is_missed(known) for goal, known in found):
        return "missed"
    if any(goal.distance(known.value) for goal, known in found):
        return "unlikely"
    return "reached" if all(known.is_inside(goal.low, goal.high) for goal, known in found) else "likely"


def _possible(task: Task, number: int, trials: Sequence[Trial]) -> tuple[int, int] | None:
    """Between which values a number lies, if it is to reach the goals. Values beside a possible one that no setting had count."""
    values = task.space.knobs[number].values
    with_it = {value: [trial for trial in trials if trial.setting[number] == value] for value in values}
    good = [at for at, value in enumerate(values) if any(trial.is_possible for trial in with_it[value])]
    if not good:
        return None
    low, high = good[0], good[-1]
    while low > 0 and not with_it[values[low - 1]]:
        low -= 1
    while high < len(values) - 1 and not with_it[values[high + 1]]:
        high += 1
    return values[low], values[high]


def _effects(task: Task, trials: Sequence[Trial]) -> Iterator[Effect]:
    lines = {statistic: _line(trials, statistic) for statistic in task.statistics}
    for number, knob in enumerate(task.space.knobs):
        for statistic, line in lines.items():
            by_value: dict[int, list[float]] = {}
            for trial in trials:
                by_value.setdefault(trial.setting[number], []).append(line.without_others(trial, number, statistic))
            means = {value: sum(by_value[value]) / len(by_value[value]) for value in sorted(by_value)}
            yield Effect(knob, statistic, line.slopes[number] if line.slopes else None, means)


@frozen
class _Line:
    """A straight line through a statistic of all settings. ``slopes``: by number, see `Effect`; None where there are too few."""

    middle: tuple[float, ...]
    slopes: tuple[tuple[float, float, float], ...] | None

    def without_others(self, trial: Trial, number: int, statistic: Statistic) -> float:
        """What a setting would have, if all numbers but one had their mean."""
        value = trial.found[statistic].value
        for other, (slope, _, _) in enumerate(self.slopes or ()):
            if other != number:
                value -= slope * (trial.setting[other] - self.middle[other])
        return value


def _line(trials: Sequence[Trial], statistic: Statistic) -> _Line:
    """Least squares on all numbers together, each setting weighted by its games."""
    numpy = extra("numpy", "tune", "`rulesrun tune`")
    if not trials:
        return _Line((), None)
    settings = numpy.array([trial.setting for trial in trials], dtype=float)
    middle = settings.mean(axis=0)
    rows = numpy.hstack([numpy.ones((len(trials), 1)), settings - middle])
    free = len(trials) - rows.shape[1]
    if free < 1 or numpy.linalg.matrix_rank(rows) < rows.shape[1]:
        return _Line(tuple(map(float, middle)), None)
    weights = numpy.sqrt(numpy.array([float(trial.games) for trial in trials]))
    values = numpy.array([trial.found[statistic].value for trial in trials])
    weighted = rows * weights[:, None]
    found, *_ = numpy.linalg.lstsq(weighted, values * weights, rcond=None)
    left = (values - rows @ found) * weights
    spread = numpy.linalg.inv(weighted.T @ weighted).diagonal() * (left @ left) / free
    halves = [t_quantile(free) * max(0.0, float(each)) ** 0.5 for each in spread[1:]]
    slopes = zip(map(float, found[1:]), halves, strict=True)
    return _Line(tuple(map(float, middle)), tuple((slope, slope - half, slope + half) for slope, half in slopes))
