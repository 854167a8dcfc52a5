"""The order in which a game reveals a secret, shows its source and uses it, and what is learnt too early.

If a card is drawn because of another that lies face down, all players learn something about that one. Where it is turned over
before anybody chooses, as the dealer's card in blackjack, nobody can use it. So a secret that is revealed waits until its source
is shown, whichever way the rules go. It is learnt too early where

- somebody chooses before,
- the game ends before, and nobody ever looked at the source: then nobody could have followed the rule.

Players may reveal their own private information (a hand) at the end of a game and, when all of it goes elsewhere, at the end of a
deal. If it is revealed by who is asked to choose, others learn it while they choose themselves: that is excused only where it is
shown right after.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from attrs import evolve, field, frozen

from ...common.source import Span
from ...model.model import Choose, Expr
from ..dataflow.sources import NOTHING, Source, Sources

Asks = Literal["what can be chosen", "a value", "a text", "whether", "who", "whether it is done", "who is asked"]
TOLD: tuple[Asks, ...] = ("a value", "whether it is done", "who is asked")  # what all see, whoever chooses next


@frozen
class Path:
    """How the rules come to a place.

    ``around``: what it depends on that this is done. ``guarded``: players have been compared on the way. ``loops``: those around.
    ``waits``: the loops around of which a later round may be the first that comes there. ``certain``: it comes there always.
    ``chosen``: a player has chosen that this is done.
    """

    around: Sources = NOTHING
    guarded: bool = False
    loops: frozenset[Span] = frozenset()
    waits: frozenset[Span] = frozenset()
    certain: bool = True
    chosen: bool = False

    def perhaps(self) -> Path:
        """This path, where not every round comes there."""
        return evolve(self, waits=self.loops, certain=False)

    def round(self, loop: Span, around: Sources, guarded: bool = False) -> Path:
        """In a loop."""
        return evolve(self, around=self.around | around, guarded=self.guarded or guarded, loops=self.loops | {loop})


@frozen
class Uncertainty:
    """A place in the rules that may ask too much. ``who``: the player who would have to know (None: anybody would do).

    ``asks``: what depends on the source. ``what``: the same in words. ``path``: how the rules come there. ``ways``: how many ways
    have been noted before. ``shown``: whether the source has been revealed before.
    """

    asks: Asks
    source: Source
    who: Expr | None
    span: Span
    what: str
    path: Path = field(eq=False)
    ways: int = field(eq=False)
    shown: bool = field(eq=False)


# ---- What comes one after the other


@frozen
class Seen:
    """Something is done that all can see. ``what``: how whether it is done depends on a source, in words."""

    span: Span
    what: str


@frozen
class Shown:
    """Something that lies in a zone is shown to all."""

    zone: str


@frozen
class Gone:
    """Nothing is left in a zone of what lay there."""

    zone: str


@frozen
class Chosen:
    """Somebody chooses one of several ways. ``line``: the choice in the rules."""

    ways: tuple[Course, ...]
    line: Choose


@frozen
class Branches:
    """One of several ways is gone."""

    ways: tuple[Course, ...]


@frozen
class Rounds:
    """Something is done again and again."""

    body: Course


Event = Uncertainty | Seen | Shown | Gone | Chosen | Branches | Rounds
Course = tuple[Event, ...]  # what comes one after the other; a doubt stands where its source is told


def seen_in(ways: tuple[Course, ...]) -> tuple[Seen, ...]:
    """What is done there that all can see; what follows from a choice tells no more than the choice."""
    found: dict[Seen, None] = {}
    todo, known = list(ways[::-1]), set[int]()
    while todo:
        course = todo.pop()
        if id(course) in known:
            continue
        known.add(id(course))
        for event in course:
            match event:
                case Seen():
                    found[event] = None
                case Branches(ways=inside):
                    todo += inside[::-1]
                case Rounds(body=body):
                    todo.append(body)
                case _:
                    pass
    return tuple(found)


def first_choices(course: Course, zone: str) -> tuple[list[Choose], bool]:
    """The choices that can come first while nothing of what lies in a zone has been shown; and whether the course can end before
    anything is chosen or shown."""
    found: dict[int, tuple[list[Choose], bool]] = {}  # a step that is done in many places is one course

    def of(course: Course) -> tuple[list[Choose], bool]:
        if id(course) not in found:
            found[id(course)] = go_through(course)
        return found[id(course)]

    def go_through(course: Course) -> tuple[list[Choose], bool]:
        first: list[Choose] = []
        for event in course:
            match event:
                case Chosen(line=line):
                    return [*first, line], False
                case Shown(zone=shown) if shown == zone:
                    return first, False
                case Branches(ways=ways):
                    inside = [of(way) for way in ways]
                    first += (line for lines, _ in inside for line in lines)
                    if not any(passes for _, passes in inside):
                        return first, False
                case Rounds(body=body):
                    first += of(body)[0]
                case _:
                    pass
        return first, True

    return of(course)


# ---- What is learnt too early

Waiting = dict[Uncertainty, None]  # in the order in which they were told


def learnt_too_early(
    course: Course, is_fault: Callable[[Uncertainty], bool], is_hidden: Callable[[Uncertainty], bool]
) -> list[Uncertainty]:
    """The doubts of a game that are learnt before their source is shown.

    ``is_fault``: whether a doubt is one where it is learnt; ``is_hidden``: whether nobody looks at its source.
    """

    def is_used(doubt: Uncertainty) -> bool:
        """Whether it may not be told either when nobody can make use of it any more."""
        return is_hidden(doubt) or doubt.asks == "who is asked"

    learnt: Waiting = {}
    followed: dict[tuple[int, ...], Waiting] = {}  # a step that is done in many places is one course

    def follow(course: Course, waiting: Waiting) -> Waiting:
        """What waits at the end of a course."""
        key = (id(course), *map(id, waiting))
        if key not in followed:
            followed[key] = go_through(course, waiting)
        return followed[key]

    def go_through(course: Course, waiting: Waiting) -> Waiting:
        for event in course:
            match event:
                case Uncertainty():
                    if is_fault(event):
                        waiting = {**waiting, event: None}
                case Shown(zone=zone):
                    waiting = {doubt: None for doubt in waiting if doubt.source.name != zone}
                case Gone(zone=zone):
                    waiting = {doubt: None for doubt in waiting if doubt.source.name != zone or is_used(doubt)}
                case Chosen(ways=ways):
                    learnt.update(waiting)
                    waiting = join(ways, {})
                case Branches(ways=ways):
                    waiting = join(ways, waiting)
                case Rounds(body=body):
                    waiting = follow(body, waiting)
                    if waiting:
                        follow(body, waiting)  # the next round may begin with a choice
                case _:
                    pass
        return waiting

    def join(ways: tuple[Course, ...], waiting: Waiting) -> Waiting:
        return {doubt: None for way in ways for doubt in follow(way, waiting)}

    left = follow(course, {})
    return [*learnt, *(doubt for doubt in left if doubt not in learnt and is_used(doubt))]
