"""Time limits that interrupt work, whatever it is doing.

Python is interrupted between two of its own steps. Native code has no such points: so code that may play for long inside of a
module is `told` when the time is over, and code that cannot be told is run `apart`. An interruption may also come where its
exception is swallowed, such as in a finalizer: so it comes again and again, and nothing is reported about those that were
swallowed.
"""

from __future__ import annotations

import _thread
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import monotonic, process_time
from typing import TypeVar

from .diagnostics import RulesError, fault

# Nothing else in this program is told by it, and every system has it; it is only ever sent to ourselves.
_SIGNAL = signal.SIGABRT

AGAIN = 0.1  # seconds between two interruptions: to go back all the way from the first takes far less

_told: list[Callable[[], None]] = []
_inside = Event()  # of a deadline

_Found = TypeVar("_Found")


class OutOfTime(BaseException):
    """The seconds are over. No `Exception`, so that nobody takes it for a fault of what was being done."""


@contextmanager
def deadline(seconds: float | None, clock: Callable[[], float] = monotonic) -> Iterator[None]:
    """Raise `OutOfTime` inside when the seconds are over (None: never). For the main thread, which alone can be interrupted, and
    not inside of another. ``clock``: with `process_time`, a busy machine leaves as much time as an idle one."""
    if seconds is None:
        yield
        return
    if seconds <= 0:
        raise OutOfTime
    done, end = Event(), clock() + seconds

    def interrupt(number: int, frame: object) -> None:
        if not done.is_set():
            raise OutOfTime

    def watch() -> None:
        left = seconds
        while not done.wait(left):
            left = max(end - clock(), AGAIN)
            if clock() < end:
                continue
            _thread.interrupt_main(_SIGNAL)
            for leave_off in tuple(_told):
                with suppress(Exception):  # or nothing would be interrupted any more
                    leave_off()

    handler, hook = signal.signal(_SIGNAL, interrupt), sys.unraisablehook
    sys.unraisablehook = lambda lost: None if lost.exc_type is OutOfTime else hook(lost)  # else Python tells of each
    try:
        try:
            _inside.set()
            Thread(target=watch, daemon=True).start()
            yield
        finally:
            done.set()
    finally:
        done.set()  # once more, since the line above may have been interrupted
        _inside.clear()
        sys.unraisablehook = hook
        signal.signal(_SIGNAL, handler)


@contextmanager
def patience(what: str, seconds: float, help: str = "let its loops go round less often") -> Iterator[None]:
    """A deadline in processor time for what a command waits for. Raises `RulesError` (R820): ``what`` was still going."""
    try:
        with deadline(seconds, process_time):
            yield
    except OutOfTime:
        raise RulesError([fault("R820", f"{what} was still going after {seconds:.0f} seconds", help=help)]) from None


@contextmanager
def told(leave_off: Callable[[], None]) -> Iterator[None]:
    """While native code runs inside of a deadline: when the seconds are over, ``leave_off`` is called in another thread, to bring
    the native code to its end. Then Python is interrupted."""
    _told.append(leave_off)
    try:
        yield
    finally:
        _told.remove(leave_off)


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
