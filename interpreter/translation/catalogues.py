"""The file of translations of a game into one language: where it lies, how it is read, and what is wrong with it.

It is a file of gettext in text form (``.po``) beside the rules, ``NAME.LANG.po`` for ``NAME.rules``. What is read is trusted in
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from gettext import GNUTranslations
from io import BytesIO, StringIO
from pathlib import Path
from typing import Final

from attrs import field, frozen
from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, PoFileParser

from ..common.diagnostics import Diagnostic, fault
from ..common.files import read_text
from ..common.source import Source, Span
from ..words.said import translations_of
from .beside import CODE

FORMS_LIMIT: Final = 10  # forms that a noun has after numbers; no language has more than six
NUMBERS_TRIED: Final = 1000  # to see whether a rule for plurals gives a form for each number

_WRITTEN: Final = re.compile(r'\s*(?:#~\s*)?(?:msg\w+(?:\[\d*\])?\s*)?"')  # a line that holds a text
_TEXT: Final = re.compile(r'(?:#~\s*)?(?:msg\w+(?:\[\d*\])?\s*)?"(?:[^"\\]|\\.)*"')
_FORMS: Final = re.compile(r"nplurals\s*=\s*(\d{1,9})")
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")  # the last ones turn the text around


def language_of(code: str) -> str | None:
    """The code of a language, ``pt_BR`` for ``pt-BR``; None where there is no such language."""
    if not CODE.fullmatch(code):
        return None
    try:
        Locale.parse(code, sep="-" if "-" in code else "_")
    except (UnknownLocaleError, ValueError):
        return None
    first, *others = re.split("[-_]", code)
    return "_".join((first.lower(), *others))


def name_of(language: str) -> str:
    """The English name of a language; its code where it has none."""
    return Locale.parse(language).english_name or language if language_of(language) else language


class _Strict(Catalog):
    """A catalogue that remembers which entries come twice."""

    def __init__(self, locale: str) -> None:
        self.twice: list[Message] = []
        super().__init__(locale=locale)

    def __setitem__(self, id: str | tuple[str, ...] | list[str], message: Message) -> None:
        if message.id and self.get(message.id, message.context) is not None:
            self.twice.append(message)
        super().__setitem__(id, message)


@frozen(eq=False)
class Catalogue:
    """A file of translations that could be read. ``messages``: by context and text, with fuzzy ones; ``obsolete``: likewise, what
    the rules no longer have. ``header``: its first entry, as it is written."""

    source: Source
    language: str
    catalog: Catalog = field(repr=False)
    messages: Mapping[tuple[str, str], Message] = field(repr=False)
    obsolete: Mapping[tuple[str, str], Message] = field(repr=False)
    header: str = field(repr=False)

    def span_of(self, message: Message) -> Span:
        """The line on which an entry begins."""
        return _line(self.source, message.lineno or 1)

    def compiled(self) -> bytes:
        """What it says, for programs, in gettext's binary form; fuzzy entries and empty ones are left out."""
        whole = Catalog(locale=self.language)
        whole.mime_headers = self.catalog.mime_headers
        for message in self.messages.values():
            if is_whole(message):
                whole[message.id] = message
        return _compiled(whole)

    def translations(self) -> GNUTranslations:
        """The same, read."""
        return translations_of(self.compiled())


def read_catalogue(path: Path, language: str) -> Catalogue | tuple[Diagnostic, ...]:
    """The translations in a file, or what is wrong with it (R001 to R003, R720)."""
    source = read_text(path)
    return (source,) if isinstance(source, Diagnostic) else catalogue_in(source, language)


def catalogue_in(source: Source, language: str) -> Catalogue | tuple[Diagnostic, ...]:
    """The translations in a text, or what is wrong with it (R720)."""
    control = _CONTROL.search(source.text)
    if control:
        at = Span(source, control.start(), control.end())
        return (_unusable(f"it holds the control character U+{ord(control[0]):04X}", at, "write the text without it"),)
    header = _header(source.text)
    forms = _FORMS.search(header)
    if forms and not 1 <= int(forms[1]) <= FORMS_LIMIT:
        return (_unusable(f"its header says that nouns have {forms[1]} forms", _where(source, "nplurals"), _plurals(language)),)
    charset = re.search(r"charset=([\w-]+)", header)
    if charset and charset[1].lower() not in ("utf-8", "utf8", "charset"):
        at = _where(source, "charset=")
        return (_unusable(f"its header says that it is written in {charset[1]}", at, "write `charset=UTF-8`, and save it so"),)
    unclosed = _unclosed(source)
    if unclosed is not None:
        return (
            _unusable(
                "a text has no quotation mark at its end, or one too many",
                unclosed,
                'write `msgstr "..."`; a quotation mark inside is `\\"`',
            ),
        )
    catalog = _Strict(language)
    try:
        PoFileParser(catalog, abort_invalid=True).parse(StringIO(source.text))
    except PoFileError as error:
        line = source_line(source, error.lineno)
        return (_unusable(_plain(error), line, 'write `msgid "..."` and below it `msgstr "..."`'),)
    except Exception as error:  # whatever Babel stumbles over in a damaged file
        return (_unusable(f"it is no file of gettext ({type(error).__name__})", _line(source, 1), "let it be saved again"),)
    if catalog.twice:
        found = (
            _unusable(f"{_called(each)} has two entries", _line(source, each.lineno or 1), "take one of them away")
            for each in catalog.twice
        )
        return tuple(found)
    catalog.charset = "utf-8"
    wrong = _wrong_plurals(catalog)
    if wrong:
        return (_unusable(f"its rule for plurals {wrong}", _where(source, "Plural-Forms"), _plurals(language)),)
    return Catalogue(source, language, catalog, _by_key(catalog), _by_key(catalog.obsolete.values()), header)


def _unclosed(source: Source) -> Span | None:
    """The first line whose text does not end where its line does, which Babel would read with its last letter cut off."""
    for number, line in enumerate(source.text.splitlines(), 1):
        if '"' in line and _WRITTEN.match(line) and not _TEXT.fullmatch(line.strip()):
            return _line(source, number)
    return None


def _by_key(messages: Iterable[Message]) -> dict[tuple[str, str], Message]:
    return {(each.context or "", text_of(each)): each for each in messages if each.id}


def text_of(message: Message) -> str:
    """The text that is translated; of two, that for one thing."""
    return str(message.id[0] if isinstance(message.id, (tuple, list)) else message.id)


def said_in(message: Message) -> tuple[str, ...]:
    """The translations of an entry, one for each form."""
    return tuple(message.string) if isinstance(message.string, (tuple, list)) else (message.string or "",)


def is_whole(message: Message) -> bool:
    """Whether there is a translation for each form, and nobody has doubts about it."""
    return not message.fuzzy and all(said_in(message))


def _called(message: Message) -> str:
    return f"`{text_of(message)}`" + (f" ({message.context})" if message.context else "")


def _compiled(catalog: Catalog) -> bytes:
    content = BytesIO()
    write_mo(content, catalog)
    return content.getvalue()


def _wrong_plurals(catalog: Catalog) -> str:
    """What is wrong with the rule for plurals of a catalogue; "" where nothing is."""
    try:
        made = Catalog(locale=catalog.locale)
        made.mime_headers = [("Plural-Forms", catalog.plural_forms)]
        rule = GNUTranslations(BytesIO(_compiled(made))).plural  # type: ignore[attr-defined]
        forms = {int(rule(number)) for number in range(NUMBERS_TRIED)}
    except Exception as error:  # gettext reads it as a program of its own
        return f"cannot be understood ({error})"
    wrong = sorted(form for form in forms if not 0 <= form < catalog.num_plurals)
    return f"gives form {wrong[0]} of {catalog.num_plurals}" if wrong else ""


def _plurals(language: str) -> str:
    return f"write `Plural-Forms: {Catalog(locale=language).plural_forms}`"


def _header(text: str) -> str:
    """The first entry of a file, with the comments above it, if it is the header; else ""."""
    found = re.match(r'(?:\s*#[^\n]*\n)*\s*msgid ""[ \t]*\nmsgstr (?:"[^\n]*\n?)+', text)
    return "" if found is None else found[0].strip("\n") + "\n"


def source_line(source: Source, number: int) -> Span:
    """A line of a file, counted from 0, that may be behind its end."""
    return _line(source, number + 1)


def _line(source: Source, number: int) -> Span:
    number = max(1, min(number, len(source.line_starts)))
    start = source.line_starts[number - 1]
    return Span(source, start, start + len(source.line(number)))


def _where(source: Source, text: str) -> Span:
    at = source.text.find(text)
    return _line(source, source.position(max(at, 0))[0])


def _plain(error: PoFileError) -> str:
    said = str(error).partition(" on ")[0]
    return f"it cannot be read from this line on: {said[:1].lower()}{said[1:]}"


def _unusable(what: str, span: Span, help: str) -> Diagnostic:
    return fault("R720", f"`{span.source.path}` cannot be used: {what}", span, help=help)


__all__ = [
    "Catalogue", "catalogue_in", "is_whole", "language_of", "name_of", "read_catalogue", "said_in", "text_of",
]  # fmt: skip
