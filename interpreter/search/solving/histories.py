"""Walks a whole game tree, from each position to everything that can come next, each history once.

A history is a way from the beginning to a stop: an event of chance, a decision, or an end. Many histories can lead to one *state*
(the bytes of the record that say where the game stands), and a player may not be able to tell some of them apart: those in which
the digest of what the player observed is the same are one *information state*.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from random import Random
from statistics import fmean

from attrs import frozen

from ...common.diagnostics import Diagnostic, RulesError, fault
from ...machine.reference.executor import FunctionFault
from ...play.game import Game
from ...play.state import diagnostic_of
from ...simulate.engines.engine import EngineName
from ..walker import Position, Walker
from .sequences import Ends, Player, Sequences

PROBES = 200  # games of which the size of a game is guessed
CHECK = 1024  # histories between two looks at the clock
BEYOND_COUNT = 1e300  # ends


@frozen(eq=False)
class Walked:
    """A whole game: how many histories of each sort and states it has, and what it is to a solver."""

    chance: int
    decisions: int
    ends: int
    states: int
    sequences: Sequences


class TooLarge(Exception):
    """The walk was left off after so many histories, or states (``what`` they are, in words), of which so many are ``ends``."""

    def __init__(self, count: int, ends: int, what: str) -> None:
        super().__init__(count, ends, what)
        self.count = count
        self.ends = ends
        self.what = what


def walk(game: Game, engine: EngineName, limit: int, go_on: Callable[[], bool]) -> Walked:
    """Walk all of a game. `TooLarge` after ``limit`` histories or where ``go_on`` says no; `RulesError` for a fault in play,
    and where what is on offer to a player depends on what that player does not see."""
    walker = Walker(game, engine, scores=False)
    seats = range(game.players)
    players = tuple(Player() for _ in seats)
    known: list[dict[int, tuple[range, list[int]]]] = [{} for _ in seats]  # by digest: the sequences, of which options
    ends = Ends([], tuple([] for _ in seats), tuple([] for _ in seats))
    states: set[bytes] = set()
    chance = decisions = over = 0
    waiting: list[tuple[Position, float, tuple[int, ...]]] = [(walker.begin(), 1.0, (0,) * game.players)]
    while waiting:
        position, likely, last = waiting.pop()
        states.add(walker.identity(position))
        if position.kind == "chance":
            chance += 1
            total = sum(weight for _, weight in position.weights)
            waiting += [(walker.after(position, value), likely * weight / total, last) for value, weight in position.weights]
        elif position.kind == "decision":
            decisions += 1
            seat, options = walker.player(position), list(position.answers)
            digest = walker.digest(position, seat)
            if digest not in known[seat]:
                known[seat][digest] = players[seat].add(last[seat], len(options)), options
            mine, offered = known[seat][digest]
            if offered != options:
                raise RulesError([_telltale(game, position, seat)])
            for sequence, option in zip(mine, options, strict=True):
                waiting.append((walker.after(position, option), likely, (*last[:seat], sequence, *last[seat + 1 :])))
        elif position.kind == "fault":
            raise RulesError([diagnostic_of(position.stop)])
        else:
            over += 1
            ends.likely.append(likely)
            for each, got in enumerate(returns_at(walker, position)):
                ends.last[each].append(last[each])
                ends.pays[each].append(likely * got)
        histories = chance + decisions + over
        if histories >= limit or (histories % CHECK == 0 and not go_on()):
            raise TooLarge(histories, over, "histories")
    return Walked(chance, decisions, over, len(states), Sequences(players, ends))


def _telltale(game: Game, position: Position, seat: int) -> Diagnostic:
    """Why the information states of a game cannot be told: what is on offer in one of them says what is hidden."""
    assert position.node is not None
    who = game.seat_names[seat]
    message = f"what {who} can choose depends on what {who} does not see, so this game cannot be solved"
    label = "what is offered here differs between games that look the same to this player"
    help = "`rulesrun check` says on what it depends: show that before, or offer the same whatever it is"
    return fault("R370", message, position.node.span, label=label, help=help)


def returns_at(walker: Walker, position: Position) -> tuple[int, ...]:
    """At an end, what each seat gets. `RulesError` where the rules cannot say."""
    game = walker.game
    function = "score of team" if game.teams and game.machine.returns == "score" else game.machine.returns
    try:
        return tuple(walker.executor.evaluate(position.cells, function, seat) for seat in range(game.players))
    except FunctionFault as stopped:
        raise RulesError([diagnostic_of(stopped.stop)]) from None


def guessed_ends(game: Game, engine: EngineName, go_on: Callable[[], bool]) -> float:
    """About how many ends a game has: the mean, over random games, of the product of the numbers of ways on at each stop.

    (D. E. Knuth, "Estimating the efficiency of backtrack programs", 1975.) Few games tell of a large game less than there is; so
    do those up to where ``go_on`` says no. Infinite where one of them is led beyond `BEYOND_COUNT`, as where play goes round.
    """
    walker, random = Walker(game, engine, scores=False), Random(0)
    found = []
    for _ in range(PROBES):
        product = 1.0
        position = walker.begin()
        while position.answers and go_on():
            product *= len(position.answers)
            if product > BEYOND_COUNT:
                return inf
            position = walker.after(position, random.choice(position.answers))
        found.append(product)
        if not go_on():
            break
    return fmean(found)
