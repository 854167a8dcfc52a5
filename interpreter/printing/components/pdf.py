"""PDF by WeasyPrint, which the extra `print` brings. Nothing is fetched while it is made."""

from __future__ import annotations

import logging
import re
import unicodedata
from typing import Any, Final

from ...common.diagnostics import Diagnostic, RulesError, fault
from ...common.extras import extra
from .looks import plain_css

_MISSING: Final = re.compile(r"U\+([0-9A-F]{4,6})")
# Packages with fonts for a script, by the beginnings of the names of its characters.
_PACKAGES: Final = (
    (("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "FULLWIDTH", "IDEOGRAPHIC"), "fonts-noto-cjk"),
    (("LATIN", "CYRILLIC", "GREEK"), "fonts-dejavu-core"),
)
_OTHERS: Final = "fonts-noto-core"
_SHOWN: Final = 12


def pdf(html: str) -> bytes:
    """The PDF of a document. Raises `RulesError`: R804 without WeasyPrint or what it needs, R841 for letters that no font has."""
    return content_of(laid_out(html))


def laid_out(html: str) -> Any:
    """A document of WeasyPrint, laid out on pages. Raises `RulesError`: R804 without WeasyPrint or what it needs."""
    try:
        weasyprint = extra("weasyprint", "print", "a PDF")
    except OSError as error:  # the libraries of the system that it stands on
        help = "install Pango (on Debian: `apt install libpangoft2-1.0-0`), or write `.html` and print it in a browser"
        raise RulesError(
            [fault("R804", f"a PDF needs a library that is not installed: {str(error).splitlines()[0]}", help=help)]
        ) from None
    fetcher = extra("weasyprint.urls", "print", "a PDF").URLFetcher(allowed_protocols=["data"])
    with _Noted():
        return weasyprint.HTML(string=_plain(html), url_fetcher=fetcher).render()


def content_of(document: Any) -> bytes:
    """The PDF of a document that is laid out. Raises `RulesError`: R841 for letters that no font has."""
    with _Noted() as noted:
        content: bytes = document.write_pdf()
    if noted.letters:
        raise RulesError([_fault(noted.letters)])
    return content


def _plain(html: str) -> str:
    """A document whose style sheets WeasyPrint reads."""
    return re.sub(r"(<style>)(.*?)(</style>)", lambda found: found[1] + plain_css(found[2]) + found[3], html, flags=re.DOTALL)


class _Noted(logging.Handler):
    """Takes what WeasyPrint logs, and keeps the letters for which no font has a shape."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.letters: dict[str, None] = {}
        self._logger = logging.getLogger("weasyprint")
        self._before = (self._logger.handlers[:], self._logger.propagate, self._logger.level)

    def __enter__(self) -> _Noted:
        self._logger.handlers = [self]
        self._logger.propagate = False
        self._logger.setLevel(logging.WARNING)
        return self

    def __exit__(self, *_: object) -> None:
        self._logger.handlers, self._logger.propagate = self._before[:2]
        self._logger.setLevel(self._before[2])

    def emit(self, record: logging.LogRecord) -> None:
        if "glyph" in record.getMessage() and (found := _MISSING.search(record.getMessage())):
            letter = chr(int(found[1], 16))
            if not unicodedata.category(letter).startswith("C"):
                self.letters[letter] = None


def _fault(letters: dict[str, None]) -> Diagnostic:
    shown = " ".join(list(letters)[:_SHOWN]) + (" ..." if len(letters) > _SHOWN else "")
    packages = " and ".join(dict.fromkeys(_package(letter) for letter in letters))
    help = (
        f"install a font that has them: on Debian and Ubuntu, the package {packages}; or write `.html` and print it in a browser"
    )
    return fault("R841", f"no font that is installed has these letters: {shown}", help=help)


def _package(letter: str) -> str:
    if ord(letter) >= 0x1F000:
        return "fonts-noto-color-emoji"
    name = unicodedata.name(letter, "")
    return next((package for beginnings, package in _PACKAGES if name.startswith(beginnings)), _OTHERS)


__all__ = ["content_of", "laid_out", "pdf"]
