"""The words of rules in a language: their own file of translations, those of the rules that they extend, and their titles."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from attrs import frozen

from ..common.diagnostics import Diagnostic, fault
from ..common.files import SIZE_LIMIT, read_bytes
from ..common.nouns import spoken
from ..model.model import Model
from ..rules import Rules
from ..words.languages import words_of
from ..words.said import COMPILED, Said, says, translations_of
from ..words.words import Words
from .beside import files_of_rules, languages_of_rules, words_beside


@frozen
class Loaded:
    """``diagnostics``: what is wrong with files that are left out."""

    words: Words
    diagnostics: tuple[Diagnostic, ...] = ()


def words_for_rules(rules: Rules, language: str) -> Loaded:
    """The words of rules in a language. What is not translated is said as the rules have it.

    Raises `RulesError` if the rules have errors.
    """
    whole = rules.required()
    found: NullTranslations | None = _titles(whole, language)
    diagnostics: list[Diagnostic] = []
    for path in reversed(files_of_rules(rules)):  # those of parents first: what comes later counts more
        beside = words_beside(path)
        for code in dict.fromkeys((language.partition("_")[0], language)):
            if code not in beside:
                continue
            read = _read(rules, path, beside[code], code)
            if isinstance(read, GNUTranslations):
                read.add_fallback(Said(_aliases(whole, read)))
                if found is not None:
                    read.add_fallback(found)
                found = read
            else:
                diagnostics += read
    return Loaded(words_of(language, found), tuple(diagnostics))


def _read(rules: Rules, home: str, path: Path, language: str) -> GNUTranslations | tuple[Diagnostic, ...]:
    """The translations in a file beside the rules at ``home``, or what is wrong with it (R001 to R003, R720, R721)."""
    if path.suffix == COMPILED:
        content = read_bytes(path)
        if isinstance(content, Diagnostic):
            return (content,)
        try:
            if len(content) > SIZE_LIMIT:
                raise ValueError(f"it has more than {SIZE_LIMIT:,} bytes")
            return translations_of(content)
        except ValueError as error:
            help = "take it away, or put the file of translations in its place from which it was compiled"
            return (fault("R720", f"`{path}` cannot be used: {error}", help=help),)
    from .catalogues import Catalogue, read_catalogue  # a page without a server has no Babel
    from .checking import another_game, entries_for
    from .entries import entries_of

    found = read_catalogue(path, language)
    if not isinstance(found, Catalogue):
        return found
    another = another_game(entries_for(entries_of(rules), home, rules, language), found)
    return found.translations() if another is None else (another,)


def _titles(whole: Model, language: str) -> NullTranslations | None:
    """The titles that the rules themselves give in a language."""
    said = {(role, name): text for role, names, text in _titles_of(whole, language) for name in names}
    return Said(said) if said else None


def _aliases(whole: Model, translations: GNUTranslations) -> dict[tuple[str, str], str]:
    """The titles that a file translates, by the names of what has them."""
    titles = dict(whole.titles)
    english = {("title", spoken(whole.game)): titles.get("en") or titles.get("")}
    for each in whole.variants:
        texts = dict(each.texts)
        english["variant", spoken(each.name)] = texts.get("en") or texts.get("")
    return {
        (role, name): translations.pgettext(role, title)
        for (role, name), title in english.items()
        if title and says(translations, role, title) and not says(translations, role, name)
    }


def _titles_of(whole: Model, language: str) -> Iterator[tuple[str, tuple[str, ...], str]]:
    named = (("title", whole.game, whole.titles), *(("variant", each.name, each.texts) for each in whole.variants))
    for role, name, texts in named:
        by_language = dict(texts)
        said = by_language.get(language) or by_language.get(language.partition("_")[0])
        if said:
            yield role, (spoken(name), *(by_language[code] for code in ("en", "") if by_language.get(code))), said


__all__ = ["Loaded", "languages_of_rules", "words_for_rules"]
