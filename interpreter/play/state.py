"""One game in progress: what is to be done, what there is, copies of it, and worlds that a seat cannot tell from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from random import Random
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ..common.diagnostics import Diagnostic, Label, RulesError, fault
from ..common.nouns import spoken
from ..common.source import Span
from ..machine.machine import EARLIER, Alternative, Chance, Choose, Domain, Fail, Fault, Group, Message, Sources
from ..machine.operators import Cells
from ..machine.record import hash_of
from ..machine.reference.executor import NOT_OFFERED, Executor, FunctionFault
from ..machine.reference.stops import Refusal, Stop, refusing
from ..words.words import Words, marked
from .arguments import (
    ArgumentError,
    function_given,
    game_number_given,
    listed,
    option_given,
    random_given,
    seat_given,
    seed_given,
    shown,
    tries_given,
    truth_given,
    whole,
    whole_given,
)
from .decisions import ChanceEvent, Decision, Event, IllegalMove, Option, Outcome, text_of, verb_of
from .knowledge.determinise import TRIES, Worlds
from .knowledge.sums import asked, known_slots
from .knowledge.views import ValueSeen, View, view_of

if TYPE_CHECKING:
    from .game import Game


OVER, NOTHING = marked("the game is over"), marked("there is nothing to choose now")
NO_CHANCE = marked("there is no chance event now")
EVENTS_LIMIT = 200_000  # events in the story of a game; each takes a kilobyte, and the longest real games have some thousands


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
        options = (self._refused(option, refused[option.number]) if option.number in refused else option for option in known)
        return Decision(self.player, tuple(options), self.about, self._sources(node))

    def _refused(self, option: Option, why: Refusal) -> Option:
        """An option that is not legal."""
        place = None if why.condition is None else why.condition.span
        return Option(option.number, option.text, False, self._why(why), place, option.verb, option.arguments)

    def _sources(self, node: Choose) -> dict[int, Sources]:
        """From where the arguments of each act are taken; of one that is offered in several ways, only what all of them say."""
        found: dict[int, Sources] = {}
        for each in node.alternatives:
            first = self.game.machine.groups[each.group].base
            agreed = found.setdefault(first, each.sources) == each.sources
            found[first] = each.sources if agreed else ()
        return found

    @property
    def about(self) -> str:
        """What the player is told of a decision beside its options (see `Decision`)."""
        if self._stop.kind != "decision":
            return ""
        node = self._stop.node
        assert isinstance(node, Choose)
        laid = {self._verb(self.game.machine.groups[a.group]): self._piece(a) for a in node.alternatives}
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
        text, verb = text_of(group, number - group.base, self.game.speaks), self._verb(group)
        groups, node = self.game.machine.groups, self._stop.node
        offered = node.alternatives if isinstance(node, Choose) else ()
        pieces = [self._piece(each) for each in offered if groups[each.group] == group]
        return f"{verb} {pieces[0]}{text[len(verb) :]}" if len(pieces) == 1 and pieces[0] else text

    def _verb(self, group: Group) -> str:
        return verb_of(group, self.game.speaks)

    def _said(self, domain: Domain, value: int) -> str:
        """The name of a value in the language of the game."""
        return domain.say(value) if self.game.speaks else domain.name(value)

    def _piece(self, alternative: Alternative) -> str:
        """What an alternative lays; "" for nothing, or nothing that the player sees."""
        piece = alternative.piece
        if piece is None or piece.domain is None:
            return ""
        found = self._executor.text(self._cells, piece)
        return "" if found == (piece.domain.unset if self.game.speaks else "none") else found

    @property
    def player(self) -> int:
        """The seat that has to choose; 0 when nobody has."""
        return self._executor.player(self._cells) + 1 if self._stop.kind == "decision" else 0

    @property
    def decides_in_secret(self) -> bool:
        """Whether the player that has to choose can do something of which the others are not told. Of choices at once they are,
        when all have chosen; but not who had no choice."""
        node = self._stop.node
        if self._stop.kind != "decision" or not isinstance(node, Choose):
            return False
        is_told = node.at_once and any(isinstance(each, Fail) for each in node.impossible)
        return not is_told and any(each.secret for each in node.alternatives)

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
            return self._words.phrase(NOTHING)
        number = option_given(self._number_given(option), self.game.machine.options)
        refusal = self._executor.why_not(self._cells, number)
        return "" if refusal is None else self._why(refusal)

    def _why(self, refusal: Refusal) -> str:
        """Why an option is not allowed."""
        return self._words.phrase(refusal.text) if refusal.message is NOT_OFFERED else refusal.text

    @property
    def _words(self) -> Words:
        return self.game.words

    @property
    def chance(self) -> ChanceEvent | None:
        """The chance event that waits for `happen`; None when there is none (as always when chance has a seed)."""
        if self._stop.kind != "chance":
            return None
        node = self._stop.node
        assert isinstance(node, Chance)
        outcomes = self._executor.outcomes(self._cells)
        return ChanceEvent(
            self._executor.text(self._cells, node.hidden), tuple(Outcome(v, self._said(node.domain, v), w) for v, w in outcomes)
        )

    @property
    def written(self) -> State:
        """The same game in the rules' own words, with its story: as it is written down, and as bots and programs see it."""
        return self.in_game(self.game.written)

    def in_game(self, game: Game) -> State:
        """The same game in progress in the words of another language of its table. Its events are told anew.

        ArgumentError for what is no game of this table.
        """
        if getattr(game, "written", None) is not self.game.written:
            raise ArgumentError(f"a game in other words is one that `in_language` gives, not {shown(game)}")
        if game is self.game:
            return self
        state = game.start(story=self._events is not None)
        with suppress(IllegalMove):
            state.follow(self._history)
        if state._position() != self._position():  # it is not known how the game came here
            state._events = None if self._events is None else []
            state._stop = state._executor.stop(list(self._cells))
            state._history = list(self._history)
        state._cells, state._by_hand = list(self._cells), self._by_hand
        return state

    @property
    def place(self) -> Span | None:
        """Where in the rules it stands that somebody has to choose now; None when nobody has."""
        node = self._stop.node
        return node.span if self._stop.kind == "decision" and isinstance(node, Choose) else None

    @property
    def at_once(self) -> bool:
        """Whether others choose at the same time as whoever has to choose now: nobody is told anything before all have."""
        node = self._stop.node
        return self._stop.kind == "decision" and isinstance(node, Choose) and node.at_once

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
            raise IllegalMove(self._words.phrase(OVER if self.is_over else NOTHING))

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
            raise IllegalMove(self._words.phrase(OVER if self.is_over else NO_CHANCE))
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
            raise IllegalMove(self._words.phrase(OVER if self.is_over else NO_CHANCE))
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
            hidden -= self.game._counted_by(function)
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
    def keys(self) -> dict[str, list[int | None]]:
        """What the winner line compares, in its order: for each key, its value by seat, None where it is none (summed over
        teams)."""
        found: dict[str, list[int | None]] = {}
        for key in self.game.machine.keys:
            values = [self._ask(key.function, seat) for seat in range(self.game.players)]
            found[key.label] = [None if value == key.none else value for value in values]
        return found

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
        game = self.game
        words = game.words if game.speaks else None
        found = view_of(game.machine, self._cells, None if seat is None else self._seat(seat), words)
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
                value, label = str(self._ask(EARLIER, seat)), self.game.words.phrase("earlier score")
                written_of = self.game.machine.seat_names[seat]
                yield ValueSeen(EARLIER, name, value, seat + 1, label, name, written=value, written_of=written_of)

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
            self._story.chance = (value, self._said(node.domain, value))
        self._history.append(value)
        self._stop = self._while_it_can_be_told(self._executor.happen(self._cells, value, self._story))

    def _number(self, text: str) -> int:
        wanted = " ".join(text.split())
        assert isinstance(self._stop.node, Choose)
        for alternative in self._stop.node.alternatives:
            group = self.game.machine.groups[alternative.group]
            for position in range(group.size):
                said = text_of(group, position)
                ways = [said, f"{group.verb} {said}", f"{group.verb}{said[len(group.text) :]}"]
                if self.game.speaks:
                    ways.append(text_of(group, position, speaks=True))
                if wanted in ways:
                    return group.base + position
        raise IllegalMove(self._words.phrase("there is no option `{text}` here", text=text))

    def _note_act(self, number: int) -> None:
        if self._events is None:
            return
        seen = self._executor.seen(self._cells, number)
        group = self.game.machine.group_of(number)
        taken = [self._noun(domain) for domain in group.arguments]
        hidden = None
        if not self._secret(group):
            verb = (self.game.speaks and group.said) or group.text
            things = reduce(self._and, taken) if taken else ""
            hidden = self._words.phrase("{act} {things}, face down", act=verb, things=things) if things else verb
        text, told = text_of(group, number - group.base, self.game.speaks), self.told(number)
        self._events.append(Event("act", self.player, number, text, seen, hidden, told="" if told == text else told))

    def _and(self, first: str, last: str) -> str:
        return self._words.phrase("{first} and {last}", first=first, last=last)

    def _secret(self, group: Group) -> bool:
        """Whether those who do not see what an act here takes do not see the act at all."""
        assert isinstance(self._stop.node, Choose)
        groups = self.game.machine.groups
        return any(a.secret for a in self._stop.node.alternatives if groups[a.group] == group)

    def _noun(self, domain: Domain) -> str:
        """What a value of a domain is, when nothing more may be said of it: ``a card``."""
        words, machine = self.game.words, self.game.machine
        if domain.names == machine.seat_names:
            return words.phrase("a player")
        kinds = (kind for kind, known in machine.kinds.items() if known.names == domain.names)
        if (kind := next(kinds, None)) is not None:
            return words.one("kind", kind)
        lists = (name for name, each in self.game.table.lists.items() if tuple(map(spoken, each)) == domain.names)
        if (found := next(lists, None)) is not None:
            return words.one("list", found)
        return words.phrase("a number")


def _is_whole(found: object) -> bool:
    return whole(found) is not None


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

    def note(self, text: str, seen: int, hidden: str | None, sentence: str) -> None:
        if self.chance is not None:
            number, outcome = self.chance
            self.events.append(Event("chance", 0, number, text, seen, hidden, outcome, sentence=sentence))
            self.chance = None
        else:
            self.events.append(Event("note", 0, -1, text, seen, hidden, sentence=sentence))

    def show(self, text: str, seen: int, hidden: str | None, sentence: str) -> None:
        self.events.append(Event("show", 0, -1, text, seen, hidden, sentence=sentence))
