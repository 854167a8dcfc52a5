"""What is wrong with the translations of a game, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import frozen

from ..common.diagnostics import Diagnostic, fault, warning
from ..common.nouns import counted, listed
from ..common.source import Source, Span
from ..rules import Rules
from .beside import catalogues_beside, files_of_rules
from .catalogues import Catalogue, is_whole, language_of, name_of, read_catalogue, said_in, text_of
from .entries import Entry, entries_of, lone_brace, places_in

FEW: Final = 10  # entries of a file, of which less than one is shared with a game: the file is of another
EXAMPLES: Final = 3  # of entries that a message names


@frozen
class Progress:
    """How far a translation is: how many entries there are, and how many are translated, fuzzy, missing, and no longer needed."""

    language: str
    path: str
    entries: int
    translated: int
    fuzzy: tuple[str, ...]
    missing: tuple[str, ...]
    stale: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        return not (self.fuzzy or self.wanting or self.stale)

    @property
    def wanting(self) -> tuple[str, ...]:
        """What is missing. In English nothing is: there the words of the rules do."""
        return () if self.language == "en" else self.missing

    @property
    def said(self) -> str:
        """In words, without the file."""
        counts = ((len(self.fuzzy), "fuzzy"), (len(self.wanting), "missing"), (len(self.stale), "no longer needed"))
        rest = "".join(f", {count} {what}" for count, what in counts if count)
        done = "in other words than those of the rules" if self.language == "en" else "translated"
        return f"{name_of(self.language)}: {self.translated} of {self.entries} {done}{rest}"


@frozen
class Checked:
    """``diagnostics``: what is wrong with files of translations. ``progress``: of each that could be read. ``sources``: all that
    were read."""

    diagnostics: tuple[Diagnostic, ...]
    progress: tuple[Progress, ...]
    sources: tuple[Source, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is not complete, one line for each file and kind."""
        return tuple(f"{one.path}: {what}" for one in self.progress for what in _incomplete(one))

    @property
    def incomplete(self) -> tuple[Diagnostic, ...]:
        """The same as findings (R723)."""
        by_path = {source.path: source for source in self.sources}
        return tuple(
            warning(
                "R723",
                f"`{one.path}`: {what}",
                Span(by_path[one.path], 0, 0),
                help=f"`rulesrun translate RULES --language {one.language}` brings it up to date; then translate what is empty",
            )
            for one in self.progress
            for what in _incomplete(one)
        )


def check_translations(rules: Rules) -> Checked:
    """Look at all files of translations beside rules and beside the rules that they extend. Raises `RulesError` if the rules have
    errors."""
    entries = entries_of(rules)
    diagnostics: list[Diagnostic] = []
    progress: list[Progress] = []
    sources: list[Source] = []
    for path in files_of_rules(rules):
        for language, place in catalogues_beside(path).items():
            catalogue = read_catalogue(place, language)
            if isinstance(catalogue, Catalogue):
                wanted = entries_for(entries, path, rules, language)
                sources.append(catalogue.source)
                wrong = tuple(_wrong(wanted, catalogue))
                diagnostics += wrong
                if not any(each.code == "R721" for each in wrong):
                    progress.append(progress_of(wanted, catalogue))
            else:
                diagnostics += catalogue
    return Checked(tuple(diagnostics), tuple(progress), tuple(sources))


def entries_for(entries: Iterable[Entry], path: str, rules: Rules, language: str) -> tuple[Entry, ...]:
    """The entries of one file of rules that are to be translated into a language: not the titles that the rules give in it."""
    whole = rules.required()
    given = {
        (role, text)
        for role, texts in (("title", whole.titles), *(("variant", each.texts) for each in whole.variants))
        if {language, language.partition("_")[0]} & {code for code, _ in texts}
        for _, text in texts
    }
    return tuple(entry for entry in entries if entry.home == path and entry.key not in given)


def progress_of(wanted: Sequence[Entry], catalogue: Catalogue) -> Progress:
    """How far a file of translations is."""
    found = {entry.key: catalogue.messages.get(entry.key) for entry in wanted}
    missing = tuple(text for (_, text), each in found.items() if each is None or not (each.fuzzy or is_whole(each)))
    fuzzy = tuple(text for (_, text), each in found.items() if each is not None and each.fuzzy)
    stale = tuple(text_of(each) for key, each in catalogue.messages.items() if key not in found)
    done = len(wanted) - len(missing) - len(fuzzy)
    return Progress(catalogue.language, catalogue.source.path, len(wanted), done, fuzzy, missing, stale)


def _incomplete(one: Progress) -> Iterator[str]:
    if one.wanting:
        yield f"{_some(one.wanting)} not translated"
    if one.fuzzy:
        yield f"{_some(one.fuzzy)} fuzzy"
    if one.stale:
        yield f"{_some(one.stale)} no longer in the rules"


def _some(texts: Sequence[str]) -> str:
    """``2 entries (`hand`, `deck`) are``."""
    named = [f"`{text}`" for text in texts[:EXAMPLES]]
    more = ", ..." if len(texts) > EXAMPLES else ""
    return f"{counted(len(texts), 'entry')} ({', '.join(named)}{more}) {'is' if len(texts) == 1 else 'are'}"


def another_game(wanted: Sequence[Entry], catalogue: Catalogue) -> Diagnostic | None:
    """The finding (R721) for a file of translations that is another game's: it has none of the entries of this game, or so few
    that they are words which games share. Not so where it has half of them: such a game has become small."""
    entries = len(catalogue.messages)
    shared = len({entry.key for entry in wanted} & (catalogue.messages.keys() | catalogue.obsolete.keys()))
    few = entries >= FEW and shared * FEW < entries and shared * 2 < len(wanted)
    if not wanted or not entries or (shared and not few):
        return None
    which = "none of the words of this one" if not shared else f"{shared} of the {counted(len(wanted), 'word')} of this one"
    at = Span(catalogue.source, 0, 0)
    help = "name it after its own rules, as `NAME.LANG.po`"
    return fault("R721", f"`{catalogue.source.path}` translates another game: it has {which}", at, help=help)


def _wrong(wanted: Sequence[Entry], catalogue: Catalogue) -> Iterator[Diagnostic]:
    by_key: dict[tuple[str, str], Entry] = {entry.key: entry for entry in wanted}
    source = catalogue.source
    another = another_game(wanted, catalogue)
    if another is not None:
        yield another
        return
    declared = catalogue.catalog.locale_identifier
    if declared and language_of(str(declared)) != catalogue.language:
        yield fault(
            "R720",
            f"`{source.path}` cannot be used: its header says that its language is `{declared}`",
            Span(source, 0, 0),
            help=f"write `Language: {catalogue.language}`, or name the file after the language that it has",
        )
    for key, message in catalogue.messages.items():
        entry = by_key.get(key)
        if entry is not None and not message.fuzzy:
            span = catalogue.span_of(message)
            for said in dict.fromkeys(filter(None, said_in(message))):
                yield from _places_at_fault(entry, said, span)


def _places_at_fault(entry: Entry, said: str, span: Span) -> Iterator[Diagnostic]:
    if (brace := lone_brace(said)) and not lone_brace(entry.text):
        other = "begins a place that does not end" if brace == "{" else "ends a place that does not begin"
        places = listed([f"`{place}`" for place in sorted(places_in(entry.text))])
        yield fault(
            "R722",
            f"the translation of `{entry.text}` has a `{brace}` that {other}",
            span,
            help=f"write {places} with both braces" if places else "take it away",
        )
        return
    there, here = sorted(places_in(entry.text)), sorted(places_in(said))
    if unknown := [f"`{place}`" for place in here if place not in there]:
        known = listed([f"`{place}`" for place in there]) or "none"
        yield fault(
            "R722",
            f"the translation of `{entry.text}` has {listed(unknown)}, which is no place of it",
            span,
            help=f"its places are {known}; they are written as they are, not translated" if there else "take it away",
        )
    elif lost := [f"`{place}`" for place in there if place not in here]:
        yield fault(
            "R722",
            f"the translation of `{entry.text}` lacks {listed(lost)}",
            span,
            help="write it where it belongs in the sentence: something is put in its place",
        )


__all__ = ["Checked", "Progress", "another_game", "check_translations", "entries_for", "progress_of"]
