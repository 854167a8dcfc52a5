"""The progress of a check, for those who wait for it."""

from __future__ import annotations

from collections.abc import Sequence

from ...common.diagnostics import Diagnostic


class Progress:
    """Hears how far a check has come. This one tells nobody."""

    def begin(self, what: str, tables: int) -> None:
        """``what`` ("playing market.rules") begins; it is done at so many tables."""

    def advance(self) -> None:
        """It is done at one table more."""

    def show(self, findings: Sequence[Diagnostic]) -> None:
        """These findings are known of the file so far; one of them may turn out to be a consequence of another."""


SILENT = Progress()
