"""The program's sentences in a language, as data for the page."""

from __future__ import annotations

import re
from gettext import GNUTranslations
from typing import Any

from .languages import languages, program_translations

NUMBERS = 200  # of so many numbers the plural form is listed; those above are as the last hundred
_CODE = re.compile(r"[a-z]{2,3}(_[a-zA-Z0-9]{2,8}){0,3}")


def words_data(language: str) -> dict[str, Any]:
    """``sentences``: each with its translation, or the forms of one that depends on a number, under its English singular; none
    for English, and for a language that the program lacks: a game may have it, and the page says its names then.
    ``plurals``: the place of the form for each number from 0; see `NUMBERS`.
    """
    if language not in languages() or language == "en":
        return {"language": language if _CODE.fullmatch(language) else "en", "plurals": [], "sentences": {}}
    found: dict[str, Any] = {}
    plurals: list[int] = []
    translations: Any = program_translations(language)
    while isinstance(translations, GNUTranslations):
        known: Any = translations
        plurals = plurals or [int(known.plural(number)) for number in range(NUMBERS)]
        for sentence, said in known._catalog.items():
            if isinstance(sentence, tuple):
                forms = found.setdefault(sentence[0], [])
                if isinstance(forms, list):
                    forms.extend([""] * (sentence[1] + 1 - len(forms)))
                    forms[sentence[1]] = said
            elif sentence:
                found.setdefault(sentence, said)
        translations = known._fallback
    return {"language": language, "plurals": plurals, "sentences": found}
