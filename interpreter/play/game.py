"""The Python API: `load`, and `Game`, one table of rules. See `state.py` for a game in progress, `decisions.py` for its values.

`load` makes a `Game`, one table of a rules file; `Game.start` makes a `State`, one game in progress. A state stands at a
decision, at a chance event (only where chance is driven by hand), or at the end. Seats are counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import fields, frozen

from ..common.diagnostics import RulesError
from ..machine.columns import Columns
from ..machine.from_table import lower
from ..machine.machine import Machine
from ..machine.reference.executor import Executor
from ..machine.reference.stops import Stop
from ..model.model import OptionDeclaration
from ..rules import Rules, built_from, read_rules
from ..table.from_model import specialise
from ..table.from_model.fold import Settled
from ..table.table import Table
from ..words.words import ENGLISH, Words
from .arguments import (
    ArgumentError,
    bytes_given,
    game_number_given,
    listed,
    names_given,
    option_given,
    options_given,
    path_given,
    players_given,
    seats_given,
    seed_given,
    shown,
    text_given,
    truth_given,
    whole,
)
from .knowledge.determinise import NoWorld
from .knowledge.sums import counted_slots, open_slots, stored_slots
from .language import words_for

if TYPE_CHECKING:
    from ..wasm.running.compiled import Compiled
from .decisions import ChanceEvent, Decision, Event, IllegalMove, Option, Outcome, arguments_in, text_of, verb_of
from .state import EVENTS_LIMIT, State

SEAL = 8  # bytes before a saved record; enough that no damage goes unnoticed


@frozen(eq=False, slots=False, repr=False)
class Game:
    """One table of a game, ready to be played. It never changes, so that a copy is the game itself; a pickle holds its rules.

    ``words``: of the language in which it speaks to players. ``of``: the game in the rules' own words, where this is another one
    (see `written`). Both play alike, and their options have the same numbers.
    """

    rules: Rules
    table: Table
    machine: Machine
    scalar_loops: tuple[str, ...] = ()
    words: Words = ENGLISH
    of: Game | None = None

    def __repr__(self) -> str:
        told = {"players": self.players, "variants": list(self.variants), "options": self.options}
        return f"<{self.name}: {', '.join(f'{name} {value}' for name, value in told.items() if value)}>"

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Without what was made of it meanwhile."""
        return {each.name: getattr(self, each.name) for each in fields(Game)}

    @property
    def name(self) -> str:
        return self.table.game

    @property
    def language(self) -> str:
        """The code of the language in which it speaks to players; ``en`` for the rules' own words."""
        return self.words.language

    @property
    def speaks(self) -> bool:
        """Whether it speaks another language than that of the rules' own words."""
        return self.of is not None

    @property
    def written(self) -> Game:
        """The game in the rules' own words. Transcripts, bots and modules are made with it."""
        return self.of or self

    def in_words(self, words: Words) -> Game:
        """The same table in the words of another language. ArgumentError for what are no words."""
        if not isinstance(words, Words):
            raise ArgumentError(f"the words of a language are `Words`, not {shown(words)}")
        if words is self.words:
            return self
        written = self.written
        if words is ENGLISH:
            return written
        lowered = lower(written.table, written.machine.seat_names if written.named else (), words=words)
        assert lowered.machine is not None  # words change nothing in what is found
        return Game(written.rules, written.table, lowered.machine, written.scalar_loops, words, written)

    def in_language(self, language: str) -> Game:
        """The same table in a language, with the translations beside its rules. `RulesError` where these cannot be read.

        ArgumentError for a language that neither the program speaks nor a file beside the rules holds.
        """
        return self.in_words(words_for(self.rules, text_given(language, "a language")))

    @property
    def named(self) -> bool:
        """Whether the seats have names that somebody gave them."""
        return self.machine.seat_names != tuple(f"player {seat + 1}" for seat in range(self.players))

    @property
    def players(self) -> int:
        return self.table.players

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants in play, those always in play included."""
        return self.table.variants

    @property
    def options(self) -> dict[str, str]:
        """The value of every option, in words."""
        return dict(self.table.option_words)

    @property
    def changed_options(self) -> dict[str, str]:
        """The options whose value is not their default."""
        table, whole = self.table, self.rules.required()
        added = [variant.adds for variant in whole.variants if variant.name in table.variants]
        settled = Settled(table.players, dict(table.options), kinds=table.kinds, columns=table.columns)
        defaults = {
            option.name: settled.value(option.default)
            for declarations in (whole.declarations, *added)
            for option in declarations
            if isinstance(option, OptionDeclaration)
        }
        return {name: value for name, value in self.options.items() if table.options[name] != defaults.get(name)}

    @cached_property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The seats (from 1) that play together, team by team; empty when everybody plays alone."""
        sets = dict.fromkeys(self.machine.teams)
        found = tuple(tuple(seat + 1 for seat in range(self.players) if team >> seat & 1) for team in sets)
        return () if len(found) == self.players else found

    @property
    def game(self) -> Game:
        """Itself: where a table that is kept (`play/kept.py`) will do, too, this is how all of it is had."""
        return self

    @cached_property
    def _hidden(self) -> dict[int, frozenset[int]]:
        return {}

    def _hidden_from(self, seat: int) -> frozenset[int]:
        """The cells of a record that a seat does not see."""
        if seat not in self._hidden:
            self._hidden[seat] = stored_slots(self.machine) - open_slots(self.machine, seat)
        return self._hidden[seat]

    @cached_property
    def _counted(self) -> dict[str, frozenset[int]]:
        return {}

    def _counted_by(self, function: str) -> frozenset[int]:
        """The cells of which a function takes no more than all know."""
        if function not in self._counted:
            self._counted[function] = counted_slots(self.machine, function)
        return self._counted[function]

    @cached_property
    def columns(self) -> Columns:
        """The columns of the rows of its simulated games."""
        return Columns.of(self.machine)

    @cached_property
    def compiled(self) -> Compiled:
        """The table as a module."""
        if self.of is not None:
            return self.of.compiled
        from ..wasm.running.compiled import compiled_from

        return compiled_from(self.machine)

    @cached_property
    def playouts(self) -> Compiled:
        """The table as a module that plays whole random games and nothing else."""
        if self.of is not None:
            return self.of.playouts
        from ..wasm.running.compiled import compiled_from

        return compiled_from(self.machine, playouts_only=True)

    @cached_property
    def rules_hash(self) -> str:
        return self.rules.digest()

    @property
    def seat_names(self) -> tuple[str, ...]:
        if not self.speaks or self.named:
            return self.machine.seat_names
        return tuple(self.words.phrase("player {number}", number=seat + 1) for seat in range(self.players))

    @cached_property
    def executor(self) -> Executor:
        """What plays the machine, without a story."""
        return Executor(self.machine, speaks=self.speaks)

    @cached_property
    def _narrator(self) -> Executor:
        return Executor(self.machine, narrate=True, speaks=self.speaks)

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages in which the rules give a title."""
        return tuple(language for language, _ in self.table.titles if language)

    def title(self, language: str | None = None) -> str:
        """The title in a language; None: in that of the game, else the first. ArgumentError where the rules give none in it."""
        titles = dict(self.table.titles)
        if language is not None:
            if text_given(language, "a language") not in self.languages:
                known = f"there are {', '.join(self.languages)}" if self.languages else "its title names no language"
                raise ArgumentError(f"`{self.name}` has no title in the language `{language}`: {known}")
            return titles[language]
        own = titles.get("en") or titles.get("") or self.table.titles[0][1]
        return titles.get(self.language) or self.words.name("title", own) if self.speaks else own

    def start(self, seed: int | None = None, *, game: int = 0, story: bool = True, by_hand: bool = False) -> State:
        """A new game.

        ``seed``: of all its chance; None: chance is driven by hand, through `State.chance` and `State.happen`. ``by_hand``: so
        it is with a seed, too, and `State.draw` is what the seed lets happen. ``game``: the
        number of the game under that seed; both are whole numbers from 0 to 2**64 - 1, or it is an ArgumentError. ``story``:
        whether `State.events` is kept; without it play is faster.
        """
        story = truth_given(story, "story")
        executor = self._narrator if story else self.executor
        fresh = executor.fresh(0 if seed is None else seed_given(seed), game_number_given(game))
        state = State(self, fresh, Stop("halt"), seed is None or truth_given(by_hand, "by_hand"), [] if story else None)
        state._go(executor.enter(state._cells, None, (), state._story))
        return state

    def from_bytes(self, data: bytes, *, by_hand: bool = False, events: Iterable[Event] = ()) -> State:
        """A game from `State.to_bytes`. ``by_hand``: whether its chance is driven by hand. ``events``: what happened before.

        ArgumentError for damaged bytes, another table's, and anything else.
        """
        data = bytes_given(data)
        if data[:SEAL] != self._seal(data[SEAL:]):
            raise ArgumentError("these bytes are damaged, or of another table or version of the game")
        return self.from_record(data[SEAL:], by_hand=by_hand, events=events)

    def from_record(self, record: bytes, *, by_hand: bool = False, events: Iterable[Event] = ()) -> State:
        """The state of a bare record, which some executor of this very machine made."""
        executor, by_hand = self._narrator, truth_given(by_hand, "by_hand")
        cells = executor.unpack(bytes_given(record, self.machine.layout.size))
        told = listed(events, EVENTS_LIMIT, _is_event, "events are those of a state, as in `events=state.events`")
        history = [event.number for event in told if event.kind in ("act", "chance")]
        state = State(self, cells, executor.stop(cells), by_hand, told, history)
        state._go(state._stop)
        return state

    @cached_property
    def table_digest(self) -> bytes:
        """What tells this table of these rules from every other, in 32 bytes."""
        said = repr((self.rules_hash, self.players, self.variants, sorted(self.options.items())))
        return blake2b(said.encode(), digest_size=32).digest()

    def _seal(self, record: bytes) -> bytes:
        """What stands before a saved record: it fits only this record and this table."""
        return blake2b(record, digest_size=SEAL, key=self.table_digest).digest()

    @cached_property
    def _options(self) -> dict[int, tuple[Option, ...]]:
        return {}

    def _options_of(self, group: int) -> tuple[Option, ...]:
        """All options of a group of the machine, as legal ones."""
        if group not in self._options:
            found = self.machine.groups[group]
            self._options[group] = tuple(
                Option(
                    found.base + place,
                    text_of(found, place, self.speaks),
                    True,
                    verb=verb_of(found, self.speaks),
                    arguments=arguments,
                )
                for place, arguments in enumerate(arguments_in(self.machine, found, self.speaks))
            )
        return self._options[group]

    def option(self, number: int) -> Option:
        """An option as data, as if it were legal. ArgumentError for a number that is none."""
        number = option_given(number, self.machine.options)
        group = self.machine.group_of(number)
        place = next(place for place, each in enumerate(self.machine.groups) if each is group)
        return self._options_of(place)[number - group.base]

    def option_text(self, number: int) -> str:
        """An option in the game's words. ArgumentError for a number that is none."""
        number = option_given(number, self.machine.options)
        group = self.machine.group_of(number)
        return text_of(group, number - group.base, self.speaks)


def _is_event(found: object) -> bool:
    """Whether this is an event as games in progress tell it."""
    return (
        isinstance(found, Event)
        and found.kind in ("act", "chance", "show", "note")
        and all(whole(number) is not None for number in (found.player, found.number, found.seen))
        and found.player >= 0 <= found.seen
        and all(isinstance(text, str) for text in (found.text, found.outcome, found.told))
        and (found.hidden is None or isinstance(found.hidden, str))
    )


def load(
    path: str | Path,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, str | int | bool] | None = None,
    seats: Iterable[str] = (),
) -> Game:
    """One table of the rules in a file.

    ``players``: how many (None: the fewest that the game and the named variants admit). ``variants``: their names.
    ``options``: values by name, such as ``{"jokers_optional": True}``. ``seats``: the players' names.
    Raises `RulesError` with diagnostics when the rules or the choice of table are at fault; `ArgumentError` for arguments of
    another type (numbers of numpy are numbers), and unless there is no name for a seat, or one of its own for each.
    """
    return table_of(read_rules(path_given(path)), players, variants, options, seats)


def table_of(
    rules: Rules,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, str | int | bool] | None = None,
    seats: Iterable[str] = (),
) -> Game:
    """One table of rules that have been read. Raises the same."""
    found = specialise(rules.required(), players_given(players), names_given(variants, "variants"), options_given(options))
    sitting = names_given(seats, "seats") if found.table is None else seats_given(seats, found.table.players)
    built = built_from(found, sitting)
    table, machine = built.required()
    return Game(rules, table, machine, built.scalar_loops)


__all__ = [
    "ArgumentError", "ChanceEvent", "Decision", "Event", "Game", "IllegalMove", "NoWorld", "Option", "Outcome", "RulesError",
    "State", "load",
]  # fmt: skip
