"""Walks through a game position by position, with chance set by hand.

A `Position` never changes: going on from it gives another one, so a search can keep as many as it likes, and threads may share
them. A *course* is the list of all values taken since the beginning, options and outcomes of chance alike; it always leads to the
same position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Literal

from attrs import field, frozen

from ..machine.machine import Chance, Choose, Fault
from ..machine.reference.executor import FunctionFault
from ..machine.reference.outcome import Outcome, outcome_of
from ..machine.reference.stops import Stop
from ..play.game import Game
from ..simulate.engines.engine import EngineName, executor_for

Cells = Any  # a game in progress, as the executor in use keeps it


@frozen(eq=False)
class Position:
    """Where a game stands.

    ``kind``: "fault" also for a game that is over and cannot be scored. ``is_scored``: of both that and a game that is over.
    ``outcome``, ``returns``: of a game that is over.
    """

    kind: Literal["decision", "chance", "over", "fault"]
    stop: Stop = field(repr=False)
    cells: Cells = field(repr=False)
    _weights: Callable[[Cells], Iterable[tuple[int, int]]] = field(repr=False)
    outcome: Outcome | None = None
    is_scored: bool = False

    @property
    def node(self) -> Choose | Chance | None:
        """The decision or chance event at which the game stands."""
        return self.stop.node

    @property
    def fault(self) -> Fault | None:
        return self.stop.fault

    @property
    def returns(self) -> tuple[int, ...]:
        """What each seat gets, where the game is over; else nothing."""
        return () if self.outcome is None else self.outcome.returns

    @cached_property
    def weights(self) -> tuple[tuple[int, int], ...]:
        """The legal options of a decision, each with 1; the possible outcomes of a chance event with their weights, ascending.

        They are found when they are first asked for, since a search goes on from few of the positions that it comes to.
        """
        return tuple(self._weights(self.cells))

    @property
    def answers(self) -> tuple[int, ...]:
        """The legal options of a decision, the possible outcomes of a chance event."""
        return tuple(value for value, _ in self.weights)

    @property
    def site(self) -> int:
        assert self.node is not None
        return self.node.site


class Walker:
    """Walks games of one table by an engine's executor. ``scores``: whether the outcome is found of each game that is over."""

    def __init__(self, game: Game, engine: EngineName, scores: bool = True) -> None:
        self.game = game
        self.executor: Any = executor_for(game, engine)
        self.scores = scores
        self._region = slice(*game.machine.layout.regions["game"])

    def begin(self) -> Position:
        """The first position: where all that comes is chosen by hand."""
        cells = self.executor.fresh()
        return self._position(cells, self.executor.enter(cells))

    def after(self, position: Position, value: int) -> Position:
        """Where an option or an outcome of chance leads. ValueError for one that is none of the answers."""
        cells = position.cells.copy()
        move = self.executor.choose if position.kind == "decision" else self.executor.happen
        return self._position(cells, move(cells, value))

    def player(self, position: Position) -> int:
        """Who decides at a decision (from 0)."""
        found: int = self.executor.player(position.cells.copy())  # the reference counts in them while it is asked
        return found

    def digest(self, position: Position, seat: int) -> int:
        """The digest of all that a seat (from 0) has observed."""
        found: int = self.executor.digest(position.cells, seat)
        return found

    def walk(self, course: Sequence[int]) -> Position:
        """Where a course leads."""
        position = self.begin()
        for value in course:
            position = self.after(position, value)
        return position

    def identity(self, position: Position) -> bytes:
        """Bytes that are equal for equal positions."""
        return self.record(position)[self._region]

    def record(self, position: Position) -> bytes:
        """The record of a game that stands at a position."""
        packed: bytes = self.executor.pack(position.cells)
        return packed

    def _position(self, cells: Cells, stop: Stop) -> Position:
        match stop.kind:
            case "decision":
                return Position("decision", stop, cells, self._options)
            case "chance":
                return Position("chance", stop, cells, self.executor.outcomes)
            case "fault":
                return Position("fault", stop, cells, _none)
            case _ if not self.scores:
                return Position("over", stop, cells, _none)
            case _:
                try:
                    return Position("over", stop, cells, _none, outcome_of(self.executor, cells), is_scored=True)
                except FunctionFault as stopped:
                    return Position("fault", stopped.stop, cells, _none, is_scored=True)

    def _options(self, cells: Cells) -> Iterable[tuple[int, int]]:
        return ((option, 1) for option in self.executor.options(cells))


def _none(cells: Cells) -> tuple[tuple[int, int], ...]:
    return ()
