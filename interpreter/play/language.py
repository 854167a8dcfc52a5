"""The languages in which a game can be played: those of the program, and those of translations and titles of its rules."""

from __future__ import annotations

from ..common.diagnostics import RulesError
from ..rules import Rules
from ..translation.beside import has_english, languages_of_rules
from ..words.languages import languages
from ..words.words import ENGLISH, Words
from .arguments import ArgumentError


def languages_for(rules: Rules) -> tuple[str, ...]:
    """The codes of the languages in which a game can be played, in alphabetical order."""
    return tuple(sorted({*languages(), *languages_of_rules(rules)}))


def words_for(rules: Rules, language: str) -> Words:
    """The words of a language for a game. English ones are those of the rules, where no file beside them has better ones.

    ArgumentError for a language that there is not, `RulesError` where translations beside the rules cannot be read.
    """
    if language == "en" and not has_english(rules):
        return ENGLISH
    from ..translation.loading import words_for_rules

    known = languages_for(rules)
    if language not in known:
        raise ArgumentError(f"there is no language `{language}` for this game: there are {', '.join(known)}")
    found = words_for_rules(rules, language)
    if found.diagnostics:
        raise RulesError(found.diagnostics)
    return found.words
