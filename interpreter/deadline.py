"""What must not take longer than so many seconds, whatever it is doing: it is interrupted where it stands."""

from __future__ import annotations

import _thread
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

# Nothing else in this program is told by it, and every system has it; it is only ever sent to ourselves.
_SIGNAL = signal.SIGABRT


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
    running = True

    def interrupt(number: int, frame: object) -> None:
        if running:
            raise OutOfTime

    before = signal.signal(_SIGNAL, interrupt)
    timer = Timer(seconds, _thread.interrupt_main, (_SIGNAL,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        running = False
        timer.cancel()
        signal.signal(_SIGNAL, before)
