"""The effort of playing: how much is played and how long, and its progress, for those who wait."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic, process_time

from attrs import frozen

from ...common.diagnostics import Diagnostic

FOR_PLAY = 0.9  # of the seconds that there are: in the others it is told what playing found


@frozen
class Effort:
    """``seed``: of all chance. ``seconds``: for all, the last of them to tell what was found; None: the whole effort.

    ``at_first``: with a limit, the seconds for one game of each table, which is played even if it takes more than ``seconds``;
    None: as many as it takes. ``at_most``: without a limit, the seconds of processor time after which even so what is left is
    left out; None: never.
    """

    seed: int = 0
    seconds: float | None = None
    at_first: float | None = None
    at_most: float | None = None


class Clock:
    """The time since this was made. ``seconds``: that there are; None: as many as are needed. ``is_shared``: whether each table
    has its share of them. ``now``: what tells the time."""

    def __init__(self, effort: Effort) -> None:
        self.is_shared = effort.seconds is not None
        self.seconds = effort.seconds if self.is_shared else effort.at_most
        self.now = monotonic if self.is_shared else process_time
        self.began = self.now()

    def left(self, share: float = 1.0) -> float | None:
        """The seconds that are left of a share of all."""
        return None if self.seconds is None else self.began + share * self.seconds - self.now()


class Patience:
    """How long a table may be played: until a time by the monotonic clock. ``was_lost``: whether that was ever over."""

    def __init__(self, until: float) -> None:
        self.until, self.was_lost = until, False
        self.half = monotonic() + (until - monotonic()) / 2

    def is_over(self) -> bool:
        self.was_lost |= monotonic() > self.until
        return self.was_lost

    def is_half_over(self) -> bool:
        self.was_lost |= monotonic() > self.half
        return monotonic() > self.half


class Progress:
    """Hears how far a check has come. This one tells nobody."""

    def begin(self, what: str, tables: int) -> None:
        """``what`` ("playing market.rules") begins; it is done at so many tables."""

    def advance(self) -> None:
        """It is done at one table more."""

    def show(self, findings: Sequence[Diagnostic]) -> None:
        """These findings are known of the file so far; one of them may turn out to be a consequence of another."""


SILENT = Progress()
