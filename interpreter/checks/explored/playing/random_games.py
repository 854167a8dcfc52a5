"""Plays thousands of whole games of bots with the simulation engine and collects the faults.

Half of them are played by random bots. The other half are played by casual bots, which end games and bid little where random bots
go on and bid all they have.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Literal

from ....machine.analysis import derived
from ....machine.columns import DECISIONS, FAULT, OPTIONS
from ....play.game import Game
from ....players.bots import Bot
from ....simulate.engines.engine import EngineName, engine_for
from ....simulate.engines.interface import Engine
from .spotted import Seen, Shown, note

CHUNK = 2_000  # games between two looks at the clock, at most
GROWTH = 2  # a chunk is so much smaller than all games before it, so it takes that much less time
ENOUGH_STOPPED = 200  # games: among so many that were stopped there are short ones
MANY_OPTIONS = 32  # legal options count as a decision
PATIENCE = 5.0  # seconds for a game: whoever waits for a check has others to wait for
SLOWER = 500  # times as long as a module, the reference executor takes for a game


def play_many(game: Game, seed: int, decisions: int, engine: EngineName, late: Callable[[], bool], seen: Seen) -> None:
    """Add to what was seen what stops games of a table that have so many decisions altogether, about. ``late``: whether there is
    no more time. ``seen``: perhaps with what `play_one` found, whose game is not played again.

    Raises `RulesError` (R820) where a game takes too long.
    """
    budget = decisions if engine == "wasm" else decisions // SLOWER
    kinds: tuple[tuple[Literal["random", "casual"], int], ...] = (("random", seen.games), ("casual", 0))
    for kind, first in kinds:
        player = engine_for(game, (Bot(kind),) * game.players, engine, PATIENCE)
        _play(game, player, kind, seed, budget // 2, seen, late, first)


def play_one(game: Game, seed: int, seen: Seen) -> None:
    """Play the first of these games by the reference executor, which need not be compiled."""
    player = engine_for(game, (Bot("random"),) * game.players, "reference")
    _play(game, player, "random", seed, 1, seen, lambda: False)


def _play(
    game: Game,
    engine: Engine,
    kind: Literal["random", "casual"],
    seed: int,
    budget: int,
    seen: Seen,
    late: Callable[[], bool],
    first: int = 0,
) -> None:
    """``first``: the number of the first game."""
    machine = game.machine
    faults = derived.faults(machine).table
    width = len(engine.columns)
    played = taken = stopped = 0
    count = 1
    while count and not late():
        rows = engine.play(seed, first + played, count, rows=True).rows
        assert rows is not None
        before = stopped
        for index, number in enumerate(rows[FAULT::width]):
            if number:
                stopped += 1
                note(seen.found, Shown(faults[number - 1], rows[index * width + DECISIONS], kind, first + played + index))
        played += count
        seen.games += count
        seen.ends += count - (stopped - before)
        for seat in range(machine.seats):
            wins = rows[engine.columns.win(seat) :: width]
            seen.wins[seat] = seen.wins.get(seat, 0) + sum(0 < shared < machine.seats for shared in wins)
        for place, term in enumerate(machine.terms):
            if term.name not in seen.scored or seen.same.get(term.name, 0) is not None:
                values = (rows[engine.columns.term(place, seat) :: width] for seat in range(machine.seats))
                seen.note_line(term.name, set(chain.from_iterable(values)))
        options = sum(rows[OPTIONS::width]) // MANY_OPTIONS  # on a large board it takes long to find them
        taken += count + sum(rows[DECISIONS::width]) + options  # a game costs something even where nobody decides
        left = (budget - taken) * played // taken if stopped < ENOUGH_STOPPED else 0
        count = min(max(left, 0), max(played // GROWTH, 1), CHUNK)
