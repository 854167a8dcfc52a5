"""Games whose options are chosen from outside, to bring up faults where players rarely go.

Half of these games are led towards options that have been taken least at their decision; in the other half the players have whims
(`leading.py`). Many games are played side by side (`wasm/running/states.py`). Playing ends when no option has been new for a
while, and after a given number of decisions.

These games also show positions that come again although nothing came by chance in between: there the players can go round for
ever.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from attrs import define, field

from ....machine.analysis import derived
from ....machine.reference.executor import FunctionFault
from ....machine.reference.outcome import outcome_of
from ....machine.traverse import decisions
from ....play.game import Game
from .endless import comes_again
from .leading import RANDOM, leader_for, whim_of
from .spotted import Seen, Shown, note

SIDE_BY_SIDE = 24  # games
LONG = 2_000  # decisions of a game; what goes on for longer is left to the bots
IN_VAIN = 3  # rounds of games in which nothing new is taken


def lead(game: Game, seed: int, decisions: int, late: Callable[[], bool], seen: Seen, games: int | None = None) -> None:
    """Add to what was seen what comes up in games of a table that have so many decisions altogether, about. ``late``: whether
    there is no more time. ``games``: so many at least, also where nothing new comes up; None: only while something does."""
    _Leader(game, seed, seen).lead(decisions, late, games)


def lead_few(game: Game, seed: int, decisions: int, late: Callable[[], bool], seen: Seen) -> None:
    """Lead games as `lead` does, one by one with the reference executor: a few games are over before a module is made."""
    executor, leader = game.executor, leader_for(game.machine, seed)
    number = done = 0
    while done < decisions and not late():
        whim, options = whim_of(seed, number) if number % 2 else 0, list[int]()
        cells = executor.fresh(seed, number)
        stop = executor.enter(cells)
        while (node := stop.node) is not None and len(options) < LONG:
            if stop.kind == "chance":
                stop = executor.happen(cells, executor.draw(cells))
                continue
            seat = executor.player(cells)
            option = leader.option(node.site, seat, executor.options(cells), whim)
            options.append(option)
            stop = executor.choose(cells, executor.pick(cells, seat) if option == RANDOM else option)
        if stop.kind == "over":
            try:
                terms = dict(zip(game.machine.terms, outcome_of(executor, cells).terms, strict=True))
                seen.note_score(game.machine.terms, terms.__getitem__)
            except FunctionFault as stopped:
                stop = stopped.stop
        if stop.fault is not None:
            note(seen.found, Shown(stop.fault, len(options), "led", number, tuple(options)))
        number += 1
        done += 1 + len(options)
    seen.note_allowed(game.machine, leader.allowed)


@define
class _One:
    """A game. ``options``: what was chosen so far. ``whim``: of a game in which players have whims; 0: none."""

    number: int
    whim: int
    options: list[int] = field(factory=list)
    seen: set[bytes] = field(factory=set)
    is_over: bool = False


class _Leader:
    def __init__(self, game: Game, seed: int, seen: Seen) -> None:
        from ....wasm.running.executor import WasmExecutor
        from ....wasm.running.states import States

        machine = game.machine
        self.machine = machine
        self.seed = seed
        self.leader = leader_for(machine, seed)
        self.states = States(game.compiled, SIDE_BY_SIDE)
        self.executor = WasmExecutor(machine, game.compiled)
        self.faults = derived.faults(machine).table
        self.decisions = {stmt.site: stmt for stmt in decisions(machine)}
        record = machine.layout.record
        control = derived.control(machine)
        self.size = machine.layout.size
        self.site, self.site_width = record[control.site].offset, record[control.site].width
        self.chance = record[control.streams].offset  # the stream of chance is the first
        self.position = slice(*machine.layout.regions["game"])
        self.stopped = game.compiled.memory.stopped
        self.status = record[control.status].offset
        self.seen = seen

    def lead(self, decisions: int, late: Callable[[], bool], least: int | None) -> None:
        """Play games while there is anything new, or the least number of them."""
        games = done = in_vain = 0
        while not late() and (games < (least or 1) or (done < decisions and (least is not None or in_vain < IN_VAIN))):
            known = len(self.leader.taken) + len(self.seen.found)
            done += SIDE_BY_SIDE + self._round(games, late)
            games += SIDE_BY_SIDE
            in_vain = in_vain + 1 if len(self.leader.taken) + len(self.seen.found) == known else 0
        self.seen.note_allowed(self.machine, self.leader.allowed)

    def _round(self, first: int, late: Callable[[], bool]) -> int:
        """Games from a number on, side by side; how many decisions they had."""
        from ....wasm.running.states import DECISION, FAULT, OVER

        games = [_One(first + i, whim_of(self.seed, first + i) if i % 2 else 0) for i in range(SIDE_BY_SIDE)]
        stops = self.states.start(self.seed, first)
        decisions = 0
        while not late():
            options = []
            for at, (one, stop) in enumerate(zip(games, stops, strict=True)):
                option = RANDOM
                if stop.kind == FAULT and not one.is_over:
                    self._note_fault(one, at)
                if stop.kind == OVER and not one.is_over:
                    self._note_score(at)
                if stop.kind != DECISION or len(one.options) == LONG:
                    one.is_over = True
                if not one.is_over:
                    option = self._option(one, at, stop.player, stop.options)
                    one.options.append(option)
                    decisions += 1
                options.append(option)
            if all(one.is_over for one in games):
                break
            stops = self.states.step(options)
        return decisions

    def _option(self, one: _One, at: int, seat: int, legal: list[int]) -> int:
        site = self._number(at, self.site, self.site_width) - 1
        if one.whim:
            self._look_for_a_circle(one, at, site)
        return self.leader.option(site, seat, legal, one.whim)

    def _look_for_a_circle(self, one: _One, at: int, site: int) -> None:
        start = self.size * at
        record = bytes(self.states.records[start : start + self.size])
        here = record[self.position] + record[self.chance : self.chance + 8]
        if here in one.seen:
            one.is_over = True
            fault = comes_again(self.decisions[site])
            note(self.seen.found, Shown(fault, len(one.options), "led", one.number, tuple(one.options)))
        one.seen.add(here)

    def _note_fault(self, one: _One, at: int) -> None:
        if self._number(at, self.status, 1) == self.stopped:
            fault = self.faults[self._number(at, self.site, self.site_width) - 1]
            note(self.seen.found, Shown(fault, len(one.options), "led", one.number, tuple(one.options)))

    def _note_score(self, at: int) -> None:
        """A game is over: note the lines of the score sheet that are not 0 there."""
        start = self.size * at
        cells = self.executor.unpack(bytes(self.states.records[start : start + self.size]))
        with suppress(FunctionFault):
            values = partial(self.executor.evaluate, cells)
            seats = range(self.machine.seats)
            self.seen.note_score(self.machine.terms, lambda term: [values(term.function, seat) for seat in seats])

    def _number(self, at: int, offset: int, width: int) -> int:
        start = self.size * at + offset
        return int.from_bytes(self.states.records[start : start + width], "little")
