"""One game of strong players, played step by step, with what is noted of it.

A course holds the row of the game, as every engine of `simulate` gives it, and what a row does not tell: which decisions were
forced and which mattered, who led when, and what was taken of what was on offer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from ...machine.analysis import derived
from ...machine.columns import FAULT, MOST_OPTIONS, Columns
from ...machine.machine import Machine
from ...machine.random_streams import stream_key
from ...machine.reference.executor import Executor, FunctionFault
from ...machine.reference.outcome import outcome_of
from ...machine.reference.stops import Stop
from ...simulate.engines.reference import row_of
from .acts import ActCounter, Key, Taken
from .leads import PHASES, Lead, lead_of
from .opinions import Opinion

POINTS = 40  # of a course that are kept, beside the first
MILLION = 1_000_000
ANEW = 1 << 63  # what is added to the number of a game where its players choose anew

Chooser = Callable[[Any, int, Sequence[int], Sequence[int], Callable[[], bool]], tuple[int, Opinion | None]]
"""(cells, seat from 0, all options and outcomes so far, legal options, whether the time is over) -> the option, and what search
thinks of the options. It raises `OutOfTime`."""


class OutOfTime(Exception):
    """The time is over in the middle of a game."""


@frozen(eq=False)
class Course:
    """A game. ``row``: as `columns.py` states; ``history``: its options and outcomes.

    ``free``: decisions with more than one option, ``thoughts``: those of which search has an opinion, ``matter``: those that
    matter, ``may_matter``: those and others that may, each by tenth of the game. ``cost``: of choosing at random at all
    thoughts, in millionths of the win. ``by_score``, ``by_search``: who led, by the score on the table and by what search
    expects (None: nobody ever did, or it is not known). ``expected``: for each side, what search expects at `POINTS` + 1 points
    of the game. ``acts``: see `acts.py`.
    """

    game: int
    row: tuple[int, ...]
    history: tuple[int, ...] = field(repr=False)
    free: tuple[int, ...] = (0,) * PHASES
    thoughts: tuple[int, ...] = (0,) * PHASES
    matter: tuple[int, ...] = (0,) * PHASES
    may_matter: tuple[int, ...] = (0,) * PHASES
    cost: int = 0
    by_score: Lead | None = None
    by_search: Lead | None = None
    expected: tuple[tuple[float, ...], ...] = field(default=(), repr=False)
    acts: Mapping[Key, Taken] = field(factory=dict, repr=False)

    @property
    def stopped(self) -> bool:
        """Whether a fault stopped it; then only the history counts."""
        return bool(self.row[FAULT])


class Player:
    """Plays courses of one table. ``executor``: plays it step by step; ``chooser``: chooses for all seats."""

    def __init__(self, machine: Machine, executor: Any, chooser: Chooser) -> None:
        self._machine, self._executor, self._chooser = machine, executor, chooser
        self._columns = Columns.of(machine)
        self._acts = ActCounter(machine)
        seats = range(machine.seats)
        teams = list(dict.fromkeys(machine.teams)) if self._columns.in_teams else [1 << seat for seat in seats]
        self._side_of = [next(n for n, team in enumerate(teams) if team >> seat & 1) for seat in seats]
        self._first_of = [self._side_of.index(side) for side in range(len(teams))]
        lowest = bool(machine.keys) and "score" in machine.keys[0].label and not machine.keys[0].highest
        self._sign = -1 if lowest else 1
        self._streams = machine.layout.record[derived.control(machine).streams].offset

    def play(self, seed: int, game: int, is_over: Callable[[], bool], *, anew: bool = False) -> Course:
        """Play a game. ``is_over``: whether the time is over; then `OutOfTime` is raised. ``anew``: chance is that of the game,
        but the players draw from other streams, so that they choose anew."""
        executor, columns = self._executor, self._columns
        self._acts.clear()
        cells = executor.fresh(seed, game)
        if anew:
            cells = self._with_other_players(cells, seed, game)
        history: list[int] = []
        kinds: list[tuple[bool, Opinion | None]] = []
        scores: list[tuple[float, ...]] | None = []
        hopes: list[tuple[float, ...]] = []
        hope = [1 / len(self._first_of)] * len(self._first_of)
        options, first = 0, -1
        try:
            stop = executor.enter(cells)
            while stop.node is not None:
                if stop.kind == "chance":
                    history.append(executor.draw(cells))
                    stop = executor.happen(cells, history[-1])
                    continue
                if is_over():
                    raise OutOfTime
                seat, legal = executor.player(cells), executor.options(cells)
                first = seat if first < 0 else first
                options = min(options + len(legal), MOST_OPTIONS)
                scores = None if scores is None else self._scored(cells, scores)
                option, opinion = self._chooser(cells, seat, history, legal, is_over)
                if len(legal) > 1:
                    self._acts.count(legal, option)
                if len(self._first_of) < 2:
                    opinion = None  # who plays alone wins whatever is done
                if opinion is not None:
                    hope[self._side_of[seat]] = opinion.expected
                hopes.append(tuple(hope))
                kinds.append((len(legal) > 1, opinion))
                history.append(option)
                stop = executor.choose(cells, option)
            if stop.kind == "fault":
                return self._stopped(game, history, len(kinds), options, first, stop)
            end = outcome_of(executor, cells)
        except FunctionFault as stopped:
            return self._stopped(game, history, len(kinds), options, first, stopped.stop)
        row = row_of(columns, len(kinds), options, first, end)
        won = {self._side_of[seat] for seat in range(columns.seats) if end.wins[seat]}
        winner = next(iter(won)) if len(won) == 1 and len(self._first_of) > 1 else None
        thought = any(opinion is not None for _, opinion in kinds)
        expected = _thinned(hopes) if thought else ()
        at = [(index * PHASES // len(kinds), is_free, opinion) for index, (is_free, opinion) in enumerate(kinds)]
        opinions = [opinion for _, opinion in kinds if opinion is not None]
        return Course(
            game,
            tuple(row),
            tuple(history),
            _by_phase(phase for phase, is_free, _ in at if is_free),
            _by_phase(phase for phase, _, opinion in at if opinion is not None),
            _by_phase(phase for phase, _, opinion in at if opinion is not None and opinion.matters),
            _by_phase(phase for phase, _, opinion in at if opinion is not None and opinion.may_matter),
            sum(round(MILLION * opinion.cost) for opinion in opinions),
            lead_of(scores, winner) if scores and len(self._first_of) > 1 else None,
            lead_of(hopes, winner) if thought and len(self._first_of) > 1 else None,
            expected,
            self._acts.counts,
        )

    def leave_off(self) -> None:
        """Called by another thread: what is played ends soon. (A call of a module ends by itself, if it takes too long.)"""
        if isinstance(self._executor, Executor):
            self._executor.leave_off()

    def _with_other_players(self, cells: Any, seed: int, game: int) -> Any:
        record = bytearray(self._executor.pack(cells))
        for seat in range(self._machine.seats):
            at = self._streams + 8 * (1 + seat)
            record[at : at + 8] = stream_key(seed, game + ANEW, 1 + seat).to_bytes(8, "little")
        return self._executor.unpack(bytes(record))

    def _scored(self, cells: Any, before: list[tuple[float, ...]]) -> list[tuple[float, ...]] | None:
        """The scores so far, with those of now; None where the rules cannot say them in the middle of a game."""
        try:
            now = [self._executor.evaluate(cells, "score of team", seat) for seat in self._first_of]
        except FunctionFault:
            return None
        before.append(tuple(float(self._sign * score) for score in now))
        return before

    def _stopped(self, game: int, history: list[int], decisions: int, options: int, first: int, stop: Stop) -> Course:
        table = derived.faults(self._machine).table
        number = next(number for number, fault in enumerate(table) if fault is stop.fault)
        head = (decisions, options, first, number + 1)
        return Course(game, head + (0,) * (len(self._columns) - len(head)), tuple(history))


def _by_phase(phases: Iterable[int]) -> tuple[int, ...]:
    found = [0] * PHASES
    for phase in phases:
        found[phase] += 1
    return tuple(found)


def _thinned(course: Sequence[tuple[float, ...]]) -> tuple[tuple[float, ...], ...]:
    """For each side its values at `POINTS` + 1 points."""
    at = [point * (len(course) - 1) // POINTS for point in range(POINTS + 1)]
    return tuple(tuple(round(course[index][side], 3) for index in at) for side in range(len(course[0])))
