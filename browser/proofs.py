"""Proofs for the editor, made by another worker, so that keys need not wait for them.

Jobs and news travel as pickles in base64, from one worker of the page to another; nobody else writes these.
"""

from __future__ import annotations

import pickle
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

from ..language_server.checker import Job, News, proved


class Proofs:
    """A `language_server.checker.Checks`. ``ask``: sends a message to the page, which lets a player do the job."""

    def __init__(self, ask: Callable[..., None]) -> None:
        self._ask = ask
        self._number = 0
        self._hears: tuple[Callable[[News], None], Callable[[], None]] | None = None

    def check(self, job: Job, tell: Callable[[News], None], over: Callable[[], None]) -> None:
        """See `Checker.check`. Games are played only when somebody looks at findings, so a job that plays is over at once."""
        self.stop()
        if job.plays:
            return over()
        self._hears = tell, over
        self._ask(job=self._number, content=b64encode(pickle.dumps(job)).decode())

    def heard(self, number: int, news: list[str]) -> None:
        """What came of a job."""
        if number != self._number or self._hears is None:
            return
        tell, over = self._hears
        for each in news:
            tell(pickle.loads(b64decode(each)))
        over()

    def stop(self) -> None:
        """See `Checker.stop`. The player is not disturbed; what it finds is not heard."""
        self._number, self._hears = self._number + 1, None

    def close(self) -> None:
        """See `Checker.close`."""
        self.stop()


def done(content: str) -> list[str]:
    """Do a job: its news."""
    found: list[Any] = list(proved(pickle.loads(b64decode(content))))
    return [b64encode(pickle.dumps(news)).decode() for news in found]
