"""The search for settings that reach the goals.

Each setting plays the same games of one seed (common random numbers), so that settings differ by their rules alone. It stops
early when the interval of a goal lies outside of the goal: looked at are 100 games, 200, 400 and so on, with intervals of 99.9 %,
so that the many looks and settings rarely lose the right one.

Which setting is tried next, Optuna says: the multivariate tree-structured Parzen estimator (Bergstra, Bardenet, Bengio and Kégl,
"Algorithms for hyper-parameter optimization", NeurIPS 2011; for several goals Ozaki et al., "Multiobjective tree-structured
Parzen estimator", JAIR 73, 2022). It minimises the distance to each goal, beside what is to be small or great. What it has tried
already is not tried again: then one that nobody has tried is drawn, so that a small space is gone through as a whole.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from random import Random
from typing import Any, Literal

from attrs import field, frozen

from ...common.diagnostics import Diagnostic, RulesError
from ...common.extras import extra
from ...play.game import Game
from ...simulate.simulation import Plan, SoFar
from ...simulate.statistics.compare import Side
from ...simulate.statistics.interval import Interval, interval
from ...simulate.statistics.statistics import Statistic
from ...simulate.stops import stops
from .goals import Goal
from .space import Setting, Space

RULED_OUT = 3.2905267314919255  # standard errors: an interval of 99.9 %
FIRST_LOOK = 100  # games
SKILL_GAMES = 20  # for each seat, at least
SKILL = Statistic("skill")  # the share of the win of one bot among `random` ones, as a mean over all seats
_DRAWS = 64  # settings that are drawn until all that are left are listed
_LISTED = 100_000  # settings of a space that are listed at most

Play = Callable[[Plan], Iterator[SoFar]]  # the games of a plan; it ends early where somebody interrupts it


@frozen
class Wish:
    """A statistic that is to be as great or as small as it can be."""

    statistic: Statistic
    way: Literal["maximise", "minimise"]

    def worth(self, value: float) -> float:
        """The greater, the better."""
        return value if self.way == "maximise" else -value


@frozen(eq=False)
class Task:
    """What is looked for. ``table``: makes the table of a setting, or raises `RulesError`; ``plan``: a table, a seed, and so many
    games; ``alone``: the same with only one good bot, in the seat with this number."""

    space: Space
    goals: tuple[Goal, ...]
    wish: Wish | None
    games: int
    seed: int
    table: Callable[[Setting], Game]
    plan: Callable[[Game, int, int], Plan]
    alone: Callable[[Game, int, int, int], Plan] | None = None

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        wished = (self.wish.statistic,) if self.wish else ()
        return tuple(dict.fromkeys((*(goal.statistic for goal in self.goals), *wished)))


@frozen(eq=False)
class Trial:
    """What came of a setting. ``side``: None where it cannot be played; ``problem``: why, or what stopped a game.

    ``ruled_out``: the goals that it surely misses.
    """

    setting: Setting
    side: Side | None = None
    problem: Diagnostic | None = None
    ruled_out: tuple[Goal, ...] = ()
    found: dict[Statistic, Interval] = field(factory=dict)

    @property
    def games(self) -> int:
        return self.side.tally.games if self.side else 0

    @property
    def is_possible(self) -> bool:
        """Whether it may reach all goals, as far as anybody can tell."""
        return self.side is not None and self.problem is None and not self.ruled_out

    def distances(self, goals: Sequence[Goal]) -> tuple[float, ...]:
        return tuple(goal.distance(self.found[goal.statistic].value) for goal in goals)


def played(
    task: Task, setting: Setting, play: Play, seed: int, games: int, goes_on: Callable[[], bool], to_the_end: bool = False
) -> Trial:
    """Play a setting, until it no longer ``goes_on``. ``to_the_end``: also where it is ruled out."""
    try:
        game = task.table(setting)
    except RulesError as error:
        return Trial(setting, problem=error.diagnostics[0])
    plan = task.plan(game, seed, games)
    look, side = FIRST_LOOK, None
    for so_far in play(plan):
        side = Side(plan.columns, so_far.tally)
        if so_far.tally.stopped or (so_far.games >= FIRST_LOOK and not goes_on()):
            break
        if so_far.games >= look:
            look = 2 * so_far.games
            if not to_the_end and _ruled_out(task.goals, side):
                break
    if side is None:
        return Trial(setting)
    stopped = stops(plan, side.tally)
    problem = stopped[0].diagnostic if stopped else None
    found = {each: known for each in task.statistics if each != SKILL and (known := interval(side, each)) is not None}
    if SKILL in task.statistics and (skill := _skill(task, game, play, seed, side.tally.games)) is not None:
        found[SKILL] = skill
    if len(found) < len(task.statistics):
        return Trial(setting, problem=problem)
    return Trial(setting, side, problem, _ruled_out(task.goals, side), found)


def _skill(task: Task, game: Game, play: Play, seed: int, games: int) -> Interval | None:
    """`SKILL` of a table: as many games together as were played otherwise. None where they do not come to their end."""
    assert task.alone is not None
    found: list[Interval] = []
    for seat in range(1, game.players + 1):
        plan = task.alone(game, seat, seed, max(SKILL_GAMES, games // game.players))
        side = None
        for so_far in play(plan):
            side = Side(plan.columns, so_far.tally)
        share = None if side is None else interval(side, Statistic("win_share", "", seat))
        if share is None:
            return None
        found.append(share)
    value = sum(each.value for each in found) / len(found)
    half = sqrt(sum((each.high - each.value) ** 2 for each in found)) / len(found)
    return Interval(value, value - half, value + half)


def _ruled_out(goals: Sequence[Goal], side: Side) -> tuple[Goal, ...]:
    known = ((goal, interval(side, goal.statistic, RULED_OUT)) for goal in goals)
    return tuple(goal for goal, found in known if found is not None and goal.is_missed(found))


def searched(task: Task, play: Play, trials: int, goes_on: Callable[[], bool]) -> Iterator[Trial]:
    """Trials, each of another setting: at most so many, and as long as it ``goes_on``.

    Raises `RulesError` (R804) where Optuna is not installed.
    """
    optuna = extra("optuna", "tune", "`rulesrun tune`")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Optuna calls experimental has been in it for years
        study = _study(optuna, task)
    distributions = {
        str(number): optuna.distributions.IntDistribution(0, len(knob.values) - 1) for number, knob in enumerate(task.space.knobs)
    }
    luck, known = Random(task.seed), dict[Setting, Trial]()
    while len(known) < min(trials, task.space.size) and goes_on():
        asked = study.ask(distributions)
        setting = tuple(knob.values[asked.params[str(number)]] for number, knob in enumerate(task.space.knobs))
        if setting in known:
            _tell(optuna, study, asked.number, known[setting], task)
            study.enqueue_trial(_params(task.space, _unknown(task.space, known, luck)))
            continue
        trial = played(task, setting, play, task.seed, task.games, goes_on)
        if trial.side is None and trial.problem is None:
            return  # somebody interrupted it
        known[setting] = trial
        _tell(optuna, study, asked.number, trial, task)
        yield trial


def _study(optuna: Any, task: Task) -> Any:
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=task.seed % (1 << 32), multivariate=True)
    count = len(task.goals) + (1 if task.wish else 0)
    study = optuna.create_study(directions=["minimize"] * count, sampler=sampler)
    if task.space.now in task.space:
        study.enqueue_trial(_params(task.space, task.space.now))  # what is there now is likely near
    return study


def _tell(optuna: Any, study: Any, number: int, trial: Trial, task: Task) -> None:
    if trial.side is None or trial.problem is not None:
        study.tell(number, state=optuna.trial.TrialState.FAIL)
        return
    wished = [-task.wish.worth(trial.found[task.wish.statistic].value)] if task.wish else []
    study.tell(number, [*trial.distances(task.goals), *wished])


def _params(space: Space, setting: Setting) -> dict[str, int]:
    return {str(number): knob.values.index(value) for number, (knob, value) in enumerate(zip(space.knobs, setting, strict=True))}


def _unknown(space: Space, known: dict[Setting, Trial], luck: Random) -> Setting:
    """A setting that nobody has tried. There is one."""
    setting: Setting = ()
    for _ in range(_DRAWS):
        setting = tuple(luck.choice(knob.values) for knob in space.knobs)
        if setting not in known:
            return setting
    if space.size > _LISTED:
        return setting  # nearly all of so many are never known
    from itertools import product

    return luck.choice([each for each in product(*(knob.values for knob in space.knobs)) if each not in known])
