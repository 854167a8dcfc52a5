"""The languages that the program speaks, and the one that an environment asks for."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from gettext import NullTranslations
from importlib.resources import files
from typing import IO

from .said import COMPILED, translations_of
from .words import ENGLISH, Words

_FOLDER = files(__name__.rpartition(".")[0]) / "catalogues"


@lru_cache(maxsize=1)
def languages() -> tuple[str, ...]:
    """The codes of the languages that the program speaks, in alphabetical order."""
    return tuple(sorted({"en", *(name.split(".")[1] for name in _catalogues())}))


def _catalogues() -> list[str]:
    """The names of the program's catalogues, ``AREA.LANG.po``; in a page without a server they are compiled, ``AREA.LANG.mo``."""
    return sorted(place.name for place in _FOLDER.iterdir() if place.name.endswith((".po", COMPILED)))


def language_of_environment(environment: Mapping[str, str] = os.environ, known: Collection[str] = ()) -> str:
    """The first language that an environment asks for and that is known: ``uk`` for ``LANG=uk_UA.UTF-8``; else ``en``.

    ``known``: the languages that there are (none: those that the program speaks). One of a country, such as ``pt_BR``, comes
    before that of all. The variables are those of gettext, in its order.
    """
    there = known or languages()
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            asked = [re.split("[.@]", each)[0].replace("-", "_") for each in environment[name].split(":")]
            found = (code for each in asked for code in (each, each.partition("_")[0].lower()))
            return next((code for code in found if code in there), "en")
    return "en"


def compiled(file: IO[bytes]) -> bytes:
    """A file of gettext's text form in its binary form, entries marked as fuzzy left out.

    Raises `babel.messages.pofile.PoFileError`, UnicodeDecodeError, or ValueError for plural forms that are none.
    """
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    found = io.BytesIO()
    write_mo(found, read_po(file, abort_invalid=True))
    return found.getvalue()


@lru_cache(maxsize=8)
def program_translations(language: str) -> NullTranslations:
    """The program's own sentences. KeyError for a language that it does not speak."""
    if language == "en":
        return NullTranslations()
    if language not in languages():
        raise KeyError(language)
    found: NullTranslations = NullTranslations()
    for name in _catalogues():
        if name.split(".")[1] == language:
            with (_FOLDER / name).open("rb") as file:
                translations = translations_of(file.read() if name.endswith(COMPILED) else compiled(file))
            translations.add_fallback(found)
            found = translations
    return found


def words_of(language: str, game: NullTranslations | None = None) -> Words:
    """The words of a language; of one that the program does not speak, its sentences are English."""
    if language == "en" and game is None:
        return ENGLISH
    program = program_translations(language) if language in languages() else NullTranslations()
    return Words(language, program, game or NullTranslations())


__all__ = ["compiled", "language_of_environment", "languages", "program_translations", "words_of"]
