"""Time limits that interrupt work, whatever it is doing.

Python is interrupted between two of its own steps, in a browser by the page's alarm (`platform.py`). Native code has no such
points: so what plays inside of a module is a `Player` and told when the time is over, and code that cannot be told is run
`apart`. An interruption may also come where its exception is swallowed, such as in a finalizer: so it comes again and again, and
nothing is reported about those that were swallowed.
"""

from __future__ import annotations

import _thread
import math
import signal
import sys
from collections.abc import Callable, Generator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from ctypes import c_ulong, py_object, pythonapi
from threading import Event, Lock, Thread
from time import monotonic, process_time
from typing import Protocol, TypeVar, runtime_checkable
from weakref import WeakSet

from .diagnostics import Diagnostic, RulesError, fault
from .platform import HERE, alarm
from .source import Span

PATIENCE = 60.0  # seconds: a game that is not over by then will not end in anybody's time
LESS = "let its loops go round less often"
FEWER = f"{LESS}: filter the larger set first, or name by a `let` what is the same for all its members"

# Nothing else in this program is told by it, and every system has it; it is only ever sent to ourselves.
_SIGNAL = signal.SIGABRT

AGAIN = 0.1  # seconds between two interruptions: to go back all the way from the first takes far less

_inside = Event()  # of a deadline
_excused = [0.0]  # seconds of processor time that have passed where they do not count
_turn = Lock()

_Found = TypeVar("_Found")


class OutOfTime(BaseException):
    """The seconds are over. No `Exception`, so that nobody takes it for a fault of what was being done.

    ``where``: the line of the rules that was being done, where that is known.
    """

    def __init__(self, where: Span | None = None) -> None:
        super().__init__()
        self.where = where


@runtime_checkable
class Player(Protocol):
    """Plays in native code. Both methods are called by other threads, and at any time."""

    def leave_off(self) -> None:
        """Come to an end soon."""

    def go_on(self) -> None:
        """Forget that."""


_players: WeakSet[Player] = WeakSet()


def tell(player: Player) -> None:
    """From now on a player leaves off whenever a deadline is over, until what is inside of the deadline has ended."""
    _players.add(player)


@contextmanager
def deadline(seconds: float | None, clock: Callable[[], float] = monotonic) -> Generator[None]:
    """Raise `OutOfTime` inside when the seconds are over (None: never). For the main thread, which alone can be interrupted, and
    not inside of another. ``clock``: with `process_time`, a busy machine leaves as much time as an idle one."""
    if seconds is None:
        yield
        return
    if seconds <= 0:
        raise OutOfTime
    if not HERE.has_threads:
        with alarm(seconds, lambda: clock() - _excused[0], OutOfTime):
            yield
        return
    done, end = Event(), clock() + seconds - _excused[0]
    over = False  # no event, whose lock would be held for ever if setting it was interrupted

    def interrupt(number: int, frame: object) -> None:
        if not over:
            raise OutOfTime

    def watch() -> None:
        left = seconds
        while not done.wait(left):
            left = min(max(end + _excused[0] - clock(), AGAIN), 1.0)
            if clock() < end + _excused[0]:
                continue
            with _turn:
                if done.is_set():
                    return
                _thread.interrupt_main(_SIGNAL)
                with suppress(Exception):  # or nothing would be interrupted any more
                    for player in list(_players):
                        player.leave_off()

    handler, hook = signal.signal(_SIGNAL, interrupt), sys.unraisablehook
    sys.unraisablehook = lambda lost: None if lost.exc_type is OutOfTime else hook(lost)  # else Python tells of each
    try:
        try:
            _inside.set()
            Thread(target=watch, daemon=True).start()
            yield
        finally:
            over = True
    finally:
        over = True  # once more, since the line above may have been interrupted
        done.set()
        with _turn:
            for player in list(_players):
                player.go_on()
        _inside.clear()
        sys.unraisablehook = hook
        signal.signal(_SIGNAL, handler)


@contextmanager
def deadline_in_thread(seconds: float, ended: Event | None = None, player: Player | None = None) -> Generator[None]:
    """Raise `OutOfTime` inside when the seconds are over, in whichever thread this is, or when something else has ``ended``. Only
    Python is interrupted, between two of its steps, and not what it waits for; a ``player`` is told to leave off."""
    if not HERE.has_threads:
        with alarm(seconds, monotonic, OutOfTime):
            yield
        return
    thread, done, turn, sent = _thread.get_ident(), Event(), Lock(), Event()

    def interrupt() -> None:
        sent.set()
        pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread), py_object(OutOfTime))

    end = monotonic() + seconds

    def watch() -> None:
        while not done.wait(AGAIN if ended is not None else max(AGAIN, end - monotonic())):
            if monotonic() < end and not (ended is not None and ended.is_set()):
                continue
            with turn:
                if not done.is_set():
                    interrupt()
                    if player is not None:
                        player.leave_off()

    Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with turn:
            done.set()
            if player is not None:
                player.go_on()
        if sent.is_set():
            _take_the_last(interrupt)


def _take_the_last(interrupt: Callable[[], None]) -> None:
    """Let an interruption come that may still be on its way. It is not called back: then Python would look for it ever after, at
    each of its steps."""
    with suppress(OutOfTime):
        interrupt()
        while True:
            pass


@contextmanager
def excused() -> Generator[None]:
    """The processor time that passes inside does not count for a deadline around it; for the main thread."""
    began = process_time()
    before, _excused[0] = _excused[0], math.inf
    try:
        yield
    finally:
        _excused[0] = before + process_time() - began


@contextmanager
def patience(what: str, seconds: float, help: str = LESS) -> Generator[None]:
    """A deadline in processor time for what a command waits for. Raises `RulesError` (R820): ``what`` was still going."""
    try:
        with deadline(seconds, process_time):
            yield
    except OutOfTime as over:
        raise RulesError([too_long(what, seconds, over.where, help)]) from None


def too_long(what: str, seconds: float, where: Span | None, help: str = LESS) -> Diagnostic:
    """What is told where ``what`` takes longer than anybody waits for it. ``where``: the line that was being done, if known."""
    text = f"{what} was still going after {seconds:.0f} seconds"
    if where is None:
        return fault("R820", text, help=help)
    return fault("R820", f"{text}: the rules take too long here", where, help=FEWER if help == LESS else help)


def apart(work: Callable[[], _Found]) -> _Found:
    """What native code finds that cannot be told to leave off. Inside of a deadline another thread does it, which is left alone
    when the seconds are over."""
    if not _inside.is_set():
        return work()
    found: Future[_Found] = Future()

    def do() -> None:
        try:
            found.set_result(work())
        except BaseException as error:
            found.set_exception(error)

    Thread(target=do, daemon=True).start()
    while not found.done():
        wait([found], AGAIN)  # and between two of these, the interruption is heard
    return found.result()
