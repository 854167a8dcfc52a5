"""Drives counters to the ends of their ranges, where proof leaves open whether they stay within them.

A counter that must rise five times in a row to leave its range hardly ever does so by chance. So the driver learns which options
move the counter and lets players save them up. Wherever one could be taken, it tries beside the game how far a row of them leads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Literal

from attrs import define, field, frozen

from ....machine.analysis import derived
from ....machine.machine import Field
from ....machine.random_streams import mix64
from ....machine.reference.stops import Stop
from ....model import model
from ....play.game import Game
from ....simulate.engines.engine import EngineName, executor_for
from .spotted import Found, Shown, note, spot_of

OUT_OF_RANGE = "R602"
TABLES = 4  # at which a counter is driven
GAMES = 60  # of each counter and table
FEW = 12  # games after which a counter should have come half of the way
AT_THE_END = 8  # games in which it comes to the end and not beyond it
LONG = 600  # decisions of a game
ROW = 40  # options in a row

Way = Literal[1, -1]  # up or down


@frozen(eq=False)
class DrivenAt:
    """A table. ``found``: what was found there, to which is added."""

    game: Game
    found: Found


def suspects_at(at: DrivenAt) -> Iterator[tuple[str, Way]]:
    """The counters of which a line may leave the range, and which way; none of which that was found."""
    lines = {line.span: line for line in at.game.table.statements if isinstance(line, model.SetVariable)}
    suspects: dict[tuple[str, Way], bool] = {}
    for fault in derived.faults(at.game.machine).table:
        line = lines.get(fault.span)
        if fault.code != OUT_OF_RANGE or line is None or not isinstance(line.value, model.Arithmetic):
            continue
        if line.value.op in ("+", "-") and any(_is_of(part, line) for part in (line.value.left, line.value.right)):
            way: Way = 1 if line.value.op == "+" else -1
            suspects[line.name, way] = suspects.get((line.name, way), True) and spot_of(fault) not in at.found
    return (suspect for suspect, is_new in suspects.items() if is_new)


def _is_of(part: model.Expr, line: model.SetVariable) -> bool:
    return isinstance(part, model.VariableValue) and part.name == line.name


def drive(at: DrivenAt, name: str, way: Way, seed: int, engine: EngineName) -> bool:
    """Play games in which a counter is driven; whether it leaves its range. What else stops them is added to what was found."""
    driver = _Driver(at, name, way, seed, executor_for(at.game, engine))
    for number in range(GAMES):
        if driver.ended >= AT_THE_END or (number >= FEW and driver.best < 0.5):
            return False
        if driver.play(number):
            return True
    return False


@define(eq=False)
class _Driver:
    """``moving``: the options after which the counter had moved to its end. ``best``: the share of the way there that it has
    come; ``ended``: the games in which it came to the end."""

    at: DrivenAt
    name: str
    way: Way
    seed: int
    executor: Any
    moving: set[int] = field(factory=set)
    best: float = 0.0
    ended: int = 0

    def play(self, number: int) -> bool:
        """Play a game; whether the counter leaves its range. In every second game, players like one sort of act best."""
        executor, chance = self.executor, Random(number)
        group_of = [index for index, group in enumerate(self.at.game.machine.groups) for _ in range(group.size)]
        cells = executor.fresh(self.seed, number)
        stop = executor.enter(cells)
        taken: list[int] = []
        before, most = self._numbers(cells), 0.0
        while stop.node is not None and len(taken) < LONG:
            if stop.kind == "chance":
                stop = executor.happen(cells, executor.draw(cells))
                continue
            legal = executor.options(cells)
            if not self.moving.isdisjoint(legal):
                row, end, share = self._in_a_row(cells.copy(), stop, chance)
                most = max(most, share)
                if end.fault is not None and self._note(end, [*taken, *row], number):
                    return True
            wanted = [option for option in legal if option not in self.moving] or legal
            if number % 2:
                best = max({group_of[option] for option in wanted}, key=lambda group: mix64(number + 1000 * group))
                wanted = [option for option in wanted if group_of[option] == best]
            taken.append(wanted[chance.randrange(len(wanted))])
            stop = executor.choose(cells, taken[-1])
            now = self._numbers(cells)
            if any(self.way * (new - old) > 0 for new, old in zip(now, before, strict=True)):
                self.moving.add(taken[-1])
                most = max(most, self._share(now))
            before = now
        self.best = max(self.best, most)
        self.ended += most >= 1
        return stop.fault is not None and self._note(stop, taken, number)

    def _in_a_row(self, cells: Any, stop: Stop, chance: Random) -> tuple[list[int], Stop, float]:
        """What is taken where all take what moves the counter for as long as they can, where that ends, and how far it came."""
        executor, row, share = self.executor, list[int](), 0.0
        while stop.node is not None and len(row) < ROW:
            if stop.kind == "chance":
                stop = executor.happen(cells, executor.draw(cells))
                continue
            options = [option for option in executor.options(cells) if option in self.moving]
            if not options:
                break
            row.append(options[chance.randrange(len(options))])
            stop = executor.choose(cells, row[-1])
            share = max(share, self._share(self._numbers(cells)))
        return row, stop, share

    def _note(self, stop: Stop, options: Sequence[int], number: int) -> bool:
        """Keep a game that stops with a fault; whether the counter has left its range."""
        assert stop.fault is not None
        if spot_of(stop.fault) not in self.at.found:
            note(self.at.found, Shown(stop.fault, len(options), "led", number, tuple(options)))
        return stop.fault.code == OUT_OF_RANGE

    def _share(self, numbers: Sequence[int]) -> float:
        """How much of the way to its end the counter has come."""
        whole = max(self._field().high - self._field().low, 1)
        return (max(numbers) if self.way > 0 else whole - min(numbers)) / whole

    def _field(self) -> Field:
        record = self.at.game.machine.layout.record
        return next(each for each in record if isinstance(each, Field) and each.name == self.name)

    def _numbers(self, cells: Any) -> list[int]:
        """What the counter is, of each owner; from its lowest number on."""
        field, record = self._field(), self.executor.pack(cells)
        place = self.at.game.machine.layout.record[field]
        places = (place.offset + place.width * index for index in range(place.length))
        return [int.from_bytes(record[start : start + place.width], "little") for start in places]
