"""Where the translations of rules lie: the file ``NAME.LANG.po`` beside ``NAME.rules``, one for each language.

In a page without a server the same file lies there compiled, ``NAME.LANG.mo``; elsewhere it counts where there is no other.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from ..rules import Rules
from ..words.said import COMPILED

SUFFIX: Final = ".po"
CODE: Final = re.compile(r"[a-z]{2,3}([_-][a-zA-Z0-9]{2,8}){0,3}")  # of a language, as far as its letters go


def catalogue_path(rules: str | Path, language: str) -> Path:
    """Where the translations of rules into a language lie."""
    return Path(rules).with_suffix(f".{language}{SUFFIX}")


def catalogues_beside(rules: str | Path) -> dict[str, Path]:
    """The files of translations beside rules, by language, in alphabetical order; none where the folder cannot be looked into."""
    return _beside(rules, SUFFIX)


def words_beside(rules: str | Path) -> dict[str, Path]:
    """The same, with those that lie there only in compiled form."""
    return dict(sorted((_beside(rules, COMPILED) | catalogues_beside(rules)).items()))


def _beside(rules: str | Path, suffix: str) -> dict[str, Path]:
    start = f"{Path(rules).stem}."
    try:
        names = sorted(path.name for path in Path(rules).parent.iterdir())
    except (OSError, ValueError):
        return {}
    codes = (name[len(start) : -len(suffix)] for name in names if name.startswith(start) and name.endswith(suffix))
    return {code: Path(rules).with_suffix(f".{code}{suffix}") for code in codes if CODE.fullmatch(code)}


def files_of_rules(rules: Rules) -> tuple[str, ...]:
    """The paths of the rules themselves, and of those that they extend: the nearest first."""
    own = [] if rules.source is None else [rules.source.path]
    return (*own, *(source.path for source in rules.beside if source.path.endswith(".rules")))


def languages_of_rules(rules: Rules) -> tuple[str, ...]:
    """The languages in which there are files of translations or a title, in alphabetical order; English is not among them."""
    titles = () if rules.model is None else (language for language, _ in rules.model.titles if language)
    return tuple(sorted({*titles, *(code for path in files_of_rules(rules) for code in words_beside(path))} - {"en"}))


def has_english(rules: Rules) -> bool:
    """Whether there is a file with better English words than those of the rules."""
    return any("en" in words_beside(path) for path in files_of_rules(rules))


def catalogue_files(rules: Rules) -> tuple[Path, ...]:
    """All files of translations of rules and of those that they extend."""
    return tuple(place for path in files_of_rules(rules) for place in words_beside(path).values())


__all__ = [
    "catalogue_files",
    "catalogue_path",
    "catalogues_beside",
    "files_of_rules",
    "has_english",
    "languages_of_rules",
    "words_beside",
]
