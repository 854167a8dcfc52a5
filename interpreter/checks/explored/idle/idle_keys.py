"""Keys of the winner line that no game needed, since no players were level when it came to them (R361).

The games are ranked only by the keys before the one in question. Keys that only name a seat exist so that somebody wins, and are
not reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attrs import evolve, frozen

from ....common.diagnostics import Diagnostic, RulesError, warning
from ....common.source import Span
from ....machine.columns import DECISIONS
from ....machine.from_table import lower
from ....model import model
from ....model.visitor import walk
from ....play.game import Game
from ....players.bots import Bot
from ....simulate.engines.engine import engine_for
from ....table.sampling.combinations import Choice
from ..playing.spotted import rounded

GAMES = 1_000  # of each table, before many more
TABLES = 2  # at which a key is asked for
KEYS = 6  # of a winner line; of a longer one, the first
NEVER = 20_000  # games in which a key was not asked
MOST_DECISIONS = 1_500_000  # of all games of a table
PATIENCE = 5.0  # seconds for a game


@frozen
class Ranked:
    """A table whose games are ranked."""

    choice: Choice
    game: Game


def idle_keys(
    tables: Sequence[Ranked], seed: int, is_known: Callable[[Span], bool], late: Callable[[], bool]
) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """A finding (R361) for each key that was never asked, with the tables that have it. ``is_known``: whether something is known
    already of the line at a place. ``late``: whether there is no more time."""
    having: dict[Span, list[Ranked]] = {}
    for at in tables:
        for key in dict.fromkeys(key.span for key in at.game.table.winner.keys[:KEYS]):
            having.setdefault(key, []).append(at)
    for span, places in having.items():
        if is_known(span) or places[0].game.table.winner.keys[0].span == span or not _asks(span, places[0].game):
            continue
        games = 0
        for at in places[:TABLES]:
            if late():
                return
            unasked = _unasked(span, at.game, seed)
            if unasked is None:
                break
            games += unasked
        else:
            if games >= NEVER:
                message = f"this never decided: in at least {rounded(games):,} games nobody was level when it came to it"
                help = "ask before it for less, or leave it out"
                yield warning("R361", message, span, help=help), [each.choice for each in places]


def _asks(key: Span, game: Game) -> bool:
    """Whether a key asks for something that comes up in a game."""
    keys = [each for each in game.table.winner.keys if each.span == key]
    asked = (model.ZoneContent, model.VariableValue, model.ScoreOf, model.Apply)
    return any(isinstance(node, asked) for each in keys for node in walk(each.value))


def _unasked(key: Span, game: Game, seed: int) -> int | None:
    """In how many games a key was not asked; None where it was in one, or they cannot be played."""
    keys = game.table.winner.keys
    before = keys[: next(place for place, each in enumerate(keys) if each.span == key)]
    table = evolve(game.table, winner=evolve(game.table.winner, keys=before, undecided="shared"))
    machine = lower(table).machine
    if machine is None:
        return None
    games = decisions = 0
    count = GAMES
    try:
        engine = engine_for(Game(game.rules, table, machine), (Bot("random"),) * game.players, "wasm", PATIENCE)
        while count > 0:
            rows = engine.play(seed, games, count, rows=True).rows
            assert rows is not None
            width, win, seats = len(engine.columns), engine.columns.win(0), game.players
            starts = range(win, len(rows), width)
            if any(sum(map(bool, rows[start : start + seats])) > 1 for start in starts):
                return None
            games, decisions = games + count, decisions + sum(rows[DECISIONS::width])
            count = NEVER - games if decisions * NEVER <= MOST_DECISIONS * games else 0
    except RulesError:  # a game takes longer than anybody waits
        return None
    return games
