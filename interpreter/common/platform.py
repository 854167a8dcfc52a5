"""What the place offers where Python runs: a machine, or a web page, which has one thread, no native code and no disk.

All that differs there is decided by `HERE`, or done by a function of this module.

In a page, the worker (``web/browser/worker.js``) gives Python a module ``rulesrun_page``. Its ``alarm`` lets Python interrupt
itself after so many seconds, and then again and again until it is told otherwise. WebAssembly that runs beside Python cannot be
interrupted from inside: the page ends a worker that takes too long.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from threading import Timer
from typing import Final, ParamSpec, TypeVar

from attrs import frozen


@frozen
class Platform:
    """``has_threads``: more than the main one. ``has_native_code``: modules are compiled by wasmtime, and not by the browser of a
    page. ``keeps_files``: what is written outlives the process."""

    has_threads: bool
    has_native_code: bool
    keeps_files: bool


MACHINE: Final = Platform(True, True, True)
PAGE: Final = Platform(False, False, False)
HERE: Final = PAGE if sys.platform == "emscripten" else MACHINE

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")
_ends: list[tuple[float, Callable[[], float]]] = []  # of the time limits inside of which we are, each with its clock


@contextmanager
def alarm(seconds: float, clock: Callable[[], float], raises: type[BaseException]) -> Generator[None]:
    """Raise an exception inside when so many seconds of a clock are over. Limits can be nested."""
    over = False

    def interrupt(number: int, frame: object) -> None:
        if not over and any(at() >= end for end, at in _ends):
            raise raises

    before = signal.signal(signal.SIGINT, interrupt)
    _ends.append((clock() + seconds, clock))
    try:
        try:
            _set()
            yield
        finally:
            over = True
    finally:
        over = True  # once more, since the line above may have been interrupted
        _ends.pop()
        signal.signal(signal.SIGINT, before)
        _set()


@contextmanager
def guarded(seconds: float, leave_off: Callable[[], object]) -> Generator[None]:
    """Call ``leave_off`` from another thread when what is inside takes longer; where there is none, nobody does."""
    if not HERE.has_threads:
        yield
        return
    guard = Timer(seconds, leave_off)
    guard.daemon = True
    guard.start()
    try:
        yield
    finally:
        guard.cancel()
        guard.join()


def workers(count: int, name: str) -> Executor:
    """What does things beside the main thread, in so many others; where there are none, later."""
    return ThreadPoolExecutor(count, thread_name_prefix=name) if HERE.has_threads else Later()


class Later(Executor):
    """Does one thing after the other, each when the page has nothing else to do."""

    def submit(self, fn: Callable[_Given, _Found], /, *args: _Given.args, **kwargs: _Given.kwargs) -> Future[_Found]:
        import asyncio  # which takes a while, and is for browsers only

        found: Future[_Found] = Future()

        def do() -> None:
            if found.set_running_or_notify_cancel():
                try:
                    found.set_result(fn(*args, **kwargs))
                except BaseException as error:
                    found.set_exception(error)

        asyncio.get_event_loop().call_soon(do)
        return found


def _set() -> None:
    import_module("rulesrun_page").alarm(min((max(0.0, end - clock()) for end, clock in _ends), default=-1))
