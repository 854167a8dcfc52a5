"""Plays the tables of a sweep with the same games of one seed: a few of each first, then the cheap tables before dear ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import monotonic
from typing import Any

from attrs import evolve, frozen

from ...common.diagnostics import Diagnostic
from ...common.source import Source
from ...simulate import checkpoint
from ...simulate.cluster import Cluster
from ...simulate.running import AnyRun
from ...simulate.simulation import Plan, SoFar, added_up, nothing_yet, run_of
from ...simulate.statistics.compare import Side
from ...simulate.statistics.tally import NoTally, Tally
from ...simulate.stops import stops
from ...table.sampling.combinations import Choice

FIRST_PART = 50  # this part of the games shows how dear a table is
FIRST_GAMES = 20  # but so many at least

Plans = Mapping[Choice, Plan]


@frozen(eq=False)
class Played:
    """The games of a table so far. ``seconds``: that they took."""

    so_far: SoFar
    seconds: float = 0.0

    @property
    def cost(self) -> float:
        """Seconds for a game."""
        return self.seconds / max(1, self.so_far.games)


class Sweeping:
    """``found``: what was played of each table."""

    def __init__(self, plans: Plans, jobs: int, workers: Cluster | None, kept: Mapping[Choice, Played] | None) -> None:
        self.plans = plans
        self.found: dict[Choice, Played] = {choice: Played(nothing_yet(plan)) for choice, plan in plans.items()}
        self.found.update(kept or {})
        self._jobs, self._workers = jobs, workers
        self._run: AnyRun[Any] | None = None
        self._interrupted = False

    @property
    def ended(self) -> bool:
        """Whether all games were played."""
        return all(self.found[choice].so_far.games == plan.games for choice, plan in self.plans.items())

    def side(self, choice: Choice) -> Side:
        return Side(self.plans[choice].columns, self.found[choice].so_far.tally)

    def faults(self, choice: Choice) -> list[Diagnostic]:
        """What stopped games of a table."""
        return [stop.diagnostic for stop in stops(self.plans[choice], self.found[choice].so_far.tally)]

    def play(self) -> Iterator[str]:
        """Play all that is left, and say how far it is, now and then."""
        for choice, plan in self.plans.items():
            yield from self._go_on(choice, min(plan.games, max(FIRST_GAMES, plan.games // FIRST_PART)))
        for choice in sorted(self.plans, key=lambda choice: self.found[choice].cost):
            yield from self._go_on(choice, self.plans[choice].games)

    def interrupt(self) -> None:
        """Let the games that are being played be the last ones."""
        self._interrupted = True
        if self._run is not None:
            self._run.interrupt()

    def _go_on(self, choice: Choice, games: int) -> Iterator[str]:
        before = self.found[choice]
        if self._interrupted or before.so_far.games >= games:
            return
        run = run_of(evolve(self.plans[choice], games=games), before.so_far.games, self._jobs, cluster=self._workers)
        self._run, began = run, monotonic()
        for so_far in added_up(before.so_far, run):
            self.found[choice] = Played(so_far, before.seconds + monotonic() - began)
            done = sum(self.found[each].so_far.games == plan.games for each, plan in self.plans.items())
            yield f"{done} of {len(self.plans)} tables; {so_far.games:,} games of {choice.said}"


# ---- Checkpoints


def _described(plans: Plans) -> dict[str, Any]:
    first = next(iter(plans.values()))
    return {**checkpoint.described(first, "sweep"), "tables": [choice.said for choice in plans]}


def to_text(plans: Plans, found: Mapping[Choice, Played], seconds: float) -> str:
    """A checkpoint as a file's text."""
    tables = [
        {"seconds": played.seconds, "tally": played.so_far.tally.to_data(plans[choice].columns)}
        for choice, played in found.items()
    ]
    return checkpoint.text_of(_described(plans), seconds, {"played": tables})


def from_text(source: Source, plans: Plans) -> tuple[dict[Choice, Played], float] | Diagnostic:
    """What was played of each table, and the seconds of all; R802 and R803 as in `simulate/checkpoint.py`."""
    data = checkpoint.data_of(source, _described(plans))
    if isinstance(data, Diagnostic):
        return data
    try:
        found = {}
        for (choice, plan), table in zip(plans.items(), data["played"], strict=True):
            tally = Tally.from_data(plan.columns, table["tally"])
            found[choice] = Played(SoFar(tally.games + tally.stopped, tally), float(table["seconds"]))
        return found, float(data["seconds"])
    except (NoTally, KeyError, TypeError, ValueError) as error:
        return checkpoint.none_here(source, str(error))
