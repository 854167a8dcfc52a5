"""Explores all positions of a table, where they are few enough.

The search is breadth first from the beginning, with every outcome of chance. Positions are equal where the record's region *game*
is equal. So each position is found by a shortest way, and an event that happens on no way can never happen.

A game of cards has more positions than there is time for, which mostly shows at once: when many more positions wait than have
been expanded (`HOPELESS`) and their number still grows, the search gives up and claims nothing.

**Games without an end.** From some positions no way leads to the end, so the game cannot end. From others a way leads there, but
the players can avoid it for ever, whatever comes by chance. These are the positions that remain after removing repeatedly: ends
and faults, decisions all of whose options lead to removed positions, and chance events one of whose outcomes does (the greatest
fixed point of a safety game).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from attrs import define, field, frozen

from ....common.graphs import circle_from
from ....common.source import Span
from ....machine.machine import Choose, Fault, Machine
from ....search.walker import Position, Walker
from .endless import cannot_end, comes_again
from .spotted import Found, Shown, note

POSITIONS_LIMIT = 20_000
STEPS_LIMIT = 100_000  # from one position to another
MANY_ANSWERS = 500  # a position with more is not gone on from
# After so many steps, that so many times as many positions wait as were gone on from. (Tic-tac-toe comes to 4.5, 2.4, 2.1, 1.6
# and 1.0, nim with 16 objects to 8.8, 5.5, 2.9, 1.6 and 0.6; liar's dice with 11 faces and more to 1.2 and more at the last.)
HOPELESS = {400: 9.0, 1_500: 5.6, 2_500: 3.0, 4_000: 1.75, 6_000: 1.1}
FIRST_STEPS = 100  # after which it is seen of most games that there are too many
CHUNK = 100  # positions between two looks at the clock


@frozen
class Exhausted:
    """All that can happen at a table.

    ``positions``: how many there are. ``found``: faults, and that the game cannot or need not end, each by a shortest way.
    ``lines``: the lines of options that are legal somewhere. ``winners``: the seats (from 0) that can win, alone or with
    others. ``terms``: the lines of the score sheet that can be something else than 0. ``ends``: in how many positions it can
    end. ``is_a_game``: whether there ever is a choice with more than one act, allowed or not; where not, it is the sketch of one.
    """

    positions: int
    found: Found
    lines: frozenset[Span]
    winners: frozenset[int]
    terms: frozenset[str]
    ends: int
    is_a_game: bool


@frozen
class TooMany:
    """There are too many positions, of which so many were found."""

    found: int


def exhaust(walker: Walker, late: Callable[[], bool], steps: int = STEPS_LIMIT) -> Exhausted | TooMany:
    """Go through all positions of a table, in so many ``steps`` at most. ``late``: whether there is no more time."""
    search = Search(walker)
    if not search.is_through(late, steps):
        return TooMany(len(search.nodes))
    search.look_for_no_end()
    nodes = search.nodes
    return Exhausted(
        len(nodes),
        search.found,
        frozenset(search.lines),
        frozenset(search.winners),
        frozenset(search.terms),
        sum(node.kind == "over" for node in nodes),
        any(node.decision is not None and _acts(node.decision, walker.game.machine) > 1 for node in nodes),
    )


def many_at_once(walker: Walker) -> int:
    """How many positions are found in the first steps, where their number grows so fast that they are surely too many; else 0."""
    search = Search(walker)
    if search.is_through(lambda: False, FIRST_STEPS, {}):
        return 0
    gone_on = sum(bool(node.next) for node in search.nodes)
    return len(search.nodes) if len(search.waiting) > max(HOPELESS.values()) * gone_on else 0


def _acts(decision: Choose, machine: Machine) -> int:
    """How many acts a decision has, allowed or not."""
    return sum(machine.groups[group].size for group in {each.group for each in decision.alternatives})


@define(eq=False)
class Node:
    """A position that was found. ``parent``, ``value``: the way that it was found by. ``next``: by value, where it leads."""

    number: int
    parent: int
    value: int
    kind: str
    decision: Choose | None
    next: dict[int, int] = field(factory=dict)


class Search:
    """All positions that were found, as ``nodes``, from the first on. ``returns``: what seats can get at an end."""

    def __init__(self, walker: Walker) -> None:
        self.walker = walker
        self.nodes: list[Node] = []
        self.numbers: dict[bytes, int] = {}
        self.waiting: deque[tuple[Node, Position]] = deque()
        self.found: Found = {}
        self.lines: set[Span] = set()
        self.winners: set[int] = set()
        self.returns: set[tuple[int, ...]] = set()
        self.terms: set[str] = set()

    # ---- Finding the positions

    def is_through(self, late: Callable[[], bool], most: int = STEPS_LIMIT, hopeless: Mapping[int, float] = HOPELESS) -> bool:
        """Go on from all positions; whether that came to an end within the limits, ``most`` steps. ``late``: asked every `CHUNK`
        positions."""
        self._number(self.walker.begin(), -1, 0)
        steps = gone_on = 0
        hopeless = dict(hopeless)
        while self.waiting:
            node, position = self.waiting.popleft()
            if len(position.answers) > MANY_ANSWERS:
                return False
            for value in position.answers:
                node.next[value] = self._number(self.walker.after(position, value), node.number, value)
            steps += len(position.answers)
            gone_on += 1
            if len(self.nodes) > POSITIONS_LIMIT or steps > most or (gone_on % CHUNK == 0 and late()):
                return False
            for few in [few for few in hopeless if steps >= few]:
                if len(self.waiting) > hopeless.pop(few) * gone_on:
                    return False
        return True

    def _number(self, position: Position, parent: int, value: int) -> int:
        """The number of a position; a new one if it was not found before."""
        identity = self.walker.identity(position)
        number = self.numbers.setdefault(identity, len(self.nodes))
        if number == len(self.nodes):
            decision = position.node if isinstance(position.node, Choose) else None
            node = Node(number, parent, value, position.kind, decision)
            self.nodes.append(node)
            self._look_at(node, position)
        return number

    def _look_at(self, node: Node, position: Position) -> None:
        if position.fault is not None:
            self._show(position.fault, self._course(node))
        elif position.outcome is not None:
            outcome = position.outcome
            self.returns.add(position.returns)
            self.winners |= {seat for seat, win in enumerate(outcome.wins) if win}
            named = zip(self.walker.game.machine.terms, outcome.terms, strict=True)
            self.terms |= {term.name for term, values in named if any(values)}
        else:
            if node.decision is not None:
                alternatives = node.decision.alternatives
                legal = self.walker.executor.legal
                self.lines |= {each.span for number, each in enumerate(alternatives) if legal(position.cells, number)}
            self.waiting.append((node, position))

    def _course(self, node: Node) -> list[int]:
        """The way by which a position was found."""
        course: list[int] = []
        while node.parent >= 0:
            course.append(node.value)
            node = self.nodes[node.parent]
        return course[::-1]

    def _show(self, fault: Fault, course: list[int]) -> None:
        note(self.found, Shown(fault, len(course), "all", course=tuple(course)))

    # ---- Positions without an end

    def look_for_no_end(self) -> None:
        """Find positions from which no way leads to the end, else such from which the players can avoid it."""
        before: list[set[int]] = [set() for _ in self.nodes]
        for node in self.nodes:
            for number in node.next.values():
                before[number].add(node.number)
        stops = [node.number for node in self.nodes if not node.next]
        ending = set(stops)
        todo = list(stops)
        while todo:
            new = before[todo.pop()] - ending
            ending |= new
            todo += new
        lost = [node for node in self.nodes if node.number not in ending]
        if lost:
            decision, course = self._onwards(lost[0], {node.number for node in lost})
            self._show(cannot_end(decision, self.walker.game.table.span), course)
            return
        going_on = self._avoiding(before, stops)
        if going_on:
            first = next(node for node in self.nodes if node.number in going_on)
            decision, course = self._onwards(first, going_on)
            assert decision is not None, "where some way leads to the end, a decision is on the way, and comes again"
            self._show(comes_again(decision), course)

    def _avoiding(self, before: list[set[int]], stops: list[int]) -> set[int]:
        """The positions from which the players can avoid the end for ever."""
        left = {node.number: len(set(node.next.values())) for node in self.nodes}
        taken = set(stops)
        todo = list(stops)
        while todo:
            for number in before[todo.pop()]:
                left[number] -= 1
                if number not in taken and (left[number] == 0 or self.nodes[number].kind == "chance"):
                    taken.add(number)
                    todo.append(number)
        return {node.number for node in self.nodes} - taken

    def _onwards(self, first: Node, inside: set[int]) -> tuple[Choose | None, list[int]]:
        """A decision in a circle of positions that are ``inside``, and the course that leads from the beginning once round it.

        None where no decision is in any circle that can be reached there.
        """
        graph = {at: {value: to for value, to in self.nodes[at].next.items() if to in inside} for at in inside}
        circle = circle_from(graph, first.number, lambda number: self.nodes[number].decision is not None)
        return self.nodes[circle.at].decision, [*self._course(first), *circle.way, *circle.round]
