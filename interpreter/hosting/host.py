"""The host: all tables of one library, found by the tokens of their seats."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import compare_digest, token_urlsafe
from threading import RLock
from time import monotonic, time
from typing import Any

from attrs import frozen

from ..common.diagnostics import Diagnostic, RulesError
from ..common.files import SIZE_LIMIT
from ..common.source import Source
from ..play.game import Game, table_of
from ..play.records.replay import acts_of, replay
from ..play.records.transcript import Act, from_text
from ..words.for_pages import words_data
from ..words.words import marked
from .chance import new_secret
from .library import Library
from .log import Entry, acts_in, replayed
from .messages import Data
from .plays import happenings_of, plays_of
from .refusals import Refused
from .rules_watch import RulesWatch
from .session import Plan, Seat, Session, alike, in_time
from .snapshots import snapshot_of
from .storage import Store
from .thinking import ITERATIONS_LIMIT, REVIEW_LIMIT, Thinking, bot_at_table

TOKEN_BYTES = 16  # 128 bits, so that nobody finds a table by guessing
SEATS_LIMIT = 32


@frozen
class Place:
    """What a token stands for: a table, and a seat at it (`WATCHING`: none)."""

    session: Session
    seat: int


class Host:
    """``data``: the folder in which tables are kept, or what keeps them. `Refused` where they cannot be."""

    def __init__(self, library: Library, data: Path | Store) -> None:
        self.library = library
        self.store = data if isinstance(data, Store) else Store(data)
        self.thinking = Thinking()
        self.rules_watch = RulesWatch(library, self.store)
        self.key = token_urlsafe(TOKEN_BYTES)  # for the page with all test-plays, which is for the designer only
        self._turn = RLock()
        self._sessions: dict[str, Session] = {}
        self._asked: dict[str, float] = {}  # when somebody last asked for a table
        self._games: dict[tuple[object, ...], Game] = {}  # of rules that are no longer those of the library

    def close(self) -> None:
        self.thinking.close()
        self.store.close()

    # ---- Tables

    def make(self, asked: Any) -> Data:
        """A new table, as a client asks for it. `Refused` for what is at fault about it."""
        wanted = _Asked(asked)
        name = wanted.text("game")
        entry = self.library.entry(name)
        game = self.library.table(name, wanted.number("players"), wanted.texts("variants"), wanted.mapping("options"))
        seats, rules = _seats(wanted, game.players), snapshot_of(game.rules)
        seed = wanted.number("seed")
        begun = self._begun(wanted, game)
        plan = Plan(
            token_urlsafe(TOKEN_BYTES), name, entry.path.name, rules.digest, game.players, game.variants, game.changed_options,
            seed, seats, token_urlsafe(TOKEN_BYTES), time(),
            language=_language(wanted.text("language", "en")), secret=new_secret(),
        )  # fmt: skip
        with in_time():  # rules that never come to the first decision make no table
            replayed(game, plan.seed, acts_in(begun)[0])
        self.store.add(plan, rules)
        if begun:
            self.store.append(plan.id, 0, begun)
        session = Session(plan, game, self.store.append, begun)
        with self._turn:
            self._sessions[plan.id] = session
            self._asked[plan.id] = monotonic()
        self.thinking.go_on(session)
        return {
            "table": plan.id,
            "seats": [
                {"seat": number, "kind": seat.kind, "name": seat.name, **({} if seat.is_bot else {"token": seat.token})}
                for number, seat in enumerate(seats, 1)
            ],
            "watch": plan.watch,
        }

    def _begun(self, asked: _Asked, game: Game) -> list[Entry]:
        """The log with which a table begins that takes over a position of a game that is over."""
        token = asked.text("from", "")
        if not token:
            return []
        session, at = self.place(token).session, asked.whole("at")
        if not (session.plan.replay or session.state.is_over):
            raise Refused("not over", marked("a position can be taken over when the game is over"))
        if session.game.table_digest != game.table_digest:
            told = marked("a position can be taken over at a table of the same game, players, variants and options")
            raise Refused("table", told)
        return _entries(session.acts[:at])

    def replay(self, text: str) -> Data:
        """A table at which a transcript can be looked at. `Refused` for what is none, or fits no game of the library."""
        transcript = from_text(Source("transcript", text))
        if isinstance(transcript, Diagnostic):
            raise Refused("transcript", transcript.message, transcript.help or "")
        found = (self.library.entry(id) for id in self.library.paths())
        entry = next((each for each in found if each.rules.model is not None and each.rules.model.game == transcript.game), None)
        if entry is None:
            raise Refused("transcript", f"there is no game `{transcript.game}` here", "serve the folder with its rules")
        game = self.library.table(entry.id, transcript.players, transcript.variants, transcript.options)
        with in_time():
            again = replay(transcript, game)
        wrong = next((found for found in again.diagnostics if found.severity == "error"), None)
        if wrong is not None:
            raise Refused("transcript", wrong.message, wrong.help or "")
        seats = tuple(Seat("open", name) for name in game.seat_names)
        plan = Plan(
            token_urlsafe(TOKEN_BYTES), entry.id, entry.path.name, snapshot_of(game.rules).digest, game.players, game.variants,
            game.changed_options, transcript.seed, seats, token_urlsafe(TOKEN_BYTES), time(), True,
        )  # fmt: skip
        self.store.add(plan, snapshot_of(game.rules))
        self.store.append(plan.id, 0, _entries(acts_of(again.state)))
        return {"table": plan.id, "watch": plan.watch, "acts": len(transcript.acts)}

    def plays(self, key: str) -> Data:
        """All test-plays. `Refused` without the key that was printed when the server began."""
        self._check_key(key)
        return plays_of(self.store)

    def happenings(self, key: str) -> bytes:
        """All that happened at the tables, as a Parquet file. `Refused` likewise, and where that cannot be written here."""
        self._check_key(key)
        try:
            return happenings_of(self.store)
        except RulesError as error:
            (found,) = error.diagnostics
            raise Refused("parquet", found.message, found.help or "", 501) from None

    def words(self, language: str) -> Data:
        """The sentences of the program in a language, for the page; of one that it does not speak, none."""
        return words_data(language)

    def _check_key(self, key: str) -> None:
        if not compare_digest(key.encode(), self.key.encode()):
            raise Refused("no page", marked("there is nothing at this address"), status=404)

    def watch_rules(self) -> None:
        """Tell those who look at tables about rules that have changed."""
        with self._turn:
            sessions = [session for session in self._sessions.values() if session.is_watched]
        for session in sessions:
            self.rules_watch.look(session)

    def place(self, token: str) -> Place:
        """What a token stands for. `Refused` for a guess."""
        found = self.store.find(token)
        if found is None:
            raise Refused("no table", marked("there is no table at this address"), marked("ask for the link again"), 404)
        return Place(self.session(found[0]), found[1])

    def session(self, table: str) -> Session:
        """A table; one that nobody has looked at since the server began is restored from its log."""
        with self._turn:
            if table not in self._sessions:
                self._sessions[table] = self._restored(self.store.plan(table))
            session = self._sessions[table]
            self._asked[table] = monotonic()
        self.thinking.go_on(session)
        return session

    def _restored(self, plan: Plan) -> Session:
        log = self.store.log(plan.id)
        digest = next((entry.data["rules"] for entry in reversed(log) if entry.kind == "rules"), plan.rules)
        return Session(plan, self._game(plan, digest), self.store.append, log)

    def _game(self, plan: Plan, digest: str) -> Game:
        """The table of a plan under the rules of a digest: those of the library if they are still the same."""
        with suppress(Refused):
            entry = self.library.entry(plan.game)
            if entry.rules.model is not None and snapshot_of(entry.rules).digest == digest:
                return self.library.table(plan.game, plan.players, plan.variants, plan.options)
        wanted = (digest, plan.players, plan.variants, tuple(sorted(plan.options.items())))
        if wanted not in self._games:
            self._games[wanted] = table_of(self.store.rules(digest).rules(), plan.players, plan.variants, plan.options)
        return self._games[wanted]

    def sleep(self, idle: float = 60.0) -> None:
        """Forget the tables at which nobody looks, and for which nobody has asked for so many seconds; they are restored when
        somebody comes."""
        with self._turn:
            for id, session in [*self._sessions.items()]:
                asked = monotonic() - self._asked[id] < idle  # somebody may be about to connect
                if not asked and not session.is_watched and not self.thinking.is_busy(session):
                    del self._sessions[id], self._asked[id]
                    self.thinking.forget(session)

    # ---- What clients ask for

    def answer(self, place: Place, message: Any, tell: Callable[[Data], None]) -> None:
        """Do what a message from a client asks for. `Refused` when it cannot be done. ``tell``: says something to it alone."""
        asked = _Asked(message)
        session, seat = place.session, place.seat
        does: dict[str, Callable[[], None]] = {
            "act": lambda: session.act(seat, asked.whole("position"), asked.whole("option")),
            "why": lambda: session.why(seat, asked.whole("position"), asked.whole("option")),
            "undo": lambda: session.undo(seat),
            "answer": lambda: session.answer(seat, asked.truth("agree")),
            "note": lambda: session.note(seat, asked.text("text")),
            "name": lambda: session.name(seat, asked.text("text")),
            "film": lambda: tell(session.film(asked.whole("seat"), asked.whole("at"))),
            "rules": lambda: self.rules_watch.adopt(session, seat),
            "hint": lambda: self.thinking.hint(session, seat, asked.most("iterations", ITERATIONS_LIMIT)),
            "review": lambda: self.thinking.review(session, asked.most("iterations", REVIEW_LIMIT), tell),
        }
        kind = asked.text("type")
        if kind not in does:
            raise Refused("message", f"there is no message `{kind[:40]}`", f"the messages are {', '.join(does)}")
        does[kind]()
        self.thinking.go_on(session)


def _entries(acts: Sequence[Act]) -> list[Entry]:
    """A log of acts and outcomes that happened elsewhere."""
    now = time()
    return [Entry("act" if a.player else "chance", a.player, now, {"option": a.option, "text": a.text}) for a in acts]


def _language(code: str) -> str:
    """The language of a table; English for what is no code of one."""
    return code if re.fullmatch(r"[A-Za-z]{2,8}([_-][A-Za-z0-9]{2,8})?", code, re.ASCII) else "en"


def _seats(asked: _Asked, players: int) -> tuple[Seat, ...]:
    """The seats of a new table: one for whoever makes it and bots, where nothing else is said."""
    given = asked.items("seats") or [{"kind": "me"}, *[{"kind": "bot"}] * (players - 1)]
    if len(given) != players:
        raise Refused("seats", f"these are {len(given)} seats, and {players} play", "say for each seat who sits there")
    seats = tuple(_seat(_Asked(each), number) for number, each in enumerate(given, 1))
    people = [alike(seat.name) for seat in seats if not seat.is_bot]
    if twice := next((seat.name for seat in seats if people.count(alike(seat.name)) > 1), None):
        raise Refused("seats", f"two people are called `{twice}`", "give each a name of their own")
    return seats


def _seat(asked: _Asked, number: int) -> Seat:
    kind = asked.text("kind")
    name = " ".join(asked.text("name", "").split())[:40]
    if kind == "bot":
        bot = str(bot_at_table(asked.text("bot", "search:300")))
        return Seat("bot", name or bot, "", bot)
    if kind in ("me", "open"):
        return Seat("me" if kind == "me" else "open", name or f"player {number}", token_urlsafe(TOKEN_BYTES))
    raise Refused("seats", f"a seat is `me`, `open` or `bot`, not `{kind[:40]}`")


class _Asked:
    """What a client sent, read with care. `Refused` for what is not of the right form."""

    def __init__(self, data: Any) -> None:
        if not isinstance(data, dict):
            raise Refused("message", "a message is an object")
        self._data = data

    def text(self, key: str, otherwise: str | None = None) -> str:
        found = self._data.get(key, otherwise)
        if not isinstance(found, str) or len(found) > SIZE_LIMIT:
            raise Refused("message", f"`{key}` is a text")
        return found

    def whole(self, key: str) -> int:
        found = self.number(key)
        if found is None:
            raise Refused("message", f"`{key}` is missing")
        return found

    def number(self, key: str) -> int | None:
        found = self._data.get(key)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found < 1 << 64:
            raise Refused("message", f"`{key}` is a whole number from 0 to {(1 << 64) - 1:,}")
        return found

    def most(self, key: str, most: int) -> int | None:
        found = self.number(key)
        if found is not None and not 1 <= found <= most:
            raise Refused("message", f"`{key}` goes from 1 to {most:,}")
        return found

    def truth(self, key: str) -> bool:
        found = self._data.get(key)
        if not isinstance(found, bool):
            raise Refused("message", f"`{key}` is true or false")
        return found

    def items(self, key: str) -> list[Any]:
        found = self._data.get(key) or []
        if not isinstance(found, list) or len(found) > SEATS_LIMIT:
            raise Refused("message", f"`{key}` is a list of at most {SEATS_LIMIT}")
        return found

    def texts(self, key: str) -> list[str]:
        found = self.items(key)
        if not all(isinstance(each, str) for each in found):
            raise Refused("message", f"`{key}` is a list of texts")
        return found

    def mapping(self, key: str) -> dict[str, str]:
        found = self._data.get(key) or {}
        if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
            raise Refused("message", f"`{key}` has a text for each name")
        return found
