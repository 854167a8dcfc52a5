"""Translations as data: a table by context and text, and files that were compiled beforehand, which need no Babel to be read.

A page without a server has no Babel. So what is bundled for it is compiled, the program's catalogues and those of games alike: a
file of gettext in its binary form (``.mo``), which Python reads by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from typing import Any

COMPILED = ".mo"


class Said(NullTranslations):
    """Translations by context and text; what they lack is asked of the fallback."""

    def __init__(self, said: Mapping[tuple[str, str], str]) -> None:
        super().__init__()
        self._said = dict(said)

    def pgettext(self, context: str, message: str) -> str:
        return self._said.get((context, message)) or super().pgettext(context, message)


def translations_of(content: bytes) -> GNUTranslations:
    """What a compiled file says. Raises ValueError for what is none."""
    try:
        made = GNUTranslations(BytesIO(content))
        rule = made.plural  # type: ignore[attr-defined]
        rule(1)
    except Exception as error:  # a damaged file is whatever it is
        raise ValueError(f"it is no compiled file of gettext ({type(error).__name__})") from None

    def form(number: int) -> int:
        try:
            return int(rule(number))
        except (ArithmeticError, ValueError):
            return 0  # of a number so large that nobody has tried it

    made.plural = form  # type: ignore[attr-defined]
    return made


def says(translations: GNUTranslations, context: str, message: str) -> bool:
    """Whether translations have an entry themselves."""
    known: Any = translations
    return f"{context}\x04{message}" in known._catalog


__all__ = ["COMPILED", "Said", "says", "translations_of"]
