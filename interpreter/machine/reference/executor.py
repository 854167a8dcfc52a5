"""The reference executor: plays a machine step by step; made to be read, and the arbiter of what rules mean.

A game in progress is its *cells*: a list of numbers, first the elements of the record, then scratch, then a few numbers of the
executor's own (the answers of the stop, so that legal options are computed once). Copying the list is cloning the game. One
executor plays any number of games, in several threads at once: it keeps nothing of a game. One game belongs to one thread at a
time, even for questions that change nothing.

Both executors agree on the following, beside the order of evaluation that `closures.py` states:

- Rounds of loops that might not end are counted: since it began and, of a loop that stops, since the last decision.
- At a decision, ``legal`` of each alternative is evaluated, in order, all of them; nothing else is, until an option is chosen.
  Then ``player``, then ``seen`` with the arguments set; then the seats observe the act, and the body runs. At a chance event it
  is ``pool``, then ``seen`` with the result set; where the pool has one bit it is no stop, but observed all the same.
- A decision that would be one more than `DECISIONS_LIMIT` is a fault instead.
- At the end of the game everything of the flow is zero, but for the status.

After changing cells by hand, call `Executor.stop` before anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from ...words.words import marked
from ..analysis import derived
from ..analysis.layout import FAULT, RUNNING
from ..analysis.layout import OVER as STATUS_OVER
from ..bitsets import members, select
from ..faults import Faults
from ..machine import Alternative, Condition, Fail, Fault, Invoke, Load, Local, Machine, Message, Say
from ..operators import Cells, Value
from ..random_streams import below, next_word, stream_key
from ..record import Record
from .closures import BROKEN_PROMISES, Closures, Faulted, GameOver, Shown, StoryLine, Watcher
from .observation import ACT, ACT_UNSEEN, Observer, observed
from .steps import compile_flow, slots_of, zeros
from .stops import HALTED, OVER, STOPPED, ChanceEvent, Decision, Offer, Refusal, Step, Stop, Story, tell

_Answer = TypeVar("_Answer")

NOBODY: Mapping[str, Watcher] = MappingProxyType({})  # watches
NOT_OFFERED = Message((marked("this is not on offer now"),))


class FunctionFault(Exception):
    """A function that was asked for from outside stops with a fault: ``stop`` says which. The game is as it was."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop.text)
        self.stop = stop


class Executor:
    """Plays one machine. With ``narrate``, `Note`, `Show` and `Chance` tell a story. ``watched``, ``speaks``: see `Closures`."""

    def __init__(
        self, machine: Machine, narrate: bool = False, watched: Mapping[str, Watcher] = NOBODY, speaks: bool = False
    ) -> None:
        self.machine = machine
        self.record = Record(machine.layout)
        self._flow, self._faults = derived.flow(machine), derived.faults(machine)
        self._slots = slots_of(machine.layout, derived.control(machine))
        self._no_rounds = [0] * derived.control(machine).rounds.length
        self._observer = Observer(self._slots.digest, machine.seats)
        self._closures = Closures(
            machine.layout,
            machine.functions,
            machine.routines,
            self._faults,
            self._observer,
            derived.rounds(machine),
            narrate,
            watched,
            speaks,
        )
        found = compile_flow(machine, self._flow, self._slots, self._faults, self._closures)
        self._steps, self._decisions, self._events = found.steps, found.decisions, found.events
        self._without_options = found.without_options
        answers = max([1, *(len(decision.offers) for decision in self._decisions.values())])
        self._length = self._slots.answers + answers
        self._own = [0] * (self._length - machine.layout.slots)
        kept = [variable for variable in machine.layout.record if isinstance(variable, Local)]
        self._flow_state = zeros(machine.layout, kept) + [(slot, 0) for slot in self._slots.returns.values()]
        self._evaluators: dict[str, Value] = {}

    @property
    def faults(self) -> Faults:
        """All faults that can stop a game. The ``fault`` of a `Stop` is one of these very objects."""
        return self._faults

    @property
    def without_options(self) -> Mapping[int, int]:
        """By site of a decision, in how many cases nobody was asked since nothing was legal; over all games played so far."""
        return self._without_options

    def leave_off(self) -> None:
        """Called by another thread: whatever is played raises `OutOfTime` as soon as it hears that."""
        self._closures.time_is_over[0] = True

    def go_on(self) -> None:
        """Forget that."""
        self._closures.time_is_over[0] = False

    @property
    def is_to_leave_off(self) -> bool:
        """Whether whatever is played shall leave off."""
        return self._closures.time_is_over[0]

    # ---- Games

    def fresh(self, seed: int = 0, game: int = 0) -> Cells:
        """A game that has not begun; its random streams are those of game number ``game`` of ``seed``."""
        cells = self.record.fresh() + self._own
        self.reseed(cells, seed, game)
        return cells

    def reseed(self, cells: Cells, seed: int, game: int) -> None:
        """Give a game the random streams with which game number ``game`` of ``seed`` begins."""
        for stream in range(1 + self.machine.seats):
            cells[self._slots.streams + stream] = stream_key(seed, game, stream)

    def pack(self, cells: Cells) -> bytes:
        """The record of a game. ValueError where a value does not fit."""
        return self.record.pack(cells)

    def unpack(self, data: bytes) -> Cells:
        """The game of a record. ValueError for a wrong size."""
        return self.record.unpack(data) + self._own

    def enter(self, cells: Cells, routine: str | None = None, arguments: Sequence[int] = (), story: Story | None = None) -> Stop:
        """Run a routine on its own, up to the first stop; at its end the machine halts. None: the whole game.

        Where the game stood before is forgotten, an end or a fault too. ValueError for an unknown routine or another number
        of arguments.
        """
        if routine is None:
            return self.enter_main(cells, 0, story)
        found = self.machine.routines.get(routine)
        if found is None:
            raise ValueError(f"there is no routine {routine}")
        if len(arguments) != len(found.parameters):
            raise ValueError(f"{routine} takes {len(found.parameters)} arguments, not {len(arguments)}")
        self._reset(cells)
        for parameter, argument in zip(found.parameters, arguments, strict=True):
            cells[self._closures.slot(parameter)] = argument
        if found.stops:
            return self._run(cells, self._steps[self._flow.entries[routine]], story)
        body = self._closures.routine_body(found)

        def run_to_its_end(cells: Cells) -> int:
            body(cells)
            return HALTED

        return self._run(cells, run_to_its_end, story)

    def enter_main(self, cells: Cells, index: int, story: Story | None = None) -> Stop:
        """Run the main flow from its routine number ``index`` on (the number of routines: only the end)."""
        if not 0 <= index <= len(self.machine.main):
            raise ValueError(f"the game has {len(self.machine.main)} parts, so no part {index}")
        self._reset(cells)
        return self._run(cells, self._steps[self._flow.main[index]], story)

    def stop(self, cells: Cells) -> Stop:
        """Where a game stands. What is legal or possible there is worked out anew."""
        self._lengthen(cells)
        slots = self._slots
        cells[slots.asked] = 0
        number = cells[slots.site] - 1
        if cells[slots.status] == STATUS_OVER:
            return Stop("over")
        if cells[slots.status] == FAULT:
            return Stop("fault", None, self._faults.table[number])
        found = self._decisions.get(number) or self._events.get(number)
        if found is None:
            return Stop("halt")
        ask = found.ask

        def ask_again(cells: Cells) -> int:
            ask(cells)
            cells[slots.asked] = number + 1
            return STOPPED

        return self._run(cells, ask_again, None)

    # ---- Decisions

    def legal(self, cells: Cells, alternative: int) -> int:
        """The legal positions of the alternative number ``alternative`` of the decision, as a set."""
        return cells[self._decision(cells).offers[alternative].answer]

    def options(self, cells: Cells) -> list[int]:
        """The numbers of the legal options, ascending."""
        found: list[int] = []
        for base, legal in self._decision(cells).legal_by_group(cells):
            found += members(legal, base)
        return found

    def player(self, cells: Cells) -> int:
        """Who decides."""
        return self._asked(cells, self._decision(cells).player)

    def seen(self, cells: Cells, value: int) -> int:
        """The players who would see the arguments of a legal option, or an outcome of chance. ValueError if it cannot be."""
        self._answer(cells)
        if cells[self._slots.asked] - 1 in self._events:
            event = self._event_with(cells, value)
            before, cells[event.result] = cells[event.result], value
            try:
                return self._asked(cells, event.seen)
            finally:
                cells[event.result] = before
        offer = _allowing(self._decision(cells), cells, value)
        return self._with_option(cells, offer, value, lambda cells: self._asked(cells, offer.seen))

    def why_not(self, cells: Cells, option: int) -> Refusal | None:
        """Why an option is not legal now; None if it is. ValueError for a number that is no option of the machine."""
        if not 0 <= option < self.machine.options:
            raise ValueError(f"the game has {self.machine.options} options, so no option {option}")
        return self.why_not_each(cells, (option,)).get(option)

    def why_not_each(self, cells: Cells, options: Iterable[int]) -> dict[int, Refusal]:
        """The refusal of each of these options that is not legal now, by number; the legal ones are left out.

        Of several alternatives that offer it, one speaks whose condition failed before one that it is no candidate of.
        """
        offers = self._decision(cells).offers
        found: dict[int, Refusal] = {}
        illegal = [option for option in options if not any(offer.allows(cells, option) for offer in offers)]
        for offer in offers:
            mine = [option for option in illegal if offer.offers(option)]
            for option, refusal in zip(mine, self._refusals_of(cells, offer, mine), strict=True):
                before = found.setdefault(option, refusal)
                if before.condition is None and refusal.condition is not None:
                    found[option] = refusal
        for option in illegal:
            if option not in found:
                found[option] = Refusal(None, NOT_OFFERED, self.text(cells, NOT_OFFERED))
        return found

    def refusals(self, cells: Cells, fault: Fault) -> list[tuple[Alternative, list[Refusal]]]:
        """Where nothing was allowed, and the game has stopped with this very ``fault`` for it: for each alternative of the
        decision, why each of its candidates was not. Empty for any other fault."""
        found = []
        for decision in self._decisions.values():
            if any(isinstance(stmt, Fail) and stmt.fault is fault for stmt in decision.node.impossible):
                for offer in decision.offers:
                    options = members(self._asked(cells, offer.candidates), offer.base)
                    found.append((offer.node, self._refusals_of(cells, offer, options)))
                break
        return found

    def choose(self, cells: Cells, option: int, story: Story | None = None) -> Stop:
        """Take an option and run on to the next stop. ValueError if it is not legal."""
        decision = self._decision(cells)
        offer = _allowing(decision, cells, option)
        site = decision.node.site
        slots, no_rounds = self._slots, self._no_rounds

        def take(cells: Cells) -> int:
            cells[slots.rounds] = no_rounds
            player = decision.player(cells)
            offer.assign(cells, option - offer.base)
            seen = offer.seen(cells)
            act = observed(ACT, site, player, option)
            verb = observed(ACT_UNSEEN, site, player, offer.node.group)
            if offer.node.secret:
                self._observer.observe(cells, seen, ACT, site, player, option)
            else:
                self._observer.observe_or_else(cells, seen, act, verb)
            cells[slots.decisions] += 1
            cells[slots.site] = 0
            return offer.target

        return self._run(cells, take, story)

    def pick(self, cells: Cells, seat: int) -> int:
        """The option that the random bot of a seat takes: each legal one with the same chance, drawn from its own stream."""
        groups = self.legal_by_group(cells)
        index = self.draw_below(cells, seat, sum([legal.bit_count() for _, legal in groups]))
        for base, legal in groups:
            count = legal.bit_count()
            if index < count:
                return base + select(legal, index)
            index -= count
        raise AssertionError("the index is below the number of legal options")

    def legal_by_group(self, cells: Cells) -> list[tuple[int, int]]:
        """For each group on offer, ascending, its first option number and its legal positions (there may be none)."""
        return self._decision(cells).legal_by_group(cells)

    def draw_below(self, cells: Cells, seat: int, n: int) -> int:
        """A number below ``n`` from the stream of a seat's bot (see `random_streams.below`)."""
        stream = self._slots.streams + 1 + seat
        cells[stream], value = below(cells[stream], n)
        return value

    def draw_word(self, cells: Cells, seat: int) -> int:
        """A word of 64 bits from the stream of a seat's bot."""
        stream = self._slots.streams + 1 + seat
        cells[stream], word = next_word(cells[stream])
        return word

    # ---- Chance

    def outcomes(self, cells: Cells) -> list[tuple[int, int]]:
        """The possible values of the chance event, ascending, each with its weight: the number of its bits in the pool."""
        event = self._event(cells)
        weights: dict[int, int] = {}
        for bit in members(cells[event.answer]):
            value = event.values[bit]
            weights[value] = weights.get(value, 0) + 1
        return sorted(weights.items())

    def happen(self, cells: Cells, value: int, story: Story | None = None) -> Stop:
        """Let the chance event have a value and run on to the next stop. ValueError if the value is not possible."""
        event = self._event_with(cells, value)
        slots = self._slots

        def take(cells: Cells) -> int:
            cells[event.result] = value
            event.observe(cells)
            cells[slots.site] = 0
            event.tell(cells)
            return event.target

        return self._run(cells, take, story)

    def draw(self, cells: Cells) -> int:
        """A value for the chance event from the game's own stream: each bit of the pool with the same chance."""
        event = self._event(cells)
        pool = cells[event.answer]
        stream = self._slots.streams
        cells[stream], index = below(cells[stream], pool.bit_count())
        return event.values[select(pool, index)]

    # ---- Values and texts

    def digest(self, cells: Cells, seat: int) -> int:
        """The digest of all that a seat (from 0) has observed."""
        return cells[self._slots.digest + seat]

    def evaluate(self, cells: Cells, function: str, *arguments: int) -> int:
        """The value of a function. `FunctionFault` where it stops with a fault.

        ValueError for an unknown function or another number of arguments.
        """
        found = self.machine.functions.get(function)
        if found is None:
            raise ValueError(f"there is no function {function}")
        if len(arguments) != len(found.parameters):
            raise ValueError(f"{function} takes {len(found.parameters)} arguments, not {len(arguments)}")
        value = self._evaluators.get(function)
        if value is None:
            loaded = tuple(Load(parameter) for parameter in found.parameters)
            value = self._evaluators[function] = self._closures.value(Invoke(function, loaded))
        self._lengthen(cells)
        for parameter, argument in zip(found.parameters, arguments, strict=True):
            cells[self._closures.slot(parameter)] = argument
        return self._asked(cells, value)

    def text(self, cells: Cells, message: Message | Say) -> str:
        """Say a message of the machine, or one part of it, now."""
        self._lengthen(cells)
        return self._closures.text(message)(cells)

    # ---- How it runs

    def _run(self, cells: Cells, first: Step, story: Story | None) -> Stop:
        """Run a first step, then block after block, to the next stop."""
        steps, stories = self._steps, self._closures.stories
        lines: list[StoryLine | Shown] = []
        if story is not None:
            stories[id(cells)] = lines
        try:
            block = first(cells)
            while block >= 0:
                block = steps[block](cells)
        except GameOver:
            block = OVER
        except Faulted as faulted:
            return self._stopped_by(cells, faulted.number, story, lines)
        except BROKEN_PROMISES:
            return self._stopped_by(cells, self._faults.broken, story, lines)
        finally:
            if story is not None:
                del stories[id(cells)]
        if story is not None:
            tell(story, lines)
        if block == STOPPED:
            site = cells[self._slots.site] - 1
            return (self._decisions.get(site) or self._events[site]).stop
        if block == OVER:
            self._reset(cells)
            cells[self._slots.status] = STATUS_OVER
            return Stop("over")
        return Stop("halt")

    def _stopped_by(self, cells: Cells, number: int, story: Story | None, lines: Sequence[StoryLine | Shown]) -> Stop:
        """Stop a game for good."""
        cells[self._slots.status] = FAULT
        cells[self._slots.site] = number + 1
        cells[self._slots.asked] = 0
        if story is not None:
            tell(story, lines)
        return self._fault(cells, number)

    def _fault(self, cells: Cells, number: int) -> Stop:
        fault = self._faults.table[number]
        return Stop("fault", None, fault, self.text(cells, fault.message))

    def _reset(self, cells: Cells) -> None:
        """Forget where the flow was."""
        self._lengthen(cells)
        cells[self._slots.status] = RUNNING
        cells[self._slots.rounds] = self._no_rounds
        cells[self._slots.site] = cells[self._slots.asked] = 0
        for slot, zero in self._flow_state:
            cells[slot] = zero

    def _lengthen(self, cells: Cells) -> None:
        """Give room for the executor's own numbers, where cells were made without it."""
        if len(cells) < self._length:
            cells += [0] * (self._length - len(cells))

    def _decision(self, cells: Cells) -> Decision:
        """The decision at which a game stands, its answers worked out. ValueError where it stands at none."""
        self._answer(cells)
        found = self._decisions.get(cells[self._slots.asked] - 1)
        if found is None:
            raise ValueError("the game is not at a decision")
        return found

    def _event(self, cells: Cells) -> ChanceEvent:
        """The chance event at which a game stands, its pool worked out. ValueError where it stands at none."""
        self._answer(cells)
        found = self._events.get(cells[self._slots.asked] - 1)
        if found is None:
            raise ValueError("the game is not at a chance event")
        return found

    def _event_with(self, cells: Cells, value: int) -> ChanceEvent:
        """The chance event at which a game stands. ValueError if it stands at none, or if the event cannot have this value."""
        event = self._event(cells)
        if not cells[event.answer] & event.bits.get(value, 0):
            raise ValueError(f"{value} is not possible here")
        return event

    def _answer(self, cells: Cells) -> None:
        if len(cells) < self._length or cells[self._slots.asked] != cells[self._slots.site]:
            self.stop(cells)

    def _with_option(self, cells: Cells, offer: Offer, option: int, ask: Callable[[Cells], _Answer]) -> _Answer:
        """Ask something with an option's arguments in their locals; they are as before afterwards."""
        before = [cells[slot] for slot in offer.slots]
        offer.assign(cells, option - offer.base)
        try:
            return ask(cells)
        finally:
            for slot, value in zip(offer.slots, before, strict=True):
                cells[slot] = value

    def _asked(self, cells: Cells, value: Value) -> int:
        """Ask from outside: a fault is raised, and does not stop the game."""
        try:
            return value(cells)
        except Faulted as faulted:
            raise FunctionFault(self._fault(cells, faulted.number)) from None
        except BROKEN_PROMISES:
            raise FunctionFault(self._fault(cells, self._faults.broken)) from None

    def _holds(self, cells: Cells, test: Value) -> bool:
        """Whether a condition holds; one that stops with a fault does not."""
        try:
            return bool(self._asked(cells, test))
        except FunctionFault:
            return False

    def _refusals_of(self, cells: Cells, offer: Offer, options: Sequence[int]) -> list[Refusal]:
        """Why an alternative does not allow each of these options of its group."""

        def refusal(cells: Cells, failed: Condition | None, reason: Message) -> Refusal:
            return Refusal(failed, reason, self.text(cells, reason))

        return self._refused_by(cells, offer, options, refusal)

    def _refused_by(
        self, cells: Cells, offer: Offer, options: Sequence[int], told: Callable[[Cells, Condition | None, Message], _Answer]
    ) -> list[_Answer]:
        """What is ``told`` of the condition that refuses each of these options of an alternative (None: it is no candidate) and
        of the reason, with the option's arguments in their locals."""
        if not options:
            return []
        candidates = self._asked(cells, offer.candidates)

        def failed(cells: Cells, conditions: Sequence[Condition], tests: Sequence[Value]) -> Condition | None:
            asked = zip(conditions, tests, strict=True)
            return next((condition for condition, test in asked if not self._holds(cells, test)), None)

        def refused(cells: Cells, position: int) -> _Answer:
            if candidates >> position & 1:
                condition = failed(cells, offer.node.conditions, offer.tests)
                return told(cells, condition, offer.node.not_candidate if condition is None else condition.reason)
            outside = failed(cells, offer.node.outside, offer.outside)
            return told(cells, None, offer.node.not_candidate if outside is None else outside.reason)

        return [self._with_option(cells, offer, option, partial(refused, position=option - offer.base)) for option in options]


def _allowing(decision: Decision, cells: Cells, option: int) -> Offer:
    """The alternative by which an option is legal. ValueError if there is none."""
    for offer in decision.offers:
        if offer.allows(cells, option):
            return offer
    raise ValueError(f"option {option} is not legal now")
