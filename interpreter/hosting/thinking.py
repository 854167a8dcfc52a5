"""Bots and hints: thoughts about positions, on threads of their own.

A bot thinks about a copy of the game whose streams of random numbers are its own, so that what it draws changes nothing at the
table, and is the same whenever the same position is thought about.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from threading import Event, Lock
from time import monotonic

from ..common.deadline import OutOfTime, Player, deadline_in_thread
from ..common.diagnostics import RulesError
from ..common.platform import workers
from ..play.bots.thinking import Advisor, Effort, policies_for, thinker_for
from ..play.game import Game, State
from ..play.records.review import JudgedAct, Review, decisions_of, judged
from ..play.records.review import to_json as review_data
from ..players.bots import Bot, bots_named
from ..players.policies import Policy
from ..players.thoughts import Thinker
from ..words.words import marked
from .messages import Data
from .refusals import Refused
from .session import Session

ITERATIONS_LIMIT = 100_000  # of a bot or a hint that somebody may ask for over the net
SECONDS_LIMIT = 20.0  # after which a thought ends with what it has so far
GRACE = 5.0  # seconds after which a thought is given up that does not end then
TRIES = 5  # other options that a bot tries where the rules do not bring an act to an end
THREADS = 2
REVIEW = 300  # iterations of a review for each look at a decision
REVIEW_LIMIT = 5000
REVIEW_SECONDS = 300.0  # after which a review ends with what it has
REVIEWS_LIMIT = 4  # reviews that may wait for their turn
REVIEWS_KEPT = 50
THRESHOLD = 0.1  # share of the win from which an act is marked
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
    """The threads on which bots of all tables think, and one on which games are reviewed."""

    def __init__(self) -> None:
        self._pool = workers(THREADS, "bots")
        self._reviewing = workers(1, "reviews")
        self._stopped = Event()
        self._minds: dict[str, _Mind] = {}
        self._turn = Lock()
        self._hints = 0
        self._reviews: dict[tuple[str, tuple[int, ...], int], _Reviewing] = {}

    def close(self) -> None:
        self._stopped.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._reviewing.shutdown(wait=True, cancel_futures=True)

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
            if mind.about == history or mind.given_up == history:
                return
            mind.about = history
        with suppress(RuntimeError):  # the server stops
            self._pool.submit(self._let_bot_act, session, mind, seat, session.state.clone())

    def _let_bot_act(self, session: Session, mind: _Mind, seat: int, state: State) -> None:
        try:
            for option in self._wanted(session, mind, seat, state):
                try:
                    session.act_of_bot(seat, state.history, option)
                    break
                except Refused as refused:
                    if refused.code != "endless":
                        raise
            else:
                if not self._stopped.is_set():
                    mind.given_up = state.history
                    raise Refused(
                        "endless", marked("{player} finds nothing that the rules bring to an end"), player=session.names[seat - 1]
                    )
        except Refused as refused:
            session.tell_all({"type": "error", **refused.data})
        finally:
            mind.about = None
        self.go_on(session)

    def _wanted(self, session: Session, mind: _Mind, seat: int, state: State) -> Iterator[int]:
        """What a bot wants to do, then some others, if the rules do not bring that to an end. Nothing when the server stops."""
        bot, tried = session.plan.seats[seat - 1].bot, set()
        try:
            tried.add(mind.choice(state, bot, session.luck("bot", state)))
            yield from tried
        except (OutOfTime, RulesError):
            if not self._stopped.is_set():
                told = marked("{player} could not think about this in time, and acts at random")
                session.tell_all({"type": "error", **Refused("endless", told, player=session.names[seat - 1]).data})
        others = [option for option in state.legal if option not in tried]
        Random(session.luck("others", state)).shuffle(others)
        for option in others[:TRIES]:
            if self._stopped.is_set():
                return
            yield option

    def hint(self, session: Session, seat: int, iterations: int | None) -> None:
        """Tell a seat what a search thinks of its options. `Refused` where it has none, or too many wait."""
        with session.turn:
            asked = session.asked(seat)
            if asked is None or session.plan.replay:
                raise Refused("no hint", marked("a hint is for a decision of yours"))
            state, position = asked.clone(), session.number(seat)
            mind = self._mind(session)
        with self._turn:
            if self._hints >= HINTS_LIMIT:
                raise Refused("busy", marked("too many hints are thought about just now; ask again in a moment"))
            self._hints += 1
        self._pool.submit(self._give_hint, session, mind, state, seat, position, iterations)

    def _give_hint(self, session: Session, mind: _Mind, state: State, seat: int, position: int, iterations: int | None) -> None:
        try:
            session.tell(seat, {"type": "hint", "position": position, **mind.hint(state, iterations)})
        except (OutOfTime, RulesError):
            told = marked("the rules take too long here to think about them")
            session.tell(seat, {"type": "error", **Refused("endless", told).data})
        finally:
            with self._turn:
                self._hints -= 1

    def review(self, session: Session, iterations: int | None, tell: Callable[[Data], None]) -> None:
        """Tell somebody what a search thinks of the acts of a game that is over, as it is found. `Refused` before that."""
        with session.turn:
            if not (session.plan.replay or session.state.is_over):
                raise Refused("not over", marked("a game can be reviewed when it is over"))
            game, history, iterations = session.game, session.state.history, iterations or REVIEW
        with self._turn:
            key = (session.plan.id, history, iterations)
            known = self._reviews.get(key)
            if known is None:
                if sum(not each.done for each in self._reviews.values()) >= REVIEWS_LIMIT:
                    raise Refused("busy", marked("too many games are reviewed just now; ask again in a moment"))
                while len(self._reviews) >= REVIEWS_KEPT:
                    del self._reviews[next(found for found, each in self._reviews.items() if each.done)]
                known = self._reviews[key] = _Reviewing(game, history, iterations, self._stopped)
                self._reviewing.submit(known.run)
        known.tell(tell)

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
        self.given_up: tuple[int, ...] | None = None  # of the one at which it found nothing to do
        self._stopped = stopped
        self._turn = Lock()
        self._thinker: Thinker | None = None
        self._policies: dict[str, Policy] = {}

    def _a_thinker(self) -> Thinker:
        if self._thinker is None:
            self._thinker = thinker_for(self.game)
        return self._thinker

    @contextmanager
    def _watched(self, who: str | None, effort: Effort | None) -> Generator[Callable[[int], bool]]:
        end = monotonic() + SECONDS_LIMIT
        yield lambda done: monotonic() < end and not self._stopped.is_set()

    def choice(self, state: State, bot: str, seed: int) -> int:
        """The option that a bot takes for the seat that has to choose. Raises `OutOfTime` or `RulesError` for rules that take
        too long, and when the server stops."""
        thinker = self._a_thinker() if bot.startswith("search") else None
        with self._turn, bounded(thinker, self._stopped):
            if bot not in self._policies:
                self._policies[bot] = policies_for(self.game, bots_named(bot), self._a_thinker, None, self._watched, [])[0]
            return state.reseeded(seed).choice_by(self._policies[bot])

    def hint(self, state: State, iterations: int | None) -> Data:
        """What a search thinks of the options, the best first. Raises as `choice` does."""
        with self._turn, bounded(self._a_thinker(), self._stopped):
            thought = Advisor(self.game, self._a_thinker, None, self._watched).asked(state, iterations)
        if thought.worlds == "none":
            return {"options": [], "iterations": thought.iterations, "worlds": "none"}
        found = [
            {"number": option, "share": share, "visits": visits, "sure": bool(sure)}
            for option, share, visits, sure in zip(state.legal, thought.shares, thought.visits, thought.proved, strict=True)
        ]
        for each, score in zip(found, thought.scores, strict=False):
            each["score"] = score
        found = [found[place] for place in thought.ranking]
        return {"options": found, "iterations": thought.iterations, "worlds": thought.worlds}


@contextmanager
def bounded(thinker: Thinker | None, stopped: Event, seconds: float | None = None) -> Generator[None]:
    """Raise `OutOfTime` or `RulesError` inside where a thought does not end by itself, and when the server stops. What plays in a
    module is told to leave off."""
    player = thinker if isinstance(thinker, Player) else None
    with deadline_in_thread(SECONDS_LIMIT + GRACE if seconds is None else seconds, stopped, player):
        yield


class _Reviewing:
    """A review that goes on. ``done``: whether it has come to its end."""

    def __init__(self, game: Game, history: tuple[int, ...], iterations: int, stopped: Event) -> None:
        self._game, self._history, self._iterations, self._stopped = game, history, iterations, stopped
        self._turn = Lock()
        self._listeners: list[Callable[[Data], None]] = []
        self._acts: list[JudgedAct] = []
        self._decisions = 0
        self.done = False

    def tell(self, listener: Callable[[Data], None]) -> None:
        """Tell somebody what was found, and if there is more to come, all that follows."""
        with self._turn:
            if not self.done:
                self._listeners.append(listener)
            listener(self._message(self._acts))

    def run(self) -> None:
        try:
            with suppress(OutOfTime, RulesError), bounded(thinker := thinker_for(self._game), self._stopped, REVIEW_SECONDS):
                every = tuple(range(1, self._game.players + 1))
                places = decisions_of(self._game, self._history, every)
                self._decisions = len(places)
                for act in judged(self._game, self._history, places, thinker, self._iterations, THRESHOLD):
                    self._found([act])
        finally:
            self.done = True
            self._found([])

    def _found(self, acts: list[JudgedAct]) -> None:
        with self._turn:
            self._acts += acts
            for listener in self._listeners:
                listener(self._message(acts))

    def _message(self, acts: Sequence[JudgedAct]) -> Data:
        seats = tuple(range(1, self._game.players + 1))
        found = Review(self._game, seats, self._iterations, THRESHOLD, tuple(acts), self._decisions)
        whole = review_data(found, None)
        return {"type": "review", **{key: whole[key] for key in ("bots", "threshold", "decisions", "acts")}, "done": self.done}
