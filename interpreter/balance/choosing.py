"""Who chooses in the games of a study: the bots of `simulate`, with what search thinks of the options where a bot searches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..play.game import Game
from ..play.outside import policy_of
from ..players.bots import Bot
from ..players.reference_table import OnCells
from ..players.workspace import EDGE_SIZE, EDGE_TOTAL, EDGE_VISITS, EDGES, ONE
from ..simulate.engines.engine import EngineName
from .course import Player
from .opinions import Opinion


def player_for(game: Game, bots: Sequence[Bot], engine: EngineName) -> Player:
    """What plays courses of a table with these bots, one for each seat."""
    executor = game.executor
    policies = [policy_of(bot, game) for bot in bots]
    thoughts = OnCells(game.machine) if any(bot.kind == "search" for bot in bots) else None

    def choose(cells: Any, seat: int, history: Sequence[int], legal: Sequence[int]) -> tuple[int, Opinion | None]:
        bot = bots[seat]
        if bot.kind != "search" or thoughts is None:
            return policies[seat](executor, cells, seat, history), None
        if len(legal) == 1:
            return legal[0], None  # nothing is drawn
        option = thoughts.option(cells, history, seat, bot, executor.draw_word(cells, seat))
        return option, _opinion(thoughts, legal, option)

    return Player(game.machine, executor, choose)


def _opinion(thoughts: OnCells, legal: Sequence[int], option: int) -> Opinion:
    at = thoughts.at
    first = thoughts.load32(at.nodes + EDGES)
    edges = [first + EDGE_SIZE * number for number in range(len(legal))]
    visits = [thoughts.load32(edge + EDGE_VISITS) for edge in edges]
    totals = [thoughts.load64(edge + EDGE_TOTAL) for edge in edges]
    shares = [total / ONE / count if count else 0.0 for total, count in zip(totals, visits, strict=True)]
    return Opinion(shares, visits, list(legal).index(option))
