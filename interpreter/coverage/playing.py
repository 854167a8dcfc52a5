"""Runs the tests of a file, and random games at all its tables, and collects what they reach."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from time import monotonic

from attrs import field, frozen

from ..machine.from_table.building.marks import Marks
from ..machine.reference.executor import FunctionFault
from ..model import model
from ..rules import Rules
from ..table.sampling.combinations import tables_of
from ..testing.prepared_tests import prepare
from ..testing.testing import FindingsAt, TestResult, run_prepared
from .kinds import FOLLOWING
from .parts import Part, parts_of
from .reached import Place, Reached, together
from .watch import Watch, watch_of

SECONDS = 10.0  # for all games of a file
FOR_GAMES = 0.9  # of the seconds that there are: in the others it is told what they reached
PATIENCE = 20  # games at one table in which nothing new comes up before the next table has its turn


@frozen
class Covered:
    """What some tests, and some games, have reached. ``left_out``: what was not played, in words."""

    tests: int = 0
    by_tests: Reached = field(factory=Reached)
    games: int = 0
    by_games: Reached = field(factory=Reached)
    left_out: tuple[str, ...] = ()

    @property
    def reached(self) -> Reached:
        return self.by_tests + self.by_games

    def __add__(self, other: Covered) -> Covered:
        return Covered(
            self.tests + other.tests,
            self.by_tests + other.by_tests,
            self.games + other.games,
            self.by_games + other.by_games,
            (*self.left_out, *other.left_out),
        )


def run_watched(
    whole: model.Model, parts: Sequence[Part], test: model.Test, findings_at: FindingsAt
) -> tuple[TestResult, Reached]:
    """Run one test (see `run_prepared`), and what it reached. One that fails has reached what it came to."""
    marks = Marks()
    ready = prepare(whole, test, marks)
    if ready.machine is None or ready.found is None:
        return run_prepared(whole, test, ready, None, findings_at), Reached()
    watch = Watch(whole, parts, ready.found, ready.machine, marks, ready.asked)
    result = run_prepared(whole, test, ready, watch, findings_at)
    if result.passed:
        watch.expected()
    return result, watch.taken()


def by_tests(rules: Rules, findings_at: FindingsAt) -> tuple[tuple[TestResult, ...], Covered]:
    """Run every test of a file (see `run_prepared`), and what they reached."""
    whole = rules.required()
    parts = parts_of(whole)
    done = [run_watched(whole, parts, test, findings_at) for test in whole.tests]
    return tuple(result for result, _ in done), Covered(tests=len(done), by_tests=together(found for _, found in done))


def by_games(rules: Rules, seed: int = 0, seconds: float = SECONDS) -> Covered:
    """Games by chance at every table that is checked: until all has been reached, and at each of them until `PATIENCE` games in
    a row brought nothing new.

    Every table has one game, then every table another. ``seconds``: when they are over no game is begun any more, and that is
    said; it never keeps a table from its first game.
    """
    whole = rules.required()
    parts = parts_of(whole)
    candidates = tables_of(whole)
    tables = (watch_of(whole, parts, candidate.found) for candidate in candidates.tables)
    idle = {watch: 0 for watch in tables if watch is not None}
    reached: list[Reached] = []
    known: set[Place] = set()
    until = monotonic() + seconds
    left_out, many = candidates.left_out, len(idle)
    everything = {part.place for part in parts if part.place.kind not in FOLLOWING}
    while idle and not everything <= known:
        for watch in tuple(idle):
            found = play_by_chance(watch, seed, len(reached))
            idle[watch] = 0 if found.places - known else idle[watch] + 1
            known |= found.places
            reached.append(found)
            if idle[watch] == PATIENCE:
                del idle[watch]
        if idle and monotonic() > until:
            late = f"after {seconds:g} seconds no more games were played; {len(idle)} of {many} tables might have come to more"
            left_out = (*left_out, late)
            break
    return Covered(games=len(reached), by_games=together(reached), left_out=left_out)


def play_by_chance(watch: Watch, seed: int, game: int) -> Reached:
    """What one game by random bots reaches."""
    cells = watch.fresh(seed, game)
    stop = watch.enter(cells)
    while stop.node is not None:
        if stop.kind == "chance":
            stop = watch.happen(cells, watch.draw(cells))
        else:
            stop = watch.choose(cells, watch.pick(cells, watch.player(cells)))
    if stop.kind == "over":
        with suppress(FunctionFault):  # the rules cannot say who wins: what was asked until then counts
            watch.score(cells)
    return watch.taken()
