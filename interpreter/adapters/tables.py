"""Which table do adapters play, and where does a game of it stand?

A `Moment` never changes, and knows the moment before it: a copy is the moment itself, and what a seat has observed is found by
going back. It is saved as what was taken from the beginning on, with the digest of the rules by which that was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any
from weakref import WeakValueDictionary

from attrs import field, frozen

from ..checks.played.walking import Position, Walker
from ..diagnostics import Diagnostic, RulesError
from ..machine.machine import Chance, Choose
from ..machine.traverse import every_statement
from ..play.game import Event, Game, IllegalMove, State, load
from ..simulate.engine import EngineName, engine_to_use
from .bounds import Bounds, bounds_of
from .observation import Observations


class OtherRules(ValueError):
    """What was saved is of another version of the rules than those that are there now."""


@frozen
class Choice:
    """Which table of which file, as `rulesrun.load` is asked for it; it can be written down. ``engine``: None, the fastest."""

    path: str
    players: int | None = None
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, str | int | bool], ...] = ()
    engine: EngineName | None = None


def choice_of(
    path: str | Path,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, str | int | bool] | None = None,
    engine: EngineName | None = None,
) -> Choice:
    """A choice by the arguments of `rulesrun.load`. The path is kept whole, so that another process finds the file."""
    if isinstance(variants, str):
        raise TypeError("variants are a list of names, not one text")
    return Choice(str(Path(path).absolute()), players, tuple(variants), tuple(sorted((options or {}).items())), engine)


@frozen(eq=False, slots=False)
class Table:
    """One table as adapters play it. Seats count from 0. It is used by one thread at a time."""

    choice: Choice
    game: Game = field(repr=False)
    engine: EngineName

    @cached_property
    def walker(self) -> Walker:
        """What leads from position to position, with chance by hand."""
        return Walker(self.game, self.engine == "wasm")

    @cached_property
    def bounds(self) -> Bounds:
        return bounds_of(self.walker, self.game.table)

    @cached_property
    def digest(self) -> str:
        """What tells these rules, at this table, from others."""
        return self.game.table_digest.hex()[:16]

    @property
    def seats(self) -> int:
        return self.game.players

    @cached_property
    def observations(self) -> Observations:
        """What seats see, as numbers."""
        return Observations(self.game.machine)

    @property
    def manifest(self) -> dict[str, Any]:
        """What the numbers of options and of observations stand for, as plain data for json, with the digest of the rules."""
        game = self.game
        return {
            "game": game.name,
            "players": game.players,
            "variants": list(game.variants),
            "options": game.options,
            "digest": self.digest,
            "actions": [game.option_text(number) for number in range(game.machine.options)],
            "observation": [part.told for part in self.observations.parts],
        }

    def agree_with(self, manifest: Mapping[str, Any]) -> None:
        """`OtherRules` where a manifest is not of this table: what was learned with it has other numbers."""
        if manifest.get("digest") != self.digest:
            told = f"the manifest is of {manifest.get('game')} with digest {manifest.get('digest')}"
            raise OtherRules(f"{told}, and this is {self.game.name} with digest {self.digest}")

    @cached_property
    def chance(self) -> tuple[Chance, ...]:
        """The chance events there can be, one for each of their domains."""
        found = {stmt.domain: stmt for stmt in self._statements() if isinstance(stmt, Chance)}
        return tuple(found.values())

    @cached_property
    def is_open(self) -> bool:
        """Whether all see everything: nothing lies, is kept or is done out of anybody's sight."""
        machine = self.game.machine
        offers = [offer for stmt in self._statements() if isinstance(stmt, Choose) for offer in stmt.alternatives]
        seen = {zone.visibility for zone in machine.zones} | {variable.visibility for variable in machine.variables}
        return seen <= {"open"} and not any(offer.secret for offer in offers)

    @cached_property
    def beginning(self) -> Moment:
        return self._moment(self.walker.begin(), None, 0)

    def after(self, moment: Moment, taken: int) -> Moment:
        """The moment to which an option, or an outcome of chance, leads.

        `IllegalMove` for one that is not possible; `RulesError` where it leads to a fault of the rules.
        """
        known = moment.followed.get(taken)
        if known is not None:
            return known
        if taken not in moment.position.answers:
            raise IllegalMove(moment.why_not(taken))
        found = moment.followed[taken] = self._moment(self.walker.after(moment.position, taken), moment, taken)
        return found

    def along(self, history: Iterable[int]) -> Moment:
        """The moment to which options and outcomes of chance lead from the beginning."""
        found = self.beginning
        for taken in history:
            found = self.after(found, taken)
        return found

    def _moment(self, position: Position, before: Moment | None, taken: int) -> Moment:
        if position.kind == "fault":
            state = self.game.start() if before is None else before.state_after(taken)
            raise RulesError([state.fault] if state.fault is not None else fault_of_scores(state))
        return Moment(self, position, before, taken)

    def _statements(self) -> Iterator[Any]:
        return (stmt for routine in self.game.machine.routines.values() for stmt in every_statement(routine.body))


def fault_of_scores(state: State) -> Sequence[Diagnostic]:
    """Why a game that is over cannot be scored."""
    try:
        _ = state.scores, state.terms, state.ranking, state.team_scores
    except RulesError as stopped:
        return stopped.diagnostics
    raise AssertionError("a game that can be scored has no fault")


_tables: dict[Choice, Table] = {}


def table_for(choice: Choice) -> Table:
    """The table of a choice, as it was when its file was last read. Raises `RulesError`."""
    return _tables.get(choice) or read_table(choice)


def read_table(choice: Choice) -> Table:
    """The same, with the file read now."""
    game = load(choice.path, choice.players, choice.variants, dict(choice.options))
    engine, _ = engine_to_use(choice.engine)
    return remember(choice, Table(choice, game, engine))


def remember(choice: Choice, table: Table) -> Table:
    """Let a table be the one that `table_for` gives for a choice."""
    _tables[choice] = table
    return table


@frozen(eq=False, slots=False)
class Moment:
    """Where a game stands. ``before``: the moment from which it came here, by ``taken``; None at the beginning.

    ``followed``: the moments after it that somebody still holds: who walks the same way again finds what was worked out there.
    """

    table: Table = field(repr=False)
    position: Position = field(repr=False)
    before: Moment | None = field(repr=False)
    taken: int
    followed: WeakValueDictionary[int, Moment] = field(factory=WeakValueDictionary, repr=False)

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
    def scores(self) -> tuple[int, ...]:
        """At the end, the score of each seat; before, zeros."""
        outcome = self.position.outcome
        return (0,) * self.table.seats if outcome is None else tuple(outcome.scores)

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
        game = self.table.game
        match self.position.kind:
            case "over":
                return "the game is over"
            case "chance":
                return f"{taken} is not possible here"
            case _ if not 0 <= taken < game.machine.options:
                return f"options go from 0 to {game.machine.options - 1}; there is no option {taken}"
            case _:
                return f"{game.option_text(taken)}: {self.state.why_not(taken)}"

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


def saved_moment(choice: Choice, digest: str, history: tuple[int, ...]) -> Moment:
    """A moment that was saved. `OtherRules` where the rules have changed since."""
    return table_with(choice, digest).along(history)


def table_with(choice: Choice, digest: str) -> Table:
    """The table of a choice. `OtherRules` where it has another digest."""
    table = table_for(choice)
    if table.digest != digest:
        raise OtherRules(
            f"this was saved under other rules: {choice.path} has digest {table.digest} at this table, not {digest}"
        )
    return table
