"""Options of a game that change nothing in many games: play and views are the same at every value (R321).

Tables that differ in one option are played beside each other, with the same seeds. Most options show an effect in the first game.
Where none of these games differ, not even in what the players see of them, modules play thousands more. Options that are numbers
are never reported: a limit may concern what hardly ever happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Literal

from attrs import evolve, frozen

from ....common.diagnostics import Diagnostic, RulesError, warning
from ....model import model
from ....model.model import Model
from ....model.visitor import walk
from ....play.game import Game, State
from ....players.bots import Bot
from ....simulate.engines.engine import EngineName, engine_for
from ....table.sampling.combinations import Choice
from .side_by_side import SideBySide

PAIRS = 8  # of tables that are played beside each other, as unlike as can be
FIRST_GAMES = 8  # of each pair, by the reference executor
SEEN_PAIRS, SEEN_DECISIONS = 4, 200  # of which is compared what the players see
MODULES = 3  # pairs that are played by modules
GAMES = 5_000  # of each bot and pair, by modules
DECISIONS = 60_000  # of each pair in which acts are forced only at one of the tables, by modules
PATIENCE = 5.0  # seconds for a game

Pair = tuple[Choice, Choice]


@frozen
class Tables:
    """What is needed to play tables. ``games``: makes the game at one, or raises `RulesError`. ``known``: whether an earlier
    check saw an option do something at two tables; ``note``: remembers that this one did."""

    games: Callable[[Choice], Game]
    known: Callable[[Pair], bool]
    note: Callable[[Pair], None]


def idle_options(
    game: Model, tables: Sequence[Choice], using: Tables, seed: int, is_known: Callable[[str], bool], late: Callable[[], bool]
) -> Iterator[Diagnostic]:
    """A finding (R321) for each option of words, or yes and no, that never did anything. ``tables``: the most unlike first.
    ``is_known``: whether something is known already of an option. ``late``: whether there is no more time."""
    for line in game.declarations:
        if not isinstance(line, model.OptionDeclaration) or line.domain.type.base == "number" or is_known(line.name):
            continue
        pairs = list(islice(_pairs(line.name, tables), PAIRS))
        if not pairs or _does_something(pairs, using, seed, late) or late():
            continue
        asked = [part.span for part in walk((game.declarations, game.variants)) if _asks_for(part, line.name)]
        message = f"whatever the option `{line.name}` is set to, all test games were the same"
        places = [(span, "it is asked for here") for span in asked[:1]]
        help = "let it change what somebody can do, see or score; or remove it"
        yield evolve(warning("R321", message, line.span, *places, help=help), strength="explored")


def _pairs(name: str, tables: Sequence[Choice]) -> Iterator[Pair]:
    """Tables where an option is changed, each with the table that has it at its default."""
    for choice in tables:
        others = tuple(each for each in choice.options if each[0] != name)
        if len(others) < len(choice.options):
            yield evolve(choice, options=others), choice


def _asks_for(node: model.Node, name: str) -> bool:
    return isinstance(node, model.OptionValue) and node.name == name


def _does_something(pairs: Sequence[Pair], using: Tables, seed: int, late: Callable[[], bool]) -> bool:
    """Whether an option changes the games of some tables that differ in it, as far as there is time to see."""
    for pair in pairs:
        if using.known(pair):
            return True
        if _differ(pair, using, seed, "reference", late):
            return _noted(pair, using, late)
    for pair in pairs[:SEEN_PAIRS]:
        if _is_seen(pair, using, seed):
            return _noted(pair, using, late)
    for pair in pairs[:MODULES]:
        if _differ(pair, using, seed, "wasm", late):
            return _noted(pair, using, late)
    return late()


def _noted(pair: Pair, using: Tables, late: Callable[[], bool]) -> bool:
    """Note that an option does something, unless time ran out before that could be seen. Always True."""
    if not late():
        using.note(pair)
    return True


def _differ(pair: Pair, using: Tables, seed: int, engine: EngineName, late: Callable[[], bool]) -> bool:
    """Whether somebody can do something else, or something else comes out."""
    try:
        games = using.games(pair[0]), using.games(pair[1])
        beside = SideBySide(games, engine)
        if beside.differ(seed, 0, FIRST_GAMES, DECISIONS, late) is not False:
            return True
        if engine == "reference":
            return False
        if all(_play_the_same(games, bot, seed) for bot in ("random", "casual")):
            return False
        return beside.differ(seed, FIRST_GAMES, GAMES, DECISIONS, late) is not False or not beside.forced
    except RulesError:  # there is no such table, or a game takes longer than anybody waits
        return True


def _play_the_same(games: tuple[Game, Game], bot: Literal["random", "casual"], seed: int) -> bool:
    """Whether bots play the same games at two tables. They do not where they are asked for acts that alone are legal: each time,
    that takes from their chance."""
    players = (engine_for(game, (Bot(bot),) * game.players, "wasm", PATIENCE) for game in games)
    one, other = (player.play(seed, 0, GAMES, rows=True).rows for player in players)
    return one == other


def _is_seen(pair: Pair, using: Tables, seed: int) -> bool:
    """Whether somebody sees or knows something else in the same game."""
    one, other = (using.games(choice).start(seed) for choice in pair)
    chance = Random(seed)
    for _ in range(SEEN_DECISIONS):
        _go_on(one)
        _go_on(other)
        seats = range(1, one.game.players + 1)
        if one.is_over != other.is_over or any(one.view(seat) != other.view(seat) for seat in seats):
            return True
        if not one.legal or one.legal != other.legal:
            return one.legal != other.legal
        option = one.legal[chance.randrange(len(one.legal))]
        one.play(option)
        other.play(option)
    return False


def _go_on(state: State) -> None:
    """Do what can only be done in one way."""
    for _ in range(SEEN_DECISIONS):
        if len(state.legal) == 1:
            state.play(state.legal[0])
