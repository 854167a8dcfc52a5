"""Worlds that a seat cannot tell from the real game: they are courses of the game, and what a bot draws and chooses depends on
nothing that its seat does not know, in every shipped game.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.play.game import Game, State, load
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.players.hidden_values import NEVER
from rulesrun.interpreter.players.reference_table import OnCells

from ..games.honesty import random_decisions, same_for
from ..shipped import every

DECISIONS = int(os.environ.get("RULESRUN_SEEDS", "4"))  # random decisions of each game; ``RULESRUN_SEEDS=100`` is the whole test
SLOW = ("apiary", "backgammon", "chinese_checkers", "for_the_king", "gin_rummy", "go_fish")  # on the reference
SELDOM = ("glasshouse", "go_fish")  # little is hidden; worlds that are courses of the game are seldom found
OPTIONS: dict[str, dict[str, int]] = {"for_the_king": {"highest_bid": 4}}


class Noted(OnCells):
    """Keeps the course of each world that is found: all options and outcomes, also those of the real game before."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.courses: list[tuple[int, ...]] = []
        self._past: tuple[int, ...] = ()
        self._played: list[int] = []

    def worlds(self, state: State, seed: int, count: int) -> tuple[int, bytes]:
        """What the seat that decides chooses, and what all options came to."""
        self.courses.clear()
        self._past = state.history
        option = self.option(state._cells, state.history, state.player - 1, Bot("rollouts", count), seed)
        return option, bytes(self.bytes[self.at.totals : self.at.totals + 16 * len(state.legal)])

    def restore(self, address: int) -> int:
        step, rest = divmod(address - self.at.trail, self.at.record_size)
        if not rest and 0 <= step <= self.at.moments_limit:
            del self._played[step:]
        elif address == self.at.world and not self.load32(self.at.loose) and self.load32(self.at.start) >= 0:
            course = (*self._past[: self.load32(self.at.start)], *self._played)
            if not self.load32(self.at.option):
                self.courses.append(course)
        return super().restore(address)

    def choose(self, option: int) -> int:
        found = super().choose(option)
        if found >= 0:
            self._played.append(option)
        return found

    def happen(self, value: int) -> int:
        found = super().happen(value)
        if found >= 0:
            self._played.append(value)
        return found


def played(game: Game, course: tuple[int, ...]) -> State:
    state = game.start()
    for value in course:
        if state.player:
            state.play(value)
        else:
            state.happen(value)
    return state


def hides(machine: Machine) -> bool:
    bot = OnCells(machine)
    return bool(bot.at.kind_count) or bot.at.hiding != NEVER


def name_of(path: Path) -> str:
    return path.stem


@pytest.mark.slow
@pytest.mark.parametrize("path", every(3, 2), ids=name_of)
def test_what_a_bot_chooses_depends_on_nothing_that_its_seat_does_not_know(path: Path) -> None:
    """The worlds that it draws are courses of the game in which its seat is shown the same. In each of them it draws the same."""
    game = load(path, options=OPTIONS.get(path.stem, {}))
    if not hides(game.machine):
        return
    bot, differ = Noted(game.machine), 0
    choices = [state for state in random_decisions(game, 3 * DECISIONS, Random(path.stem)) if len(state.legal) > 1]
    for number, state in enumerate(choices[:DECISIONS]):
        bot.worlds(state, number, 2)
        courses = list(bot.courses)
        thought = bot.worlds(state, number + 1, 1)
        for course in courses:
            other = played(game, course)
            same_for(state.player, state, other)
            differ += other.history != state.history
            assert bot.worlds(other, number + 1, 1) == thought
    assert differ or path.stem in SELDOM
