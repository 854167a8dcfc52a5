"""The Python API: games, states, decisions, chance events, and what each seat may see.

`load` makes a `Game`, one table of a rules file; `Game.start` makes a `State`, one game in progress. A state stands at a
decision, at a chance event (only where chance is driven by hand), or at the end. Seats are counted from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from attrs import evolve, field, fields, frozen

from ..common.diagnostics import Diagnostic, Label, RulesError, fault
from ..common.nouns import spoken, with_article
from ..common.source import Span
from ..machine.columns import Columns
from ..machine.machine import EARLIER, Alternative, Chance, Choose, Domain, Fault, Group, Machine, Message
from ..machine.operators import Cells
from ..machine.record import hash_of
from ..machine.reference.executor import Executor, FunctionFault
from ..machine.reference.stops import Refusal, Stop, refusing
from ..model.model import OptionDeclaration
from ..rules import Rules, built_from, read_rules
from ..table.from_model import specialise
from ..table.from_model.fold import Settled
from ..table.table import Table
from .acts import Argument, arguments_in
from .arguments import (
    ArgumentError,
    bytes_given,
    function_given,
    game_number_given,
    listed,
    names_given,
    option_given,
    options_given,
    path_given,
    players_given,
    random_given,
    seat_given,
    seats_given,
    seed_given,
    shown,
    text_given,
    tries_given,
    truth_given,
    whole,
    whole_given,
)
from .knowledge.determinise import TRIES, NoWorld, Worlds
from .knowledge.sums import asked, known_slots, open_slots, stored_slots
from .knowledge.views import ValueSeen, View, view_of

if TYPE_CHECKING:
    from ..wasm.running.compiled import Compiled

EVENTS_LIMIT = 200_000  # events in the story of a game; each takes a kilobyte, and the longest real games have some thousands
SEAL = 8  # bytes before a saved record; enough that no damage goes unnoticed


class IllegalMove(ValueError):
    """An option or outcome that is not possible now; the text says why."""


@frozen
class Option:
    """One act that a decision is about. ``number``: its dense number in this game, which the option itself stands for as well.

    ``why_not``: "" when it is legal. ``place``: where the rules say why not. ``verb``, ``arguments``: the act as data.
    """

    number: int
    text: str
    legal: bool
    why_not: str = ""
    place: Span | None = field(default=None, eq=False, repr=False)
    verb: str = field(default="", repr=False)
    arguments: tuple[Argument, ...] = field(default=(), repr=False)

    def __index__(self) -> int:
        return self.number


@frozen
class Decision:
    """Somebody has to choose. ``options``: all acts offered here, by number, legal or not.

    ``about``: what else the player is told: which piece is to be laid, what was chosen so far of several things ("": nothing).
    """

    player: int
    options: tuple[Option, ...]
    about: str = ""

    @property
    def legal(self) -> tuple[Option, ...]:
        return tuple(option for option in self.options if option.legal)


@frozen
class Outcome:
    """What can come of a chance event: its ``number``, which it is as an index, and how likely it is beside the others."""

    number: int
    text: str
    weight: int

    def __index__(self) -> int:
        return self.number


@frozen
class ChanceEvent:
    """Something is drawn: the possible outcomes, with their integer weights."""

    text: str
    outcomes: tuple[Outcome, ...]


@frozen
class Event:
    """Something that happened, as seats saw it.

    ``kind``: an act of a player, a chance event, something shown (what is drawn last is no chance), or a line of the story.
    ``player``: who acted (0: nobody). ``number``: of the option or outcome. ``seen``: the seats that got ``text``, as a set of
    bits from seat 1; the others got ``hidden`` (None: nothing). ``outcome``: what came of a chance event, by name.
    ``told``: an act with the piece that it lays, for the story ("": there is none).
    """

    kind: Literal["act", "chance", "show", "note"]
    player: int
    number: int
    text: str
    seen: int
    hidden: str | None
    outcome: str = ""
    told: str = ""

    def text_for(self, seat: int | None) -> str | None:
        """What a seat (None: somebody who sees everything) reads of this. ArgumentError for what is no seat."""
        if seat is not None and whole_given(seat, "a seat") < 1:
            raise ArgumentError(f"seats go from 1; there is no seat {seat}")
        return self.text if seat is None or self.seen >> (seat - 1) & 1 else self.hidden


@frozen(eq=False, slots=False, repr=False)
class Game:
    """One table of a game, ready to be played. It never changes, so that a copy is the game itself; a pickle holds its rules."""

    rules: Rules
    table: Table
    machine: Machine
    scalar_loops: tuple[str, ...] = ()

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
    def columns(self) -> Columns:
        """The columns of the rows of its simulated games."""
        return Columns.of(self.machine)

    @cached_property
    def compiled(self) -> Compiled:
        """The table as a module."""
        from ..wasm.running.compiled import compiled_from

        return compiled_from(self.machine)

    @cached_property
    def playouts(self) -> Compiled:
        """The table as a module that plays whole random games and nothing else."""
        from ..wasm.running.compiled import compiled_from

        return compiled_from(self.machine, playouts_only=True)

    @cached_property
    def rules_hash(self) -> str:
        return self.rules.digest()

    @property
    def seat_names(self) -> tuple[str, ...]:
        return self.machine.seat_names

    @cached_property
    def executor(self) -> Executor:
        """What plays the machine, without a story."""
        return Executor(self.machine)

    @cached_property
    def _narrator(self) -> Executor:
        return Executor(self.machine, narrate=True)

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages in which the rules give a title."""
        return tuple(language for language, _ in self.table.titles if language)

    def title(self, language: str | None = None) -> str:
        """The title in a language; None: in English, else the first. ArgumentError where the rules give none in it."""
        titles = dict(self.table.titles)
        if language is not None:
            if text_given(language, "a language") not in self.languages:
                known = f"there are {', '.join(self.languages)}" if self.languages else "its title names no language"
                raise ArgumentError(f"`{self.name}` has no title in the language `{language}`: {known}")
            return titles[language]
        return titles.get("en") or titles.get("") or self.table.titles[0][1]

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
                Option(found.base + place, text_of(found, place), True, verb=found.text, arguments=arguments)
                for place, arguments in enumerate(arguments_in(self.machine, found))
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
        return text_of(group, number - group.base)


def _refused(option: Option, why: Refusal) -> Option:
    """An option that is not legal."""
    place = None if why.condition is None else why.condition.span
    return Option(option.number, option.text, False, why.text, place, option.verb, option.arguments)


def text_of(group: Group, position: int) -> str:
    """The act at a position of its group: the verb and what it takes."""
    values = group.values(position)
    return " ".join([group.text, *(d.name(v) for d, v in zip(group.arguments, values, strict=True))])


class State:
    """One game in progress. It changes when something is played; a copy of any kind goes its own way."""

    def __init__(
        self, game: Game, cells: list[int], stop: Stop, by_hand: bool, events: list[Event] | None, history: Iterable[int] = ()
    ) -> None:
        self.game = game
        self._executor = game.executor if events is None else game._narrator
        self._cells = cells
        self._stop = stop
        self._by_hand = by_hand
        self._events = events
        self._story = None if events is None else _Listener(events, (1 << game.players) - 1)
        self._history = list(history)  # options and outcomes of chance, in order
        self._worlds: tuple[int, int, Worlds] | None = None  # for a seat, after so much of the history
        self._sums: dict[tuple[int, str], list[tuple[int, set[int]]]] = {}  # after so much of the history, what scores take

    # ---- What is to be done

    @property
    def decision(self) -> Decision | None:
        """Who has to choose and from what; None at the end or at a chance event driven by hand."""
        if self._stop.kind != "decision":
            return None
        node = self._stop.node
        assert isinstance(node, Choose)
        offered = {alternative.group for alternative in node.alternatives}
        known = [option for group in sorted(offered) for option in self.game._options_of(group)]
        refused = self._executor.why_not_each(self._cells, [option.number for option in known])
        options = (_refused(option, refused[option.number]) if option.number in refused else option for option in known)
        return Decision(self.player, tuple(options), self.about)

    @property
    def about(self) -> str:
        """What the player is told of a decision beside its options (see `Decision`)."""
        if self._stop.kind != "decision":
            return ""
        node = self._stop.node
        assert isinstance(node, Choose)
        laid = {self.game.machine.groups[a.group].text: self._piece(a) for a in node.alternatives}
        told = [f"{verb} {piece}" for verb, piece in laid.items() if piece]
        if node.so_far is not None:
            told.append(self._executor.text(self._cells, node.so_far))
        return "; ".join(told)

    def told(self, option: int) -> str:
        """An option in the game's words, with the piece that it lays here: ``place domino 9 on d4 e4``.

        ArgumentError for a number that is none.
        """
        number = option_given(option, self.game.machine.options)
        group = self.game.machine.group_of(number)
        text = text_of(group, number - group.base)
        groups, node = self.game.machine.groups, self._stop.node
        offered = node.alternatives if isinstance(node, Choose) else ()
        pieces = [self._piece(each) for each in offered if groups[each.group] == group]
        return f"{group.text} {pieces[0]}{text[len(group.text) :]}" if len(pieces) == 1 and pieces[0] else text

    def _piece(self, alternative: Alternative) -> str:
        """What an alternative lays; "" for nothing, or nothing that the player sees."""
        piece = alternative.piece
        found = "" if piece is None else self._executor.text(self._cells, piece)
        return "" if found == "none" else found

    @property
    def player(self) -> int:
        """The seat that has to choose; 0 when nobody has."""
        return self._executor.player(self._cells) + 1 if self._stop.kind == "decision" else 0

    @property
    def decides_in_secret(self) -> bool:
        """Whether the player that has to choose can do something of which the others are not told."""
        node = self._stop.node
        return self._stop.kind == "decision" and isinstance(node, Choose) and any(each.secret for each in node.alternatives)

    @property
    def goes_on(self) -> bool:
        """Whether the last act is not complete: what is to be chosen is a further part of it."""
        return self._stop.goes_on

    @property
    def legal(self) -> list[int]:
        """The numbers of the legal options, ascending; empty when nobody has to choose."""
        return self._executor.options(self._cells) if self._stop.kind == "decision" else []

    def refusal(self, option: int) -> str:
        """The answer of `why_not`, also for a number that is no option of the game."""
        option = whole_given(option, "an option")
        if not 0 <= option < self.game.machine.options:
            return f"options go from 0 to {self.game.machine.options - 1}; there is no option {option}"
        return self.why_not(option)

    def why_not(self, option: int | str | Option) -> str:
        """Why an option is not allowed now, in the words of the rules; "" when it is. It is given as to `play`.

        ArgumentError for a number that is none.
        """
        if self._stop.kind != "decision":
            return "there is nothing to choose now"
        number = option_given(self._number_given(option), self.game.machine.options)
        refusal = self._executor.why_not(self._cells, number)
        return "" if refusal is None else refusal.text

    @property
    def chance(self) -> ChanceEvent | None:
        """The chance event that waits for `happen`; None when there is none (as always when chance has a seed)."""
        if self._stop.kind != "chance":
            return None
        node = self._stop.node
        assert isinstance(node, Chance)
        outcomes = self._executor.outcomes(self._cells)
        return ChanceEvent(
            self._executor.text(self._cells, node.hidden), tuple(Outcome(v, node.domain.name(v), w) for v, w in outcomes)
        )

    @property
    def place(self) -> Span | None:
        """Where in the rules it stands that somebody has to choose now; None when nobody has."""
        node = self._stop.node
        return node.span if self._stop.kind == "decision" and isinstance(node, Choose) else None

    # ---- Doing it

    def play(self, option: int | str | Option) -> None:
        """Take an option, by number or by its text, or one of a decision's own.

        `IllegalMove` when it is not legal, ArgumentError for what is neither.
        """
        self._must_be_at_a_decision()
        number = self._number_given(option)
        refusal = self.refusal(number)
        if refusal:
            raise IllegalMove(refusal)
        self._choose(number)

    def _must_be_at_a_decision(self) -> None:
        if self._stop.kind != "decision":
            raise IllegalMove("the game is over" if self.is_over else "there is nothing to choose now")

    def _number_given(self, option: object) -> int:
        number = self._number(option) if isinstance(option, str) else whole(option)
        if number is None:
            raise ArgumentError(f"an option is a whole number or a text, not {shown(option)}")
        return number

    def play_at_random(self) -> int:
        """Let the bot of the seat that has to choose take a legal option, each with the same chance; its number.

        The bot draws from the seat's own stream of random numbers, which a copy of the state has, too. `IllegalMove` where
        nobody has to choose.
        """
        self._must_be_at_a_decision()
        number = self._executor.pick(self._cells, self.player - 1)
        self._choose(number)
        return number

    def play_by(self, pick: Callable[[Executor, Cells, int, Sequence[int]], int]) -> int:
        """Let a bot take an option for the seat that has to choose (see `simulate.pickers.Picker`); its number.

        `IllegalMove` where nobody has to choose, or the bot takes what is not legal.
        """
        number = self.choice_by(pick)
        self.play(number)
        return number

    def choice_by(self, pick: Callable[[Executor, Cells, int, Sequence[int]], int]) -> int:
        """The option that a bot would take, likewise. Its seat's stream of random numbers goes on."""
        self._must_be_at_a_decision()
        return self._number_given(function_given(pick, "a bot")(self._executor, self._cells, self.player - 1, self._history))

    def follow(self, history: Sequence[int]) -> None:
        """Go on as another game did: play its options, and let its outcomes of chance (here driven by hand) happen.

        ArgumentError for what is no list of whole numbers, `IllegalMove` where the game cannot go on so: nothing has changed.
        """
        given = history if isinstance(history, Sequence) else None
        numbers = listed(given, EVENTS_LIMIT, _is_whole, "a history is that of a state, as in `history=state.history`")
        there = self.clone()
        for value in numbers:
            if there._stop.node is None:
                raise IllegalMove("the game is over before this history is")
            try:
                there._choose(value) if there._stop.kind == "decision" else there._happen(value)
            except (ValueError, IndexError):
                raise IllegalMove(f"{shown(value)} is not possible there") from None
        self._cells, self._stop, self._history = there._cells, there._stop, there._history
        self._events, self._story = there._events, there._story

    def happen(self, outcome: int | str | Outcome) -> None:
        """Let a chance event driven by hand have an outcome, by number or by its text, or one of the event's own. `IllegalMove`
        when it cannot, ArgumentError for what is none of these."""
        event = self.chance
        if event is None:
            raise IllegalMove("the game is over" if self.is_over else "there is no chance event now")
        wanted = " ".join(outcome.split()) if isinstance(outcome, str) else whole(outcome)
        if wanted is None:
            raise ArgumentError(f"an outcome is a whole number or a text, not {shown(outcome)}")
        for possible in event.outcomes:
            if wanted in (possible.number, possible.text):
                self._happen(possible.number)
                self._settle()
                return
        raise IllegalMove(f"`{wanted}` is not possible here")

    def draw(self) -> int:
        """Let a chance event driven by hand have the outcome that the seed gives; its number.

        `IllegalMove` where there is none.
        """
        if self._stop.kind != "chance":
            raise IllegalMove("the game is over" if self.is_over else "there is no chance event now")
        number = self._executor.draw(self._cells)
        self._happen(number)
        return number

    # ---- What there is

    @property
    def is_over(self) -> bool:
        return self._stop.kind in ("over", "fault")

    @property
    def fault(self) -> Diagnostic | None:
        """Why the game stopped before its end; None when it did not."""
        if self._stop.kind != "fault":
            return None
        found = diagnostic_of(self._stop)
        if found.code != "R601" or not self._stop.text:  # a record does not keep what was on offer
            return found
        assert self._stop.fault is not None
        places = refusing(self.game.machine, self._executor.refusals(self._cells, self._stop.fault))
        return evolve(found, labels=(*found.labels, *(Label(span, text) for span, text in places)))

    @property
    def scores(self) -> list[int]:
        """The score of each seat, as it would be if the game (or match) ended now. `RulesError` where the rules cannot say."""
        return [self._ask("score", seat) for seat in range(self.game.players)]

    @property
    def terms(self) -> dict[str, list[int]]:
        """The score sheet: for each term, its value by seat; in a match, for each term of each game (``coins, game 2``)."""
        return {t.title: [self._ask(t.function, seat) for seat in range(self.game.players)] for t in self.game.machine.terms}

    def terms_seen(self, seat: int) -> dict[str, list[int | None]]:
        """The score sheet as far as a seat can work it out from what it sees, and None for the rest; whole when all is over."""
        return {t.title: self._seen(t.function, seat) for t in self.game.machine.terms}

    def scores_seen(self, seat: int) -> list[int | None]:
        """The scores, likewise."""
        return self._seen("score", seat)

    def _seen(self, function: str, seat: int) -> list[int | None]:
        hidden = frozenset() if self.is_over else self.game._hidden_from(self._seat(seat))
        found = self._worked_out(function)
        if any(taken & hidden for _, taken in found):
            hidden -= known_slots(self.game.machine, self._cells, seat)
        return [None if taken & hidden else value for value, taken in found]

    def _worked_out(self, function: str) -> list[tuple[int, set[int]]]:
        """The value of a function for each player, and what of the record it takes; worked out once for all seats."""
        at = (len(self._history), function)
        if at not in self._sums:
            self._sums = {known: found for known, found in self._sums.items() if known[0] == at[0]}
            try:
                self._sums[at] = [
                    asked(self._cells, lambda cells, whose=whose: self._executor.evaluate(cells, function, whose))  # type: ignore[misc]
                    for whose in range(self.game.players)
                ]
            except FunctionFault as stopped:
                raise RulesError([diagnostic_of(stopped.stop)]) from None
        return self._sums[at]

    @property
    def team_scores(self) -> list[int]:
        """For each seat the score of its team (of itself, in a game without teams)."""
        return [self._ask("score of team", seat) for seat in range(self.game.players)]

    @property
    def returns(self) -> list[int]:
        """What each seat gets if the game (or match) ends now: its score, or what `returns of player` says."""
        return [self._ask(self.game.machine.returns, seat) for seat in range(self.game.players)]

    @property
    def keys(self) -> dict[str, list[int]]:
        """What the winner line compares, in its order: for each key, its value by seat (summed over teams; none is -1)."""
        return {k.label: [self._ask(k.function, seat) for seat in range(self.game.players)] for k in self.game.machine.keys}

    @property
    def ranking(self) -> list[list[int]]:
        """The seats, best first; seats that share a place stand together."""
        rest = (1 << self.game.players) - 1
        found: list[list[int]] = []
        while rest:
            first = self._ask(self.game.machine.winner, rest) or rest
            found.append([seat + 1 for seat in range(self.game.players) if first >> seat & 1])
            rest &= ~first
        return found

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, in order. Empty for a game without a story."""
        return tuple(self._events or ())

    @property
    def history(self) -> tuple[int, ...]:
        """The numbers of all options that were taken and of all outcomes of chance, in order."""
        return tuple(self._history)

    def observed(self, seat: int) -> tuple[str, ...]:
        """The information state of a seat as text: all it saw of acts, chance and what was shown, in order.

        ValueError for a game without a story.
        """
        number = self._seat(seat)
        if self._events is None:
            raise ValueError("what a seat has observed is kept only with a story: `start(..., story=True)`")
        shown = (e.text_for(number) for e in self.events if e.kind != "note")
        return tuple(text for text in shown if text is not None)

    def view(self, seat: int | None = None) -> View:
        """What a seat sees and knows of the position now (None: everything)."""
        found = view_of(self.game.machine, self._cells, None if seat is None else self._seat(seat))
        return evolve(found, values=(*found.values, *self._earlier_scores()))

    # ---- Copies

    def clone(self) -> State:
        """An independent copy."""
        events = None if self._events is None else list(self._events)
        copy = State(self.game, list(self._cells), self._stop, self._by_hand, events, self._history)
        copy._worlds = self._worlds
        return copy

    def reseeded(self, seed: int, game: int = 0, by_hand: bool = False) -> State:
        """A copy whose chance and bots draw from here on as those of game number ``game`` of a seed do from its beginning.

        ``by_hand``: as of `Game.start`. Both numbers are whole numbers from 0 to 2**64 - 1, or it is an ArgumentError.
        """
        copy = self.clone()
        copy._by_hand = truth_given(by_hand, "by_hand")
        copy._executor.reseed(copy._cells, seed_given(seed), game_number_given(game))
        copy._settle()
        return copy

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.game, self._cells, self._stop, self._by_hand, self._events, self._history)

    def determinise(self, seat: int, random: Random, tries: int = TRIES) -> State:
        """Another game in progress that the seat (from 1) cannot tell from this one: a determinisation.

        What it does not know (components that lie hidden, how they came there, hidden choices, the chance to come) is drawn
        anew, and the whole log is played again: the seat observes the same, everything in it is allowed. A story is kept if
        it is kept here. Further worlds of one position are cheaper than the first. `NoWorld` when none is found in so many
        tries. ValueError for a position of which the history is not known: one from bytes without its events;
        ArgumentError for what is no `random.Random`.
        """
        random, tries = random_given(random), tries_given(tries)
        key = (self._seat(seat), len(self._history))
        if self._worlds is None or self._worlds[:2] != key:
            self._worlds = (*key, self._worlds_for(key[0]))
        world = self._worlds[2].draw(random, tries)
        if self._events is None:
            return State(self.game, list(world.cells), world.stop, self._by_hand, None, world.history)
        state = self.game.start()
        state.follow(world.history)
        state._cells, state._by_hand = list(world.cells), self._by_hand
        return state

    def _worlds_for(self, seat: int) -> Worlds:
        unknown = "it is not known how the game came to this position: worlds need all events since its start"
        try:
            worlds = Worlds(self.game.executor, self._history, seat - 1)
        except ValueError:
            raise ValueError(unknown) from None
        if self._executor.record.game(self._executor.pack(worlds.cells)) != self._position():
            raise ValueError(unknown)
        return worlds

    def to_bytes(self) -> bytes:
        """The whole position, random streams included: a seal of 8 bytes, then the flat record (see `Machine.layout`)."""
        record = self._executor.pack(self._cells)
        return self.game._seal(record) + record

    def __hash__(self) -> int:
        """Equal for equal positions (the first region of the record): how they came about does not count."""
        return hash_of(self._position())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        same = self.game is other.game or self.game.table_digest == other.game.table_digest
        return same and self._position() == other._position()

    def _position(self) -> bytes:
        return self._executor.record.game(self._executor.pack(self._cells))

    # ---- Inside

    def _ask(self, function: str, argument: int) -> int:
        try:
            return self._executor.evaluate(self._cells, function, argument)
        except FunctionFault as stopped:
            raise RulesError([diagnostic_of(stopped.stop)]) from None

    def _earlier_scores(self) -> Iterator[ValueSeen]:
        """In a match, the sum of each seat over the games before this one."""
        if EARLIER in self.game.machine.functions:
            for seat, name in enumerate(self.game.seat_names):
                yield ValueSeen(EARLIER, name, str(self._ask(EARLIER, seat)), seat + 1)

    def _seat(self, seat: int) -> int:
        return seat_given(seat, self.game.players, 1)

    def _go(self, stop: Stop) -> None:
        self._stop = self._while_it_can_be_told(stop)
        self._settle()

    def _while_it_can_be_told(self, stop: Stop) -> Stop:
        """The given stop, or a fault if the story of a game that goes on has become too long."""
        if stop.node is None or self._events is None or len(self._events) < EVENTS_LIMIT:
            return stop
        text = f"the game was still going after {EVENTS_LIMIT:,} events"
        help = "let the game end after a number of rounds at the latest"
        return Stop("fault", None, Fault("R607", Message((text,)), stop.node.span, help), text)

    def _choose(self, number: int) -> None:
        self._note_act(number)
        self._history.append(number)
        self._go(self._executor.choose(self._cells, number, self._story))

    def _settle(self) -> None:
        """Let seeded chance happen until somebody has to choose."""
        while self._stop.kind == "chance" and not self._by_hand:
            self._happen(self._executor.draw(self._cells))

    def _happen(self, value: int) -> None:
        node = self._stop.node
        assert isinstance(node, Chance)
        if self._story is not None:
            self._story.chance = (value, node.domain.name(value))
        self._history.append(value)
        self._stop = self._while_it_can_be_told(self._executor.happen(self._cells, value, self._story))

    def _number(self, text: str) -> int:
        wanted = " ".join(text.split())
        assert isinstance(self._stop.node, Choose)
        for alternative in self._stop.node.alternatives:
            group = self.game.machine.groups[alternative.group]
            for position in range(group.size):
                said = text_of(group, position)
                if wanted in (said, f"{group.verb} {said}", f"{group.verb}{said[len(group.text) :]}"):
                    return group.base + position
        raise IllegalMove(f"there is no option `{text}` here")

    def _note_act(self, number: int) -> None:
        if self._events is None:
            return
        seen = self._executor.seen(self._cells, number)
        group = self.game.machine.group_of(number)
        taken = " and ".join(with_article(self._noun(domain)) for domain in group.arguments)
        hidden = None if self._secret(group) else f"{group.text} {taken}, face down" if taken else group.text
        text, told = text_of(group, number - group.base), self.told(number)
        self._events.append(Event("act", self.player, number, text, seen, hidden, told="" if told == text else told))

    def _secret(self, group: Group) -> bool:
        """Whether those who do not see what an act here takes do not see the act at all."""
        assert isinstance(self._stop.node, Choose)
        groups = self.game.machine.groups
        return any(a.secret for a in self._stop.node.alternatives if groups[a.group] == group)

    def _noun(self, domain: Domain) -> str:
        """What a value of a domain is, when nothing more may be said of it."""
        game = self.game
        kinds = ((kind, known.names) for kind, known in game.machine.kinds.items())
        named = ("player", game.seat_names), *kinds, *game.table.lists.items()
        return next((spoken(name) for name, words in named if tuple(map(spoken, words)) == domain.names), "number")


def _is_whole(found: object) -> bool:
    return whole(found) is not None


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


def diagnostic_of(stop: Stop) -> Diagnostic:
    """What stopped a game, or the answer to a question about it."""
    assert stop.fault is not None
    why = stop.fault
    return fault(why.code, stop.text or "the game stopped here", why.span, *why.places, help=why.help)


class _Listener:
    """Writes what an executor tells into a list of events."""

    def __init__(self, events: list[Event], everybody: int) -> None:
        self.events = events
        self.everybody = everybody
        self.chance: tuple[int, str] | None = None  # the outcome whose text comes next, by number and name

    def note(self, text: str, seen: int, hidden: str | None) -> None:
        if self.chance is not None:
            number, outcome = self.chance
            self.events.append(Event("chance", 0, number, text, seen, hidden, outcome))
            self.chance = None
        else:
            self.events.append(Event("note", 0, -1, text, seen, hidden))

    def show(self, text: str, seen: int, hidden: str | None) -> None:
        self.events.append(Event("show", 0, -1, text, seen, hidden))


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
