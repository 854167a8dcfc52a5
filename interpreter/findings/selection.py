"""Selects findings by their codes: those that are asked for, without those that are ignored."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from ..common.codes import CODES, like
from ..common.diagnostics import Diagnostic


@frozen
class Selection:
    """Beginnings of codes. ``select``: empty for all. What is both selected and ignored is ignored. ``proved``: nothing was
    played to find more than can be proved."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    proved: bool = False

    def has(self, code: str) -> bool:
        """Whether findings of a code are shown, if there are any."""
        return (not self.select or code.startswith(self.select)) and not code.startswith(self.ignore)

    def seeks(self, code: str) -> bool:
        """Whether findings of a code were looked for."""
        return self.has(code) and not (self.proved and CODES[code].comes_from_play)

    def shows(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is shown; one that keeps a game from being played always is."""
        return keeps_from_playing(diagnostic) or self.has(diagnostic.code)


def keeps_from_playing(diagnostic: Diagnostic) -> bool:
    """Whether no machine can be built because of this, for any table or for some."""
    return diagnostic.severity == "error" and CODES[diagnostic.code].prevents_play


ALL = Selection()


def beginnings(texts: Iterable[str]) -> tuple[str, ...]:
    """The codes, or beginnings of codes, in texts such as ``R310, r4``. Raises `ValueError`, in words, for what is none."""
    found = []
    for text in texts:
        for word in text.split(","):
            name = word.strip().upper()
            if not name:
                raise ValueError("a code is missing; write for instance `R310,R4`")
            if not any(code.startswith(name) for code in CODES):
                help = like(name) or "`rulesrun explain` lists all"
                raise ValueError(f"there is no code `{word.strip()}`, and none that begins so; {help}")
            found.append(name)
    return tuple(found)
