"""Where does a game stand, and what did each seat observe on the way there?

A `Moment` never changes, and knows the moment before it: a copy is the moment itself, and what a seat has observed is found by
going back. It is saved as what was taken from the beginning on, with the digest of the rules by which that was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from random import Random
from typing import Any
from weakref import WeakValueDictionary

from attrs import field, frozen

from ..checks.played.walking import Position
from ..diagnostics import Diagnostic, RulesError
from ..play.game import Event, IllegalMove, State
from .tables import AdaptedTable, TableChoice, table_with


@frozen(eq=False, slots=False)
class Moment:
    """Where a game stands. ``before``: the moment from which it came here, by ``taken``; None at the beginning.

    ``followed``: the moments after it that somebody still holds: who walks the same way again finds what was worked out there.
    """

    table: AdaptedTable = field(repr=False)
    position: Position = field(repr=False)
    before: Moment | None = field(repr=False)
    taken: int
    followed: WeakValueDictionary[int, Moment] = field(factory=WeakValueDictionary, repr=False)

    @classmethod
    def begun(cls, table: AdaptedTable) -> Moment:
        """The first moment of all games. `RulesError` where a fault of the rules comes before it."""
        return cls._reached(table, table.walker.begin(), None, 0)

    def after(self, taken: int) -> Moment:
        """The moment to which an option, or an outcome of chance, leads.

        `IllegalMove` for one that is not possible; `RulesError` where it leads to a fault of the rules.
        """
        known = self.followed.get(taken)
        if known is not None:
            return known
        if taken not in self.position.answers:
            raise IllegalMove(self.why_not(taken))
        found = self._reached(self.table, self.table.walker.after(self.position, taken), self, taken)
        self.followed[taken] = found
        return found

    @classmethod
    def _reached(cls, table: AdaptedTable, position: Position, before: Moment | None, taken: int) -> Moment:
        if position.kind == "fault":
            state = table.game.start() if before is None else before.state_after(taken)
            raise RulesError(fault_of(state))
        return cls(table, position, before, taken)

    @property
    def player(self) -> int:
        """The seat that decides (-1: nobody)."""
        return self.table.walker.player(self.position) if self.position.kind == "decision" else -1

    @cached_property
    def record(self) -> bytes:
        return self.table.walker.record(self.position)

    def seen(self, taken: int) -> int:
        """The seats that would see what is taken here, as a set."""
        executor = self.table.game.executor
        return executor.seen(executor.unpack(self.record), taken)

    @property
    def returns(self) -> tuple[int, ...]:
        """At the end, what each seat gets; before, zeros."""
        return self.position.returns or (0,) * self.table.seats

    @property
    def way(self) -> list[Moment]:
        """All moments from the beginning to this one."""
        found = [self]
        while found[-1].before is not None:
            found.append(found[-1].before)
        return found[::-1]

    @property
    def history(self) -> list[int]:
        """The options and outcomes of chance that led here."""
        return [moment.taken for moment in self.way[1:]]

    @cached_property
    def told(self) -> tuple[Event, ...]:
        """What happened since the moment before, as seats saw it."""
        if self.before is None:
            return self.table.game.start().events
        return self.before.state_after(self.taken).events

    def state_after(self, taken: int) -> State:
        """A game in progress in which an option, or an outcome of chance, is taken here; with what is told of that."""
        state = self.state
        _take(state, taken)
        return state

    @property
    def state(self) -> State:
        """A game in progress that stands here, with nothing told of what came before."""
        return self.table.game.from_record(self.record, by_hand=True)

    def observed(self, seat: int) -> list[str]:
        """All that a seat observed, in order: acts with the player, chance, and what was shown. Its information state."""
        names, found = self.table.game.seat_names, []
        for moment in self.way:
            for event in moment.told:
                text = event.text_for(seat + 1)
                if event.kind != "note" and text is not None:
                    found.append(f"{names[event.player - 1]}: {text}" if event.player else text)
        return found

    def why_not(self, taken: int) -> str:
        """Why an option, or an outcome of chance, is not possible here."""
        return f"{taken} is not possible here" if self.position.kind == "chance" else refusal_of(self.state, taken)

    @cached_property
    def _whole(self) -> State:
        """A game in progress that stands here and knows its history."""
        state = self.table.game.start(story=False)
        for taken in self.history:
            _take(state, taken)
        return state

    def determinised(self, seat: int, random: Random) -> list[int]:
        """The history of a game that the seat cannot tell from this one (see `State.determinise`). `NoWorld` if none is found."""
        return list(self._whole.determinise(seat + 1, random).history)

    def __copy__(self) -> Moment:
        return self

    def __deepcopy__(self, memo: object) -> Moment:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return saved_moment, (self.table.choice, self.table.digest, tuple(self.history))


def _take(state: State, taken: int) -> None:
    if state.chance is None:
        state.play(taken)
    else:
        state.happen(taken)


def saved_moment(choice: TableChoice, digest: str, history: Iterable[int]) -> Moment:
    """A moment that was saved. `OtherRules` where the rules have changed since."""
    found = Moment.begun(table_with(choice, digest))
    for taken in history:
        found = found.after(taken)
    return found


def fault_of(state: State) -> Sequence[Diagnostic]:
    """Why a game stopped, or cannot be scored though it is over."""
    if state.fault is not None:
        return [state.fault]
    try:
        _ = state.scores, state.terms, state.ranking, state.team_scores, state.returns
    except RulesError as stopped:
        return stopped.diagnostics
    raise AssertionError("a game that can be scored has no fault")


def refusal_of(state: State, option: int) -> str:
    """Why an option cannot be taken, with its text where it has one."""
    if state.is_over:
        return "the game is over"
    named = 0 <= option < state.game.machine.options
    return (f"{state.game.option_text(option)}: " if named else "") + state.refusal(option)
