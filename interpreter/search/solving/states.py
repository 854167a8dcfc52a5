"""The states of a game of perfect information, each walked once, however many histories lead to it.

Information is perfect if every player can tell all histories apart. The walk tests that: each of the states that can come next
must leave another digest with each player. So a deck may be hidden, as long as whatever is drawn from it is shown.

A state is numbered after all states that follow it: the next states always have lower numbers, and the beginning has the highest.
So backward induction is one pass over the numbers. A state that can come again after itself never gets a number; then play goes
round, and has no ends to begin from.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence

from attrs import define, field, frozen

from ...common.diagnostics import Diagnostic, RulesError, fault
from ...play.game import Game
from ...play.state import diagnostic_of
from ...simulate.engines.engine import EngineName
from ..walker import Position, Walker
from .histories import CHECK, TooLarge, returns_at

CHANCE, OVER = -1, -2  # instead of a seat
OPEN = -1  # instead of a number: the walk has not come back to this state


@frozen(eq=False)
class States:
    """A whole game. ``seats``: of each state who decides, or `CHANCE`, or `OVER`. ``returns``: of the ends, by number and seat.

    The ways on from state ``n`` are those from ``first[n]`` to ``first[n + 1]``; of each, ``next`` is the state to which it leads
    and ``weights`` how likely it is by chance, beside the others there (1 for an option).
    """

    seats: array[int] = field(factory=lambda: array("b"))
    first: array[int] = field(factory=lambda: array("q", [0]))
    next: array[int] = field(factory=lambda: array("i"))
    weights: array[int] = field(factory=lambda: array("i"))
    returns: dict[int, tuple[int, ...]] = field(factory=dict)

    def __len__(self) -> int:
        return len(self.seats)

    def add(self, seat: int, following: Sequence[int], weights: Sequence[int]) -> int:
        """One more state: its number."""
        self.seats.append(seat)
        self.next.extend(following)
        self.weights.extend(weights)
        self.first.append(len(self.next))
        return len(self.seats) - 1

    def ways(self, number: int) -> range:
        """The ways on from a state."""
        return range(self.first[number], self.first[number + 1])


@define(eq=False)
class _Opened:
    """A state from which the walk went on. ``left``: what comes next and was not looked at; ``following``: what was."""

    identity: bytes
    at: Position
    seat: int
    left: Iterator[Position]
    following: list[int] = field(factory=list)


def states_of(game: Game, engine: EngineName, limit: int, go_on: Callable[[], bool]) -> States | None:
    """All states of a game; None where somebody does not see all that happens.

    `TooLarge` where there are more than ``limit`` or ``go_on`` says no; `RulesError` for a fault in play, and R833 where play can
    come back to a state.
    """
    walker = Walker(game, engine, scores=False)
    found = States()
    numbers: dict[bytes, int] = {}
    coming = iter([walker.begin()])
    path: list[_Opened] = []
    while True:
        position = next(path[-1].left if path else coming, None)
        if position is None:  # all that follows has been walked
            done = path.pop()
            number = numbers[done.identity] = found.add(done.seat, done.following, [weight for _, weight in done.at.weights])
        else:
            identity = walker.identity(position)
            known = numbers.get(identity)
            if known == OPEN:
                raise RulesError([_goes_round(path, identity)])
            if known is not None:
                path[-1].following.append(known)
                continue
            if len(numbers) >= limit or (len(numbers) % CHECK == CHECK - 1 and not go_on()):
                raise TooLarge(len(numbers), len(found.returns), "states")
            if position.kind == "fault":
                raise RulesError([diagnostic_of(position.stop)])
            if position.kind != "over":
                opened = _opened(walker, position, identity)
                if opened is None:
                    return None
                numbers[identity] = OPEN
                path.append(opened)
                continue
            number = numbers[identity] = found.add(OVER, (), ())
            found.returns[number] = returns_at(walker, position)
        if not path:
            return found
        path[-1].following.append(number)


def _opened(walker: Walker, position: Position, identity: bytes) -> _Opened | None:
    """A state with all that can come next; None where one of the players cannot tell all that apart."""
    following = [walker.after(position, value) for value in position.answers]
    if len(following) > 1:
        for seat in range(walker.game.players):
            if len({walker.digest(child, seat) for child in following}) < len(following):
                return None
    return _Opened(identity, position, CHANCE if position.kind == "chance" else walker.player(position), iter(following))


def _goes_round(path: Sequence[_Opened], identity: bytes) -> Diagnostic:
    """The finding that a state on the path comes again, at a decision on the way round, if there is one."""
    start = next(number for number, opened in enumerate(path) if opened.identity == identity)
    nodes = [opened.at.node for opened in path[start:]]
    decisions = [opened.at.node for opened in path[start:] if opened.at.kind == "decision"]
    node = (decisions or nodes)[0]
    assert node is not None
    message = "this game cannot be solved, since play can come back to where it was"
    help = "let each round use something up, or end the game after a number of rounds; `rulesrun simulate` plays it as it is"
    return fault("R833", message, node.span, label="this can come again, with nothing changed", help=help)
