"""What must not take longer than so many seconds, whatever it is doing: it is interrupted where it stands.

Python is interrupted between two of its own steps. Native code has none, so what may play for long inside of a module has itself
`told` as well. And an interruption may come where nobody hears it, such as a finalizer: so it comes again and again.
"""

from __future__ import annotations

import _thread
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

# Nothing else in this program is told by it, and every system has it; it is only ever sent to ourselves.
_SIGNAL = signal.SIGABRT

AGAIN = 0.1  # seconds between two interruptions: to go back all the way from the first takes far less

_told: list[Callable[[], None]] = []


class OutOfTime(BaseException):
    """The seconds are over. No `Exception`, so that nobody takes it for a fault of what was being done."""


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """Raise `OutOfTime` inside when the seconds are over (None: never). For the main thread, which alone can be interrupted, and
    not inside of another."""
    if seconds is None:
        yield
        return
    if seconds <= 0:
        raise OutOfTime
    done = Event()

    def interrupt(number: int, frame: object) -> None:
        if not done.is_set():
            raise OutOfTime

    def watch() -> None:
        wait = seconds
        while not done.wait(wait):
            _thread.interrupt_main(_SIGNAL)
            for leave_off in tuple(_told):
                leave_off()
            wait = AGAIN

    before = signal.signal(_SIGNAL, interrupt)
    Thread(target=watch, daemon=True).start()
    try:
        try:
            yield
        finally:
            done.set()
    finally:
        done.set()  # once more, since the line above may have been interrupted
        signal.signal(_SIGNAL, before)


@contextmanager
def told(leave_off: Callable[[], None]) -> Iterator[None]:
    """While native code runs inside of a deadline: when the seconds are over, ``leave_off`` is called in another thread, to bring
    the native code to its end. Then Python is interrupted."""
    _told.append(leave_off)
    try:
        yield
    finally:
        _told.remove(leave_off)
