"""Moments: where a game stands, and what each seat observed on the way there.

A `Moment` never changes, and knows the moment before it: a copy is the moment itself, threads may share it, and the observations
of a seat are found by going back. It is saved as the list of values taken from the beginning on, with the digest of the rules
that were played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from random import Random
from typing import Any
from weakref import WeakValueDictionary

from attrs import field, frozen

from ..common.diagnostics import Diagnostic, RulesError
from ..play.game import IllegalMove, State
from ..search.walker import Position
from .adapted_tables import AdaptedTable, TableChoice, table_with
from .narration import take

SHORT = 2_000  # signs: longer texts are put together again each time, lest a long game is kept once for each moment


@frozen(eq=False, slots=False)
class Moment:
    """Where a game stands. ``before``: the moment from which it came here, by ``taken``; None at the beginning."""

    table: AdaptedTable = field(repr=False)
    position: Position = field(repr=False)
    before: Moment | None = field(repr=False)
    taken: int
    _texts: dict[int, str] = field(factory=dict, repr=False)

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

    @cached_property
    def followed(self) -> WeakValueDictionary[int, Moment]:
        """The moments after it that somebody still holds: who walks the same way again finds what was worked out there."""
        return WeakValueDictionary()

    @classmethod
    def _reached(cls, table: AdaptedTable, position: Position, before: Moment | None, taken: int) -> Moment:
        if position.kind == "fault":
            state = table.game.start() if before is None else before.state_after(taken)
            raise RulesError(fault_of(state))
        found = cls(table, position, before, taken)
        table.recent.append(found)
        return found

    @cached_property
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
        found: list[Moment] = [self]
        while found[-1].before is not None:
            found.append(found[-1].before)
        return found[::-1]

    @property
    def history(self) -> list[int]:
        """The options and outcomes of chance that led here."""
        return [moment.taken for moment in self.way[1:]]

    @cached_property
    def _told(self) -> tuple[str, ...]:
        """By seat, what was observed since the moment before: lines, each behind a line break."""
        narration = self.table.narration
        return narration.first if self.before is None else narration.after(self.before.record, self.taken)

    def state_after(self, taken: int) -> State:
        """A game in progress in which an option, or an outcome of chance, is taken here; with what is told of that."""
        state = self.state
        take(state, taken)
        return state

    @property
    def state(self) -> State:
        """A game in progress that stands here, with nothing told of what came before."""
        return self.table.game.from_record(self.record, by_hand=True)

    def observed(self, seat: int) -> str:
        """All that a seat observed, in order: acts with the player, chance, what was shown. Lines, each behind a line break."""
        known = self._texts.get(seat)
        if known is not None:
            return known
        behind: list[Moment] = [self]
        moment = self.before
        while moment is not None and seat not in moment._texts:
            behind.append(moment)
            moment = moment.before
        known = "" if moment is None else moment._texts[seat]
        text = "".join([known, *(each._told[seat] for each in reversed(behind))])
        if len(text) < SHORT:
            self._texts[seat] = text
        return text

    def why_not(self, taken: int) -> str:
        """Why an option, or an outcome of chance, is not possible here."""
        return f"{taken} is not possible here" if self.position.kind == "chance" else refusal_of(self.state, taken)

    @cached_property
    def _whole(self) -> State:
        """A game in progress that stands here and knows its history."""
        state = self.table.game.start(story=False)
        for taken in self.history:
            take(state, taken)
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
