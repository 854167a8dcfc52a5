"""Walks through a game position by position, with chance set by hand, on the fastest executor at hand.

A `Position` never changes: going on from it gives another one, so a search can keep as many as it likes, and threads may share
them. A *course* is the list of all values taken since the beginning, options and outcomes of chance alike; it always leads to the
same position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal

from attrs import field, frozen

from ....machine.machine import Chance, Choose, Fault
from ....machine.reference.executor import FunctionFault
from ....machine.reference.outcome import Outcome, outcome_of
from ....machine.reference.stops import Stop
from ....play.game import Game
from ....players.bots import Bot
from ....players.policies import policy_for
from .spotted import Spot, spot_of

LONG = 2_000  # decisions and chance events of a game that is only looked at

Cells = Any  # a game in progress, as the executor in use keeps it


@frozen(eq=False)
class Position:
    """Where a game stands.

    ``kind``: "fault" also for a game that is over and cannot be scored. ``is_scored``: of both that and a game that is over.
    ``outcome``, ``returns``: of a game that is over.
    """

    kind: Literal["decision", "chance", "over", "fault"]
    node: Choose | Chance | None
    fault: Fault | None
    outcome: Outcome | None
    returns: tuple[int, ...]  # by seat
    cells: Cells = field(repr=False)
    _answers: Callable[[Cells], Iterable[int]] = field(repr=False)
    is_scored: bool = False

    @cached_property
    def answers(self) -> tuple[int, ...]:
        """The legal options of a decision, the possible outcomes of a chance event; found when they are first asked for, since a
        search goes on from few of the positions that it comes to."""
        return tuple(self._answers(self.cells))

    @property
    def site(self) -> int:
        assert self.node is not None
        return self.node.site

    @property
    def spot(self) -> Spot | None:
        """Which fault it is, where it is one."""
        return None if self.fault is None else spot_of(self.fault)


class Walker:
    """Walks games of one table. ``fast``: by its module, else by the reference executor."""

    def __init__(self, game: Game, fast: bool) -> None:
        self.game = game
        self.executor: Any
        if fast:
            from ....wasm.running.executor import WasmExecutor

            self.executor = WasmExecutor(game.machine, game.compiled)
        else:
            self.executor = game.executor
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

    def acts(self, decision: Choose) -> int:
        """How many acts a decision has, there or not."""
        return sum(self.game.machine.groups[group].size for group in {each.group for each in decision.alternatives})

    def player(self, position: Position) -> int:
        """Who decides at a decision (from 0)."""
        found: int = self.executor.player(position.cells.copy())  # the reference counts in them while it is asked
        return found

    def weights(self, position: Position) -> list[tuple[int, int]]:
        """The possible outcomes of a chance event, ascending, each with its weight."""
        found: list[tuple[int, int]] = self.executor.outcomes(position.cells)
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

    def legal_lines(self, position: Position) -> list[int]:
        """By number, the alternatives of a decision that have a legal option."""
        assert isinstance(position.node, Choose)
        return [i for i in range(len(position.node.alternatives)) if self.executor.legal(position.cells, i)]

    def course_of(self, seed: int, number: int) -> list[int]:
        """The course of the game of a seed with this number, played by random bots."""
        executor = self.executor
        return _course(executor, seed, number, lambda cells: executor.pick(cells, executor.player(cells)))

    def casual_course_of(self, seed: int, number: int) -> list[int]:
        """The course of the game of a seed with this number, played by casual bots."""
        executor = self.game.executor
        policy = policy_for(Bot("casual"), self.game.machine)
        return _course(executor, seed, number, lambda cells: policy(executor, cells, executor.player(cells), ()))

    def led_course_of(self, seed: int, number: int, options: Sequence[int]) -> list[int]:
        """The course of the game of a seed with this number and these options (-1: the random bot's), up to the next decision."""
        executor = self.executor
        given = iter(options)

        def pick(cells: Cells) -> int | None:
            option = next(given, None)
            return executor.pick(cells, executor.player(cells)) if option == -1 else option

        return _course(executor, seed, number, pick)

    def _position(self, cells: Cells, stop: Stop) -> Position:
        match stop.kind:
            case "decision":
                return Position("decision", stop.node, None, None, (), cells, self.executor.options)
            case "chance":
                return Position("chance", stop.node, None, None, (), cells, self._outcomes)
            case "fault":
                return Position("fault", None, stop.fault, None, (), cells, _none)
            case _:
                try:
                    outcome = outcome_of(self.executor, cells)
                    return Position("over", None, None, outcome, outcome.returns, cells, _none, is_scored=True)
                except FunctionFault as stopped:
                    return Position("fault", None, stopped.stop.fault, None, (), cells, _none, is_scored=True)

    def _outcomes(self, cells: Cells) -> Iterator[int]:
        return (value for value, _ in self.executor.outcomes(cells))


def random_game(executor: Any, seed: int, number: int) -> tuple[Cells, Stop]:
    """A game of random bots, and where it stops: at its end, or after `LONG` decisions and chance events."""
    cells = executor.fresh(seed, number)
    stop: Stop = executor.enter(cells)
    for _ in range(LONG):
        match stop.kind:
            case "chance":
                stop = executor.happen(cells, executor.draw(cells))
            case "decision":
                stop = executor.choose(cells, executor.pick(cells, executor.player(cells)))
            case _:
                break
    return cells, stop


def _none(cells: Cells) -> tuple[int, ...]:
    return ()


def _course(executor: Any, seed: int, number: int, pick: Callable[[Cells], int | None]) -> list[int]:
    """A game with chance from its seed, played to its end, or until nothing is picked."""
    cells = executor.fresh(seed, number)
    stop = executor.enter(cells)
    course: list[int] = []
    while stop.node is not None:
        value = pick(cells) if stop.kind == "decision" else executor.draw(cells)
        if value is None:
            break
        course.append(value)
        stop = executor.choose(cells, value) if stop.kind == "decision" else executor.happen(cells, value)
    return course
