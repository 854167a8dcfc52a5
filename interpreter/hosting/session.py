"""A session: one table with its seats, its log, and those who look at it.

Everything here may be called by any thread; a session does one thing at a time. What happens is kept, and only then told. A
client is told by a function that takes a message; it must not block.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from threading import RLock
from time import time
from typing import Literal

from attrs import define, evolve, field, frozen

from ..common.deadline import OutOfTime, deadline_in_thread
from ..common.diagnostics import RulesError
from ..play.game import ArgumentError, Decision, Game, Option, State
from ..play.knowledge.views import View
from ..play.narration import narrate
from ..play.records.transcript import Act, to_data, transcript_of
from ..play.result import tie_broken
from ..words.words import marked
from .chance import word
from .eyes import WATCHING, deciding, events_seen, seen_from
from .identities import Identities
from .log import Entry, acts_in, after, replayed
from .messages import (
    Data,
    Facts,
    event_data,
    move_data,
    option_data,
    refusal_data,
    scores_data,
    table_facts,
    term_title,
    view_data,
)
from .refusals import Refused
from .together import Together, chosen_in

SeatKind = Literal["me", "open", "bot"]
NOTE_LIMIT = 2000  # characters of a note
NAME_LIMIT = 40
PATIENCE = 10.0  # seconds that one act may take
CHANGES_LIMIT = 200  # of what somebody chooses at once with others, before all have chosen
NOTES_LIMIT = 500  # notes and refusals of a table that are kept, so that nobody can fill the disk


@frozen
class Seat:
    """``kind``: a bot, or a person: the one who made the table, or whoever has the link. ``bot``: as it is named."""

    kind: SeatKind
    name: str
    token: str = ""
    bot: str = ""

    @property
    def is_bot(self) -> bool:
        return self.kind == "bot"


@frozen
class Plan:
    """What a table was made of. ``id``: its number in the store. ``game``: of the library. ``file``: the path of its rules, for
    people; ``rules``: the digest of the files under which they are kept. ``watch``: the token of those who watch.
    ``replay``: whether it shows a game that was played elsewhere, and nobody plays. ``language``: in which the game is told.
    ``seed``: what somebody chose, or None; then chance comes from ``secret`` (see `chance`)."""

    id: str
    game: str
    file: str
    rules: str
    players: int
    variants: tuple[str, ...]
    options: Mapping[str, str]
    seed: int | None
    seats: tuple[Seat, ...]
    watch: str
    created: float
    replay: bool = False
    language: str = "en"
    secret: str = ""


@define(eq=False)
class Looking:
    """Somebody who is connected. ``tell``: takes a message."""

    seat: int
    tell: Callable[[Data], None]


@define(eq=False)
class _Eye:
    """What those at one seat have been told: the names of the components, and how far the story went."""

    known: Identities
    told: int = 0
    last: Data = field(factory=dict)


@frozen
class _Step:
    """A point at which something has happened: how many events there are by then, and what each seat sees."""

    events: int
    views: dict[int, View]


@frozen
class _Asking:
    """Somebody asks the others to agree. ``waiting``: whose answers are missing. ``do``: what is done when all agree."""

    about: Literal["undo", "rules"]
    seat: int
    waiting: frozenset[int]
    do: Callable[[], None]

    def message(self, **more: object) -> Data:
        return {"type": self.about, "asked_by": self.seat, "waiting": sorted(self.waiting), **more}


class Session:
    """``keep``: writes entries of the log where they are safe, and raises `Refused` if that fails. ``log``: what there is."""

    def __init__(
        self, plan: Plan, game: Game, keep: Callable[[str, int, Sequence[Entry]], None], log: Iterable[Entry] = ()
    ) -> None:
        self.plan = plan
        self.turn = RLock()
        self.log = list(log)
        self._written = keep
        self._eyes: dict[int, _Eye] = {}
        self._looking: list[Looking] = []
        self._known: dict[int, tuple[State, Decision | None]] = {}
        self._together = Together()
        self._asking: _Asking | None = None
        self._findings: Data | None = None
        self.names = [seat.name for seat in plan.seats]
        self.joined: set[int] = set()
        for entry in self.log:
            if entry.kind == "name":
                self.names[entry.seat - 1] = entry.data["text"]
        self._stand(game)

    def _stand(self, game: Game) -> None:
        """Come to the position to which the log leads."""
        with in_time():
            self._stand_in_time(game)

    def _stand_in_time(self, game: Game) -> None:
        game = spoken(game, self.plan.language)
        self.game = game
        self.facts = Facts(game)
        acts, anew = acts_in(self.log)
        self.state = replayed(game, self.plan.seed, acts, anew)
        self.acts = acts
        self._together.chosen = chosen_in(self.log)
        self._shift()
        if self.state.chance is not None and not self.plan.replay:
            steps, entries, state = self._let_happen(self.state)
            self._keep_and_show(state, entries, steps)
        self._do_what_is_chosen()

    def _shift(self) -> None:
        """Let the numbers of positions go on, whatever was undone."""
        undone = sum(entry.kind in ("undo", "rules") for entry in self.log)
        self._offset = undone * 1_000_000
        self._counted: dict[int, tuple[int, int]] = {}  # by seat: of so many events, how many it observed

    def _keep(self, entries: Sequence[Entry]) -> None:
        """Write entries of the log. `Refused` when that fails; then nothing has happened."""
        self._written(self.plan.id, len(self.log), entries)
        self.log += entries

    # ---- Who looks

    def connect(self, seat: int, tell: Callable[[Data], None]) -> Looking:
        """Somebody comes to look from a seat (`WATCHING`: from none). They are told the table and the position."""
        with self.turn:
            looking = Looking(seat, tell)
            if seat not in self._eyes:
                self._eyes[seat] = _Eye(Identities(self.game.machine))
                self._eyes[seat].known.update(seen_from(self.state, seat))
                self._eyes[seat].told = len(self.state.events)
            tell(self.table_data(seat))
            position = self._position(seat, 0)
            self._eyes[seat].last = _without_story(position)
            tell(position)
            self._looking.append(looking)
            self.joined.add(seat)
            self._tell_people()
            for message in (self._findings, None if self._asking is None else self._asking.message()):
                if message is not None:
                    tell(message)
            return looking

    def leave(self, looking: Looking) -> None:
        with self.turn:
            if looking in self._looking:
                self._looking.remove(looking)
            if all(other.seat != looking.seat for other in self._looking):
                self._eyes.pop(looking.seat, None)
            self._tell_people()

    @property
    def is_watched(self) -> bool:
        return bool(self._looking)

    def _tell_people(self) -> None:
        present = sorted({looking.seat for looking in self._looking if looking.seat != WATCHING})
        watching = sum(looking.seat == WATCHING for looking in self._looking)
        self.tell_all({"type": "people", "present": present, "watching": watching, "names": list(self.names)})

    def tell_all(self, message: Data) -> None:
        for looking in list(self._looking):
            looking.tell(message)

    def tell_findings(self, message: Data) -> None:
        """Tell everybody what is found in rules that have changed; those who come later, too."""
        with self.turn:
            self._findings = message if message["findings"] or message["can_change"] else None
            self.tell_all(message)

    def tell(self, seat: int, message: Data) -> None:
        for looking in list(self._looking):
            if looking.seat == seat:
                looking.tell(message)

    # ---- What is told

    def table_data(self, seat: int) -> Data:
        players = [
            {
                "seat": number,
                "name": self.names[number - 1],
                "kind": "bot" if each.is_bot else "person",
                **({"bot": each.bot} if each.is_bot else {}),
            }
            for number, each in enumerate(self.plan.seats, 1)
        ]
        return {
            "type": "table",
            "seat": seat,
            "players": players,
            "file": self.plan.file,
            "library": self.plan.game,
            "replay": self.plan.replay,
            "seed_chosen": self.plan.seed is not None and not self.plan.replay,
            **table_facts(self.game),
        }

    def number(self, seat: int) -> int:
        """The number of the position, as a seat counts: it grows with all that the seat observes."""
        upto, count = self._counted.get(seat, (0, 0))
        count += sum(text is not None for _, _, text in events_seen(self.state, seat, upto))
        self._counted[seat] = len(self.state.events), count
        return self._offset + count + self._together.count(seat)

    # ---- Choices of several at once

    def asked(self, seat: int) -> State | None:
        """The game in which a seat is asked what it has to choose, or has chosen and may still change; None where it is not."""
        if self.plan.replay or seat == WATCHING:
            return None
        if not self._together.asked(self.state):
            return self.state if self.state.player == seat else None
        return self._together.game_of(self.state, seat)

    def _deciding(self, seat: int) -> list[int]:
        """For whom the game waits, as far as a seat may know it."""
        if self._together.asked(self.state):
            missing = self._together.missing(self.state)
            return [each for each in missing if each == seat or not self.state.decides_in_secret]
        player = deciding(self.state, seat)
        return [player] if player else []

    def _choose_at_once(self, seat: int, option: int) -> None:
        """Keep what somebody chooses; when all people have chosen, all is done."""
        game = self.asked(seat)
        assert game is not None
        if seat in self._together.chosen and self._together.chosen[seat].whole:
            self._check_changes(seat)
        with in_time():
            chosen = self._together.with_choice(game, option, time())
        self._keep([Entry("chosen", seat, chosen.time, {"options": list(chosen.options), "whole": chosen.whole})])
        self._together.chosen[seat] = chosen
        self._show_again(seat)
        self._do_what_is_chosen()

    def _check_changes(self, seat: int) -> None:
        """`Refused` where somebody has changed their mind so often that the log would grow without end."""
        since = takewhile(lambda entry: entry.kind != "act", reversed(self.log))
        if sum(entry.kind == "chosen" and entry.seat == seat for entry in since) >= CHANGES_LIMIT:
            told = marked("this was changed {number} times; what is chosen stays until all have chosen")
            raise Refused("full", told, number=CHANGES_LIMIT)

    def _do_what_is_chosen(self) -> None:
        """Carry out what people have chosen at once, if nobody's choice is missing but a bot's."""
        together = self._together
        while self.state.player in together.chosen:
            if not all(self.plan.seats[missing - 1].is_bot for missing in together.missing(self.state)):
                return
            seat = self.state.player
            chosen = together.chosen[seat]
            together.do(seat)
            try:
                self._take(seat, chosen.options[0], chosen.time)
            except Refused:
                together.chosen[seat] = chosen  # it has not happened
                raise

    def _show_again(self, chooser: int) -> None:
        """Tell everybody who is still to choose, and the one who has chosen what that is, even if it is as before."""
        self._known.clear()
        for seat, eye in self._eyes.items():
            message = self._position(seat, eye.told)
            if seat == chooser or _without_story(message) != eye.last:
                eye.last = _without_story(message)
                self.tell(seat, message)

    def _position(self, seat: int, since: int, moves: Mapping[int, list[Data]] | None = None, view: View | None = None) -> Data:
        """The position as a seat sees it, with the events from a place on. ``moves``: by the number of the event. ``view``: of
        this position, if it is known."""
        state, moves = self.state, moves or {}
        eye = self._eyes[seat]
        view = view or seen_from(state, seat)
        events = [
            event_data(index, event, text, moves.get(index, ()))
            for index, event, text in events_seen(state, seat, since)
            if text is not None or moves.get(index)
        ]
        own, chosen = self._options(seat), self._together.chosen.get(seat)
        may_undo = chosen is not None or self._may_undo(seat) is not None
        found: Data = {
            "type": "position", "number": self.number(seat), "view": view_data(view, eye.known, self.facts),
            "scores": self._scores(seat), "deciding": self._deciding(seat), "waiting": state.player != 0, "decision": own,
            "over": state.is_over, "events": events, "log": self._lines(seat, since), "undo": may_undo,
        }  # fmt: skip
        if chosen is not None and chosen.whole and own is not None:
            found["chosen"] = chosen.options[-1]
        if state.fault is not None:
            found["fault"] = {"code": state.fault.code, "text": state.fault.message, "help": state.fault.help or ""}
        elif state.is_over:
            found |= self._ranking()
        return found

    def _lines(self, seat: int, since: int) -> list[Data]:
        """The story since then, as it is told."""
        if seat == WATCHING:
            everybody = (1 << self.game.players) - 1
            events = [
                event if event.seen == everybody else evolve(event, text=event.hidden or "", told="", seen=everybody)
                for event in self.state.events
            ]
            lines = narrate(self.game, [event for event in events if event.text], None, sum(bool(e.text) for e in events[:since]))
        else:
            lines = narrate(self.game, self.state.events, seat, since)
        return [{"style": line.style, "text": line.text, "player": line.player} for line in lines]

    def _options(self, seat: int) -> Data | None:
        asked, decision = self.asked(seat), self._decision(seat)
        if decision is None or asked is None:
            return None
        options = option_data(decision, seat, self._eyes[seat].known, self.facts)
        return {"about": decision.about, "goes_on": asked.goes_on, "options": options}

    def _scores(self, seat: int, state: State | None = None) -> Data | None:
        state = state or self.state
        try:
            seats = [seat] if seat != WATCHING else range(1, self.game.players + 1)
            sheets = [(state.terms_seen(each), state.scores_seen(each)) for each in seats]
            terms = {title: _all_see([sheet[title] for sheet, _ in sheets]) for title in sheets[0][0]}
            said = {term.title: term_title(term, self.game) for term in self.game.machine.terms} if self.game.speaks else {}
            shown = {said.get(title, title): values for title, values in terms.items()}
            return scores_data(shown, _all_see([sums for _, sums in sheets]))
        except RulesError:
            return None

    def _ranking(self) -> Data:
        try:
            return {"ranking": self.state.ranking, "tie": tie_broken(self.state, 0)}
        except RulesError:
            return {"ranking": None}

    # ---- Acting

    def act(self, seat: int, position: int, option: int) -> None:
        """Somebody takes an option. `Refused` when they cannot."""
        with self.turn:
            self._check_turn(seat, position)
            known = {each.number: each for each in self._offered(seat)}
            if option not in known:
                raise Refused("no option", marked("there is no option {option} here"), option=option)
            if not known[option].legal:
                self._note_refused(seat, known[option])
                why = refusal_data(known[option])
                self.tell(seat, {"type": "refused", "position": position, "option": option, "reason": why.pop("why"), **why})
                return
            if len(self._together.asked(self.state)) > 1 or seat in self._together.chosen:
                self._choose_at_once(seat, option)
            else:
                self._take(seat, option)

    def why(self, seat: int, position: int, option: int) -> None:
        """Somebody asks why an option is not legal."""
        with self.turn:
            self._check_turn(seat, position)
            found = next((each for each in self._offered(seat) if each.number == option), None)
            if found is None:
                raise Refused("no option", marked("there is no option {option} here"), option=option)
            why = refusal_data(found)
            reason = why.pop("why")
            self.tell(seat, {"type": "refused", "position": position, "option": option, "reason": reason, "asked": True, **why})

    def _check_turn(self, seat: int, position: int) -> None:
        if self.plan.replay or seat == WATCHING:
            raise Refused("watching", marked("you only watch this table"))
        if self.state.is_over:
            raise Refused("over", marked("the game is over"))
        if self.asked(seat) is None:
            raise Refused("not your turn", marked("it is not your turn"))
        if position != self.number(seat):
            told = marked("this was for an earlier position; nothing was done")
            raise Refused("old position", told, marked("look at the table again"))

    def _offered(self, seat: int) -> Sequence[Option]:
        decision = self._decision(seat)
        return () if decision is None else decision.options

    def _decision(self, seat: int) -> Decision | None:
        """What a seat is asked where the game stands, worked out once: a position is asked about several times."""
        if seat not in self._known or self._known[seat][0] is not self.state:
            asked = self.asked(seat)
            self._known[seat] = self.state, None if asked is None else asked.decision
        return self._known[seat][1]

    def act_of_bot(self, seat: int, history: Sequence[int], option: int) -> bool:
        """A bot takes an option at the position to which a history leads; whether it still stands there."""
        with self.turn:
            if self.state.player != seat or tuple(self.state.history) != tuple(history):
                return False
            self._take(seat, option)
            self._do_what_is_chosen()
            return True

    def film(self, seat: int, at: int) -> Data:
        """The position after so many acts and outcomes, as a seat saw it. `Refused` while the game goes on: it has secrets."""
        with self.turn:
            if not (self.plan.replay or self.state.is_over):
                raise Refused("not over", marked("a game can be looked through when it is over"))
            if at > len(self.acts) or seat > self.plan.players:
                raise Refused("no moment", f"there are {len(self.acts)} acts, and {self.plan.players} seats")
        with self.turn, in_time():
            before = max(at - 1, 0)
            state, known = replayed(self.game, self.plan.seed, self.acts[:before]), Identities(self.game.machine)
            known.update(seen_from(state, seat))
            since = len(state.events)
            for act in self.acts[before:at]:
                state = after(state, act)
            moves = [move_data(move, self.facts) for move in known.update(seen_from(state, seat))]
            events = [event_data(n, event, text) for n, event, text in events_seen(state, seat, since if at else 0) if text]
            return {
                "type": "film", "seat": seat, "at": at, "of": len(self.acts), "deciding": [state.player] if state.player else [],
                "view": view_data(seen_from(state, seat), known, self.facts), "scores": self._scores(seat, state),
                "events": events, "moves": moves, "over": state.is_over,
            }  # fmt: skip

    def change_rules(self, seat: int, game: Game, digest: str, acts: Sequence[Act], same: bool) -> None:
        """Somebody wants to go on under other rules, with the acts and outcomes that fit them: done when the other people agree.

        ``same``: whether these lead to the same position.
        """
        with self.turn:
            self._ask("rules", seat, lambda: self._change_rules(game, digest, acts, same))

    def _change_rules(self, game: Game, digest: str, acts: Sequence[Act], same: bool) -> None:
        told = [{"player": act.player, "option": act.option, "text": act.text} for act in acts]
        self._findings = None
        self._keep([Entry("rules", 0, time(), {"rules": digest, "acts": told, "same": same})])
        self.restand(game)

    def _take(self, seat: int, option: int, chosen: float | None = None) -> None:
        """An act, and the chance that follows. All that could take long is worked out before the act is kept. ``chosen``: when it
        was chosen, if not now."""
        with in_time():
            state = self.state.clone()
            entry = Entry("act", seat, chosen or time(), {"option": option, "text": self.game.written.option_text(option)})
            state.play(option)
            first = self._step(state)
            steps, entries, state = self._let_happen(state)
            self._foresee(state)
        ending = [Entry("over", 0, time(), {"scores": _scores_of(state)})] if state.is_over else []
        self._asking = None
        self._keep_and_show(state, [entry, *entries, *ending], [first, *steps])

    def _foresee(self, state: State) -> None:
        """Work out what people are told of a position; it is remembered."""
        if state.player and not self.plan.seats[state.player - 1].is_bot:
            self._known[state.player] = state, state.decision
        self._scores(WATCHING, state)

    def _let_happen(self, state: State) -> tuple[list[_Step], list[Entry], State]:
        """Let chance happen until somebody has to choose; on a copy."""
        state = state.clone()
        steps: list[_Step] = []
        entries: list[Entry] = []
        while state.chance is not None:
            written = state.written.chance if state.game.speaks else None
            if self.plan.seed is None:
                state = state.reseeded(self.luck("chance", state), by_hand=True)
            number = state.draw()
            event = next(event for event in reversed(state.events) if event.kind == "chance")
            text = event.text if written is None else next(each.text for each in written.outcomes if each.number == number)
            entries.append(Entry("chance", 0, time(), {"option": number, "text": text}))
            steps.append(self._step(state))
        return steps, entries, state

    def luck(self, purpose: str, state: State) -> int:
        """The seed for what is drawn for a purpose at a position; never the seed of the table's own chance to come."""
        begun = sum(entry.kind == "rules" and not entry.data["same"] for entry in self.log)
        secret = self.plan.secret if self.plan.seed is None else f"{self.plan.seed:032x}"
        return word(secret, purpose, begun, len(state.history))

    def _step(self, state: State) -> _Step:
        return _Step(len(state.events), {seat: seen_from(state, seat) for seat in self._eyes})

    def _keep_and_show(self, state: State, entries: Sequence[Entry], steps: Sequence[_Step]) -> None:
        """Keep what has happened, then tell everybody."""
        self._keep(entries)
        happened = (entry for entry in entries if entry.kind in ("act", "chance"))
        self.acts += [Act(entry.seat, entry.data["option"], entry.data["text"]) for entry in happened]
        self.state = state
        for seat, eye in self._eyes.items():
            moves: dict[int, list[Data]] = {}
            since = before = eye.told
            for step in steps:
                found = [move_data(move, self.facts) for move in eye.known.update(step.views[seat])]
                if found:
                    moves.setdefault(min(before, step.events - 1), []).extend(found)
                before = step.events
            eye.told = len(state.events)
            message = self._position(seat, since, moves, steps[-1].views[seat])
            if message["events"] or _without_story(message) != eye.last:  # else they would learn that something was done
                eye.last = _without_story(message)
                self.tell(seat, message)

    # ---- Undo

    def _may_undo(self, seat: int) -> int | None:
        """How many acts and outcomes are left if a seat takes its last act back; None where it cannot."""
        if self.plan.replay or seat == WATCHING:
            return None
        own = [number for number, act in enumerate(self.acts) if act.player == seat]
        return own[-1] if own else None

    def undo(self, seat: int) -> None:
        """Somebody wants to take back their last act: done at once where no other person sits, else when all agree."""
        with self.turn:
            if seat in self._together.chosen:  # of which nobody knows
                self._check_changes(seat)
                self._keep([Entry("chosen", seat, time(), {"options": [], "whole": False})])
                self._together.take_back(seat)
                self._show_again(seat)
                return
            kept = self._may_undo(seat)
            if kept is None:
                raise Refused("no undo", marked("there is no act of yours to take back"))
            others = {number for number, each in enumerate(self.plan.seats, 1) if not each.is_bot and number != seat}
            if others and self._learned_since(kept):
                raise Refused("no undo", marked("somebody has learned something since then, so this cannot be taken back"))
            self._ask("undo", seat, lambda: self._undo(kept))

    def _ask(self, about: Literal["undo", "rules"], seat: int, do: Callable[[], None]) -> None:
        """Do something when all other people agree who have ever been here: at once where there are none."""
        people = {number for number, each in enumerate(self.plan.seats, 1) if not each.is_bot and number != seat}
        asked = people & (self.joined | {entry.seat for entry in self.log})
        self._asking = _Asking(about, seat, frozenset(asked), do)
        self._do_if_all_agree()

    def _do_if_all_agree(self) -> None:
        asking = self._asking
        assert asking is not None
        if asking.waiting:
            self.tell_all(asking.message())
            return
        self._asking = None
        asking.do()
        self.tell_all(asking.message(done=True))

    def _learned_since(self, kept: int) -> bool:
        """Whether chance, or something that was shown, has told anybody something since an act."""
        counted = 0
        for event in self.state.events:
            if event.kind in ("act", "chance"):
                counted += 1
            if counted > kept and event.kind in ("chance", "show"):
                return True
        return False

    def answer(self, seat: int, agrees: bool) -> None:
        """Somebody agrees to what another asks for, or does not."""
        with self.turn:
            asking = self._asking
            if asking is None or seat not in asking.waiting:
                raise Refused("nothing asked", marked("nobody asks you for anything"))
            if not agrees:
                self._asking = None
                self.tell_all(evolve(asking, waiting=frozenset()).message(refused_by=seat))
                return
            self._asking = evolve(asking, waiting=asking.waiting - {seat})
            self._do_if_all_agree()

    def _undo(self, kept: int) -> None:
        self._keep([Entry("undo", 0, time(), {"kept": kept})])
        self.restand(self.game)

    def restand(self, game: Game) -> None:
        """Come to where the log leads, and tell everybody."""
        self._stand(game)
        for seat, eye in self._eyes.items():
            if eye.known.machine is not game.machine:
                eye.known = Identities(game.machine)
                self.tell(seat, self.table_data(seat))
            moves = [move_data(move, self.facts) for move in eye.known.update(seen_from(self.state, seat))]
            eye.told = len(self.state.events)
            message = {**self._position(seat, 0), "again": True, "moves": moves}
            self.tell(seat, message)

    # ---- Words

    def note(self, seat: int, text: str) -> None:
        """Keep a note that somebody leaves at this moment."""
        with self.turn:
            self._check_room()
            entry = Entry("note", seat, time(), {"text": _cut(text, NOTE_LIMIT), "at": len(self.acts)})
            self._keep([entry])
            self.tell(seat, {"type": "note", "text": entry.data["text"], "at": self.number(seat)})

    def name(self, seat: int, text: str) -> None:
        """Somebody says what they are called."""
        with self.turn:
            named = " ".join(_cut(text, NAME_LIMIT).split())
            if seat == WATCHING or not named:
                raise Refused("no name", marked("a name is a line of text, of somebody who sits at the table"))
            if named == self.names[seat - 1]:
                return
            self._check_free(seat, named)
            self._check_room()
            entry = Entry("name", seat, time(), {"text": named})
            self._keep([entry])
            self.names[seat - 1] = named
            self._tell_people()

    def _check_free(self, seat: int, named: str) -> None:
        """`Refused` where another seat is called so, by its own name or from the beginning: nobody is to be taken for another."""
        for number in range(1, self.plan.players + 1):
            taken = {self.names[number - 1], self.plan.seats[number - 1].name, self.game.seat_names[number - 1]}
            if number != seat and alike(named) in map(alike, taken):
                raise Refused("no name", marked("{player} is at this table already; take another name"), player=named)

    def _note_refused(self, seat: int, option: Option) -> None:
        if self._is_full():
            return
        place = option.place
        rule = {} if place is None else {"rule": place.source.line(place.line).strip()}
        told = {"text": self.game.written.option_text(option.number), "at": len(self.acts), **refusal_data(option), **rule}
        self._keep([Entry("refused", seat, time(), told)])

    def _is_full(self) -> bool:
        return sum(entry.kind in ("note", "refused", "name") for entry in self.log) >= NOTES_LIMIT

    def _check_room(self) -> None:
        if self._is_full():
            raise Refused("full", marked("this table holds {number} notes already"), number=NOTES_LIMIT)

    # ---- The whole

    def rules_data(self) -> Data:
        """The texts of the rules that the table goes by, the game's own file first."""
        sources = (self.game.rules.source, *self.game.rules.beside)
        return {"files": [{"name": Path(each.path).name, "text": each.text} for each in sources if each is not None]}

    def transcript(self) -> Data:
        """The game as a transcript. `Refused` before it is over."""
        with self.turn:
            if self.state.is_over or self.plan.replay:
                return to_data(evolve(transcript_of(self.state, self.plan.seed), file=self.plan.file))
            raise Refused("not over", marked("a game that goes on has secrets: its file can be had when it is over"), status=409)


@contextmanager
def in_time() -> Generator[None]:
    """`Refused` where the rules of a game take too long: then nothing has been done."""
    try:
        with deadline_in_thread(PATIENCE):
            yield
    except OutOfTime:
        told = marked("the rules were still at work after {seconds} seconds, so this was not done")
        help = marked("choose something else; `rulesrun check` finds loops that do not end")
        raise Refused("endless", told, help, seconds=f"{PATIENCE:.0f}") from None


def spoken(game: Game, language: str) -> Game:
    """A game in a language; in the rules' own words where it cannot be told in that."""
    if language == game.language != "en":
        return game
    with suppress(ArgumentError, RulesError):
        return game.in_language(language)
    return game.written


def alike(name: str) -> str:
    """Names that look the same have the same of these: in one case, and in the compatibility form of Unicode."""
    return unicodedata.normalize("NFKC", name).casefold()


def _without_story(position: Data) -> Data:
    """What a position says of the table as it is."""
    return {**position, "events": [], "log": []}


def _scores_of(state: State) -> list[int] | None:
    try:
        return None if state.fault is not None else state.scores
    except RulesError:
        return None


def _all_see(columns: Sequence[Sequence[int | None]]) -> list[int | None]:
    """What all of several seats see of a line of the score sheet."""
    return [None if None in values else values[0] for values in zip(*columns, strict=True)]


def _cut(text: str, limit: int) -> str:
    """A text without what is no letter, and no longer than that."""
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n")[:limit]
