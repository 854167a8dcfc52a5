"""Bots and hints: thoughts about positions, on threads of their own.

A bot thinks about a copy of the game whose streams of random numbers are its own, so that what it draws changes nothing at the
table, and is the same whenever the same position is thought about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event, Lock
from time import monotonic
from typing import Any

from ..play.game import Game, State
from ..play.thinking import Advisor, Effort, policies_for, thinker_for
from ..players.bots import Bot, bots_named
from ..players.thoughts import Thinker
from .messages import Data
from .refusals import Refused
from .session import Session

ITERATIONS_LIMIT = 100_000  # of a bot or a hint that somebody may ask for over the net
SECONDS_LIMIT = 20.0  # after which a thought ends with what it has so far
THREADS = 2
HINTS_LIMIT = 8  # hints that may wait for their turn


def bot_at_table(text: str) -> Bot:
    """A bot for a seat. `Refused` for an unknown one; players from files are none for strangers to name."""
    try:
        found = bots_named(text)
    except ValueError as error:
        raise Refused("bot", str(error)) from None
    except Exception as error:  # RulesError: its text is for a terminal
        diagnostic = getattr(error, "diagnostics", (None,))[0]
        raise Refused("bot", getattr(diagnostic, "message", f"there is no bot `{text[:40]}`")) from None
    if len(found) != 1 or found[0].kind == "python":
        raise Refused("bot", "a seat has one bot: `random`, `casual`, `rollouts:N` or `search:N`")
    if found[0].playouts > ITERATIONS_LIMIT:
        raise Refused("bot", f"`{found[0]}` thinks too long for a table: {ITERATIONS_LIMIT:,} is the most")
    return found[0]


class Thinking:
    """The threads on which bots of all tables think."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="bots")
        self._stopped = Event()
        self._minds: dict[str, _Mind] = {}
        self._turn = Lock()
        self._hints = 0

    def close(self) -> None:
        self._stopped.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def is_busy(self, session: Session) -> bool:
        """Whether a bot thinks about a table."""
        with self._turn:
            mind = self._minds.get(session.plan.id)
            return mind is not None and mind.about is not None

    def forget(self, session: Session) -> None:
        with self._turn:
            self._minds.pop(session.plan.id, None)

    def go_on(self, session: Session) -> None:
        """Let the bot that has to choose at a table think, if it is one."""
        with session.turn:
            seat = session.state.player
            if not seat or session.plan.replay or not session.plan.seats[seat - 1].is_bot or self._stopped.is_set():
                return
            mind = self._mind(session)
            history = session.state.history
            if mind.about == history:
                return
            mind.about = history
        with suppress(RuntimeError):  # the server stops
            self._pool.submit(self._let_bot_act, session, mind, seat, session.state.clone())

    def _let_bot_act(self, session: Session, mind: _Mind, seat: int, state: State) -> None:
        try:
            option = mind.choice(state, session.plan.seats[seat - 1].bot, session.plan.seed)
            if self._stopped.is_set():
                return
            session.act_of_bot(seat, state.history, option)
        except Refused as refused:
            session.tell_all({"type": "error", "code": refused.code, "text": refused.text})
        finally:
            mind.about = None
        self.go_on(session)

    def hint(self, session: Session, seat: int, iterations: int | None) -> None:
        """Tell a seat what a search thinks of its options. `Refused` where it has none, or too many wait."""
        with session.turn:
            if seat == 0 or session.state.player != seat or session.plan.replay:
                raise Refused("no hint", "a hint is for a decision of yours")
            state, position = session.state.clone(), session.number(seat)
            mind = self._mind(session)
        with self._turn:
            if self._hints >= HINTS_LIMIT:
                raise Refused("busy", "too many hints are thought about just now; ask again in a moment")
            self._hints += 1
        self._pool.submit(self._give_hint, session, mind, state, seat, position, iterations)

    def _give_hint(self, session: Session, mind: _Mind, state: State, seat: int, position: int, iterations: int | None) -> None:
        try:
            session.tell(seat, {"type": "hint", "position": position, **mind.hint(state, iterations)})
        finally:
            with self._turn:
                self._hints -= 1

    def _mind(self, session: Session) -> _Mind:
        with self._turn:
            mind = self._minds.get(session.plan.id)
            if mind is None or mind.game is not session.game:
                mind = self._minds[session.plan.id] = _Mind(session.game, self._stopped)
            return mind


class _Mind:
    """What thinks for one table, about one thing at a time."""

    def __init__(self, game: Game, stopped: Event) -> None:
        self.game = game
        self.about: tuple[int, ...] | None = None  # the history of the position that a bot thinks about
        self._stopped = stopped
        self._turn = Lock()
        self._thinker: Thinker | None = None
        self._policies: dict[str, Any] = {}

    def _a_thinker(self) -> Thinker:
        if self._thinker is None:
            self._thinker = thinker_for(self.game)
        return self._thinker

    @contextmanager
    def _watched(self, who: str, effort: Effort | None) -> Iterator[Callable[[int], bool]]:
        end = monotonic() + SECONDS_LIMIT
        yield lambda done: monotonic() < end and not self._stopped.is_set()

    def choice(self, state: State, bot: str, seed: int) -> int:
        """The option that a bot takes for the seat that has to choose."""
        with self._turn:
            if bot not in self._policies:
                self._policies[bot] = policies_for(self.game, bots_named(bot), self._a_thinker, None, self._watched, [])[0]
            own = state.reseeded(seed, len(state.history))
            return own.play_by(self._policies[bot])

    def hint(self, state: State, iterations: int | None) -> Data:
        with self._turn:
            thought = Advisor(self.game, self._a_thinker, None, self._watched).asked(state, iterations)
        if thought.worlds == "none":
            return {"options": [], "iterations": thought.iterations, "worlds": "none"}
        found = [
            {"number": option, "share": share, "visits": visits, "sure": bool(sure)}
            for option, share, visits, sure in zip(state.legal, thought.shares, thought.visits, thought.proved, strict=True)
        ]
        found.sort(key=lambda each: (-each["visits"], -each["share"]))
        return {"options": found, "iterations": thought.iterations, "worlds": thought.worlds}
