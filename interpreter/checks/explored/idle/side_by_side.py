"""Plays two games beside each other with the same chance and the same choices, and says whether they ever differ.

An act that is the only legal one is done without a decision and does not count. So rules that forbid all but one act are equal to
rules that do the same without asking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from ....machine.analysis import derived
from ....machine.machine import Field, Place
from ....machine.random_streams import mix64
from ....machine.reference.executor import FunctionFault
from ....machine.reference.outcome import outcome_of
from ....machine.reference.stops import Stop
from ....play.game import Game
from ....simulate.engines.engine import EngineName, executor_for

LONG = 2_000  # acts of a game
WHIMS = 4  # in one of so many games all take what is offered first, in one what is offered last


class SideBySide:
    """Plays two games. ``forced``: whether there was a game in which only one of them had an act that was the only one.

    ``closely``: whether counters, markers and zones must be the same whenever somebody decides; else only what somebody can do,
    and what comes out.
    """

    def __init__(self, games: tuple[Game, Game], engine: EngineName, closely: bool = False) -> None:
        self.executors: list[Any] = [executor_for(game, engine) for game in games]
        self.closely = closely
        self.fields = [_fields(game) for game in games]
        self.end = max((place.offset + place.width * place.length for place in self.fields[0].values()), default=0)
        self.forced = False

    def differ(self, seed: int, first: int, games: int, decisions: int, late: Callable[[], bool]) -> bool | None:
        """Whether one of so many games, with so many decisions altogether, differs: in who decides, between how many acts, or in
        what comes out. ``first``: its number. None: there was no time to see it."""
        done = 0
        for number in range(first, first + games):
            if done > decisions:
                break
            if late():
                return None
            found = self._game(seed, number)
            if found is None:
                return True
            done += found
        return False

    def _game(self, seed: int, number: int) -> int | None:
        """How many decisions a game has; None where it is not the same."""
        chance, taste = Random(mix64(seed + number)), number % WHIMS
        cells = [executor.fresh(seed, number) for executor in self.executors]
        stops = [executor.enter(one) for executor, one in zip(self.executors, cells, strict=True)]
        for done in range(LONG):
            here = [self._decision(*each) for each in zip(self.executors, cells, stops, strict=True)]
            (stop, legal, forced), (other, among, passed) = here
            self.forced |= forced != passed
            if stop.kind != other.kind or len(legal) != len(among) or (self.closely and not self._are_equal(cells)):
                return None
            if stop.kind != "decision":
                return done if self._end(cells, stop, 0) == self._end(cells, other, 1) else None
            if len({executor.player(one) for executor, one in zip(self.executors, cells, strict=True)}) > 1:
                return None
            index = {0: 0, 1: len(legal) - 1}.get(taste, -1)
            index = chance.randrange(len(legal)) if index < 0 else index
            options = legal[index], among[index]
            stops = [ex.choose(one, option) for ex, one, option in zip(self.executors, cells, options, strict=True)]
        return LONG

    def _are_equal(self, cells: Sequence[Any]) -> bool:
        if self.fields[0] != self.fields[1]:
            return False
        one, other = (executor.pack(each)[: self.end] for executor, each in zip(self.executors, cells, strict=True))
        return bool(one == other)

    def _decision(self, executor: Any, cells: Any, stop: Stop) -> tuple[Stop, Sequence[int], int]:
        """The next stop at which somebody decides or the game is over, the legal options, and how many acts were done before it
        since there was no other."""
        forced = 0
        while stop.kind in ("decision", "chance"):
            if stop.kind == "chance":
                stop = executor.happen(cells, executor.draw(cells))
                continue
            legal = executor.options(cells)
            if len(legal) > 1 or forced == LONG:
                return stop, legal, forced
            stop = executor.choose(cells, legal[0])
            forced += 1
        return stop, (), forced

    def _end(self, cells: Sequence[Any], stop: Stop, which: int) -> object:
        """What came out of a game."""
        if stop.kind != "over":
            return stop.fault
        try:
            return outcome_of(self.executors[which], cells[which])
        except FunctionFault as stopped:
            return stopped.stop.fault


def _fields(game: Game) -> dict[Field, Place]:
    """Where the counters, markers and zones of a game lie in its records, at their beginning."""
    record, site = game.machine.layout.record, derived.control(game.machine).site
    places = {each: place for each, place in record.items() if isinstance(each, Field) and each.region == "game"}
    return {each: place for each, place in places.items() if place.offset < record[site].offset}
