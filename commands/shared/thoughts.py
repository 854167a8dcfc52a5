"""A bar while a bot thinks, and Ctrl-C that hurries it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from threading import current_thread, main_thread
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...interpreter.play.bots.thinking import Effort, Watch
    from ...interpreter.words.words import Words

SHOWN_AFTER = 0.3  # seconds that a thought takes until a bar is shown


def watching(words: Words) -> Watch:
    """Somebody who waits, and is told in their language who thinks."""
    return partial(_watched_thought, words)


@contextmanager
def _watched_thought(words: Words, who: str | None, effort: Effort | None) -> Generator[Callable[[int], bool]]:
    """See `play.bots.thinking.Watch`. The bar is on stderr, only on a terminal and only for long thoughts.

    Ctrl-C ends a search with what it has found; again, and where it is not known how far a thought is, it ends everything.
    """
    hurried: list[bool] = []
    before = None
    if effort is not None and current_thread() is main_thread():

        def hurry(number: int, frame: object) -> None:
            hurried.append(True)
            signal.signal(signal.SIGINT, signal.default_int_handler)

        before = signal.signal(signal.SIGINT, hurry)
    try:
        if sys.stderr.isatty():
            with _bar(words, who, effort) as shown:
                yield lambda done: shown(done) and not hurried
        else:
            yield lambda done: not hurried
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


@contextmanager
def _bar(words: Words, who: str | None, effort: Effort | None) -> Generator[Callable[[int], bool]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=30), TextColumn("{task.fields[told]}"))
    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    by_time = effort is not None and effort.seconds is not None
    total = None if effort is None else effort.seconds if by_time else effort.iterations
    thinking = words.phrase("a search thinks") if who is None else words.phrase("{player} thinks", player=who)
    task = progress.add_task(thinking, total=total, told="")
    began = monotonic()
    if effort is None:
        progress.start()

    def told(done: int) -> str:
        return words.phrase("iterations: {number}; Ctrl-C: act now", number=f"{done:,}")

    def shown(done: int) -> bool:
        passed = monotonic() - began
        if passed >= SHOWN_AFTER:
            progress.start()
            progress.update(task, completed=passed if by_time else done, told=told(done))
        return True

    try:
        yield shown
    finally:
        progress.stop()
